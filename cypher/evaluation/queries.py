"""What two queries have in common, found in their syntax trees: names and structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from cypher.syntax import nodes as n
from cypher.syntax.parse import parse
from cypher.syntax.walk import walk

_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max", "collect"})
_BOOKKEEPING = frozenset({"status", "id", "document", "origin"})
"""Properties that the scope of a question and its citations add to a query."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the graph that a query uses."""

    labels: Counter[str]
    """With how many patterns name them."""
    types: Counter[str]
    properties: frozenset[str]


@dataclass(frozen=True, slots=True)
class Structure:
    """A query without its variables, values and order of clauses."""

    labels: frozenset[str]
    types: Counter[str]
    properties: frozenset[str]
    aggregates: frozenset[str]
    ordered: bool
    negated: bool
    united: bool


def names_in(text: str) -> Names:
    """Labels, relation types and properties that stand in a query; ``QueryRefusedError`` for no read query.

    >>> names_in("MATCH (p:`Paper` {year: 2012}) // all\\nRETURN p.title").properties == {"year", "title"}
    True
    """
    return _names(parse(text)) if text.strip() else Names(Counter(), Counter(), frozenset())


def _names(query: n.Query) -> Names:
    labels: Counter[str] = Counter()
    types: Counter[str] = Counter()
    properties: set[str] = set()
    for node in walk(query):
        match node:
            case n.NodePattern(labels=found, properties=given):
                labels.update(_label_names(found))
                properties.update(_keys(given))
            case n.RelationshipPattern(types=found, properties=given):
                types.update(_label_names(found))
                properties.update(_keys(given))
            case n.HasLabels(labels=found):
                labels.update(_label_names(found))
            case n.Property(name=name) | n.PropertySelector(name=name):
                properties.add(name)
    return Names(labels, types, frozenset(properties))


def _label_names(expression: n.LabelExpression | None) -> Iterator[str]:
    if expression is not None:
        yield from (x.name for x in walk(expression) if isinstance(x, n.LabelName))


def _keys(given: n.Node | None) -> Iterator[str]:
    if isinstance(given, n.MapLiteral):
        yield from (e.key for e in given.entries)


def structure(text: str) -> Structure:
    """What stays of a query when variables are renamed and values changed.

    >>> structure("MATCH (a:X)-[:R]->(b:Y {n: 1}) RETURN a") == structure("MATCH (q:Y) WHERE q.n = $v "
    ...     "MATCH (p:X)-[:R]->(q) RETURN p")
    True
    """
    query = parse(text)
    names, nodes = _names(query), tuple(walk(query))
    called = {x.name.lower() for x in nodes if isinstance(x, n.FunctionCall)}
    called |= {"count" for x in nodes if isinstance(x, n.CountStar)}
    return Structure(
        labels=frozenset(names.labels),
        types=names.types,
        properties=names.properties - _BOOKKEEPING,
        aggregates=frozenset(called & _AGGREGATES),
        ordered=any(isinstance(x, n.Projection) and x.order for x in nodes),
        negated=any(isinstance(x, n.Negation) for x in nodes),
        united=len(query.branches) > 1 or any(getattr(x, "optional", False) for x in nodes),
    )


def compared_times(text: str, temporal: Collection[str]) -> frozenset[tuple[str, str]]:
    """Properties of ``temporal`` names that conditions compare, each with the operator.

    >>> text = "MATCH (a:X {year: 1}) WHERE a.day > $d RETURN a.month"
    >>> sorted(compared_times(text, {"year", "day", "month"}))
    [('day', '>'), ('year', '=')]
    """
    found: set[tuple[str, str]] = set()
    for node in walk(parse(text)):
        match node:
            case n.Comparison(first=first, rest=rest):
                sides = [first, *(o.operand for o in rest)]
                found.update((p, o.operator) for o in rest for p in _properties(sides) if p in temporal)
            case n.Test(operator=operator, left=left):
                found.update((p, operator) for p in _properties([left]) if p in temporal)
            case n.NodePattern(properties=given) | n.RelationshipPattern(properties=given):
                found.update((p, "=") for p in _keys(given) if p in temporal)
    return frozenset(found)


def _properties(expressions: Iterable[n.Node]) -> Iterator[str]:
    return (x.name for e in expressions for x in walk(e) if isinstance(x, n.Property))


def jaccard(found: Collection[str], right: Collection[str]) -> float:
    """Size of the intersection by size of the union; 1 where both are empty.

    >>> jaccard({"a", "b"}, {"b", "c"})
    0.3333333333333333
    """
    one, other = set(found), set(right)
    return len(one & other) / len(one | other) if one | other else 1.0
