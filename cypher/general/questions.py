"""Kinds of sentences: which thing is asked for, and what of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from cypher.general import english as en
from cypher.general.clauses import Clauses
from cypher.general.items import Items
from cypher.general.kinds import Kind, statement
from cypher.general.plan import Comparing, Function
from cypher.general.refs import Extreme, Group, Mode, Most, Part, Ref


class Asks(StrEnum):
    """What is asked of a thing."""

    LIST = "list"
    COUNT = "count"
    EXISTS = "exists"
    GROUP = "group"
    AGGREGATE = "aggregate"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence: ``ref`` is what is listed, counted or looked for."""

    asks: Asks
    ref: Ref
    key: Kind | None = None
    """Of a count by groups."""
    function: Function = Function.MEAN
    how: Comparing = Comparing.WHETHER_MORE
    sides: tuple[Part, Part] | None = None
    """What is compared; each is added to ``ref``."""


class Questions:
    """Reads one question as a whole; every word must have its place."""

    def __init__(self, items: Items, clauses: Clauses) -> None:
        self.items, self.clauses = items, clauses
        self.phrases = clauses.phrases

    def read(self) -> Iterator[Asked]:
        """Every reading of the whole question."""
        if any(self.items.stop_before(i) for i in range(len(self.items))):
            return
        for end, asked in self._all():
            last = self.items.match(end, en.ENDINGS) or end
            if last >= len(self.items):
                yield asked

    def _all(self) -> Iterator[tuple[int, Asked]]:
        yield from self._counts(0)
        yield from self._grouped_first()
        yield from self._aggregates(0)
        yield from self._compared()
        yield from self._whether(0)
        yield from self._which(0)
        yield from self._lists(0)

    # Lists

    def _lists(self, at: int) -> Iterator[tuple[int, Asked]]:
        items = self.items
        start = items.match(at, en.IMPERATIVES) or at
        what = items.match(start, en.WHICH)
        if what and items.word(what) in ("is", "are", "was", "were"):
            start = what + 1
        for end, ref in self.clauses.full_phrase(start):
            if not ref.named and not ref.each:
                yield end, Asked(Asks.LIST, ref)
                yield from self._by_number(end, ref)

    def _by_number(self, at: int, ref: Ref) -> Iterator[tuple[int, Asked]]:
        """ "the top 3 experiments by number of papers on X"."""
        if isinstance(ref.ranked, Extreme) and self.items.words[at : at + 3] == ("by", "number", "of"):
            for end, other in self.clauses.full_phrase(at + 3):
                if not other.named:
                    yield end, Asked(Asks.LIST, _by_most(ref, other))

    # "which" and "who"

    def _which(self, at: int) -> Iterator[tuple[int, Asked]]:
        items = self.items
        for start, ref in self._asked_things(at):
            yield from ((end, Asked(Asks.LIST, full)) for end, full in self._said(start, ref))
        if items.word(at) in en.IN_WHICH:
            for start, ref in self._asked_things(at + 1):
                yield from ((end, Asked(Asks.LIST, full)) for end, full in self._said(start, ref))

    def _asked_things(self, at: int) -> Iterator[tuple[int, Ref]]:
        items = self.items
        which = items.match(at, en.WHICH)
        if items.words[at : at + 1] == ("what",) and items.word(at + 1) in en.AUXILIARIES:
            yield from self._what_did(at + 1)
        if which and items.word(which) == "of":
            for end, part in self.phrases.coordinated(which + 1):
                yield from self._one_of(end, part)
        elif which:
            yield from self._nouns_after(which)
        elif items.word(at) in ("who", "whom"):
            yield from ((at + 1, r) for r in self._persons())
        elif items.word(at) == "when" and items.year:
            yield at + 1, Ref(items.year)

    def _what_did(self, at: int) -> Iterator[tuple[int, Ref]]:
        """ "what did LHCb measure": things that the verb's relation is about."""
        for end, group in self.clauses.object_clause(at):
            if group.relation:
                objects = self.items.graph.ends(statement(group.relation))[1]
                yield from ((end, Ref(kind, groups=(group,))) for kind in objects)

    def _nouns_after(self, at: int) -> Iterator[tuple[int, Ref]]:
        yield from self.clauses.full_phrase(at)
        number = self.items.number(at)
        if number is not None:
            yield from ((e, replace(r, keep=number)) for e, r in self.phrases.phrase(at + 1))

    def _one_of(self, at: int, part: Part) -> Iterator[tuple[int, Ref]]:
        """ "which of A, B and C": the kind, with the members that may be answers."""
        if len(part.refs) == 1 and not part.refs[0].named:
            yield at, part.refs[0]
        kinds = {r.kind for r in part.refs}
        if len(kinds) == 1 and len(part.refs) > 1 and all(r.named for r in part.refs):
            yield (
                at,
                Ref(next(iter(kinds)), groups=(Group((replace(part, mode=Mode.ANY, preposition="self"),)),)),
            )

    def _persons(self) -> Iterator[Ref]:
        for word in en.PERSONS:
            found = self.items.nouns_of(word)
            if found:
                yield from found
                return

    def _said(self, at: int, ref: Ref) -> Iterator[tuple[int, Ref]]:
        """What is said of the thing that is asked for: nothing more, a predicate, or a clause around it."""
        if ref.named:
            return
        yield at, ref
        for end, groups in self.clauses.predicates(at, ref.kind):
            yield end, replace(ref, groups=(*ref.groups, *groups))
        for end, group in self.clauses.object_clause(at):
            yield end, replace(ref, groups=(*ref.groups, group))
        if self.items.word(at) in ("is", "are", "was", "were"):
            for end, inner in self.clauses.full_phrase(at + 1):
                if inner.contrast is not None or inner.tests or not inner.named:
                    group = Group((Part((inner,)),))
                    yield end, replace(ref, groups=(*ref.groups, group))
                    last = end + 1 if self.items.word(end) in en.VERBS else 0
                    if last:
                        yield last, replace(ref, groups=(*ref.groups, group))

    # Numbers

    def _counts(self, at: int) -> Iterator[tuple[int, Asked]]:
        items = self.items
        start = items.match(at, en.COUNTING)
        if start:
            for end, ref in self._counted(start):
                yield end, Asked(Asks.COUNT, ref)
                yield from self._by(end, ref)
        if items.words[at : at + 2] == ("how", "often") or items.words[at : at + 3] == (
            "how",
            "many",
            "times",
        ):
            start = at + (2 if items.word(at + 1) == "often" else 3)
            for end, group in self.clauses.object_clause(start):
                for kind in (items.measurement,) if items.measurement else ():
                    yield end, Asked(Asks.COUNT, Ref(kind, groups=(group,)))

    def _counted(self, at: int) -> Iterator[tuple[int, Ref]]:
        for end, ref in self.clauses.full_phrase(at):
            if ref.named or ref.ranked or ref.keep:
                continue
            for last, full in self._said(end, ref):
                yield last, full
            there = self.items.match(end, (("are", "there"), ("is", "there"), ("exist",)))
            if there:
                for last, part in self.phrases.adjunct(there, ref.kind):
                    yield last, replace(ref, groups=(*ref.groups, Group((part,))))

    def _by(self, at: int, ref: Ref) -> Iterator[tuple[int, Asked]]:
        start = self.items.match(at, en.GROUPED)
        if not start:
            return
        for end, key in self.items.nouns(start):
            for last in self._after_key(end):
                yield last, Asked(Asks.GROUP, ref, key.kind)
                for final, groups in self.clauses.predicates(last, ref.kind):
                    yield final, Asked(Asks.GROUP, replace(ref, groups=(*ref.groups, *groups)), key.kind)
                for final, part in self.phrases.adjunct(last, ref.kind):
                    more = replace(ref, groups=(*ref.groups, Group((part,))))
                    yield final, Asked(Asks.GROUP, more, key.kind)

    def _after_key(self, at: int) -> Iterator[int]:
        yield at
        for end, _ in self.items.nouns(at):
            yield end

    def _grouped_first(self) -> Iterator[tuple[int, Asked]]:
        """ "For each year, how many papers ..."."""
        items = self.items
        start = items.match(0, (("for", "each"), ("for", "every"), ("in", "each"), ("per",)))
        if not start:
            return
        for end, key in items.nouns(start):
            how = items.match(end, (*en.COUNTING, ("give", "the", "number", "of"), ("count", "the")))
            if how:
                for last, ref in self._counted(how):
                    yield last, Asked(Asks.GROUP, ref, key.kind)

    def _aggregates(self, at: int) -> Iterator[tuple[int, Asked]]:
        items = self.items
        start = (
            items.match(at, (("what", "is"), ("what", "was"), ("compute",), ("calculate",), *en.IMPERATIVES))
            or at
        )
        start = start + 1 if items.word(start) in ("the", "an", "a") else start
        for function, phrases in en.FUNCTIONS.items():
            end = items.match(start, phrases)
            if not end:
                continue
            if items.words[start:end] == ("average",) and not self._is_of_many(end):
                continue
            end = end + 1 if items.word(end) in ("of", "over") else end
            for last, ref in self.clauses.full_phrase(end):
                if not ref.named and not ref.ranked:
                    yield last, Asked(Asks.AGGREGATE, ref, function=function)

    def _is_of_many(self, at: int) -> bool:
        """ "average of all measurements" and not the average that a listing gives."""
        return (
            self.items.word(at) in ("of", "over")
            and self.items.word(at + 1) in ("all", "the", "measured")
            and any(
                r.kind == self.items.measurement for i in (at + 2, at + 3) for _, r in self.items.nouns(i)
            )
        )

    # Truth

    def _whether(self, at: int) -> Iterator[tuple[int, Asked]]:
        items = self.items
        there = items.match(at, (("is", "there"), ("are", "there"), ("was", "there"), ("were", "there")))
        if there:
            for end, ref in self.clauses.full_phrase(there):
                if not ref.named:
                    yield end, Asked(Asks.EXISTS, ref)
            return
        if items.word(at) not in en.AUXILIARIES:
            return
        for end, part in self.phrases.coordinated(at + 1):
            for subject in _subjects(part):
                for last, groups in self.clauses.predicates(end, subject.kind):
                    full = replace(subject, groups=(*subject.groups, *groups), named="")
                    yield last, Asked(Asks.EXISTS, full)

    # Comparisons

    def _compared(self) -> Iterator[tuple[int, Asked]]:
        yield from self._more_than()
        yield from self._which_more()
        yield from self._differences()
        yield from self._fractions()

    def _more(self, at: int) -> Iterator[tuple[int, bool]]:
        for how, phrases in en.COMPARED.items():
            end = self.items.match(at, phrases)
            if end:
                yield end, how is Comparing.WHICH_MORE

    def _more_than(self) -> Iterator[tuple[int, Asked]]:
        """ "Did A publish more N than B", "Are there more N on A than on B", "how many more ... than"."""
        items = self.items
        counted = items.match(0, (("how", "many"), ("by", "how", "many")))
        for than in (i for i in range(len(items)) if items.word(i) == "than"):
            for at in range(counted or 0, than):
                for after, more in self._more(at):
                    if counted and at != counted:
                        continue
                    yield from self._sides(at, after, than, more, counted=bool(counted))

    def _sides(
        self, at: int, after: int, than: int, more: bool, *, counted: bool
    ) -> Iterator[tuple[int, Asked]]:
        items = self.items
        how = Comparing.DIFFERENCE if counted else Comparing.WHETHER_MORE if more else Comparing.WHETHER_FEWER
        for end, ref in self.clauses.full_phrase(after):
            if ref.named:
                continue
            if counted:
                yield from self._difference_sides(end, ref, than, how)
                continue
            there = items.match(0, (("are", "there"), ("is", "there")))
            if there and there == at:
                yield from self._contrasted(end, ref, than, how)
            elif items.word(0) in en.AUXILIARIES:
                for name_end, part in self.phrases.coordinated(1):
                    if self._only_light(name_end, at) and _is_name(part):
                        yield from self._second_side(end, ref, than, how, part)

    def _difference_sides(self, at: int, ref: Ref, than: int, how: Comparing) -> Iterator[tuple[int, Asked]]:
        items = self.items
        yield from self._contrasted(at, ref, than, how)
        if items.word(at) in en.AUXILIARIES:
            for end, part in self.phrases.coordinated(at + 1):
                if _is_name(part):
                    yield from self._second_side(self._skip_light(end), ref, than, how, part)

    def _second_side(
        self, at: int, ref: Ref, than: int, how: Comparing, first: Part
    ) -> Iterator[tuple[int, Asked]]:
        """B behind "than"; what follows holds for both."""
        extra: list[tuple[int, tuple[Part, ...]]] = [(at, ())]
        extra += [(e, (p,)) for e, p in self.phrases.adjunct(at, ref.kind)]
        for here, before in extra:
            if here != than:
                continue
            for end, second in self.phrases.coordinated(than + 1):
                if not _is_name(second) or second.refs[0].kind != first.refs[0].kind:
                    continue
                after = end + 1 if self.items.word(end) in ("did", "does", "has", "have", "do") else end
                yield after, self._compare(ref, how, first, second, before)
                for last, part in self.phrases.adjunct(after, ref.kind):
                    yield last, self._compare(ref, how, first, second, (*before, part))

    def _contrasted(self, at: int, ref: Ref, than: int, how: Comparing) -> Iterator[tuple[int, Asked]]:
        """ "more papers on A than on B": the last phrase of the noun is the first side."""
        if not ref.groups or not ref.groups[-1].parts:
            return
        *rest, first = ref.groups[-1].parts
        last = replace(ref.groups[-1], parts=tuple(rest))
        bare = replace(ref, groups=(*ref.groups[:-1], *([last] if rest else [])))
        there = self.items.match(at, (("are", "there"),)) or at
        for here, behind in ((there, than + 1), (at, than + 1)):
            if here != than or not _is_name(first):
                continue
            start = behind + 1 if self.items.word(behind) in en.PREPOSITIONS else behind
            for end, second in self.phrases.coordinated(start):
                if _is_name(second) and second.refs[0].kind == first.refs[0].kind:
                    after = self.items.match(end, (("are", "there"),)) or end
                    for final in (after, self._noun_again(after, bare)):
                        yield final, self._compare(bare, how, first, second, ())
            for end, again in self.phrases.phrase(behind):
                if again.kind == bare.kind and len(again.groups) == 1 and len(again.groups[0].parts) == 1:
                    yield end, self._compare(bare, how, first, again.groups[0].parts[0], ())

    def _noun_again(self, at: int, ref: Ref) -> int:
        return next((e for e, r in self.items.nouns(at) if r.kind == ref.kind), at)

    def _compare(self, ref: Ref, how: Comparing, first: Part, second: Part, more: tuple[Part, ...]) -> Asked:
        full = replace(ref, groups=(*ref.groups, *([Group(more)] if more else [])))
        return Asked(Asks.COMPARE, full, how=how, sides=(first, second))

    def _only_light(self, start: int, end: int) -> bool:
        """Whether nothing but auxiliaries and verbs without meaning stand between."""
        items = self.items
        return all(
            items.word(i) in en.AUXILIARIES | en.VERBS or any(v.end > i for v in items.verbs(i))
            for i in range(start, end)
        )

    def _skip_light(self, at: int) -> int:
        while self.items.word(at) in en.VERBS | en.AUXILIARIES:
            at += 1
        return at

    def _which_more(self) -> Iterator[tuple[int, Asked]]:
        """ "Which has more N, A or B", "Which of A and B has more N", "Who published more N, A or B"."""
        items = self.items
        which = items.match(0, (*en.WHICH, ("who",)))
        if not which:
            return
        if items.word(which) == "of":
            for end, part in self.phrases.coordinated(which + 1):
                if len(part.refs) == 2 and _is_name(Part(part.refs[:1])):
                    yield from self._more_of(end, part)
        starts = [which, *(e for e, _ in items.nouns(which))]
        for start in starts:
            for at in range(start, min(start + 4, len(items))):
                if self._only_light(start, at):
                    yield from self._more_of(at, None)

    def _more_of(self, at: int, part: Part | None) -> Iterator[tuple[int, Asked]]:
        start = self._skip_light(at)
        for after, more in self._more(start):
            how = Comparing.WHICH_MORE if more else Comparing.WHICH_FEWER
            for end, ref in self.clauses.full_phrase(after):
                if not ref.named:
                    yield from self._which_sides(end, ref, how, part)
        for phrases, how in ((en.BIGGER, Comparing.WHICH_MORE), (en.LESSER, Comparing.WHICH_FEWER)):
            after = self.items.match(start, phrases)
            if after:
                for end, ref in self.items.nouns(after):
                    if self.items.graph.is_number(ref.kind):
                        yield from self._which_sides(end, ref, how, part)

    def _which_sides(
        self, at: int, ref: Ref, how: Comparing, part: Part | None
    ) -> Iterator[tuple[int, Asked]]:
        if part is not None:
            yield at, self._compare(ref, how, Part(part.refs[:1]), Part(part.refs[1:]), ())
            return
        start = at + 1 if self.items.word(at) == "of" else at
        for end, sides in self.phrases.coordinated(start):
            if len(sides.refs) == 2 and sides.mode is Mode.ANY and all(r.named for r in sides.refs):
                yield end, self._compare(ref, how, Part(sides.refs[:1]), Part(sides.refs[1:]), ())

    def _differences(self) -> Iterator[tuple[int, Asked]]:
        """ "the difference between the number of N1 and the number of N2", "the ratio of ... to ..."."""
        items = self.items
        start = items.match(0, (("what", "is"), ("what", "was"), ("give",), ("compute",))) or 0
        start = start + 1 if items.word(start) == "the" else start
        for words, joints, how in (
            (("difference", "between"), ("and",), Comparing.DIFFERENCE),
            (("difference", "in"), ("and",), Comparing.DIFFERENCE),
            (("ratio", "of"), ("to", "and"), Comparing.RATIO),
            (("ratio", "between"), ("and", "to"), Comparing.RATIO),
        ):
            if items.words[start : start + 2] == words:
                yield from self._two_numbers(start + 2, joints, how)

    def _two_numbers(self, at: int, joints: tuple[str, ...], how: Comparing) -> Iterator[tuple[int, Asked]]:
        numbers = (("the", "number", "of"), ("number", "of"), ("the", "numbers", "of"))
        first_at = self.items.match(at, numbers)
        if not first_at:
            return
        for end, first in self.clauses.full_phrase(first_at):
            if self.items.word(end) not in joints or first.named:
                continue
            second_at = self.items.match(end + 1, (*numbers, ("that", "of"))) or end + 1
            for last, second in self.clauses.full_phrase(second_at):
                if second.kind == first.kind and not second.named:
                    sides = (Part((first,), preposition="whole"), Part((second,), preposition="whole"))
                    yield last, Asked(Asks.COMPARE, Ref(first.kind), how=how, sides=sides)

    def _fractions(self) -> Iterator[tuple[int, Asked]]:
        """ "what fraction of the papers on X is from LHCb"."""
        items = self.items
        start = items.match(
            0,
            (
                ("what", "fraction", "of"),
                ("what", "share", "of"),
                ("which", "fraction", "of"),
                ("what", "proportion", "of"),
            ),
        )
        if not start:
            return
        for end, whole in self.clauses.full_phrase(start):
            if whole.named:
                continue
            for last, groups in self.clauses.predicates(end, whole.kind):
                part = replace(whole, groups=(*whole.groups, *groups))
                sides = (Part((part,), preposition="whole"), Part((whole,), preposition="whole"))
                yield last, Asked(Asks.COMPARE, Ref(whole.kind), how=Comparing.RATIO, sides=sides)


def _is_name(part: Part) -> bool:
    return len(part.refs) == 1 and bool(part.refs[0].named)


def _subjects(part: Part) -> Iterator[Ref]:
    """The subject of a question that is answered by yes or no."""
    if len(part.refs) == 1:
        yield part.refs[0]


def _by_most(ref: Ref, counted: Ref) -> Ref:
    """ "the top 3 experiments by number of papers" as "the 3 experiments with the most papers"."""
    descending = bool(getattr(ref.ranked, "descending", True))
    group = Group((Part((replace(counted, ranked=Most(descending)),), preposition="with"),))
    return replace(ref, ranked=None, groups=(*ref.groups, group))
