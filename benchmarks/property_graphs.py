"""Loads the question sets' property graphs into a managed Neo4j of their own, one folder per graph."""

from __future__ import annotations

import csv
import gc
import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import DATA, ROOT
from kg.adapters.neo4j_connection import Connection, connect, in_batches
from kg.neo4j_server import ManagedNeo4j
from kg.settings import read_environment

HOMES: Final = ROOT / "build" / "graphs"
BATCH: Final = 5_000
Value = str | int | float | bool | date
Caster = Callable[[str], Value]


def _day(text: str) -> date:
    return datetime.strptime(text, "%d/%m/%Y").date()  # noqa: DTZ007


CASTS: Final[Mapping[str, Caster]] = {
    "long": int,
    "int": int,
    "double": float,
    "float": float,
    "boolean": lambda t: t.lower() == "true",
    "date": date.fromisoformat,
    "day": _day,
}
"""By the type that a column's header or a benchmark names; other columns are text."""


@contextmanager
def graph(name: str, load: Callable[[Connection], None]) -> Iterator[Connection]:
    """A server that holds the graph ``name``; ``load`` fills it the first time. It is stopped at the end."""
    home = HOMES / name
    server = ManagedNeo4j(home, cache=read_environment().cache)
    endpoint = server.start()
    try:
        with connect(endpoint.uri, endpoint.username, endpoint.password) as connection:
            if not (home / "loaded").exists():
                empty(connection)
                load(connection)
                (home / "loaded").write_text("yes\n", encoding="utf-8")
            yield connection
    finally:
        server.stop()
        gc.collect()


def empty(connection: Connection) -> None:
    """Deletes everything: a load that was broken off is not gone on with, but begun anew."""
    while True:
        _, done = connection.write("MATCH (n) WITH n LIMIT $most DETACH DELETE n", {"most": BATCH})
        if not done.nodes_deleted:
            return


def admin_csv(folder: Path, types: Mapping[str, str] | None = None) -> Callable[[Connection], None]:
    """A loader of neo4j-admin style CSV; ``types`` names casts by ``Label.column``, else the header does."""

    def load(connection: Connection) -> None:
        for file in sorted(folder.glob("*nodes.*.csv")):
            _load_nodes(connection, _rows(file), types or {})
        with joining(connection):
            for file in sorted(folder.glob("*relationships.*.csv")):
                _load_edges(connection, _rows(file))

    return load


def _rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))


def create_nodes(connection: Connection, labels: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Nodes of the same labels; a row holds an ``id`` to join them by and properties ``p``."""
    quoted = "".join(f":`{label}`" for label in labels)
    query = f"UNWIND $rows AS r CREATE (n:__Loading{quoted}) SET n = r.p, n.__id = r.id"
    for batch in in_batches(rows, BATCH):
        connection.write(query, {"rows": list(batch)})


def create_edges(connection: Connection, kind: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Relationships of one type; a row holds the ids ``a`` and ``b`` of its ends and properties ``p``."""
    query = (
        "UNWIND $rows AS r MATCH (a:__Loading {__id: r.a}), (b:__Loading {__id: r.b}) "
        f"CREATE (a)-[e:`{kind}`]->(b) SET e = r.p"
    )
    for batch in in_batches(rows, BATCH):
        connection.write(query, {"rows": list(batch)})


@contextmanager
def joining(connection: Connection) -> Iterator[None]:
    """Ids of nodes are indexed while relationships are made, and gone afterwards."""
    connection.change_schema("CREATE INDEX loading IF NOT EXISTS FOR (n:__Loading) ON (n.__id)")
    connection.write("CALL db.awaitIndexes(60)")
    yield
    connection.write("MATCH (n:__Loading) REMOVE n:__Loading, n.__id")
    connection.change_schema("DROP INDEX loading")


def _load_nodes(connection: Connection, rows: Sequence[dict[str, str]], types: Mapping[str, str]) -> None:
    by_labels: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        labels = row[":LABEL"]
        kept = {k: v for k, v in row.items() if k and not k.startswith(":") and v}
        by_labels[labels].append({"id": row[":ID"], "p": _typed(kept, labels.split(";")[0], types)})
    for labels, nodes in by_labels.items():
        create_nodes(connection, labels.split(";"), nodes)


def _load_edges(connection: Connection, rows: Sequence[dict[str, str]]) -> None:
    by_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        kept = {k: v for k, v in row.items() if k and not k.startswith(":") and v}
        ends = {"a": row[":START_ID"], "b": row[":END_ID"]}
        by_type[row[":TYPE"]].append({**ends, "p": _typed(kept, row[":TYPE"], {})})
    for kind, edges in by_type.items():
        create_edges(connection, kind, edges)


def _typed(row: Mapping[str, str], owner: str, types: Mapping[str, str]) -> dict[str, Value]:
    out: dict[str, Value] = {}
    for column, text in row.items():
        name, _, kind = column.partition(":")
        out[name] = CASTS.get(types.get(f"{owner}.{name}", kind), str)(text)
    return out


def load_movies(connection: Connection) -> None:
    """The movies graph, from its own script without constraints."""
    script = (DATA / "cypher_demo_graphs" / "movies" / "movies.cypher").read_text(encoding="utf-8")
    create = script[script.index("\nCREATE (") + 1 :]
    connection.write(create.rstrip().rstrip(";"))


def load_northwind(connection: Connection) -> None:
    """The northwind graph, by the mapping of the set's README."""
    folder = DATA / "cypher_demo_graphs" / "northwind"
    whole = {"unitsInStock": "int", "unitsOnOrder": "int", "reorderLevel": "int", "unitPrice": "float"}
    tables = {
        "Product": ("products", "productID"),
        "Category": ("categories", "categoryID"),
        "Supplier": ("suppliers", "supplierID"),
        "Customer": ("customers", "customerID"),
        "Order": ("orders", "orderID"),
    }
    rows = {label: _rows(folder / f"{file}.csv") for label, (file, _) in tables.items()}
    for label, (_, key) in tables.items():
        types = {f"Product.{k}": v for k, v in whole.items()} if label == "Product" else {}
        nodes = [
            {**r, ":ID": f"{label}/{r[key]}", ":LABEL": label, "discontinued": r.get("discontinued", "")}
            for r in rows[label]
        ]
        for node in nodes:
            if label == "Product":
                node["discontinued"] = str(node["discontinued"] != "0").lower()
        _load_nodes(connection, nodes, {**types, "Product.discontinued": "boolean"})
    with joining(connection):
        _load_edges(connection, list(_northwind_edges(folder, rows)))


def _northwind_edges(folder: Path, rows: Mapping[str, Sequence[dict[str, str]]]) -> Iterator[dict[str, str]]:
    def edge(kind: str, start: str, end: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {":START_ID": start, ":END_ID": end, ":TYPE": kind, **(extra or {})}

    for r in rows["Product"]:
        yield edge("PART_OF", f"Product/{r['productID']}", f"Category/{r['categoryID']}")
        yield edge("SUPPLIES", f"Supplier/{r['supplierID']}", f"Product/{r['productID']}")
    for r in rows["Order"]:
        yield edge("PURCHASED", f"Customer/{r['customerID']}", f"Order/{r['orderID']}")
    for r in _rows(folder / "order-details.csv"):
        extra = {("quantity:int" if k == "quantity" else k): v for k, v in r.items()}
        yield edge("ORDERS", f"Order/{r['orderID']}", f"Product/{r['productID']}", extra)


POLE: Final = DATA / "cypher_zograscope" / "pole_graph"
MIND: Final = DATA / "cypher_mind_the_query"
LOADERS: Final[Mapping[str, Callable[[Connection], None]]] = {
    "movies": load_movies,
    "northwind": load_northwind,
    "star_wars": admin_csv(MIND / "star_wars_graph"),
    "healthcare": admin_csv(MIND / "healthcare_graph"),
    "pole": admin_csv(POLE),
}
