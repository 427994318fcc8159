"""Features of tokens: the word and its shape, its neighbours, the names of training, the place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from extraction.learned_crf import Chain, Floats, Ints, View
from extraction.learned_gazetteer import Gazetteer
from extraction.learned_text import Sentence
from schemas.language.acronyms import find_acronyms

_HIDDEN: Final = "\x01"
"""Begins a word of which only the shape is told."""
_EDGE: Final = "\x00"
"""Stands for what is before and after a sentence."""
_CACHE: Final = 50_000
"""Distinct values of one view whose scores are kept between documents."""

Describe = Callable[[str], tuple[str, ...]]


def word_features(word: str) -> tuple[str, ...]:
    """Of the token itself: lower case, shape, beginnings, endings, length.

    >>> word_features("IL")
    ('w=il', 's=XX', 'p2=il', 'e2=il', 'n=2')
    """
    if word == _EDGE:
        return ("edge",)
    if word.startswith(_HIDDEN):
        return (f"s={word[1:]}",)
    low = word.lower()
    found = [f"w={low}", f"s={shape(word)}"]
    for size in (2, 3, 4):
        if len(low) >= size:
            found += [f"p{size}={low[:size]}", f"e{size}={low[-size:]}"]
    if len(low) >= 6:
        found.append(f"e5={low[-5:]}")
    found.append(f"n={min(len(word), 8)}")
    return tuple(found)


def near_features(word: str) -> tuple[str, ...]:
    """Of a token next to it."""
    if word == _EDGE:
        return ("edge",)
    if word.startswith(_HIDDEN):
        return (f"s={word[1:]}",)
    low = word.lower()
    return (f"w={low}", f"s={shape(word)}", f"e3={low[-3:]}", f"p3={low[:3]}")


def far_features(word: str) -> tuple[str, ...]:
    """Of a token two or three away."""
    if word == _EDGE:
        return ("edge",)
    if word.startswith(_HIDDEN):
        return (f"s={word[1:]}",)
    return (f"w={word.lower()}", f"s={shape(word)}")


def only(value: str) -> tuple[str, ...]:
    """The value as its own single feature."""
    return (value,) if value else ()


_RUN: Final = re.compile(r"(.)\1+")


def shape(word: str) -> str:
    """Kinds of letters, runs shortened: ``Xx`` for a capitalised word, ``XX`` for capitals, ``d`` digits.

    >>> shape("Receptor"), shape("IL"), shape("mRNA"), shape("2017"), shape("-")
    ('Xx', 'XX', 'xXX', 'dd', '-')
    """
    kinds = "".join(
        "X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else "l" if c.isalpha() else c
        for c in word
    )
    squeezed = _RUN.sub(lambda m: m[1] * 2 if m[1] in "Xd" else m[1], kinds)
    return squeezed[:8]


VIEWS: Final[tuple[tuple[str, Describe], ...]] = (
    ("word", word_features),
    ("word-1", near_features),
    ("word+1", near_features),
    ("word-2", far_features),
    ("word+2", far_features),
    ("word-3", far_features),
    ("word+3", far_features),
    ("pair-1", only),
    ("pair+1", only),
    ("shapes", only),
    ("name", only),
    ("name-1", only),
    ("name+1", only),
    ("place", only),
    ("elsewhere", only),
)
"""Name of each view and how its value becomes features; the order is that of the weights."""


def view_values(sentences: Sequence[Sentence], gazetteer: Gazetteer, text: str) -> dict[str, list[str]]:
    """Per view, one value per token of one document, sentence after sentence."""
    values: dict[str, list[str]] = {name: [] for name, _ in VIEWS}
    acronyms = find_acronyms(text)
    known = [_known_names(s.words, gazetteer) for s in sentences]
    elsewhere = _typed_elsewhere(sentences, known)
    for sentence, here in zip(sentences, known, strict=True):
        words = sentence.words
        low = [w.lower() for w in words]
        shapes = [shape(w) for w in words]
        names = _name_values(words, here)
        values["word"] += words
        for offset in (1, 2, 3):
            values[f"word-{offset}"] += [*[_EDGE] * min(offset, len(words)), *words[:-offset]]
            values[f"word+{offset}"] += [*words[offset:], *[_EDGE] * min(offset, len(words))]
        values["pair-1"] += [f"{a} {b}" for a, b in zip([_EDGE, *low], low, strict=False)]
        values["pair+1"] += [f"{a} {b}" for a, b in zip(low, [*low[1:], _EDGE], strict=True)]
        values["shapes"] += [
            f"{a}|{b}|{c}" for a, b, c in zip([_EDGE, *shapes], shapes, [*shapes[1:], _EDGE], strict=False)
        ]
        values["name"] += names
        values["name-1"] += ["", *names[:-1]]
        values["name+1"] += [*names[1:], ""]
        values["place"] += [f"{sentence.kind}{'/acronym' if w in acronyms else ''}" for w in words]
        values["elsewhere"] += [elsewhere.get(w, "") for w in words]
    return values


@dataclass(frozen=True, slots=True)
class _Known:
    """A name of training at tokens ``start:end`` of a sentence; ``label`` says what it mostly was."""

    start: int
    end: int
    type: str
    share: float
    label: str


def _known_names(words: Sequence[str], gazetteer: Gazetteer) -> list[_Known]:
    found: list[_Known] = []
    for start, end, key in gazetteer.matches(words):
        kind, share = gazetteer.kind(key)
        if share == 0:
            continue
        total = gazetteer.counts[key].total()
        trust = (
            "always" if share > 0.95 else "mostly" if share > 0.7 else "often" if share > 0.3 else "rarely"
        )
        often = "once" if total == 1 else "again" if total < 4 else "common"
        single = "1" if len(key) == 1 else "n"
        found.append(_Known(start, end, kind, share, f"{single}/{kind}/{trust}/{often}"))
    return found


def hide_names(values: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same values as if every word with a capital or a digit had never been seen: only its shape is left.

    Training on such copies as well keeps a model of few documents from learning their names by heart
    (unknown-word replacement, as in Lample et al., arXiv:1603.01360).
    """
    hidden = {name: list(column) for name, column in values.items()}
    for name, column in values.items():
        if name.startswith("word"):
            hidden[name] = [_hidden(word) for word in column]
        elif name.startswith("pair"):
            low = zip(values["word"], values[f"word{name[4:]}"], strict=True)
            pairs = [(b, a) if name == "pair-1" else (a, b) for a, b in low]
            hidden[name] = [" ".join(_hidden(w).lower() for w in pair) for pair in pairs]
        elif name.startswith("name") or name == "elsewhere":
            hidden[name] = [""] * len(column)
    return hidden


def _hidden(word: str) -> str:
    plain = word == _EDGE or word.islower() or not any(c.isalnum() for c in word)
    return word if plain else _HIDDEN + shape(word)


def _name_values(words: Sequence[str], names: Sequence[_Known]) -> list[str]:
    """``B/label`` at the first token of a known name, ``I/label`` at the others, else empty."""
    found = [""] * len(words)
    for name in names:
        for at in range(name.start, name.end):
            found[at] = f"{'B' if at == name.start else 'I'}{'L' if at == name.end - 1 else ''}/{name.label}"
    return found


def _typed_elsewhere(sentences: Sequence[Sentence], names: Sequence[Sequence[_Known]]) -> dict[str, str]:
    """Tokens with a capital or a digit -> type of the first known name of the document that holds them."""
    found: dict[str, str] = {}
    for sentence, known in zip(sentences, names, strict=True):
        for name in known:
            if name.share > 0.5:
                for word in sentence.words[name.start : name.end]:
                    if len(word) > 1 and not word.islower():
                        found.setdefault(word, name.type)
    return found


@dataclass(slots=True)
class Vocabulary:
    """Columns of the features of each view."""

    columns: dict[str, dict[str, int]]

    def table(self, name: str, describe: Describe, values: Sequence[str]) -> Any:
        """CSR matrix (n_values, n_features) of ones."""
        from scipy.sparse import csr_matrix

        known = self.columns[name]
        indices: list[int] = []
        ends = [0]
        for value in values:
            indices += sorted({known[f] for f in describe(value) if f in known})
            ends.append(len(indices))
        ones = np.ones(len(indices))
        return csr_matrix((ones, indices, ends), shape=(len(values), len(known)))


def learn_views(values: dict[str, list[str]], *, seen: int) -> tuple[Vocabulary, list[View]]:
    """Vocabulary of the features of at least ``seen`` tokens, and the views of these tokens."""
    columns: dict[str, dict[str, int]] = {}
    views: list[View] = []
    for name, describe in VIEWS:
        distinct, rows = _distinct(values[name])
        counts = Counter(values[name])
        totals: Counter[str] = Counter()
        for value in distinct:
            for feature in set(describe(value)):
                totals[feature] += counts[value]
        kept = sorted(f for f, n in totals.items() if n >= seen)
        columns[name] = {feature: at for at, feature in enumerate(kept)}
        views.append(View(rows, Vocabulary(columns).table(name, describe, distinct)))
    return Vocabulary(columns), views


def _distinct(values: Iterable[str]) -> tuple[list[str], Ints]:
    index: dict[str, int] = {}
    rows = np.asarray([index.setdefault(v, len(index)) for v in values], np.int64)
    return list(index), rows


class TokenScorer:
    """Scores of tokens under a chain; those of each distinct value of a view are computed once and kept."""

    def __init__(self, vocabulary: Vocabulary, chain: Chain) -> None:
        self._labels = len(chain.start)
        self._views = [
            _ViewScores(describe, vocabulary.columns[name], weights)
            for (name, describe), weights in zip(VIEWS, chain.views, strict=True)
        ]

    def scores(self, values: dict[str, list[str]]) -> Floats:
        """(n_tokens, n_labels)."""
        total: Floats = np.zeros((len(values["word"]), self._labels))
        for (name, _), view in zip(VIEWS, self._views, strict=True):
            total += view.of(values[name])
        return total


@dataclass(slots=True)
class _ViewScores:
    """Rows of scores by value; the table doubles when it is full and is emptied at ``_CACHE`` rows."""

    describe: Describe
    columns: dict[str, int]
    weights: Floats
    known: dict[str, int] = field(default_factory=dict)
    table: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def of(self, values: Sequence[str]) -> Floats:
        """(n_values, n_labels)."""
        if len(self.known) > _CACHE:
            self.known.clear()
        for value in dict.fromkeys(values):
            if value not in self.known:
                self._add(value)
        return self.table[[self.known[value] for value in values]]

    def _add(self, value: str) -> None:
        row = len(self.known)
        if row >= len(self.table):
            grown = np.zeros((max(256, 2 * row), self.weights.shape[1]))
            if row:
                grown[:row] = self.table[:row]
            self.table = grown
        at = sorted({self.columns[f] for f in self.describe(value) if f in self.columns})
        self.table[row] = self.weights[at].sum(axis=0)
        self.known[value] = row
