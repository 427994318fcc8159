"""The gate on 50,000 queries of others, on hostile and harmless ones, and on some that fit no schema.

Accepted counts queries that a real Neo4j plans as reads (by EXPLAIN). Every query that the grammar refuses is
put to the server, so the refusals that are wrong are counted exactly; how many of the rest the server accepts
is estimated from a random sample of each corpus.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from typing import Any, Final

from benchmarks.gate_corpora import FILES, key, queries, rows, verdicts
from benchmarks.harness import DATA, Recorder, benchmark
from cypher.gate.check import check_tree
from cypher.guard import report_on
from cypher.syntax.parse import forget, parse
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError
from schemas.questions import Parameter
from schemas.store_schema import StoreLabel, StoreProperty, StoreRelation, StoreSchema, StoreTriple

SAMPLE: Final = 120
TIMED: Final = 1_000
SAFETY: Final = DATA / "cypher_safety"
GIVEN: Final[dict[str, Parameter]] = {
    "label": "Paper",
    "id": "1",
    "qvec": (0.1, 0.2),
    "q": "x",
    "q1": (0.1, 0.2),
    "s": 1,
    "l": 5,
}


def is_read(query: str) -> bool:
    """Whether the grammar reads it."""
    try:
        parse(query)
    except QueryRefusedError:
        return False
    return True


def measure_corpora(record: Recorder) -> None:
    """Share of the reads that the server accepts which the grammar reads too, by corpus."""
    texts = {corpus: queries(corpus) for corpus in FILES}
    refused = {corpus: [q for q in found if not is_read(q)] for corpus, found in texts.items()}
    chosen = random.Random(7)
    sample = {corpus: chosen.sample(found, SAMPLE) for corpus, found in texts.items()}
    known = verdicts(q for kept in (refused, sample) for found in kept.values() for q in found)
    shares = []
    for corpus, found in texts.items():
        wrong = sum(known[key(q)].get("type") == "r" for q in refused[corpus])
        read = [q for q in sample[corpus] if q not in set(refused[corpus])]
        rate = sum(known[key(q)].get("type") == "r" for q in read) / len(read)
        accepted = rate * (len(found) - len(refused[corpus])) + wrong
        shares.append((wrong, accepted))
        note = (
            f"{len(found)} queries, {len(refused[corpus])} refused, {wrong} of them reads of the server; "
            f"the server accepts {100 * rate:.0f} % of a sample of {len(read)}"
        )
        share = 100 * (1 - wrong / accepted)
        record.add(
            f"accepted_{corpus}", share, "%", goal=">= 99.7", anchor=ANCHORS.get(corpus, ""), note=note
        )
    total = 100 * (1 - sum(w for w, _ in shares) / sum(a for _, a in shares))
    record.add("accepted", total, "%", goal=">= 99.7")


ANCHORS: Final = {
    "neo4jlabs": "cypherast 0.1.12: 99.1 % (of 1,000), graphglot 0.14.3: 96.3 % (of 300)",
    "mind_the_query": "prototype of the design: 99.88 %",
}


def measure_time(record: Recorder) -> None:
    """Parse, check and print, on random queries of all corpora."""
    schema = safety_schema()
    texts = random.Random(3).sample([q for corpus in FILES for q in queries(corpus)], TIMED)
    taken = []
    for text in filter(is_read, texts):
        forget()
        began = time.perf_counter()
        tree = parse(text)
        check_tree(tree, schema, {})
        write(tree)
        taken.append(1_000 * (time.perf_counter() - began))
    p95 = statistics.quantiles(taken, n=20)[-1]
    record.add("median_ms", statistics.median(taken), "ms", goal="<= 2", note=f"p95 {p95:.2f} ms")


def safety_schema() -> StoreSchema:
    """The schema that the safety set is written for."""
    stored: dict[str, Any] = json.loads((SAFETY / "schema.json").read_text("utf-8"))

    def properties(names: list[str]) -> tuple[StoreProperty, ...]:
        return tuple(StoreProperty(name=x) for x in names)

    indexes = {
        x["label"]: {"vector_index": x["name"], "vector_property": x["property"]}
        for x in stored["vector_indexes"]
    }
    return StoreSchema(
        labels=tuple(
            StoreLabel(name=k, properties=properties(v), **indexes.get(k, {}))
            for k, v in stored["nodes"].items()
        ),
        relations=tuple(
            StoreRelation(type=r["type"], properties=properties(r["properties"])) for r in stored["relations"]
        ),
        triples=tuple(
            StoreTriple(start=r["start"], type=r["type"], end=r["end"]) for r in stored["relations"]
        ),
    )


def passes(query: str, schema: StoreSchema, *, by_schema: bool) -> bool:
    """Whether the gate lets a query through; without the schema, what it names does not count."""
    report = report_on(query, schema, parameters=GIVEN)
    codes = {f.code for f in report.findings}
    return not (codes if by_schema else {c for c in codes if not c.startswith("SCH")})


def measure_safety(record: Recorder) -> None:
    """Hostile, benign and schema-wrong queries."""
    schema = safety_schema()
    hostile = list(rows(SAFETY / "hostile.jsonl"))
    passed = [r["id"] for r in hostile if passes(r["query"], schema, by_schema=False)]
    anchor = "keyword block-list: 7 of 20; GraphCypherQAChain: no check"
    note = f"of {len(hostile)}: {passed}"
    record.add("hostile_passed", len(passed), "queries", goal="= 0", anchor=anchor, note=note)
    benign = [r for r in rows(SAFETY / "benign.jsonl") if r["expected"] == "accept"]
    valid = list(rows(SAFETY / "valid.jsonl"))
    blocked = [r["id"] for r in benign if not passes(r["query"], schema, by_schema=False)]
    blocked += [r["id"] for r in valid if not passes(r["query"], schema, by_schema=True)]
    note = f"of {len(benign) + len(valid)}: {blocked}"
    record.add("benign_accept_blocked", len(blocked), "queries", goal="= 0", note=note)
    wrong = [r for r in rows(SAFETY / "schema_wrong.jsonl") if r["id"].startswith("b")]
    reports = [report_on(r["query"], schema, parameters=GIVEN) for r in wrong]
    found = sum(bool(r.findings or r.repairs) for r in reports)
    mended = sum(bool(r.repairs) and r.query is not None for r in reports)
    anchor = "LangChain CypherQueryCorrector: 3 of 10"
    note = f"{mended} of them have one repair only, which is made and told"
    record.add("schema_wrong", found, "of 10", goal=">= 10", anchor=anchor, note=note)


def main() -> None:
    """All figures."""
    with benchmark("gate") as record:
        measure_safety(record)
        measure_time(record)
        measure_corpora(record)


if __name__ == "__main__":
    main()
