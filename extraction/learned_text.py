"""Documents as sentences of tokens: what the learned extractor reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from extraction.passages import passages
from schemas.documents import BlockKind, Document

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
LONGEST_SENTENCE: Final = 400
"""Tokens; a longer one (a formula, a list without stops) is cut."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens of one sentence; ``starts`` and ``ends`` are code points of the document text."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kind: BlockKind

    def text_span(self) -> tuple[int, int]:
        """Span of the sentence in the document text."""
        return self.starts[0], self.ends[-1]


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """Tokens ``start:end`` of sentence number ``sentence``."""

    sentence: int
    start: int
    end: int

    def overlaps(self, other: Mention) -> bool:
        """Whether both share a token."""
        return self.sentence == other.sentence and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Text:
    """The sentences of one document, in order, without its tables."""

    document: Document
    sentences: tuple[Sentence, ...]

    def span(self, mention: Mention) -> tuple[int, int]:
        """Where a mention stands in the document text (code points, half-open)."""
        sentence = self.sentences[mention.sentence]
        return sentence.starts[mention.start], sentence.ends[mention.end - 1]

    def words(self, mention: Mention) -> tuple[str, ...]:
        """The tokens of a mention."""
        return self.sentences[mention.sentence].words[mention.start : mention.end]

    def written(self, mention: Mention) -> str:
        """The mention as it stands in the text, with single spaces."""
        start, end = self.span(mention)
        return " ".join(self.document.text[start:end].split())

    def mention_at(self, start: int, end: int) -> Mention | None:
        """The tokens that ``start:end`` of the text touches; None outside sentences or across two."""
        index = bisect_right(self.sentences, start, key=lambda s: s.starts[0]) - 1
        if index < 0:
            return None
        sentence = self.sentences[index]
        first = bisect_right(sentence.ends, start)
        last = bisect_right(sentence.starts, end - 1)
        if first >= last or end > sentence.ends[-1]:
            return None
        return Mention(index, first, last)


def split_words(text: str) -> tuple[str, ...]:
    """Runs of letters, runs of digits, and single other signs.

    >>> split_words("IL-6, p53 and B_s0")
    ('IL', '-', '6', ',', 'p', '53', 'and', 'B', '_', 's', '0')
    """
    return tuple(_TOKEN.findall(text))


def read_text(document: Document) -> Text:
    """The sentences of a document; those without a token are left out."""
    found: list[Sentence] = []
    for passage in passages(document):
        tokens = [(m.group(), *m.span()) for m in _TOKEN.finditer(passage.text)]
        for cut in range(0, len(tokens), LONGEST_SENTENCE):
            part = tokens[cut : cut + LONGEST_SENTENCE]
            words, starts, ends = zip(*part, strict=True)
            found.append(
                Sentence(
                    words,
                    tuple(passage.start + s for s in starts),
                    tuple(passage.start + e for e in ends),
                    passage.kind,
                )
            )
    return Text(document, tuple(found))
