"""Questions to any Neo4j database, of which a store schema was inferred."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml
from pydantic import ValidationError

from cypher.answers.reading import Reading
from cypher.evaluation.queries import names_in
from cypher.examples import UNKNOWN, Example, Known
from cypher.generation.ports import Hints
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.softened import Thesaurus
from cypher.store_close import general
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.stopping import within
from kg.store_address import USUAL, address
from kg.store_fit import missing_names, with_missing
from kg.store_ties import store_ties
from kg.store_values import StoreValues, store_values
from kg.thesaurus_files import open_thesaurus
from schemas.errors import QueryRefusedError, QueryTimeoutError, UsageError
from schemas.questions import Answer, CheckedQuery, Outcome, Question, Subgraph
from schemas.store_schema import StoreSchema
from schemas.store_ties import StoreTies

READING: Final = 0.75
"""Share of a question's time that reading the names of the database may take."""
READ_SECONDS: Final = 10.0
"""For the names of the database, where a follow-up is read before any question was asked."""
_SHOWN: Final = 4


def read_store_schema(file: Path) -> StoreSchema:
    """A store schema in YAML or JSON, as ``kg schema infer`` writes it. May raise ``UsageError``."""
    try:
        return StoreSchema.model_validate(yaml.safe_load(file.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as e:
        raise UsageError(
            f"expected a store schema as `kg schema infer --to {file}` writes it, "
            f"found {type(e).__name__}: {e}"
        ) from e


def read_words(file: Path, schema: StoreSchema) -> Verbalisation:
    """Words for the terms of a schema in YAML or JSON. May raise ``UsageError``, also for unknown terms."""
    try:
        found = yaml.safe_load(file.read_text("utf-8")) or {}
        if odd := _no_texts(found):
            raise UsageError(
                f"expected words for texts under values, found {odd} in {file}; put quotes around texts that "
                "look like numbers, and words for what is true of things under properties"
            )
        words = Verbalisation.model_validate(found)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as e:
        raise UsageError(
            "expected words as docs/how-to/ask-and-follow-up.md shows them (labels, properties, relations, "
            f"values), found {type(e).__name__}: {e}"
        ) from e
    labels, types = {x.name for x in schema.labels}, {x.type for x in schema.relations}
    owned = {f"{x.name}.{p.name}" for x in schema.labels for p in x.properties}
    owned |= {f"{x.type}.{p.name}" for x in schema.relations for p in x.properties}
    properties = owned | {name.partition(".")[2] for name in owned}
    unknown = [*(words.labels.keys() - labels), *(words.relations.keys() - types)]
    unknown += [*(words.properties.keys() - properties), *(words.values.keys() - owned)]
    if unknown:
        raise UsageError(
            f"expected words for terms of the schema, found {', '.join(sorted(unknown))} in {file}; "
            "labels, relationship types and properties are spelled as in the schema"
        )
    return words


def read_examples(file: Path) -> tuple[Example, ...]:
    """Questions with their queries, JSON Lines. May raise ``UsageError``, also for what is no read query."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"expected a file of examples, found {type(e).__name__}: {e}") from e
    out: list[Example] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            out.append(Example.model_validate_json(line))
            names_in(out[-1].cypher)
        except (ValidationError, QueryRefusedError) as e:
            raise UsageError(
                'expected {"question": "...", "cypher": "MATCH ..."} with a read query on each line, '
                f"found in line {number} of {file}: {e}"
            ) from e
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Store:
    """A Neo4j database with what is known of it."""

    uri: str
    user: str
    password: str = field(repr=False)
    schema: StoreSchema
    known: Known = UNKNOWN
    """How people ask of it."""
    database: str = USUAL

    @property
    def address(self) -> str:
        """Its address without user and password, with the database where that is not the usual one."""
        return address(self.uri, self.database)


def _no_texts(found: object) -> str:
    """The first value of ``values`` that is no text, ``true`` for example."""
    told = found.get("values") if isinstance(found, dict) else None
    groups = told.items() if isinstance(told, dict) else ()
    odd = (
        f"{name}: {v}" for name, one in groups if isinstance(one, dict) for v in one if not isinstance(v, str)
    )
    return next(odd, "")


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a graph in one state."""

    values: StoreValues
    state: str
    ties: StoreTies | None = None
    same: bool = False
    """Whether it is as in the question before."""


class StoreQuestions:
    """Questions to one store that is connected, and what they mean."""

    def __init__(self, connection: Connection, store: Store, kept: Path, thesaurus: Thesaurus | None) -> None:
        """What is read of the store's names is kept in the folder ``kept`` until the database changes."""
        self._connection, self._store, self._kept, self._thesaurus = connection, store, kept, thesaurus
        self._opened: tuple[StoreValues, StoreQuestionService] | None = None
        self._noted: tuple[tuple[str, ...], tuple[str, ...], float] = ((), (), 0.0)
        self._state = ""

    def ask(self, question: Question) -> Answer:
        """The answer within the question's time limit.

        What there was no time to read is said in it, and so is what the schema names and the database has
        not. May raise ``UsageError`` for the schema of another database, and errors of the store.
        """
        began = time.monotonic()
        with within(question.timeout):
            missing = missing_names(self._connection, self._store.schema, timeout=question.timeout)
            read = self._read(READING * question.timeout - (time.monotonic() - began))
        left = question.timeout - (time.monotonic() - began)
        if left <= 0:
            raise QueryTimeoutError("the time of the question passed before the graph could be asked")
        found, service = self._serving(read)
        with within(left):
            answer = service.ask(question.model_copy(update={"timeout": left}))
        self._noted = missing, tuple(found.unread), question.timeout
        return self.noted(answer)

    def noted(self, answer: Answer) -> Answer:
        """An answer with what was missing and not read when a question was last asked; told once."""
        missing, unread, seconds = self._noted
        noted = with_missing(_with_unread(answer, unread, seconds), missing)
        told = tuple(dict.fromkeys(noted.assumptions))
        return noted if told == noted.assumptions else noted.model_copy(update={"assumptions": told})

    def read(self, text: str) -> Reading:
        """What a question means; the names are those that were read last."""
        return self._service(READ_SECONDS).read(text)

    def hints(self, question: Question) -> Hints:
        """What is known of a question without answering it. May raise query errors."""
        service = self._service(question.timeout)
        with within(question.timeout):
            return service.hints(question)

    def run(self, query: CheckedQuery) -> Subgraph:
        """Run a checked query of somebody else's. May raise query errors."""
        service = self._service(READ_SECONDS)
        with within(query.timeout):
            return service.run(query)

    def examples(self) -> tuple[str, ...]:
        """How many there are of each kind and which, the largest kinds first."""
        return general(self._store.schema)

    def _service(self, seconds: float) -> StoreQuestionService:
        """The service of the question before; without one, over what can be read in so many seconds."""
        if self._opened is None:
            with within(seconds):
                read = self._read(READING * seconds)
            return self._serving(read)[1]
        return self._opened[1]

    def _read(self, seconds: float) -> _Read:
        """What can be read of the graph as it is now; its relationships only where it has changed."""
        until = time.monotonic() + seconds
        schema = self._store.schema
        found = store_values(self._connection, schema, self._kept, seconds=seconds)
        state = self._connection.state()
        if self._opened is not None and self._opened[0] == found and state and state == self._state:
            return _Read(found, state, same=True)
        left = until - time.monotonic()
        return _Read(found, state, store_ties(self._connection, schema, self._kept, seconds=left))

    def _serving(self, read: _Read) -> tuple[StoreValues, StoreQuestionService]:
        """The service over what was read; where nothing was written since, that of the question before.

        It holds relationships in memory, too, so that equal names are not enough.
        """
        if self._opened is not None and read.same:
            return self._opened
        service = StoreQuestionService(
            self._store.schema,
            read.values.values,
            Neo4jRunner(self._connection),
            known=self._store.known,
            looks=Looks(ties=read.ties),
            thesaurus=self._thesaurus,
        )
        self._opened, self._state = (read.values, service), read.state
        return self._opened


@contextmanager
def open_store(store: Store, *, cache: Path) -> Iterator[StoreQuestions]:
    """A store that is asked; words that only the thesaurus in ``cache`` knows are told in the answers.

    Raises the errors of a store that cannot be reached.
    """
    with (
        connect(store.uri, store.user, store.password, database=store.database) as connection,
        open_thesaurus(cache) as thesaurus,
    ):
        yield StoreQuestions(connection, store, cache / "stores", thesaurus)


def ask_store(question: Question, store: Store, *, cache: Path) -> Answer:
    """The answer of a store to one question; see :class:`StoreQuestions`."""
    with open_store(store, cache=cache) as questions:
        return questions.ask(question)


def _with_unread(answer: Answer, unread: Sequence[str], seconds: float) -> Answer:
    """The answer with what was not read: a name in there is not known."""
    if not unread:
        return answer
    names = ", ".join(unread[:_SHOWN]) + (f" and {len(unread) - _SHOWN} more" if len(unread) > _SHOWN else "")
    note = (
        f"Within {seconds:g} s the values of {names} could not be read, so what is named there is not known. "
        "What was read is kept: ask again, or allow more time."
    )
    update: dict[str, object] = {"assumptions": (*answer.assumptions, note)}
    if answer.outcome not in (Outcome.ANSWERED, Outcome.REFUSED):
        update["text"] = f"{answer.text} {note}"
    return answer.model_copy(update=update)
