"""CypherBench (ACL 2025, arXiv 2412.18702) without its graphs: whether a reading has the gold's structure.

The graphs are too large to load, so a reading is right when its pattern, conditions and what it returns are
those of the gold query; the values known to the reader are the names in the gold queries of a graph, so
linking is easier than over the whole graph. Golds of other shapes than the plain ones (union, optional count,
comparison of two named things) are left out and counted. Train questions are read when the reader is changed;
of the others only totals are printed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from benchmarks.harness import DATA, benchmark
from cypher.semantics.alike import form
from cypher.semantics.doubts import Doubts
from cypher.semantics.ir import (
    Edge,
    Filter,
    Head,
    Literal,
    Measure,
    Node,
    Operator,
    Order,
    PropertyRef,
    Query,
)
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

SET: Final = DATA / "cypher_cypherbench_text"
PARTS: Final = ("train", "valid", "test")
SEED: Final = 3
COVERAGE: Final = 0.6
_TYPES: Final = {
    "str": PropertyType.STRING, "int": PropertyType.INTEGER, "float": PropertyType.FLOAT,
    "date": PropertyType.DATE, "bool": PropertyType.BOOLEAN,
}  # fmt: skip
_TEXT: Final = r"'(?:\\.|[^'\\])*'|\"[^\"]*\""
_NODE: Final = re.compile(rf"\((\w+):(\w+)(?: \{{name: ({_TEXT})\}})?\)")
_EDGE: Final = re.compile(r"(<?)-\[\w+:(\w+)\]-(>?)")
_OTHER: Final = ("CALL", "OPTIONAL", "UNWIND", "r0.", "r1.", "COLLECT", "duration", " AS answer", "num")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the structure of its gold query."""

    graph: str
    question: str
    gold: Query


def rows(part: str) -> Iterator[Mapping[str, str]]:
    """The rows of a part."""
    for line in (SET / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def schema(graph: str) -> StoreSchema:
    """The schema of one graph."""
    found = json.loads((SET / "schemas.json").read_text(encoding="utf-8"))[graph]
    name = StoreProperty(name="name", type=PropertyType.STRING)
    labels = tuple(
        StoreLabel(name=e["label"], properties=(name, *_properties(e["properties"])), name_property="name")
        for e in found["entities"]
    )
    types: dict[str, dict[str, str]] = {}
    for relation in found["relations"]:
        types.setdefault(relation["label"], {}).update(relation["properties"])
    triples = tuple(
        StoreTriple(start=r["subj_label"], type=r["label"], end=r["obj_label"], count=1)
        for r in found["relations"]
    )
    relations = tuple(StoreRelation(type=t, properties=_properties(p)) for t, p in types.items())
    return StoreSchema(labels=labels, relations=relations, triples=triples)


def _properties(found: Mapping[str, str]) -> tuple[StoreProperty, ...]:
    out = []
    for name, kind in found.items():
        base = kind.removeprefix("list[").rstrip("]")
        kept = _TYPES.get(base, PropertyType.ANY)
        out.append(StoreProperty(name=name, type=kept, many=kind.startswith("list")))
    return tuple(out)


def values(graph: str) -> list[StoredValue]:
    """The names, and the compared texts, in the gold queries of a graph."""
    seen: set[tuple[str, str, str]] = set()
    for row in (r for part in PARTS for r in rows(part) if r["graph"] == graph):
        first = _NODE.search(row["cypher"])
        seen |= {(m[2], "name", _plain(m[3])) for m in _NODE.finditer(row["cypher"]) if m[3]}
        for m in re.finditer(rf"n\.(\w+) = ({_TEXT})", row["cypher"]) if first else ():
            seen.add((first[2] if first else "", m[1], _plain(m[2])))
    return [StoredValue(*value) for value in sorted(seen)]


def _plain(text: str) -> str:
    return text[1:-1].replace("\\'", "'")


def structure(cypher: str) -> Query | None:
    """The typed form of a plain gold query, or ``None`` for another shape."""
    found = re.match(r"MATCH (.*?) WITH DISTINCT n(?: WHERE (.*?))? RETURN (.*)$", cypher)
    if found is None or any(w in cypher for w in _OTHER):
        return None
    base = _pattern(found[1])
    if base is None:
        return None
    if found[2]:
        condition = _condition(found[2], base.answer)
        if condition is None:
            return None
        base = replace(base, filters=(*base.filters, condition))
    return _returned(base, found[3])


def _pattern(text: str) -> Query | None:
    nodes: list[Node] = []
    numbers: dict[str, int] = {}
    edges: list[Edge] = []
    filters: list[Filter] = []
    before, relation = -1, None
    for found in re.finditer(f"{_NODE.pattern}|{_EDGE.pattern}", text):
        node = _NODE.fullmatch(found[0])
        if node is None:
            relation = _EDGE.fullmatch(found[0])
            continue
        if node[1] not in numbers:
            numbers[node[1]] = len(nodes)
            nodes.append(Node(node[2]))
            if node[3]:
                filters.append(Filter(PropertyRef(len(nodes) - 1, "name"), Operator.EQ, _plain(node[3])))
        here = numbers[node[1]]
        if relation is not None:
            start, end = (before, here) if relation[3] else (here, before)
            edges.append(Edge(start, end, (relation[2],)))
            relation = None
        before = here
    if "n" not in numbers:
        return None
    return Query(tuple(nodes), tuple(edges), tuple(filters), answer=numbers["n"])


def _condition(text: str, node: int) -> Filter | None:
    found = re.fullmatch(r"n\.(\w+) (=|<>|<=|>=|<|>) (.+)", text)
    if found is None:
        return None
    day = re.fullmatch(r"date\('(.*)'\)", found[3])
    value: Literal
    if day:
        value = day[1]
    elif found[3][0] in "'\"":
        value = _plain(found[3])
    elif found[3] in ("True", "False"):
        value = found[3] == "True"
    else:
        value = float(found[3])
    return Filter(PropertyRef(node, found[1]), Operator(found[2]), _whole(value))


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value == int(value) else value


def _returned(base: Query, text: str) -> Query | None:
    node, order = base.answer, None
    sorted_by = re.fullmatch(r"(.*?) ORDER BY n\.(\w+) (ASC|DESC)( LIMIT 1)?", text)
    if sorted_by:
        text = sorted_by[1]
        ref = PropertyRef(node, sorted_by[2])
        order = Order(ref=ref, descending=sorted_by[3] == "DESC", extreme=bool(sorted_by[4]))
    if re.fullmatch(r"count\((DISTINCT )?n\)", text):
        return replace(base, head=Head.COUNT, measure=Measure.COUNT)
    measured = re.fullmatch(r"(count|min|max|avg|sum)\((?:DISTINCT )?n\.(\w+)\)", text)
    if measured:
        head = Head.COUNT if measured[1] == "count" else Head.AGGREGATE
        return replace(base, head=head, measure=Measure(measured[1]), measured=PropertyRef(node, measured[2]))
    names = re.findall(r"n\.(\w+)", text)
    if not names or re.sub(r"(DISTINCT )?n\.\w+(, )?", "", text):
        return None
    return replace(base, project=tuple(PropertyRef(node, n) for n in names), order=order)


def comparable(query: Query) -> tuple[object, ...]:
    """The form of a reading without what the gold's structure cannot show."""
    listed = query.head is Head.LIST
    project = tuple(PropertyRef(r.owner, r.name) for r in query.project)
    if listed and not project:
        project = (PropertyRef(query.answer, "name"),)
    order = query.order
    if order and order.ref:
        order = replace(order, ref=PropertyRef(order.ref.owner, order.ref.name))
    measured = query.measured and PropertyRef(query.measured.owner, query.measured.name)
    filters = tuple(
        Filter(PropertyRef(f.ref.owner, f.ref.name), f.operator, _whole(f.value), f.other)
        for f in query.filters
    )
    kept = replace(
        query,
        project=project if listed else (),
        order=order,
        filters=filters,
        measured=measured if measured and measured.name else None,
        measure=None if listed else query.measure,
        limit=None if order and order.extreme else query.limit,
        show_order=False,
    )
    return form(kept)


def asked(part: str, *, most: int) -> list[Asked]:
    """A seeded sample of the questions of a part whose gold has a plain shape."""
    found = list(rows(part))
    random.Random(SEED).shuffle(found)
    out: list[Asked] = []
    for row in found:
        if len(out) == most:
            break
        gold = structure(row["cypher"])
        if gold is not None:
            out.append(Asked(row["graph"], row["question"], gold))
    return out


def score(part: str, *, most: int) -> Iterator[tuple[Doubts, float, bool, float]]:
    """Doubts, confidence, whether the structure is right, and milliseconds, of each question."""
    readers: dict[str, SemanticReader] = {}
    for one in asked(part, most=most):
        if one.graph not in readers:
            readers[one.graph] = SemanticReader(schema(one.graph), ValueTable(values(one.graph)))
        began = time.perf_counter()
        reading = readers[one.graph].read(one.question)
        spent = 1000 * (time.perf_counter() - began)
        right = reading.query is not None and comparable(reading.query) == comparable(one.gold)
        yield reading.doubts, reading.confidence, right, spent


def main(arguments: Sequence[str] | None = None) -> None:
    """Structure match of a sample of each part."""
    options = argparse.ArgumentParser()
    options.add_argument("--parts", nargs="*", default=["train", "valid"], choices=PARTS)
    options.add_argument("--most", type=int, default=400)
    chosen = options.parse_args(arguments)
    with benchmark("cypherbench") as record:
        for part in chosen.parts:
            found = list(score(part, most=chosen.most))
            right = [r for _, _, r, _ in found]
            record.add(
                f"{part}_structure", 100 * statistics.fmean(right), "%", note=f"n={len(found)}, plain shapes"
            )
            best = sorted(found, key=lambda f: -f[1])[: round(COVERAGE * len(found))]
            record.add(f"{part}_precision_at_60", 100 * statistics.fmean(f[2] for f in best), "%")
            record.add(f"{part}_p50_ms", statistics.median(f[3] for f in found), "ms")
        record.notes.append(
            "structure, not execution; names known from the gold queries (optimistic linking)"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
