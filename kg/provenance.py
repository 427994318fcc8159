"""What the patterns of a query matched in the store, for those who check an answer or compare two queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from cypher.gate.similarity import Inputs
from cypher.guard import MAX_ROWS, check_plan, report_on
from schemas.errors import QueryRefusedError
from schemas.matched import Matched, Provenance
from schemas.ports import QueryRunner
from schemas.questions import Scope, Value
from schemas.store_schema import StoreSchema


def provenance_of(
    text: str,
    schema: StoreSchema,
    runner: QueryRunner,
    *,
    scope: Scope = Scope.ALL,
    timeout: float = 10.0,
    inputs: Inputs | None = None,
) -> Provenance:
    """The nodes and relationships that a query matches, each once, in the order of their first match.

    Two queries can be compared by them (PSJS: the Jaccard similarity of their sets of nodes). Patterns inside
    CALL { }, EXISTS { } and the like are conditions or values and are not counted. Raises
    ``QueryRefusedError`` and what the store raises.
    """
    asked = replace(inputs or Inputs({}), provenance=True, neighbours=0)
    report = report_on(text, schema, scope=scope, row_cap=MAX_ROWS, timeout=timeout, parameters=asked)
    if report.query is None:
        lines = [f"{f.message} [{f.code}]" for f in report.findings]
        raise QueryRefusedError("; ".join(lines), query=text, findings=report.findings)
    check_plan(runner.explain(report.query))
    found = runner.run(report.query)
    columns = dict(zip(found.columns, zip(*found.rows, strict=True), strict=False))
    return Provenance(
        nodes=_each_once(columns.get("nodes", ()), columns.get("node_ids", ())),
        edges=_each_once(columns.get("edges", ()), columns.get("edge_ids", ())),
        rows=len(found.rows),
        truncated=found.truncated,
    )


def _each_once(elements: Iterable[Value], ids: Iterable[Value]) -> tuple[Matched, ...]:
    matched: dict[str, Matched] = {}
    for row, stable in zip(elements, ids, strict=True):
        own = stable if isinstance(stable, tuple) else ()
        for element, name in zip_longest(row if isinstance(row, tuple) else (), own):
            matched.setdefault(
                str(element), Matched(element=str(element), id="" if name is None else str(name))
            )
    return tuple(matched.values())
