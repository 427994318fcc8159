"""Nodes that no query may reach: those of the labels that the schema hides.

They take part in no relationship of the schema, so only a pattern that one node fulfils can find them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cypher.gate.check import Checked
from cypher.gate.fresh import Fresh
from cypher.gate.symbols import place
from cypher.gate.vetting import joined
from cypher.syntax import nodes as n
from cypher.syntax.parse import parse
from cypher.syntax.walk import rebuild, walk
from cypher.syntax.write import write


@dataclass(slots=True)
class Hiding:
    """Keeps the hidden labels of a schema out of one query."""

    checked: Checked
    labels: tuple[str, ...]
    _fresh: Fresh = field(default_factory=lambda: Fresh("__h"))

    def applied(self, query: n.Query) -> n.Query:
        """The query, in which no pattern finds a node with a hidden label."""
        if not self.labels:
            return query
        self._fresh.look_at(query)
        return rebuild(query, self._change)

    def _change(self, node: n.Node) -> n.Node:
        if isinstance(node, n.Match):
            paths, conditions = self._hidden(node.paths)
            return replace(node, paths=paths, where=joined(node.where, conditions)) if conditions else node
        if isinstance(node, n.PatternComprehension):
            (path,), conditions = self._hidden((node.path,))
            return replace(node, path=path, where=joined(node.where, conditions)) if conditions else node
        return node

    def _hidden(self, paths: tuple[n.Path, ...]) -> tuple[tuple[n.Path, ...], list[n.Expression]]:
        made, conditions = [], list[n.Expression]()
        for path in paths:
            if not all(_may_be_nothing(e) for e in path.elements) or not self._reaches(path.elements[0]):
                made.append(path)
                continue
            first = path.elements[0]
            node = first if isinstance(first, n.NodePattern) else n.NodePattern()
            rest = path.elements[1:] if first is node else path.elements
            named = node if node.variable else replace(node, variable=self._fresh.name())
            condition = self._condition(named.variable or "")
            if path.selector is not None:
                named = replace(named, where=joined(named.where, [condition]))
            conditions.append(condition)
            made.append(replace(path, elements=(named, *rest)))
        return tuple(made), conditions

    def _reaches(self, element: n.Element) -> bool:
        """Whether the labels that a node pattern asks for allow a hidden one."""
        symbol = self.checked.analysis.nodes.get(place(element)) if element.span != n.NOWHERE else None
        if symbol is None:
            return True
        fits = self.checked.domains.fits
        return any(all(fits(x, frozenset({h})) for x in symbol.labels) for h in self.labels)

    def _condition(self, variable: str) -> n.Expression:
        names = tuple(n.LabelName(x) for x in self.labels)
        hidden = names[0] if len(names) == 1 else n.LabelOr(names)
        return n.HasLabels(n.Variable(variable), n.LabelNot(hidden))


def _may_be_nothing(element: n.Element) -> bool:
    """Whether a path may go without the element: nodes aside, a step that may be repeated 0 times."""
    if isinstance(element, n.NodePattern):
        return True
    repeated = (
        element.quantifier if isinstance(element, n.GroupPattern) else element.quantifier or element.length
    )
    return repeated is not None and repeated.lower == 0


def revealed(text: str, labels: tuple[str, ...]) -> str:
    """A printed query without the conditions that ``Hiding`` put in, so that it can pass the gate again.

    Raises ``QueryRefusedError`` for what is no read query.

    >>> revealed("MATCH (n) WHERE n:!(Redirect|Workspace) RETURN n", ("Redirect", "Workspace"))
    'MATCH (n) WHERE TRUE RETURN n'
    """
    hidden = frozenset(labels)

    def change(node: n.Node) -> n.Node:
        return n.Literal(True) if isinstance(node, n.HasLabels) and _hides(node.labels, hidden) else node

    return write(rebuild(parse(text), change)) if hidden else text


def _hides(expression: n.LabelExpression, labels: frozenset[str]) -> bool:
    if not isinstance(expression, n.LabelNot):
        return False
    return {x.name for x in walk(expression) if isinstance(x, n.LabelName)} == labels
