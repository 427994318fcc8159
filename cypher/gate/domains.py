"""Schema check by arc consistency: which label sets and types each variable can have.

Each node starts with the label sets that satisfy its label expressions, each relationship with its types; the
schema's triples then cut both until nothing changes (AC-3, Mackworth 1977, doi:10.1016/0004-3702(77)90007-8).
A domain that becomes empty although it was not names an impossible edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from cypher.gate.report import few, finding, nearest
from cypher.gate.symbols import Analysis, Edge, Kind, Symbol
from cypher.syntax import nodes as n
from cypher.syntax.write import write
from schemas.findings import Finding
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

_SAME = ("nothing of this kind is in the graph", "label", "relationship type")


@dataclass(frozen=True, slots=True)
class Tables:
    """A schema as sets of numbers."""

    sets: tuple[frozenset[str], ...]
    labels: frozenset[str]
    types: frozenset[str]
    steps: Mapping[str, frozenset[tuple[int, int]]]
    """By type: pairs of label sets at start and end."""


@lru_cache(maxsize=16)
def _tables(fingerprint: str, holder: _Holder) -> Tables:
    del fingerprint
    schema = holder.schema
    sets = schema.node_sets
    having = {label.name: [i for i, s in enumerate(sets) if label.name in s] for label in schema.labels}
    steps: dict[str, set[tuple[int, int]]] = {r.type: set() for r in schema.relations}
    for triple in schema.triples:
        pairs = ((a, b) for a in having.get(triple.start, ()) for b in having.get(triple.end, ()))
        steps.setdefault(triple.type, set()).update(pairs)
    return Tables(
        sets,
        frozenset(having) | frozenset().union(*sets),
        frozenset(steps),
        {k: frozenset(v) for k, v in steps.items()},
    )


@dataclass(frozen=True, slots=True)
class _Holder:
    """Hands a schema to the cached function by its fingerprint alone."""

    schema: StoreSchema = field(compare=False, hash=False)


def tables(schema: StoreSchema) -> Tables:
    """The schema as sets of numbers, kept by its fingerprint."""
    return _tables(schema.fingerprint, _Holder(schema))


@dataclass(slots=True)
class Domains:
    """What each symbol can be; a symbol without an entry can be anything of its kind."""

    tables: Tables
    parameters: Mapping[str, Parameter]
    nodes: dict[Symbol, frozenset[int]] = field(default_factory=dict)
    types: dict[Symbol, frozenset[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def of_node(self, symbol: Symbol) -> frozenset[int]:
        """Label sets of a node."""
        if symbol not in self.nodes:
            kept = [i for i, s in enumerate(self.tables.sets) if all(self.fits(x, s) for x in symbol.labels)]
            self.nodes[symbol] = frozenset(kept)
            if symbol.outer is not None and symbol.outer.kind is Kind.NODE:
                self.nodes[symbol] &= self.of_node(symbol.outer)
        return self.nodes[symbol]

    def of_relationship(self, symbol: Symbol) -> frozenset[str]:
        """Types of a relationship."""
        if symbol not in self.types:
            kept = [t for t in self.tables.types if all(self.fits(x, frozenset({t})) for x in symbol.labels)]
            self.types[symbol] = frozenset(kept)
            if symbol.outer is not None and symbol.outer.kind is Kind.RELATIONSHIP:
                self.types[symbol] &= self.of_relationship(symbol.outer)
        return self.types[symbol]

    def fits(self, expression: n.LabelExpression, labels: frozenset[str]) -> bool:
        """Whether a set of labels satisfies an expression; unknown names are reported elsewhere."""
        if isinstance(expression, n.LabelName):
            known = self.tables.labels | self.tables.types
            return expression.name in labels or expression.name not in known
        if isinstance(expression, n.LabelNot):
            return not self.fits(expression.operand, labels)
        if isinstance(expression, n.LabelAnd):
            return all(self.fits(o, labels) for o in expression.operands)
        if isinstance(expression, n.LabelOr):
            return any(self.fits(o, labels) for o in expression.operands)
        if isinstance(expression, n.DynamicLabel):
            names = dynamic_names(expression, self.parameters) or ()
            wanted = any if expression.kind == "any" else all
            return wanted(name in labels for name in names)
        return True


def dynamic_names(expression: n.DynamicLabel, parameters: Mapping[str, Parameter]) -> tuple[str, ...] | None:
    """Names that a dynamic label stands for, or ``None`` where they are not known before the query runs."""
    value: object = None
    if isinstance(expression.expression, n.Parameter):
        value = parameters.get(expression.expression.name)
    elif isinstance(expression.expression, n.Literal):
        value = expression.expression.value
    names = value if isinstance(value, tuple) else (value,)
    return tuple(names) if all(isinstance(x, str) for x in names) else None


def check_domains(analysis: Analysis, schema: StoreSchema, parameters: Mapping[str, Parameter]) -> Domains:
    """Domains of all symbols, with findings ``SCH1``, ``SCH2`` and ``SCH4``."""
    domains = Domains(tables(schema), parameters)
    for expression, symbol in analysis.labels:
        _check_names(expression, symbol, domains)
    for edge in analysis.edges:
        _check_types_fit(edge, domains)
    for symbol in dict.fromkeys(analysis.nodes.values()):
        if not domains.of_node(symbol) and symbol.labels:
            text = " and ".join(write(x) for x in symbol.labels)
            message = f"no node of this graph is {text}"
            domains.findings.append(finding("SCH1", message, symbol.labels[-1].span))
            domains.nodes[symbol] = frozenset(range(len(domains.tables.sets)))
    _propagate(analysis.edges, domains)
    return domains


def _check_names(expression: n.LabelExpression, symbol: Symbol | None, domains: Domains) -> None:
    from cypher.syntax.walk import walk

    is_type = symbol is not None and symbol.kind is Kind.RELATIONSHIP
    known = domains.tables.types if is_type else domains.tables.labels
    if symbol is None or symbol.kind is Kind.UNKNOWN:
        known = domains.tables.labels | domains.tables.types
    code, what = ("SCH2", "relationship type") if is_type else ("SCH1", "label")
    for node in walk(expression):
        names: tuple[str, ...] = ()
        if isinstance(node, n.LabelName):
            names = (node.name,)
        elif isinstance(node, n.DynamicLabel):
            found = dynamic_names(node, domains.parameters)
            if found is None:
                message = f"a {what} given by an expression needs a parameter with a known value"
                domains.findings.append(finding("SEC1", message, node.span, "(n:$($label))"))
            names = found or ()
        for name in names:
            if name not in known:
                near = nearest(name, sorted(known))
                message = f"there is no {what} {name} in this graph{_did_you_mean(near, known)}"
                domains.findings.append(finding(code, message, node.span, *near))


def _did_you_mean(near: list[str], known: Iterable[str]) -> str:
    if near:
        return f"; did you mean {' or '.join(near)}?"
    return f"; it has {few(known)}"


def _check_types_fit(edge: Edge, domains: Domains) -> None:
    symbol = edge.relationship
    if symbol.labels and not domains.of_relationship(symbol):
        text = " and ".join(write(x) for x in symbol.labels)
        domains.findings.append(
            finding("SCH2", f"no relationship of this graph is {text}", symbol.labels[-1].span)
        )
        domains.types[symbol] = domains.tables.types


def _propagate(edges: list[Edge], domains: Domains) -> None:
    broken: set[int] = set()
    changed = True
    while changed:
        changed = False
        for at, edge in enumerate(edges):
            if at in broken:
                continue
            starts, types, ends = _support(edge, domains)
            if not starts or not ends or not types:
                broken.add(at)
                domains.findings.append(_impossible(edge, domains))
                continue
            before = domains.of_node(edge.start), domains.of_node(edge.end)
            if (starts, ends) != before or types != domains.of_relationship(edge.relationship):
                domains.nodes[edge.start] = starts & before[0]
                domains.nodes[edge.end] = ends & domains.of_node(edge.end)
                domains.types[edge.relationship] = types
                changed = True
        changed = _passed_inwards(domains) or changed


def _passed_inwards(domains: Domains) -> bool:
    """What is known outside holds inside (never the reverse); an empty meeting is left to the edges."""
    changed = False
    for symbol in [s for s in domains.nodes if s.outer in domains.nodes]:
        both = domains.nodes[symbol] & domains.nodes[symbol.outer]  # type: ignore[index]
        if both and both != domains.nodes[symbol]:
            domains.nodes[symbol], changed = both, True
    for symbol in [s for s in domains.types if s.outer in domains.types]:
        types = domains.types[symbol] & domains.types[symbol.outer]  # type: ignore[index]
        if types and types != domains.types[symbol]:
            domains.types[symbol], changed = types, True
    return changed


def _support(edge: Edge, domains: Domains) -> tuple[frozenset[int], frozenset[str], frozenset[int]]:
    """The values of each end and of the relationship that some triple of the schema supports."""
    a, b = domains.of_node(edge.start), domains.of_node(edge.end)
    types = domains.of_relationship(edge.relationship)
    if edge.lower == 0:
        return a, types, b
    steps = [(t, s, e) for t in types for s, e in domains.tables.steps.get(t, ())]
    if not edge.pattern.direction:
        steps += [(t, e, s) for t, s, e in steps]
    if edge.repeated:
        starts = frozenset(s for _, s, _ in steps) & a
        ends = frozenset(e for _, _, e in steps) & b
        return starts, types, ends
    fitting = [(t, s, e) for t, s, e in steps if s in a and e in b]
    if edge.start is edge.end:
        fitting = [x for x in fitting if x[1] == x[2]]
    return (
        frozenset(s for _, s, _ in fitting),
        frozenset(t for t, _, _ in fitting),
        frozenset(e for _, _, e in fitting),
    )


def _impossible(edge: Edge, domains: Domains) -> Finding:
    start, end = (_names(s, domains) for s in (edge.start, edge.end))
    types = sorted(domains.of_relationship(edge.relationship))
    text = "|".join(types[:4])
    allowed = sorted(
        {
            f"(:{_main(domains.tables.sets[s])})-[:{t}]->(:{_main(domains.tables.sets[e])})"
            for t in types
            for s, e in domains.tables.steps.get(t, ())
        }
    )
    message = f"no {text} leads from {start} to {end} in this graph"
    if allowed:
        message += f"; there is {', '.join(allowed[:3])}"
    return finding("SCH4", message, edge.pattern.span, *allowed[:3])


def _names(symbol: Symbol, domains: Domains) -> str:
    sets = sorted(_main(domains.tables.sets[i]) for i in domains.of_node(symbol))
    return " or ".join(dict.fromkeys(sets)) if len(sets) <= 3 else "any node"


def _main(labels: frozenset[str]) -> str:
    """The label that says most: the last one that is not shared by all."""
    return min(labels, key=lambda x: (x == "Entity", x))
