"""Sources and magnitudes read from uncertainty tables, against labels made by hand.

The labels (``benchmarks/labels``) were made before the rules were tuned, by someone who had not seen them;
the halves ``tune`` and ``test`` are whole papers. A found (source, magnitude) is right when a label of the
same source line has the same number and its words stand in the fact's quote; each label counts once. Facts
of a table that is not labelled are wrong, for every such table of these papers is. Intervals: Wilson, 95 %
(doi:10.1080/01621459.1927.10502953).
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness import DATA, benchmark
from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from schemas.documents import BlockKind, Document
from schemas.graph_schema import GraphSchema
from schemas.schema_files import load_schema

LABELS = Path(__file__).parent / "labels" / "uncertainty_tables.jsonl"


@dataclass(frozen=True, slots=True)
class Cell:
    """One magnitude: where, which numbers count as right, and the words of its source."""

    line: int
    numbers: frozenset[float]
    words: frozenset[str]
    graded: bool
    """Sources of core tables count; totals, statistical rows and odd tables are only not wrong."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A labelled paper."""

    name: str
    part: str
    text: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One fact of ours."""

    line: int
    numbers: frozenset[float]
    quote: str


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one half."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def wilson(share: float, n: int) -> str:
    """The 95 % interval of a share of ``n``.

    >>> wilson(0.95, 100)
    '0.888-0.978'
    """
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{middle - half:.3f}-{middle + half:.3f}"


def papers() -> Iterator[Paper]:
    """The labelled papers with their text and cells."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for line in LABELS.read_text().splitlines():
        table = json.loads(line)
        tables.setdefault(table["id"], []).append(table)
    for name, mine in sorted(tables.items()):
        text = _source_text(mine[0])
        raw = text.encode()
        cells = tuple(_cell(raw, table, c) for table in mine for c in table["cells"])
        yield Paper(name, mine[0]["part"], text, cells)


def _source_text(table: dict[str, Any]) -> str:
    path = DATA / str(table["document"])
    if table["offsets_in"] == "file":
        return path.read_bytes().decode()
    for line in path.read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        if paper["arxiv_id"] == table["id"]:
            joined: str = "".join(paper["lines"])
            return joined
    raise LookupError(f"{path} has no paper {table['id']}")


def _cell(raw: bytes, table: dict[str, Any], cell: dict[str, Any]) -> Cell:
    names = ("magnitude", "magnitude_plus", "magnitude_minus", "range_low", "range_high")
    numbers = frozenset(abs(float(cell[n])) for n in names if cell.get(n) is not None)
    source = raw[cell["source_start"] : cell["source_end"]].decode()
    words = re.findall(r"[a-z]{3,}", re.sub(r"\\[A-Za-z]+\*?", " ", source).lower())
    graded = bool(numbers) and table["class"] == "core" and cell["kind"] == "source"
    return Cell(raw[: cell["source_start"]].count(b"\n") + 1, numbers, frozenset(words), graded)


def found_in(document: Document, schema: GraphSchema) -> Iterator[Found]:
    """Facts of the relation that the table rule makes, with a number, whose evidence is a table."""
    [rule] = [r for r in schema.rules if r.kind == "uncertainty_table"]
    graph = extract_document(document, schema, [RuleExtractor()])
    tables = [(b.start, b.end) for b in document.blocks if b.kind is BlockKind.TABLE]
    for statement in graph.statements:
        printed = str(statement.attributes.get("magnitude_text", ""))
        numbers = frozenset(abs(float(n)) for n in re.findall(r"\d+(?:\.\d+)?", printed))
        place = statement.evidence[-1]
        tabular = any(start <= place.start < end for start, end in tables)
        if statement.type == rule.relation and numbers and tabular:
            yield Found(document.source_map.locate(place.start).line, numbers, place.quote.lower())


def match(cells: Sequence[Cell], found: Sequence[Found]) -> Score:
    """Each fact takes one unused label of its line with its number and words."""
    free = list(cells)
    right = wrong = 0
    for fact in found:
        taken = next((c for c in free if _same(c, fact)), None)
        if taken is None:
            wrong += 1
            continue
        free.remove(taken)
        right += taken.graded
    return Score(right, wrong, sum(c.graded for c in free))


def _same(cell: Cell, fact: Found) -> bool:
    return (
        cell.line == fact.line
        and bool(cell.numbers & fact.numbers)
        and cell.numbers <= fact.numbers
        and all(word in fact.quote for word in cell.words)
    )


def read(paper: Paper, folder: Path) -> Document:
    """The paper through the LaTeX reader."""
    path = folder / f"{paper.name}.tex"
    path.write_text(paper.text, encoding="utf-8", newline="")
    return read_latex(path, root=folder, missing_inputs_ok=True)


def main() -> None:
    """Score both halves; the half ``test`` is what counts."""
    schema = load_schema("particle_physics")
    with benchmark("uncertainty_tables") as record, tempfile.TemporaryDirectory() as folder:
        halves: dict[str, list[Score]] = {"tune": [], "test": []}
        for paper in papers():
            score = match(paper.cells, list(found_in(read(paper, Path(folder)), schema)))
            halves[paper.part].append(score)
            record.notes.append(f"{paper.name} ({paper.part}): {score}")
        for part, scores in halves.items():
            total = Score(*(sum(getattr(s, f) for s in scores) for f in ("right", "wrong", "missed")))
            suffix = "" if part == "test" else "_tune"
            given, labelled = total.right + total.wrong, total.right + total.missed
            for figure, value, n, goal in (
                ("precision", total.precision, given, ">= 0.95"),
                ("recall", total.recall, labelled, ">= 0.90"),
            ):
                interval = wilson(value, max(1, n))
                record.add(f"{figure}{suffix}", value, "share", goal=goal, note=f"n = {n}, {interval}")


if __name__ == "__main__":
    main()
