"""Labelled pairs of names: those that come with the program, and the features of any."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features, Unit, build_features
from canonicalize.similarity import PAIR_FEATURES, meaning_cosines, name_cosines, pair_table
from schemas.language.names import normalise_name
from schemas.ports import Embedder

CASE_SENSITIVE = frozenset({"observable", "gene", "chemical"})
"""Types of the labelled names in which case tells names apart."""
PROPOSED_FROM = 0.4
"""Mean of name and meaning similarity from which two labelled names are a pair that a judge may see."""
_TEXT_LIMIT = 240
_BLOCK = 200_000


@dataclass(frozen=True, slots=True)
class Term:
    """A labelled name. Two terms of one type are the same exactly when their concepts are."""

    type: str
    concept: str
    name: str
    description: str

    @property
    def text(self) -> str:
        """What is embedded: name and description, as for records."""
        described = self.description and self.description != self.name
        return (f"{self.name}: {self.description}" if described else self.name)[:_TEXT_LIMIT]


@dataclass(frozen=True, slots=True)
class TermPair:
    """Two labelled names and how they are related."""

    left: Term
    right: Term
    same: bool
    kind: str


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """Columns of pairs with their labels, all of one length."""

    columns: NDArray[np.float64]
    """(n_pairs, n_features): ``PAIR_FEATURES``."""
    same: NDArray[np.bool_]
    concepts: tuple[tuple[str, str], ...]
    """Of both sides: what a split into folds goes by."""
    weight: NDArray[np.float64]
    proposed: NDArray[np.bool_]
    """Whether a judge would be asked about the pair: a calibration is fitted on these alone."""

    def __len__(self) -> int:
        return len(self.same)

    def pick(self, rows: NDArray[np.bool_]) -> LabelledTable:
        """The rows where ``rows`` is true."""
        chosen = np.flatnonzero(rows)
        concepts = tuple(self.concepts[i] for i in chosen.tolist())
        return LabelledTable(
            self.columns[chosen], self.same[chosen], concepts, self.weight[chosen], self.proposed[chosen]
        )


def joined(tables: Sequence[LabelledTable]) -> LabelledTable:
    """The rows of all tables."""
    return LabelledTable(
        np.concatenate([t.columns for t in tables]) if tables else np.zeros((0, len(PAIR_FEATURES))),
        np.concatenate([t.same for t in tables]) if tables else np.zeros(0, dtype=bool),
        tuple(c for t in tables for c in t.concepts),
        np.concatenate([t.weight for t in tables]) if tables else np.zeros(0),
        np.concatenate([t.proposed for t in tables]) if tables else np.zeros(0, dtype=bool),
    )


def labelled_terms() -> tuple[Term, ...]:
    """The names of ``data/term_concepts.tsv``.

    >>> len(labelled_terms())
    1981
    """
    return tuple(Term(r["type"], r["slug"], r["name"], r["description"]) for r in _rows("term_concepts.tsv"))


def labelled_pairs() -> tuple[TermPair, ...]:
    """The pairs of ``data/term_pairs.tsv``; as many the same as not, which no corpus has.

    >>> sum(pair.same for pair in labelled_pairs())
    806
    """

    def side(row: dict[str, str], name: str) -> Term:
        return Term(row["type"], row[f"concept_{name}"], row[name], row[f"{name}_description"])

    return tuple(
        TermPair(side(r, "left"), side(r, "right"), r["same"] == "1", r["kind"])
        for r in _rows("term_pairs.tsv")
    )


def _rows(name: str) -> list[dict[str, str]]:
    text = files("canonicalize.data").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def term_features(terms: Sequence[Term], embedder: Embedder | None) -> tuple[list[Unit], Features]:
    """A unit for each term of one type, each of a document of its own, and their features."""
    units = [Unit((at,), (t.name,), (), frozenset({str(at)})) for at, t in enumerate(terms)]
    case_sensitive = bool(terms) and terms[0].type in CASE_SENSITIVE
    features = build_features(
        units,
        partial(normalise_name, case_sensitive=case_sensitive),
        descriptions=sorted({t.description for t in terms}),
        vectors=None if embedder is None else embedder.encode([t.text for t in terms]),
    )
    return units, features


def pair_columns(pairs: Sequence[TermPair], embedder: Embedder | None) -> LabelledTable:
    """The columns of labelled pairs, type by type in the order of the types' names."""
    made = []
    for kind in sorted({p.left.type for p in pairs}):
        own = [p for p in pairs if p.left.type == kind]
        terms = sorted({t for p in own for t in (p.left, p.right)}, key=lambda t: (t.name, t.text, t.concept))
        number = {term: at for at, term in enumerate(terms)}
        units, features = term_features(terms, embedder)
        rows = np.array([(number[p.left], number[p.right]) for p in own], dtype=np.int64)
        concepts = tuple((p.left.concept, p.right.concept) for p in own)
        same = np.array([p.same for p in own])
        columns = pair_table(units, features, rows)
        made.append(LabelledTable(columns, same, concepts, np.ones(len(own)), np.zeros(len(own), dtype=bool)))
    return joined(made)


def proposed_columns(terms: Sequence[Term], embedder: Embedder | None) -> LabelledTable:
    """The columns of all pairs of terms of one type that are similar enough to be proposed."""
    made = []
    for kind in sorted({t.type for t in terms}):
        own = [t for t in terms if t.type == kind]
        units, features = term_features(own, embedder)
        rows = np.concatenate(list(_similar_pairs(features, len(own))))
        concepts = tuple((own[a].concept, own[b].concept) for a, b in rows.tolist())
        same = np.array([a == b for a, b in concepts], dtype=bool)
        count = len(rows)
        columns = pair_table(units, features, rows)
        made.append(LabelledTable(columns, same, concepts, np.ones(count), np.ones(count, dtype=bool)))
    return joined(made)


def _similar_pairs(features: Features, count: int) -> Iterable[NDArray[np.int64]]:
    pairs = combinations(range(count), 2)
    yield np.zeros((0, 2), dtype=np.int64)
    while block := list(islice(pairs, _BLOCK)):
        rows = np.array(block, dtype=np.int64)
        score = name_cosines(features, rows)
        if features.vectors is not None:
            score = (score + meaning_cosines(features, rows)) / 2
        yield rows[score >= PROPOSED_FROM]
