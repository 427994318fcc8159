"""Readings of the chart and of the composer, put in one order; and how far to trust the first."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.alike import form
from cypher.semantics.chart.wanting import HARMLESS
from cypher.semantics.compose import Candidate
from cypher.semantics.detours import passes_over_verb, takes_detour
from cypher.semantics.doubts import Doubts, doubts_of
from cypher.semantics.mentions import Linked
from cypher.semantics.unheard import unheard
from schemas.store_schema import StoreSchema

MOST_LEFT: Final = 3.2
"""Words that a reading of the chart may leave unexplained and still come first, as their costs add up.

On development questions of the crime graph where 0.9 to 3.2 are left, the chart alone is right on 37 and
the composer alone on 8.
"""
EXPLAINED: Final = 0.9
"""Where a reading of the chart leaves less than this it tells how sure it is, else the composer's does."""


def ranked(
    charted: tuple[Candidate, ...], composed: tuple[Candidate, ...], *, mixed: bool = False
) -> tuple[Candidate, ...]:
    """Readings of both ways, best first: the chart's where it explains the question, else the composer's.

    Those of the other way come behind them all, or, ``mixed``, behind the best of them: so that what is known
    of the words may say which way was right.
    """
    if not charted or not composed:
        return charted or composed
    first, second = (charted, composed) if left_unexplained(charted) < MOST_LEFT else (composed, charted)
    gap = first[0 if mixed else -1].score - second[0].score - 1.0
    return (*first, *(replace(c, score=c.score + gap) for c in second))


def explains(charted: tuple[Candidate, ...]) -> bool:
    """Whether the chart's first reading leaves so little unexplained that it tells how sure it is."""
    return bool(charted) and left_unexplained(charted) < EXPLAINED


def left_unexplained(charted: tuple[Candidate, ...]) -> float:
    """What the chart's first reading passed over, as the costs of its words add up."""
    return sum(amount for name, amount in charted[0].features if name == "c_skip")


def passed_before(linked: Linked, charted: tuple[Candidate, ...]) -> tuple[str, ...]:
    """Words that nothing knows in front of a property, where the chart's first reading passed over one.

    The "monthly" of a monthly fee may say which fee is meant.
    """
    if not any(name == "c_passed" for name, _ in charted[0].features):
        return ()
    said = {m.start for m in linked.mentions if any(t.kind == "property" for t in m.terms)}
    before = {a.text for at, a in enumerate(linked.words) if at + 1 in said and a.lower not in HARMLESS}
    return tuple(w for w in linked.unexplained if w in before)


def doubts_of_both(
    linked: Linked,
    charted: tuple[Candidate, ...],
    composed: tuple[Candidate, ...],
    candidates: tuple[Candidate, ...],
    schema: StoreSchema,
) -> Doubts:
    """What the confidence in the first of ``candidates``, made of both, rests on."""
    best = candidates[0].query
    far = takes_detour(linked, best, schema) or passes_over_verb(linked, best)
    astray = (("unheard_tie", 1.0),) if far else ()
    alike = bool(charted and composed) and form(charted[0].query) == form(composed[0].query)
    given = candidates[0].query
    if not explains(charted) and composed:
        candidates = composed
    found = doubts_of(linked, candidates, charted=explains(charted), alike=alike)
    known = {name for name, _ in found}
    passed = unheard(linked, given) if candidates[0].query != given else {}
    more = ((name, x) for name, x in passed.items() if x and name not in known)
    return tuple(dict.fromkeys((*found, *more, *astray)))
