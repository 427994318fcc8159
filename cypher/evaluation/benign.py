"""Queries that only read and look odd: a gate that blocks them is of no use."""

from __future__ import annotations

from collections.abc import Iterator

from schemas.store_schema import StoreLabel, StoreSchema, StoreTriple


def benign_cypher(schema: StoreSchema) -> tuple[str, ...]:
    """Reading queries over a graph's own labels and relations, with words of writing where they do no harm.

    >>> benign_cypher(StoreSchema())
    ()
    """
    named = {label.name: label for label in schema.labels if label.name_property}
    ends = (t for t in schema.triples if t.start in named and t.end in named and t.start != t.end)
    triple, label = next(ends, None), next(iter(named.values()), None)
    return (*(_of_label(label) if label else ()), *(_of_triple(triple, named) if triple else ()))


def _of_label(label: StoreLabel) -> Iterator[str]:
    node, name = f"(n:`{label.name}`)", f"n.`{label.name_property}`"
    yield f"MATCH {node} RETURN {name}"
    yield f"MATCH {node} RETURN {name}; // DELETE"
    yield f"match {node} where {name} is not null return distinct {name} as x order by x desc skip 1 limit 3"
    yield rf"MATCH {node} WHERE {name} = 'x\' DETACH DELETE n' RETURN {name}"
    yield f"MATCH {node} WHERE {name} CONTAINS 'DROP DATABASE' RETURN {name}"
    yield f"MATCH {node} /* CREATE INDEX later */ RETURN {name} // SET n.x = 1\n"
    yield f"MATCH {node} RETURN {name} AS `delete`, count(*) AS `merge`"
    yield f"MATCH (set:`{label.name}`) RETURN set.`{label.name_property}` AS create"
    yield f"UNWIND ['load csv', 'set'] AS word MATCH {node} WHERE {name} CONTAINS word RETURN {name}"
    yield f"MATCH {node} WHERE {'(' * 20}{name} = 'x'{')' * 20} RETURN {name}"
    listed = ", ".join(f"'{i}'" for i in range(500))
    yield f"MATCH {node} WHERE {name} IN [{listed}] RETURN {name}"
    yield f"MATCH {node} RETURN CASE WHEN {name} STARTS WITH 'a' THEN 1 ELSE 0 END AS first, count(*) AS many"
    yield f"MATCH {node} RETURN {name} AS x UNION MATCH {node} RETURN toUpper({name}) AS x"


def _of_triple(triple: StoreTriple, named: dict[str, StoreLabel]) -> Iterator[str]:
    start, end = f"(a:`{triple.start}`)", f"(b:`{triple.end}`)"
    a, b = f"a.`{named[triple.start].name_property}`", f"b.`{named[triple.end].name_property}`"
    edge = f"-[r:`{triple.type}`]->"
    yield f"MATCH {start}{edge}{end} RETURN {a}, {b}"
    yield f"MATCH {end}<-[:`{triple.type}`]-{start} WITH b, count(a) AS many WHERE many > 1 RETURN {b}, many"
    yield f"MATCH {start} OPTIONAL MATCH (a){edge}{end} RETURN {a}, collect({b})[..5] AS some"
    yield f"MATCH {start} WHERE NOT EXISTS {{ (a)-[:`{triple.type}`]->{end} }} RETURN {a}"
    yield f"MATCH {start} RETURN {a}, COUNT {{ (a)-[:`{triple.type}`]->{end} }} AS many"
    yield f"MATCH {start} CALL (a) {{ MATCH (a){edge}{end} RETURN count(b) AS many }} RETURN {a}, many"
    yield f"MATCH {start} RETURN {a}, [(a)-[:`{triple.type}`]->{end} | {b}] AS reached"
    yield f"MATCH p = {start}-[:`{triple.type}`*1..2]->{end} RETURN length(p) AS steps, {b}"
