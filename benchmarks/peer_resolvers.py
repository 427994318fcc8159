"""Other resolvers on the same records: the seed's method, neo4j-graphrag and Splink.

The two packages are dependencies of this benchmark alone.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.graphs import RecordColumns

Labels = dict[str, str]
"""Record -> cluster."""
SEED_THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
NAME_WEIGHT = 0.5
SPLINK_MATCH = 0.9


class DenseSeed:
    """The seed's method (arXiv 2509.06855, appendix D.2.2): a dense weighted similarity, average linkage."""

    def __init__(self, table: RecordColumns) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        rows: Any = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(table.names)
        likeness = np.asarray((rows @ rows.T).toarray(), dtype=np.float64) * NAME_WEIGHT
        if table.vectors is not None:
            likeness += (1 - NAME_WEIGHT) * (table.vectors @ table.vectors.T)
        self._ids = table.ids
        self._apart = np.clip(1 - likeness, 0, None)
        np.fill_diagonal(self._apart, 0)

    def cuts(self) -> dict[float, Labels]:
        """One linkage, cut at each threshold."""
        from scipy.cluster.hierarchy import fcluster

        model = self._fit(0.0)
        sizes = np.zeros(len(model.children_))
        tree = np.column_stack([model.children_, model.distances_, sizes]).astype(np.float64)
        for at, (a, b) in enumerate(model.children_.tolist()):
            held = (1.0 if x < len(self._ids) else tree[x - len(self._ids), 3] for x in (a, b))
            tree[at, 3] = sum(held)
        return {t: self._named(fcluster(tree, 1 - t, "distance")) for t in SEED_THRESHOLDS}

    def scan(self) -> float:
        """Seconds of the seed's own loop: a linkage for every threshold."""
        began = time.perf_counter()
        for threshold in SEED_THRESHOLDS:
            self._fit(1 - threshold)
        return time.perf_counter() - began

    def _fit(self, distance: float) -> Any:
        from sklearn.cluster import AgglomerativeClustering

        model = AgglomerativeClustering(
            n_clusters=None,
            distance_threshold=distance,
            metric="precomputed",
            linkage="average",
            compute_distances=True,
            compute_full_tree=True,
        )
        return model.fit(self._apart)

    def _named(self, labels: NDArray[np.int32]) -> Labels:
        return {str(r): str(label) for r, label in zip(self._ids, labels.tolist(), strict=True)}


class MemoryDriver:
    """Answers what neo4j-graphrag's resolver asks of a database: all nodes, and merges of some."""

    def __init__(self, table: RecordColumns) -> None:
        self._type = table.type
        self._nodes = [{"id": str(r), "name": n} for r, n in zip(table.ids, table.names, strict=True)]
        self.home: Labels = {str(r): str(r) for r in table.ids}

    def execute_query(
        self, _query: str, parameters: dict[str, Any] | None = None, **_: object
    ) -> tuple[list[Any], None, None]:
        if parameters is None or "ids" not in parameters:
            return [{"lab": self._type, "labelCluster": self._nodes}], None, None
        alive = [i for i in parameters["ids"] if self.home[i] == i]
        moved = set(alive)
        for record, home in self.home.items():
            if home in moved:
                self.home[record] = alive[0]
        return [alive[0]] if alive else [], None, None


def fuzzy(table: RecordColumns) -> Labels:
    """neo4j-graphrag's ``FuzzyMatchResolver`` at its defaults: its own code over a database in memory."""
    from neo4j_graphrag.components.resolver import FuzzyMatchResolver

    driver: Any = MemoryDriver(table)
    resolver = FuzzyMatchResolver.__new__(FuzzyMatchResolver)
    resolver.driver, resolver.filter_query, resolver.neo4j_database = driver, None, None
    resolver.resolve_properties, resolver.similarity_threshold = ["name"], 0.8
    asyncio.run(resolver.run())
    home: Labels = driver.home
    return home


def splink(table: RecordColumns) -> Labels:
    """Splink on names and their first and last words: trained by EM, clustered at a probability of 0.9."""
    from splink import block_on

    names = [n.lower() for n in table.names]
    words = [n.split() or [""] for n in names]
    linker = _linker(
        {
            "unique_id": [str(r) for r in table.ids],
            "name": names,
            "first_word": [w[0] for w in words],
            "last_word": [w[-1] for w in words],
            "longest_word": [max(w, key=len) for w in words],
        }
    )
    linker.training.estimate_probability_two_random_records_match([block_on("name")], recall=0.6)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=0)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("longest_word"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("first_word"))
    pairs = linker.inference.predict(threshold_match_probability=0.5)
    found = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs, SPLINK_MATCH)
    rows = found.as_dict()
    return dict(zip(map(str, rows["unique_id"]), map(str, rows["cluster_id"]), strict=True))


def _linker(columns: dict[str, list[str]]) -> Any:
    import splink.comparison_library as cl
    from splink import Linker, SettingsCreator, block_on
    from splink.internals.duckdb.database_api import DuckDBAPI

    settings = SettingsCreator(
        link_type="dedupe_only",
        blocking_rules_to_generate_predictions=[
            block_on("longest_word"),
            block_on("first_word"),
            block_on("last_word"),
        ],
        comparisons=[
            cl.JaroWinklerAtThresholds("name", [0.95, 0.9, 0.8]),
            cl.ExactMatch("first_word"),
            cl.ExactMatch("longest_word"),
        ],
    )
    return Linker(DuckDBAPI().register(columns), settings, log_level=logging.ERROR)


def without_same_document(labels: Labels, table: RecordColumns) -> Labels:
    """The labels with records of one document set apart, as the seed does before its judge."""
    seen: dict[tuple[str, str], int] = defaultdict(int)
    out: Labels = {}
    for record, document in zip(table.ids, table.documents, strict=True):
        place = seen[labels[str(record)], document]
        seen[labels[str(record)], document] += 1
        out[str(record)] = labels[str(record)] if place == 0 else f"{labels[str(record)]}/{record}"
    return out


def joined(parts: Sequence[tuple[str, Labels]]) -> Labels:
    """Labels of several types as one."""
    return {record: f"{kind}:{label}" for kind, labels in parts for record, label in labels.items()}
