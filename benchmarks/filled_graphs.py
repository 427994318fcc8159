"""Questions on demo databases that are not at hand: their schemas, filled with made-up content, and executed.

Neo4j's demo databases have published schemas and thousands of questions with gold queries, most by two
authors, but only two of them are here. So a small graph is made for each of the others: things and values by
the schema, the values that gold queries ask for among them. Two queries that return the same rows of it
probably ask the same (test suites in place of databases: Zhong et al. 2020, arXiv 2010.02840). Errors on the
graphs in ``READ`` were read, and the reader's confidence is fitted on them; of the others only totals were
looked at.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
from ast import literal_eval
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from statistics import fmean
from typing import Any, Final

from benchmarks.demo_graphs import Scored, most_confident, pairs, precision, score
from benchmarks.executed import report_refused
from benchmarks.harness import DATA, Recorder, benchmark
from benchmarks.property_graphs import create_edges, create_nodes, graph, joining
from kg.adapters.neo4j_connection import Connection

READ: Final = ("recommendations", "companies", "gameofthrones", "neoflix")
GRAPHS: Final = (*READ, "twitch", "twitter")
"""Those with two gold queries for most questions."""
THINGS: Final = 80
"""Nodes of a kind, at least."""
LINKS: Final = 1.5
"""Relationships of a kind that a node starts, at least on average."""
PARETO: Final = 1.5
SKEW: Final = 2.5
"""How unequal the numbers of relationships are: of equals, queries that look alike return others first."""
FEW: Final = 25
"""Texts of a property with so many different ones repeat."""
_FIELD_LIMIT: Final = 10_000_000
_LITERAL: Final = r"(?:date|datetime)?\(?\s*('(?:[^'\\]|\\.)*'|\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false)"
_NODE: Final = re.compile(r"[(\[](\w*)\s*:\s*`?(\w+)`?\s*(?:\{([^}]*)\})?", re.IGNORECASE)
_INLINE: Final = re.compile(rf"(\w+)\s*:\s*{_LITERAL}", re.IGNORECASE)
_COMPARED: Final = re.compile(
    rf"(\w+)\.(\w+)\)?\s*(<>|<=|>=|=|<|>|=~|CONTAINS|STARTS WITH|ENDS WITH)\s*{_LITERAL}", re.IGNORECASE
)
_AMONG: Final = re.compile(rf"{_LITERAL}\s+IN\s+(\w+)\.(\w+)", re.IGNORECASE)
_ABSENT: Final = re.compile(r"(\w+)\.(\w+)\s+IS\s+(?:NOT\s+)?NULL", re.IGNORECASE)
_NAMES: Final = frozenset({"name", "title", "screen_name", "id"})
_IS_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBERS: Final = frozenset({"INTEGER", "FLOAT"})
_DAYS: Final = frozenset({"DATE", "DATE_TIME"})
_PLAIN: Final = frozenset({"STRING", "BOOLEAN", "LIST"}) | _NUMBERS | _DAYS

Value = str | int | float | bool | date | datetime | list[str]
Key = tuple[str, str]
"""A label or type, and a property of it."""


@dataclass(slots=True)
class Wanted:
    """What gold queries ask of properties."""

    values: dict[Key, list[str]] = field(default_factory=lambda: defaultdict(list))
    absent: set[Key] = field(default_factory=set)
    """Properties that are asked for being there, or not."""


def schemas() -> Mapping[str, Mapping[str, Any]]:
    """The published schema of each database, with examples of its values."""
    csv.field_size_limit(_FIELD_LIMIT)
    with (DATA / "cypher_neo4jlabs" / "schemas.csv").open(encoding="utf-8", newline="") as file:
        return {row["database"]: literal_eval(row["structured_schema"]) for row in csv.DictReader(file)}


def wanted(queries: Sequence[str]) -> Wanted:
    """The values and properties that queries compare."""
    out = Wanted()
    for query in queries:
        kinds: dict[str, str] = {}
        for variable, kind, inside in _NODE.findall(query):
            kinds[variable] = kind
            for name, text in _INLINE.findall(inside or ""):
                out.values[kind, name].append(_unquoted(text))
        for variable, name, operator, text in _COMPARED.findall(query):
            if variable in kinds:
                out.values[kinds[variable], name].append(_holding(operator.upper(), _unquoted(text)))
        for text, variable, name in _AMONG.findall(query):
            if variable in kinds:
                out.values[kinds[variable], name].append(_unquoted(text))
        for variable, name in _ABSENT.findall(query):
            if variable in kinds:
                out.absent.add((kinds[variable], name))
    return out


def _unquoted(text: str) -> str:
    return text[1:-1].replace("\\'", "'") if text[:1] in "'\"" else text


def _holding(operator: str, text: str) -> str:
    """A text that the condition holds of."""
    forms = {
        "CONTAINS": f"On {text} and more",
        "STARTS WITH": f"{text} and more",
        "ENDS WITH": f"More {text}",
    }
    return text.strip(".*") if operator == "=~" else forms.get(operator, text)


class Filler:
    """Makes the nodes and relationships of one schema; the same seed gives the same graph."""

    def __init__(self, name: str, schema: Mapping[str, Any], asked: Wanted) -> None:
        self._schema, self._asked = schema, asked
        self._chance = random.Random(name)

    def nodes(self, label: str) -> list[dict[str, Value]]:
        """Properties of the things of a kind."""
        properties = self._schema["node_props"].get(label, [])
        names = [list(dict.fromkeys(self._asked.values[label, p["property"]])) for p in properties]
        size = max([THINGS, *(len(n) + THINGS // 2 for n in names)])
        return [self._properties(label, properties, at) for at in range(size)]

    def edges(self, relation: Mapping[str, str], sizes: Mapping[str, int]) -> Iterator[dict[str, Any]]:
        """Relationships of a kind, as numbers of nodes and properties; some things have more than others."""
        start, end = sizes.get(relation["start"], 0), sizes.get(relation["end"], 0)
        properties = self._schema["rel_props"].get(relation["type"], [])
        seen: set[tuple[int, int]] = set()
        for a in range(start if end else 0):
            for _ in range(round(LINKS * self._chance.paretovariate(PARETO))):
                b = int(end * self._chance.random() ** SKEW)
                if (a, b) not in seen and not (a == b and relation["start"] == relation["end"]):
                    seen.add((a, b))
                    yield {"a": a, "b": b, "p": self._properties(relation["type"], properties, len(seen))}

    def _properties(self, owner: str, properties: Sequence[Any], at: int) -> dict[str, Value]:
        out: dict[str, Value] = {}
        for found in properties:
            name, kind = found["property"], found["type"]
            gone = self._may_lack(owner, name, kind) and self._chance.random() < 1 / 4
            if kind in _PLAIN and "embedding" not in name.lower() and not gone:
                out[name] = self._value(owner, found, at)
        return out

    def _may_lack(self, owner: str, name: str, kind: str) -> bool:
        """Whether some things lack a property: no name, nor what they may be sorted by."""
        sorts = kind in _NUMBERS | _DAYS
        return (owner, name) in self._asked.absent and name not in _NAMES and not sorts

    def _value(self, owner: str, found: Mapping[str, Any], at: int) -> Value:
        kind, own = found["type"], self._asked.values[owner, found["property"]]
        if kind == "BOOLEAN":
            return self._chance.random() < 1 / 2
        if kind in _NUMBERS:
            return self._number(found, own)
        if kind in _DAYS:
            return self._day(found, own)
        if kind == "LIST":
            pool = [*own, *(f"{found['property']} {i}" for i in range(6))]
            return self._chance.sample(list(dict.fromkeys(pool)), 3)
        return self._text(found, own, at)

    def _text(self, found: Mapping[str, Any], own: Sequence[str], at: int) -> str:
        known = list(dict.fromkeys([*own, *(str(v) for v in found.get("values", ()))]))
        named = found["property"] in _NAMES or found["property"].lower().endswith(("id", "url"))
        if not named and found.get("distinct_count", FEW + 1) <= FEW and known:
            return self._chance.choice(known)
        if at < len(known):
            return known[at]
        if own and not named and self._chance.random() < 1 / 4:
            return self._chance.choice(own)
        return f"{(known or [found['property']])[0]} {at}"

    def _number(self, found: Mapping[str, Any], own: Sequence[str]) -> int | float:
        asked = [float(t) for t in own if _IS_NUMBER.fullmatch(t)]
        bounds = [str(found.get("min", "")), str(found.get("max", ""))]
        low, high = map(float, bounds if all(map(_IS_NUMBER.fullmatch, bounds)) else ("0", "100"))
        if asked and self._chance.random() < 2 / 3:
            one = self._chance.choice(asked)
            number = one if self._chance.random() < 1 / 8 else one * self._chance.uniform(0.4, 1.9)
        else:
            number = low + (high - low) * self._chance.random() ** 3
        return round(number) if found["type"] == "INTEGER" else round(number, 3)

    def _day(self, found: Mapping[str, Any], own: Sequence[str]) -> date | datetime:
        texts = [
            t[:10] for t in (*own, *map(str, found.get("values", ()))) if re.match(r"\d{4}-\d\d-\d\d", t)
        ]
        texts += [str(found[k])[:10] for k in ("min", "max") if re.match(r"\d{4}-", str(found.get(k, "")))]
        one = date.fromisoformat(self._chance.choice(texts or ["2000-01-01"]))
        one += timedelta(days=self._chance.randint(-400, 400))
        return datetime(one.year, one.month, one.day, 12, tzinfo=UTC) if found["type"] == "DATE_TIME" else one


def loader(name: str) -> Callable[[Connection], None]:
    """Fills an empty store with made-up content of a database."""

    def load(connection: Connection) -> None:
        schema = schemas()[name]
        asked = wanted([q for p in pairs((name,)) for q in p.gold])
        filler, sizes = Filler(name, schema, asked), dict[str, int]()
        for label in schema["node_props"]:
            rows = [{"id": f"{label}/{i}", "p": p} for i, p in enumerate(filler.nodes(label))]
            sizes[label] = len(rows)
            create_nodes(connection, (label,), rows)
        kinds = {(r["start"], r["type"], r["end"]): r for r in schema["relationships"]}
        with joining(connection):
            for relation in kinds.values():
                edges = [
                    {"a": f"{relation['start']}/{e['a']}", "b": f"{relation['end']}/{e['b']}", "p": e["p"]}
                    for e in filler.edges(relation, sizes)
                ]
                create_edges(connection, relation["type"], edges)

    return load


def home(name: str) -> str:
    """The folder name of a filled graph."""
    return f"filled_{name}"


def report_on(record: Recorder, scored: Sequence[Scored], suffix: str) -> None:
    """Figures on the pairs whose two gold queries return the same rows."""
    agreed = [s for s in scored if s.agreed]
    note = f"n={len(agreed)}, two gold queries return the same rows of a made-up graph"
    record.add(f"exact{suffix}", 100 * fmean(s.right for s in agreed), "%", note=note)
    record.add(f"precision_at_60{suffix}", 100 * precision(agreed), "%", note=note)
    open_ = "right but for columns that only one of the two has"
    record.add(f"common_columns{suffix}", 100 * fmean(s.columns for s in agreed), "%", note=open_)
    surest = fmean(s.columns for s in most_confident(agreed))
    record.add(f"common_columns_at_60{suffix}", 100 * surest, "%", note=open_)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the questions with two gold queries, or those on one graph."""
    options = argparse.ArgumentParser()
    options.add_argument("--graph", choices=GRAPHS, help="this one alone")
    given = options.parse_args(arguments)
    graphs = (given.graph,) if given.graph else GRAPHS
    with benchmark("filled_graphs" + (f"_{given.graph}" if given.graph else "")) as record:
        scored: dict[str, list[Scored]] = {}
        for name in graphs:
            asked = [p for p in pairs((name,)) if len(p.gold) > 1]
            with graph(home(name), loader(name)) as connection:
                scored[name] = score(home(name), connection, asked, {})
            report_on(record, scored[name], f"_{name}")
        for suffix, part in (("_read", READ), ("_unread", frozenset(GRAPHS) - frozenset(READ))):
            chosen = [s for name in graphs if name in part for s in scored[name]]
            if chosen and not given.graph:
                report_on(record, chosen, suffix)
        report_refused(record, [code for name in graphs for s in scored[name] for code in s.refused])


if __name__ == "__main__":
    main(sys.argv[1:])
