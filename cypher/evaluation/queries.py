"""What two queries have in common, found from their tokens: names, structure, and what they match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\$\w+|[A-Za-z_]\w*|\d[\w.]*|<-|->|<>|<=|>=|\S",
    re.DOTALL,
)
_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max", "collect"})
_BOOKKEEPING = frozenset({"status", "id", "document", "origin"})
"""Properties that the scope of a question and its citations add to a query."""


def tokens(text: str) -> list[str]:
    """Tokens of a query without comments; a quoted text or name is one token.

    >>> tokens("MATCH (p:`Paper`) // all\\nRETURN p")
    ['MATCH', '(', 'p', ':', '`Paper`', ')', 'RETURN', 'p']
    """
    return [t for t in _TOKEN.findall(text) if not t.startswith(("//", "/*"))]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the graph that a query uses."""

    labels: Counter[str]
    """With how many patterns name them."""
    types: Counter[str]
    properties: frozenset[str]


@dataclass(frozen=True, slots=True)
class Structure:
    """A query without its variables, values and order of clauses."""

    labels: frozenset[str]
    types: Counter[str]
    properties: frozenset[str]
    aggregates: frozenset[str]
    ordered: bool
    negated: bool
    united: bool


def names_in(text: str) -> Names:
    """Labels, relation types and properties that stand in a query."""
    labels: Counter[str] = Counter()
    types: Counter[str] = Counter()
    properties: set[str] = set()
    opened: list[str] = []
    parts = tokens(text)
    for at, part in enumerate(parts):
        if part in "([{" and len(part) == 1:
            opened.append(part)
        elif part in ")]}" and len(part) == 1 and opened:
            opened.pop()
        following = parts[at + 1] if at + 1 < len(parts) else ""
        name = following.strip("`")
        if not re.fullmatch(r"`[^`]+`|[A-Za-z_]\w*", following):
            continue
        inside = opened[-1] if opened else ""
        if part in {":", "|", "&"} and inside == "(":
            labels[name] += 1
        elif part in {":", "|"} and inside == "[":
            types[name] += 1
        elif part == "." and (at == 0 or parts[at - 1] != "."):
            properties.add(name)
    properties |= _map_keys(parts)
    return Names(labels, types, frozenset(properties))


def _map_keys(parts: list[str]) -> set[str]:
    pairs = zip(parts, parts[1:], parts[2:], strict=False)
    return {b.strip("`") for a, b, c in pairs if a in "{," and c == ":" and re.match(r"[`A-Za-z_]", b)}


def structure(text: str) -> Structure:
    """What stays of a query when variables are renamed and values changed.

    >>> structure("MATCH (a:X)-[:R]->(b:Y {n: 1}) RETURN a") == structure("MATCH (q:Y) WHERE q.n = $v "
    ...     "MATCH (p:X)-[:R]->(q) RETURN p")
    True
    """
    names, words = names_in(text), [t.upper() for t in tokens(text)]
    called = {a.lower() for a, b in pairwise(words) if b == "("}
    return Structure(
        labels=frozenset(names.labels),
        types=names.types,
        properties=names.properties - _BOOKKEEPING,
        aggregates=frozenset(called & _AGGREGATES),
        ordered="ORDER" in words,
        negated="NOT" in words,
        united="UNION" in words or "OPTIONAL" in words,
    )


def unknown_names(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Names in a query that the schema does not have."""
    used = names_in(text)
    every: Iterable[str] = (*used.labels, *used.types, *used.properties)
    return tuple(sorted({n for n in every if n not in known}))


def matched_part(text: str) -> str:
    """The query's leading MATCH clauses with their conditions, returning all that they bind.

    It finds the provenance subgraph of CypherBench (arXiv:2412.18702). Conditions behind a later WITH are not
    applied, on either side of the comparison.

    >>> matched_part("MATCH (p:X) WHERE p.n = 'RETURN' RETURN p.n LIMIT 3")
    "MATCH (p:X) WHERE p.n = 'RETURN' RETURN *"
    """
    depth = 0
    for found in _TOKEN.finditer(text):
        part = found.group()
        depth += (part in "([{" and len(part) == 1) - (part in ")]}" and len(part) == 1)
        if depth == 0 and part.upper() in {"WITH", "RETURN", "UNWIND", "UNION"}:
            return f"{text[: found.start()].rstrip()} RETURN *"
    return text


def jaccard(found: Collection[str], right: Collection[str]) -> float:
    """Size of the intersection by size of the union; 1 where both are empty.

    >>> jaccard({"a", "b"}, {"b", "c"})
    0.3333333333333333
    """
    one, other = set(found), set(right)
    return len(one & other) / len(one | other) if one | other else 1.0
