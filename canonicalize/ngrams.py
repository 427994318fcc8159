"""Character n-grams of names, weighted by how rare they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

NGRAMS = (2, 4)
"""Lengths of the character n-grams, within words (arXiv 2509.06855, appendix D.2.2)."""


def ngrams_of(form: str) -> Iterator[str]:
    """The n-grams of each word between two spaces, as scikit-learn's ``char_wb`` has them.

    >>> list(ngrams_of("ab"))
    [' a', 'ab', 'b ', ' ab', 'ab ', ' ab ']
    """
    for word in form.split():
        padded = f" {word} "
        for size in range(NGRAMS[0], min(NGRAMS[1], len(padded)) + 1):
            for start in range(len(padded) - size + 1):
                yield padded[start : start + size]


@dataclass(slots=True)
class Ngrams:
    """Column and weight of every n-gram: the smoothed inverse document frequency, as in scikit-learn.

    An n-gram that comes later takes a column at the end and the weight of one that occurs once.
    """

    column: dict[str, int]
    weight: list[float]
    names: int
    """How many names the weights rest on."""

    def rows(self, forms: Sequence[str]) -> Any:
        """TF-IDF rows of unit length (n_forms, n_columns), CSR, float32; new n-grams become columns."""
        from scipy import sparse

        indices: list[int] = []
        data: list[float] = []
        indptr = [0]
        for form in forms:
            weights = {self._column(gram): 1 + math.log(n) for gram, n in Counter(ngrams_of(form)).items()}
            values = {column: tf * self.weight[column] for column, tf in sorted(weights.items())}
            norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
            indices += values
            data += [value / norm for value in values.values()]
            indptr.append(len(indices))
        arrays = (np.array(data, dtype=np.float32), np.array(indices, dtype=np.int32), np.array(indptr))
        return sparse.csr_matrix(arrays, shape=(len(forms), max(1, len(self.weight))))

    def _column(self, gram: str) -> int:
        found = self.column.get(gram)
        if found is None:
            found = self.column[gram] = len(self.weight)
            self.weight.append(math.log((1 + self.names) / 2) + 1)
        return found


def fit_ngrams(forms: Sequence[str]) -> tuple[Any, Ngrams]:
    """TF-IDF rows of unit length of all forms (CSR, float32), and the n-grams they rest on.

    They are those of scikit-learn's ``TfidfVectorizer``; a word that many forms have is cut up once.

    >>> rows, ngrams = fit_ngrams(["ab", "ab ab", "b"])
    >>> rows.shape, list(ngrams.column)[:3], ngrams.names
    ((3, 8), [' a', ' ab', ' ab '], 3)
    """
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfTransformer

    counts, grams = _counted(forms)
    if not grams:
        return sparse.csr_matrix((len(forms), 1), dtype=np.float32), Ngrams({}, [], len(forms))
    weighting = TfidfTransformer(sublinear_tf=True).fit(counts)
    rows = weighting.transform(counts, copy=False)
    return rows, Ngrams({gram: at for at, gram in enumerate(grams)}, weighting.idf_.tolist(), len(forms))


def _counted(forms: Sequence[str]) -> tuple[Any, list[str]]:
    """How often each form has each n-gram (n_forms, n_ngrams), CSR, float32; and the n-grams, sorted."""
    words: dict[str, int] = {}
    held = [[words.setdefault(word, len(words)) for word in form.split()] for form in forms]
    found: dict[str, int] = {}
    cut = [[found.setdefault(gram, len(found)) for gram in ngrams_of(word)] for word in words]
    grams = sorted(found)
    place = np.empty(len(grams), dtype=np.int32)
    place[[found[gram] for gram in grams]] = np.arange(len(grams), dtype=np.int32)
    by_word = _incidence(cut, len(grams))
    by_word.indices = place[by_word.indices]
    counts = _incidence(held, len(words)) @ by_word
    counts.sort_indices()
    return counts, grams


def _incidence(rows: Sequence[Sequence[int]], columns: int) -> Any:
    """CSR, float32: a one for every column of a row that is named, as often as it is."""
    from scipy import sparse

    ends = np.cumsum([0, *map(len, rows)])
    at = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(ends[-1]))
    ones = np.ones(len(at), dtype=np.float32)
    return sparse.csr_matrix((ones, at, ends), shape=(len(rows), columns))
