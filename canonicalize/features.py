"""What the similarity of two groups of records rests on: names, meaning vectors, aliases, attributes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.language.acronyms import expand, find_acronyms
from schemas.model import AttributeValue

NGRAMS = (2, 4)
"""Lengths of the character n-grams, within words (arXiv 2509.06855, appendix D.2.2)."""


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
    attributes: dict[str, Any] = field(default_factory=dict)


def build_features(
    units: Sequence[Unit],
    normalise: Callable[[str], str],
    *,
    descriptions: Iterable[str] = (),
    vectors: NDArray[np.float32] | None = None,
    attributes: Mapping[str, Sequence[AttributeValue | None]] | None = None,
) -> Features:
    """Features of every unit; ``vectors`` (n_records, dimension) are averaged over a unit's records.

    Acronyms that the names or ``descriptions`` define in one way only are written out first.
    ``attributes`` are columns of the records, of which the values that are known count.
    """
    table = _acronym_table([*(name for unit in units for name in unit.names), *descriptions])
    names = [tuple(normalise(_expand(name, table)) for name in unit.names) for unit in units]
    return Features(
        names=_name_rows(names),
        vectors=_mean_rows(units, vectors),
        aliases=_shared(units, names, normalise),
        forms=tuple(names),
        attributes={name: _value_rows(units, column) for name, column in (attributes or {}).items()},
    )


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


def _expand(name: str, table: dict[str, str]) -> str:
    return expand(name, table) if any(c.isupper() for c in name[1:]) else name


def _acronym_table(texts: Iterable[str]) -> dict[str, str]:
    """Acronyms with exactly one long form in all texts (without regard to case and plural s)."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        if "(" in text:
            for short, long_form in find_acronyms(text).items():
                forms[short].add(long_form.lower())
    return {short: next(iter(longs)) for short, longs in forms.items() if len(longs) == 1}


def _name_rows(names: Sequence[Sequence[str]]) -> Any:
    """TF-IDF rows; a unit with several names has the normalised mean of their rows."""
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=NGRAMS, sublinear_tf=True, lowercase=False, dtype=np.float64
    )
    flat = [name for row in names for name in row]
    if not any(name.strip() for name in flat):
        return sparse.csr_matrix((len(names), 1), dtype=np.float64)
    rows = vectorizer.fit_transform(flat)
    owner = [index for index, row in enumerate(names) for _ in row]
    pick = sparse.csr_matrix((np.ones(len(flat)), (owner, range(len(flat)))), shape=(len(names), len(flat)))
    mean = normalize(pick @ rows)
    mean.sort_indices()
    return mean


def _mean_rows(units: Sequence[Unit], vectors: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    if vectors is None:
        return None
    means = np.stack([vectors[list(unit.records)].mean(axis=0, dtype=np.float64) for unit in units])
    norms = np.linalg.norm(means, axis=1, keepdims=True)
    rows: NDArray[np.float32] = (means / np.where(norms > 0, norms, 1.0)).astype(np.float32)
    return rows


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
