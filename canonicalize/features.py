"""What the similarity of two groups of records rests on: names, meaning vectors, aliases, attributes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.ngrams import Ngrams, fit_ngrams
from schemas.language.acronyms import expand, find_acronyms
from schemas.model import AttributeValue

MAX_FORM = 1_024
"""Longest normal form in characters that similarity looks at; longer ones are equal or they are not."""
_BLOCK = 250
"""Units whose vectors are averaged at a time: as many as fit a processor's cache."""
_RUN = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """Records that are one entity already (by key, name or decision): the item that similarity merges.

    ``records`` are row numbers of the type's table in order of record id; ``identity`` holds per
    identity attribute the known values.
    """

    records: tuple[int, ...]
    names: tuple[str, ...]
    aliases: tuple[str, ...]
    documents: frozenset[str]
    identity: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def keyed(self) -> bool:
        """Whether an identity attribute is known."""
        return bool(self.identity)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What names are read with: the n-grams and their weights, and acronyms with their long forms."""

    ngrams: Ngrams
    acronyms: dict[str, str]


@dataclass(frozen=True, slots=True)
class Features:
    """Columns of one length, one row per unit.

    ``names`` is a SciPy CSR matrix (n_units, n_ngrams) and ``vectors`` a dense one (n_units,
    dimension) or None; rows of both are L2-normalised, so that a dot product is a cosine.
    ``aliases`` maps a unit to the units that share a name or alias with it. ``forms`` holds the normal
    forms of each unit's names, acronyms written out, in the order of ``Unit.names``. ``attributes`` holds
    per attribute a boolean CSR matrix (n_units, n_values): which values a unit's records have.
    """

    names: Any
    vectors: NDArray[np.float32] | None
    aliases: dict[int, frozenset[int]]
    forms: tuple[tuple[str, ...], ...]
    vocabulary: Vocabulary
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptRows:
    """Units whose rows are known: their numbers, sorted, and a row of each, made with the vocabulary."""

    vocabulary: Vocabulary
    units: NDArray[np.int64]
    names: Any
    """CSR (n_kept, n_ngrams)."""
    vectors: NDArray[np.float32] | None

    def others(self, count: int) -> NDArray[np.int64]:
        """The other units of ``count``, sorted."""
        rest: NDArray[np.int64] = np.setdiff1d(np.arange(count), self.units, assume_unique=True)
        return rest


def build_features(
    units: Sequence[Unit],
    normalise: Callable[[str], str],
    *,
    descriptions: Iterable[str] = (),
    vectors: NDArray[np.float32] | None = None,
    attributes: Mapping[str, Sequence[AttributeValue | None]] | None = None,
    known: Vocabulary | KeptRows | None = None,
) -> Features:
    """Features of every unit; ``vectors`` (n_records, dimension) are averaged over a unit's records.

    Acronyms that the names, aliases or ``descriptions`` define in one way only are written out first.
    ``attributes`` are columns of the records, of which the values that are known count. With a ``known``
    vocabulary names are weighted as they were there, so that rows can be compared with those made then,
    or taken over.
    """
    kept, known = (known, known.vocabulary) if isinstance(known, KeptRows) else (None, known)
    written = (name for unit in units for name in (*unit.names, *unit.aliases))
    table = acronym_table([*written, *descriptions])
    if known is not None:
        table = {**table, **known.acronyms}
    names = [tuple(normalise(write_out(name, table)) for name in unit.names) for unit in units]
    fresh = np.arange(len(units)) if kept is None else kept.others(len(units))
    rows, ngrams = _name_rows([names[unit] for unit in fresh], known)
    means = _mean_rows([units[unit] for unit in fresh], vectors)
    return Features(
        names=rows if kept is None else _filled_names(kept, rows, fresh),
        vectors=means if kept is None else _filled_vectors(kept, means, fresh),
        aliases=_shared(units, names, normalise),
        forms=tuple(names),
        vocabulary=Vocabulary(ngrams, table),
        attributes={name: _value_rows(units, column) for name, column in (attributes or {}).items()},
    )


def _filled_names(kept: KeptRows, rows: Any, fresh: NDArray[np.int64]) -> Any:
    """The kept rows and others in order of their units."""
    from scipy import sparse

    width = max(kept.names.shape[1], rows.shape[1])
    for part in (kept.names, rows):
        part.resize((part.shape[0], width))
    return sparse.vstack([kept.names, rows], format="csr")[np.argsort(np.concatenate([kept.units, fresh]))]


def _filled_vectors(
    kept: KeptRows, means: NDArray[np.float32] | None, fresh: NDArray[np.int64]
) -> NDArray[np.float32] | None:
    if kept.vectors is None or means is None:
        return None
    filled = np.empty((len(kept.units) + len(fresh), means.shape[1]), dtype=np.float32)
    filled[kept.units], filled[fresh] = kept.vectors, means
    return filled


def _value_rows(units: Sequence[Unit], column: Sequence[AttributeValue | None]) -> Any:
    """Which values the records of a unit have: boolean (n_units, n_values)."""
    from scipy import sparse

    codes: dict[str, int] = {}
    owner: list[int] = []
    value: list[int] = []
    for index, unit in enumerate(units):
        known = {str(column[row]).strip().casefold() for row in unit.records if column[row] is not None}
        for text in sorted(known - {""}):
            owner.append(index)
            value.append(codes.setdefault(text, len(codes)))
    shape = (len(units), max(1, len(codes)))
    return sparse.csr_matrix((np.ones(len(owner), dtype=bool), (owner, value)), shape=shape)


def write_out(name: str, table: Mapping[str, str]) -> str:
    """``name`` with the acronyms of ``table`` that occur in it written out."""
    if not table or name[1:].islower():
        return name
    parts = (run.split("-") for run in _RUN.findall(name))
    begun = {"-".join(part[:end]) for part in parts for end in range(1, len(part) + 1)}
    used = {
        short: table[short] for text in begun for short in (text, text.removesuffix("s")) if short in table
    }
    return expand(name, used) if used else name


def acronym_table(texts: Iterable[str]) -> dict[str, str]:
    """Acronyms with exactly one long form in all texts (without regard to case and plural s)."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        if "(" in text:
            for short, long_form in find_acronyms(text).items():
                forms[short].add(long_form.lower())
    return {short: next(iter(longs)) for short, longs in forms.items() if len(longs) == 1}


def _name_rows(names: Sequence[Sequence[str]], known: Vocabulary | None) -> tuple[Any, Ngrams]:
    """TF-IDF rows, float32; a unit with several normal forms has the normalised mean of their rows."""
    from scipy import sparse

    forms = [sorted({form for form in row if len(form) <= MAX_FORM}) for row in names]
    flat = [form for row in forms for form in row]
    rows, ngrams = fit_ngrams(flat) if known is None else (known.ngrams.rows(flat), known.ngrams)
    if any(len(row) != 1 for row in forms):
        owner = np.repeat(np.arange(len(forms)), [len(row) for row in forms])
        pick = (np.ones(len(flat), dtype=np.float32), (owner, np.arange(len(flat))))
        rows = _unit_length(sparse.csr_matrix(pick, shape=(len(names), len(flat))) @ rows)
    rows.sort_indices()
    return rows, ngrams


def _unit_length(rows: Any) -> Any:
    """The rows (CSR) with unit length; zero rows stay zero."""
    from scipy import sparse

    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64)).ravel()
    scale = sparse.diags_array(1.0 / np.where(norms > 0, norms, 1.0)).tocsr()
    return sparse.csr_matrix(scale @ rows).astype(np.float32)


def _mean_rows(units: Sequence[Unit], vectors: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    """The normalised mean of the vectors of each unit's records; a zero row stays zero."""
    if vectors is None:
        return None
    from scipy import sparse

    out = np.zeros((len(units), vectors.shape[1]), dtype=np.float32)
    for start in range(0, len(units), _BLOCK):
        held = [unit.records for unit in units[start : start + _BLOCK]]
        flat = np.array(list(chain.from_iterable(held)), dtype=np.int64)
        ends = np.cumsum([0, *map(len, held)])
        adding = sparse.csr_matrix(
            (np.ones(len(flat)), np.arange(len(flat)), ends), shape=(len(held), len(flat))
        )
        sums = adding @ vectors[flat].astype(np.float64)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        out[start : start + len(held)] = sums / np.where(norms > 0, norms, 1.0)
    return out


def _shared(
    units: Sequence[Unit], names: Sequence[Sequence[str]], normalise: Callable[[str], str]
) -> dict[int, frozenset[int]]:
    """Units of which one's alias is the other's name, or which share an alias."""
    holders: dict[str, set[int]] = defaultdict(set)
    for index, unit in enumerate(units):
        for form in {*names[index], *map(normalise, unit.aliases)}:
            if form:
                holders[form].add(index)
    shared: dict[int, set[int]] = defaultdict(set)
    for group in holders.values():
        if 1 < len(group) <= _MAX_SHARERS:
            for index in group:
                shared[index] |= group - {index}
    return {index: frozenset(others) for index, others in shared.items()}


_MAX_SHARERS = 50
"""A form that more units share is a common word and tells nothing."""
