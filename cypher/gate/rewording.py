"""Older or looser wordings that mean one thing only, written as Neo4j 5 has them; each is reported.

``size((a)-->(b))`` counts a pattern, ``exists(n.x)`` asks for a property, a pattern as a value asks whether
it is there, and ``*1..3`` beside a quantified pattern is a quantified relationship.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.gate.symbols import Place, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild, walk
from cypher.syntax.write import write
from schemas.findings import Repair

_COUNTING: Final = frozenset({"size", "length", "count"})


def reworded(query: n.Query) -> tuple[n.Query, list[Repair]]:
    """The query in the words of Neo4j 5, with what was changed."""
    conditions, called = _conditions(query), _called_patterns(query)
    repairs: list[Repair] = []

    def change(node: n.Node) -> n.Node:
        after, message = _changed(node, conditions, called)
        if after is not node:
            repairs.append(Repair(code="SEM2", message=message, before=write(node), after=write(after)))
        return after

    return rebuild(query, change), repairs


def _changed(node: n.Node, conditions: set[Place], called: set[Place]) -> tuple[n.Node, str]:
    if isinstance(node, n.FunctionCall) and len(node.arguments) == 1:
        return _called(node, node.arguments[0])
    if isinstance(node, n.PatternExpression) and not node.path.function and place(node) not in called:
        if _is_plain(node) and place(node) in conditions:
            return node, ""
        return _subquery("EXISTS", node), "a pattern as a value is written EXISTS { }"
    if isinstance(node, n.Match):
        plain = replace(node, mode="") if node.mode.startswith("DIFFERENT") else node
        after, message = _one_kind_of_length(plain)
        return after, message or "DIFFERENT RELATIONSHIPS is what MATCH asks for by itself"
    return node, ""


def _is_plain(pattern: n.PatternExpression) -> bool:
    """Whether a pattern may stand as a condition as it is."""
    steps = [e for e in pattern.path.elements if isinstance(e, n.RelationshipPattern)]
    return all(e.quantifier is None and e.where is None for e in steps)


def _is_older(node: n.Node) -> bool:
    return isinstance(node, n.PatternComprehension) and _has_length(node.path)


def _collected(node: n.Node) -> n.Node:
    if not isinstance(node, n.PatternComprehension) or not _is_older(node):
        return node
    last = n.Return(n.Projection((n.Item(node.projection, "value"),)))
    return n.Subquery("COLLECT", n.Query((n.SingleQuery((n.Match((node.path,), node.where), last)),)))


def _called(node: n.FunctionCall, argument: n.Expression) -> tuple[n.Node, str]:
    name = node.name.lower()
    if isinstance(argument, n.PatternExpression) and not argument.path.function:
        if name in _COUNTING:
            return _subquery("COUNT", argument), "a pattern is counted by COUNT { }"
        if name != "exists":
            return node, ""
        return _subquery("EXISTS", argument), "exists() of a pattern is written EXISTS { }"
    if name == "exists" and isinstance(argument, n.Property | n.Index):
        return n.IsNull(argument, negated=True, span=node.span), "exists(n.x) is written n.x IS NOT NULL"
    return node, ""


def _called_patterns(query: n.Query) -> set[Place]:
    """Patterns that stand in a function which asks for them or counts them."""
    calls = (x for x in walk(query) if isinstance(x, n.FunctionCall) and len(x.arguments) == 1)
    return {place(c.arguments[0]) for c in calls if c.name.lower() in {*_COUNTING, "exists"}}


def _subquery(kind: str, pattern: n.PatternExpression) -> n.Subquery:
    match = n.Match((pattern.path,))
    return n.Subquery(kind, n.Query((n.SingleQuery((match,)),)), span=pattern.span)


def _conditions(query: n.Query) -> set[Place]:
    """Where a pattern may stand as a condition."""
    found: set[Place] = set()
    quantified = {id(x) for m in walk(query) if _has_quantifier(m) for x in walk(m)}
    for node in walk(query):
        parts: tuple[n.Node | None, ...] = ()
        if isinstance(node, n.Logic):
            parts = node.operands
        elif isinstance(node, n.Negation):
            parts = (node.operand,)
        elif isinstance(node, n.Case) and node.subject is None:
            parts = tuple(t for w in node.whens for t in w.tests)
        else:
            parts = (getattr(node, "where", None),)
        for part in parts:
            if isinstance(part, n.PatternExpression) and not (id(part) in quantified and _has_length(part)):
                found.add(place(part))
    return found


def _has_quantifier(node: n.Node) -> bool:
    """Whether it is a MATCH with a quantified pattern: it takes no ``*1..3``, not even in its WHERE."""
    steps = (x for p in node.paths for x in walk(p)) if isinstance(node, n.Match) else iter(())
    return any(
        isinstance(x, n.RelationshipPattern | n.GroupPattern) and x.quantifier is not None for x in steps
    )


def _has_length(node: n.Node) -> bool:
    return any(isinstance(x, n.RelationshipPattern) and x.length is not None for x in walk(node))


def _one_kind_of_length(match: n.Match) -> tuple[n.Match, str]:
    """``*1..3`` and ``{1,3}`` may not stand in one MATCH, but mean the same."""
    if not _has_quantifier(match) or any(p.function for p in match.paths):
        return match, ""
    if match.where is not None and any(_is_older(x) for x in walk(match.where)):
        return replace(
            match, where=rebuild(match.where, _collected)
        ), "a comprehension is written COLLECT { }"
    if not any(_has_length(p) for p in match.paths):
        return match, ""

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.RelationshipPattern) and node.length is not None:
            return replace(node, length=None, quantifier=node.length)
        return node

    paths = tuple(rebuild(p, change) for p in match.paths)
    return replace(match, paths=paths), "a path of several steps is written with { } as its neighbours are"
