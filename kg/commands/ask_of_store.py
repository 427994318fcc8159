"""``kg ask --store``: questions to another Neo4j, kept in the ledger of a workspace where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cypher.answers.asker import Asker
from cypher.examples import Known
from kg.ask_store import Store, address, open_store, read_examples, read_store_schema, read_words
from kg.asking import Asking, Conversations, NoLog, new_conversation
from kg.commands.ask_session import Session
from kg.commands.common import print_json, say
from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.settings import Environment, read_environment, store_password
from kg.train_questions import open_encoder
from kg.workspace import Workspace, is_workspace
from schemas.errors import UsageError
from schemas.questions import Answer, Question

NOT_KEPT = "This question is kept nowhere: no workspace was named (-w), and this folder is none."


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """The options that say which store is asked, and what is known of it."""

    store: str
    schema: Path | None
    words: Path | None = None
    examples: Path | None = None
    encoder: Path | None = None
    user: str = "neo4j"


@dataclass(frozen=True, slots=True)
class Manner:
    """How questions are asked and answers are shown."""

    follow: bool = False
    interactive: bool = False
    as_json: bool = False
    cypher: bool = False


def ask_of_store(
    question: str, limits: Question, options: StoreOptions, how: Manner, *, workspace: Path | None
) -> Answer | None:
    """The answer, shown; None after a conversation. May raise ``UsageError``, and errors of the store."""
    environment = read_environment()
    store = _store(options, environment)
    named = workspace or (Path(environment.workspace) if environment.workspace else None)
    with _log(named, address(store.uri)) as log, open_store(store, cache=environment.cache) as questions:
        before = log.latest_conversation() if how.follow and isinstance(log, QuestionLog) else ""
        if how.follow and not before:
            raise UsageError(_no_question_before(log, store))
        asking = Asking(Asker(questions), log, Conversations())
        plain = limits.model_copy(update={"use_llm": False})
        session = Session(asking, before or new_conversation(), plain, cypher=how.cypher)
        if how.interactive:
            session.talk(question)
            return None
        answer = session.answer(question, quiet=how.as_json)
    if how.as_json:
        print_json(answer)
    return answer


def _no_question_before(log: QuestionLog | NoLog, store: Store) -> str:
    if isinstance(log, NoLog):
        return "expected a workspace (-w) with --follow, found none: outside of one no question is kept"
    asked = f"expected a question to {address(store.uri)} before this one in the ledger"
    return f"{asked}, found none; leave out --follow"


def _store(options: StoreOptions, environment: Environment) -> Store:
    if options.encoder and not options.examples:
        raise UsageError("expected --store-examples with --store-encoder, found the latter alone")
    if not (options.store and options.schema):
        raise UsageError("expected --store and --store-schema together, found one of them")
    schema = read_store_schema(options.schema)
    words = read_words(options.words, schema) if options.words else None
    examples = read_examples(options.examples) if options.examples else ()
    encoder = open_encoder(options.encoder, schema, cache=environment.cache) if options.encoder else None
    password = store_password(environment)
    return Store(options.store, options.user, password, schema, Known(words, examples, encoder))


@contextmanager
def _log(named: Path | None, store: str) -> Iterator[QuestionLog | NoLog]:
    """The ledger of the named workspace, else of this folder; where neither is one, that is said."""
    if named is None and not is_workspace(Path()):
        say(NOT_KEPT)
        yield NoLog()
        return
    workspace = Workspace(named or Path())
    with Ledger(workspace.ledger_path) as ledger:
        yield QuestionLog(ledger, workspace.settings.questions, store=store)
