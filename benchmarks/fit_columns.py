"""Fits which words of a question and forms of its reading tell that others would return the same columns.

Questions are those of demo databases that may be read (development halves where they are halved), with the
gold queries of one or two authors, and the reader's columns for them; a question counts where a gold query
has the reader's labels and types. Nothing is executed. A logistic regression with an L2 penalty
(scikit-learn) over cues that occur with several databases. Its penalty is chosen on databases, and on parts
of all questions, that were left out; the weights without each part are kept for ``benchmarks.fit_reader``,
which may not see a question's own columns either.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.demo_graphs import GRAPHS as HALVED
from benchmarks.demo_graphs import pairs, sha256
from benchmarks.filled_graphs import READ, home, loader
from benchmarks.harness import ROOT, benchmark
from benchmarks.property_graphs import LOADERS, graph
from cypher.semantics.column_cues import all_cues, summed
from cypher.semantics.ir import Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.syntax import nodes as n
from cypher.syntax.expressions import CountStar, Expression, FunctionCall, LabelName, Property, Variable
from cypher.syntax.parse import parse
from cypher.syntax.walk import walk
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.errors import QueryRefusedError, UsageError

OUT: Final = ROOT / "cypher" / "semantics" / "columns.json"
KEPT: Final = ROOT / "build" / "fit_columns.json"
"""The weights without each part of the questions."""
SINGLE: Final = ("grandstack", "buzzoverflow", "network", "fincen", "offshoreleaks", "stackoverflow2")
"""Databases with the questions and queries of one author."""
MOST: Final = 600
"""About so many questions of each database."""
PENALTIES: Final = (0.1, 0.3, 1.0)
"""Inverse strengths that are tried."""
PARTS: Final = 5
DATABASES: Final = 3
TIMES: Final = 6
"""A cue occurs with so many databases, and so many times, at least."""
LEAST: Final = 0.02
"""Smaller weights are left out."""
_OWN_WORDS: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|\b[A-Z]\w+(?: [A-Z]\w+)+")


@dataclass(frozen=True, slots=True)
class Read:
    """A question, the cues of its reading, and the share of authors who return the reader's columns."""

    database: str
    part: int
    cues: tuple[str, ...]
    share: float
    agreed: bool
    """Whether all gold queries, of more than one author, return the same columns."""


@cache
def outline(query: str) -> frozenset[str] | None:
    """The labels and types that a query names; ``None`` where it does not parse.

    >>> sorted(outline("MATCH (s:Ship)-[:SAILS]->() RETURN s"))
    ['SAILS', 'Ship']
    """
    try:
        tree = parse(query)
    except QueryRefusedError:
        return None
    return frozenset(x.name for x in walk(tree) if isinstance(x, LabelName))


@cache
def columns(query: str) -> frozenset[str] | None:
    """What a query returns, told by the names of properties and functions; ``None`` where it does not parse.

    >>> sorted(columns("MATCH (s:Ship) WITH s, count(*) AS c RETURN s.name AS n, c, s"))
    ['*', 'count', 'name']
    """
    try:
        clauses = parse(query).branches[-1].clauses
    except QueryRefusedError:
        return None
    known: dict[str, Expression] = {}
    for clause in clauses:
        if isinstance(clause, n.With):
            known |= {i.alias: i.expression for i in clause.projection.items if i.alias}
    last = clauses[-1]
    found = last.projection.items if isinstance(last, n.Return) else ()
    return frozenset(_told(i.expression, known) for i in found) or None


def _told(expression: Expression, known: dict[str, Expression]) -> str:
    while isinstance(expression, Variable) and expression.name in known:
        expression = known.pop(expression.name)
    if isinstance(expression, Variable):
        return "*"
    if isinstance(expression, Property):
        return expression.name
    calls = [x.name.lower() for x in walk(expression) if isinstance(x, FunctionCall)]
    counts = any(isinstance(x, CountStar) for x in walk(expression))
    return "count" if counts or {"count", "size"} & set(calls) else "+".join(calls) or "other"


def part_of(question: str) -> int:
    """The part that a question is left out with: the same for questions that differ in names and numbers."""
    return int(sha256(_OWN_WORDS.sub("#", question).lower()), 16) % PARTS


def questions(name: str) -> list[Read]:
    """Questions on one database where a gold query has the labels and types that the reader found."""
    own = name in LOADERS
    with graph(name if own else home(name), LOADERS[name] if own else loader(name)) as connection:
        schema = infer_schema(connection)
        reader = SemanticReader(schema, ValueTable(read_values(connection, schema)))
    asked = [p for p in pairs((name,)) if p.development or name not in HALVED]
    asked = [p for p in asked if len(p.gold) > 1] if name in READ else asked
    out: list[Read] = []
    for pair in asked[:: max(1, len(asked) // MOST)]:
        reading = reader.read(pair.question)
        wanted = [c for q in pair.gold if (c := columns(q)) is not None]
        if reading.query is None or reading.written is None or not wanted:
            continue
        if outline(reading.written.text) not in [outline(q) for q in pair.gold]:
            continue
        found = all_cues(reading.linked.text, reading.query)
        share = fmean(columns(reading.written.text) == c for c in wanted)
        agreed = len(wanted) > 1 and len(set(wanted)) == 1
        out.append(Read(name, part_of(pair.question), found, share, agreed))
    return out


def kept_cues(read: Sequence[Read]) -> frozenset[str]:
    """Cues that are not those of one or two databases."""
    times, where = Counter[str](), defaultdict[str, set[str]](set)
    for one in read:
        times.update(one.cues)
        for cue in one.cues:
            where[cue].add(one.database)
    return frozenset(c for c in times if times[c] >= TIMES and len(where[c]) >= DATABASES)


def fit(read: Sequence[Read], penalty: float) -> Mapping[str, float]:
    """Weights of the cues, and of ``""``, which always counts; a database counts by the root of its size."""
    kept = kept_cues(read)
    table = DictVectorizer()
    rows: Any = table.fit_transform([dict.fromkeys(kept.intersection(r.cues), 1.0) for r in read])
    sizes = Counter(r.database for r in read)
    weights = np.array([sizes[r.database] ** -0.5 for r in read])
    weights /= weights.mean()
    share = np.array([r.share for r in read])
    twice = np.r_[np.arange(len(read)), np.arange(len(read))]
    sides = np.r_[np.ones(len(read)), np.zeros(len(read))]
    model = LogisticRegression(C=penalty, max_iter=3_000)
    model.fit(rows[twice], sides, sample_weight=np.r_[weights * share, weights * (1 - share)])
    found = zip(table.get_feature_names_out(), model.coef_[0], strict=True)
    slopes = {str(cue): round(float(w), 3) for cue, w in found if abs(w) >= LEAST}
    return {"": round(float(model.intercept_[0]), 3), **slopes}


def left_out(read: Sequence[Read], groups: Sequence[object], penalty: float) -> float:
    """Area under the ROC curve on agreed questions, each foretold by the other groups."""
    chances, right = list[float](), list[bool]()
    for group in dict.fromkeys(groups):
        weights = fit([r for r, g in zip(read, groups, strict=True) if g != group], penalty)
        for one, other in zip(read, groups, strict=True):
            if other == group and one.agreed:
                chances.append(summed(one.cues, weights))
                right.append(one.share > 0)
    return float(roc_auc_score(np.array(right), chances))


@cache
def _without() -> tuple[Mapping[str, float], ...]:
    if not KEPT.exists():
        raise UsageError(
            f"expected the weights of columns without each part in {KEPT.name}, and found no such file; "
            "run benchmarks.fit_columns first"
        )
    return tuple(json.loads(KEPT.read_text(encoding="utf-8")))


def foretold(question: str, text: str, query: Query) -> float:
    """How foreseeable the columns of a reading of ``question`` are, by weights that never saw it."""
    return summed(all_cues(text, query), _without()[part_of(question)])


def main() -> None:
    """Fit and write the weights."""
    with benchmark("fit_columns") as record:
        names = (*READ, *SINGLE, *HALVED)
        read = [one for name in names for one in questions(name)]
        databases, parts = [r.database for r in read], [r.part for r in read]
        areas = {p: (left_out(read, databases, p), left_out(read, parts, p)) for p in PENALTIES}
        penalty = max(areas, key=lambda p: sum(areas[p]))
        weights = fit(read, penalty)
        chance, of_agreed = "0.5 (chance)", sum(r.agreed for r in read)
        record.add("left_out_auc", areas[penalty][0], "", floor=chance, note=f"databases; penalty {penalty}")
        record.add("parts_auc", areas[penalty][1], "", floor=chance, note="parts of all questions")
        note = f"{of_agreed} of two authors who agree; {len(weights)} cues"
        record.add("questions", len(read), "", note=note)
        without = [fit([r for r in read if r.part != part], penalty) for part in range(PARTS)]
        KEPT.write_text(json.dumps(without), encoding="utf-8")
        origin = f"benchmarks.fit_columns on questions of: {', '.join(names)}"
        content = {"origin": origin, "questions": len(read), "cues": weights}
        OUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
