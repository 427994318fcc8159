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
from cypher.generation.ports import Hints
from cypher.generation.rankings import rankings
from cypher.generation.reply import Reading, Written
from cypher.generation.terms import LITERAL, Terms
from cypher.normalise import clean, tokenise
from cypher.words import ARTICLES, CUES, NUMBERS, STATEMENT_WORDS, STOP_WORDS, stem
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
_FREE: Final = STOP_WORDS | ARTICLES | _CUE_WORDS | _ASKING | STATEMENT_WORDS | frozenset(NUMBERS)
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
    """What superlatives among the words that are left ask of the query."""

    @property
    def faithful(self) -> bool:
        """Whether the query asks just what the question does, as far as words can tell."""
        return not self.left and not self.made_up

    def finding(self) -> Finding:
        """What to tell the model."""
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
    question: str, written: Written, *, terms: Terms, hints: Hints, embedder: Embedder | None = None
) -> Grounded:
    """Which words of a question its query does not honour."""
    used, effects = terms.used_in(written.query), effects_of(written.query) or Effects((), ())
    values = _values(written)
    known = {stem(p.lower()) for t in used for words in (*terms.words[t], t) for p in _PARTS.findall(words)}
    covered = _named(hints, values)
    assumed: list[Reading] = []
    left: list[str] = []
    words = [t.text for t in tokenise(clean(question))]
    ranked = rankings(words, terms.measures)
    unmet: list[str] = []
    for at, word in enumerate(words):
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
    made_up = _made_up(question, values, hints)
    return Grounded(tuple(left), tuple(assumed), made_up, tuple(dict.fromkeys(unmet)))


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


def _made_up(question: str, values: Sequence[str], hints: Hints) -> tuple[str, ...]:
    """Names and years that neither the question holds nor the graph gives for a phrase of it."""
    asked = clean(question).lower()
    given = {n.lower() for _, matches in hints.names for m in matches for n in (m.name, m.id)}
    found = [v for v in values if v not in given and v not in _CONSTANTS and not re.search(_whole(v), asked)]
    return tuple(v for v in found if not (v.replace(".", "", 1).isdigit() and float(v) < 1_000))


def _whole(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _free(word: str) -> bool:
    """Whether a word asks nothing by itself."""
    return word.lower() in _FREE or not any(c.isalnum() for c in word)


def _values(written: Written) -> tuple[str, ...]:
    """Texts and numbers that the query compares with, in lower case."""
    found = [m[1] or m[2] or "" for m in LITERAL.finditer(written.query)]
    found += re.findall(r"(?<![\w.$])\d+(?:\.\d+)?", LITERAL.sub(" ", written.query))
    used = set(re.findall(r"\$(\w+)", written.query))
    given = written.parameters or {}
    found += [str(v) for n, p in given.items() if n in used for v in _items(p)]
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
