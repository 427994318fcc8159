"""From a syntax tree to canonical text: keywords in upper case, one space, brackets where needed.

Names stand in back-ticks unless they are plain words that no keyword uses, so nothing but keywords, signs,
names, literals and parameters of the tree can be in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from cypher.syntax import nodes as n
from cypher.syntax.names import function_name, name, parameter, text_literal
from cypher.syntax.walk import walk
from cypher.syntax.write_patterns import PATTERN_WRITERS

_LOGIC: Final = {"OR": 1, "XOR": 2, "AND": 3}
_ADDITIVE: Final = frozenset({"+", "-", "||"})
_ANY, _NOT, _COMPARED, _TESTED, _SUM, _PRODUCT, _POWER, _SIGNED, _POSTFIX, _ATOM = (
    0,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
)


def write(node: n.Node) -> str:
    """Canonical text of a query or any part of it; ``parse(write(query)) == query``.

    >>> from cypher.syntax.parse import parse
    >>> write(parse("match (p:Paper) where p.year>=2020 return p.title as title"))
    'MATCH (p:Paper) WHERE p.year >= 2020 RETURN p.title AS title'
    """
    return _WRITERS[type(node)](node, write)


def _level(node: n.Expression) -> int:
    """How tightly an expression binds; more is tighter."""
    if isinstance(node, n.Logic):
        return _LOGIC[node.operator]
    if isinstance(node, n.Arithmetic):
        operator = node.rest[0].operator
        return _SUM if operator in _ADDITIVE else _POWER if operator == "^" else _PRODUCT
    if isinstance(node, n.Literal):
        negative = isinstance(node.value, int | float) and not isinstance(node.value, bool) and node.value < 0
        return _SIGNED if negative else _ATOM
    return _LEVELS.get(type(node), _ATOM)


_LEVELS: Final[dict[type, int]] = {
    n.Negation: _NOT,
    n.Comparison: _COMPARED,
    n.PatternExpression: _COMPARED,
    n.Test: _TESTED,
    n.IsNull: _TESTED,
    n.IsTyped: _TESTED,
    n.IsNormalized: _TESTED,
    n.Sign: _SIGNED,
    n.HasLabels: _SIGNED,
    n.Property: _POSTFIX,
    n.Index: _POSTFIX,
    n.Slice: _POSTFIX,
}


def _in(node: n.Expression, level: int) -> str:
    """An expression where at least ``level`` is needed, in brackets if it binds less tightly."""
    text = write(node)
    return f"({text})" if _level(node) < level else text


def _bare(node: n.Expression) -> str:
    """An expression before a bar: labels and types that could go on over the bar are put in brackets."""
    text = write(node)
    return f"({text})" if any(isinstance(x, n.HasLabels | n.IsTyped) for x in walk(node)) else text


def _list(items: Iterable[n.Node]) -> str:
    return ", ".join(write(i) for i in items)


def _literal(node: n.Literal) -> str:
    value = node.value
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return text_literal(value) if isinstance(value, str) else repr(value)


def _chain(first: n.Expression, rest: tuple[n.Operation, ...], level: int) -> str:
    left = "" if isinstance(first, n.CaseSubject) else _in(first, level) + " "
    return left + " ".join(f"{o.operator} {_in(o.operand, level)}" for o in rest)


def _arithmetic(node: n.Arithmetic) -> str:
    return _chain(node.first, node.rest, _level(node) + 1)


def _logic(node: n.Logic) -> str:
    return f" {node.operator} ".join(_in(o, _LOGIC[node.operator] + 1) for o in node.operands)


def _left(node: n.Expression) -> str:
    return "" if isinstance(node, n.CaseSubject) else _in(node, _SUM) + " "


def _is(node: n.IsNull | n.IsTyped | n.IsNormalized, what: str) -> str:
    return f"{_left(node.operand)}IS {'NOT ' if node.negated else ''}{what}"


def _normalized(node: n.IsNormalized) -> str:
    return _is(node, f"{node.form} NORMALIZED" if node.form else "NORMALIZED")


def _target(node: n.Expression) -> str:
    number = isinstance(node, n.Literal) and isinstance(node.value, int | float)
    return f"({write(node)})" if number else _in(node, _POSTFIX)


def _slice(node: n.Slice) -> str:
    start = write(node.start) if node.start is not None else ""
    end = write(node.end) if node.end is not None else ""
    return f"{_target(node.target)}[{start}..{end}]"


def _call(node: n.FunctionCall) -> str:
    return f"{function_name(node.name)}({'DISTINCT ' if node.distinct else ''}{_list(node.arguments)})"


def _trim(node: n.Trim) -> str:
    words = [w for w in (node.side, write(node.characters) if node.characters is not None else "") if w]
    source = write(node.source)
    source = f"({source})" if source.startswith("[") else source  # FROM [ would be a place in a list
    return f"trim({' '.join([*words, 'FROM', source])})"


def _case(node: n.Case) -> str:
    subject = f" {write(node.subject)}" if node.subject is not None else ""
    default = f" ELSE {write(node.default)}" if node.default is not None else ""
    return f"CASE{subject} {' '.join(write(w) for w in node.whens)}{default} END"


def _comprehension(node: n.ListComprehension) -> str:
    where = f" WHERE {_bare(node.where)}" if node.where is not None else ""
    projection = f" | {write(node.projection)}" if node.projection is not None else ""
    return f"[{name(node.variable)} IN {_bare(node.source)}{where}{projection}]"


def _pattern_comprehension(node: n.PatternComprehension) -> str:
    where = f" WHERE {_bare(node.where)}" if node.where is not None else ""
    return f"[{write(node.path)}{where} | {write(node.projection)}]"


def _list_predicate(node: n.ListPredicate) -> str:
    where = f" WHERE {write(node.where)}" if node.where is not None else ""
    return f"{node.kind}({name(node.variable)} IN {write(node.source)}{where})"


def _reduce(node: n.Reduce) -> str:
    member = f"{name(node.variable)} IN {_bare(node.source)}"
    return f"reduce({name(node.accumulator)} = {write(node.initial)}, {member} | {write(node.step)})"


# --- clauses ----------------------------------------------------------------------------------


def _where(where: n.Expression | None) -> str:
    return f" WHERE {write(where)}" if where is not None else ""


def _match(node: n.Match) -> str:
    optional, mode = "OPTIONAL " if node.optional else "", f" {node.mode}" if node.mode else ""
    return f"{optional}MATCH{mode} {_list(node.paths)}{_where(node.where)}"


def _projection(node: n.Projection) -> str:
    parts = [f"{'DISTINCT ' if node.distinct else ''}{', '.join(_projected(node))}"]
    if node.order:
        parts.append(f"ORDER BY {_list(node.order)}")
    if node.skip is not None:
        parts.append(f"SKIP {write(node.skip)}")
    if node.limit is not None:
        parts.append(f"LIMIT {write(node.limit)}")
    return " ".join(parts)


def _projected(node: n.Projection) -> list[str]:
    return (["*"] if node.star else []) + [write(i) for i in node.items]


def _item(node: n.Item) -> str:
    return write(node.expression) + (f" AS {name(node.alias)}" if node.alias is not None else "")


def _call_subquery(node: n.CallSubquery) -> str:
    imports = "*" if node.star else ", ".join(name(i) for i in node.imports or ())
    scope = "" if node.imports is None else f"({imports}) "
    return f"{'OPTIONAL ' if node.optional else ''}CALL {scope}{{ {write(node.query)} }}"


def _call_procedure(node: n.CallProcedure) -> str:
    arguments = "" if node.arguments is None else f"({_list(node.arguments)})"
    yielded = "*" if node.star else _list(node.items)
    tail = f" YIELD {yielded}{_where(node.where)}" if yielded else ""
    optional = "OPTIONAL " if node.optional else ""
    return f"{optional}CALL {'.'.join(name(p) for p in node.name.split('.'))}{arguments}{tail}"


def _query(node: n.Query) -> str:
    parts = [write(node.branches[0])]
    for all_rows, branch in zip(node.union_all, node.branches[1:], strict=True):
        parts.append(f"UNION{' ALL' if all_rows else ''} {write(branch)}")
    return " ".join(parts)


_EXPRESSIONS: Final[dict[type, Callable[[Any], str]]] = {
    n.Literal: _literal,
    n.Parameter: lambda x: parameter(x.name),
    n.Variable: lambda x: name(x.name),
    n.ListLiteral: lambda x: f"[{_list(x.items)}]",
    n.MapEntry: lambda x: f"{name(x.key)}: {write(x.value)}",
    n.MapLiteral: lambda x: f"{{{_list(x.entries)}}}",
    n.Property: lambda x: f"{_target(x.target)}.{name(x.name)}",
    n.Index: lambda x: f"{_target(x.target)}[{write(x.index)}]",
    n.Slice: _slice,
    n.Negation: lambda x: f"NOT {_in(x.operand, _NOT)}",
    n.Sign: lambda x: f"{x.operator}{_in(x.operand, _POSTFIX)}",
    n.Logic: _logic,
    n.Operation: lambda x: f"{x.operator} {write(x.operand)}",
    n.Comparison: lambda x: _chain(x.first, x.rest, _TESTED),
    n.Arithmetic: _arithmetic,
    n.Test: lambda x: f"{_left(x.left)}{x.operator} {_in(x.right, _SUM)}",
    n.IsNull: lambda x: _is(x, "NULL"),
    n.IsTyped: lambda x: _is(x, f":: {x.type}"),
    n.IsNormalized: _normalized,
    n.HasLabels: lambda x: f"{_target(x.operand)}:{write(x.labels)}",
    n.FunctionCall: _call,
    n.CountStar: lambda _: "count(*)",
    n.Trim: _trim,
    n.Normalize: lambda x: f"normalize({write(x.source)}, {x.form})",
    n.CaseSubject: lambda _: "",
    n.When: lambda x: f"WHEN {_list(x.tests)} THEN {write(x.result)}",
    n.Case: _case,
    n.ListComprehension: _comprehension,
    n.PatternComprehension: _pattern_comprehension,
    n.ListPredicate: _list_predicate,
    n.Reduce: _reduce,
    n.AllProperties: lambda _: ".*",
    n.PropertySelector: lambda x: f".{name(x.name)}",
    n.VariableSelector: lambda x: name(x.name),
    n.MapProjection: lambda x: f"{name(x.variable)} {{{_list(x.items)}}}",
    n.Subquery: lambda x: f"{x.kind} {{ {write(x.query)} }}",
    n.PatternExpression: lambda x: write(x.path),
}
_CLAUSES: Final[dict[type, Callable[[Any], str]]] = {
    n.Match: _match,
    n.Item: _item,
    n.Sort: lambda x: write(x.expression) + (" DESC" if x.descending else ""),
    n.Projection: _projection,
    n.With: lambda x: f"WITH {write(x.projection)}{_where(x.where)}",
    n.Return: lambda x: f"RETURN {write(x.projection)}",
    n.Finish: lambda _: "FINISH",
    n.Unwind: lambda x: f"UNWIND {write(x.expression)} AS {name(x.variable)}",
    n.CallSubquery: _call_subquery,
    n.Yield: lambda x: name(x.name) + (f" AS {name(x.alias)}" if x.alias is not None else ""),
    n.CallProcedure: _call_procedure,
    n.SingleQuery: lambda x: " ".join(write(c) for c in x.clauses),
    n.Query: _query,
}


def _alone(function: Callable[[Any], str]) -> Callable[[Any, Callable[[n.Node], str]], str]:
    return lambda node, _: function(node)


_WRITERS: Final[dict[type, Callable[[Any, Callable[[n.Node], str]], str]]] = {
    **{kind: _alone(f) for kind, f in {**_EXPRESSIONS, **_CLAUSES}.items()},
    **PATTERN_WRITERS,
}
