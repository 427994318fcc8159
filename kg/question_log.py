"""The questions in the ledger: what was asked, how it ended, and whether a reviewer found it right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from pydantic import Field

from cypher.answers.corrected import Correction
from cypher.answers.features import LabelledAnswer, features
from cypher.answers.verdicts import ReviewedAnswer, digest
from cypher.answers_joined import SHAPE as TWO
from kg.control_characters import plain
from kg.ledger import Ledger, utc_now
from kg.question_settings import QuestionSettings
from schemas.errors import UsageError
from schemas.findings import Repair
from schemas.model import Frozen
from schemas.ports import Example
from schemas.questions import Answer, ModelUse, Outcome, Parameter, Question, Scope, StageTime

_LARGEST: Final = 2**63 - 1
"""Number of a row that SQLite can hold."""
LONGEST_NOTE: Final = 1_000
_COLUMNS: Final = {
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
}
"""Columns that the table of questions got after its first version.

A correction is a mark, too. ``marked_since``: a mark was given after it; ``earlier_...``: the one before.
"""
_READ: Final = (
    "id, at_utc, question, resolved, conversation, scope, outcome, shape, explanation, query, parameters, "
    "repairs, confidence, rows, dropped, seconds, stages, model, verdict, note, marked_by, marked_utc, "
    "corrected, corrected_parameters, corrected_by, corrected_utc, store"
)

_OF_MARKS: Final = ("digest", "note", "by", "day", "explanation", "shape")
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


class QuestionLog:
    """Questions of one ledger; usable from several threads and processes.

    What reviewers say of answers from one ``store`` has no effect on those from another, or from the
    workspace's own graph.
    """

    def __init__(self, ledger: Ledger, settings: QuestionSettings | None = None, *, store: str = "") -> None:
        """Questions that are added are those to ``store``, an address without user and password."""
        self._ledger, self._settings, self._store = ledger, settings or QuestionSettings(), store
        self._migrate()

    @property
    def store(self) -> str:
        """Address of the store whose questions these are; empty for the workspace's own graph."""
        return self._store

    @property
    def version(self) -> tuple[int, float, str]:
        """Changes whenever a verdict is given or taken back."""
        [(count, total, latest)] = self._ledger.execute(
            "SELECT COUNT(*), TOTAL(id * id * (1 + revision)), COALESCE(MAX(marked_utc), '') "
            "FROM questions WHERE verdict <> ''"
        )
        return int(count), float(total), str(latest)

    def _migrate(self) -> None:
        """Bring the table of an older ledger to these columns; nothing is lost."""
        known = {row[0] for row in self._ledger.execute("SELECT name FROM pragma_table_info('questions')")}
        for name, kind in _COLUMNS.items():
            if name not in known:
                self._ledger.add_column("questions", name, kind)
        self._ledger.execute("CREATE INDEX IF NOT EXISTS asked_in ON questions (conversation, id)")
        self._ledger.execute("CREATE INDEX IF NOT EXISTS marked ON questions (id) WHERE verdict <> ''")
        old = "verdict <> '' AND corrected <> '' AND corrected_utc = ''"  # by whom only the mark tells
        if self._ledger.execute(f"SELECT 1 FROM questions WHERE {old} LIMIT 1"):  # noqa: S608
            self._ledger.renew(
                "UPDATE questions SET corrected_by=marked_by, corrected_utc=marked_utc, corrected_note=note "  # noqa: S608
                f"WHERE {old}"
            )

    def add(self, question: Question, answer: Answer) -> int:
        """Keep a question with its answer; the number by which it is found again, 0 if it is not kept."""
        if self._settings.record == "off":
            return 0
        row = _row(question, answer, words=self._settings.record == "full") | {"store": self._store}
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        statement = f"INSERT INTO questions ({names}) VALUES ({marks}) RETURNING id"  # noqa: S608
        [(number,)] = self._ledger.execute(statement, tuple(row.values()))
        self._prune(number)
        return int(number)

    def _prune(self, added: int) -> None:
        """Drop what is too many, the oldest without a mark first; never the one that was just added."""
        [(held,)] = self._ledger.execute("SELECT COUNT(*) FROM questions")
        if held <= self._settings.keep:
            return  # to sort them all takes milliseconds, which every question would wait for
        self._ledger.execute(
            "DELETE FROM questions WHERE id IN "
            "(SELECT id FROM questions ORDER BY id = ? DESC, verdict <> '' DESC, id DESC LIMIT -1 OFFSET ?)",
            (added, self._settings.keep),
        )

    def rows(self, *, outcome: Outcome | None = None, limit: int = 50) -> tuple[AskedQuestion, ...]:
        """The latest questions, newest first."""
        where, values = ("WHERE outcome = ?", (outcome.value,)) if outcome else ("", ())
        return self._select(f"{where} ORDER BY id DESC LIMIT ?", (*values, limit))

    def find(self, number: int) -> AskedQuestion | None:
        """The question of this number, if the ledger holds it."""
        if not 0 < number <= _LARGEST:
            return None
        return next(iter(self._select("WHERE id = ?", (number,))), None)

    def get(self, number: int) -> AskedQuestion:
        """One question; ``UsageError`` where the ledger has none of this number."""
        found = self.find(number)
        if found is None:
            raise UsageError(f"the ledger holds no question {number}; `kg questions` lists those it holds")
        return found

    def last(self, conversation: str) -> str:
        """The latest full question to this store in a conversation that was understood; empty without one."""
        rows = self._select(
            "WHERE conversation = ? AND store = ? AND outcome IN ('answered', 'empty_but_valid') "
            "ORDER BY id DESC LIMIT 1",
            (conversation, self._store),
        )
        return (rows[0].resolved or rows[0].question) if rows and conversation else ""

    def latest_conversation(self) -> str:
        """The conversation of the latest question to this store; empty without one."""
        rows = self._select("WHERE conversation <> '' AND store = ? ORDER BY id DESC LIMIT 1", (self._store,))
        return rows[0].conversation if rows else ""

    def mark(self, number: int, verdict: Verdict, *, note: str = "", by: str = "") -> AskedQuestion:
        """A reviewer's verdict on an answer; a later one takes its place.

        An answer that is right after all is not corrected, for as long as that mark stands.
        """
        found = self.get(number)
        if verdict is Verdict.RIGHT and found.outcome is Outcome.ANSWERED and not found.question:
            raise UsageError(f"question {number} was kept without its words, so it can be no example")
        self._ledger.execute(
            "UPDATE questions SET verdict=?, note=?, marked_by=?, marked_utc=?, revision=revision+1, "
            "marked_since=(corrected <> '') WHERE id=?",
            (verdict.value, plain(note, LONGEST_NOTE), plain(by, 200), utc_now(), number),
        )
        return self.get(number)

    def unmark(self, number: int) -> AskedQuestion:
        """Take back what was last said of an answer: a mark, or the query that was given for it.

        What was said before is in force again: a query before a mark, a mark before a query.
        """
        if self.get(number).verdict is None:
            raise UsageError(f"question {number} is not marked, so there is nothing to take back")
        after_query = self._ledger.execute(
            "UPDATE questions SET verdict='wrong', note=corrected_note, marked_by=corrected_by, "
            "marked_utc=corrected_utc, marked_since=0, revision=revision+1 "
            "WHERE id=? AND marked_since RETURNING id",
            (number,),
        )
        if not after_query:
            self._ledger.execute(
                "UPDATE questions SET verdict=earlier_verdict, note=earlier_note, marked_by=earlier_by, "
                "marked_utc=earlier_utc, corrected='', corrected_parameters='{}', corrected_by='', "
                "corrected_utc='', corrected_note='', earlier_verdict='', earlier_note='', earlier_by='', "
                "earlier_utc='', revision=revision+1 WHERE id=?",
                (number,),
            )
        return self.get(number)

    def correct(
        self, number: int, query: str, parameters: Mapping[str, Parameter], *, by: str = "", note: str = ""
    ) -> None:
        """Keep the right query for a question whose answer was wrong; a later one takes its place.

        The query was checked and run by the caller (:func:`kg.correcting.correct`).
        """
        self.correctable(number)
        earlier = (("verdict", "verdict"), ("note", "note"), ("by", "marked_by"), ("utc", "marked_utc"))
        kept = ", ".join(
            f"earlier_{n}=CASE WHEN corrected = '' OR marked_since THEN {now} ELSE earlier_{n} END"
            for n, now in earlier
        )
        self._ledger.execute(
            f"UPDATE questions SET {kept}, verdict='wrong', note=?1, marked_by=?2, marked_utc=?3, "  # noqa: S608
            "corrected=?4, corrected_parameters=?5, corrected_note=?1, corrected_by=?2, corrected_utc=?3, "
            "marked_since=0, revision=revision+1 WHERE id=?6",
            (plain(note, LONGEST_NOTE), plain(by, 200), utc_now(), query, json.dumps({**parameters}), number),
        )

    def correctable(self, number: int) -> AskedQuestion:
        """A question for which a query can be kept; ``UsageError`` for others."""
        found = self.get(number)
        if found.store:
            raise UsageError(
                f"question {number} was asked of {found.store}; what it should have found there cannot be "
                "corrected here: write its words for --store-words, or an example for --store-examples"
            )
        if not (found.resolved or found.question):
            raise UsageError(f"question {number} was kept without its words, so it cannot be corrected")
        return found

    def corrections(self) -> tuple[Correction, ...]:
        """Every query that was given for a question whose answer is held for wrong, the latest first."""
        rows = self._select(
            "WHERE corrected <> '' AND verdict = 'wrong' AND store = ? ORDER BY corrected_utc DESC, id DESC",
            (self._store,),
        )
        return tuple(
            Correction(
                number=row.number,
                question=row.resolved or row.question,
                query=row.corrected,
                parameters=row.corrected_parameters,
                by=row.corrected_by,
                day=row.corrected_utc[:10],
            )
            for row in rows
        )

    def examples(self) -> tuple[Example, ...]:
        """Questions with queries that reviewers gave or found right, newest first; one per question."""
        rows = self._select(
            "WHERE verdict = 'right' AND outcome = 'answered' AND store = ? ORDER BY id DESC", (self._store,)
        )
        found = {
            c.question: Example(question=c.question, query=c.query, parameters=c.parameters)
            for c in self.corrections()
        }
        for row in rows:
            text = row.resolved or row.question
            example = Example(
                question=text, query=row.query, parameters=row.parameters, explanation=row.explanation
            )
            if text and row.query and row.shape != TWO:  # two queries are no example of one
                found.setdefault(text, example)
        return tuple(found.values())

    def reviewed(self) -> tuple[ReviewedAnswer, ...]:
        """Every marked answer that came from a query, the latest mark first."""
        rows = self._ledger.execute(
            "SELECT id, question, resolved, query, parameters, verdict, digest, note, marked_by, "
            "SUBSTR(marked_utc, 1, 10), explanation, shape FROM questions "
            "WHERE verdict <> '' AND query <> '' AND store = ? "
            "AND outcome IN ('answered', 'empty_but_valid') ORDER BY marked_utc DESC, id DESC",
            (self._store,),
        )
        return tuple(
            ReviewedAnswer(
                number=number,
                question=resolved or question,
                query=query,
                parameters=json.loads(parameters),
                right=verdict == Verdict.RIGHT,
                **dict(zip(_OF_MARKS, rest, strict=True)),
            )
            for number, question, resolved, query, parameters, verdict, *rest in rows
        )

    def labels(self, *, of_all: bool = False) -> tuple[LabelledAnswer, ...]:
        """Every marked answer of this store, or ``of_all`` stores, with its features, oldest first."""
        rows = self._ledger.execute(
            "SELECT question, resolved, shape, outcome, verdict, store, features FROM questions "
            "WHERE verdict <> '' AND (store = ? OR ?) ORDER BY id",
            (self._store, of_all),
        )
        return tuple(
            LabelledAnswer(
                question=resolved or question,
                shape=shape,
                outcome=outcome,
                right=verdict == Verdict.RIGHT,
                features=json.loads(known),
                store=store,
            )
            for question, resolved, shape, outcome, verdict, store, known in rows
        )

    def _select(self, rest: str, values: Sequence[object]) -> tuple[AskedQuestion, ...]:
        rows = self._ledger.execute(f"SELECT {_READ} FROM questions {rest}", values)  # noqa: S608
        return tuple(_asked(row) for row in rows)


def _row(question: Question, answer: Answer, *, words: bool) -> dict[str, object]:
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
    }
    if answer.model_use is not None:
        use = answer.model_use if words else answer.model_use.model_copy(update={"note": ""})
        plain["model"] = use.model_dump_json()
    if not words:
        return plain
    return plain | {
        "question": answer.question,
        "resolved": answer.resolved,
        "conversation": answer.conversation,
        "explanation": answer.explanation,
        "query": answer.cypher,
        "parameters": json.dumps(answer.model_dump(mode="json")["parameters"]),
        "repairs": json.dumps([r.model_dump(mode="json") for r in answer.repairs]),
        "digest": digest(answer.rows),
    }


def _asked(row: tuple[Any, ...]) -> AskedQuestion:
    known = dict(zip(_READ.replace("id,", "number,", 1).split(", "), row, strict=True))
    known["parameters"] = json.loads(known["parameters"])
    known["corrected_parameters"] = json.loads(known["corrected_parameters"])
    known["repairs"] = json.loads(known["repairs"])
    known["stages"] = json.loads(known["stages"])
    known["model"] = json.loads(known["model"]) if known["model"] else None
    known["verdict"] = known["verdict"] or None
    return AskedQuestion.model_validate(known)
