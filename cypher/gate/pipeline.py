"""The whole way of one query through the gate, on its tree: the steps in their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cypher.gate.bounds import Lifting, limited
from cypher.gate.check import check_tree
from cypher.gate.constants import check_numbers
from cypher.gate.cost import bound_paths, check_cost, check_searches
from cypher.gate.growth import check_growth
from cypher.gate.hiding import Hiding
from cypher.gate.provenance import reprojected
from cypher.gate.regular import check_regular
from cypher.gate.repair import mend
from cypher.gate.report import finding
from cypher.gate.rewrite import name_everything
from cypher.gate.similarity import Inputs, Similarity
from cypher.gate.snapping import Names, snapped
from cypher.gate.vetting import PARAMETER, Vetting
from cypher.syntax import nodes as n
from cypher.syntax.parse import parse
from cypher.syntax.walk import walk
from cypher.syntax.write import write
from schemas.findings import Finding, Repair
from schemas.matched import VectorSearch
from schemas.questions import Parameter, Scope
from schemas.store_schema import StoreSchema


@dataclass(slots=True)
class Passed:
    """What became of a query; it may run only without findings."""

    text: str = ""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    repairs: tuple[Repair, ...] = ()
    notes: tuple[str, ...] = ()
    search: VectorSearch | None = None


def pass_through(
    text: str,
    schema: StoreSchema,
    *,
    scope: Scope,
    row_cap: int,
    inputs: Inputs,
) -> Passed:
    """Parse, repair, check, limit to the scope, lift literals, bound. May raise ``QueryRefusedError``."""
    query, parameters = parse(text), inputs.parameters
    hints = sum(x.hints for x in walk(query) if isinstance(x, n.Match))
    mended = mend(query, schema, parameters)
    passed = Passed(repairs=mended.repairs)
    if hints:
        passed.notes = ("USING was left out: the server plans the query itself",)
    checked = mended.checked
    query, snaps = snapped(checked, schema, inputs.names)
    if snaps:
        passed.repairs += snaps
        checked = check_tree(query, schema, parameters)
    if inputs.provenance and not checked.findings:
        checked = check_tree(parse(write(reprojected(checked.query, schema))), schema, parameters)
    findings = [*checked.findings, *_parameters(checked.query, parameters)]
    findings += check_numbers(checked.query, parameters)
    findings += check_cost(checked.query, checked.analysis)
    findings += check_searches(checked.query, schema, parameters)
    findings += check_growth(checked.query, parameters)
    findings += check_regular(checked.query, parameters)
    similarity = Similarity(checked, schema, parameters, inputs.embed, inputs.neighbours)
    findings += similarity.findings()
    if findings:
        passed.findings = tuple(findings)
        passed.text = write(checked.query)
        return passed
    _finish(passed, similarity, (scope, row_cap, parameters))
    return passed


def as_stored(text: str, schema: StoreSchema, names: Names | None) -> str:
    """A query with its repairs and with names as they are stored, printed; its literals stand in it.

    May raise ``QueryRefusedError`` where it cannot be read.
    """
    mended = mend(parse(text), schema, {})
    return write(snapped(mended.checked, schema, names)[0])


def _finish(
    passed: Passed, similarity: Similarity, limits: tuple[Scope, int, Mapping[str, Parameter]]
) -> None:
    scope, row_cap, parameters = limits
    checked, schema = similarity.checked, similarity.schema
    query = similarity.written_out(name_everything(checked, schema))
    passed.search = similarity.described()
    if similarity.parameters:
        by_index = passed.search is not None and similarity.neighbours
        passed.notes += ("similarity is the exact cosine, in [-1, 1]",)
        if by_index:
            passed.notes += ("a vector index chose the nodes to compare; it can miss a few (approximate)",)
    query, bounded = bound_paths(query)
    passed.repairs += bounded
    given = {**parameters, **similarity.parameters}
    if schema.scope_property and scope is not Scope.ALL:
        vetting = Vetting(checked, schema)
        query = vetting.applied(query)
        passed.findings = tuple(vetting.findings)
        given[PARAMETER] = scope.statuses
        passed.notes += (f"every node and relationship is limited to what is {scope.value}",)
    query = Hiding(checked, schema.hidden_labels).applied(query)
    lifting = Lifting(given)
    query = lifting.lifted(query)
    query = limited(query, row_cap, {**given, **lifting.parameters})
    used = {x.name for x in walk(query) if isinstance(x, n.Parameter)}
    passed.parameters = {k: v for k, v in {**given, **lifting.parameters}.items() if k in used}
    passed.columns = _columns(query)
    passed.text = write(query)


def _columns(query: n.Query) -> tuple[str, ...]:
    last = query.branches[0].clauses[-1]
    if not isinstance(last, n.Return):
        return ()
    items = last.projection.items
    return tuple(
        i.alias or (i.expression.name if isinstance(i.expression, n.Variable) else write(i.expression))
        for i in items
    )


def _parameters(query: n.Query, given: Mapping[str, Parameter]) -> list[Finding]:
    """A finding for every parameter without a value."""
    missing = {x.name: x for x in walk(query) if isinstance(x, n.Parameter) and x.name not in given}
    return [
        finding("SEM1", f"the parameter ${name} has no value; give it one", node.span, f"{name}=...")
        for name, node in missing.items()
    ]
