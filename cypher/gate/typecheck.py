"""Type check: an operation or function that the server has not for what it is given is a finding ``SEM2``.

Only what is surely wrong is said: a property or a parameter without a value can be anything. The rules are
those of the server's own planner, found by asking a Neo4j 5.26 for each operator and pair of types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from cypher.gate.allowed import AGGREGATES, MACRO
from cypher.gate.report import finding
from cypher.gate.signatures import Signature, signatures
from cypher.gate.symbols import Kind, Symbol
from cypher.gate.types import (
    LIST,
    SCALARS,
    STORED,
    Types,
    base,
    combined,
    fits,
    in_words,
    is_value,
    item_of,
    list_of,
    listed,
    of_value,
    one,
    union,
)
from cypher.syntax import nodes as n
from cypher.syntax.write import write
from schemas.findings import Finding
from schemas.questions import Parameter

_BOOLEAN: Final = one("BOOLEAN")
_KINDS: Final = {
    Kind.NODE: one("NODE"),
    Kind.RELATIONSHIP: one("RELATIONSHIP"),
    Kind.PATH: one("PATH"),
}
_HELD: Final = one("NODE", "RELATIONSHIP")
"""What holds the properties of the graph."""
_HOLDERS: Final = one("INSTANT", "DURATION", "POINT", "NODE", "RELATIONSHIP", "MAP")
"""What has properties."""
_INSTANTS: Final = ("date", "datetime", "localdatetime", "time", "localtime")
COMPOSED: Final = frozenset({*_INSTANTS, *(f"{x}.truncate" for x in _INSTANTS), "duration", "point"})
"""Functions that make a value of the components in a map; a node has its properties taken for them."""
_KEYED: Final = _HOLDERS - {"POINT"}
_HELP: Final = {
    "PATH": ("length(p)", "nodes(p)", "relationships(p)"),
    "LIST": ("NOT isEmpty(list)", "size(list)", "list[0]"),
}


class TypeCheck:
    """Types of the expressions of one query, each noted after its parts."""

    __slots__ = ("findings", "parameters", "types")

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.parameters = parameters
        self.types: dict[int, Types] = {}
        self.findings: list[Finding] = []

    def of(self, node: n.Node | None) -> Types:
        """What an expression can be."""
        return self.types.get(id(node)) if node is not None else None

    def note(self, node: n.Node, symbol: Symbol | None) -> None:
        """Works out the type of an expression whose parts are noted."""
        rule = _RULES.get(type(node))
        self.types[id(node)] = of_symbol(symbol) if rule is None else rule(self, node, symbol)

    def need(self, node: n.Expression | None, wanted: Types, what: str) -> None:
        """A finding unless ``node`` can be what is wanted."""
        if node is None or fits(self.of(node), wanted):
            return
        found = self.of(node) or frozenset()
        message = f"{what} takes {in_words(wanted or ())}; {write(node)} is {in_words(found)}"
        tried: tuple[str, ...] = ()
        if len(found) == 1:
            tried = next((_HELP[base(t)] for t in found if base(t) in _HELP), ())
        if what == "length()":
            tried = (f"size({write(node)})",)
        self.findings.append(finding("SEM2", message, node.span, *tried))

    # --- rules ----------------------------------------------------------------------------------

    def _literal(self, node: n.Literal, _: Symbol | None) -> Types:
        return of_value(node.value)

    def _parameter(self, node: n.Parameter, _: Symbol | None) -> Types:
        return of_value(self.parameters.get(node.name))

    def _list(self, node: n.ListLiteral, _: Symbol | None) -> Types:
        return listed([self.of(i) for i in node.items])

    def _map(self, _: n.Node, __: Symbol | None) -> Types:
        return one("MAP")

    def _property(self, node: n.Property, _: Symbol | None) -> Types:
        self.need(node.target, _HOLDERS, f".{node.name}")
        target = self.of(node.target)
        return STORED if target is not None and target <= _HELD else None

    def _index(self, node: n.Index, _: Symbol | None) -> Types:
        index, target = self.of(node.index), self.of(node.target)
        if index is not None and not index & {"INTEGER", "STRING"}:
            self.need(node.index, one("INTEGER", "STRING"), "a place in a list")
            return None
        if isinstance(node.target, n.Property) and fits(self.of(node.target.target), _HELD):
            holder = self.of(node.target.target)
            if holder is None or not holder <= _HELD:
                return None
            self.need(node.index, one("INTEGER"), f"a place in {write(node.target)}")
            return SCALARS
        by_number, by_name = fits(index, one("INTEGER")), fits(index, one("STRING"))
        wanted = (one(LIST) if by_number else frozenset()) | (_KEYED if by_name else frozenset())
        self.need(node.target, wanted, f"[{write(node.index)}]")
        if target is not None and target <= _HELD:
            return STORED
        return item_of(target) if target is not None and all(base(t) == LIST for t in target) else None

    def _slice(self, node: n.Slice, _: Symbol | None) -> Types:
        self.need(node.target, one(LIST), "[from..to]")
        for bound in (node.start, node.end):
            self.need(bound, one("INTEGER"), "the end of a slice")
        return self.of(node.target) or one(LIST)

    def _logic(self, node: n.Logic, _: Symbol | None) -> Types:
        for operand in node.operands:
            self.need(operand, _BOOLEAN, node.operator)
        return _BOOLEAN

    def _negation(self, node: n.Negation, _: Symbol | None) -> Types:
        self.need(node.operand, _BOOLEAN, "NOT")
        return _BOOLEAN

    def _sign(self, node: n.Sign, _: Symbol | None) -> Types:
        numbers = one("INTEGER", "FLOAT")
        self.need(node.operand, numbers, f"the sign {node.operator}")
        return (self.of(node.operand) or numbers) & numbers or None

    def _arithmetic(self, node: n.Arithmetic, _: Symbol | None) -> Types:
        made = self.of(node.first)
        for operation in node.rest:
            right = self.of(operation.operand)
            result = combined(operation.operator, made, right)
            if not result:
                left, other = in_words(made or ()), in_words(right or ())
                message = f"there is no {left} {operation.operator} {other}"
                tried = ("toString(x)",) if "STRING" in {*(made or ()), *(right or ())} else ()
                self.findings.append(finding("SEM2", message, operation.operand.span, *tried))
                return None
            made = result
        return made

    def _test(self, node: n.Test, _: Symbol | None) -> Types:
        if node.operator == "IN":
            self.need(node.right, one(LIST), "IN")
        elif node.operator == "=~":
            self.need(node.left, one("STRING"), "=~")
            self.need(node.right, one("STRING"), "=~")
        return _BOOLEAN

    def _typed(self, node: n.IsTyped, _: Symbol | None) -> Types:
        parts = _union_parts(node.type)
        if len({p.endswith("NOT NULL") for p in parts}) > 1:
            message = "either all types of a union or none of them are NOT NULL"
            self.findings.append(finding("SEM2", message, node.span))
        return _BOOLEAN

    def _labels(self, node: n.HasLabels, _: Symbol | None) -> Types:
        self.need(node.operand, one("NODE", "RELATIONSHIP"), "a label")
        return _BOOLEAN

    def _condition(self, _: n.Node, __: Symbol | None) -> Types:
        return _BOOLEAN

    def _pattern(self, node: n.PatternExpression, _: Symbol | None) -> Types:
        if node.path.function == "shortestPath":
            return one("PATH")
        return one("LIST<PATH>") if node.path.function else _BOOLEAN

    def _count(self, _: n.CountStar, __: Symbol | None) -> Types:
        return one("INTEGER")

    def _trim(self, node: n.Trim, _: Symbol | None) -> Types:
        self.need(node.characters, one("STRING"), "trim")
        self.need(node.source, one("STRING"), "trim")
        return one("STRING")

    def _normalize(self, node: n.Normalize, _: Symbol | None) -> Types:
        self.need(node.source, one("STRING"), "normalize")
        return one("STRING")

    def _case(self, node: n.Case, _: Symbol | None) -> Types:
        if node.subject is None:
            for test in (t for w in node.whens for t in w.tests):
                self.need(test, _BOOLEAN, "WHEN")
        made = [self.of(w.result) for w in node.whens]
        return union([*made, self.of(node.default)]) if node.default is not None else union(made)

    def _comprehension(self, node: n.ListComprehension, _: Symbol | None) -> Types:
        self.need(node.source, one(LIST), "a comprehension")
        self.need(node.where, _BOOLEAN, "WHERE")
        return list_of(self.of(node.projection)) if node.projection is not None else self.of(node.source)

    def _all_of(self, node: n.ListPredicate, _: Symbol | None) -> Types:
        self.need(node.source, one(LIST), f"{node.kind}()")
        if node.where is None:
            message = f"{node.kind}() needs a condition"
            suggested = f"{node.kind}(x IN list WHERE x > 1)"
            self.findings.append(finding("SEM2", message, node.span, suggested))
        self.need(node.where, _BOOLEAN, "WHERE")
        return _BOOLEAN

    def _reduce(self, node: n.Reduce, _: Symbol | None) -> Types:
        self.need(node.source, one(LIST), "reduce")
        kept = accumulated(self.of(node.initial))
        if not fits(self.of(node.step), kept):
            self.need(node.step, kept, f"reduce from {write(node.initial)}")
        elif not is_value(self.of(node.step)):
            return None
        return _mixed(self.of(node.initial), self.of(node.step)) or kept

    def _collected(self, node: n.PatternComprehension, _: Symbol | None) -> Types:
        self.need(node.where, _BOOLEAN, "WHERE")
        return list_of(self.of(node.projection))

    def _subquery(self, node: n.Subquery, symbol: Symbol | None) -> Types:
        if node.kind == "COLLECT":
            return of_symbol(symbol) or one(LIST)
        return _BOOLEAN if node.kind == "EXISTS" else one("INTEGER")

    def _call(self, node: n.FunctionCall, symbol: Symbol | None) -> Types:
        name = node.name.lower()
        if node.distinct and name not in AGGREGATES:
            message = f"DISTINCT belongs into functions that collect rows, not into {node.name}"
            self.findings.append(finding("SEM2", message, node.span, f"{node.name}(x)"))
        signature = signatures().get(name)
        if signature is None:
            return one("FLOAT") if name == MACRO else None
        if not self._right_count(node, signature):
            return None
        given = node.arguments
        wanted = signature.wanted if not signature.repeats else signature.wanted * len(given)
        for argument, types in zip(given, wanted, strict=False):
            self.need(argument, types, f"{node.name}()")
        if name in COMPOSED:
            self._composed(node)
        if signature.gives == one(LIST) and symbol is not None and symbol.kind is Kind.LIST:
            return of_symbol(symbol)
        return self._given(name, given) if signature.gives is None else signature.gives or of_symbol(symbol)

    def _composed(self, node: n.FunctionCall) -> None:
        for argument in node.arguments:
            if (self.of(argument) or frozenset()) & _HELD:
                message = f"{node.name}() takes no node or relationship, which {write(argument)} can be"
                suggested = "{x: n.x, y: n.y}" if node.name.lower() == "point" else "n.day"
                self.findings.append(finding("SEM2", message, argument.span, f"{node.name}({suggested})"))
        entries = node.arguments[0] if node.arguments else None
        if node.name.lower() != "point" or not isinstance(entries, n.MapLiteral):
            return
        keys = {e.key.lower() for e in entries.entries}
        if not ({"x", "y"} <= keys or {"latitude", "longitude"} <= keys):
            message = "point() takes a map with x and y, or with latitude and longitude"
            self.findings.append(finding("SEM2", message, node.span, "point({x: 1.0, y: 2.0})"))

    def _given(self, name: str, given: tuple[n.Expression, ...]) -> Types:
        """What a function gives whose type is that of its arguments."""
        if name in {"head", "last"}:
            return item_of(self.of(given[0]))
        if name in {"reverse", "max", "min"}:
            return self.of(given[0])
        return union(self.of(a) for a in given) if name == "coalesce" else None

    def _right_count(self, node: n.FunctionCall, signature: Signature) -> bool:
        most = None if signature.repeats else len(signature.wanted)
        count = len(node.arguments)
        if count >= signature.least and (most is None or count <= most):
            return True
        wanted = str(signature.least) if most == signature.least else f"{signature.least} to {most or 'more'}"
        message = f"{node.name}() takes {wanted} values; it is given {count}"
        self.findings.append(finding("SEM2", message, node.span))
        return False


def of_symbol(symbol: Symbol | None) -> Types:
    """What a variable can be."""
    if symbol is None:
        return None
    if symbol.kind is Kind.LIST:
        return list_of(of_symbol(symbol.item)) if symbol.item is not None else symbol.types or one(LIST)
    return _KINDS.get(symbol.kind, symbol.types)


def accumulated(initial: Types) -> Types:
    """What the accumulator of a reduce can be: as it begins, and any number where it begins as one."""
    numbers = one("INTEGER", "FLOAT")
    if initial is None or not initial <= numbers:
        return None if initial is None else frozenset(base(t) for t in initial)
    return numbers


def _mixed(initial: Types, step: Types) -> Types:
    """A reduce that begins as a whole number and goes on as another is neither for the server."""
    numbers = (one("INTEGER"), one("FLOAT"))
    return one("NUMBER") if initial in numbers and step in numbers and initial != step else None


def _union_parts(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "<") - (sign == ">")
        if sign == "|" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


_Rule: TypeAlias = Callable[[TypeCheck, Any, Symbol | None], Types]
_RULES: Final[dict[type[n.Node], _Rule]] = {
    n.Literal: TypeCheck._literal,
    n.Parameter: TypeCheck._parameter,
    n.ListLiteral: TypeCheck._list,
    n.MapLiteral: TypeCheck._map,
    n.MapProjection: TypeCheck._map,
    n.Property: TypeCheck._property,
    n.Index: TypeCheck._index,
    n.Slice: TypeCheck._slice,
    n.Logic: TypeCheck._logic,
    n.Negation: TypeCheck._negation,
    n.Sign: TypeCheck._sign,
    n.Comparison: TypeCheck._condition,
    n.Arithmetic: TypeCheck._arithmetic,
    n.Test: TypeCheck._test,
    n.IsNull: TypeCheck._condition,
    n.IsTyped: TypeCheck._typed,
    n.IsNormalized: TypeCheck._condition,
    n.HasLabels: TypeCheck._labels,
    n.FunctionCall: TypeCheck._call,
    n.CountStar: TypeCheck._count,
    n.Trim: TypeCheck._trim,
    n.Normalize: TypeCheck._normalize,
    n.Case: TypeCheck._case,
    n.ListComprehension: TypeCheck._comprehension,
    n.ListPredicate: TypeCheck._all_of,
    n.Reduce: TypeCheck._reduce,
    n.PatternComprehension: TypeCheck._collected,
    n.PatternExpression: TypeCheck._pattern,
    n.Subquery: TypeCheck._subquery,
}
