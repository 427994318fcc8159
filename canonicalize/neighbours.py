"""The nearest rows of each row: by sparse product, or in a vector index.

Exact up to a size; above it an inverted file (Jégou et al. 2011, doi:10.1109/TPAMI.2010.57) looks only at
the cells nearest to a row. Names enter that index projected at random (Achlioptas 2003,
doi:10.1016/S0022-0000(03)00025-4; a projected cosine is off by about one over the root of the number of
columns). All searches are seeded and their outcome depends on the order of the rows alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PROJECTED = 128
"""Columns of projected names: the error of a cosine has a standard deviation of about 0.09."""
PROJECTION_ERROR = 0.25
"""Almost three standard deviations: what is further below a bound hardly ever reaches it."""
PROBES = 12
"""Cells that a query looks into."""
_BLOCK = 10_000
_PARTS = 6
"""Into which the rows are cut to be compared with those behind them only."""
_FEWEST = 600
"""Rows of a part, where there are so many."""
_SEED = 20_03
_TRAINING_ROWS_PER_CELL = 64


@dataclass(frozen=True, slots=True)
class Hits:
    """Found pairs of different rows: the query, what it found, and how near (a cosine, maybe projected)."""

    query: NDArray[np.int64]
    found: NDArray[np.int64]
    score: NDArray[np.float32]

    def part(self, rows: NDArray[np.int64]) -> Hits:
        """The pairs in these rows."""
        return Hits(self.query[rows], self.found[rows], self.score[rows])


def nearest_names(rows: Any, queries: NDArray[np.int64], *, count: int, least: float) -> Iterator[Hits]:
    """Per block the ``count`` nearest rows of each query with a cosine of at least ``least`` > 0, exactly.

    ``rows`` is a CSR matrix (n, n_ngrams) with rows of unit length or zero.
    """
    from sparse_dot_topn import sp_matmul_topn

    columns = rows.T.tocsr()
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        found = sp_matmul_topn(
            rows[block], columns, top_n=count + 1, threshold=least, n_threads=os.cpu_count() or 1
        ).tocoo()
        yield _others(block[found.row], found.col, found.data)


def near_names(rows: Any, *, most: int, least: float) -> list[Hits] | None:
    """All pairs of rows with a cosine of at least ``least`` > 0, each pair once, as blocks; exactly.

    None where a row has ``most`` or more such rows behind it: pairs could grow with the square of the rows.
    """
    from sparse_dot_topn import sp_matmul_topn

    hits: list[Hits] = []
    step = max(_FEWEST, min(_BLOCK // 4, -(-rows.shape[0] // _PARTS)))
    for start in range(0, rows.shape[0], step):
        behind = rows[start:]
        found = sp_matmul_topn(
            behind[:step], behind.T.tocsr(), top_n=most, threshold=least, n_threads=os.cpu_count() or 1
        )
        if np.diff(found.indptr).max(initial=0) >= most:
            return None
        pairs = found.tocoo()
        keep = pairs.row < pairs.col
        hits.append(
            Hits(pairs.row[keep] + np.int64(start), pairs.col[keep] + np.int64(start), pairs.data[keep])
        )
    return hits


def nearest_vectors(
    rows: NDArray[np.float32], queries: NDArray[np.int64], *, count: int, least: float, exact: bool
) -> Iterator[Hits]:
    """Per block the ``count`` nearest rows of each query with a cosine of at least ``least``.

    ``rows`` (n, dimension) have unit length or are zero; zero rows are neither searched nor found.
    """
    known = np.flatnonzero(np.any(rows != 0, axis=1)).astype(np.int64)
    queries = queries[np.isin(queries, known, assume_unique=True)]
    if not len(queries):
        return
    index = _index(rows if len(known) == len(rows) else rows[known], exact=exact)
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        score, found = index.search(rows[block], min(count + 1, len(known)))
        keep = (found >= 0) & (score >= least)
        owner = np.repeat(block, keep.sum(axis=1))
        yield _others(owner, known[found[keep]], score[keep])


def project(rows: Any) -> NDArray[np.float32]:
    """The rows (CSR) as dense rows of at most ``PROJECTED`` columns and unit length; zero rows stay zero."""
    from sklearn.random_projection import SparseRandomProjection

    density = min(1.0, 1 / 16)
    model = SparseRandomProjection(PROJECTED, density=density, random_state=_SEED, dense_output=True).fit(
        rows
    )
    out = np.empty((rows.shape[0], PROJECTED), dtype=np.float32)
    for start in range(0, rows.shape[0], _BLOCK):
        part = model.transform(rows[start : start + _BLOCK])
        norms = np.linalg.norm(part, axis=1, keepdims=True)
        out[start : start + _BLOCK] = part / np.where(norms > 0, norms, 1.0)
    return out


def _index(rows: NDArray[np.float32], *, exact: bool) -> Any:
    import faiss

    rows = np.ascontiguousarray(rows, dtype=np.float32)
    flat = faiss.IndexFlatIP(rows.shape[1])
    if exact:
        flat.add(rows)
        return flat
    cells = int(2 * len(rows) ** 0.5)
    index = faiss.IndexIVFFlat(flat, rows.shape[1], cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.seed, index.cp.niter = _SEED, 8
    index.cp.max_points_per_centroid = _TRAINING_ROWS_PER_CELL
    index.train(rows)
    index.add(rows)
    index.nprobe = PROBES
    return index


def _others(query: NDArray[np.int64], found: NDArray[Any], score: NDArray[Any]) -> Hits:
    keep = query != found
    return Hits(query[keep], found[keep].astype(np.int64), score[keep].astype(np.float32))
