"""From text to a syntax tree."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from threading import Lock
from typing import Any

from cypher.syntax import nodes as n
from cypher.syntax.faults import Fault, SyntaxFaultError, unexpected
from cypher.syntax.order import check_order
from cypher.syntax.tokens import Text, tokenise
from schemas.errors import QueryRefusedError
from schemas.findings import Finding, Place

_LOCK = Lock()
_GRAMMAR = "grammar.lark"
_KEPT, _SHORT = 256, 2_000
"""Trees kept, and the longest text whose tree is: a service asks the same texts with other values."""


def grammar_text() -> str:
    """The grammar as it is shipped."""
    return resources.files("cypher.syntax").joinpath(_GRAMMAR).read_text("utf-8")


def parse(text: str) -> n.Query:
    """The syntax tree of one read query.

    Raises ``QueryRefusedError`` with one finding (code ``SYN1`` or ``SYN2``, place, suggestions) for
    anything else: writes, commands, several statements, texts above the caps.

    >>> parse("MATCH (p:Paper) RETURN p.title LIMIT 3").branches[0].clauses[0].paths[0].elements[0].variable
    'p'
    """
    try:
        return _kept(text) if len(text) <= _SHORT else _parse(text)
    except SyntaxFaultError as e:
        raise QueryRefusedError(e.fault.message, query=text, findings=(finding(e.fault),)) from e


def finding(fault: Fault) -> Finding:
    """A fault as the type that crosses packages."""
    place = Place(**fault.span._asdict())
    return Finding(code=fault.code, message=fault.message, place=place, suggestions=fault.suggestions)


def _parse(text: str) -> n.Query:
    from lark.exceptions import UnexpectedToken

    read = tokenise(text)
    parser, builder = _parser()
    with _LOCK:
        builder.text = read
        try:
            query: n.Query = parser.parse(read)
        except UnexpectedToken as e:
            raise SyntaxFaultError(_fault(read, e)) from e
    check_order(query)
    return query


@lru_cache(maxsize=_KEPT)
def _kept(text: str) -> n.Query:
    return _parse(text)


def forget() -> None:
    """Drop the kept trees, for measuring."""
    _kept.cache_clear()


def _fault(read: Text, error: Any) -> Fault:
    token = error.token
    if token.type == "$END":
        end = len(read.text)
        return unexpected(read.text, "", read.span(end, end), error.expected)
    start, end = token.start_pos or 0, token.end_pos or 0
    return unexpected(read.text, read.text[start:end], read.span(start, end), error.expected)


@lru_cache(maxsize=1)
def _parser() -> tuple[Any, Any]:
    """The parser with the builder that it calls; the library is loaded here."""
    from lark import Lark

    from cypher.syntax.build import Builder
    from cypher.syntax.lexer import TokenPass

    builder = Builder()
    parser = Lark(
        grammar_text(),
        parser="lalr",
        lexer=TokenPass,
        transformer=builder,
        keep_all_tokens=True,
        maybe_placeholders=True,
    )
    return parser, builder
