"""How the parts of the gate report."""

from __future__ import annotations

from collections.abc import Iterable

from cypher.syntax.nodes import Span
from schemas.findings import Finding, Place


def finding(code: str, message: str, span: Span, *suggestions: str) -> Finding:
    """A finding at a place of the text."""
    return Finding(
        code=code, message=message, place=Place(**span._asdict()), suggestions=tuple(suggestions)[:3]
    )


def few(known: Iterable[str], *, most: int = 8) -> str:
    """Names in their order, at most so many, and how many there are besides.

    >>> few(["b", "a"]), few("abcd", most=3)
    ('a, b', 'a, b, c and 1 more')
    """
    names = sorted(known)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """Known names that differ from ``name`` by few letters, or only by case; the nearest first.

    >>> nearest("Papers", ["Paper", "Decay", "Pager"])
    ['Paper', 'Pager']
    """
    from rapidfuzz.distance import DamerauLevenshtein

    reach = max(1, min(3, len(name) // 3))
    ranked = []
    for other in known:
        distance = DamerauLevenshtein.distance(_plain(name), _plain(other), score_cutoff=reach)
        if distance <= reach:
            ranked.append((distance, other))
    return [other for _, other in sorted(ranked)[:limit]]


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace(" ", "")
