"""The questions in the ledger: what was asked, how it ended, and whether a reviewer found it right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cypher.answers.corrected import Correction
from cypher.answers.features import LabelledAnswer
from cypher.answers.verdicts import ReviewedAnswer
from cypher.answers_joined import SHAPE as TWO
from kg.control_characters import plain
from kg.ledger import Ledger, utc_now
from kg.question_rows import OF_MARKS, READ, AskedQuestion, Verdict, asked, migrate, row_of
from kg.question_settings import QuestionSettings
from schemas.errors import UsageError
from schemas.ports import Example
from schemas.questions import Answer, Outcome, Parameter, Question

_LARGEST: Final = 2**63 - 1
"""Number of a row that SQLite can hold."""
LONGEST_NOTE: Final = 1_000


class QuestionLog:
    """Questions of one ledger; usable from several threads and processes.

    What reviewers say of answers from one ``store`` has no effect on those from another, or from the
    workspace's own graph.
    """

    def __init__(
        self,
        ledger: Ledger,
        settings: QuestionSettings | None = None,
        *,
        store: str = "",
        fingerprint: Callable[[], str] = str,
    ) -> None:
        """Questions that are added are those to ``store``, an address without user and password.

        ``fingerprint`` tells that of the schema by which they are read.
        """
        self._ledger, self._settings, self._store = ledger, settings or QuestionSettings(), store
        self._fingerprint = fingerprint
        migrate(ledger)

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

    def add(self, question: Question, answer: Answer) -> int:
        """Keep a question with its answer; the number by which it is found again, 0 if it is not kept."""
        if self._settings.record == "off":
            return 0
        row = row_of(question, answer, words=self._settings.record == "full") | {
            "store": self._store,
            "schema_fingerprint": self._fingerprint(),
        }
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
                **dict(zip(OF_MARKS, rest, strict=True)),
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
        rows = self._ledger.execute(f"SELECT {READ} FROM questions {rest}", values)  # noqa: S608
        return tuple(asked(row) for row in rows)
