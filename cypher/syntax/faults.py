"""What is wrong with a text that is no query of this service, in words that an analyst understands.

Each fault has a code of the failure taxonomy (``SYN1`` syntax, ``SYN2`` cap or character), a place, and up to
three suggestions of what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from cypher.syntax.nodes import Span
from cypher.syntax.words import KEYWORDS

MAX_SUGGESTIONS: Final = 3


class SyntaxFaultError(Exception):
    """Carries a fault from the lexer and the builder to ``parse``, which turns it into the public error."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.message)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault."""

    code: str
    message: str
    span: Span
    suggestions: tuple[str, ...] = ()


_TERMS: Final = {
    "NAME": "a name",
    "FNAME": "a function",
    "INT": "a whole number",
    "FLOAT": "a number",
    "STRING": "a text in quotes",
    "PARAM": "a parameter such as $name",
    "LNODE": "a node such as (n:Label)",
    "LPATH": "a group such as ((a)-[:TYPE]->(b)){1,3}",
    "MINUS": "a relationship such as -[:TYPE]->",
    "LT": "a relationship such as <-[:TYPE]-",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "COLON": "':'",
    "PBAR": "'|' and what to collect",
    "EQ": "'='",
    "STAR": "'*'",
    "DOT": "'.'",
    "RANGE_DOTS": "'..'",
    "$END": "the end of the query",
    "TYPE": "a value type such as INTEGER",
}
_CLAUSES: Final = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "CALL", "RETURN", "FINISH", "UNION")
_WRITES: Final = frozenset(
    [
        "CREATE",
        "INSERT",
        "MERGE",
        "SET",
        "REMOVE",
        "DELETE",
        "DETACH",
        "NODETACH",
        "FOREACH",
        "LOAD",
        "DROP",
        "ALTER",
        "GRANT",
        "DENY",
        "REVOKE",
        "START",
        "STOP",
        "TERMINATE",
        "SHOW",
        "USE",
        "ENABLE",
        "DEALLOCATE",
    ]
)
_PREFIXES: Final = frozenset({"EXPLAIN", "PROFILE", "CYPHER"})
_NEWER: Final = frozenset({"LET", "FILTER", "NEXT", "SEARCH", "FOR", "ALLREDUCE", "WHEN"})


def expected_terms(accepted: Collection[str]) -> str:
    """What the grammar takes at a place, in plain words: at most six kinds."""
    words: list[str] = []
    clauses = [c for c in _CLAUSES if c in accepted]
    expression = {"NAME", "FNAME", "INT", "STRING", "PARAM"} <= set(accepted)
    if expression:
        words.append("a value or condition")
    for terminal, term in _TERMS.items():
        is_value = expression and terminal not in {"RPAR", "RSQB", "RBRACE", "COMMA", "$END", "PBAR"}
        if terminal in accepted and not is_value:
            words.append(term)
    if clauses:
        words.append("a clause (" + ", ".join(clauses) + ")")
    if "AND" in accepted:
        words.append("an operator such as = or AND")
    least = 3 if words or expression else 2
    rest = [] if expression else sorted(a for a in KEYWORDS - {*_TERMS, *_CLAUSES} if a in accepted)
    return ", ".join([*words, *(a for a in rest if len(a) >= least)][:6]) or "nothing more"


_Form = tuple[re.Pattern[str], str, tuple[str, ...]]


def _form(pattern: str, message: str, *suggestions: str) -> _Form:
    return re.compile(pattern, re.IGNORECASE), message, suggestions


_AROUND: Final[tuple[_Form, ...]] = (
    _form(r"\bORDER\s+(?!BY\b)[\w`]", "expected BY after ORDER", "ORDER BY n.name"),
    _form(r"\bsize\s*\{", "size { } is not Cypher; a pattern is counted by COUNT", "COUNT { (a)-->(b) }"),
    _form(r"\bNOT\s+IN\b", "'x NOT IN list' is not Cypher; NOT stands before the condition", "NOT x IN list"),
    _form(
        r"\(\s*SELECT\b",
        "SELECT is SQL; a value is computed first and passed on by WITH",
        "WITH min(x) AS m MATCH ... WHERE n.x = m",
    ),
    _form(
        r"\bGROUP\s+BY\b",
        "Cypher groups by itself, by what stands beside an aggregate; GROUP BY needs Cypher 25",
        "RETURN n.kind, count(*)",
    ),
    _form(
        r"\bHAVING\b", "HAVING is SQL; filter an aggregate after WITH", "WITH n, count(*) AS c WHERE c > 1"
    ),
    _form(
        r"\b(nodes|relationships|length)\s*\(\s*\(?\w*\)?\s*<?-",
        "a path is named in MATCH, then used by its name",
        "MATCH path = (p)-[:TYPE]->(m) RETURN relationships(path)",
    ),
    _form(
        r"\b(EXISTS|COUNT)\s*\{[^{}]*\)\s*(AND|OR)\b",
        "inside EXISTS { } a pattern is followed by WHERE before conditions",
        "EXISTS { MATCH (a)-->(b) WHERE a.x > 1 }",
    ),
    _form(r"\bIN\s+TRANSACTIONS\b", "CALL { } IN TRANSACTIONS is for writes; queries here only read"),
    _form(r"\bSELECT\b.*\bFROM\b", "this is SQL; queries here are Cypher", "MATCH (n:Label) RETURN n.name"),
)


def unexpected(text: str, found: str, span: Span, accepted: Collection[str]) -> Fault:
    """The fault of a word or sign that has no place where it stands."""
    upper = found.upper()
    if upper == "CYPHER" and re.match(r"\s*25\b", text[span.end :]):
        return Fault("SYN1", "this query asks for Cypher 25; queries here are Cypher 5", span)
    known = _known_word(upper, span)
    if known is not None:
        return known
    around = text[max(0, span.start - 80) : span.end + 40]
    for pattern, message, suggestions in _AROUND:
        match = pattern.search(around)
        if (
            match
            and match.start() <= min(80, span.start) + len(found)
            and match.end() + 3 >= min(80, span.start)
        ):
            return Fault("SYN1", f"{message} (line {span.line}, column {span.column})", span, suggestions)
    what = f"{_short(found)!r}" if found else "the end of the query"
    message = f"expected {expected_terms(accepted)}; found {what} at line {span.line}, column {span.column}"
    return Fault("SYN1", message, span, _nearest_keywords(upper, accepted))


def _known_word(upper: str, span: Span) -> Fault | None:
    where = f"line {span.line}, column {span.column}"
    if upper in _WRITES:
        return Fault(
            "SYN1",
            f"{upper} has no place in a query of this service, which only reads ({where}); "
            "expected MATCH, OPTIONAL MATCH, WITH, UNWIND, CALL or RETURN",
            span,
        )
    if upper in _PREFIXES:
        return Fault(
            "SYN1",
            f"a query starts with a clause such as MATCH, not with {upper} ({where}); options of the server "
            "are not part of a query, and the plan is shown by `kg cypher check`",
            span,
        )
    if upper in _NEWER:
        return Fault("SYN1", f"{upper} needs Cypher 25, queries here are Cypher 5 ({where})", span)
    return None


def _nearest_keywords(upper: str, accepted: Collection[str]) -> tuple[str, ...]:
    """Keywords that differ from a word by few letters; of two as near the one that goes on as it does."""
    from rapidfuzz.distance import DamerauLevenshtein

    if not upper.isalpha() or len(upper) < 3:
        return ()
    words = KEYWORDS & set(accepted)
    near = sorted((DamerauLevenshtein.distance(upper, a), not a.startswith(upper), a) for a in words)
    return tuple(a for d, _, a in near if d <= max(1, len(upper) // 4))[:MAX_SUGGESTIONS]


def _short(found: str) -> str:
    return found if len(found) <= 40 else found[:37] + "..."


def refuse(code: str, message: str, span: Span, *suggestions: str) -> SyntaxFaultError:
    """The error of a fault."""
    return SyntaxFaultError(Fault(code, message, span, suggestions[:MAX_SUGGESTIONS]))
