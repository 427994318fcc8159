"""Commands that learn from what reviewers vetted and decided: train."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg import build as steps
from kg.commands.build import finish
from kg.commands.common import JsonOption, WorkspaceOption, err, out, platform, print_json
from kg.progress import ConsoleProgress
from kg.settings import read_environment, store_password

app = typer.Typer()
train = typer.Typer(no_args_is_help=True, help="Learn from vetted facts, without any language model.")
app.add_typer(train, name="train", rich_help_panel="Build")


@train.callback()
def learning() -> None:
    """Learn from vetted facts, without any language model."""


@train.command()
def extractor(workspace: WorkspaceOption = None) -> None:
    """Train the learned extractor on the vetted records and statements of this workspace."""
    with platform(workspace) as opened:
        finish([steps.train(opened)])


@train.command()
def judge(workspace: WorkspaceOption = None) -> None:
    """Train the model of `canonicalize.judge = "pairs"` on the decisions of `kg same` and `kg different`."""
    with platform(workspace) as opened:
        finish([steps.train_pairs(opened)])


@train.command()
def questions(
    store: Annotated[str, typer.Option(help="Address of the Neo4j that the questions are about.")],
    store_schema: Annotated[Path, typer.Option(help="Its schema, as `kg schema infer` writes it.")],
    store_examples: Annotated[Path, typer.Option(help="Questions with their queries, JSON Lines.")],
    to: Annotated[Path, typer.Option(help="File to write, for `kg ask --store-encoder`.")],
    store_words: Annotated[
        Path | None, typer.Option(help="Words that people use for the store's terms, in YAML.")
    ] = None,
    store_user: Annotated[str, typer.Option(help="Its user; the password is NEO4J_PASSWORD.")] = "neo4j",
    store_database: Annotated[str, typer.Option(help="Database of that server.")] = "neo4j",
    as_json: JsonOption = False,
) -> None:
    """Train a sentence encoder on questions to any Neo4j; needs corpusgraph with its extra "models".

    It takes up to a minute to begin, and a minute for every thousand questions, on one slow core.
    """
    from cypher.examples import Known
    from kg.ask_store import Store, read_examples, read_store_schema, read_words
    from kg.train_questions import train_questions

    environment, schema = read_environment(), read_store_schema(store_schema)
    words = read_words(store_words, schema) if store_words else None
    known = Known(words, read_examples(store_examples))
    password = store_password(environment)
    asked = Store(store, store_user, password, schema, known, store_database)
    found = train_questions(asked, to, cache=environment.cache, progress=ConsoleProgress(err()))
    if as_json:
        print_json(found)
    else:
        out().print(f"{found.file}: {found.elements} elements learned from {found.questions} questions")
