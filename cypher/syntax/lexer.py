"""The token pass: what a word or bracket is depends on what the parser takes where it stands.

``(n)`` may be an expression or open a pattern, ``match`` may be a clause or a variable, and ``|`` may join
labels or start what a comprehension collects. The raw tokens are known as a whole, with brackets paired,
and the parser's state is at hand; together they decide each case in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lark.lexer import Lexer, Token
from lark.parsers.lalr_analysis import Shift

from cypher.syntax.faults import refuse
from cypher.syntax.tokens import MAX_DEPTH, Raw, Text
from cypher.syntax.words import (
    KEYWORDS,
    LIST_PREDICATES,
    NORMAL_FORMS,
    SHORTEST_PATHS,
    SUBQUERY_WORDS,
    TYPE_WORDS,
    VALUE_WORDS,
)

_NAME_GOES_ON: Final = frozenset({"DOT", "EQ", "COLON", "COMMA", "RPAR", "RSQB", "RBRACE", "LSQB"})
"""Signs after which a word that could be a keyword is a name: ``case.id``, ``where)``."""
_CHAIN: Final = frozenset({"DOT", "NAME", "RSQB"})
_NEST: Final = frozenset({"NOT", "BANG"})
_OPENING: Final = frozenset({"LPAR", "LNODE", "LPATH", "LSQB", "LCOMP", "PCOMP", "LBRACE"})
_CLOSING: Final = frozenset({"RPAR", "RSQB", "RBRACE"})
MAX_SUM: Final = MAX_DEPTH + 25
"""Deepest nesting of brackets and all else together: what later walks over the tree must bear."""


class TokenPass(Lexer):
    """Hands the parser one token at a time; made by lark, which passes it a ``Text`` as the input."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        self.conf = lexer_conf

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """The tokens of a text."""
        return _Pass(lexer_state.text, parser_state).tokens()


class _Pass:
    """One pass over one text."""

    __slots__ = ("at", "bars", "depth", "parser", "raw", "text")

    def __init__(self, text: Text, parser: Any) -> None:
        self.text, self.raw, self.parser = text, text.raw, parser
        self.at = 0
        self.bars: set[int] = set()
        self.depth = _Depth(text)

    def tokens(self) -> Iterator[Token]:
        """The tokens, each decided when the parser asks for it."""
        raw = self.raw
        while self.at < len(raw):
            here = raw[self.at]
            token = self._token(here)
            self.depth.count(token.type, here)
            yield token

    def _token(self, here: Raw) -> Token:
        kind = here.kind
        if kind == "WORD":
            return self._word(here)
        if kind == "LPAR":
            kind = self._round()
        elif kind == "LSQB":
            kind = self._square()
        elif kind == "BAR":
            kind = "PBAR" if self.at in self.bars else "BAR"
        elif kind == "QUOTED":
            return self._quoted(here)
        elif kind == "PARAM" and here.value.lower() in {"all", "any"} and self._takes("DOLLAR_ALL"):
            kind = "DOLLAR_" + here.value.upper()
        return self._emit(kind, here.value, here, here)

    def _emit(self, kind: str, value: str, first: Raw, last: Raw, *, count: int = 1) -> Token:
        self.at += count
        return Token(kind, value, first.start, end_pos=last.end)

    # --- words ----------------------------------------------------------------------------------

    def _word(self, here: Raw) -> Token:
        upper, after = here.upper, self._after(1)
        if self._takes("FNAME"):
            if upper in SUBQUERY_WORDS and after == "LBRACE":
                return self._emit(upper, upper, here, here)
            called = None if self._is_word_before_bracket(upper, after) else self._called()
            if called is not None:
                return called
        elif upper in SHORTEST_PATHS and after == "LPAR" and self._takes("SHORTESTPATH"):
            return self._emit("SHORTESTPATH", SHORTEST_PATHS[upper], here, here)
        if upper in TYPE_WORDS and self._takes("TYPE"):
            return self._type(here)
        if upper in NORMAL_FORMS and self._takes("NORMAL_FORM"):
            return self._emit("NORMAL_FORM", upper, here, here)
        if upper in KEYWORDS and self._is_keyword(upper, after):
            return self._emit(upper, upper, here, here)
        alias = _PLURALS.get(upper)
        if alias and self._takes(alias):
            return self._emit(alias, upper, here, here)
        return self._emit("NAME", here.value, here, here)

    def _is_word_before_bracket(self, upper: str, after: str) -> bool:
        """``NOT (a)`` is a keyword and a bracket; ``any(x IN xs ...)`` is not, wherever ANY is taken."""
        is_member = self._kind(self.at + 2) in {"WORD", "QUOTED"} and self._upper(self.at + 3) == "IN"
        if upper in LIST_PREDICATES and after == "LPAR" and is_member:
            return False
        return upper in KEYWORDS and self._is_keyword(upper, after)

    def _is_keyword(self, upper: str, after: str) -> bool:
        if upper in SUBQUERY_WORDS or not self._takes(upper):
            return False
        if upper == "NORMALIZED":
            return True
        is_word = upper in {"NOT", "DISTINCT", "UNWIND"} or self._is_case_of_list(upper)
        before_list = after == "LSQB" and is_word
        if after in _NAME_GOES_ON and not before_list and self._takes("NAME"):
            return upper in VALUE_WORDS and after not in {"DOT", "COLON"}
        return upper != "CASE" or any(r.upper == "WHEN" for r in self.raw[self.at + 1 :])

    def _is_case_of_list(self, upper: str) -> bool:
        """``CASE [1] WHEN`` is a keyword, ``case[0]`` a variable."""
        return upper == "CASE" and self._upper(self.raw[self.at + 1].match + 1) == "WHEN"

    def _called(self) -> Token | None:
        """The function whose name starts here, if one does: ``point.distance(``."""
        raw, end = self.raw, self.at
        while self._kind(end + 1) == "DOT" and self._kind(end + 2) in {"WORD", "QUOTED"}:
            end += 2
        if self._kind(end + 1) != "LPAR":
            return None
        first, last = raw[self.at], raw[end]
        if end == self.at and first.kind == "WORD":
            special = self._special(first)
            if special is not None:
                return special
        name = ".".join(r.value for r in raw[self.at : end + 1 : 2])
        return self._emit("FNAME", name, first, last, count=end + 1 - self.at)

    def _special(self, here: Raw) -> Token | None:
        upper, bracket = here.upper, self.at + 1
        is_member = self._kind(bracket + 1) in {"WORD", "QUOTED"} and self._upper(bracket + 2) == "IN"
        if upper in LIST_PREDICATES and is_member:
            return self._emit("LIST_PREDICATE", upper.lower(), here, here)
        if upper == "REDUCE":
            self._mark_bar(bracket)
            return self._emit("REDUCE", "reduce", here, here)
        if upper in SHORTEST_PATHS:
            return self._emit("SHORTESTPATH", SHORTEST_PATHS[upper], here, here)
        if upper == "TRIM" and any(self.raw[i].upper == "FROM" for i in self._top_level(bracket)):
            return self._emit("TRIM", "trim", here, here)
        return None

    def _quoted(self, here: Raw) -> Token:
        called = self._called() if self._takes("FNAME") else None
        return called or self._emit("NAME", here.value, here, here)

    def _type(self, first: Raw) -> Token:
        """A run of the words of a value type, with ``<>`` and ``|``, as one token."""
        parts: list[str] = []
        at, nested = self.at, 0
        while at < len(self.raw):
            raw = self.raw[at]
            if raw.upper == "NOT" and self._upper(at + 1) != "NULL":
                break
            if raw.upper == "WITH" and self._upper(at + 1) not in {"TIMEZONE", "TIME"}:
                break
            if raw.upper in TYPE_WORDS:
                parts.append(raw.upper)
            elif raw.kind == "LT" and parts[-1] in {"LIST", "ARRAY", "ANY"}:
                nested += 1
                parts.append("<")
            elif raw.kind == "GT" and nested:
                nested -= 1
                parts.append(">")
            elif raw.kind == "BAR" and at not in self.bars and self._upper(at + 1) in TYPE_WORDS:
                parts.append("|")
            else:
                break
            at += 1
        return self._emit("TYPE", _type_text(parts), first, self.raw[at - 1], count=at - self.at)

    # --- brackets -------------------------------------------------------------------------------

    def _round(self) -> str:
        if not self._takes("LNODE"):
            return "LPATH" if self._takes("LPATH") else "LPAR"
        if self._takes("LPAR"):
            return "LNODE" if self._opens_node(self.at) else "LPAR"
        inner = self.at + 1
        is_group = self._kind(inner) == "LPAR" or (
            self._kind(inner) in {"WORD", "QUOTED"} and self._kind(inner + 1) == "EQ"
        )
        return "LPATH" if is_group and self._takes("LPATH") else "LNODE"

    def _square(self) -> str:
        if not self._takes("LCOMP"):
            return "LSQB"
        inner = self.at + 1
        named = self._kind(inner) in {"WORD", "QUOTED"}
        if named and self._upper(inner + 1) == "IN":
            self._mark_bar(self.at)
            return "LCOMP"
        pattern = inner + 2 if named and self._kind(inner + 1) == "EQ" else inner
        if self._kind(pattern) == "LPAR" and self._opens_node(pattern):
            self._mark_bar(self.at, projects=True)
            return "PCOMP"
        return "LSQB"

    def _opens_node(self, at: int) -> bool:
        """Whether the bracket at ``at`` is a node that a relationship follows."""
        close = self.raw[at].match
        inner = at + 1
        if self._kind(inner) in {"WORD", "QUOTED"}:
            inner += 1
        looks = self._kind(inner) in {"RPAR", "COLON", "LBRACE"} or self._upper(inner) in {"WHERE", "IS"}
        if self._kind(inner) == "PARAM" and self._kind(inner + 1) == "RPAR":
            looks = True
        return looks and self._relationship_follows(close + 1)

    def _relationship_follows(self, at: int) -> bool:
        if self._kind(at) == "LT":
            at += 1
        if self._kind(at) != "MINUS":
            return False
        if self._kind(at + 1) == "LSQB":
            return self._kind(self.raw[at + 1].match + 1) == "MINUS"
        return self._kind(at + 1) == "MINUS" and self._kind(at + 2) in {"LPAR", "GT"}

    def _mark_bar(self, bracket: int, *, projects: bool = False) -> None:
        """Finds the bar after which a comprehension says what it collects: the last one, as a rule."""
        bars = [i for i in self._top_level(bracket) if self.raw[i].kind == "BAR"]
        for at in reversed(bars):
            if projects or not self._joins_labels(at):
                self.bars.add(at)
                return

    def _joins_labels(self, at: int) -> bool:
        """``x:A|B]``: a bar between label names."""
        follows = self._kind(at + 1) in {"WORD", "QUOTED"} and self._kind(at + 2) in {"RSQB", "BAR", "AMP"}
        before = at - 1
        while self._kind(before) in {"WORD", "QUOTED"} and self._kind(before - 1) in {"BAR", "AMP", "BANG"}:
            before -= 2
        return follows and self._kind(before) in {"WORD", "QUOTED"} and self._kind(before - 1) == "COLON"

    def _top_level(self, bracket: int) -> Iterator[int]:
        at, end = bracket + 1, self.raw[bracket].match
        while at < end:
            yield at
            match = self.raw[at].match
            at = match + 1 if match > at else at + 1

    # --- looking around -------------------------------------------------------------------------

    def _kind(self, at: int) -> str:
        return self.raw[at].kind if 0 <= at < len(self.raw) else ""

    def _upper(self, at: int) -> str:
        return self.raw[at].upper if 0 <= at < len(self.raw) else ""

    def _after(self, count: int) -> str:
        return self._kind(self.at + count)

    def _takes(self, terminal: str) -> bool:
        """Whether the parser, where it is, takes this terminal: reductions are followed, not guessed."""
        parser = self.parser
        states = parser.parse_conf.states
        found = states[parser.state_stack[-1]].get(terminal)
        if found is None:
            return False
        if found[0] is Shift:
            return True
        stack = list(parser.state_stack)
        while found is not None and found[0] is not Shift:
            rule = found[1]
            if rule.expansion:
                del stack[-len(rule.expansion) :]
            stack.append(states[stack[-1]][rule.origin.name][1])
            found = states[stack[-1]].get(terminal)
        return found is not None


_PLURALS: Final = {"RELATIONSHIP": "RELATIONSHIPS", "ELEMENT": "ELEMENTS"}


def _type_text(parts: list[str]) -> str:
    text = " ".join(parts)
    for sign in (" <", "< ", " >"):
        text = text.replace(sign, sign.strip())
    return text


class _Depth:
    """Nesting that brackets do not show: NOT, ``!``, CASE and chains of properties."""

    __slots__ = ("brackets", "cases", "chain", "chains", "nest", "text")

    def __init__(self, text: Text) -> None:
        self.text, self.brackets = text, 0
        self.nest, self.cases, self.chain = 0, 0, 0
        self.chains: list[int] = []

    def count(self, kind: str, raw: Raw) -> None:
        """Counts one token; too deep is a fault."""
        self.nest = self.nest + 1 if kind in _NEST else 0
        if kind == "CASE":
            self.cases += 1
        elif kind == "END":
            self.cases -= 1
        elif kind == "DOT":
            self.chain += 1
        elif kind in {"LSQB", "LCOMP", "PCOMP"}:
            self.chains.append(self.chain + 1)
            self.chain = 0
        elif kind == "RSQB":
            self.chain = self.chains.pop() if self.chains else 0
        elif kind not in _CHAIN:
            self.chain = 0
        self.brackets += (kind in _OPENING) - (kind in _CLOSING)
        if self.nest + self.cases + self.chain > MAX_DEPTH or self._sum() > MAX_SUM:
            span = self.text.span(raw.start, raw.end)
            raise refuse("SYN2", f"an expression may be nested {MAX_DEPTH} deep; this one is deeper", span)

    def _sum(self) -> int:
        return self.nest + self.cases + self.chain + self.brackets + sum(self.chains)
