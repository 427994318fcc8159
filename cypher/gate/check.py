"""All checks of a tree against a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cypher.gate.allowed import check_calls
from cypher.gate.domains import Domains, check_domains
from cypher.gate.pattern_rules import check_patterns
from cypher.gate.properties import check_properties
from cypher.gate.scopes import analyse
from cypher.gate.symbols import Analysis
from cypher.syntax import nodes as n
from schemas.findings import Finding
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema


@dataclass(frozen=True, slots=True)
class Checked:
    """A tree with what is known of it."""

    query: n.Query
    analysis: Analysis
    domains: Domains
    findings: tuple[Finding, ...]


def check_tree(query: n.Query, schema: StoreSchema, parameters: Mapping[str, Parameter]) -> Checked:
    """Scopes, allowed calls, domains and properties of a query, with findings in the order of the text."""
    analysis = analyse(query, parameters)
    domains = check_domains(analysis, schema, parameters)
    found = [*check_calls(query), *check_patterns(query), *analysis.findings, *domains.findings]
    found += check_properties(analysis, domains, schema)
    unique = {(f.code, f.message, f.place.start): f for f in found}
    return Checked(
        query, analysis, domains, tuple(sorted(unique.values(), key=lambda f: (f.place.start, f.code)))
    )
