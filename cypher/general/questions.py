"""Kinds of sentences: which thing is asked for, and what of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cypher.general import english as en
from cypher.general.asked import Asked, Asks
from cypher.general.averaged import averaged
from cypher.general.clauses import Clauses
from cypher.general.comparisons import Comparisons
from cypher.general.items import Items
from cypher.general.kinds import statement
from cypher.general.refs import EVERY, Extreme, Group, Mode, Most, Part, Ref


class Questions:
    """Reads one question as a whole; every word must have its place."""

    def __init__(self, items: Items, clauses: Clauses) -> None:
        self.items, self.clauses = items, clauses
        self.phrases = clauses.phrases

    def read(self) -> Iterator[Asked]:
        """Every reading of the whole question."""
        items = self.items
        if any(items.stop_before(i) or self._is_outside(i) for i in range(len(items))):
            return
        for end, asked in self._all():
            last = self.items.match(end, en.ENDINGS) or end
            if last >= len(self.items):
                yield asked

    def _is_outside(self, at: int) -> bool:
        """Whether a word points outside the question, or asks something of every one of some things."""
        items = self.items
        word = items.word(at)
        if word in en.POINTERS or items.match(at, en.RELATIVE_DATES):
            return True
        if word in ("that", "those") and items.nouns(at + 1) and not items.verbs(at + 1):
            return True
        whole = word in ("all", "every")
        return whole and (items.word(0) in en.AUXILIARIES or any(self._names(i) for i in range(at)))

    def _names(self, at: int) -> bool:
        items = self.items
        return (
            bool(items.verbs(at) or items.nouns(at) or items.named(at)) and items.word(at) not in en.FILLING
        )

    def _all(self) -> Iterator[tuple[int, Asked]]:
        yield from self._counts(0)
        yield from self._grouped_first()
        yield from self._aggregates(0)
        yield from Comparisons(self.items, self.clauses).read()
        yield from self._whether(0)
        yield from self._of_each()
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

    def _of_each(self) -> Iterator[tuple[int, Asked]]:
        """ "The lowest limit on X of each experiment", "for each experiment, the smallest error of X"."""
        items = self.items
        first = items.match(0, en.FOR_EACH)
        for end, key in items.nouns(first) if first else ():
            start = items.match(end, (*en.WHAT_IS, *en.IMPERATIVES)) or end
            for last, ref in self.clauses.full_phrase(start):
                yield from self._extreme_of(last, ref, key)
        start = items.match(0, (*en.WHAT_IS, *en.IMPERATIVES))
        if not any(items.match(i, en.OF_EACH) for i in range(start, len(items))):
            return
        for end, ref in self.clauses.full_phrase(start):
            behind = items.match(end, en.OF_EACH)
            for last, key in items.nouns(behind) if behind else ():
                yield from self._extreme_of(last, ref, key)

    def _extreme_of(self, end: int, ref: Ref, key: Ref) -> Iterator[tuple[int, Asked]]:
        """The things of a kind, each with its own largest or smallest number."""
        if not isinstance(ref.ranked, Extreme) or ref.named or ref.keep or ref.kind == key.kind:
            return
        if ref.kind == self.items.measurement or self.items.graph.is_number(ref.kind):
            if ref.kind.is_value:
                things, number = averaged(self.items.graph, replace(ref, ranked=None), None)
                ref = replace(things, ranked=Extreme(number, ref.ranked.descending))
            groups = (*key.groups, Group((Part((ref,)),)))
            yield end, Asked(Asks.LIST, replace(key, groups=groups, keep=EVERY))

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
        """ "which of A, B and C": the kind, with the members that may be answers.

        "which of the papers has the most" asks for one of them.
        """
        if len(part.refs) == 1 and not part.refs[0].named:
            yield at, replace(part.refs[0], plural=part.refs[0].plural and self.items.word(at)[-1:] != "s")
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
        start = items.match(at, (*en.WHAT_IS, ("compute",), ("calculate",), *en.IMPERATIVES)) or at
        start = start + 1 if items.word(start) in ("the", "an", "a") else start
        for function, phrases in en.FUNCTIONS.items():
            end = items.match(start, phrases)
            if not end:
                continue
            listed = items.words[start:end] == ("average",) and not self._is_of_many(end)
            end = end + 1 if items.word(end) in ("of", "over") else end
            for last, ref in self.clauses.full_phrase(end):
                if not ref.named and not ref.ranked and (ref.kind.is_value or not listed):
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


def _subjects(part: Part) -> Iterator[Ref]:
    """The subject of a question that is answered by yes or no."""
    if len(part.refs) == 1:
        yield part.refs[0]


def _by_most(ref: Ref, counted: Ref) -> Ref:
    """ "the top 3 experiments by number of papers" as "the 3 experiments with the most papers"."""
    descending = bool(getattr(ref.ranked, "descending", True))
    group = Group((Part((replace(counted, ranked=Most(descending)),), preposition="with"),))
    return replace(ref, ranked=None, groups=(*ref.groups, group))
