"""Queries that reviewers gave for questions: the same question, or one of other names, is answered by them.

A correction fits a question of the same words in which another known name, or another number, stands where
the correction's query takes one of its parameters from. Nothing is guessed: other words, an unknown name or a
name of another kind leave the question to the parser. The query goes through the gate each time.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.answers.verdicts import CONFIRMED
from cypher.gate.bounds import Lifting
from cypher.generation.citing import Citing
from cypher.generation.from_rows import answer_of
from cypher.generation.ports import Findings, Gate, Limits, Run
from cypher.generation.reply import Written
from cypher.generation.votes import shown
from cypher.syntax.parse import parse
from cypher.syntax.write import write
from schemas.errors import QueryError, QueryRefusedError, QueryTimeoutError
from schemas.graph_schema import GraphSchema
from schemas.model import Frozen
from schemas.ports import StatementSource, ValueIndex
from schemas.questions import Answer, Parameter, Question

log = logging.getLogger(__name__)

SHAPE: Final = "corrected"
MOST_SLOTS: Final = 3
"""Places of a question that may be filled anew; with their length this bounds the time of a comparison."""
LONGEST_NAME: Final = 100
LONGEST_NUMBER: Final = 18
"""Characters; a whole number of so many fits into 64 bits."""
_NOTE: Final = "The query given for question {number} was left out: {why}."
_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?"


class Correction(Frozen):
    """A query that a reviewer gave for a question, its literals as parameters."""

    number: int
    """Of the question in the ledger."""
    question: str
    query: str
    parameters: dict[str, Parameter]
    by: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A correction for a question: its parameters, and which names took the place of which."""

    parameters: Mapping[str, Parameter]
    replaced: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The answer by a query that a reviewer gave, None without one, and what is to be told of others."""

    answer: Answer | None = None
    notes: tuple[str, ...] = ()


Known = Callable[[str, str], str]
"""The stored name of a phrase that may stand where a stored name stood; empty where there is not just one."""


def lifted(query: str) -> tuple[str, dict[str, Parameter]]:
    """A query with its literals as parameters; may raise ``QueryRefusedError``.

    >>> lifted("MATCH (p:Paper {name: 'A'}) RETURN p.year")[1]
    {'p0': 'A'}
    """
    lifting = Lifting({})
    return write(lifting.lifted(parse(query))), lifting.parameters


class Prepared:
    """A correction with the places of its question that may be filled anew."""

    def __init__(self, correction: Correction) -> None:
        self.correction = correction
        self._question = _plain(correction.question)
        self._slots = _slots(self._question, correction.parameters)
        self._expression = re.compile(_pattern(self._question, self._slots), re.IGNORECASE)

    def fitted(self, question: str, known: Known) -> Fitted | None:
        """What the correction's query takes for a question; None where it says nothing of it.

        >>> year = Correction(number=1, question="Papers of 2015?", query="...", parameters={"p0": 2015})
        >>> Prepared(year).fitted("papers of 2019", lambda phrase, name: "")
        Fitted(parameters={'p0': 2019}, replaced=(('2015', '2019'),))
        """
        found = self._expression.fullmatch(_plain(question))
        if found is None:
            return None
        parameters, replaced = dict(self.correction.parameters), []
        for name, (start, end) in self._slots.items():
            old, new = self._question[start:end], found[name]
            if old.casefold() == new.casefold():
                continue
            value = parameters[name]
            taken = known(new, value) if isinstance(value, str) else _number(new, value)
            if taken == "":
                return None
            parameters[name] = taken
            replaced.append((old, str(taken)))
        return Fitted(parameters, tuple(replaced))


def _plain(question: str) -> str:
    return " ".join(question.split()).rstrip("?!. ")


def _slots(question: str, parameters: Mapping[str, Parameter]) -> dict[str, tuple[int, int]]:
    """Where the question says each parameter, of those that it says just once and apart from the others."""
    found: dict[str, tuple[int, int]] = {}
    for name, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
            continue
        said = re.compile(rf"(?<!\w){re.escape(str(value))}(?!\w)", re.IGNORECASE)
        places = [m.span() for m in said.finditer(question)]
        if len(found) == MOST_SLOTS or len(places) != 1:
            continue
        [(start, end)] = places
        if not any(start < b and a < end for a, b in found.values()):
            found[name] = start, end
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _pattern(question: str, slots: Mapping[str, tuple[int, int]]) -> str:
    out, at = "", 0
    for name, (start, end) in slots.items():
        inside = _NUMBER if re.fullmatch(_NUMBER, question[start:end]) else f".{{1,{LONGEST_NAME}}}?"
        out += f"{re.escape(question[at:start])}(?P<{name}>{inside})"
        at = end
    return out + re.escape(question[at:])


def _number(text: str, like: Parameter) -> int | float | str:
    """A number of the kind of another; empty where it is none, or none that a graph can hold."""
    if len(text) > LONGEST_NUMBER:
        return ""
    if isinstance(like, int):
        return int(text) if re.fullmatch(r"[-+]?\d+", text) else ""
    return float(text) if re.fullmatch(_NUMBER, text) else ""


class CorrectedQuestions:
    """Answers questions by what reviewers said is the right query for them."""

    def __init__(
        self,
        gate: Gate,
        run: Run,
        statements: StatementSource,
        *,
        values: ValueIndex,
        schema: GraphSchema,
        corrections: Callable[[], Sequence[Correction]],
    ) -> None:
        self._gate, self._run = gate, run
        self._citing = Citing(gate, run, statements)
        self._values, self._types = values, tuple(e.name for e in schema.entities)
        self._corrections = corrections
        self._prepared: tuple[Sequence[Correction], tuple[Prepared, ...]] = ((), ())

    def answer(self, question: Question) -> Given:
        """The answer by the latest correction that fits and still runs; service errors are raised.

        One that runs out of time is the last that is tried.
        """
        given = Given()
        for one in self._all():
            found = one.fitted(question.text, self._known)
            if found is None:
                continue
            try:
                return replace(given, answer=self._answered(question, one.correction, found))
            except QueryError as e:
                number, why = one.correction.number, _why(e)
                log.warning("the query given for question %d was left out: %s", number, e)
                given = Given(notes=(*given.notes, _NOTE.format(number=number, why=why)))
                if isinstance(e, QueryTimeoutError):
                    break
        return given

    def _all(self) -> tuple[Prepared, ...]:
        """The corrections of now; prepared once for as long as they are the same."""
        given = self._corrections()
        known, prepared = self._prepared
        if given is not known:
            prepared = tuple(map(Prepared, given))
            self._prepared = given, prepared
        return prepared

    def _known(self, phrase: str, name: str) -> str:
        """What stands for a phrase where ``name`` stood: a name for a name, else the phrase itself."""
        exact = self._values.exact((phrase, name), self._types)
        stood = exact.get(name, ())
        kinds = {m.type for m in stood}
        found = [m for m in exact.get(phrase, ()) if m.type in kinds]
        if len({m.id for m in found}) != 1:
            return ""
        if any(m.name.casefold() == name.casefold() for m in stood):
            return found[0].name
        return phrase if found[0].via != "name" else ""

    def _answered(self, question: Question, correction: Correction, found: Fitted) -> Answer:
        limits = Limits(question.limit, question.timeout)
        query = self._gate.check(correction.query, found.parameters, scope=question.scope, limits=limits)
        if isinstance(query, Findings):
            raise QueryRefusedError("; ".join(f.message for f in query.items), findings=query.items)
        result = self._run(query)
        written = Written(True, correction.query, found.parameters)
        cited = self._citing.cited(question, written, result, shown(result)[1])
        answer = answer_of(question.text, query, result, cited)
        return answer.model_copy(
            update={
                "explanation": _told(correction, found),
                "shape": SHAPE,
                "confidence": CONFIRMED,
            }
        )


def _why(error: QueryError) -> str:
    match error:
        case QueryRefusedError():
            return f"it does not pass the gate any more ({error})"
        case QueryTimeoutError():
            return "it did not end in time"
        case _:
            return f"it could not be run ({error})"


def _told(correction: Correction, found: Fitted) -> str:
    by = correction.by or "a reviewer"
    day = f" on {correction.day}" if correction.day else ""
    places = ", ".join(f"'{new}' in place of '{old}'" for old, new in found.replaced)
    other = f", with {places}" if places else ""
    return f"The query that {by} gave{day} for question {correction.number}{other}."
