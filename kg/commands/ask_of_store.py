"""``kg ask --store``: questions to another Neo4j, kept in the ledger of a workspace where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cypher.answers.asker import Asker
from cypher.examples import Known
from kg.ask_store import (
    Store,
    StoreQuestions,
    open_store,
    read_examples,
    read_store_schema,
    read_words,
)
from kg.asking import Asking, Conversations, NoLog, OnDemand, new_conversation
from kg.commands.ask_session import Session, conversation_before
from kg.commands.common import platform, print_json, say
from kg.question_log import QuestionLog
from kg.reviewed import ReviewedAnswers
from kg.settings import Environment, read_environment, store_password
from kg.stopping import within
from kg.store_address import spell_alike
from kg.store_asker import make_store_helper
from kg.train_questions import open_encoder
from kg.wiring import Platform
from kg.workspace import is_workspace
from schemas.errors import UsageError
from schemas.questions import Answer, Question

_NO_MODEL = (
    "expected a workspace (-w) with --llm, found none: the chat model is that of [chat] in its kg.toml"
)
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
    database: str = "neo4j"


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
    """The answer, shown; None after a conversation. May raise ``UsageError``, and errors of the store.

    A chat model is asked where ``limits`` let it; it is that of the workspace's kg.toml.
    """
    environment = read_environment()
    store = _store(options, environment)
    named = workspace or (Path(environment.workspace) if environment.workspace else None)
    with _home(named, llm=limits.use_llm) as home, ExitStack() as stack:
        log = _log_of(home, store)
        before = _before(home, log) if how.follow else ""
        if how.follow and not before:
            raise UsageError(_no_question_before(log, store))

        @cache
        def asker() -> Asker:
            questions = stack.enter_context(open_store(store, cache=environment.cache))
            return _asker(questions, home, log, store, llm=limits.use_llm)

        asking = Asking(OnDemand(lambda asked: _in_time(asker, asked)), log, Conversations())
        session = Session(asking, before or new_conversation(), limits, cypher=how.cypher)
        if how.interactive:
            session.talk(question)
            return None
        answer = session.answer(question, quiet=how.as_json)
    if how.as_json:
        print_json(answer)
    return answer


@contextmanager
def _in_time(asker: Callable[[], Asker], question: Question) -> Iterator[Asker]:
    """The asker; its store is connected to within the time of the first question, which is kept anyway."""
    with within(question.timeout):
        found = asker()
    yield found


def _asker(
    questions: StoreQuestions, home: Platform | None, log: QuestionLog | NoLog, store: Store, *, llm: bool
) -> Asker:
    """Marks on answers of this store move those that follow; without a workspace there are none."""
    if home is None or isinstance(log, NoLog):
        return Asker(questions)
    helper = make_store_helper(home, questions, store, log) if llm else None
    return Asker(questions, helper=helper, weigh=ReviewedAnswers(log).weighed)


def _log_of(home: Platform | None, store: Store) -> QuestionLog | NoLog:
    """The questions to this store in the ledger of a workspace."""
    if home is None:
        return NoLog()
    log = QuestionLog(
        home.ledger,
        home.workspace.settings.questions,
        store=store.address,
        fingerprint=lambda: store.schema.fingerprint,
    )
    spell_alike(home.ledger)
    return log


def _before(home: Platform | None, log: QuestionLog | NoLog) -> str:
    if home is None or isinstance(log, NoLog):
        return ""
    return conversation_before(log, home.workspace.settings.questions)


def _no_question_before(log: QuestionLog | NoLog, store: Store) -> str:
    if isinstance(log, NoLog):
        return "expected a workspace (-w) with --follow, found none: outside of one no question is kept"
    asked = f"expected a question to {store.address} before this one in the ledger"
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
    known = Known(words, examples, encoder)
    return Store(options.store, options.user, password, schema, known, options.database)


@contextmanager
def _home(named: Path | None, *, llm: bool) -> Iterator[Platform | None]:
    """The named workspace, else this folder's; None where neither is one, which is said."""
    if named is None and not is_workspace(Path()):
        if llm:
            raise UsageError(_NO_MODEL)
        say(NOT_KEPT)
        yield None
        return
    with platform(named or Path()) as opened:
        yield opened
