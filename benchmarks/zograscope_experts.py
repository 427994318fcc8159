"""What experts reach on ZOGRASCOPE: two wrote Cypher for 150 train questions, and saw no gold query.

They had the set's schema file, the questions with their gold entities, and the conventions that
:mod:`benchmarks.zograscope` keeps. The questions are a seeded sample of the train split, which is of the
kind of the iid test rows; nobody who works on the reader has read them, and only totals are printed. In the
file values of the questions are places: ``{0}`` is the first gold entity, ``{0.1}`` its second word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from benchmarks.executed import Cells, Gated, GoldRows, equal_sets, execute, report_refused
from benchmarks.harness import benchmark
from benchmarks.pole_words import set_words
from benchmarks.property_graphs import HOMES, LOADERS, graph
from benchmarks.zograscope import NODES, SET, SPOT, THEIRS, given
from cypher.semantics.probing import with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.write import write
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.model import Frozen

FILE: Final = Path(__file__).with_suffix(".jsonl")
_PLACE: Final = re.compile(r"\{(\d+)(?:\.(\d+))?\}")


class Expert(Frozen):
    """The queries of two experts for one train question, with places for its values."""

    id: str
    queries: tuple[str, str]


def experts(text: str) -> tuple[Expert, ...]:
    """The rows of the file."""
    return tuple(Expert.model_validate_json(line) for line in text.splitlines())


def filled(query: str, entities: Sequence[str]) -> str:
    """A query with the values in their places.

    >>> filled("MATCH (a {name: {0.0}}) WHERE a.code <> {1} RETURN a", ["Ann Moss", "it's"])
    "MATCH (a {name: 'Ann'}) WHERE a.code <> 'it\\\\'s' RETURN a"
    """

    def value(found: re.Match[str]) -> str:
        text = entities[int(found[1])]
        text = text.split()[int(found[2])] if found[2] else text
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    return _PLACE.sub(value, query)


def train_rows() -> Mapping[str, Mapping[str, str]]:
    """The train split by id; of each row what is asked, its gold query and its entities."""
    lines = (SET / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    table = TypeAdapter(dict[str, str])
    return {r["id"]: table.validate_python({k: r[k] for k in ("nl", "mr", "nl_gold_linked")}) for r in rows}


def count(gated: Gated, reader: SemanticReader) -> Counter[str]:
    """How many queries of the experts, of both together and of the reader have the rows of the gold query."""
    golds, rows = GoldRows(gated.connection, HOMES / "pole"), train_rows()
    right: Counter[str] = Counter()
    for expert in experts(FILE.read_text(encoding="utf-8")):
        row = rows[expert.id]
        gold = golds.of(row["mr"])
        if gold is None or not gold.rows:
            continue
        entities = given(row["nl_gold_linked"])
        values = [
            line.partition("=")[2].strip() for line in row["nl_gold_linked"].splitlines() if "]" in line
        ]
        found = [execute(gated.connection, filled(q, values)) for q in expert.queries]
        reading = with_probes(reader.read(row["nl"], given=entities), reader, gated)
        ours: Cells | None = None
        if reading.query is not None:
            ours = gated.execute(write(reading.query, gated.schema, NODES))
        same = [x is not None and equal_sets(x, gold) for x in (*found, ours)]
        right.update({"asked": 1, "one": same[0], "two": same[1], "reader": same[2]})
        right.update({"both": same[0] and same[1], "both_not_reader": same[0] and same[1] and not same[2]})
        alike, ours_too = _equal(found[0], found[1]), _equal(found[0], ours)
        right.update({"alike": alike, "alike_not_gold": alike and not same[0], "any": any(same)})
        right.update({"all_three_not_gold": alike and ours_too and not same[0]})
    golds.save()
    return right


def _equal(one: Cells | None, other: Cells | None) -> bool:
    return one is not None and other is not None and equal_sets(one, other)


def main() -> None:
    """Score the experts and the reader on the same rows."""
    with benchmark("zograscope_experts") as record, graph("pole", LOADERS["pole"]) as connection:
        schema = infer_schema(connection)
        reader = SemanticReader(schema, ValueTable(read_values(connection, schema)), set_words(), way=THEIRS)
        gated = Gated(connection, schema)
        right = count(gated, reader)
        n = right["asked"]
        anchor = f"SPOT {SPOT['iid']} (gold entities, iid test; arXiv 2503.05268)"
        for name in ("one", "two"):
            record.add(f"expert_{name}", 100 * right[name] / n, "%", anchor=anchor, note=f"n={n}, train rows")
        note = "gold entities, the same rows; things as nodes"
        record.add("reader", 100 * right["reader"] / n, "%", anchor=anchor, note=note)
        note = "both experts right, the reader wrong"
        record.add("left_to_reading", 100 * right["both_not_reader"] / n, "%", note=note)
        record.add("experts_alike", 100 * right["alike"] / n, "%", note="both experts find the same rows")
        note = "both experts find the same rows, and the gold query finds others"
        record.add("experts_alike_not_gold", 100 * right["alike_not_gold"] / n, "%", note=note)
        note = "so does the reader, with the experts' rows"
        record.add("all_three_not_gold", 100 * right["all_three_not_gold"] / n, "%", note=note)
        note = "an expert or the reader has the rows of the gold query"
        record.add("any_right", 100 * right["any"] / n, "%", note=note)
        report_refused(record, gated.refused)


if __name__ == "__main__":
    main()
