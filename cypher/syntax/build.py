"""Makes the syntax tree while the text is parsed, without recursion: one method for each rule."""

from __future__ import annotations

import re
from typing import Any, Final

from lark.lexer import Token

from cypher.syntax import nodes as n
from cypher.syntax.build_base import Base, Children, Part, integer, nodes_of, tokens_of
from cypher.syntax.build_patterns import Patterns
from cypher.syntax.faults import refuse
from cypher.syntax.order import is_too_large, too_large
from cypher.syntax.tokens import INT64
from cypher.syntax.words import NORMAL_FORMS

_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SIGNS: Final = {"EQ": "=", "NE": "<>", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


class Expressions(Base):
    """Callbacks of the rules of expressions."""

    def logic(self, c: Children) -> n.Expression:
        """``a OR b``, ``a XOR b``, ``a AND b``."""
        return n.Logic(c[1].type, tuple(c[::2]), span=self.span(c))

    def negated(self, c: Children) -> n.Expression:
        """``NOT a``."""
        return n.Negation(c[1], span=self.span(c))

    def comparison(self, c: Children) -> n.Expression:
        """``a < b <= c``."""
        return n.Comparison(c[0], self._rest(c, _SIGNS), span=self.span(c))

    def arithmetic(self, c: Children) -> n.Expression:
        """``a + b - c``."""
        return n.Arithmetic(c[0], self._rest(c, {}), span=self.span(c))

    def _rest(self, c: Children, signs: dict[str, str]) -> tuple[n.Operation, ...]:
        pairs = zip(c[1::2], c[2::2], strict=True)
        return tuple(n.Operation(signs.get(o.type, o.value), e, span=self.span([o, e])) for o, e in pairs)

    def test_operator(self, c: Children) -> Part:
        """``=~``, ``STARTS WITH`` and so on."""
        return Part(" ".join("=~" if t.type == "MATCHES" else t.type for t in c), self.span(c))

    case_operator = test_operator

    def test(self, c: Children) -> n.Expression:
        """``a CONTAINS b``."""
        return n.Test(c[1].value, c[0], c[2], span=self.span(c))

    def is_null(self, c: Children) -> n.Expression:
        """``a IS NOT NULL``."""
        return n.IsNull(c[0], c[2] is not None, span=self.span(c))

    def is_typed(self, c: Children) -> n.Expression:
        """``a IS NOT :: TYPE``."""
        return n.IsTyped(c[0], c[4].value, c[2] is not None, span=self.span(c))

    def is_typed_short(self, c: Children) -> n.Expression:
        """``a :: TYPE``."""
        return n.IsTyped(c[0], c[2].value, negated=False, span=self.span(c))

    def is_normalized(self, c: Children) -> n.Expression:
        """``a IS NOT NFC NORMALIZED``."""
        form = c[3].value if c[3] is not None else ""
        return n.IsNormalized(c[0], form, c[2] is not None, span=self.span(c))

    def is_label(self, c: Children) -> n.Expression:
        """``n IS A``."""
        return n.HasLabels(c[0], c[2], span=self.span(c))

    has_labels = is_label

    def sign(self, c: Children) -> n.Expression:
        """``-a``; the smallest whole number is one with its sign only."""
        if c[0].value == "-" and isinstance(c[1], n.Literal) and is_too_large(c[1]):
            return n.Literal(-INT64, span=self.span(c))
        return n.Sign(c[0].value, c[1], span=self.span(c))

    def property(self, c: Children) -> n.Expression:
        """``a.name``."""
        return n.Property(c[0], c[2].value, span=self.span(c))

    def index(self, c: Children) -> n.Expression:
        """``a[i]``."""
        return n.Index(c[0], c[2], span=self.span(c))

    def slice(self, c: Children) -> n.Expression:
        """``a[i..j]``."""
        return n.Slice(c[0], c[2], c[4], span=self.span(c))

    def literal(self, c: Children) -> n.Expression:
        """A number, text, truth value or null."""
        return n.Literal(self._value(c[0]), span=self.span(c))

    def _value(self, token: Token) -> str | int | float | bool | None:
        if token.type == "STRING":
            return _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), token.value[1:-1])
        if token.type == "INT":
            number = integer(token.value)
            if number > INT64:
                raise too_large(self.span([token]))
            return number
        if token.type == "FLOAT":
            number_or_infinite = float(token.value.replace("_", ""))
            if number_or_infinite == float("inf"):
                raise refuse("SYN1", "expected a number below 1.8e308", self.span([token]))
            return number_or_infinite
        return {"TRUE": True, "FALSE": False, "NULL": None}[token.type]

    def parameter(self, c: Children) -> n.Expression:
        """``$name``."""
        return n.Parameter(c[0].value, span=self.span(c))

    def variable(self, c: Children) -> n.Expression:
        """A name."""
        return n.Variable(c[0].value, span=self.span(c))

    def group(self, c: Children) -> Any:
        """Brackets are written again where they are needed."""
        return c[1]

    def function(self, c: Children) -> n.Expression:
        """``name(DISTINCT a, b)``."""
        name, distinct = c[0].value, any(t.type == "DISTINCT" for t in tokens_of(c))
        arguments = nodes_of(c, n.Expression)
        if name.lower() == "normalize" and len(arguments) == 2:
            form = arguments[1]
            if isinstance(form, n.Variable) and form.name.upper() in NORMAL_FORMS:
                return n.Normalize(arguments[0], form.name.upper(), span=self.span(c))
        return n.FunctionCall(name, arguments, distinct, span=self.span(c))

    def star_call(self, c: Children) -> n.Expression:
        """``count(*)``."""
        if c[0].value.lower() != "count":
            raise refuse("SYN1", f"only count takes *, not {c[0].value}", self.span(c), "count(*)")
        return n.CountStar(span=self.span(c))

    def trim(self, c: Children) -> n.Expression:
        """``trim(BOTH ' ' FROM s)``."""
        side = c[2].type if c[2] is not None else ""
        return n.Trim(side, c[3], c[5], span=self.span(c))

    def case(self, c: Children) -> n.Expression:
        """``CASE [subject] when+ [otherwise] END``."""
        whens = nodes_of(c, n.When)
        if c[1] is None and any(len(w.tests) > 1 for w in whens):
            raise refuse("SYN1", "several values after WHEN need a subject: CASE x WHEN 1, 2", self.span(c))
        return n.Case(c[1], whens, c[-2].value if c[-2] is not None else None, span=self.span(c))

    def otherwise(self, c: Children) -> Part:
        """``ELSE e``."""
        return Part(c[1], self.span(c))

    def when(self, c: Children) -> n.When:
        """``WHEN tests THEN result``."""
        *tests, result = nodes_of(c, n.Expression)
        return n.When(tuple(tests), result, span=self.span(c))

    def case_comparison(self, c: Children) -> n.Expression:
        """``< 5`` after WHEN."""
        operation = n.Operation(_SIGNS[c[0].type], c[1], span=self.span(c))
        return n.Comparison(n.CaseSubject(), (operation,), span=self.span(c))

    def case_test(self, c: Children) -> n.Expression:
        """``STARTS WITH 'a'`` after WHEN."""
        return n.Test(c[0].value, n.CaseSubject(), c[1], span=self.span(c))

    def case_is_null(self, c: Children) -> n.Expression:
        """``IS NULL`` after WHEN."""
        return n.IsNull(n.CaseSubject(), c[1] is not None, span=self.span(c))

    def case_is_typed(self, c: Children) -> n.Expression:
        """``IS :: TYPE`` after WHEN."""
        return n.IsTyped(n.CaseSubject(), c[3].value, c[1] is not None, span=self.span(c))

    def case_is_normalized(self, c: Children) -> n.Expression:
        """``IS NORMALIZED`` after WHEN, where the server wants the form in words."""
        form = c[2].value if c[2] is not None else "NFC"
        return n.IsNormalized(n.CaseSubject(), form, c[1] is not None, span=self.span(c))

    def list(self, c: Children) -> n.Expression:
        """``[a, b]``."""
        return n.ListLiteral(nodes_of(c, n.Expression), span=self.span(c))

    def list_comprehension(self, c: Children) -> n.Expression:
        """``LCOMP NAME IN expression [where] [comprehended] RSQB``."""
        return n.ListComprehension(c[1].value, c[3], c[4], c[5], span=self.span(c))

    def comprehended(self, c: Children) -> n.Expression:
        """What follows the bar."""
        expression: n.Expression = c[1]
        return expression

    def where(self, c: Children) -> n.Expression:
        """What follows WHERE."""
        expression: n.Expression = c[1]
        return expression

    def map(self, c: Children) -> n.Expression:
        """``{a: 1}``."""
        return n.MapLiteral(nodes_of(c, n.MapEntry), span=self.span(c))

    def map_entry(self, c: Children) -> n.MapEntry:
        """``a: 1``."""
        return n.MapEntry(c[0].value, c[2], span=self.span(c))

    def map_projection(self, c: Children) -> n.Expression:
        """``n {.a, .*}``."""
        items = tuple(i for i in c[2:-1] if isinstance(i, n.Node))
        return n.MapProjection(c[0].value, items, span=self.span(c))  # type: ignore[arg-type]

    def property_selector(self, c: Children) -> n.Node:
        """``.a``."""
        return n.PropertySelector(c[1].value, span=self.span(c))

    def all_properties(self, c: Children) -> n.Node:
        """``.*``."""
        return n.AllProperties(span=self.span(c))

    def variable_selector(self, c: Children) -> n.Node:
        """A variable under its own name."""
        return n.VariableSelector(c[0].value, span=self.span(c))

    def subquery(self, c: Children) -> n.Expression:
        """``EXISTS { ... }``."""
        return n.Subquery(c[0].type, c[2], span=self.span(c))

    def list_predicate(self, c: Children) -> n.Expression:
        """``all(x IN xs WHERE p)``."""
        return n.ListPredicate(c[0].value, c[2].value, c[4], c[5], span=self.span(c))

    def reduce(self, c: Children) -> n.Expression:
        """``reduce(a = 0, x IN xs | a + x)``."""
        return n.Reduce(c[2].value, c[4], c[6].value, c[8], c[10], span=self.span(c))


class Clauses(Base):
    """Callbacks of the rules of clauses."""

    def query(self, c: Children) -> n.Query:
        """``single (union single)*``."""
        return n.Query(
            nodes_of(c, n.SingleQuery), tuple(u.value for u in c if isinstance(u, Part)), span=self.span(c)
        )

    def union(self, c: Children) -> Part:
        """Whether equal rows are kept."""
        return Part(c[1] is not None and c[1].type == "ALL", self.span(c))

    def single(self, c: Children) -> n.SingleQuery:
        """Clauses."""
        return n.SingleQuery(tuple(c), span=self.span(c))

    def match(self, c: Children) -> n.Match:
        """``[OPTIONAL] MATCH [mode] patterns hint* [where]``."""
        hints = [h for h in c[4:-1] if h is not None]
        mode = c[2].value if c[2] is not None else ""
        return n.Match(c[3].value, c[-1], c[0] is not None, mode, len(hints), span=self.span(c))

    def match_mode(self, c: Children) -> Part:
        """``DIFFERENT RELATIONSHIPS``."""
        return Part(f"{c[0].type} {c[1].type}", self.span(c))

    def hint(self, c: Children) -> Part:
        """Dropped."""
        return Part(None, self.span(c))

    def hint_kind(self, c: Children) -> Part:
        """Dropped."""
        return Part(None, self.span(c))

    def with_clause(self, c: Children) -> n.With:
        """``WITH projection [where]``."""
        return n.With(c[1], c[2], span=self.span(c))

    def return_clause(self, c: Children) -> n.Return:
        """``RETURN projection``."""
        return n.Return(c[1], span=self.span(c))

    def finish(self, c: Children) -> n.Finish:
        """``FINISH``."""
        return n.Finish(span=self.span(c))

    def unwind(self, c: Children) -> n.Unwind:
        """``UNWIND e AS x``."""
        return n.Unwind(c[1], c[3].value, span=self.span(c))

    def call_subquery(self, c: Children) -> n.CallSubquery:
        """``[OPTIONAL] CALL [scope] { query }``."""
        scope = c[2].value if c[2] is not None else None
        star = scope == "*"
        imports = None if scope is None else () if star else scope
        return n.CallSubquery(c[4], imports, star, c[0] is not None, span=self.span(c))

    def call_scope(self, c: Children) -> Part:
        """``(a, b)``, ``(*)``, ``()``."""
        star = any(t.type == "STAR" for t in c)
        return Part("*" if star else tuple(t.value for t in c if t.type == "NAME"), self.span(c))

    def call_procedure(self, c: Children) -> n.CallProcedure:
        """``[OPTIONAL] CALL name [arguments] [yield]``."""
        items, star, where = c[4].value if c[4] is not None else ((), False, None)
        arguments = c[3].value if c[3] is not None else None
        optional = c[0] is not None
        return n.CallProcedure(c[2].value, arguments, items, star, where, optional, span=self.span(c))

    def procedure_name(self, c: Children) -> Part:
        """A name with its namespace."""
        return Part(".".join(t.value for t in c[::2]), self.span(c))

    def call_arguments(self, c: Children) -> Part:
        """``(a, b)``."""
        return Part(nodes_of(c, n.Expression), self.span(c))

    def yield_part(self, c: Children) -> Part:
        """``YIELD a AS b, c WHERE p``."""
        star = isinstance(c[1], Token)
        return Part((nodes_of(c[:-1], n.Yield), star, c[-1]), self.span(c))

    def yield_item(self, c: Children) -> n.Yield:
        """``a AS b``."""
        return n.Yield(c[0].value, c[2].value if c[2] is not None else None, span=self.span(c))

    def projection(self, c: Children) -> n.Projection:
        """``[DISTINCT] items [order] [skip] [limit]``."""
        distinct, items, order, skip, limit = c
        star, kept = items.value
        return n.Projection(
            kept,
            star,
            distinct is not None,
            order.value if order is not None else (),
            skip.value if skip is not None else None,
            limit.value if limit is not None else None,
            span=self.span(c),
        )

    def items(self, c: Children) -> Part:
        """``*, a, b``."""
        return Part((isinstance(c[0], Token), nodes_of(c, n.Item)), self.span(c))

    def item(self, c: Children) -> n.Item:
        """``e AS a``."""
        expression, _, alias = c
        span = self.span(c)
        source = self.text.text[expression.span.start : expression.span.end]
        return n.Item(expression, alias.value if alias is not None else None, source, span=span)

    def order(self, c: Children) -> Part:
        """Sort keys."""
        return Part(nodes_of(c, n.Sort), self.span(c))

    def sort(self, c: Children) -> n.Sort:
        """``e DESC``."""
        return n.Sort(c[0], c[1] is not None and c[1].type.startswith("DESC"), span=self.span(c))

    def skip(self, c: Children) -> Part:
        """``SKIP e``."""
        return Part(c[1], self.span(c))

    limit = skip


class Builder(Expressions, Patterns, Clauses):
    """All callbacks."""
