"""Whether a query honours every word of its question: no condition may be left out, none may be made up.

A word is honoured by a value in the query that holds it, by a name that the graph gives for it, by a label,
relationship type or property in the query that is called so, or by a reading of the model that is likely. A
word that looks like a name is honoured by a value only: no reading turns "Japan" into a property.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cypher.generation.effects import Effects, effects_of
from cypher.generation.figures import Figure, Place, figures_of
from cypher.generation.numbers import Said
from cypher.generation.ports import Hints
from cypher.generation.rankings import rankings
from cypher.generation.reply import Reading, Written
from cypher.generation.terms import LITERAL, Terms
from cypher.normalise import clean, tokenise
from cypher.words import ARTICLES, CUES, STATEMENT_WORDS, STOP_WORDS, stem
from schemas.findings import Finding
from schemas.graphs import Origin
from schemas.ports import Embedder
from schemas.questions import Parameter

LIKE: Final = 0.45
"""Raw cosine, or share of trigrams, from which words may mean a term of the schema (own choice)."""
_CUE_WORDS: Final = frozenset(w for phrase in CUES for w in phrase)
_ASKING: Final = frozenset(
    {"show", "list", "give", "tell", "name", "find", "me", "please", "us", "i", "we", "you", "would", "could"}
    | {"like", "want", "know", "see", "if", "possible", "kindly"}
)
"""Words that ask politely and for nothing."""
_FREE: Final = STOP_WORDS | ARTICLES | _CUE_WORDS | _ASKING | STATEMENT_WORDS
_DONE_BY: Final = {
    r"\bNOT\b|<>": ("not", "no", "without", "except", "never", "other", "excluding"),
    r"[<>]": ("than", "more", "less", "fewer"),
    r"\bNOT\b|<>|\ball\s*\(": ("only", "solely", "exclusively"),
    r"\bavg\s*\(": ("average",),
    r"\bsum\s*\(": ("total", "sum"),
}
"""Words that a part of a query does, whatever the words are called in the schema; see ``effects`` too."""
_CONSTANTS: Final = frozenset({"true", "false", "none", *(o.value for o in Origin)})
"""Values of the graph's own bookkeeping."""
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Grounded:
    """Words that nothing in the query honours, and readings that had to be assumed."""

    left: tuple[str, ...]
    assumed: tuple[Reading, ...]
    made_up: tuple[str, ...] = ()
    """Values that the query compares with and the question does not name."""
    rankings: tuple[str, ...] = ()
    """What superlatives and bounds among the words that are left ask of the query."""
    most: int | None = None
    """Rows at which the query ends although the question does not say so."""

    def cuts(self, rows: int) -> bool:
        """Whether so many rows are not all that the question asks for."""
        return self.most is not None and rows >= self.most

    @property
    def faithful(self) -> bool:
        """Whether the query asks just what the question does, as far as words can tell."""
        return not self.left and not self.made_up

    def finding(self) -> Finding:
        """What to tell the model."""
        if self.faithful:
            return _finding(
                f"the question does not ask for {self.most} rows, at which LIMIT ends; leave it out"
            )
        if self.made_up:
            values = ", ".join(f"'{v[:80]}'" for v in self.made_up)
            return _finding(f"the question does not name these values of the query: {values}")
        words = ", ".join(f"'{w}'" for w in self.left)
        return _finding(
            f"these words of the question are honoured nowhere in the query: {words}; a value must be "
            "compared with them, or a term of the schema must mean them; else set answerable to false"
            + "".join(f"; {r}" for r in self.rankings)
        )


def _finding(message: str) -> Finding:
    return Finding(code="PAT1", message=message)


def ground(
    question: str,
    written: Written,
    *,
    terms: Terms,
    hints: Hints,
    embedder: Embedder | None = None,
    rows: int = 25,
) -> Grounded:
    """Which words of a question its query does not honour, and which values it makes up.

    ``rows`` are shown, so that a larger LIMIT cuts nothing off.
    """
    used, effects = terms.used_in(written.query), effects_of(written.query) or Effects((), ())
    figures = figures_of(written.query, written.parameters or {}, whole=terms.whole)
    texts = _texts(written)
    values = (*texts, *(f.told for f in figures if f.place is not Place.CONSTANT))
    known = {stem(p.lower()) for t in used for words in (*terms.words[t], t) for p in _PARTS.findall(words)}
    covered = _named(hints, values)
    assumed: list[Reading] = []
    left: list[str] = []
    words = [t.text for t in tokenise(clean(question))]
    ranked = rankings(words, terms.measures)
    unmet: list[str] = []
    numbers = Said.of(words)
    for at, word in enumerate(words):
        if (number := numbers.numbers.get(at)) is not None:
            named = word.lower() in covered or stem(word.lower()) in known or _in_value(word, texts)
            if not named and number.needed and not number.met_by(figures):
                left.append(word)
                unmet += [f"'{word}': {number.told()}"] if number.bound else []
            continue
        if (bounded := numbers.around.get(at)) is not None and bounded.bounds(figures):
            continue
        ranking = ranked.get(at)
        if ranking is None:
            done = _done(_compared(words, at), written.query, effects)
        else:
            done = ranking.met(effects, terms.measures)
        if done or _in_value(word, values) or word.lower() in covered:
            continue
        if done is None and (_free(word) or word.lower() in terms.free or stem(word.lower()) in known):
            continue
        likely = None if done is False else written.readings
        reading = _likely(word, likely or (), used, terms=terms, embedder=embedder)
        if reading is None:
            left.append(word)
            unmet += [f"'{word}': {ranking.told()}"] if ranking else []
        elif reading not in assumed:
            assumed.append(reading)
    made_up = (
        *_made_up(question, texts, hints),
        *_numbers_made_up(question, figures, numbers, hints=hints, rows=rows, ranked=bool(ranked)),
    )
    most = numbers.most(figures, rows, ranked=bool(ranked))
    return Grounded(tuple(left), tuple(assumed), made_up, tuple(dict.fromkeys(unmet)), most)


def _done(word: str, query: str, effects: Effects) -> bool | None:
    """Whether the query does what the word asks; None for a word that asks for nothing of the kind."""
    if (done := effects.honour(word)) is not None:
        return done
    bare = LITERAL.sub(" ", query).replace("->", " ").replace("<-", " ")
    wanted = [pattern for pattern, words in _DONE_BY.items() if word in words]
    return any(re.search(p, bare, re.IGNORECASE) for p in wanted) if wanted else None


def _compared(words: Sequence[str], at: int) -> str:
    """The word, with the other one of a comparison: "at least", "less than"."""
    word = words[at].lower()
    before, behind = ("".join(words[i : i + 1]).lower() if i >= 0 else "" for i in (at - 1, at + 1))
    if before == "at" and word in {"least", "most"}:
        return f"at {word}"
    return f"{word} than" if behind == "than" else word


def _made_up(question: str, texts: Sequence[str], hints: Hints) -> tuple[str, ...]:
    """Names and other texts that neither the question holds nor the graph gives for a phrase of it."""
    asked, given = clean(question).lower(), _given(hints)
    return tuple(
        v for v in texts if v not in given and v not in _CONSTANTS and not re.search(_whole(v), asked)
    )


def _numbers_made_up(
    question: str, figures: Sequence[Figure], numbers: Said, *, hints: Hints, rows: int, ranked: bool
) -> tuple[str, ...]:
    """Numbers likewise; those of a name of the question are in it."""
    asked, given = clean(question).lower(), _given(hints)
    found = dict.fromkeys(f.told for f in figures if numbers.made_up(f, figures, rows, ranked=ranked))
    return tuple(v for v in found if v not in given and not re.search(_alone(v), asked))


def _given(hints: Hints) -> frozenset[str]:
    return frozenset(n.lower() for _, matches in hints.names for m in matches for n in (m.name, m.id))


def _whole(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _alone(number: str) -> str:
    """A number that is no part of a longer one."""
    return rf"(?<!\w)(?<!\d[.,]){re.escape(number)}(?!\w)(?![.,]\d)"


def _free(word: str) -> bool:
    """Whether a word asks nothing by itself."""
    return word.lower() in _FREE or not any(c.isalnum() for c in word)


def _texts(written: Written) -> tuple[str, ...]:
    """Texts that the query compares with, in lower case."""
    found = [m[1] or m[2] or "" for m in LITERAL.finditer(written.query)]
    used = set(re.findall(r"\$(\w+)", written.query))
    given = written.parameters or {}
    found += [v for n, p in given.items() if n in used for v in _items(p) if isinstance(v, str)]
    return tuple(v.lower() for v in found if v)


def _items(value: Parameter) -> Iterable[object]:
    return value if isinstance(value, tuple) else (value,)


def _in_value(word: str, values: Sequence[str]) -> bool:
    """Whether a value holds the word, not within another word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word.lower())}(?!\w)")
    return any(pattern.search(v) for v in values)


def _named(hints: Hints, values: Sequence[str]) -> frozenset[str]:
    """Words of phrases whose entity the query compares with by its name or id."""
    given = set(values)
    return frozenset(
        t.text.lower()
        for phrase, matches in hints.names
        if any(given & {m.name.lower(), m.id.lower()} for m in matches)
        for t in tokenise(phrase)
    )


def _likely(
    word: str, readings: Sequence[Reading], used: Sequence[str], *, terms: Terms, embedder: Embedder | None
) -> Reading | None:
    """The model's reading of a plain word as a term in its query, if the two are alike."""
    if not word.isalpha() or not word.islower():
        return None
    for reading in readings:
        if word in reading.words.lower().split() and reading.term in used:
            phrases = terms.words[reading.term]
            if max(_likeness(reading.words, [p.replace("_", " ") for p in phrases], embedder)) >= LIKE:
                return reading
    return None


def _likeness(words: str, phrases: Sequence[str], embedder: Embedder | None) -> list[float]:
    if embedder is None:
        return [_dice(words.lower(), p.lower()) for p in phrases]
    vectors = embedder.encode([words, *phrases])
    return [float(v) for v in vectors[1:] @ vectors[0]]


def _dice(a: str, b: str) -> float:
    """Share of character trigrams that two texts have in common, in [0, 1]."""
    left, right = ({f"  {t} "[i : i + 3] for i in range(len(t) + 1)} for t in (a, b))
    return 2 * len(left & right) / (len(left) + len(right))
