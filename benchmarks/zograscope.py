"""ZOGRASCOPE (arXiv 2503.05268), strictly zero-shot: execution accuracy on the POLE crime graph.

Nothing of the questions or their gold queries went into the parser: its words for this graph are made from
the set's schema file, its values from the graph. Only totals are printed, never a row.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from benchmarks.executed import Cells, execute, same_rows
from benchmarks.harness import DATA, Recorder, benchmark
from benchmarks.property_graphs import LOADERS, graph
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.store_schema import StoreSchema

SET: Final = DATA / "cypher_zograscope"
SPOT: Final = {"iid": 78.4, "compositional": 77.2, "length": 66.6}
GPT4O: Final = {"iid": 41.7, "compositional": 32.9, "length": 16.3}
GOALS: Final = {"iid": 70.0, "compositional": 65.0, "length": 55.0}
WORDS: Final = Path(__file__).parent / "words" / "pole.yaml"
_GIVEN: Final = re.compile(r"^\[(\w+)\]\s*=\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Row:
    """One question; ``given`` holds the texts of its gold entities by label."""

    id: str
    part: str
    question: str
    gold: str
    given: Mapping[str, Sequence[str]]
    count: int
    """Rows that the set says its gold returns."""


def rows() -> Iterator[Row]:
    """The test rows of both splits: iid and compositional from ``test``, length from ``length_test``."""
    for file in ("test", "length_test"):
        for line in (SET / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            part = row["partition"] if file == "test" else "length"
            yield Row(
                row["id"], part, row["nl"], row["mr"], _given(row["nl_gold_linked"]), int(row["return_count"])
            )


def _given(text: str) -> Mapping[str, Sequence[str]]:
    out: dict[str, list[str]] = {}
    for line in text.splitlines():
        if found := _GIVEN.match(line.strip()):
            out.setdefault(found[1], []).append(found[2])
    return out


def spoken() -> Verbalisation:
    """Words for the graph, written by hand from the set's schema file alone."""
    return Verbalisation.model_validate(yaml.safe_load(WORDS.read_text(encoding="utf-8")))


@dataclass(slots=True)
class Tally:
    """Right answers and all answers."""

    right: int = 0
    strict: int = 0
    asked: int = 0


def measure(connection: Connection, reader: SemanticReader, *, most: int) -> Mapping[str, Any]:
    """Tallies by setting and part, the ids whose gold fails, milliseconds per question."""
    tallies: dict[str, Tally] = {}
    failed: list[str] = []
    spent: list[float] = []
    kinds: Counter[str] = Counter()
    chosen = list(rows())
    for row in chosen[:: max(1, len(chosen) // most)] if most else chosen:
        gold = execute(connection, row.gold)
        if gold is None or not gold.rows:
            failed.append(row.id)
            continue
        kinds["gold_count_differs"] += len(gold.rows) != row.count
        for setting, given in (("gold", row.given), ("own", None)):
            began = time.perf_counter()
            reading = reader.read(row.question, given=given)
            spent.append(1000 * (time.perf_counter() - began))
            tally = tallies.setdefault(f"{setting}_{row.part}", Tally())
            tally.asked += 1
            best, strict = _right(connection, reader, reading, gold)
            tally.right += best
            tally.strict += strict
    return {"tallies": tallies, "failed": failed, "spent": spent, "kinds": kinds}


def _right(connection: Connection, reader: SemanticReader, reading: Any, gold: Cells) -> tuple[bool, bool]:
    """Whether either projection of the reading, the answer node or its name, has gold's set of rows."""
    if reading.query is None:
        return False, False
    best = strict = False
    for whole in (True, False):
        written = reader.write(reading.query, whole_nodes=whole, bare=True)
        found = execute(connection, written.text, written.parameters)
        if found is not None:
            best = best or same_rows(found, gold, distinct=True)
            strict = strict or same_rows(found, gold)
    return best, strict


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all test rows, or ``--most`` of them, and write totals."""
    options = argparse.ArgumentParser()
    options.add_argument("--most", type=int, default=0)
    most = options.parse_args(arguments).most
    with benchmark("zograscope") as record, graph("pole", LOADERS["pole"]) as connection:
        schema = infer_schema(connection)
        reader = SemanticReader(schema, ValueTable(read_values(connection, schema)), spoken())
        report(record, measure(connection, reader, most=most), schema)


def report(record: Recorder, found: Mapping[str, Any], schema: StoreSchema) -> None:
    """Figures beside their anchors."""
    for key, tally in sorted(found["tallies"].items()):
        setting, _, part = key.partition("_")
        anchor = f"SPOT {SPOT[part]}, GPT-4o {GPT4O[part]} (gold entities, whole test; arXiv 2503.05268)"
        goal = f">= {SPOT[part] if setting == 'gold' else GOALS[part]}"
        record.add(
            key, 100 * tally.right / tally.asked, "%", goal=goal, anchor=anchor, note=f"n={tally.asked}"
        )
        record.add(f"{key}_strict", 100 * tally.strict / tally.asked, "%", note="equal multisets of rows")
    record.add(
        "gold_count_differs", found["kinds"]["gold_count_differs"], "rows", note="else than the set says"
    )
    spent = sorted(found["spent"])
    record.add("read_p50_ms", statistics.median(spent), "ms", goal="<= 20")
    record.add("read_p95_ms", spent[int(0.95 * len(spent))], "ms")
    record.add("gold_failed", len(found["failed"]), "rows")
    record.notes.append("gold that fails or returns nothing, by id: " + " ".join(found["failed"]))
    record.notes.append(f"zero-shot; {len(schema.labels)} labels, {len(schema.relations)} types")


if __name__ == "__main__":
    main(sys.argv[1:])
