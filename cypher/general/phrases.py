"""Noun phrases: determiners, numbers, superlatives, names, nouns, and what is said behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from cypher.form import Op
from cypher.general import english as en
from cypher.general.items import Items, limits
from cypher.general.kinds import Derived, Form, Kind, derived, value
from cypher.general.plan import Number, Size, Test
from cypher.general.refs import Contrasted, Extreme, Group, Mode, Most, Part, Ref
from cypher.schema_graph import LIMIT, VALUE

MAX_READINGS: Final = 24
"""Readings of one phrase that are followed."""
Read = tuple[int, Ref]


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


class Phrases:
    """Reads noun phrases of one question; each position is read once."""

    def __init__(self, items: Items) -> None:
        self.items = items
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
            for end, ref in self._core(opening.end, opening):
                made = _opened(ref, self._own_size(ref, opening), self._measurement_of(ref))
                if made is None:
                    continue
                if bare:
                    yield end, made
                else:
                    yield from self._behind(end, made)

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
        if items.word(at) in en.FILLING:
            yield from self._modified(at + 1, parts)
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

    def adjunct(self, at: int, head: Kind) -> Iterator[tuple[int, Part]]:
        """One prepositional phrase, date, comparison or exclusion behind a noun or verb."""
        items = self.items
        if at >= len(items):
            return
        yield from self._dates(at)
        yield from self._bounds(at, head)
        yield from self._same(at)
        yield from self._without(at)
        word = items.word(at)
        start = at
        if word in en.FILLING | en.VERBS and items.word(at + 1) in en.PREPOSITIONS and not items.nouns(at):
            start = at + 1
        phrasal = items.match(start, en.PHRASAL)
        if items.word(start) in en.PREPOSITIONS or phrasal:
            preposition = items.word(start)
            for end, part in self.coordinated(phrasal or start + 1):
                yield self.among(end, part), replace(part, preposition=preposition)
        yield from self._dates(at + 1) if word in en.FILLING | {"dated", "appearing", "out"} else ()

    def among(self, at: int, part: Part) -> int:
        """The end of "among the products" behind members of that list."""
        items = self.items
        after = items.match(at, en.AMONG)
        if not after:
            return at
        for end, noun in items.nouns(after):
            if any(r.kind == noun.kind and r.named for r in part.refs):
                return end
        return at

    def _dates(self, at: int) -> Iterator[tuple[int, Part]]:
        items, year = self.items, self.items.year
        if year is None or at >= len(items):
            return
        word, first, second = items.word(at), self._year(at + 1), self._year(at + 3)
        tests: tuple[Test, ...] = ()
        end = at + 2
        if (
            first is not None
            and word in ("since", "from")
            and items.word(at + 2) in ("onwards", "onward", "on")
        ):
            tests, end = (Test(Op.AT_LEAST, first, str(first)),), at + 3
        elif first is not None and second is not None and word in ("between", "from"):
            tests = (Test(Op.AT_LEAST, first, str(first)), Test(Op.AT_MOST, second, str(second)))
            end = at + 4
        elif first is not None and word in _DATES and not (word == "between" or (word == "from" and second)):
            op = _DATES[word]
            tests = (Test(op, first, str(first)),)
            if items.words[at + 2 : at + 4] in (("or", "later"), ("and", "later"), ("or", "after")):
                tests, end = (Test(Op.AT_LEAST, first, str(first)),), at + 4
            elif items.words[at + 2 : at + 4] in (("or", "earlier"), ("and", "earlier"), ("or", "before")):
                tests, end = (Test(Op.AT_MOST, first, str(first)),), at + 4
        if tests:
            yield end, Part((Ref(year, tests),))

    def _year(self, at: int) -> int | None:
        word = self.items.word(at)
        return int(word) if len(word) == 4 and word.isdigit() and word[:2] in ("19", "20") else None

    def _bounds(self, at: int, head: Kind) -> Iterator[tuple[int, Part]]:
        """ "above 174 GeV", "at 90% CL" of measured values."""
        measured = self.items.measurement
        if measured is None:
            return
        start = at
        while self.items.word(start) in ("at", "with", "a", "the", "lie", "lying", "of"):
            start += 1
        found = self.items.bound(start)
        if found is None:
            return
        if found[2] == VALUE and (
            head != measured or start != at + (self.items.word(at) in ("lie", "lying"))
        ):
            return
        yield found[0], Part((Ref(value(measured.owner, found[2]), found[1]),))

    def _same(self, at: int) -> Iterator[tuple[int, Part]]:
        """ "in the same year as P": the things that P has, too."""
        items = self.items
        start = at + 1 if items.word(at) in en.PREPOSITIONS else at
        start = start + 1 if items.word(start) == "the" else start
        if items.word(start) != "same":
            return
        for middle, noun in items.nouns(start + 1):
            if items.word(middle) == "as":
                for end, other in self.phrase(middle + 1, bare=True):
                    if other.named:
                        shared = replace(noun, groups=(Group((Part((other,)),)),))
                        yield end, Part((shared,), preposition="same")

    def _without(self, at: int) -> Iterator[tuple[int, Part]]:
        """ "without a pi0", "but no pi0", "not from Belle", "neither a pi0 nor a gamma"."""
        items = self.items
        start = at + 1 if items.word(at) in ("but", "and", "that") else at
        word = items.word(start)
        after = items.word(start + 1)
        if (word in en.PREPOSITIONS and after in ("no", "neither")) or (
            word in _LINKING and after in ("no", "not", "neither")
        ):
            word, start = items.word(start + 1), start + 1
        if word in (
            "without",
            "no",
            "excluding",
            "except",
            "lacking",
            "not",
            "never",
            "besides",
            "neither",
            "nor",
            "or",
        ):
            if word == "or" or (word == "nor" and at == start):
                return
            begin = start + 1
            while items.word(begin) in (
                "for",
                "from",
                "of",
                "by",
                "with",
                "in",
                "on",
                "at",
                "contain",
                "containing",
                "any",
                "to",
                "into",
            ):
                begin += 1
            preposition = items.word(begin - 1) if items.word(begin - 1) in en.PREPOSITIONS else "with"
            if word == "without" and items.verbs(begin):
                begin = items.verbs(begin)[0].end
            for end, part in self.coordinated(begin, neither=word == "neither"):
                if word in ("not", "never") and begin == start + 1 and not all(r.named for r in part.refs):
                    continue
                yield (
                    self.among(end, part),
                    replace(part, negated=True, mode=Mode.ANY, preposition=preposition),
                )
            for end, part in self._dates(begin - 1):
                yield end, replace(part, negated=True)

    # Coordination

    def coordinated(self, at: int, *, neither: bool = False) -> Iterator[tuple[int, Part]]:
        """ "A", "both A and B", "either A or B", "A, B and C", "A as well as B"."""
        items = self.items
        opening = items.word(at) if items.word(at) in ("both", "either", "neither") else ""
        start = at + 1 if opening in ("both", "either", "neither") else at
        start = start + 1 if opening == "both" and items.word(at + 1) == "of" else start
        for end, first in self.phrase(start):
            if opening not in ("both", "either", "neither") and not neither:
                yield end, Part((first,))
            if not neither or items.word(end) == "nor":
                yield from self._more(end, (first,), required=opening)

    def _more(self, at: int, refs: tuple[Ref, ...], *, required: str) -> Iterator[tuple[int, Part]]:
        if len(refs) > 5:
            return
        joint, start = self._joint(at)
        if not joint:
            if self.items.graph.is_many(refs[-1].kind) and refs[-1].named and not required:
                yield from self._side_by_side(at, refs)
            return
        for end, following in self.phrase(start):
            if following.kind != refs[-1].kind and not (following.named and refs[-1].named):
                continue
            if bool(following.named) != bool(refs[-1].named):
                continue
            every = (*refs, following)
            if joint == ",":
                yield from self._more(end, every, required=required)
                continue
            wanted = {"both": "and", "either": "or", "neither": "nor"}.get(required, joint)
            if joint == wanted:
                mode = Mode.ALL if joint == "and" else Mode.ANY
                yield end, Part(every, mode, negated=required == "neither")

    def _side_by_side(self, at: int, refs: tuple[Ref, ...]) -> Iterator[tuple[int, Part]]:
        """ "mu+ mu-": members of a list without a word between them."""
        for end, following in self.items.named(at):
            if following.kind == refs[-1].kind:
                yield end, Part((*refs, following), Mode.ALL)
                yield from self._more(end, (*refs, following), required="")

    def _joint(self, at: int) -> tuple[str, int]:
        items = self.items
        skip = partial(self._skip_preposition)
        for words, joint in (
            (("as", "well", "as"), "and"),
            (("and", "also"), "and"),
            (("and",), "and"),
            (("or",), "or"),
            (("nor",), "nor"),
        ):
            if items.words[at : at + len(words)] == words:
                return joint, skip(at + len(words))
        return (",", at) if items.comma_before(at) else ("", at)

    def _skip_preposition(self, at: int) -> int:
        return at + 1 if self.items.word(at) in ("of", "by", "on", "for", "from", "with", "in") else at


_LINKING: Final = frozenset({"having", "have", "has", "are", "is", "were", "was"})
_DATES: Final = {
    "since": Op.AT_LEAST,
    "from": Op.IS,
    "in": Op.IS,
    "of": Op.IS,
    "during": Op.IS,
    "for": Op.IS,
    "after": Op.ABOVE,
    "before": Op.BELOW,
    "until": Op.AT_MOST,
    "till": Op.AT_MOST,
    "not": Op.IS,
}


def _opened(ref: Ref, opening: Opening, measurement: Kind | None) -> Ref | None:
    """The noun with what stands before it; ``None`` where that makes no sense."""
    ranked = opening.ranked
    if opening.strongest:
        limits = [r for g in ref.groups for p in g.parts for r in p.refs if r.kind.attribute == LIMIT]
        if not limits or not limits[0].tests or limits[0].tests[0].op is not Op.IS:
            return None
        ranked = Extreme(None, limits[0].tests[0].value == "lower")
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


__all__ = ["Form", "Phrases"]
