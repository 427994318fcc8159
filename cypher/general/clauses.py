"""Clauses: what is said of a thing with a verb, as groups of phrases that belong to one event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cypher.form import Op
from cypher.general import english as en
from cypher.general.items import Items
from cypher.general.kinds import Kind, statement
from cypher.general.phrases import Phrases
from cypher.general.plan import Number, Size
from cypher.general.refs import Extreme, Group, Mode, Most, Part, Ref

MAX_PARTS: Final = 5
Said = tuple[int, tuple[Group, ...]]
_HOLDING: Final = en.words(
    "have has had contain contains contained containing include includes included including "
    "involve involves into"
)
"""Verbs whose object is a member of a list of the subject."""
_RELATIVE: Final = frozenset({"that", "which", "who"})


@dataclass(frozen=True, slots=True)
class _Start:
    """Auxiliaries in front of a verb."""

    end: int
    negated: bool = False
    be: bool = False
    have: bool = False


class Clauses:
    """Reads clauses of one question."""

    def __init__(self, items: Items, phrases: Phrases) -> None:
        self.items, self.phrases = items, phrases

    def full_phrase(self, at: int) -> Iterator[tuple[int, Ref]]:
        """A noun phrase with relative clauses and participles behind it."""
        for end, ref in self.phrases.phrase(at):
            yield from self._extended(end, ref, 0)

    def _extended(self, at: int, ref: Ref, depth: int) -> Iterator[tuple[int, Ref]]:
        yield at, ref
        if depth > 2 or ref.named:
            return
        start = at + 1 if self.items.word(at) in _RELATIVE else at
        for end, groups in self.predicates(start, ref.kind):
            yield from self._extended(end, replace(ref, groups=(*ref.groups, *groups)), depth + 1)
        if start > at or self.items.word(at) not in en.VERBS:
            for end, group in self.object_clause(start, inverted=False):
                yield from self._extended(end, replace(ref, groups=(*ref.groups, group)), depth + 1)

    def predicates(self, at: int, subject: Kind) -> Iterator[Said]:
        """One verb phrase, or several joined by "and" or "but", of one subject."""
        yield from self._only_by(at)
        for end, group in self.predicate(at, subject):
            yield end, (group,)
            start = end + 1 if self.items.word(end) in ("and", "but") else 0
            start = start + 1 if start and self.items.word(start) in _RELATIVE else start
            if start:
                for last, second in self._second(start, subject, group):
                    yield last, (group, second)

    def _only_by(self, at: int) -> Iterator[Said]:
        """ "measured only by LHCb": by LHCb, and by no paper of another experiment or of an unknown one."""
        items = self.items
        for verb in items.verbs(self._start(at).end):
            if items.words[verb.end : verb.end + 2] != ("only", "by"):
                continue
            for end, ref in self.phrases.phrase(verb.end + 2):
                if ref.named and ref.kind.is_value and len(ref.tests) == 1 and not ref.groups:
                    test = ref.tests[0]
                    others = replace(ref, tests=(replace(test, op=Op.OTHER),))
                    by = Group((Part((ref,), preposition="by"),), relation=verb.relation, active=False)
                    yield end, (by, replace(by, parts=(Part((others,), preposition="by"),), negated=True))

    def _second(self, at: int, subject: Kind, first: Group) -> Iterator[tuple[int, Group]]:
        yield from self.predicate(at, subject)
        if self.items.word(at) in ("not", "never"):
            for end, part in self.phrases.coordinated(at + 1):
                if all(r.named for r in part.refs):
                    yield end, Group((replace(part, mode=Mode.ANY),), True, first.relation, first.active)

    def predicate(self, at: int, subject: Kind) -> Iterator[tuple[int, Group]]:
        """One verb phrase without its subject."""
        start = self._start(at)
        base = Group((), start.negated)
        for here, group in self._adverb_first(start.end, base):
            yield from self._verb_phrase(at, here, group, start, subject)
        if start.be:
            yield from self._first_to(start.end, base, subject)

    def _first_to(self, at: int, group: Group, subject: Kind) -> Iterator[tuple[int, Group]]:
        """ "was the first to measure X"."""
        begin = at + 1 if self.items.word(at) == "the" else at
        for after, ranked in self._adverbs(begin, group):
            noun = after + 1 if self.items.word(after) == "one" else after
            end = next((e for e, r in self.items.nouns(noun) if r.kind == subject), noun)
            if self.items.word(end) == "to":
                for verb in self.items.verbs(end + 1):
                    yield from self._arguments(verb.end, replace(ranked, relation=verb.relation), subject)
                if self.items.word(end + 1) in en.VERBS:
                    yield from self._arguments(end + 2, ranked, subject)

    def _verb_phrase(
        self, at: int, here: int, base: Group, start: _Start, subject: Kind
    ) -> Iterator[tuple[int, Group]]:
        items = self.items
        if here >= len(items):
            return
        for verb in items.verbs(here):
            if start.be and verb.active and items.word(here).endswith("s"):
                continue  # "are not limits": a noun
            active = verb.active and not start.be
            passive = not active or items.word(verb.end) == "by"
            end = verb.end + 1 if items.word(verb.end) == "by" else verb.end
            yield from self._arguments(
                end, replace(base, relation=verb.relation, active=not passive), subject
            )
        if items.word(here) in en.VERBS or start.be:
            verb_end = here + 1 if items.word(here) in en.VERBS else here
            end = verb_end + 1 if items.word(verb_end) == "by" and verb_end > here else verb_end
            yield from self._arguments(end, base, subject)
        state = items.state(here)
        if state is not None and (start.be or here == at):
            yield from self._adjuncts(state[0], replace(base, parts=(Part((state[1],)),)), subject)
        for end, ref in self.phrases.phrase(here):
            if not ref.named and items.nouns(here) and here == at:
                yield from self._adjuncts(end, replace(base, parts=(Part((ref,)),)), subject)

    def _start(self, at: int) -> _Start:
        items = self.items
        negated = be = have = False
        while True:
            word = items.word(at)
            if word in en.CONTRACTED or (word in en.NEGATIONS and word != "no"):
                negated = True
            elif word not in en.AUXILIARIES:
                return _Start(at, negated, be, have)
            be = be or word in (
                "is",
                "are",
                "was",
                "were",
                "be",
                "been",
                "being",
                "isn't",
                "aren't",
                "wasn't",
                "weren't",
            )
            have = have or word in ("has", "have", "had")
            if word in ("has", "have", "had") and not _goes_on(items, at + 1):
                return _Start(at, negated, be, False)
            at += 1

    def _arguments(self, at: int, group: Group, subject: Kind) -> Iterator[tuple[int, Group]]:
        """Object and adjuncts of a verb."""
        yield from self._adjuncts(at, group, subject)
        holds = "with" if self.items.word(at - 1) in _HOLDING else ""
        for end, part in self.phrases.coordinated(at):
            placed = replace(part, preposition=part.preposition or holds)
            for last, filled in self._filled(self.phrases.among(end, part), placed):
                yield from self._adjuncts(last, replace(group, parts=(*group.parts, filled)), subject)

    def _filled(self, at: int, part: Part) -> Iterator[tuple[int, Part]]:
        """The object, with a relative clause or participle behind it."""
        yield at, part
        if len(part.refs) == 1 and not part.refs[0].named:
            for end, ref in self._extended(at, part.refs[0], 1):
                if end > at:
                    yield end, replace(part, refs=(ref,))

    def _adjuncts(self, at: int, group: Group, subject: Kind) -> Iterator[tuple[int, Group]]:
        said = bool(group.parts or group.relation)
        if not said and group.ranked and self._is_verb(at):
            return
        if said or group.ranked or group.number:
            yield at, group
        if at >= len(self.items) or len(group.parts) >= MAX_PARTS:
            return
        for end, changed in self._adverbs(at, group):
            yield from self._adjuncts(end, changed, subject)
        measured = self.items.measurement
        heads = (
            (subject,)
            if measured is None or measured == subject or not group.relation
            else (subject, measured)
        )
        seen = set()
        for head in heads:
            for end, part in self.phrases.adjunct(at, head):
                if (end, part) not in seen:
                    seen.add((end, part))
                    yield from self._adjuncts(end, replace(group, parts=(*group.parts, part)), subject)

    def _is_verb(self, at: int) -> bool:
        """Whether a verb follows, to which an adverb in front of it belongs: "were first measured"."""
        return bool(self.items.verbs(at)) or self.items.word(at) in en.VERBS

    def _adverbs(self, at: int, group: Group) -> Iterator[tuple[int, Group]]:
        items = self.items
        for phrases, ranked in (
            (en.MOST_OFTEN, Most(True)),
            (en.LEAST_OFTEN, Most(False)),
            *(
                ((en.EARLIEST, Extreme(items.year, False)), (en.LATEST, Extreme(items.year, True)))
                if items.year
                else ()
            ),
        ):
            end = items.match(at, phrases)
            if end and not group.ranked:
                yield end, replace(group, ranked=ranked)
        precise = items.match(at, (("most", "precisely"), ("most", "accurately")))
        if precise and not group.ranked:
            extreme = next(x for p, x in self.phrases._extremes() if p is en.PRECISE)
            yield precise, replace(group, ranked=extreme)
        for words, size in (*en.SIZES, ((), Size.EXACTLY)):
            if items.words[at : at + len(words)] == words:
                after = at + len(words)
                if items.word(after) in en.TIMES:
                    yield after + 1, replace(group, number=Number(size, en.TIMES[items.word(after)]))
                number = items.number(after)
                if number is not None and items.word(after + 1) == "times":
                    yield after + 2, replace(group, number=Number(size, number))

    def object_clause(self, at: int, *, inverted: bool = True) -> Iterator[tuple[int, Group]]:
        """ "did LHCb measure in 2012", "LHCb has measured": a clause whose object is asked for."""
        items = self.items
        start = at
        negated = False
        if inverted:
            if items.word(at) not in en.AUXILIARIES | en.CONTRACTED:
                return
            negated = items.word(at) in en.CONTRACTED
            start = at + 1
        for end, part in self.phrases.coordinated(start):
            second = self._start(end)
            here = second.end
            subject = replace(part, preposition="by")
            group = Group((subject,), negated or second.negated)
            for ready, full in self._adverb_first(here, group):
                for verb in items.verbs(ready):
                    if verb.active and not second.be and not self._can_do(part, verb.relation):
                        continue
                    known = replace(full, relation=verb.relation)
                    yield from self._arguments(verb.end, known, part.refs[0].kind)
                if items.word(ready) in en.VERBS | {"have", "has"}:
                    yield from self._arguments(ready + 1, full, part.refs[0].kind)

    def _can_do(self, part: Part, relation: str) -> bool:
        """Whether the subject is one of those that do what the relation names."""
        graph, target = self.items.graph, statement(relation)
        subjects, kind = graph.ends(target)[0], part.refs[0].kind
        return any((kind, *path[:-1])[-1] in subjects for path in graph.paths(kind, target))

    def _adverb_first(self, at: int, group: Group) -> Iterator[tuple[int, Group]]:
        """The verb's place, with an adverb in front of it: "first measured"."""
        yield at, group
        yield from self._adverbs(at, group)


def _goes_on(items: Items, at: int) -> bool:
    """Whether "has" is an auxiliary: a participle follows."""
    while items.word(at) in en.AUXILIARIES | en.NEGATIONS:
        if items.word(at) == "been":
            return True
        at += 1
    word = items.word(at)
    if any(v.end > at for v in items.verbs(at)):
        return True
    return word in en.VERBS
