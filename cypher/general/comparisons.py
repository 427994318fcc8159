"""Sentences that compare two things: more than, which has more, differences, ratios and shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.general import english as en
from cypher.general.asked import Asked, Asks
from cypher.general.clauses import Clauses
from cypher.general.items import Items
from cypher.general.kinds import Kind, value
from cypher.general.plan import Comparing
from cypher.general.refs import Group, Mode, Part, Ref
from cypher.schema_graph import AVERAGE, RECOMMENDED

_MORE: Final = Comparing.WHETHER_MORE
_ARITHMETIC: Final = (
    (Comparing.DIFFERENCE, (("difference", "between"), ("difference", "in"), ("difference", "of")), ("and",)),
    (Comparing.RATIO, (("ratio", "of"), ("ratio", "between")), ("to", "and", "over")),
)


class Comparisons:
    """Reads comparisons of one question."""

    def __init__(self, items: Items, clauses: Clauses) -> None:
        self.items, self.clauses = items, clauses
        self.phrases = clauses.phrases

    def read(self) -> Iterator[tuple[int, Asked]]:
        """Every reading that compares."""
        yield from self._more_than()
        yield from self._which_more()
        yield from self._differences()
        yield from self._fractions()
        yield from self._listed_numbers()

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

    def _listed_numbers(self) -> Iterator[tuple[int, Asked]]:
        """ "Is the mass of A larger than that of B", "the ratio of the average of A to that of B"."""
        items = self.items
        if items.word(0) in ("is", "was"):
            for end, kind, first in self._listed(1, None):
                for phrases, how in ((en.LARGER, _MORE), (en.SMALLER, Comparing.WHETHER_FEWER)):
                    after = items.match(end, phrases)
                    yield from self._second_number(after, kind, first, how) if after else ()
        start = items.match(0, en.WHAT_IS)
        start = start + 1 if items.word(start) == "the" else start
        for how, words, joints in _ARITHMETIC:
            behind = items.match(start, words)
            for end, kind, first in self._listed(behind, None) if behind else ():
                if items.word(end) in joints:
                    yield from self._second_number(end + 1, kind, first, how)

    def _second_number(self, at: int, kind: Kind, first: Ref, how: Comparing) -> Iterator[tuple[int, Asked]]:
        for end, _, second in self._listed(at, kind):
            sides = (Part((first,)), Part((second,)))
            yield end, Asked(Asks.COMPARE, Ref(kind), how=how, sides=sides)

    def _listed(self, at: int, kind: Kind | None) -> Iterator[tuple[int, Kind, Ref]]:
        """A named quantity with its listed number: the recommended value, unless another one is spoken of."""
        items = self.items
        default = kind or self._average
        start = (
            items.match(at, (("that", "of", "the"), ("that", "of"))) or items.match(at, en.DETERMINERS) or at
        )
        if default is not None:
            for end, ref in items.named(start):
                if ref.kind == items.graph.owner(default):
                    yield end, default, ref
        for end, noun in items.nouns(start):
            of = end + 1 if items.word(end) in ("of", "for") else 0
            if of and noun.kind.is_value and items.graph.is_number(noun.kind) and kind in (None, noun.kind):
                behind = items.match(of, en.DETERMINERS) or of
                for last, ref in items.named(behind):
                    if ref.kind == items.graph.owner(noun.kind):
                        yield last, noun.kind, ref

    @property
    def _average(self) -> Kind | None:
        """The recommended value of a quantity, else its listed average, where the schema has one."""
        graph, measured = self.items.graph, self.items.measurement
        owners = graph.ends(measured)[1] if measured is not None else ()
        kinds = (value(o.owner, name) for name in (RECOMMENDED, AVERAGE) for o in owners)
        return next((k for k in kinds if graph.attribute(k)), None)

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
