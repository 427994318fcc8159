"""The features of pairs of units, one named column each.

The same columns feed linkage, the pair model and the explanation of a merge. Every value is finite and
symmetric in the two units. Where a unit has several names, a column of the names is the best over the
``MAX_NAMES`` most frequent names of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features, Unit
from schemas.language.acronyms import find_acronyms

PAIR_FEATURES = (
    "name_tfidf",
    "token_jaccard",
    "token_containment",
    "edit_similarity",
    "jaro_winkler",
    "length_ratio",
    "head_word_equal",
    "numbers_agree",
    "acronym_match",
    "shared_alias",
    "meaning_cosine",
    "attribute_agreement",
)
"""Names of the columns of ``pair_table``, in their order. New columns are added at the end only."""
MAX_NAMES = 3
"""Most names of a unit that the columns of strings compare."""
_MAX_CHARACTERS = 512
_BLOCK = 50_000
_CACHED = 4_096
_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_AFTER_HEAD = re.compile(r"\s(?:of|in|for|from|with|to|on|at|by|due|between|under|over)\s|[(,;:]")
_SHORT = re.compile(r"[A-Z][A-Za-z0-9-]{1,9}s?")
_STRING_COLUMNS = slice(1, 9)


def pair_table(units: Sequence[Unit], features: Features, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """``PAIR_FEATURES`` of each pair of unit numbers: (n_pairs, 2) -> (n_pairs, n_features).

    All columns lie in [0, 1] but two: ``meaning_cosine`` in [-1, 1], 0 without vectors, and
    ``attribute_agreement``, the number of attributes with a value in common less the number of those
    known on both sides with none in common. ``edit_similarity`` is one less the normalised
    insertion-deletion distance of the names, ``jaro_winkler`` after Winkler 1990 (ERIC ED325505), both of
    the first 512 characters of the normal forms.

    >>> from canonicalize.features import build_features
    >>> names = ("signal shape", "shape of the signal")
    >>> units = [Unit((i,), (name,), (), frozenset()) for i, name in enumerate(names)]
    >>> row = pair_table(units, build_features(units, str.lower), np.array([[0, 1]]))[0]
    >>> dict(zip(PAIR_FEATURES, row.tolist(), strict=True))["token_containment"]
    1.0
    """
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    table = np.zeros((len(pairs), len(PAIR_FEATURES)))
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        rows = table[start : start + len(block)]
        rows[:, 0] = name_cosines(features, block)
        rows[:, _STRING_COLUMNS] = _string_columns(units, features, block)
        rows[:, 9] = shared_aliases(features, block)
        rows[:, 10] = meaning_cosines(features, block)
        rows[:, 11] = _attribute_agreement(features, block)
    return table


def name_cosines(features: Features, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Cosine of the TF-IDF rows of each pair (n_pairs, 2), in [0, 1]."""
    out = np.zeros(len(pairs))
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        product = features.names[block[:, 0]].multiply(features.names[block[:, 1]])
        out[start : start + len(block)] = np.asarray(product.sum(axis=1)).ravel()
    return np.minimum(out, 1.0)


def meaning_cosines(features: Features, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Cosine of the vectors of each pair (n_pairs, 2), in [-1, 1]; 0 without vectors."""
    if features.vectors is None:
        return np.zeros(len(pairs))
    return np.clip(row_products(features.vectors, pairs), -1.0, 1.0)


def exact_cosines(
    features: Features, pairs: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``name_cosines`` and ``meaning_cosines``, summed with the precision of float64."""
    names, cosines = np.zeros(len(pairs)), np.zeros(len(pairs))
    for start in range(0, len(pairs), _CACHED):
        block = pairs[start : start + _CACHED]
        part = slice(start, start + len(block))
        left, right = (features.names[ends].astype(np.float64) for ends in block.T)
        names[part] = np.asarray(left.multiply(right).sum(axis=1)).ravel()
        if features.vectors is not None:
            rows = (features.vectors[ends].astype(np.float64) for ends in block.T)
            cosines[part] = np.einsum("ij,ij->i", *rows)
    return np.minimum(names, 1.0), cosines


def row_products(rows: NDArray[np.float32], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Dot product of the two rows of each pair (n_pairs, 2), in blocks that fit a processor's cache."""
    out = np.zeros(len(pairs))
    for start in range(0, len(pairs), _CACHED):
        block = pairs[start : start + _CACHED]
        left, right = rows[block[:, 0]], rows[block[:, 1]]
        out[start : start + len(block)] = np.einsum("ij,ij->i", left, right)
    return out


def shared_aliases(features: Features, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether one's alias is the other's name, or both share an alias."""
    if not features.aliases:
        return np.zeros(len(pairs), dtype=bool)
    named = np.zeros(len(features.forms), dtype=bool)
    named[list(features.aliases)] = True
    found = np.zeros(len(pairs), dtype=bool)
    possible = np.flatnonzero(named[pairs[:, 0]])
    shared = (b in features.aliases[a] for a, b in pairs[possible].tolist())
    found[possible] = np.fromiter(shared, dtype=bool, count=len(possible))
    return found


def _attribute_agreement(features: Features, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    out = np.zeros(len(pairs))
    for rows in features.attributes.values():
        left, right = rows[pairs[:, 0]], rows[pairs[:, 1]]
        equal = np.asarray(left.astype(np.int64).multiply(right).sum(axis=1)).ravel() > 0
        known = (np.diff(left.indptr) > 0) & (np.diff(right.indptr) > 0)
        out += np.where(equal, 1.0, np.where(known, -1.0, 0.0))
    return out


def _string_columns(
    units: Sequence[Unit], features: Features, pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The columns of names, best over the names of each pair."""
    forms: list[tuple[str, str]] = []
    written: list[tuple[str, str]] = []
    starts = np.empty(len(pairs), dtype=np.int64)
    for at, (a, b) in enumerate(pairs.tolist()):
        starts[at] = len(forms)
        spelled = ((i, j) for i in range(len(units[a].names[:MAX_NAMES])) for j in _first(units[b].names))
        for i, j in spelled:
            forms.append(_ordered(features.forms[a][i], features.forms[b][j]))
            written.append(_ordered(units[a].names[i], units[b].names[j]))
    if not forms:
        return np.zeros((len(pairs), 8))
    best: NDArray[np.float64] = np.maximum.reduceat(_compare(forms, written), starts, axis=0)
    return best


def _first(names: Sequence[str]) -> range:
    return range(min(MAX_NAMES, len(names)))


def _ordered(left: str, right: str) -> tuple[str, str]:
    left, right = left[:_MAX_CHARACTERS], right[:_MAX_CHARACTERS]
    return (left, right) if left <= right else (right, left)


def _compare(forms: Sequence[tuple[str, str]], written: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """One row per pair of names: the columns 1 to 8 of ``PAIR_FEATURES``."""
    from rapidfuzz.distance import Indel, JaroWinkler
    from rapidfuzz.process import cpdist

    left, right = [a for a, _ in forms], [b for _, b in forms]
    columns = np.zeros((len(forms), 8))
    columns[:, 0:2] = [_overlap(_tokens(a), _tokens(b)) for a, b in forms]
    columns[:, 2] = cpdist(left, right, scorer=Indel.normalized_similarity)
    columns[:, 3] = cpdist(left, right, scorer=JaroWinkler.normalized_similarity)
    columns[:, 4] = [_length_ratio(a, b) for a, b in forms]
    columns[:, 5] = [_head(a) == _head(b) != "" for a, b in forms]
    columns[:, 6] = [_numbers(a) == _numbers(b) for a, b in forms]
    columns[:, 7] = [acronym_match(a, b) for a, b in written]
    return columns


def acronym_match(left: str, right: str) -> bool:
    """Whether the names are equal but for one acronym, which stands for the other's words.

    After Schwartz and Hearst (doi:10.1142/9789812776303_0042): the letters occur in order, the first at
    the start of the first word.

    >>> acronym_match("PID efficiency", "particle identification efficiency")
    True
    >>> acronym_match("PID efficiency", "trigger efficiency")
    False
    """
    a, b = left.split(), right.split()
    for short, long in ((a, b), (b, a)):
        rest = [word for word in short if word not in long]
        if len(rest) == 1 and len(long) > len(short) and _SHORT.fullmatch(rest[0]):
            words = " ".join(word for word in long if word not in short)
            if _stands_for(rest[0].rstrip("s"), words):
                return True
    return False


@lru_cache(maxsize=100_000)
def _stands_for(short: str, words: str) -> bool:
    return find_acronyms(f"{words} ({short})").get(short, "").lower() == words.lower()


@lru_cache(maxsize=100_000)
def _tokens(form: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(form))


@lru_cache(maxsize=100_000)
def _numbers(form: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(form))


@lru_cache(maxsize=100_000)
def _head(form: str) -> str:
    """The last word of the noun phrase before any preposition, without a plural s."""
    words = _TOKEN.findall(_AFTER_HEAD.split(form, maxsplit=1)[0])
    last = words[-1] if words else ""
    return last[:-1] if len(last) > 3 and last.endswith("s") and last[-2] not in "aius" else last


def _overlap(a: frozenset[str], b: frozenset[str]) -> tuple[float, float]:
    """Shared tokens as part of all tokens (Jaccard), and as part of the shorter name's."""
    if not a or not b:
        return 0.0, 0.0
    shared = len(a & b)
    return shared / len(a | b), shared / min(len(a), len(b))


def _length_ratio(a: str, b: str) -> float:
    longer = max(len(a), len(b))
    return min(len(a), len(b)) / longer if longer else 1.0
