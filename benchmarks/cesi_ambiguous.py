"""CESI Ambiguous and Base: subject phrases of an open knowledge base; no model calls.

Name weight, threshold, short forms and the veto of case are chosen on the validation part of Ambiguous, for
ReVerb45K too. ``side_el_sub``, the linker's output, is never read. The scores are those of CESI's own script:
macro precision is the share of clusters of which all mentions are of one concept, a mention is a subject
phrase of one triple, and recall exchanges the two sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Any

from benchmarks.cluster_sets import (
    Clusters,
    Mentions,
    Scores,
    columns,
    entity_type,
    exact_floor,
    resolved,
    schema_of,
    score,
    shipped_embedder,
    tfidf_floor,
)
from benchmarks.harness import Recorder, benchmark
from benchmarks.phrase_oracle import Phrases, one_label, oracle
from benchmarks.shared_sets import tool
from schemas.canonicalization_rules import Canonicalization
from schemas.graphs import RecordColumns
from schemas.ports import Embedder

NAME_WEIGHTS = (1.0, 0.8, 0.6, 0.5, 0.4)
THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
LARGEST = 500
ANCHORS = {"ambiguous": "CESI 66.2/92.4/91.9", "base": "CESI 98.2/99.8/99.9"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a schema says of the type of all phrases."""

    name_weight: float
    threshold: float
    short_forms: bool = False
    case: bool = False
    """Whether a common and a proper noun are kept apart."""

    def rules(self) -> dict[str, Any]:
        """The type's canonicalization."""
        return {
            "name_weight": self.name_weight,
            "threshold": self.threshold,
            "short_forms": self.short_forms,
            "vetoes": ("case",) if self.case else (),
            "max_cluster": LARGEST,
        }

    def line(self) -> str:
        """``name weight 0.6, threshold 0.7, short forms, veto of case``."""
        said = [f"name weight {self.name_weight}", f"threshold {self.threshold}"]
        return ", ".join([*said, *["short forms"] * self.short_forms, *["veto of case"] * self.case])


def resolved_scores(mentions: Mentions, embedder: Embedder, settings: Settings) -> tuple[Scores, float]:
    """Scores of ``resolve`` with these settings, and its seconds."""
    found, seconds = _clusters(columns(mentions, embedder=embedder), settings)
    return score(found, mentions.gold), seconds


def chosen_settings(embedder: Embedder) -> Settings:
    """The middle of where average F1 is best on ``ambiguous_valid``.

    A setting counts as the mean of itself and those next to it in name weight and threshold: 149 phrases tell
    few settings from each other, so the best single one is chance. Of ties the name weight nearest the
    product's.
    """
    mentions = mentions_of("ambiguous_valid")
    tables = columns(mentions, embedder=embedder)
    grid = [Settings(*s) for s in product(NAME_WEIGHTS, THRESHOLDS, (False, True), (False, True))]
    average = {s: score(_clusters(tables, s)[0], mentions.gold).average for s in grid}
    usual = Canonicalization().name_weight

    def preference(settings: Settings) -> tuple[float, float]:
        mean = fmean(average[near] for near in _around(settings))
        return round(mean, 9), -abs(settings.name_weight - usual)

    return max(grid, key=preference)


def _around(settings: Settings) -> list[Settings]:
    """The settings of the grid that differ by a step at most in name weight and in threshold."""
    weight, threshold = NAME_WEIGHTS.index(settings.name_weight), THRESHOLDS.index(settings.threshold)
    return [
        replace(settings, name_weight=w, threshold=t)
        for w in NAME_WEIGHTS[max(0, weight - 1) : weight + 2]
        for t in THRESHOLDS[max(0, threshold - 1) : threshold + 2]
    ]


def _clusters(tables: Sequence[RecordColumns], settings: Settings) -> tuple[Clusters, float]:
    return resolved(tables, schema_of([entity_type("thing", **settings.rules())]))


def mentions_of(table: str) -> Mentions:
    """The subject mentions of one part of a set."""
    return Mentions(*tool("load").cesi_mentions(table))


def chosen_floor(part: str) -> float:
    """The floor's threshold with the best average F1 on the validation part of a set."""
    mentions = Mentions(*tool("load").cesi_mentions(f"{part}_valid"))
    return max(THRESHOLDS, key=lambda t: score(tfidf_floor(mentions, t), mentions.gold).average)


def add_oracles(record: Recorder, mentions: Mentions) -> None:
    """What the labels give a system that puts all mentions of one phrase into one cluster."""
    for name, as_written in (("phrase", False), ("spelling", True)):
        phrases = Phrases(mentions, as_written=as_written)
        found, start = oracle(phrases, least=0.92), phrases.scores(one_label(phrases))
        record.add(
            f"ambiguous_{name}_oracle_macro_f1",
            found.macro,
            "F1",
            note=f"{found.line()}; from the labels, micro and pairwise F1 at least .92, one cluster for all"
            f" mentions of one {'spelling' if as_written else 'phrase without regard to case'}; with each in"
            f" its commonest concept {start.line()}",
        )


def main() -> None:
    embedder = shipped_embedder()
    with benchmark("cesi_ambiguous") as record:
        settings = chosen_settings(embedder)
        for part in ("ambiguous", "base"):
            mentions = mentions_of(f"{part}_test")
            ours, seconds = resolved_scores(mentions, embedder, settings)
            floor = score(tfidf_floor(mentions, chosen_floor(part)), mentions.gold)
            exact = score(exact_floor(mentions), mentions.gold)
            goals = {"macro": 0.66, "micro": 0.92, "pairwise": 0.92} if part == "ambiguous" else {}
            for name in ("macro", "micro", "pairwise"):
                record.add(
                    f"{part}_{name}_f1",
                    getattr(ours, name),
                    "F1",
                    goal=f">= {goals[name]}" if name in goals else "",
                    floor=f"TF-IDF {getattr(floor, name):.3f}; exact {getattr(exact, name):.3f}",
                    anchor=ANCHORS[part],
                    note=f"{ours.line()}; {seconds:.1f} s besides embedding; no model calls",
                )
        add_oracles(record, mentions_of("ambiguous_test"))
        record.notes.append(
            f"malllabiisc/cesi @ 3875251; settings by ambiguous_valid alone for both sets: {settings.line()};"
            " the floor's thresholds from each set's validation part. Short forms and the veto of case were"
            " written with the errors on ambiguous_valid and base_valid in view; a mention's relation and"
            " object are not read: a phrase's mentions are one record, except those of another case. Seen"
            " of ambiguous_test before this rule of choice: 64.6/92.6/91.8 with short forms that knew"
            " no case, at name weight .6 and threshold .65; and 66.9/92.8/92.4 with those of now, at the"
            " settings of a rule that also asked names of Re-DocRED's dev documents (.8, .65, veto of numbers"
            " too), which was given up for what it did to ReVerb45K."
        )


if __name__ == "__main__":
    main()
