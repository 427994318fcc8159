"""How neighbouring phrases are joined: "A and B", "A or B", "A, B"; and which of them are alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cypher.link import EntityWord, Option, Span, YearWord
from cypher.schema_words import ValueWord
from cypher.words import Cue

Pairs = Sequence[tuple[Span, Option]]
AND, OR, COMMA, WITHOUT = "and", "or", ",", "without"
TWO_THINGS = "are not understood together"
MIXED = "'and' and 'or' together can be read in more than one way; ask for one."
_NEAR = 2
"""Function words that may stand between a negation and what is left out: "no", "do not contain a"."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Which phrases of a reading stand for one another.

    ``entities``: the named entities of a type are alternatives. ``values`` maps the position of a value to
    those that are alternatives of it. ``years`` are the years of lists, ``problem`` says what does not fit.
    """

    entities: bool = False
    values: dict[int, tuple[str, ...]] | None = None
    years: tuple[YearWord, ...] = ()
    problem: str = ""


def alternatives(pairs: Pairs) -> Alternatives:
    """What "or", and "and" between values of one property, mean in a reading.

    "or" must stand between two things of one kind; a mixture of "and" and "or" has no one meaning.
    """
    if any(option in (Cue.OR, Cue.BOTH) for _, option in pairs):
        return Alternatives(
            problem="'or', 'either' and 'both' are understood only between things of one kind."
        )
    for i, (span, _) in enumerate(pairs):
        if span.joint == OR and not (i and _same_kind(pairs[i - 1][1], pairs[i][1])):
            return Alternatives(problem="'or' is understood only between things of one kind.")
    for (first, a), (second, b) in pairwise(pairs):
        if second.joint == AND and (_has(a, second) or _has(b, first)):
            return Alternatives(
                problem=f"'{first.text}' and '{second.text}' {TWO_THINGS}; ask for one of them."
            )
    if any(a.joint == WITHOUT and b.joint for (a, _), (b, _) in pairwise(pairs)):
        return Alternatives(problem="After 'without' one thing can be named; repeat 'without' for more.")
    entity_joints = {
        s.joint
        for i, (s, o) in enumerate(pairs)
        if i and isinstance(o, EntityWord) and _same_kind(pairs[i - 1][1], o)
    }
    if {AND, OR} <= entity_joints:
        return Alternatives(problem=MIXED)
    return Alternatives(OR in entity_joints, _values(pairs), _years(pairs))


def mixed(spans: Sequence[Span]) -> str:
    """Why "A and B or C" of one type has no one meaning, whatever else one of the names may be."""
    for first, second, third in zip(spans, spans[1:], spans[2:], strict=False):
        types = [
            {m.type for o in s.options if isinstance(o, EntityWord) for m in o.matches}
            for s in (first, second, third)
        ]
        if {second.joint, third.joint} == {AND, OR} and set.intersection(*types):
            return MIXED
    return ""


def _same_kind(a: Option, b: Option) -> bool:
    if isinstance(a, EntityWord) and isinstance(b, EntityWord):
        return a.matches[0].type == b.matches[0].type
    if isinstance(a, YearWord) and isinstance(b, YearWord):
        return a.single and b.single
    if isinstance(a, ValueWord) and isinstance(b, ValueWord):
        return (a.owner, a.attribute) == (b.owner, b.attribute) and not a.many
    return False


def _has(thing: Option, span: Span) -> bool:
    """Whether a phrase may be an attribute of a named thing: "B_s0 mass and lifetime" are two things."""
    if not isinstance(thing, EntityWord):
        return False
    values = (o for o in span.options if isinstance(o, ValueWord))
    return any(v.owner == thing.matches[0].type and not v.many for v in values)


def _values(pairs: Pairs) -> dict[int, tuple[str, ...]]:
    """Runs of values of one single-valued attribute; the first stands for all, the others are emptied."""
    runs: dict[int, tuple[str, ...]] = {}
    first = -1
    for i, (span, option) in enumerate(pairs):
        if not isinstance(option, ValueWord):
            first = -1
        elif first >= 0 and span.joint and _same_kind(pairs[i - 1][1], option):
            runs[first] = (*runs[first], *values_of(option))
            runs[i] = ()
        else:
            first = i
            runs[i] = values_of(option)
    return runs


def values_of(word: ValueWord) -> tuple[str, ...]:
    """All values that a word stands for."""
    return word.among or (word.value,)


def _years(pairs: Pairs) -> tuple[YearWord, ...]:
    """Years in order; listed ones ("2012 and 2013") as one."""
    found: list[YearWord] = []
    for i, (span, option) in enumerate(pairs):
        if not isinstance(option, YearWord):
            continue
        if i and span.joint and _same_kind(pairs[i - 1][1], option):
            last = found.pop()
            years = (*(last.listed or (last.first,)), option.first)
            found.append(replace(last, listed=tuple(y for y in years if y is not None)))
        else:
            found.append(option)
    return tuple(found)


def either_or(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans without "or" between two of them (it becomes a joint), "either" and "both" before a pair."""
    kept: list[Span] = []
    for i, span in enumerate(spans):
        if Cue.OR in span.options and span.text.lower() == OR and 0 < i < len(spans) - 1:
            continue
        behind_or = bool(kept) and Cue.OR in spans[i - 1].options and spans[i - 1].text.lower() == OR
        kept.append(replace(span, joint=OR) if behind_or else span)
    return tuple(s for i, s in enumerate(kept) if not _opens_pair(s, kept[i + 1 : i + 3]))


def without(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans with a negation right before the member of a list ("without a K+") joined to it.

    Elsewhere a negation stays, and is refused: only what a list holds is known to be complete.
    """
    kept: list[Span] = []
    for span in spans:
        members = tuple(o for o in span.options if isinstance(o, ValueWord) and o.many)
        negated = bool(kept) and kept[-1].options == (Cue.NOT,) and span.start - kept[-1].end <= _NEAR
        if negated and members:
            kept[-1] = replace(span, options=members, joint=WITHOUT)
        else:
            kept.append(span)
    return tuple(kept)


def _opens_pair(span: Span, following: Sequence[Span]) -> bool:
    """ "either" before "A or B", "both" before the entities "A and B"."""
    if len(following) < 2 or len(span.options) != 1:
        return False
    joint = following[1].joint
    if span.options[0] is Cue.BOTH:
        return joint == AND and all(isinstance(s.options[0], EntityWord) for s in following if s.options)
    return span.options[0] is Cue.OR and span.text.lower() == "either" and joint == OR
