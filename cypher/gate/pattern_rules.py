"""What the server does not take in a pattern, though each part of it is well formed: findings ``SEM2``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.gate.report import finding
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.findings import Finding

_SEARCH: Final = "MATCH p = ANY SHORTEST (a:A)-[:TYPE]->+(b:B)"
_SHORTEST: Final = "MATCH p = shortestPath((a:A)-[:TYPE*..5]->(b:B))"


def check_patterns(query: n.Query) -> Iterator[Finding]:
    """Findings of all patterns of a query, in the order of the text."""
    searched = any(isinstance(x, n.Path) and x.selector is not None for x in walk(query))
    for node in walk(query):
        if isinstance(node, n.Match):
            yield from _match(node)
        elif isinstance(node, n.Path) and node.function:
            if searched:
                message = f"{node.function}() and SHORTEST may not stand in one query; use one of the two"
                yield finding("SEM2", message, node.span, _SEARCH)
            yield from _shortest(node)
        elif isinstance(node, n.PatternComprehension):
            yield from _comprehension(node)
        elif isinstance(node, n.GroupPattern):
            yield from _group(node)
        elif isinstance(node, n.RelationshipPattern):
            yield from _relationship(node)
        elif isinstance(node, n.NodePattern) and isinstance(node.properties, n.Parameter):
            yield _parameter_map(node, node.properties)
        elif isinstance(node, n.HasLabels):
            yield from _dynamic(node)


def _match(match: n.Match) -> Iterator[Finding]:
    if match.mode.startswith("REPEATABLE"):
        message = "REPEATABLE ELEMENTS needs Cypher 25; relationships of one MATCH are different ones here"
        yield finding("SEM2", message, match.span)
    chosen = [p for p in match.paths if p.selector is not None and p.selector.kind != "ALL"]
    if chosen and len(match.paths) > 1:
        message = "a path that is searched for stands in a MATCH of its own"
        yield finding("SEM2", message, chosen[0].span, _SEARCH + " MATCH (b)-->(c)")


def _shortest(path: n.Path) -> Iterator[Finding]:
    steps = [e for e in path.elements if isinstance(e, n.RelationshipPattern)]
    if len(steps) != 1 or len(path.elements) != 3 or steps[0].quantifier is not None:
        message = f"{path.function}() takes one relationship with its two nodes"
        yield finding("SEM2", message, path.span, _SHORTEST, _SEARCH)
        return
    (step,) = steps
    if step.length is not None and step.length.lower > 1:
        message = f"the paths of {path.function}() begin at 0 or 1 steps"
        yield finding("SEM2", message, step.span, f"*1..{step.length.upper or ''}")
    if not _plain_types(step.types):
        message = f"{path.function}() takes types joined by | only"
        yield finding("SEM2", message, step.span, "-[:A|B*]->")
    if step.properties is not None:
        message = f"{path.function}() takes no properties; ask for them in WHERE"
        yield finding("SEM2", message, step.span, "WHERE all(r IN relationships(p) WHERE r.x = 1)")
    first, last = path.elements[0], path.elements[-1]
    names = [e.variable for e in (first, last) if isinstance(e, n.NodePattern)]
    if len(names) == 2 and names[0] is not None and names[0] == names[1]:
        message = f"{path.function}() takes two different nodes"
        yield finding("SEM2", message, path.span, _SHORTEST)


def _plain_types(types: n.LabelExpression | None) -> bool:
    if types is None or isinstance(types, n.LabelName):
        return True
    return isinstance(types, n.LabelOr) and all(isinstance(o, n.LabelName) for o in types.operands)


def _comprehension(node: n.PatternComprehension) -> Iterator[Finding]:
    quantified = [e for e in node.path.elements if not isinstance(e, n.NodePattern) and e.quantifier]
    if quantified:
        message = "a comprehension takes no quantified pattern; COLLECT does"
        yield finding("SEM2", message, quantified[0].span, "COLLECT { MATCH (a)-->{1,3}(b) RETURN b.name }")


def _group(group: n.GroupPattern) -> Iterator[Finding]:
    steps = [x for x in walk(group.path) if isinstance(x, n.RelationshipPattern)]
    if group.path.variable is not None:
        message = "a part of a path has no name here; name the whole path"
        yield finding("SEM2", message, group.span, "MATCH p = (a)-->(b)")
    if group.quantifier is None:
        return
    if not steps:
        message = "what is repeated needs a relationship"
        yield finding("SEM2", message, group.span, "((a)-[:TYPE]->(b)){1,3}")
    inner = (x for e in group.path.elements for x in walk(e))
    if any(isinstance(x, n.GroupPattern | n.RelationshipPattern) and _repeats(x) for x in inner):
        message = "what is repeated may hold nothing that is repeated itself"
        yield finding("SEM2", message, group.span)
    yield from _upper(group.quantifier)


def _repeats(node: n.GroupPattern | n.RelationshipPattern) -> bool:
    length = node.length if isinstance(node, n.RelationshipPattern) else None
    return node.quantifier is not None or length is not None


def _upper(quantifier: n.Quantifier) -> Iterator[Finding]:
    if quantifier.upper == 0:
        message = "a pattern is repeated at most once or more, not 0 times"
        yield finding("SEM2", message, quantifier.span, "{0,1}")


def _relationship(step: n.RelationshipPattern) -> Iterator[Finding]:
    if isinstance(step.properties, n.Parameter):
        yield _parameter_map(step, step.properties)
    if step.length is not None and step.where is not None:
        message = "a path of several steps has no condition inside; ask for it in WHERE"
        yield finding(
            "SEM2", message, step.span, "WHERE all(x IN r WHERE x.year > 2000)", "-[r:T WHERE ..]->{1,3}"
        )
    if step.quantifier is not None:
        yield from _upper(step.quantifier)


def _parameter_map(node: n.Node, parameter: n.Parameter) -> Finding:
    message = f"a pattern takes its properties by name, not as ${parameter.name}"
    return finding("SEM2", message, node.span, f"{{id: ${parameter.name}}}")


def _dynamic(node: n.HasLabels) -> Iterator[Finding]:
    if any(isinstance(x, n.DynamicLabel) for x in walk(node.labels)):
        message = "a label given by a parameter stands in a pattern only"
        yield finding("SEM2", message, node.span, "MATCH (n:$($label))", "$label IN labels(n)")
