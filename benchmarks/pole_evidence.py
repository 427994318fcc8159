"""What own questions on the crime graph teach of its words; see ``cypher.semantics.evidence``.

All families of :mod:`benchmarks.pole_questions` are learned from, those parts too whose errors nobody read.
As a benchmark it scores families that were left out, with and without what the others teach.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from benchmarks.harness import benchmark
from benchmarks.pole_questions import FAMILIES, PARTS, Family, questions, score
from benchmarks.pole_words import spoken
from benchmarks.property_graphs import LOADERS, graph
from cypher.examples import named_in
from cypher.semantics.evidence import Evidence, learn, masked
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from kg.adapters.neo4j_introspection import infer_schema, read_values
from schemas.store_schema import StoreSchema

LEFT_OUT: Final[tuple[Family, ...]] = ("own", "long", "edges", "joint", "crowd")
"""Families whose ``held`` parts nobody read."""
OTHER_SHARES: Final[frozenset[Family]] = frozenset({"crowd"})
"""Families in which all relations are equally frequent and most questions are long: what is learned from
them expects that, and gets short questions on usual relations wrong."""


def learned(
    reader: SemanticReader,
    schema: StoreSchema,
    *,
    without: Collection[Family] = (),
    same: Mapping[str, str] = MappingProxyType({}),
) -> Evidence | None:
    """What the questions of the other families teach; types go by their name in ``same``, if any.

    Names are found as ``reader`` finds them.
    """
    families = [family for family in FAMILIES if family not in OTHER_SHARES.union(without)]
    found = learn([one for family in families for one in _asked(reader, schema, family, same)])
    return replace(found, same=same) if found else None


def _asked(
    reader: SemanticReader, schema: StoreSchema, family: Family, same: Mapping[str, str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for part in PARTS:
        for row in questions(family, part):
            yield masked(reader.link(row.question, given=row.given)), named_in(row.cypher_nodes, schema, same)


def main() -> None:
    """Score the held parts of the families whose errors nobody read."""
    with benchmark("pole_evidence") as record, graph("pole", LOADERS["pole"]) as connection:
        schema, way = infer_schema(connection), Way(one=True)
        values = ValueTable(read_values(connection, schema))
        plain = SemanticReader(schema, values, spoken(), way=way)
        evidence = learned(plain, schema, without=LEFT_OUT)
        taught = SemanticReader(schema, values, spoken(), way=way, evidence=evidence)
        for family in LEFT_OUT:
            rows = tuple(questions(family, "held"))
            for name, reader in (("plain", plain), ("taught", taught)):
                asked, right = score(connection, reader, rows, given=True)
                share, note = 100 * right.total() / asked.total(), f"n={asked.total()}, gold entities"
                record.add(f"{family}_held_{name}", share, "%", note=note)


if __name__ == "__main__":
    main()
