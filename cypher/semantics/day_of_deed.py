"""A day behind a verb is the deed's: "parcels that people sent in May" asks of no members since May."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cypher.semantics.compose import Candidate
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Filter, PropertyRef, is_day_text
from cypher.semantics.lives import holds_day_of_life, speaks_of_lives
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import PropertyType, StoreSchema

_DAYS: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME})
_PLAIN: Final = frozenset({"date", "day", "year", "month", "time", "on", "at", "in", "since", "from", "when"})
"""Words of properties that say that a day is stored, and not of what."""
_BETWEEN: Final = frozenset(
    {"in", "on", "during", "since", "before", "after", "of", "between", "from", "until"}
)


def days_of_deeds(
    linked: Linked, candidates: tuple[Candidate, ...], schema: StoreSchema
) -> tuple[Candidate, ...]:
    """The readings; in place of the best one that with the day of a deed that is said, where there is one.

    Not where the question says what the other day is of ("hired in 2024"), nor right behind the thing that
    has it ("exhibitions in 2024"). The best is left out: looks into the graph would else prefer it.
    """
    if len(candidates) < 2:
        return candidates
    best, *others = candidates
    found = next((c for c in others if _is_of_deed(linked, best, c, schema)), None)
    if found is None:
        return candidates
    return (replace(found, score=best.score), *(c for c in others if c is not found))


def _is_of_deed(linked: Linked, best: Candidate, other: Candidate, schema: StoreSchema) -> bool:
    """Whether two readings differ in their day alone, which the second has of a relationship that is said."""
    if replace(best.query, filters=()) != replace(other.query, filters=()):
        return False
    mine = [f for f in best.query.filters if f not in other.query.filters]
    theirs = [f for f in other.query.filters if f not in best.query.filters]
    own, deed = _one(mine), _one(theirs)
    if own is None or deed is None or own.on_edge or not deed.on_edge:
        return False
    kinds = other.query.edges[deed.owner].types
    said = {t.name for m in linked.relations for t in m.terms if t.kind == "relation"}
    if not said.intersection(kinds) or not _is_day(deed, kinds, schema):
        return False
    label = best.query.nodes[own.owner].label
    return not (is_said(own, linked) or _is_behind(linked, label) or _is_of_another(linked, set(kinds)))


def _one(filters: Sequence[Filter]) -> PropertyRef | None:
    """The property that all of some conditions are on; ``None`` where there are several, or no condition."""
    refs = {(f.ref.owner, f.ref.name, f.ref.on_edge): f.ref for f in filters if f.other is None}
    return next(iter(refs.values())) if len(refs) == 1 and all(f.other is None for f in filters) else None


def _is_day(ref: PropertyRef, kinds: Sequence[str], schema: StoreSchema) -> bool:
    if is_day_text(ref):
        return True
    relations = (schema.relation(kind) for kind in kinds)
    return any(p.type in _DAYS for r in relations if r for p in r.properties if p.name == ref.name)


def is_said(ref: PropertyRef, linked: Linked) -> bool:
    """Whether the question says of what a day is, or its property says nothing of that."""
    told = {stem(w) for w in identifier_words(ref.name) if w not in _PLAIN}
    terms = (t for m in (*linked.mentions, *linked.relations) for t in m.terms)
    named = any(t.kind == "property" and t.name == ref.name for t in terms)
    lives = holds_day_of_life(ref.name) and speaks_of_lives({w.lower for w in linked.words})
    return not told or named or lives or bool(told & {w.stem for w in linked.words})


def _is_behind(linked: Linked, label: str) -> bool:
    """Whether a day stands right behind a noun for the label."""
    ends = {m.end for m in linked.mentions if any(t.kind == "label" and t.name == label for t in m.terms)}
    days = (m.start for m in linked.mentions if m.day is not None or m.number is not None)
    return any(_first_between(linked, at) in ends for at in days)


def _is_of_another(linked: Linked, kinds: set[str]) -> bool:
    """Whether a day is right behind a participle that is no word for the relationship: "employed since"."""
    deeds = (m for m in linked.relations if kinds & {t.name for t in m.terms})
    of_deed = {at for m in deeds for at in range(m.start, m.end)}
    days = (m.start for m in linked.mentions if m.day is not None or m.number is not None)
    before = {_first_between(linked, at) - 1 for at in days} - of_deed
    return any(at >= 0 and is_verb_form(linked.words[at].lower) for at in before)


def _first_between(linked: Linked, at: int) -> int:
    """Where the words before a day begin that tie it: "in May 2024"."""
    while at and linked.words[at - 1].lower in _BETWEEN | _MONTHS:
        at -= 1
    return at


_MONTHS: Final = frozenset(
    {
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december", "the", "early", "late"),
    }
)
"""Words that stand between a preposition and the number of a year."""
