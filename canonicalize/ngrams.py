"""Character n-grams of names, weighted by how rare they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    """TF-IDF rows of unit length of all forms (CSR, float32), and the n-grams they rest on."""
    from scipy import sparse

    if not any(form.strip() for form in forms):
        return sparse.csr_matrix((len(forms), 1), dtype=np.float32), Ngrams({}, [], len(forms))
    vectorizer = _vectorizer()
    rows = vectorizer.fit_transform(forms)
    column = {gram: int(at) for gram, at in vectorizer.vocabulary_.items()}
    return rows, Ngrams(column, vectorizer.idf_.tolist(), len(forms))


def _vectorizer() -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer="char_wb", ngram_range=NGRAMS, sublinear_tf=True, lowercase=False, dtype=np.float32
    )
