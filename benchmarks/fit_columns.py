"""Fits which words of a question tell that its answer's columns are foreseeable, and writes them.

Questions are those on the filled graphs that may be read (:mod:`benchmarks.filled_graphs`) whose two gold
queries, by two authors, return the same columns; the reader's columns are right where they are the same.
Nothing is executed. A logistic regression with an L2 penalty (scikit-learn) over words that occur with at
least three of the databases; the penalty is chosen on databases that were left out.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.demo_graphs import pairs
from benchmarks.filled_graphs import READ, home, loader
from benchmarks.harness import ROOT, benchmark
from benchmarks.property_graphs import graph
from cypher.semantics.column_cues import cues
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.syntax import nodes as n
from cypher.syntax.expressions import CountStar, Expression, FunctionCall, Property, Variable
from cypher.syntax.parse import parse
from cypher.syntax.walk import walk
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.errors import QueryRefusedError

OUT: Final = ROOT / "cypher" / "semantics" / "columns.json"
PENALTIES: Final = (0.01, 0.03, 0.1, 0.3)
"""Inverse strengths that are tried."""
DATABASES: Final = 3
TIMES: Final = 10
"""A cue occurs with so many databases, and so many times, at least."""
LEAST: Final = 0.02
"""Smaller weights are left out."""


@dataclass(frozen=True, slots=True)
class Read:
    """A question whose wanted columns are known, and whether the reader returns these."""

    database: str
    cues: tuple[str, ...]
    right: bool


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


def questions() -> list[Read]:
    """All questions of the graphs that may be read whose two golds return the same columns."""
    out: list[Read] = []
    for name in READ:
        with graph(home(name), loader(name)) as connection:
            schema = infer_schema(connection)
            reader = SemanticReader(schema, ValueTable(read_values(connection, schema)))
        for pair in pairs((name,)):
            wanted = {columns(q) for q in pair.gold}
            if len(pair.gold) < 2 or len(wanted) > 1 or None in wanted:
                continue
            written = reader.read(pair.question).written
            if written is not None:
                asked = tuple(dict.fromkeys(cues(pair.question)))
                out.append(Read(name, asked, columns(written.text) in wanted))
    return out


def kept_cues(read: Sequence[Read]) -> frozenset[str]:
    """Cues that are not those of one database."""
    times, where = Counter[str](), defaultdict[str, set[str]](set)
    for one in read:
        times.update(one.cues)
        for cue in one.cues:
            where[cue].add(one.database)
    return frozenset(c for c in times if times[c] >= TIMES and len(where[c]) >= DATABASES)


def fit(read: Sequence[Read], penalty: float) -> tuple[Any, Any]:
    """The fitted model with the table that turns cues into its columns."""
    kept = kept_cues(read)
    table = DictVectorizer()
    features = table.fit_transform([dict.fromkeys(kept.intersection(r.cues), 1.0) for r in read])
    return LogisticRegression(C=penalty, max_iter=2_000).fit(features, [r.right for r in read]), table


def left_out(read: Sequence[Read], penalty: float) -> float:
    """Mean area under the ROC curve on databases that were left out."""
    areas = []
    for name in READ:
        others, own = [r for r in read if r.database != name], [r for r in read if r.database == name]
        model, table = fit(others, penalty)
        chances = model.predict_proba(table.transform([dict.fromkeys(r.cues, 1.0) for r in own]))[:, 1]
        areas.append(float(roc_auc_score(np.array([r.right for r in own]), chances)))
    return fmean(areas)


def main() -> None:
    """Fit and write the weights."""
    with benchmark("fit_columns") as record:
        read = questions()
        areas = {penalty: left_out(read, penalty) for penalty in PENALTIES}
        penalty = max(areas, key=lambda p: areas[p])
        model, table = fit(read, penalty)
        weights = zip(table.get_feature_names_out(), model.coef_[0], strict=True)
        found = {str(cue): round(float(w), 3) for cue, w in weights if abs(w) >= LEAST}
        record.add("left_out_auc", areas[penalty], "", floor="0.5 (chance)", note=f"penalty {penalty}")
        record.add("questions", len(read), "", note=f"{sum(r.right for r in read)} right; {len(found)} cues")
        origin = f"benchmarks.fit_columns on two-author questions of: {', '.join(READ)}"
        content = {"origin": origin, "questions": len(read), "cues": found}
        OUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
