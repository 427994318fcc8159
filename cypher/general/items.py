"""The words of a question with what each run of them may name: things, nouns, verbs, numbers and years."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from cypher.akin_values import meant_here
from cypher.bounds import find_bound
from cypher.form import Op
from cypher.general import english as en
from cypher.general.kinds import Derived, Form, Kind, KindGraph, derived, entity, statement, value
from cypher.general.plan import Test
from cypher.general.refs import Group, Part, Ref
from cypher.link import EntityWord
from cypher.normalise import Token
from cypher.schema_graph import LIMIT, SUPERSEDED, VALUE, error_attributes, valued_relation, year_attribute
from cypher.schema_words import (
    AttributeWord,
    Lexicon,
    Meaning,
    RelationWord,
    StatementWord,
    TypeWord,
    ValueWord,
)
from cypher.vocabulary import Vocabulary
from cypher.words import ARTICLES, stem

MAX_VALUE_WORDS: Final = 4
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_SIGNED = re.compile(r"^(.+)[+-]$")
_PRINTED = frozenset({VALUE, "value_text"})


@dataclass(frozen=True, slots=True)
class Verb:
    """Words for a relation; ``active`` when they name what the subject does."""

    end: int
    relation: str
    active: bool


class Items:
    """One question's words; every method takes a position and gives pairs of (end, what it may be)."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        *,
        graph: KindGraph,
        lexicon: Lexicon,
        vocabulary: Vocabulary,
        entities: Mapping[int, Sequence[tuple[int, EntityWord]]],
    ) -> None:
        self.text, self.tokens, self.graph = text, tokens, graph
        self._lexicon, self._vocabulary, self._entities = lexicon, vocabulary, entities
        self.words = tuple(t.text.lower() for t in tokens)
        self._stems = tuple(stem(w) for w in self.words)
        self._named: dict[int, tuple[tuple[int, Ref], ...]] = {}
        self._known: dict[int, tuple[tuple[int, Meaning], ...]] = {}
        self._nouns: dict[int, tuple[tuple[int, Ref], ...]] = {}

    def __len__(self) -> int:
        return len(self.words)

    def word(self, at: int) -> str:
        """The word in lower case; empty behind the end."""
        return self.words[at] if at < len(self.words) else ""

    def comma_before(self, at: int) -> bool:
        """Whether a comma, colon or semicolon stands in front of a word."""
        if not 0 < at < len(self.tokens):
            return False
        gap = self.text[self.tokens[at - 1].end : self.tokens[at].start]
        return any(c in gap for c in ",;:")

    def stop_before(self, at: int) -> bool:
        """Whether a sentence ends in front of a word."""
        if not 0 < at < len(self.tokens):
            return False
        gap = self.text[self.tokens[at - 1].end : self.tokens[at].start]
        return any(c in gap for c in "?!.")

    def match(self, at: int, phrases: Iterable[en.Phrase]) -> int:
        """End of the longest phrase that stands here; 0 for none."""
        return max((at + len(p) for p in phrases if self.words[at : at + len(p)] == p), default=0)

    @cached_property
    def _valued(self) -> Kind | None:
        relation = valued_relation(self.graph.schema)
        return statement(relation.name) if relation else None

    @property
    def measurement(self) -> Kind | None:
        """The kind of measured values, where the schema has such."""
        return self._valued

    @cached_property
    def year(self) -> Kind | None:
        """The kind of years, where the schema has such."""
        found = year_attribute(self.graph.schema)
        return value(*found) if found else None

    def named(self, at: int) -> tuple[tuple[int, Ref], ...]:
        """Things that are named here, longest name first."""
        if at not in self._named:
            found = [*self._entity_names(at), *self._value_names(at), *self._year_names(at)]
            self._named[at] = tuple(sorted(self._of_their_nouns(dict.fromkeys(found)), key=lambda x: -x[0]))
        return self._named[at]

    def _of_their_nouns(self, found: Iterable[tuple[int, Ref]]) -> Iterator[tuple[int, Ref]]:
        """A value with the noun of its attribute behind it is nothing else: "the D0 experiment"."""
        known = list(found)
        for end, ref in known:
            kinds = {kind for _, kind in self.attributes(end)}
            if ref.kind in kinds or not any(e == end and r.kind in kinds for e, r in known):
                yield end, ref

    def _entity_names(self, at: int) -> Iterator[tuple[int, Ref]]:
        for end, word in self._entities.get(at, ()):
            for match in word.matches:
                test = Test(Op.ONE_OF, (match.id,), f"'{match.name}'")
                yield end, Ref(entity(match.type), (test,), named=match.name)

    def _value_names(self, at: int) -> Iterator[tuple[int, Ref]]:
        for end in range(at + 1, min(len(self.words), at + MAX_VALUE_WORDS) + 1):
            phrase = self.text[self.tokens[at].start : self.tokens[end - 1].end]
            found = tuple(self._values(phrase.removesuffix("'s")))
            for word in meant_here(found, self._before(at), self._types_at(end), self._types_named):
                named = phrase if word.among else word.value
                yield end, Ref(value(word.owner, word.attribute), (_is_value(word),), named=named)
        for end, meaning in self._meanings(at):
            if isinstance(meaning, ValueWord) and meaning.attribute != LIMIT:
                test = Test(Op.IS, meaning.value, f"'{meaning.value}'")
                yield end, Ref(value(meaning.owner, meaning.attribute), (test,), named=meaning.value)

    def _before(self, at: int) -> str:
        return next((w for w in reversed(self.words[:at]) if w not in ARTICLES), "")

    def _types_at(self, at: int) -> frozenset[str]:
        return frozenset(m.type for _, m in self._meanings(at) if isinstance(m, TypeWord))

    @cached_property
    def _types_named(self) -> frozenset[str]:
        return frozenset(t for at in range(len(self.words)) for t in self._types_at(at))

    def _values(self, phrase: str) -> Iterator[ValueWord]:
        """Values of that name; a listing may give a particle with one charge, with both, or with none."""
        found = self._vocabulary.lookup(phrase)
        yield from found
        known = {(w.owner, w.attribute) for w in found}
        signed = _SIGNED.match(phrase)
        others = (f"{signed[1]}+-",) if signed else (f"{phrase}+", f"{phrase}-")
        for other in others if found else ():
            for word in self._vocabulary.lookup(other):
                if (
                    (word.owner, word.attribute) not in known
                    and word.value.endswith(other[-1])
                    and not word.many
                ):
                    known.add((word.owner, word.attribute))
                    yield word

    def _year_names(self, at: int) -> Iterator[tuple[int, Ref]]:
        if self.year is not None and _YEAR.match(self.word(at)):
            number = int(self.word(at))
            yield at + 1, Ref(self.year, (Test(Op.IS, number, str(number)),), named=str(number))

    def _meanings(self, at: int) -> tuple[tuple[int, Meaning], ...]:
        """What the schema's phrases that begin here mean, by length."""
        if at not in self._known:
            phrases = self._lexicon.phrases()
            ends = range(at + 1, min(len(self._stems), at + self._lexicon.longest_phrase) + 1)
            found = ((e, self._vocabulary.held(phrases.get(self._stems[at:e], ()))) for e in ends)
            self._known[at] = tuple((e, m) for e, meanings in found for m in meanings)
        return self._known[at]

    def nouns(self, at: int) -> tuple[tuple[int, Ref], ...]:
        """Nouns for kinds of things, longest first."""
        if at not in self._nouns:
            found = [(e, replace(r, plural=self._is_plural(e - 1))) for e, r in self._kind_nouns(at)]
            found += self._error_nouns(at)
            self._nouns[at] = tuple(sorted(dict.fromkeys(found), key=lambda x: -x[0]))
        return self._nouns[at]

    def _is_plural(self, at: int) -> bool:
        word = self.words[at]
        return word.endswith("s") and not word.endswith(("ss", "is", "us"))

    def _kind_nouns(self, at: int) -> Iterator[tuple[int, Ref]]:
        for end, meaning in self._meanings(at):
            match meaning:
                case TypeWord(name):
                    yield end, Ref(entity(name))
                case StatementWord(relation):
                    yield end, Ref(statement(relation))
                case AttributeWord(owner, name) if name != SUPERSEDED and not self._is_error(owner, name):
                    yield end, self._attribute_noun(owner, name)
                case ValueWord(owner, name, text, False):
                    yield end, self._value_noun(owner, name, text)

    def _is_error(self, owner: str, name: str) -> bool:
        """Errors upwards and downwards are spoken of as one number."""
        relation = valued_relation(self.graph.schema)
        return relation is not None and owner == relation.name and name in error_attributes(relation)

    def state(self, at: int) -> tuple[int, Ref] | None:
        """ "superseded": what became of a measured value."""
        found = [
            (end, value(m.owner, m.attribute))
            for end, m in self._meanings(at)
            if isinstance(m, AttributeWord) and m.attribute == SUPERSEDED
        ]
        if not found or self.word(found[0][0]) == "by" or self._words_end_in_by(found[0][0]):
            return None
        return found[0][0], Ref(found[0][1], (Test(Op.KNOWN),))

    def _words_end_in_by(self, end: int) -> bool:
        return self.word(end - 1) == "by"

    def attributes(self, at: int) -> tuple[tuple[int, Kind], ...]:
        """Attributes of things that are named here."""
        found = ((e, m) for e, m in self._meanings(at) if isinstance(m, AttributeWord))
        return tuple((end, value(m.owner, m.attribute)) for end, m in found)

    def nouns_of(self, word: str) -> tuple[Ref, ...]:
        """Kinds of values for which the schema has this word."""
        meanings = self._lexicon.phrases().get((stem(word),), ())
        return tuple(Ref(value(m.owner, m.attribute)) for m in meanings if isinstance(m, AttributeWord))

    def _attribute_noun(self, owner: str, name: str) -> Ref:
        kind = value(owner, name)
        of_statement = self.graph.owner(kind) == self._valued
        if of_statement and name in _PRINTED and self._valued:
            return Ref(self._valued)
        if of_statement and name == LIMIT and self._valued:
            return Ref(self._valued, groups=(limits(kind, Test(Op.KNOWN)),))
        return Ref(kind)

    def _value_noun(self, owner: str, name: str, text: str) -> Ref:
        """ "upper limits", "masses": things that have the value."""
        kind = value(owner, name)
        return Ref(self.graph.owner(kind), groups=(limits(kind, Test(Op.IS, text, f"'{text}'")),))

    def _error_nouns(self, at: int) -> Iterator[tuple[int, Ref]]:
        if self._valued is None:
            return
        known = self.graph.errors(self._valued)
        for phrases, what in (
            (en.TOTAL_ERROR, Derived.TOTAL),
            (en.STATISTICAL, Derived.STATISTICAL),
            (en.SYSTEMATIC, Derived.SYSTEMATIC),
        ):
            end = self.match(at, phrases)
            if end and what in known:
                yield end, Ref(derived(self._valued.owner, what))

    def verbs(self, at: int) -> tuple[Verb, ...]:
        """Relations that are named here, longest first."""
        found = []
        for end, meaning in self._meanings(at):
            if isinstance(meaning, RelationWord):
                found.append(Verb(end, meaning.relation, meaning.forward))
        return tuple(sorted(dict.fromkeys(found), key=lambda v: -v.end))

    def bound(self, at: int) -> tuple[int, tuple[Test, ...], str] | None:
        """A comparison with a number that begins here: its end, its tests, and the attribute it is of."""
        found = find_bound(self.text, self.tokens[at].start) if at < len(self.tokens) else None
        if found is None:
            return None
        end = next((i for i, t in enumerate(self.tokens) if t.start >= found[0]), len(self.tokens))
        bounds = found[1].bounds
        tests = tuple(Test(b.op, b.number, b.shown, b.scaled if b.unit else ()) for b in bounds)
        return end, tests, bounds[0].attribute

    def number(self, at: int) -> int | None:
        """A whole number in digits or words."""
        word = self.word(at)
        if re.fullmatch(r"[1-9]\d{0,4}", word):
            return int(word)
        return en.NUMBERS.get(word)

    def list_of(self, owner: Kind) -> Kind | None:
        """The list attribute of an entity type whose length can be asked for, where there is one."""
        if owner.form is not Form.ENTITY:
            return None
        for declared in self.graph.schema.entity(owner.owner).attributes:
            if declared.type == "strings" and declared.verbalisations:
                return value(owner.owner, declared.name)
        return None


def _is_value(word: ValueWord) -> Test:
    """The test that something has the value, or one of those, that a word stands for."""
    shown = " or ".join(f"'{v}'" for v in word.among or (word.value,))
    return Test(Op.ONE_OF, word.among, shown) if word.among else Test(Op.IS, word.value, shown)


def limits(kind: Kind, test: Test) -> Group:
    """A group that tests one attribute."""
    return Group((Part((Ref(kind, (test,)),)),))
