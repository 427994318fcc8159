"""Links the words of a question to entities, schema words, values, years and cues.

Longest span first, left to right. What a span may mean is kept as a list of options; words that mean nothing
here are kept as unexplained, because a condition that is not understood must not be ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from cypher.akin_values import meant_here
from cypher.bounds import BoundWord, find_bound
from cypher.normalise import Token, balanced, quoted_spans, tokenise
from cypher.schema_words import (
    AttributeWord,
    Lexicon,
    Meaning,
    RelationWord,
    ReplacerWord,
    StatementWord,
    TypeWord,
    ValueWord,
)
from cypher.slips import alike, sure_match
from cypher.spelling import spellings
from cypher.vocabulary import Vocabulary
from cypher.words import ARTICLES, CUES, NUMBERS, STOP_WORDS, Cue, is_plural, stem
from cypher.years import span_of_years
from schemas.language.notation import find_decays
from schemas.ports import ValueIndex
from schemas.questions import EntityMatch

MAX_NAME_WORDS = 14
_BETWEEN = ARTICLES | {"in", "of", "on", "at", "for", "also"}
_NOUN_PREPOSITIONS = {"on", "of", "for", "at"}
_NOUNS = (TypeWord, StatementWord, AttributeWord, ValueWord)


@dataclass(frozen=True, slots=True)
class EntityWord:
    """Names one entity, or several that share the name; ``sure`` is False for a near spelling."""

    matches: tuple[EntityMatch, ...]
    sure: bool = True


@dataclass(frozen=True, slots=True)
class YearWord:
    """A span of years, both ends included; ``None`` for open."""

    first: int | None
    last: int | None
    listed: tuple[int, ...] = ()
    """Alternatives ("in 2012 and 2013"); takes the place of the span."""

    @property
    def single(self) -> bool:
        """Whether it is one year."""
        return self.first is not None and self.first == self.last


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A small whole number: how many rows are wanted."""

    value: int


Option: TypeAlias = Meaning | ReplacerWord | EntityWord | YearWord | NumberWord | BoundWord | Cue


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``start`` to ``end`` (half-open) and what they may mean; no option means unexplained."""

    start: int
    end: int
    text: str
    options: tuple[Option, ...] = ()
    soft: bool = False
    """Made of function words only, so it may also mean nothing."""
    before: str = ""
    """The function word in front, lower case, articles skipped."""
    joint: str = ""
    """How it follows the span in front: "and", "or", "," or empty."""


@dataclass(frozen=True, slots=True)
class Linked:
    """All spans of a question that are not mere function words."""

    spans: tuple[Span, ...]
    assumptions: tuple[str, ...] = ()
    near: tuple[EntityMatch, ...] = ()
    """Entities whose names are near to an unexplained phrase."""
    text: str = ""
    """What was linked: the spans count its words, which may be others than the asker's."""

    @property
    def unexplained(self) -> tuple[Span, ...]:
        return tuple(s for s in self.spans if not s.options)


def whole_names(linked: Linked) -> frozenset[str]:
    """Ids of the things that are named exactly by phrases of several words."""
    words = (o for s in linked.spans if s.end - s.start > 1 for o in s.options)
    return frozenset(m.id for o in words if isinstance(o, EntityWord) and o.sure for m in o.matches)


class Linker:
    """Links one question; made anew for each."""

    def __init__(
        self, text: str, *, index: ValueIndex, lexicon: Lexicon, vocabulary: Vocabulary, types: Sequence[str]
    ) -> None:
        self._text, self._index, self._types = text, index, tuple(types)
        self._lexicon, self._vocabulary = lexicon, vocabulary
        self._tokens = tokenise(text)
        self._lower = [t.text.lower() for t in self._tokens]
        self._stems = [stem(w) for w in self._lower]
        self._quoted = quoted_spans(text)
        self._decays = self._written_decays()
        self._names: dict[int, list[tuple[int, EntityWord]]] | None = None
        self._plain: tuple[Span, ...] | None = None

    def link(self, *, near: bool = True) -> Linked:
        """Spans in order; with ``near``, near spellings are resolved where that is safe."""
        if self._plain is None:
            self._plain = self._linked()
        return self._settle(self._plain) if near else Linked(self._plain, text=self._text)

    def _linked(self) -> tuple[Span, ...]:
        entities = self.names()
        spans: list[Span] = []
        at = 0
        while at < len(self._tokens):
            span = self._at(at, entities)
            if span is None:
                at += 1
                continue
            spans.append(span)
            at = span.end
        return tuple(self._with_joint(a, b) for a, b in pairwise([None, *self._whole(spans)]))

    def _whole(self, spans: Sequence[Span]) -> list[Span]:
        """The spans with a word that points at something said before ("that year") left unexplained."""
        pointed = [self._pointing(s, spans) for s in spans]
        if self._lower[-1:] == ["that"]:
            pointed.append((self._span(len(self._tokens) - 1, len(self._tokens), ()),))
        return _joined([s for pair in pointed for s in pair], self._text, self._tokens)

    def _pointing(self, span: Span, spans: Sequence[Span]) -> tuple[Span, ...]:
        """ "that" before a noun is no relative pronoun, but for one in the plural behind another noun.

        "The sources that measurements of X have" says "that" of the sources.
        """
        nouns = all(isinstance(o, _NOUNS) for o in span.options) and span.text.islower()
        at = span.start - 1
        if not (span.options and nouns and span.start and self._lower[at] == "that"):
            return (span,)
        behind = any(s.end == at and any(isinstance(o, _NOUNS) for o in s.options) for s in spans)
        return (
            (span,) if behind and is_plural(self._lower[span.end - 1]) else (self._span(at, at + 1, ()), span)
        )

    def _with_joint(self, last: Span | None, span: Span | None) -> Span:
        assert span is not None
        if last is None:
            return span
        between = [w for w in self._lower[last.end : span.start] if w not in _BETWEEN]
        if between == ["and"]:
            return replace(span, joint="and")
        gap = self._text[self._tokens[last.end - 1].end : self._tokens[span.start].start]
        return replace(span, joint=",") if not between and "," in gap else span

    def thing(self) -> str:
        """The name of the one thing that the whole text names exactly; empty where there is not one."""
        spans = self.link(near=False).spans
        if len(spans) != 1 or (spans[0].start, spans[0].end) != (0, len(self._tokens)):
            return ""
        words = (o for o in spans[0].options if isinstance(o, EntityWord) and o.sure)
        names = {m.id: m.name for o in words for m in o.matches}
        return next(iter(names.values())) if len(names) == 1 else ""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the question."""
        return self._tokens

    def names(self) -> dict[int, list[tuple[int, EntityWord]]]:
        """Exact names of entities by start: (end, entities), longest first; looked up once."""
        if self._names is None:
            self._names = self._entities()
        return self._names

    def _entities(self) -> dict[int, list[tuple[int, EntityWord]]]:
        phrases = self._phrases()
        others = {p: spellings(p) for p in dict.fromkeys(phrases.values())}
        wanted = (*others, *(s for p in others.values() for s in p))
        found = self._index.exact(tuple(dict.fromkeys(wanted)), self._types)
        by_start: dict[int, list[tuple[int, EntityWord]]] = {}
        for (start, end), phrase in phrases.items():
            matches = _first_of_each_type([found.get(p, ()) for p in (phrase, *others[phrase])])
            if matches:
                by_start.setdefault(start, []).append((end, EntityWord(_by_name(matches))))
        for options in by_start.values():
            options.sort(key=lambda o: -o[0])
        return by_start

    def _phrases(self) -> dict[tuple[int, int], str]:
        phrases: dict[tuple[int, int], str] = {}
        for start in range(len(self._tokens)):
            for end in range(start + 1, min(len(self._tokens), start + MAX_NAME_WORDS) + 1):
                if self._is_name(start, end):
                    phrases[start, end] = self._slice(start, end)
        phrases.update(self._decays)
        return phrases

    def _written_decays(self) -> dict[tuple[int, int], str]:
        """Names of the decays in notation by the words that they cover."""
        found: dict[tuple[int, int], str] = {}
        for begin, stop, decay in find_decays(self._text):
            covered = [i for i, t in enumerate(self._tokens) if t.start < stop and t.end > begin]
            if covered and self._tokens[covered[0]].start >= begin - 1:
                found[covered[0], covered[-1] + 1] = decay.name
        return found

    def _is_name(self, start: int, end: int) -> bool:
        if self._is_quoted(start, end):
            return True
        return self._lower[start] not in STOP_WORDS and self._lower[end - 1] not in STOP_WORDS

    def _is_quoted(self, start: int, end: int) -> bool:
        a, b = self._tokens[start].start, self._tokens[end - 1].end
        return any(q0 == a and abs(q1 - b) <= 1 for q0, q1 in self._quoted)

    def _slice(self, start: int, end: int) -> str:
        return balanced(self._text, self._tokens[start].start, self._tokens[end - 1].end)

    def _at(self, at: int, entities: Mapping[int, Sequence[tuple[int, EntityWord]]]) -> Span | None:
        """The longest span at a word; None for a function word."""
        named = next(iter(entities.get(at, ())), None)
        if named is not None and self._is_quoted(at, named[0]):
            return self._span(at, named[0], (named[1],))
        whole = named[0] if named is not None else 0
        unknown = next((end for start, end in self._decays if start == at and end > whole), 0)
        if unknown and "->" in self._slice(at, unknown):
            return self._span(at, unknown, ())
        choices: list[tuple[int, tuple[Option, ...]]] = self._bounds(at)
        for length, cue in self._cues(at):
            choices.append((length, (cue,)))
        length, meanings = self._lexicon.longest(self._stems, at)
        meanings = self._vocabulary.held(meanings)
        if meanings:
            choices.append((length, self._noun_or_verb(at, at + length, meanings)))
        if named is not None:
            choices.append((named[0] - at, (named[1],)))
        choices += self._values(at) + self._numbers(at)
        if not choices:
            return (
                None
                if self._lower[at] in STOP_WORDS or _is_mark(self._lower[at])
                else self._span(at, at + 1, ())
            )
        longest = max(c[0] for c in choices)
        best = [o for length, options in choices if length == longest for o in options]
        first = best[0]
        options = tuple(o for o in best if isinstance(o, Cue) == isinstance(first, Cue))
        return self._span(at, at + longest, options)

    def _noun_or_verb(self, start: int, end: int, meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
        """ "the limits on X" is no verb: relations are left out before a preposition and after an article."""
        noun = tuple(m for m in meanings if not isinstance(m, RelationWord))
        single = end - start == 1
        behind = end < len(self._lower) and self._lower[end] in _NOUN_PREPOSITIONS
        return (
            noun
            if noun and single and (behind or (start and self._lower[start - 1] in ARTICLES))
            else meanings
        )

    def _cues(self, at: int) -> list[tuple[int, Cue]]:
        for length in range(min(5, len(self._lower) - at), 0, -1):
            cue = CUES.get(tuple(self._lower[at : at + length]))
            if cue is not None:
                return [(length, cue)]
        return []

    def _bounds(self, at: int) -> list[tuple[int, tuple[Option, ...]]]:
        found = find_bound(self._text, self._tokens[at].start)
        if found is None:
            return []
        end = next((i for i, t in enumerate(self._tokens) if t.start >= found[0]), len(self._tokens))
        return [(end - at, (found[1],))]

    def _values(self, at: int) -> list[tuple[int, tuple[Option, ...]]]:
        if self._lower[at] in STOP_WORDS:
            return []
        for end in range(min(len(self._tokens), at + 4), at, -1):
            found = self._vocabulary.lookup(self._slice(at, end))
            found = meant_here(found, self._before(at), self._types_at(end), self._types_named)
            if found:
                return [(end - at, self._of_the_noun(found, end))]
        return []

    def _of_the_noun(self, values: Sequence[ValueWord], end: int) -> tuple[ValueWord, ...]:
        """Those of the attribute that is named behind, if any: "the D0 experiment" is no particle."""
        behind = self._lexicon.longest(self._stems, end)[1] if end < len(self._stems) else ()
        nouns = {(m.owner, m.attribute) for m in behind if isinstance(m, AttributeWord)}
        return tuple(v for v in values if (v.owner, v.attribute) in nouns) or tuple(values)

    def _numbers(self, at: int) -> list[tuple[int, tuple[Option, ...]]]:
        word = self._lower[at]
        words = self._lower
        if span := span_of_years(words[at : at + 5]):
            return [(span.words, (YearWord(span.first, span.last),))]
        value = NUMBERS.get(word) or (int(word) if re.fullmatch(r"[1-9]\d?", word) else 0)
        return [(1, (NumberWord(value),))] if value and word not in STOP_WORDS else []

    def _span(self, start: int, end: int, options: tuple[Option, ...]) -> Span:
        soft = all(w in STOP_WORDS for w in self._lower[start:end])
        return Span(start, end, self._slice(start, end), options, soft, self._before(start))

    def _before(self, at: int) -> str:
        return next((w for w in reversed(self._lower[:at]) if w not in ARTICLES), "")

    def _types_at(self, at: int) -> frozenset[str]:
        meanings = self._lexicon.longest(self._stems, at)[1] if at < len(self._stems) else ()
        return frozenset(m.type for m in meanings if isinstance(m, TypeWord))

    @cached_property
    def _types_named(self) -> frozenset[str]:
        return frozenset(t for at in range(len(self._stems)) for t in self._types_at(at))

    def _settle(self, spans: Sequence[Span]) -> Linked:
        """Looks up near spellings of unexplained phrases."""
        settled: list[Span] = []
        assumptions: list[str] = []
        near: list[EntityMatch] = []
        for span in spans:
            if span.options or len(near) > 10:
                settled.append(span)
                continue
            matches = self._index.similar(span.text[:200], self._types, limit=5)
            sure = sure_match(span.text, matches)
            if sure is None:
                near.extend(m for m in matches if alike(span.text, m.name))
                settled.append(span)
                continue
            assumptions.append(f"'{span.text}' was read as the {sure.type.replace('_', ' ')} '{sure.name}'.")
            settled.append(replace(span, options=(EntityWord((sure,), sure=False),)))
        return Linked(tuple(settled), tuple(assumptions), tuple(near), self._text)


def _first_of_each_type(found: Sequence[Sequence[EntityMatch]]) -> tuple[EntityMatch, ...]:
    """Of each type what its first spelling names: "D+ lifetime" is a source and ``D+- mean life``."""
    out: list[EntityMatch] = []
    for matches in found:
        out += [m for m in matches if m.type not in {o.type for o in out}]
    return tuple(out)


def _by_name(matches: Sequence[EntityMatch]) -> tuple[EntityMatch, ...]:
    """Entities of that very name; where there are none, those with it as an alias.

    One entity's name outranks another's alias only within a type: "gamma" may be two things.
    """
    named = {m.type for m in matches if m.via == "name"}
    return tuple(m for m in matches if m.via == "name" or m.type not in named)


def _is_mark(word: str) -> bool:
    return not any(c.isalnum() for c in word) or word == "'s"


def _joined(spans: Sequence[Span], text: str, tokens: Sequence[Token]) -> list[Span]:
    """Neighbouring unexplained words become one phrase."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is not None and not last.options and not span.options and last.end == span.start:
            whole = text[tokens[last.start].start : tokens[span.end - 1].end]
            joined[-1] = Span(last.start, span.end, whole, before=last.before)
        else:
            joined.append(span)
    return joined
