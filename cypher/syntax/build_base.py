"""What all callbacks of the parser share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from lark.lexer import Token

from cypher.syntax.faults import refuse
from cypher.syntax.nodes import Node, Span
from cypher.syntax.tokens import INT64, Text

Children: TypeAlias = list[Any]
"""Children of a rule in their order: tokens, nodes, parts, and ``None`` for what was left out."""
N = TypeVar("N", bound=Node)
MAX_WHOLE = 1_000_000
"""Largest number of steps or paths that is read at all."""
_LONGEST = 4_000
"""Decimal digits that are read; no number of more fits into 64 bits, and Python refuses to read it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece that is no node of its own, with its place."""

    value: Any
    span: Span


class Base:
    """Holds the text that is being parsed."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = Text("")

    def span(self, children: Children) -> Span:
        """From the first child to the last."""
        present = [c for c in children if c is not None]
        if not present:
            return Span()
        first, last = present[0], present[-1]
        start: Any = first.start_pos if isinstance(first, Token) else first.span.start
        end: Any = last.end_pos if isinstance(last, Token) else last.span.end
        if not isinstance(first, Token):
            return Span(start, end, first.span.line, first.span.column)
        return self.text.span(start, end)

    def start(self, c: Children) -> Any:
        """The whole query."""
        return c[0]


def nodes_of(children: Children, kind: type[N]) -> tuple[N, ...]:
    """The children that are nodes of a kind."""
    return tuple(c for c in children if isinstance(c, kind))


def tokens_of(children: Children) -> list[Token]:
    """The children that are tokens."""
    return [c for c in children if isinstance(c, Token)]


def named(token: Token) -> str:
    """A name; the empty one is refused."""
    if not token.value:
        start = token.start_pos or 0
        raise refuse("SYN1", "a name may not be empty", Span(start, start + 2, 1, start + 1))
    return str(token.value)


def whole(token: Token) -> int:
    """A whole number of steps."""
    number = integer(token.value)
    if number > MAX_WHOLE:
        start = token.start_pos or 0
        raise refuse(
            "SYN2",
            f"expected at most {MAX_WHOLE:,}, found {token.value}",
            Span(start, start + 1, 1, start + 1),
        )
    return number


def integer(text: str) -> int:
    """An integer literal: decimal, hexadecimal, octal, with underscores; one far too long is ``INT64 + 1``.

    >>> integer("0xFF"), integer("1_000"), integer("010")
    (255, 1000, 10)
    """
    digits = text.replace("_", "").lower()
    if digits.startswith("0x"):
        return int(digits[2:] or "0", 16)
    if digits.startswith("0o"):
        return int(digits[2:] or "0", 8)
    return int(digits) if len(digits) <= _LONGEST else INT64 + 1
