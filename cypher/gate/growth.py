"""How large a value of a query may become: what would fill the server's memory is refused before it runs.

The server counts the memory of rows, not that of one value, so a short text such as
``reduce(s = 'a', x IN range(1, 40) | s + s)`` ends its heap. Sizes are upper bounds, in characters or items,
from literals upwards; a value of the graph counts as ``NOMINAL``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cypher.gate.constants import number_of
from cypher.gate.report import finding
from cypher.syntax import nodes as n
from cypher.syntax.walk import children, walk
from schemas.findings import Finding
from schemas.questions import Parameter

MOST: Final = 5_000_000
"""Largest size of a value, and most steps of nested comprehensions (own choice: a few MB)."""
NOMINAL: Final = 200
_COUNTED: Final = frozenset(
    {"size", "length", "count", "tointeger", "tofloat", "toboolean", "abs", "sign", "round", "floor", "ceil"}
    | {"exists", "isempty", "sum", "avg", "char_length", "character_length", "sqrt", "log", "exp", "rand"}
)
"""Functions whose value is one number or truth."""


@dataclass(frozen=True, slots=True)
class Size:
    """Upper bound of a value: ``items`` characters or members, each at most ``each`` large."""

    items: float
    each: float = 1.0
    number: bool = False

    @property
    def all(self) -> float:
        """Characters in all."""
        return self.items * self.each


_NUMBER: Final = Size(1, number=True)
_UNKNOWN: Final = Size(NOMINAL)


class TooLargeError(Exception):
    """A part of the query would become larger than ``MOST``."""

    def __init__(self, node: n.Node) -> None:
        super().__init__()
        self.node = node


def check_growth(query: n.Query, parameters: Mapping[str, Parameter]) -> Iterator[Finding]:
    """At most one finding ``COST``: the first value that may become too large."""
    sizes = _Sizes(parameters)
    try:
        for node in walk(query):
            if isinstance(node, n.Item) and node.alias:
                sizes.name(node.alias, node.expression)
            elif isinstance(node, n.Unwind):
                sizes.names[node.variable] = Size(
                    sizes.of(node.expression).each, number=_ranges(node.expression)
                )
            elif isinstance(node, n.Expression):
                sizes.of(node)
    except TooLargeError as e:
        message = (
            "this value may become larger than the server's memory; use shorter ranges, and let no step "
            "repeat what the step before it made"
        )
        yield finding("COST", message, e.node.span, "range(1, 1000)")


class _Sizes:
    """Sizes of expressions, with those of the names that were given before."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.parameters = parameters
        self.names: dict[str, Size] = {}
        self._numbers: dict[str, float] = {}
        self._steps = 1.0

    def name(self, alias: str, expression: n.Expression) -> None:
        """What a WITH or RETURN calls a value."""
        self.names[alias] = self.of(expression)
        number = self._number(expression)
        if number is not None:
            self._numbers[alias] = max(number, self._numbers.get(alias, number), key=abs)

    def of(self, node: n.Node) -> Size:
        found = self._of(node)
        if found.all > MOST:
            raise TooLargeError(node)
        return found

    def _of(self, node: n.Node) -> Size:
        match node:
            case n.Literal(value=value):
                return Size(len(value)) if isinstance(value, str) else _NUMBER
            case n.Parameter(name=name):
                return _of_value(self.parameters.get(name))
            case n.Variable(name=name):
                return self.names.get(name, _UNKNOWN)
            case n.Arithmetic(first=first, rest=rest):
                return self._sum([self.of(first), *(self.of(r.operand) for r in rest)])
            case n.FunctionCall():
                return self._call(node)
            case n.ListLiteral(items=items):
                return Size(len(items), max((self.of(i).all for i in items), default=1.0))
            case n.ListComprehension(variable=variable, source=source, where=where, projection=made):
                return self._loop(node, variable, source, (where, made))
            case n.ListPredicate(variable=variable, source=source, where=where):
                self._loop(node, variable, source, (where,))
                return _NUMBER
            case n.Reduce():
                return self._reduce(node)
            case n.Comparison() | n.Logic() | n.Test() | n.IsNull() | n.Negation():
                for child in children(node):
                    self.of(child)
                return _NUMBER
            case n.Subquery():
                return _UNKNOWN
        sizes = [self.of(child) for child in children(node) if isinstance(child, n.Expression)]
        return max([*sizes, _UNKNOWN], key=lambda s: s.all) if not isinstance(node, n.Sign) else sizes[0]

    @staticmethod
    def _sum(sizes: list[Size]) -> Size:
        if all(s.number for s in sizes):
            return _NUMBER
        return Size(sum(s.items for s in sizes), max(s.each for s in sizes))

    def _call(self, node: n.FunctionCall) -> Size:
        name = node.name.lower()
        sizes = [self.of(a) for a in node.arguments]
        if name == "range":
            return Size(self._span(node), number=False)
        if name in _COUNTED:
            return _NUMBER
        if name == "replace" and len(sizes) == 3:
            return Size(sizes[0].all * max(1.0, sizes[2].all))
        if name == "collect":
            return Size(1_000, max((s.all for s in sizes), default=1.0) / 10)
        return Size(sum(s.items for s in sizes) or 1.0, max((s.each for s in sizes), default=1.0))

    def _span(self, node: n.FunctionCall) -> float:
        """Members of a range; an end that is no certain number lies ``NOMINAL`` from the other."""
        ends = [self._number(a) for a in node.arguments]
        known = [e for e in ends[:2] if e is not None]
        width = abs(known[1] - known[0]) if len(known) == 2 else max([NOMINAL, *map(abs, known)])
        step = abs(ends[2]) if len(ends) > 2 and ends[2] else 1.0
        return max(0.0, width / step + 1)

    def _number(self, node: n.Expression) -> float | None:
        return number_of(node, self.parameters, self._numbers)

    def _loop(
        self, node: n.Node, variable: str, source: n.Expression, parts: tuple[n.Expression | None, ...]
    ) -> Size:
        over = self.of(source)
        before, steps = self.names.get(variable), self._steps
        self.names[variable] = Size(over.each, number=_ranges(source))
        self._steps *= max(1.0, over.items)
        if self._steps > MOST:
            raise TooLargeError(node)
        made = [self.of(p) for p in parts if p is not None]
        self._steps = steps
        self._put_back(variable, before)
        return Size(over.items, made[-1].all if made else over.each)

    def _reduce(self, node: n.Reduce) -> Size:
        over, made = self.of(node.source), self.of(node.initial)
        kept = {name: self.names.get(name) for name in (node.variable, node.accumulator)}
        self.names[node.variable] = Size(over.each, number=_ranges(node.source))
        for _ in range(int(min(over.items, 10_000))):
            self.names[node.accumulator] = made
            grown = self.of(node.step)
            if grown == made:
                break
            made = grown
        else:
            if over.items > 10_000:
                made = Size(made.items * over.items / 10_000, made.each)
        for name, size in kept.items():
            self._put_back(name, size)
        return made

    def _put_back(self, name: str, size: Size | None) -> None:
        if size is None:
            self.names.pop(name, None)
        else:
            self.names[name] = size


def _ranges(source: n.Expression) -> bool:
    return isinstance(source, n.FunctionCall) and source.name.lower() == "range"


def _of_value(value: Parameter) -> Size:
    if isinstance(value, str):
        return Size(len(value))
    if isinstance(value, tuple):
        return Size(len(value), max((len(v) for v in value if isinstance(v, str)), default=1))
    return _NUMBER if isinstance(value, int | float | bool) else _UNKNOWN
