"""Whether the cited rows hold what a sentence says: numbers, names and words are looked up, never believed.

The check is strict on purpose. A true sentence that is dropped costs nothing, since the template says the
same; a false one that is shown costs trust. So negations, comparisons and words that neither the rows, the
question's explanation nor a short list of plain words hold are not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cypher.answers.plain_words import NEVER, PLAIN, SPELLED, SUPERLATIVES
from cypher.answers.quantities import NUMBER, Measured, is_name, measured, misnamed, normal, number, same
from cypher.words import STOP_WORDS, stem
from schemas.questions import Answer

_MARK: Final = re.compile(r"\[(\d{1,4})\]")
_MARKS: Final = re.compile(r"(?:\s*\[\d{1,4}\](?:\s*,)?)+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_DEGREES: Final = frozenset({"most", "least"})
_SYMBOL: Final = re.compile(r"[\w^\\{}/*|<>=~@#$&]+")


@dataclass(frozen=True, slots=True)
class _Row:
    place: int
    texts: tuple[str, ...]
    names: tuple[str, ...]
    measured: Measured


@dataclass(frozen=True, slots=True)
class Facts:
    """The rows of an answer by citation number, and the words that may stand around them."""

    cited: dict[int, tuple[_Row, ...]]
    names: tuple[str, ...]
    """All names in any row, longest first."""
    plain: frozenset[str]
    """Stems of words that need no row."""
    nouns: frozenset[str]
    """Stems of what rows may be counted as."""
    total: int
    """Rows, where all are shown; else 0."""
    asked: str = ""
    """The question, where its answer is one row: what it asks for is true of that row."""

    @classmethod
    def of(cls, answer: Answer) -> Facts:
        """What the rows and citations of an answer hold."""
        known = {n.id: n.name for n in answer.nodes}
        ends = {e.id: (known.get(e.start, ""), known.get(e.end, "")) for e in answer.edges}
        cited: dict[int, tuple[_Row, ...]] = {}
        for c in answer.citations:
            own = (*ends.get(str(c.statement), ()), c.arxiv, c.doi, c.inspire, str(c.document), c.title)
            cited[c.number] = tuple(
                _row(at, answer, own) for at, marks in enumerate(answer.row_citations) if c.number in marks
            )
        names = {t for rows in cited.values() for row in rows for t in row.names if len(t) > 1}
        nouns = {stem(w) for c in answer.columns for w in _WORD.findall(c)} | {
            stem(w) for w in ("row", "result", "value", "measurement", "statement", "paper", "source")
        }
        around = {stem(w.lower()) for w in _WORD.findall(answer.explanation)} - NEVER
        plain = (PLAIN | nouns | around | frozenset(map(stem, STOP_WORDS))) - NEVER
        total = 0 if answer.truncated else len(answer.rows)
        return cls(
            cited,
            tuple(sorted(names, key=lambda n: (-len(n), n))),
            frozenset(plain),
            frozenset(nouns),
            total,
            asked=normal((answer.resolved or answer.question).lower()) if total == 1 else "",
        )


def fault(sentence: str, facts: Facts) -> str:
    """Why the cited rows do not support a sentence; empty when they do."""
    if not _WORD.search(_MARK.sub(" ", sentence)):
        return "it says nothing"
    numbers = [int(n) for n in _MARK.findall(sentence)]
    if not numbers:
        return "it cites nothing"
    unknown = [n for n in numbers if n not in facts.cited]
    if unknown:
        return f"it cites [{unknown[0]}], which is no source of this answer"
    bare = _without_superlative(sentence, facts)
    for text, marks in _segments(bare, tuple(numbers)):
        found = _segment_fault(text, [r for n in marks for r in facts.cited[n]], facts)
        if found:
            return found
    return ""


def told(sentence: str, facts: Facts) -> frozenset[int]:
    """Places of the rows that a sentence tells: it cites them with their value, else with a name."""
    every = tuple(int(n) for n in _MARK.findall(sentence))
    return frozenset(
        row.place
        for text, marks in _segments(sentence, every)
        for n in marks
        for row in facts.cited.get(n, ())
        if _tells(normal(text), row)
    )


def _tells(text: str, row: _Row) -> bool:
    values = row.measured.values
    if values:
        return any(same(number(n), v) for n in NUMBER.findall(text) for v in values)
    numbers = {number(n) for n in NUMBER.findall(text)}
    return any(normal(name) in text for name in row.names if len(name) > 1) or bool(
        numbers & row.measured.numbers
    )


def _without_superlative(sentence: str, facts: Facts) -> str:
    """The sentence without the superlative that the question asks for, where it tells its numbers too."""
    said = {number(n) for n in NUMBER.findall(normal(sentence))}
    if not facts.asked or not said.issuperset(number(n) for n in NUMBER.findall(facts.asked)):
        return sentence
    for match in re.finditer(r"\b[a-z]+\b", sentence, re.IGNORECASE):
        word = match.group().lower()
        if word not in SUPERLATIVES:
            continue
        behind = re.match(r"\s+[a-z]+", sentence[match.end() :], re.IGNORECASE) if word in _DEGREES else None
        phrase = word + (behind.group().lower() if behind else "")
        if re.search(rf"\b{re.escape(phrase)}\b", facts.asked):
            rest = sentence[match.end() + (behind.end() if behind else 0) :]
            return sentence[: match.start()] + rest
    return sentence


def _segments(sentence: str, every: tuple[int, ...]) -> Iterable[tuple[str, tuple[int, ...]]]:
    """Words with the citations right behind them; what follows the last citation belongs to all."""
    at = 0
    for match in _MARKS.finditer(sentence):
        yield sentence[at : match.start()], tuple(int(n) for n in _MARK.findall(match.group()))
        at = match.end()
    yield sentence[at:], every


def _segment_fault(text: str, rows: list[_Row], facts: Facts) -> str:
    own = {t for row in rows for t in row.names if len(t) > 1}
    left = normal(text)
    for name in facts.names:
        pattern = re.compile(rf"(?<!\w){re.escape(normal(name))}(?!\w)")
        if name in own:
            left = pattern.sub(" ", left)
        elif pattern.search(left) and not any(normal(name) in normal(o) for o in own):
            return f"'{name[:80]}' is not in the rows that it cites"
    known = {n for row in rows for n in row.measured.numbers}
    for match in NUMBER.finditer(left):
        value = number(match.group())
        if _is_count(value, left[match.end() :], len(rows), facts):
            left = left[: match.start()] + " " * len(match.group()) + left[match.end() :]
        elif not any(same(value, k) for k in known):
            return f"the number {match.group()} is not in the rows that it cites"
    wrong = misnamed(left, [row.measured for row in rows])
    if wrong:
        return f"the number {wrong} is something else in the rows that it cites"
    return _word_fault(NUMBER.sub(" ", left), rows, facts)


def _word_fault(left: str, rows: list[_Row], facts: Facts) -> str:
    own = {stem(w.lower()) for row in rows for t in row.texts for w in _WORD.findall(t)}
    for match in _WORD.finditer(left):
        word = match.group().lower()
        counted = word in SPELLED and _is_count(SPELLED[word], left[match.end() :], len(rows), facts)
        if not counted and stem(word) not in facts.plain and stem(word) not in own:
            return f"'{match.group()[:80]}' is not in the rows that it cites"
    symbols = [s for s in _SYMBOL.findall(_WORD.sub(" ", left)) if not s.isspace()]
    return f"'{symbols[0][:80]}' is not in the rows that it cites" if symbols else ""


def _is_count(value: float, after: str, cited: int, facts: Facts) -> bool:
    """Whether a number counts rows: "3 papers"."""
    following = _WORD.match(after.lstrip())
    return (
        value in {float(cited), float(facts.total)}
        and value > 0
        and following is not None
        and stem(following.group().lower()) in facts.nouns
    )


def _row(place: int, answer: Answer, own: tuple[str, ...]) -> _Row:
    columns, row = answer.columns, answer.rows[place]
    cells = [
        (column, item)
        for column, cell in zip(columns, row, strict=True)
        for item in (cell if isinstance(cell, tuple) else (cell,))
        if isinstance(item, str)
    ]
    texts = dict.fromkeys(t for t in (*(item for _, item in cells), *own) if t)
    names = dict.fromkeys(t for t in (*(item for column, item in cells if is_name(column)), *own) if t)
    return _Row(place, tuple(texts), tuple(names), measured(columns, row))
