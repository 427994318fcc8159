"""Own questions on the POLE crime graph: none is of a published set, and one part was never read.

``own`` were written from the schema. ``said`` are random queries over the schema that find something,
worded by people who had seen neither the reader nor ZOGRASCOPE; ``told`` are more of the kind, made after
the reader had grown on those. ``book`` are put together from a phrase book by a generator, 500 a part; the
parts share no phrase but plain nouns and names. ``wide`` are of a second such book, by somebody who knew
the first one and none of the rest, in the words of many sorts of people; its two parts share phrases.
``more`` are random queries again, worded one at a time by two further people who had seen nothing;
``long`` are the same by two others, most of three to six relations with conditions on the way; ``asked`` by
two more, of fewer relations; ``paths`` by two more, of one to four relations with equal values alone;
``chains`` by six more, of one to five relations; ``canon`` by eight more, who were given a stiff sentence
instead of a query (where it speaks of friends on social media, its direction is turned); ``brief`` by another
eight, four of whom saw the query and four such a sentence, meant to have the shares of heads, relations and
conditions that ZOGRASCOPE's train split has (they have not, see :mod:`benchmarks.zograscope`);
``edges`` asks for every relation in either direction, alone or with one more condition, each worded three
times by five people with manners of speaking
of their own: ``dev`` by three (one of them an unusual English), ``held`` by two others; ``joint`` asks for
two to four relations at once, each query worded twice, ``dev`` by six people (a crowd worker, an analyst, a
student of syntax, a layman, a paraphraser, an annotator of data sets), ``held`` by two others; ``crowd``
are 1,000 random queries of one to five relations, all relations equally often, each worded twice by one
of four people, two of whom are ``held``; ``akin`` are 8,000 queries made from those of ``brief`` and
``joint`` by another end, another thing asked for, a further relation, or other values, each worded twice by
one of 32 people, who knew what the graph is about and had seen nothing else (half of them are ``held``); they
are kept as lines of a query and its wordings. Where a query takes one of several best by ORDER BY and
LIMIT 1, so do we.
Errors of ``dev`` parts were read. Of the ``held`` parts those of ``more``, ``said``, ``told``, ``wide``,
``book``, ``canon``, ``chains``, ``brief``, ``paths`` and ``asked`` were read as well, after they had served
as the unread ones for long; those of ``own``, ``long``, ``edges`` and ``joint`` were not. Of ``crowd``
none was, and of ``akin`` a dozen, to see that they are whole.

Names of the graph are not kept here: ``{Area.areaCode:10}`` is the area code in row 10 of the graph's file of
areas, counted from 0.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Final, Literal, get_args

from benchmarks.executed import TIMEOUT, Cells, Gated, GoldRows, held_graph, report_refused, same_rows
from benchmarks.harness import Recorder, benchmark
from benchmarks.pole_words import spoken
from benchmarks.property_graphs import HOMES, LOADERS, POLE, graph
from cypher.semantics.ir import Query
from cypher.semantics.probing import with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.model import Frozen

FOLDER: Final = Path(__file__).parent
Family = Literal[
    "own",
    "said",
    "told",
    "book",
    "wide",
    "more",
    "long",
    "asked",
    "paths",
    "chains",
    "canon",
    "brief",
    "edges",
    "joint",
    "crowd",
    "akin",
]
Part = Literal["dev", "held"]
FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
PARTS: Final[tuple[Part, ...]] = ("dev", "held")
_PLACE: Final = re.compile(r"\{(\w+)\.(\w+):(\d+)\}")


class Entity(Frozen):
    """A value of the graph and the words of the question that stand for it."""

    text: str
    label: str
    property: str
    value: str


class PoleQuestion(Frozen):
    """One question with its gold query, which returns names or (``cypher_nodes``) nodes."""

    id: str
    question: str
    cypher: str
    cypher_nodes: str
    entities: tuple[Entity, ...]
    hops: int
    kind: str
    split: Part

    @property
    def given(self) -> Mapping[str, Sequence[str]]:
        """The words of the gold entities by label."""
        found: dict[str, list[str]] = {}
        for entity in self.entities:
            found.setdefault(entity.label, []).append(entity.text)
        return found


@cache
def _table(label: str) -> tuple[Mapping[str, str], ...]:
    with (POLE / f"nodes.{label}.csv").open(encoding="utf-8-sig", newline="") as file:
        return tuple({k.partition(":")[0]: v for k, v in row.items()} for row in csv.DictReader(file))


def _value(found: re.Match[str]) -> str:
    label, name, row = found.groups()
    return _table(label)[int(row)][name]


def _plain(text: str) -> str:
    return _PLACE.sub(_value, text)


def _quoted(query: str) -> str:
    return _PLACE.sub(lambda m: _value(m).replace("\\", "\\\\").replace("'", "\\'"), query)


def read_rows(family: Family, part: Part, folder: Path = FOLDER) -> tuple[PoleQuestion, ...]:
    """The rows as they are kept, with places for the graph's names."""
    if (table := folder / f"pole_{family}_{part}.tsv").exists():
        return tuple(_worded(family, part, table.read_text(encoding="utf-8").splitlines()))
    lines = (folder / f"pole_{family}_{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(PoleQuestion.model_validate_json(line) for line in lines)


def _worded(family: Family, part: Part, lines: Sequence[str]) -> Iterator[PoleQuestion]:
    """The rows of lines of a query and its wordings; every place in a wording is a gold entity."""
    for number, line in enumerate(lines):
        query, *wordings = line.split("\t")
        for letter, wording in zip(ascii_lowercase, wordings, strict=False):
            found = [
                Entity(text=m[0], label=m[1], property=m[2], value=m[0]) for m in _PLACE.finditer(wording)
            ]
            yield PoleQuestion(
                id=f"pole-{family}-{part}-{number}{letter}",
                question=wording,
                cypher=query,
                cypher_nodes=query,
                entities=tuple(found),
                hops=query.count("-["),
                kind=_kind(query),
                split=part,
            )


def _kind(query: str) -> str:
    returned = query.rpartition(" RETURN ")[2]
    if "LIMIT 1" in returned:
        return "extreme"
    return "count" if "count(" in returned else "property" if "." in returned else "list"


def questions(family: Family, part: Part) -> Iterator[PoleQuestion]:
    """The rows with the names that the graph's files have at these places."""
    for row in read_rows(family, part):
        entities = tuple(
            e.model_copy(update={"text": _plain(e.text), "value": _plain(e.value)}) for e in row.entities
        )
        yield row.model_copy(
            update={
                "question": _plain(row.question),
                "cypher": _quoted(row.cypher),
                "cypher_nodes": _quoted(row.cypher_nodes),
                "entities": entities,
            }
        )


def is_right(gated: Gated, reader: SemanticReader, query: Query, golds: Sequence[Cells]) -> bool:
    """Whether the answer by names or by nodes has the rows of a gold query, as sets."""
    return judged(gated, reader, query, golds) is True


def judged(
    gated: Gated,
    reader: SemanticReader,
    query: Query,
    golds: Sequence[Cells],
    *,
    seconds: float = TIMEOUT,
) -> bool | None:
    """The same, and ``None`` where the reading has no rows."""
    for whole in (False, True):
        written = reader.write(query, whole_nodes=whole, bare=True)
        found = gated.execute(written, seconds=seconds)
        if found is not None and not found.rows:
            return None
        if found is not None and any(same_rows(found, gold, distinct=True) for gold in golds):
            return True
    return False


def score(
    gated: Gated,
    reader: SemanticReader,
    rows: Sequence[PoleQuestion],
    *,
    given: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Counter[str], Counter[str]]:
    """How many of each kind were asked, and how many are right; rows without a gold answer are left out."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    kept, held = GoldRows(gated.connection, HOMES / "pole"), held_graph(gated, reader)
    for row in rows:
        golds = [g for g in (kept.of(row.cypher), kept.of(row.cypher_nodes)) if g is not None and g.rows]
        if not golds:
            continue
        reading = reader.read(row.question, given=row.given if given else None)
        reading = with_probes(reading, reader, gated, held=held, clock=clock)
        asked[row.kind] += 1
        if reading.query is not None:
            right[row.kind] += is_right(gated, reader, reading.query, golds)
    kept.save()
    return asked, right


def _record(record: Recorder, name: str, asked: Counter[str], right: Counter[str]) -> None:
    kinds = ", ".join(f"{kind} {right[kind]}/{n}" for kind, n in sorted(asked.items()))
    record.add(name, 100 * right.total() / asked.total(), "%", note=f"n={asked.total()}; {kinds}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Score all parts, or those of some families, with and without gold entities, and write totals."""
    options = argparse.ArgumentParser()
    options.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES) + "; all if none")
    some = options.parse_args(arguments).families
    if unknown := [name for name in some if name not in FAMILIES]:
        options.error(f"expected families among {', '.join(FAMILIES)}, found {', '.join(unknown)}")
    name = "_".join(["pole_questions", *some])
    command = " ".join(["pole_questions", *some])
    with benchmark(name, command) as record, graph("pole", LOADERS["pole"]) as connection:
        schema = infer_schema(connection)
        table = ValueTable(read_values(connection, schema))
        reader = SemanticReader(schema, table, spoken(), way=Way(one=True))
        gated = Gated(connection, schema)
        for family in (f for f in FAMILIES if not some or f in some):
            for part in PARTS:
                rows = tuple(questions(family, part))
                _record(record, f"{family}_{part}", *score(gated, reader, rows))
                _record(record, f"{family}_{part}_gold_entities", *score(gated, reader, rows, given=True))
        report_refused(record, gated.refused)


if __name__ == "__main__":
    main(sys.argv[1:])
