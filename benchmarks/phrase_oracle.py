"""What the labels give a system that puts all mentions of one phrase into one cluster.

Each phrase goes to its commonest concept; then, as long as macro F1 grows and micro and pairwise F1 reach a
bound, all clusters that have mentions of one concept are joined, the best such step first. A greedy search
need not find the maximum: the figure says what is known to be within reach of one who knows the labels.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.cluster_sets import Mentions, Scores, score

TRIED = 40
"""Steps that are scored in full, the best by macro F1 first, before the search gives up."""
Clusters = Mapping[str, str]
"""Phrase -> cluster."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a set, written small or as they stand, with the concepts of their mentions."""

    mentions: Mentions
    as_written: bool

    def of(self, mention: str) -> str:
        """The phrase of a mention."""
        name = self.mentions.name[mention]
        return name if self.as_written else name.lower()

    def concepts(self) -> dict[str, Counter[str]]:
        """Phrase -> how often it means what."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for mention, concept in self.mentions.gold.items():
            found[self.of(mention)][concept] += 1
        return dict(found)

    def scores(self, clusters: Clusters) -> Scores:
        """The scores where each mention is in the cluster of its phrase."""
        return score({m: clusters[self.of(m)] for m in self.mentions.gold}, self.mentions.gold)


def one_label(phrases: Phrases) -> Clusters:
    """Every phrase in its commonest concept."""
    return {phrase: found.most_common(1)[0][0] for phrase, found in phrases.concepts().items()}


def oracle(phrases: Phrases, *, least: float) -> Scores:
    """The scores of the search, micro and pairwise F1 being at least ``least``."""
    concepts, clusters = phrases.concepts(), one_label(phrases)
    now, step = phrases.scores(clusters), True
    while step:
        step = False
        better = sorted(s for s in _steps(clusters, concepts) if -s[0] > now.macro + 1e-9)
        for _, _, joined in better[:TRIED]:
            changed = {phrase: joined[0] if c in joined else c for phrase, c in clusters.items()}
            then = phrases.scores(changed)
            if min(then.micro, then.pairwise) >= least:
                clusters, now, step = changed, then, True
                break
    return now


def _steps(
    clusters: Clusters, concepts: Mapping[str, Counter[str]]
) -> Iterator[tuple[float, int, tuple[str, ...]]]:
    """Per concept in several clusters: less macro F1 were these one, mentions in them, and the clusters."""
    held: dict[str, Counter[str]] = defaultdict(Counter)
    homes: dict[str, set[str]] = defaultdict(set)
    for phrase, cluster in clusters.items():
        held[cluster] += concepts[phrase]
        for concept in concepts[phrase]:
            homes[concept].add(cluster)
    pure = {cluster for cluster, found in held.items() if len(found) == 1}
    whole = sum(len(found) == 1 for found in homes.values())
    for joined in {frozenset(found) for found in homes.values() if len(found) > 1}:
        inside = {concept for cluster in joined for concept in held[cluster]}
        precision = len(pure - joined) / (len(held) - len(joined) + 1)
        gained = sum(1 for concept in inside if len(homes[concept]) > 1 and homes[concept] <= joined)
        recall = (whole + gained) / len(homes)
        macro = 2 * precision * recall / (precision + recall)
        yield -macro, sum(held[cluster].total() for cluster in joined), tuple(sorted(joined))
