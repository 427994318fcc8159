"""Development questions, read and executed: what the reader's weights and confidence are fitted on.

Read are the development halves of the four graphs, own questions on the crime graph, the development half of
Mind-the-Query's questions on it and filled graphs that may be read; ZOGRASCOPE and the unread halves are not.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from benchmarks import pole_questions
from benchmarks.demo_graphs import Pair, pairs
from benchmarks.executed import Cells, Gated, GoldRows, equal_rows, same_form, same_rows
from benchmarks.filled_graphs import READ, home
from benchmarks.fit_columns import foretold
from benchmarks.harness import DATA
from benchmarks.pole_words import spoken
from benchmarks.property_graphs import HOMES
from cypher.semantics.ir import Query
from cypher.semantics.probing import with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from cypher.semantics.weighing import weighed
from cypher.semantics.write import write
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values

MOST_TRIED: Final = 4
"""Candidates of one question that are executed."""
PATIENCE: Final = 1.5
"""Seconds for one candidate; one that takes longer counts as wrong."""
LONG: Final = 3.0
"""Seconds for the looks at one question, so that a busy machine changes nothing."""
MOST_COLUMNS: Final = 5
"""Wider rows are compared whole."""

Figures = tuple[tuple[str, float], ...]
FILLED: Final = {home(name): name for name in READ}
"""Databases with made-up content, by the names of their graphs."""
WORDED: Final[tuple[pole_questions.Family, ...]] = ("own", "said", "told")
"""Own questions that people worded one by one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its gold queries, of which any is right."""

    source: str
    question: str
    gold: tuple[str, ...]
    by_columns: bool = False
    """Whether the gold tells the wanted columns; else the pattern alone is judged."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: features of its candidates, which are right, what its confidence rests on."""

    source: str
    features: tuple[Mapping[str, float], ...]
    right: tuple[bool, ...]
    """Whether a candidate finds what the gold finds, whatever columns are returned."""
    doubts: Figures
    """Of the first reading, before any look into the graph."""
    understood: bool
    """Whether that reading is right."""
    answer: Figures
    """Of the answer given after looking into the graph."""
    exact: bool | None
    """Whether its rows are those of a gold query; ``None`` where the gold does not tell the columns."""
    agreed: bool = False
    """Whether two golds by different authors return the same rows."""
    strict: bool = False
    """Whether it equals the first gold with no value changed: the benchmark's own measure."""
    confidence: float = 0.0
    """As the weights of that time had it."""
    refused: tuple[str, ...] = ()
    """Codes of what the gate refused of the reader's queries."""


def save(judged: Sequence[Judged], file: Path) -> None:
    """Keeps what was judged, one line a question."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(asdict(j)) + "\n" for j in judged), encoding="utf-8")


def load(file: Path) -> list[Judged]:
    """What :func:`save` wrote."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [
        Judged(**{**row, "doubts": _pairs(row["doubts"]), "answer": _pairs(row["answer"])}) for row in rows
    ]


def _pairs(rows: Sequence[Sequence[Any]]) -> Figures:
    return tuple((str(name), float(x)) for name, x in rows)


def questions(name: str, most: int) -> Iterator[Asked]:
    """Development questions of a graph; all own ones, and at most about ``most`` of the others."""
    if name == "pole":
        for family in WORDED:
            for row in pole_questions.questions(family, "dev"):
                yield Asked("pole_own", row.question, (row.cypher, row.cypher_nodes))
        found = _mind_the_query()
    elif name in FILLED:
        found = [p for p in pairs((FILLED[name],)) if len(p.gold) > 1]
    else:
        found = [p for p in pairs() if p.graph == name and p.development]
    for pair in found[:: max(1, len(found) // most)]:
        yield Asked(name, pair.question, pair.gold, by_columns=True)


def _mind_the_query() -> list[Pair]:
    file = DATA / "cypher_mind_the_query" / "auto_validated.jsonl.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [r for r in map(json.loads, lines) if r["graph"] == "pole"]
    found = [Pair("pole", r["question"], (r["cypher"],)) for r in rows]
    return [p for p in found if p.development]


def judge(
    name: str, connection: Connection, asked: Iterator[Asked], *, tried: int = MOST_TRIED
) -> Iterator[Judged]:
    """All questions whose gold has rows and that have candidates; ``tried`` of these are executed."""
    schema = infer_schema(connection)
    words = spoken() if name == "pole" else None
    reader = SemanticReader(schema, ValueTable(read_values(connection, schema)), words)
    golds, judge_one = GoldRows(connection, HOMES / name), _Judge(Gated(connection, schema), reader, tried)
    for one in asked:
        gold = [c for q in one.gold if (c := golds.of(q)) is not None and c.rows]
        if gold and (judged := judge_one.of(one, gold)) is not None:
            yield judged
    golds.save()


@dataclass(frozen=True, slots=True)
class _Judge:
    gated: Gated
    reader: SemanticReader
    tried: int

    def of(self, one: Asked, gold: Sequence[Cells]) -> Judged | None:
        first = self.reader.read(one.question)
        if not first.candidates:
            return None
        probe, before = self.gated, len(self.gated.refused)
        chosen = weighed(
            with_probes(first, self.reader, probe, seconds=LONG), self.reader, probe, seconds=LONG
        )
        assert chosen.written is not None
        found = self.gated.execute(chosen.written)
        tried = first.candidates[: self.tried]
        right = tuple(self._finds(c.query, gold) for c in tried)
        agreed = one.by_columns and len(gold) > 1 and all(equal_rows(gold[0], g) for g in gold[1:])
        return Judged(
            one.source,
            tuple(_sums(c.features) for c in tried),
            right,
            first.doubts,
            right[0],
            _unlearned(one.question, chosen),
            (found is not None and any(same_rows(found, g) for g in gold)) if one.by_columns else None,
            agreed,
            found is not None and equal_rows(found, gold[0]),
            chosen.confidence,
            tuple(probe.refused[before:]),
        )

    def _finds(self, query: Query, gold: Sequence[Cells]) -> bool:
        flags = (False, True)
        ways = [Way(whole_nodes=w, bare=b, one=o) for w in flags for b in flags for o in flags]
        texts = [write(query, self.gated.schema, way) for way in ways]
        for written in {w.text: w for w in texts}.values():
            found = self.gated.execute(written, seconds=PATIENCE)
            if found is not None and any(same_things(found, g) for g in gold):
                return True
        return False


def _unlearned(question: str, chosen: Reading) -> Figures:
    """The figures of an answer; how foreseeable its columns are is told by weights that never saw it."""
    assert chosen.query is not None
    own = foretold(question, chosen.linked.text, chosen.query)
    return *(d for d in chosen.doubts if d[0] != "foreseeable"), ("foreseeable", own)


def same_things(left: Cells, right: Cells) -> bool:
    """Whether one side's rows are the other's with some columns left out, repeated rows apart.

    >>> same_things(Cells((("Ann", 3),)), Cells((("Ann",), ("Ann",))))
    True
    >>> same_things(Cells((("Ann", 3),)), Cells((("Ben",),)))
    False
    """
    small, large = sorted((left, right), key=lambda c: len(c.rows[0]) if c.rows else 0)
    if not small.rows or not large.rows:
        return not small.rows and not large.rows
    wanted = {tuple(same_form(v) for v in row) for row in small.rows}
    rows = [tuple(same_form(v) for v in row) for row in large.rows]
    width, wide = len(small.rows[0]), len(rows[0])
    if wide > MOST_COLUMNS:
        return width == wide and wanted == set(rows)
    kept = permutations(range(wide), width)
    return any({tuple(row[i] for i in some) for row in rows} == wanted for some in kept)


def _sums(features: Figures) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, amount in features:
        out[name] = out.get(name, 0.0) + amount
    return out
