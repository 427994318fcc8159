"""Records of LaTeX papers resolved against the PDG listings: how many proposed merges are right.

All LaTeX papers at hand are extracted by rules and resolved together with the whole listings, with the
shipped schema and embedder. A merge is a record of a paper and one of the listings in one entity; of
these, one per entity and paper, a sample is drawn with a seed and judged by hand by someone who has not
seen the code (``labels/corpus_merges.jsonl``: record ids and verdicts). With ``--sample FILE`` the pairs to
judge are written instead.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.harness import DATA, ROOT, Recorder, benchmark
from benchmarks.seed_papers import papers as seed_papers
from benchmarks.uncertainty_tables import wilson
from canonicalize.resolve import resolve
from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.readers.pdg import read_pdg
from extraction.rules import RuleExtractor
from kg.adapters.embedders import EmbedderSettings, open_embedder
from kg.corpus import record_columns
from kg.progress import SilentProgress
from kg.settings import read_environment
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Record
from schemas.schema_files import load_schema

LABELS = Path(__file__).parent / "labels" / "corpus_merges.jsonl"
SAMPLE, SEED = 300, 7
Pair = tuple[Record, Record]
"""A record of a paper, and one of the listings."""


def paper_graphs(schema: GraphSchema) -> Iterator[DocumentGraph]:
    """The graphs of all LaTeX papers: the corpora and the eleven papers of the seed."""
    extractor = RuleExtractor()
    corpus = DATA / "corpus_physics_latex" / "tex"
    for path in sorted(corpus.glob("*.tex")):
        yield extract_document(read_latex(path, root=corpus, missing_inputs_ok=True), schema, [extractor])
    with tempfile.TemporaryDirectory() as folder:
        for line in (DATA / "qa_lhcb_systematics" / "papers.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            path = Path(folder) / f"{row['arxiv_id']}.tex"
            path.write_text("".join(row["lines"]), encoding="utf-8")
            document = read_latex(path, root=Path(folder), missing_inputs_ok=True)
            yield extract_document(document, schema, [extractor])
    yield from (paper.graph for paper in seed_papers())


def merged_pairs(schema: GraphSchema) -> tuple[list[Pair], dict[str, int]]:
    """Every paper's record with the first listed record of its entity, and counts."""
    listed = [graph for _, graph in read_pdg(schema)]
    written = list({g.document: g for g in paper_graphs(schema)}.values())
    cache = read_environment().cache
    vectors = ROOT / "build" / "embeddings.sqlite"
    vectors.parent.mkdir(parents=True, exist_ok=True)
    with open_embedder(EmbedderSettings(), cache, vectors=vectors) as embedder:
        tables = record_columns([*listed, *written], schema, embedder, progress=SilentProgress())
    found = resolve(tables, schema)
    ours = {r.id: r for g in written for r in g.records}
    theirs = {r.id: r for g in listed for r in g.records}
    pairs: list[Pair] = []
    for group in found.groups:
        known = [theirs[r] for r in group.records if r in theirs]
        mine = {ours[r].document: ours[r] for r in group.records if r in ours}
        if known:
            pairs += [(record, known[0]) for _, record in sorted(mine.items())]
    counts = {
        "papers": len(written),
        "records of papers": len(ours),
        "records of listings": len(theirs),
        "merges": len(pairs),
    }
    return sorted(pairs, key=lambda p: (p[0].id, p[1].id)), counts


def main() -> None:
    """Score; with ``--sample FILE`` write the pairs to judge instead."""
    schema = load_schema("particle_physics")
    pairs, counts = merged_pairs(schema)
    drawn = random.Random(SEED).sample(pairs, min(SAMPLE, len(pairs)))
    if sys.argv[1:2] == ["--sample"]:
        rows = [_to_judge(*pair) for pair in drawn]
        Path(sys.argv[2]).write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows))
        sys.stderr.write(f"{counts}\n")
        return
    with benchmark("corpus_merges") as record:
        _score(record, drawn, counts)


def _to_judge(mine: Record, listed: Record) -> dict[str, Any]:
    return {
        "left": mine.id,
        "right": listed.id,
        "type": mine.type,
        "paper": mine.document,
        "name": mine.name,
        "aliases": mine.aliases[:4],
        "quotes": [e.quote for e in mine.evidence[:2]],
        "listed_document": listed.document,
        "listed_name": listed.name,
        "listed_description": listed.description,
    }


def _score(record: Recorder, drawn: list[Pair], counts: dict[str, int]) -> None:
    verdicts = {
        (row["left"], row["right"]): bool(row["same"])
        for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    }
    judged = [verdicts[a.id, b.id] for a, b in drawn if (a.id, b.id) in verdicts]
    right, share = sum(judged), wilson(sum(judged) / len(judged), len(judged))
    record.add(
        "precision",
        right / len(judged),
        "share",
        goal=">= 0.98",
        note=f"{right} of {len(judged)} judged, {share} (95 %); {len(drawn)} drawn",
    )
    for name, count in counts.items():
        record.add(name.replace(" ", "_"), count, "")
    kinds = {kind: sum(a.type == kind for a, _ in drawn) for kind in sorted({a.type for a, _ in drawn})}
    record.notes.append(f"drawn by type: {kinds}")


if __name__ == "__main__":
    main()
