"""Questions on four graphs, executed: Mind-the-Query star_wars and healthcare, movies, northwind.

The questions are split by the hash of their text: errors of the development half were read while the
parser was written, the other half was only scored. Figures without a half are over all runnable pairs.
200 pairs were checked by hand (``labels/demo_graphs.jsonl``: hashes and verdicts only); ``checked`` figures
are over those whose gold is right, ``checked_told`` over those of them whose columns are told as well.
The reader's queries pass the gate, without the row limit of an answer. ``served`` figures are of the whole
service, as ``kg ask --store`` asks it: it abstains, has its thesaurus, and shows at most 1,000 rows.

``--graph pole`` runs the 2,759 questions of Mind-the-Query on the POLE crime graph instead, with the words
of ZOGRASCOPE's benchmark. They are split by the hash of their uid. Of the development half the first 900 that
run and find something were read, in the order of ``random.Random(0).shuffle``; of the other half none was.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.executed import (
    Cells,
    Gated,
    GoldRows,
    equal_rows,
    held_graph,
    report_refused,
    same_in_common_columns,
    same_rows,
)
from benchmarks.harness import DATA, ROOT, Recorder, benchmark, stopwatch
from benchmarks.pole_words import spoken
from benchmarks.property_graphs import HOMES, LOADERS, graph
from benchmarks.served import Served, Service, report_served
from cypher.examples import Known
from cypher.semantics.probing import with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.softened import Thesaurus
from cypher.semantics.values import ValueTable
from cypher.semantics.weighing import WEIGH_SECONDS, weighed
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.settings import read_environment
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus

GRAPHS: Final = ("movies", "northwind", "star_wars", "healthcare")
FURTHER: Final = ("pole",)
"""Graphs that are run only when they are named."""
COVERAGE: Final = 0.6
LEAST: Final = 30
"""Pairs of a graph, below which a sample gets no figure."""
_BOTH: Final = (False, True)
LOOKS: Final = 2.0
"""Seconds to weigh one answer in, so that a busy machine does not change its rank."""
LABELS: Final = ROOT / "benchmarks" / "labels" / "demo_graphs.jsonl"
Key = tuple[str, str, str]
"""A graph, the sha256 of a question and that of a gold query."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with one gold query, or two by different authors."""

    graph: str
    question: str
    gold: tuple[str, ...]
    uid: str = ""
    """What the halves are told by, where a set has it; else they are told by the question."""

    @property
    def development(self) -> bool:
        """Whether it is in the half whose errors were read."""
        return int(sha256(self.uid or self.question), 16) % 2 == 0

    def key(self, gold: str) -> Key:
        """What a label of the question with this gold query is found by."""
        return self.graph, sha256(self.question), sha256(gold)


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader found of a gold query; see ``labels/README.md``."""

    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scored:
    """One runnable question; ``agreed`` when two gold queries return the same rows."""

    pair: Pair
    right: bool
    """Plain ``metrics.rows_equal``."""
    lenient: bool
    """The same with text as numbers and days."""
    columns: bool
    """Whether it is right but for columns that are left out or added, by name or as nodes."""
    agreed: bool
    confidence: float
    weighing: float
    """Milliseconds that looking at rows took, before the answer itself was run."""
    label: Label | None = None
    """Of the gold query that the answer is compared with."""
    either: bool = False
    """Equal sets of rows, things returned by name or as nodes; of further graphs only."""
    refused: tuple[str, ...] = ()
    """Codes of what the gate refused of the reader's queries."""
    served: Served | None = None
    """The same question through the whole service, where the claims are of it."""


def sha256(text: str) -> str:
    """Of the UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def labels() -> dict[Key, Label]:
    """The pairs checked by hand."""
    rows = map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    return {
        (r["graph"], r["question_sha256"], r["gold_sha256"]): Label(r["verdict"], r["reason"]) for r in rows
    }


def pairs(graphs: Sequence[str] = GRAPHS) -> Iterator[Pair]:
    """All questions; those on ``Movie.votes``, which the graph here has not, are left out."""
    with gzip.open(
        DATA / "cypher_mind_the_query" / "auto_validated.jsonl.gz", "rt", encoding="utf-8"
    ) as file:
        for row in map(json.loads, file):
            if row["graph"] in graphs:
                uid = row["uid"] if row["graph"] in FURTHER else ""
                yield Pair(row["graph"], row["question"], (row["cypher"],), uid)
    gold: dict[tuple[str, str], list[str]] = defaultdict(list)
    for author in ("opus", "gpt4turbo"):
        with gzip.open(DATA / "cypher_neo4jlabs" / f"{author}.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                usable = row["syntax_error"] == "False" and "votes" not in row["cypher"]
                if row["database"] in graphs and usable:
                    gold[row["database"], row["question"]].append(row["cypher"])
    for (name, question), queries in gold.items():
        yield Pair(name, question, tuple(queries))


def score(
    name: str,
    connection: Connection,
    asked: Sequence[Pair],
    known: Mapping[Key, Label],
    *,
    thesaurus: Thesaurus | None = None,
    served: bool = False,
) -> list[Scored]:
    """Every pair with a gold query that runs and returns rows.

    With ``served`` those that the claims are of are put to the whole service, too, with its ``thesaurus``.
    """
    schema = infer_schema(connection)
    words, values = spoken() if name in FURTHER else None, read_values(connection, schema)
    reader = SemanticReader(schema, ValueTable(values), words)
    service = Service(connection, schema, values, thesaurus, Known(words)) if served else None
    golds, gated, out = GoldRows(connection, HOMES / name), Gated(connection, schema), list[Scored]()
    held = held_graph(gated, reader)
    for pair in asked:
        runnable = [(q, c) for q in pair.gold if (c := golds.of(q)) is not None and c.rows]
        gold = [c for _, c in runnable]
        if not gold:
            continue
        before = len(gated.refused)
        probed = with_probes(reader.read(pair.question), reader, gated, held=held)
        with stopwatch() as weighing:
            reading = weighed(probed, reader, gated, seconds=LOOKS)
        found = gated.execute(reading.written) if reading.written else None
        agreed = len(gold) > 1 and all(equal_rows(gold[0], g) for g in gold[1:])
        right = found is not None and equal_rows(found, gold[0])
        lenient = found is not None and same_rows(found, gold[0])
        columns = right or _in_columns(gated, reader, reading, found, gold[0])
        label = known.get(pair.key(runnable[0][0]))
        either = name in FURTHER and _either(gated, reader, reading, gold[0])
        spent, refused = 1000 * weighing[0], tuple(gated.refused[before:])
        through = None
        if service is not None and (agreed or (label is not None and label.verdict == "right")):
            through = service.served(pair.question, *runnable[0])
        own = (pair, right, lenient, columns, agreed, reading.confidence, spent)
        out.append(Scored(*own, label, either, refused, through))
    golds.save()
    return out


def _in_columns(
    gated: Gated, reader: SemanticReader, reading: Reading, found: Cells | None, gold: Cells
) -> bool:
    """Whether names or nodes that were found are the gold's in the columns that both have."""
    if reading.query is None or found is None:
        return False
    nodes = gated.execute(reader.write(reading.query, whole_nodes=True, bare=True))
    return any(same_in_common_columns(cells, gold) for cells in (found, nodes) if cells is not None)


def most_confident(scored: Sequence[Scored], coverage: float = COVERAGE) -> Sequence[Scored]:
    """The share ``coverage`` of all that the reader is surest of."""
    return sorted(scored, key=lambda s: -s.confidence)[: max(1, round(coverage * len(scored)))]


def _either(gated: Gated, reader: SemanticReader, reading: Reading, gold: Cells) -> bool:
    """Whether the rows are the gold query's as a set, by name or as nodes, the sort key shown or not."""
    if reading.query is None:
        return False
    forms = {(w, b): reader.write(reading.query, whole_nodes=w, bare=b) for w in _BOTH for b in _BOTH}
    texts = {form.text: form for form in forms.values()}
    found = (gated.execute(form) for form in texts.values())
    return any(rows is not None and same_rows(rows, gold, distinct=True) for rows in found)


def precision(scored: Sequence[Scored], coverage: float = COVERAGE) -> float:
    """Share of right answers among the most confident ``coverage`` of all."""
    return statistics.fmean(s.right for s in most_confident(scored, coverage))


def report(record: Recorder, scored: Sequence[Scored], drawn: Collection[Pair]) -> None:
    """Figures on agreed pairs, and per graph on the runnable ones that were drawn, each with its halves."""
    spent = sorted(s.weighing for s in scored)
    note = (
        f"looking at rows of the answer and of rivals, at most {LOOKS:.0f} s (the service: {WEIGH_SECONDS} s)"
    )
    record.add("weighing_p50_ms", statistics.median(spent), "ms", note=note)
    record.add("weighing_p95_ms", spent[int(0.95 * len(spent))], "ms", note=note)
    agreed = [s for s in scored if s.agreed]
    for suffix, chosen in _halves(agreed).items():
        if chosen:
            note = f"n={len(chosen)}, two independent gold queries agree"
            exact = 100 * statistics.fmean(s.right for s in chosen)
            record.add(f"exact{suffix}", exact, "%", goal="" if suffix else ">= 60", note=note)
            share = 100 * precision(chosen)
            record.add(f"precision_at_60{suffix}", share, "%", goal="" if suffix else ">= 95", note=note)
            open_ = "right but for columns that only one of the two has"
            among = 100 * statistics.fmean(s.columns for s in chosen)
            record.add(f"common_columns{suffix}", among, "%", note=open_)
            among = 100 * statistics.fmean(s.columns for s in most_confident(chosen))
            record.add(f"common_columns_at_60{suffix}", among, "%", note=open_)
    for name in dict.fromkeys(s.pair.graph for s in scored):
        mine = [s for s in scored if s.pair.graph == name and s.pair in drawn]
        for suffix, chosen in _halves(mine).items():
            if len(chosen) >= LEAST:
                right = 100 * statistics.fmean(s.right for s in chosen)
                record.add(f"{name}_exact{suffix}", right, "%", note=f"n={len(chosen)}, runnable")
                lenient = 100 * statistics.fmean(s.lenient for s in chosen)
                record.add(f"{name}_lenient{suffix}", lenient, "%", note="text as numbers and days")
                if name in FURTHER:
                    either = 100 * statistics.fmean(s.either for s in chosen)
                    record.add(f"{name}_either{suffix}", either, "%", note="sets of rows, names or nodes")


def report_checked(record: Recorder, scored: Sequence[Scored]) -> None:
    """Figures on the pairs whose gold a reader found right, and on those of them whose columns are told."""
    right = [s for s in scored if s.label is not None and s.label.verdict == "right"]
    told = [s for s in right if s.label is not None and not s.label.reason]
    for name, group, also in (("checked", right, ""), ("checked_told", told, ", columns told")):
        for suffix, chosen in _halves(group).items():
            if chosen:
                exact_goal, share_goal = ("", "") if suffix or also else (">= 60", ">= 95")
                note = f"n={len(chosen)}, gold right by hand{also}"
                exact = 100 * statistics.fmean(s.right for s in chosen)
                record.add(f"exact_{name}{suffix}", exact, "%", goal=exact_goal, note=note)
                share = 100 * precision(chosen)
                record.add(f"precision_at_60_{name}{suffix}", share, "%", goal=share_goal, note=note)


def report_through(record: Recorder, scored: Sequence[Scored]) -> None:
    """Figures of the whole service on the pairs that the claims are of."""
    right = [s for s in scored if s.label is not None and s.label.verdict == "right"]
    agreed, note = [s for s in scored if s.agreed], "two independent gold queries agree"
    for name, group, told in (("agreed", agreed, note), ("checked", right, "gold right by hand")):
        for suffix, chosen in _halves(group).items():
            if found := [s.served for s in chosen if s.served is not None]:
                report_served(record, f"{name}{suffix}", found, told)


def sample(asked: Sequence[Pair], every: int, known: Mapping[Key, Label]) -> tuple[list[Pair], set[Pair]]:
    """What to run, and which of it is every ``every``-th pair.

    The others have two gold queries or were checked by hand: what is claimed is claimed of all of these.
    """
    drawn = set(asked[::every])
    kept = (p for p in asked if p in drawn or len(p.gold) > 1 or any(p.key(q) in known for q in p.gold))
    return list(kept), drawn


def _halves(scored: Sequence[Scored]) -> Mapping[str, Sequence[Scored]]:
    return {
        "": scored,
        "_development": [s for s in scored if s.pair.development],
        "_unread": [s for s in scored if not s.pair.development],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all questions, or every ``--every``-th and those that the claims are of."""
    options = argparse.ArgumentParser()
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--graph", choices=(*GRAPHS, *FURTHER), help="this one alone")
    given = options.parse_args(arguments)
    every, graphs = given.every, (given.graph,) if given.graph else GRAPHS
    asked, known = list(pairs(graphs)), labels()
    name = "demo_graphs" + (f"_{given.graph}" if given.graph else "") + ("_agreed" if every > 1 else "")
    told = f" --graph {given.graph}" * bool(given.graph) + f" --every {every}" * (every > 1)
    cache = read_environment().cache
    ensure_thesaurus(cache, note=print)
    with open_thesaurus(cache) as thesaurus, benchmark(name, f"demo_graphs{told}") as record:
        scored: list[Scored] = []
        drawn: set[Pair] = set()
        for store in graphs:
            chosen, every_nth = sample([p for p in asked if p.graph == store], every, known)
            drawn |= every_nth
            with graph(store, LOADERS[store]) as connection:
                scored += score(store, connection, chosen, known, thesaurus=thesaurus, served=True)
        report(record, scored, drawn)
        report_checked(record, scored)
        report_through(record, scored)
        report_refused(record, [code for s in scored for code in s.refused])


if __name__ == "__main__":
    main(sys.argv[1:])
