"""Noun phrases: determiners, numbers, superlatives, names, nouns, and what is said behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cypher.form import Op
from cypher.general import english as en
from cypher.general.adjuncts import Adjuncts, Read
from cypher.general.items import Items, limits
from cypher.general.kinds import Derived, Kind, derived, value
from cypher.general.plan import Number, Size, Test
from cypher.general.refs import Contrasted, Extreme, Group, Most, Part, Ref
from cypher.schema_graph import LIMIT, VALUE

MAX_READINGS: Final = 24
"""Readings of one phrase that are followed."""
_TIMES: Final = frozenset({Size.EXACTLY, Size.AT_LEAST, Size.MORE})


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands before a noun."""

    end: int
    number: Number | None = None
    ranked: Most | Extreme | None = None
    keep: int = 0
    each: bool = False
    other: bool = False
    none: bool = False
    strongest: bool = False


class Phrases(Adjuncts):
    """Reads noun phrases of one question; each position is read once."""

    def __init__(self, items: Items) -> None:
        super().__init__(items)
        self._known: dict[tuple[int, bool], tuple[Read, ...]] = {}
        self._open: set[tuple[int, bool]] = set()

    def phrase(self, at: int, *, bare: bool = False) -> tuple[Read, ...]:
        """Noun phrases that begin here, longest first; ``bare``: without anything behind the noun."""
        key = (at, bare)
        if key not in self._known:
            if key in self._open or at >= len(self.items):
                return ()
            self._open.add(key)
            found = dict.fromkeys(self._phrase(at, bare=bare))
            self._known[key] = tuple(sorted(found, key=lambda x: -x[0])[: 2 * MAX_READINGS])
            self._open.discard(key)
        return self._known[key]

    def _phrase(self, at: int, *, bare: bool) -> Iterator[Read]:
        for opening in self._openings(at):
            yield from self._several(opening)
            for end, ref in self._core(opening.end, opening):
                made = _opened(ref, self._own_size(ref, opening), self._measurement_of(ref))
                if made is None:
                    continue
                if bare:
                    yield end, made
                else:
                    yield from self._behind(end, made)

    def _several(self, opening: Opening) -> Iterator[Read]:
        """ "two muons", "at least three K+": how often the members of a list are what is named."""
        number = opening.number or (Number(Size.EXACTLY, opening.keep) if opening.keep else None)
        if number is None or opening.ranked or number.size not in _TIMES:
            return
        for end, ref in self.items.named(opening.end):
            if self.items.graph.is_many(ref.kind) and len(ref.tests) == 1:
                yield end, replace(ref, tests=(replace(ref.tests[0], times=number),))

    def _own_size(self, ref: Ref, opening: Opening) -> Opening:
        """ "the smallest uncertainty": a number is small by itself."""
        ranked = opening.ranked
        if isinstance(ranked, Extreme) and ranked.kind is None and self.items.graph.is_number(ref.kind):
            return replace(opening, ranked=replace(ranked, kind=ref.kind))
        return opening

    def _measurement_of(self, ref: Ref) -> Kind | None:
        """The kind of the values of a named quantity."""
        measured = self.items.measurement
        if measured is None or not ref.named or ref.kind not in self.items.graph.ends(measured)[1]:
            return None
        return measured

    def _openings(self, at: int) -> Iterator[Opening]:
        """Determiner, number and superlative, in any of their usual orders."""
        items = self.items
        start = Opening(at)
        end = items.match(at, en.EACH)
        if end:
            yield replace(start, end=end, each=True)
        if items.word(at) in ("no", "any"):
            yield replace(start, end=at + 1, none=items.word(at) == "no")
        end = items.match(at, en.OTHER)
        if end:
            yield replace(start, end=end, other=True)
        yield from self._numbered(start)
        determined = items.match(at, en.DETERMINERS)
        if determined:
            yield from self._numbered(replace(start, end=determined))

    def _numbered(self, opening: Opening) -> Iterator[Opening]:
        items, at = self.items, opening.end
        yield opening
        yield from self._ranked(opening)
        for words, size in en.SIZES:
            if items.words[at : at + len(words)] == words:
                number = items.number(at + len(words))
                if number is not None:
                    yield replace(opening, end=at + len(words) + 1, number=Number(size, number))
        single = items.match(at, en.SINGLE)
        if single:
            yield replace(opening, end=single, number=Number(Size.EXACTLY, 1))
        number = items.number(at)
        if number is not None:
            if items.words[at + 1 : at + 3] == ("or", "more"):
                yield replace(opening, end=at + 3, number=Number(Size.AT_LEAST, number))
            else:
                counted = replace(opening, end=at + 1, keep=number)
                yield counted
                yield from self._ranked(counted)

    def _ranked(self, opening: Opening) -> Iterator[Opening]:
        items, at = self.items, opening.end
        for phrases, descending in ((en.MOST, True), (en.FEWEST, False)):
            end = items.match(at, phrases)
            if end:
                yield replace(opening, end=end, ranked=Most(descending))
        for phrases, extreme in self._extremes():
            end = items.match(at, phrases)
            if end:
                number = items.number(end)
                last = end + 1 if number is not None else end
                yield replace(opening, end=last, ranked=extreme, keep=number or opening.keep)
        end = items.match(at, en.STRONGEST)
        if end:
            yield replace(opening, end=end, strongest=True)

    def _extremes(self) -> Iterator[tuple[tuple[en.Phrase, ...], Extreme]]:
        if self.items.year is not None:
            yield en.LATEST, Extreme(self.items.year, True)
            yield en.EARLIEST, Extreme(self.items.year, False)
        yield en.LARGEST, Extreme(None, True)
        yield en.SMALLEST, Extreme(None, False)
        if self.items.measurement is not None:
            error = derived(self.items.measurement.owner, Derived.TOTAL)
            yield en.PRECISE, Extreme(error, False)
            yield en.IMPRECISE, Extreme(error, True)

    def _core(self, at: int, opening: Opening) -> Iterator[Read]:
        """Modifiers and the noun; or a name."""
        if not (opening.number or opening.keep or opening.each or opening.none):
            yield from self.items.named(at)
        if self.items.word(at) == "measured" and not opening.each:
            yield from self._measured(at + 1)
        yield from self._modified(at, ())

    def _measured(self, at: int) -> Iterator[Read]:
        """ "the measured W mass": its measured values."""
        for end, ref in self.items.named(at):
            measurement = self._measurement_of(ref)
            if measurement is not None:
                yield end, Ref(measurement, groups=(Group((Part((ref,)),)),))

    def _modified(self, at: int, parts: tuple[Part, ...]) -> Iterator[Read]:
        items = self.items
        if at >= len(items) or len(parts) > 4:
            return
        for end, ref in items.nouns(at):
            group = (Group(parts),) if parts else ()
            yield end, replace(ref, groups=(*ref.groups, *group))
            for last, owned in self._compound(end, ref):
                yield last, replace(owned, groups=(*owned.groups, *group))
        if items.word(at) in en.FILLING:
            for end, ref in self._modified(at + 1, parts):
                yield end, self._with_value(ref) if items.word(at) in en.MEASURED else ref
        state = items.state(at)
        if state is not None:
            yield from self._modified(state[0], (*parts, Part((state[1],))))
        bodies = self._bodies(at)
        if bodies is not None:
            yield from self._with_size(at + bodies[0], parts, bodies[1])
        level = items.bound(at)
        if level is not None and items.measurement and level[2] != VALUE:
            kind = value(items.measurement.owner, level[2])
            yield from self._modified(level[0], (*parts, Part((Ref(kind, level[1]),))))
        for end, ref in items.named(at):
            if not items.comma_before(end):
                yield from self._modified(end, (*parts, Part((ref,), preposition="noun")))

    def _with_value(self, ref: Ref) -> Ref:
        """ "a measured mass": a quantity that has a measured value."""
        measured = self.items.measurement
        if measured is None or ref.kind not in self.items.graph.ends(measured)[1]:
            return ref
        return replace(ref, groups=(*ref.groups, Group((Part((Ref(measured),)),))))

    def _compound(self, at: int, ref: Ref) -> Iterator[Read]:
        """ "decay parents": a value's noun behind that of the things that have it."""
        for end, owned in self.items.nouns(at):
            if owned.kind.is_value and self.items.graph.owner(owned.kind) == ref.kind and not ref.groups:
                yield end, owned

    def _bodies(self, at: int) -> tuple[int, int] | None:
        """Words and number of "two-body", "3 body"."""
        word = self.items.word(at)
        head, _, tail = word.partition("-")
        if tail in ("body", "particle", "prong"):
            number = en.BODIES.get(head) or (int(head) if head.isdigit() else None)
            return (1, number) if number else None
        if self.items.word(at + 1) == "body":
            number = en.BODIES.get(word) or (int(word) if word.isdigit() else None)
            return (2, number) if number else None
        return None

    def _with_size(self, at: int, parts: tuple[Part, ...], number: int) -> Iterator[Read]:
        for end, ref in self._modified(at, parts):
            listed = self.items.list_of(ref.kind)
            if listed is not None:
                size = derived(listed.owner, Derived.SIZE, listed.attribute)
                test = Test(Op.IS, number, str(number))
                yield end, replace(ref, groups=(*ref.groups, limits(size, test)))

    # What stands behind a noun

    def _behind(self, at: int, ref: Ref) -> Iterator[Read]:
        yield at, ref
        if ref.named:
            measured = self._measurement_of(ref)
            found = self.items.bound(at) if measured and at < len(self.items) else None
            if measured and found and found[2] == VALUE:
                number = Ref(value(measured.owner, VALUE), found[1])
                yield found[0], Ref(measured, groups=(Group((Part((ref,)), Part((number,)))),))
            return
        for end, changed in self._compared(at, ref):
            yield from self._behind(end, changed)
        for end, parts in self._tail(at, ref, ()):
            group = Group(parts)
            yield end, replace(ref, groups=_joined(ref.groups, group))

    def _tail(self, at: int, ref: Ref, parts: tuple[Part, ...]) -> Iterator[tuple[int, tuple[Part, ...]]]:
        """Prepositional phrases in a row."""
        if len(parts) > 4:
            return
        for end, part in self.adjunct(at, ref.kind):
            yield end, (*parts, part)
            yield from self._tail(end, ref, (*parts, part))

    def _compared(self, at: int, ref: Ref) -> Iterator[Read]:
        """ "above 5 GeV", "larger than the statistical error" behind a number."""
        items = self.items
        if not items.graph.is_number(ref.kind) or ref.tests or ref.contrast:
            return
        start = at + 1 if items.word(at) in ("of", "that", "is", "was", "lies") else at
        start = start + 1 if items.word(start) == "is" else start
        found = items.bound(start)
        if found is not None and found[2] == VALUE:
            yield found[0], replace(ref, tests=found[1])
        for phrases, op in ((en.LARGER, Op.ABOVE), (en.SMALLER, Op.BELOW)):
            end = items.match(start, phrases)
            if end:
                begin = items.match(end, en.DETERMINERS) or end
                for last, other in items.nouns(begin)[:1]:
                    if items.graph.is_number(other.kind) and other.kind != ref.kind:
                        yield last, replace(ref, contrast=Contrasted(op, other.kind))


def _opened(ref: Ref, opening: Opening, measurement: Kind | None) -> Ref | None:
    """The noun with what stands before it; ``None`` where that makes no sense."""
    ranked = opening.ranked
    if opening.strongest:
        limits = [r for g in ref.groups for p in g.parts for r in p.refs if r.kind.attribute == LIMIT]
        if not limits or not limits[0].tests or limits[0].tests[0].op is not Op.IS:
            return None
        ranked = Extreme(None, limits[0].tests[0].value == "lower")
    if isinstance(ranked, Extreme) and ranked.kind is None and _is_open_limit(ref):
        return None
    if ref.named and isinstance(ranked, Extreme) and measurement is not None and not opening.each:
        ref = Ref(measurement, groups=(Group((Part((ref,)),)),))
    elif ref.named and (opening.each or opening.number or opening.keep or ranked):
        return None
    number = Number(Size.FEWER, 1) if opening.none else opening.number
    return replace(
        ref, number=number, ranked=ranked, keep=opening.keep, each=opening.each, other=opening.other
    )


def _joined(groups: tuple[Group, ...], group: Group) -> tuple[Group, ...]:
    """What stands before and behind a noun is said of one event."""
    if groups and not groups[-1].negated and not groups[-1].relation:
        return (*groups[:-1], replace(groups[-1], parts=(*groups[-1].parts, *group.parts)))
    return (*groups, group)


def _is_open_limit(ref: Ref) -> bool:
    """Whether it is a limit of which it is not said whether it is an upper or a lower one."""
    refs = (r for g in ref.groups for p in g.parts for r in p.refs)
    return any(r.kind.attribute == LIMIT and any(t.op is Op.KNOWN for t in r.tests) for r in refs)
