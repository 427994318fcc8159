"""What stands behind a noun or verb: prepositional phrases, dates, comparisons, exclusions, coordination."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from cypher.form import Op
from cypher.general import english as en
from cypher.general.containing import containing
from cypher.general.groups import with_shared
from cypher.general.items import Items
from cypher.general.kinds import Kind, value
from cypher.general.plan import Test
from cypher.general.refs import Group, Mode, Part, Ref
from cypher.schema_graph import VALUE

Read = tuple[int, Ref]
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


class Adjuncts(ABC):
    """Reads adjuncts of one question; noun phrases are read by the class that has these."""

    def __init__(self, items: Items) -> None:
        self.items = items

    @abstractmethod
    def phrase(self, at: int, *, bare: bool = False) -> tuple[Read, ...]:
        """Noun phrases that begin here, longest first; ``bare``: without anything behind the noun."""

    def adjunct(self, at: int, head: Kind) -> Iterator[tuple[int, Part]]:
        """One prepositional phrase, date, comparison or exclusion behind a noun or verb."""
        items = self.items
        if at >= len(items):
            return
        yield from self._dates(at)
        yield from self._bounds(at, head)
        yield from self._same(at)
        yield from self._without(at, head)
        yield from containing(items, at)
        word = items.word(at)
        start = at
        if (
            word in en.FILLING | en.VERBS
            and items.word(at + 1) in en.PREPOSITIONS
            and not (items.nouns(at) or items.verbs(at))
        ):
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

    def _apart_from(self, at: int, head: Kind) -> Iterator[tuple[int, Part]]:
        """ "experiments other than CDF and D0": the things themselves without those that are named."""
        items = self.items
        start = items.match(at, en.APART_FROM)
        for end, part in self.coordinated(start) if start else ():
            if all(r.named and r.kind == head for r in part.refs):
                yield end, replace(part, negated=True, mode=Mode.ANY, preposition="self")

    def _without(self, at: int, head: Kind) -> Iterator[tuple[int, Part]]:
        """ "without a pi0", "but no pi0", "not from Belle", "neither a pi0 nor a gamma"."""
        yield from self._apart_from(at, head)
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
                yield end, Part(with_shared(every), mode, negated=required == "neither")

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
