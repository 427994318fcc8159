"""Whether a store schema is of the database that is asked: what it names and the database has not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kg.adapters.neo4j_connection import Connection
from schemas.errors import UsageError
from schemas.questions import Answer, Outcome
from schemas.store_schema import StoreSchema

_SHOWN: Final = 4
_WHAT_TO_DO: Final = (
    "so the schema is of another graph or of an earlier state; `kg schema infer` reads it anew"
)


def missing_names(connection: Connection, schema: StoreSchema, *, timeout: float) -> tuple[str, ...]:
    """Labels and relationship types of the schema of which the database holds nothing.

    ``UsageError`` where it holds nothing of the whole schema; may raise the errors of a database that cannot
    be read.
    """
    labels = {row["label"] for row in connection.read("CALL db.labels()", timeout=timeout)}
    types = {r["relationshipType"] for r in connection.read("CALL db.relationshipTypes()", timeout=timeout)}
    missing = [x.name for x in schema.labels if x.name not in labels]
    if schema.labels and len(missing) == len(schema.labels):
        raise UsageError(
            f"expected the schema of the database at {connection.uri}, found one whose labels it has not "
            f"({_listed(missing)}); `kg schema infer {connection.uri} --to FILE` writes its own"
        )
    return (*missing, *(x.type for x in schema.relations if x.type not in types))


def with_missing(answer: Answer, missing: Sequence[str]) -> Answer:
    """The answer with what is missing; none where its query asks of that, for nothing there is no result."""
    if not missing:
        return answer
    asked = [name for name in missing if re.search(rf"[:|&!]`?{re.escape(name)}(?!\w)", answer.cypher)]
    if asked and answer.outcome in (Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID):
        text = f"The question asks of {_listed(asked)}; the database has no such thing, {_WHAT_TO_DO}."
        kept = answer.model_dump(
            include={
                "question",
                "cypher",
                "parameters",
                "repairs",
                "explanation",
                "shape",
                "seconds",
                "model_use",
            }
        )
        return Answer(**kept, outcome=Outcome.UNANSWERABLE, text=text)
    note = f"The database has nothing of what the schema calls {_listed(missing)}, {_WHAT_TO_DO}."
    return answer.model_copy(update={"assumptions": (note, *answer.assumptions)})


def _listed(names: Iterable[str]) -> str:
    first, *others = [*names]
    shown = [first, *others[: _SHOWN - 1]]
    left = 1 + len(others) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")
