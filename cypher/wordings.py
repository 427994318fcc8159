"""Other wordings of a question whose own words are not all understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cypher.asides import Named, cores
from cypher.bounds import BoundWord
from cypher.described import described
from cypher.fillers import is_filler
from cypher.link import EntityWord, Linker, NumberWord, Span, YearWord
from cypher.mistyped import mended
from cypher.named_in_words import named_in_words
from cypher.paraphrase import plainer
from cypher.parentheses import resolved
from cypher.particle_phrases import notated, quantities_compared, with_fractions
from cypher.schema_words import ValueWord
from cypher.vocabulary import Vocabulary
from cypher.words import stem
from schemas.graph_schema import GraphSchema
from schemas.language.particle_words import NOUN_WORDS
from schemas.ports import ValueIndex

_LOOSE: Final = re.compile(
    r" (?:in|of|from|on|at|for|by|with)(?: the| our| your| this| an?)?$", re.IGNORECASE
)
"""Words that nothing follows."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """Rewords questions over one graph; ``linker`` links a text."""

    schema: GraphSchema
    vocabulary: Vocabulary
    values: ValueIndex
    linker: Callable[[str], Linker]
    words: frozenset[str]
    """Of the schema; who mistypes one means it."""

    def plainer(self, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Plainer wordings, each once, those that change least first, with the words that each leaves out."""
        seen = {text}
        said = tuple(w for t in dict.fromkeys((self._mended(text), text)) for w in self._said(t))
        for word in said:
            for plain in self._written(word):
                if plain not in seen:
                    seen.add(plain)
                    yield plain, ()
        for word in said:
            for told in (plainer(quantities_compared(w)) for w in _with_notation(word)):
                bare, left = self._without_talk(told)
                for plain in self._written(bare):
                    if plain not in seen:
                        seen.add(plain)
                        yield plain, left

    def _said(self, text: str) -> Iterator[str]:
        """What may be the question itself, with one name for each thing."""
        named = (self._with_names(t) for t in dict.fromkeys((text, plainer(quantities_compared(text)))))
        alone = described(text, self.schema, self.linker(text), self._held)
        apart = dict.fromkeys((text, *alone, *named, *resolved(text, self._names)))
        bases = tuple(dict.fromkeys(b for said in apart for b in _with_notation(said)))
        yield from bases
        for base in bases:
            yield from cores(base, self._names)

    def _held(self, names: Sequence[str]) -> frozenset[str]:
        types = [e.name for e in self.schema.entities]
        return frozenset(n for n, found in self.values.exact(names, types).items() if found)

    def _mended(self, text: str) -> str:
        linker = self.linker(text)
        unknown = [range(s.start, s.end) for s in linker.link(near=False).unexplained]
        return mended(text, linker.tokens, unknown, self.words | NOUN_WORDS)

    def _with_names(self, text: str) -> str:
        linker = self.linker(text)
        spans = linker.link(near=False).unexplained
        unknown = [range(s.start, s.end) for s in spans if not is_filler(s.text)]
        types = [e.name for e in self.schema.entities if e.name != self.schema.document_type]
        return named_in_words(text, linker.tokens, unknown, self.values, types)

    def _written(self, text: str) -> Iterator[str]:
        written = tuple(quantities_compared(plainer(quantities_compared(w))) for w in _with_notation(text))
        yield from map(with_fractions, written)
        yield from written

    def _names(self, text: str) -> tuple[Named, ...]:
        """What a text names; the phrases of a linker's spans stand in it in their order."""
        linker = self.linker(text)
        found = (self._named(linker, span) for span in linker.link(near=False).spans)
        return tuple(n for n in found if n is not None)

    def _named(self, linker: Linker, span: Span) -> Named | None:
        start, end = linker.tokens[span.start].start, linker.tokens[span.end - 1].end
        values = [o for o in span.options if isinstance(o, ValueWord)]
        number = any(isinstance(o, YearWord | NumberWord | BoundWord) for o in span.options)
        matches = [m for o in span.options if isinstance(o, EntityWord) for m in o.matches]
        thing = bool(matches) or bool(self.vocabulary.lookup(span.text))
        if not span.options and any(map(_may_be_a_name, span.text.split()[not span.start :])):
            return Named(start, end, False, True)
        if not (thing or values or number):
            return None
        document = {m.type for m in matches} == {self.schema.document_type}
        of_documents = any(v.owner == self.schema.document_type for v in values)
        ids = frozenset(m.id for m in matches)
        return Named(start, end, thing, number or of_documents, document, ids)

    def _without_talk(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The question without words of talk, and without those of the full name of what it names.

        "Direct" measurements are those where the quantity is that of direct measurements.
        """
        linker = self.linker(text)
        spans = linker.link(near=False).spans
        things = [s for s in spans if any(isinstance(o, EntityWord) for o in s.options)]
        left: list[str] = []
        for at in reversed(range(len(spans))):
            span = spans[at]
            beside = things if len(things) == 1 else [*spans[max(at - 1, 0) : at], *spans[at + 1 : at + 2]]
            if not span.options and (is_filler(span.text) or any(_in_name(span, b) for b in beside)):
                text = cut(text, linker.tokens[span.start].start, linker.tokens[span.end - 1].end)
                left.insert(0, span.text)
        return text, tuple(left)


def _in_name(span: Span, thing: Span) -> bool:
    """Whether the name of a thing that is named has all words of a phrase."""
    words = [o.matches[0].name for o in thing.options if isinstance(o, EntityWord)]
    known = {stem(w.strip("(),")) for name in words for w in name.lower().split()}
    return all(stem(w.removesuffix("ly")) in known for w in span.text.lower().split())


def cut(text: str, start: int, end: int) -> str:
    """The text without some characters, and what stood before them alone: brackets, "in the"."""
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        start, end = start - 1, end + 1
    behind = text[end:]
    before = text[:start].rstrip()
    return (_LOOSE.sub("", before) if not behind.strip(" ?.!") else before) + behind


def _may_be_a_name(word: str) -> bool:
    return word not in ("I", "I'm", "I've", "I'd", "PhD") and any(c.isupper() or c.isdigit() for c in word)


def _with_notation(text: str) -> tuple[str, ...]:
    """The text, and with its particles in notation; that first where a decay in words is found only so."""
    written = notated(text)
    return tuple(
        dict.fromkeys((written, text) if written.count("->") > text.count("->") else (text, written))
    )
