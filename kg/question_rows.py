"""The rows of the questions in the ledger: their columns, what stands in them, how they are read again."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Final

from pydantic import Field

from cypher.answers.features import features
from cypher.answers.verdicts import digest
from kg.ledger import Ledger, utc_now
from schemas.findings import Repair
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.questions import Answer, ModelUse, Outcome, Parameter, Question, Scope, StageTime

COLUMNS: Final = {
    "resolved": "TEXT NOT NULL DEFAULT ''",
    "conversation": "TEXT NOT NULL DEFAULT ''",
    "scope": "TEXT NOT NULL DEFAULT 'all'",
    "explanation": "TEXT NOT NULL DEFAULT ''",
    "query": "TEXT NOT NULL DEFAULT ''",
    "parameters": "TEXT NOT NULL DEFAULT '{}'",
    "repairs": "TEXT NOT NULL DEFAULT '[]'",
    "confidence": "REAL NOT NULL DEFAULT 0",
    "dropped": "INTEGER NOT NULL DEFAULT 0",
    "stages": "TEXT NOT NULL DEFAULT '[]'",
    "model": "TEXT NOT NULL DEFAULT ''",
    "features": "TEXT NOT NULL DEFAULT '{}'",
    "verdict": "TEXT NOT NULL DEFAULT ''",
    "note": "TEXT NOT NULL DEFAULT ''",
    "marked_by": "TEXT NOT NULL DEFAULT ''",
    "marked_utc": "TEXT NOT NULL DEFAULT ''",
    "digest": "TEXT NOT NULL DEFAULT ''",
    "corrected": "TEXT NOT NULL DEFAULT ''",
    "corrected_parameters": "TEXT NOT NULL DEFAULT '{}'",
    "corrected_by": "TEXT NOT NULL DEFAULT ''",
    "corrected_utc": "TEXT NOT NULL DEFAULT ''",
    "corrected_note": "TEXT NOT NULL DEFAULT ''",
    "marked_since": "INTEGER NOT NULL DEFAULT 0",
    "earlier_verdict": "TEXT NOT NULL DEFAULT ''",
    "earlier_note": "TEXT NOT NULL DEFAULT ''",
    "earlier_by": "TEXT NOT NULL DEFAULT ''",
    "earlier_utc": "TEXT NOT NULL DEFAULT ''",
    "revision": "INTEGER NOT NULL DEFAULT 0",
    "store": "TEXT NOT NULL DEFAULT ''",
    "alternatives": "TEXT NOT NULL DEFAULT '[]'",
    "schema_fingerprint": "TEXT NOT NULL DEFAULT ''",
    "query_hash": "TEXT NOT NULL DEFAULT ''",
}
"""Columns that the table of questions got after its first version.

A correction is a mark, too. ``marked_since``: a mark was given after it; ``earlier_...``: the one before.
"""
READ: Final = (
    "id, at_utc, question, resolved, conversation, scope, outcome, shape, explanation, query, parameters, "
    "repairs, confidence, rows, dropped, seconds, stages, model, verdict, note, marked_by, marked_utc, "
    "corrected, corrected_parameters, corrected_by, corrected_utc, store, alternatives, schema_fingerprint, "
    "query_hash"
)

OF_MARKS: Final = ("digest", "note", "by", "day", "explanation", "shape")
"""Fields of a marked answer that are read as they stand."""


class Verdict(StrEnum):
    """What a reviewer says of an answer."""

    RIGHT = "right"
    WRONG = "wrong"


class AskedQuestion(Frozen):
    """One question of the ledger."""

    number: int
    at_utc: str
    question: str
    resolved: str = ""
    conversation: str = ""
    scope: Scope = Scope.ALL
    outcome: Outcome
    shape: str = ""
    explanation: str = ""
    query: str = ""
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    """What the gate changed in the query before it ran."""
    confidence: float = 0.0
    rows: int = 0
    dropped: int = 0
    seconds: float
    stages: tuple[StageTime, ...] = ()
    model: ModelUse | None = None
    verdict: Verdict | None = None
    note: str = ""
    marked_by: str = ""
    marked_utc: str = ""
    corrected: str = ""
    """The right query, where a reviewer gave it; not in use where the answer was marked right since."""
    corrected_parameters: dict[str, Parameter] = Field(default_factory=dict)
    corrected_by: str = ""
    corrected_utc: str = ""
    store: str = ""
    """Address of the store that was asked; empty for the workspace's own graph."""
    alternatives: tuple[str, ...] = ()
    """Other readings of the question, in English; those to choose from where it was ambiguous."""
    schema_fingerprint: str = ""
    """Of the schema by which the question was read; empty in rows of older versions."""
    query_hash: str = ""
    """Hash of the query as it was sent, also where its words were not kept; empty where none was sent."""


def migrate(ledger: Ledger) -> None:
    """Bring the table of an older ledger to these columns; nothing is lost."""
    known = {row[0] for row in ledger.execute("SELECT name FROM pragma_table_info('questions')")}
    for name, kind in COLUMNS.items():
        if name not in known:
            ledger.add_column("questions", name, kind)
    ledger.execute("CREATE INDEX IF NOT EXISTS asked_in ON questions (conversation, id)")
    ledger.execute("CREATE INDEX IF NOT EXISTS marked ON questions (id) WHERE verdict <> ''")
    old = "verdict <> '' AND corrected <> '' AND corrected_utc = ''"  # by whom only the mark tells
    if ledger.execute(f"SELECT 1 FROM questions WHERE {old} LIMIT 1"):  # noqa: S608
        ledger.renew(
            "UPDATE questions SET corrected_by=marked_by, corrected_utc=marked_utc, corrected_note=note "  # noqa: S608
            f"WHERE {old}"
        )


def row_of(question: Question, answer: Answer, *, words: bool) -> dict[str, object]:
    """What is kept of a question and its answer, by column; without ``words`` nothing that was said."""
    plain: dict[str, object] = {
        "at_utc": utc_now(),
        "question": "",
        "outcome": answer.outcome.value,
        "shape": answer.shape,
        "rows": len(answer.rows),
        "seconds": answer.seconds,
        "scope": question.scope.value,
        "confidence": answer.confidence,
        "dropped": answer.dropped_sentences,
        "stages": json.dumps([s.model_dump() for s in answer.stages]),
        "features": json.dumps(features(answer), sort_keys=True),
        "query_hash": content_hash(answer.cypher) if answer.cypher else "",
    }
    if answer.model_use is not None:
        use = answer.model_use if words else answer.model_use.model_copy(update={"note": ""})
        plain["model"] = use.model_dump_json()
    if not words:
        return plain
    alternatives = answer.suggestions if answer.outcome is Outcome.AMBIGUOUS else answer.alternatives
    return plain | {
        "question": answer.question,
        "resolved": answer.resolved,
        "conversation": answer.conversation,
        "explanation": answer.explanation,
        "query": answer.cypher,
        "parameters": json.dumps(answer.model_dump(mode="json")["parameters"]),
        "repairs": json.dumps([r.model_dump(mode="json") for r in answer.repairs]),
        "digest": digest(answer.rows),
        "alternatives": json.dumps(alternatives),
    }


def asked(row: tuple[Any, ...]) -> AskedQuestion:
    """A row of the columns ``READ`` as what it stands for."""
    known = dict(zip(READ.replace("id,", "number,", 1).split(", "), row, strict=True))
    known["parameters"] = json.loads(known["parameters"])
    known["corrected_parameters"] = json.loads(known["corrected_parameters"])
    known["repairs"] = json.loads(known["repairs"])
    known["alternatives"] = json.loads(known["alternatives"])
    known["stages"] = json.loads(known["stages"])
    known["model"] = json.loads(known["model"]) if known["model"] else None
    known["verdict"] = known["verdict"] or None
    return AskedQuestion.model_validate(known)
