"""Cypher of the measuring sets, and what a real Neo4j says of each by EXPLAIN (asked once, then kept)."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import neo4j

from benchmarks.harness import DATA, OUT
from kg.neo4j_server import ManagedNeo4j
from kg.settings import read_environment

CACHE: Final = OUT / "gate-explain.jsonl"
FILES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "neo4jlabs": (
        ("cypher_neo4jlabs/opus.jsonl.gz", "cypher"),
        ("cypher_neo4jlabs/gpt4turbo.jsonl.gz", "cypher"),
    ),
    "mind_the_query": (
        ("cypher_mind_the_query/auto_validated.jsonl.gz", "cypher"),
        ("cypher_mind_the_query/manual_validated.jsonl", "cypher"),
    ),
    "zograscope": (
        ("cypher_zograscope/train.jsonl", "mr"),
        ("cypher_zograscope/test.jsonl", "mr"),
    ),
    "cypherbench": (
        ("cypher_cypherbench_text/train.jsonl", "cypher"),
        ("cypher_cypherbench_text/valid.jsonl", "cypher"),
        ("cypher_cypherbench_text/test.jsonl", "cypher"),
    ),
}
"""Files of each corpus, with the field that holds the query; no other field is read."""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON Lines file, compressed or not."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        for line in file:
            yield json.loads(line)


def queries(corpus: str) -> list[str]:
    """The queries of a corpus, repeats included."""
    return [row[field] for name, field in FILES[corpus] for row in rows(DATA / name)]


def key(query: str) -> str:
    """Name of a query in the cache."""
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:24]


@contextmanager
def server() -> Iterator[neo4j.Driver]:
    """A Neo4j of its own, empty, stopped at the end."""
    import os

    with TemporaryDirectory() as folder:
        managed = ManagedNeo4j(Path(folder), cache=read_environment(os.environ).cache)
        endpoint = managed.start()
        try:
            auth = (endpoint.username, endpoint.password)
            with neo4j.GraphDatabase.driver(
                endpoint.uri, auth=auth, notifications_min_severity="OFF"
            ) as driver:
                yield driver
        finally:
            managed.stop()


def explain(driver: neo4j.Driver, query: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """``type`` and ``operators`` of the plan, or the ``error`` of the server."""
    with driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
        try:
            summary = session.run("EXPLAIN " + query, dict(parameters or {})).consume()
        except neo4j.exceptions.Neo4jError as e:
            return {"error": f"{e.code}: {e.message}"[:600]}
    operators: set[str] = set()
    stack = [summary.plan or {}]
    while stack:
        step = stack.pop()
        operators.add(str(step.get("operatorType", "")).split("@")[0])
        stack.extend(step.get("children", ()))
    return {"type": summary.query_type, "operators": sorted(operators - {""})}


def verdicts(wanted: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What the server says of each query; asked once and kept in ``build/bench``."""
    known = {row.pop("key"): row for row in rows(CACHE)} if CACHE.is_file() else {}
    missing = sorted({q for q in wanted if key(q) not in known})
    if not missing:
        return known
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    with server() as driver, ThreadPoolExecutor(2) as pool, CACHE.open("a", encoding="utf-8") as file:
        for at, (query, found) in enumerate(
            zip(missing, pool.map(lambda q: explain(driver, q), missing), strict=True)
        ):
            known[key(query)] = found
            file.write(json.dumps({"key": key(query), **found}) + "\n")
            if at % 2_000 == 0:
                sys.stderr.write(f"explained {at} of {len(missing)}\n")
    return known
