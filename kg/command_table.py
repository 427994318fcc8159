"""The commands of ``kg`` by name, each loaded when it is used: ``kg --help`` loads none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import typer
import typer.core
import typer.main


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as the list of commands shows it."""

    name: str
    module: str
    """Under ``kg.commands``; its ``app`` has the command."""
    panel: str
    help: str
    """First paragraph of the command's own help."""
    whole: bool = False
    """The module's ``app`` as a whole is the command."""
    attribute: str = "app"
    """What the app is called in its module."""


COMMANDS: Final = (
    Listed("init", "build", "Build", "Make a workspace."),
    Listed(
        "add",
        "build",
        "Build",
        "Add documents. What cannot be read is listed, the rest is added, and the exit status is 1.",
    ),
    Listed(
        "remove", "build", "Build", "Take documents out of the corpus. Their files are kept in `removed/`."
    ),
    Listed(
        "extract",
        "build",
        "Build",
        "Extract a graph from every document that has no current one. Exit status 4: the budget ended it.",
    ),
    Listed(
        "resolve",
        "build",
        "Build",
        "Decide which records of different documents are one entity. Exit status 4: the budget ended it.",
    ),
    Listed("load", "build", "Build", "Write the difference between the workspace and Neo4j to Neo4j."),
    Listed("communities", "build", "Build", "Group the entities and describe each group."),
    Listed("embed", "build", "Build", "Embed the passages of all documents; goes on where it was stopped."),
    Listed(
        "build",
        "build",
        "Build",
        "All steps in order. Running it again changes nothing; after a crash it goes on.",
    ),
    Listed(
        "undo",
        "build",
        "Build",
        "Take one event of the log back: a merge, or a decision on a fact or on two entities.",
    ),
    Listed("train", "train", "Build", "Learn from vetted facts, without any language model."),
    Listed(
        "accept",
        "accept",
        "Build",
        "Take edits of `graphs/DOC.json` over: checked with line numbers, logged, and undone with `kg undo`.",
    ),
    Listed("import", "accept", "Build", "Add documents that come with their graphs."),
    Listed(
        "contested",
        "contested",
        "Review",
        "List decisions that the current extraction contradicts or that fit it no more; nothing is changed.",
    ),
    Listed(
        "why",
        "merges",
        "Review",
        "Explain why two records are one entity, or are not: the rule or the score that decided, bar by bar.",
    ),
    Listed(
        "same",
        "merges",
        "Review",
        "Decide that two entities are one. `kg undo` takes it back; `kg build` applies it.",
    ),
    Listed(
        "different",
        "merges",
        "Review",
        "Decide that two entities, or two records of one, are not the same. `kg undo` takes it back.",
    ),
    Listed(
        "merges",
        "merges",
        "Review",
        "Merges that wait for a reviewer, the most uncertain first; or those that a rule forbade.",
    ),
    Listed(
        "conflicts",
        "merges",
        "Review",
        "Facts of different documents that cannot all be right. "
        "Two values of one observable are no conflict.",
    ),
    Listed(
        "ask",
        "ask",
        "Use",
        "Ask the graph. Exit status 0: answered, or nothing in it matches; 3: not answerable; 1: failed.",
    ),
    Listed(
        "query",
        "cypher",
        "Use",
        "Run a reading query of your own; it passes the same gate as every other.",
    ),
    Listed(
        "cypher",
        "cypher",
        "Use",
        "Check a query without running it.",
        whole=True,
        attribute="checks",
    ),
    Listed("eval", "eval_cypher", "Use", "Measure how good the answers are.", whole=True),
    Listed(
        "questions",
        "questions",
        "Use",
        "What was asked, how it ended, and whether it was right: the latest questions, newest first.",
        whole=True,
    ),
    Listed(
        "status",
        "ask",
        "Use",
        "What is in the workspace, where each document stands, which models are in use.",
    ),
    Listed(
        "export",
        "ask",
        "Use",
        "Write the whole graph as JSON Lines with its hash and citation lines, or the documents' graphs.",
    ),
    Listed(
        "verify",
        "ask",
        "Use",
        "Check the log's hash chain, the documents' hashes, and that Neo4j holds just the workspace's graph.",
    ),
    Listed("log", "ask", "Use", "The latest merge and review events."),
    Listed("runs", "ask", "Use", "The run ledger: what ran, counts, seconds, tokens, cost."),
    Listed(
        "show",
        "show",
        "Use",
        "Show one document's graph: records and statements with their quotes and where these stand.",
    ),
    Listed(
        "diff",
        "diff",
        "Use",
        "What changed between two graphs, by content. Exit status 0: nothing, 1: something, 2: failed.",
    ),
    Listed("serve", "server", "Serve", "Serve the HTTP API until Ctrl-C."),
    Listed(
        "setup",
        "server",
        "Serve",
        "Download and check what is needed: Neo4j's jars and the embedding model. Leaves nothing running.",
    ),
    Listed(
        "demo",
        "server",
        "Serve",
        "Build the LHCb graph, ask five questions, and leave Neo4j and the API running.",
    ),
    Listed("neo4j", "server", "Serve", "The managed Neo4j of a workspace."),
    Listed("schema", "schema", "Build", "Check, show and compare graph schemas.", whole=True),
)
"""In the order of the help."""
_BY_NAME: Final = {listed.name: listed for listed in COMMANDS}


class LazyCommands(typer.core.TyperGroup):
    """The root group: it knows its commands by name, and imports a command's module to run it."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The names, in the order of the help."""
        return list(_BY_NAME)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """The command itself, or None for a name that there is not."""
        listed = _BY_NAME.get(cmd_name)
        if listed is not None and cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(listed)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, from the table."""
        self._from_table().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What the shell offers for the first word, from the table."""
        return self._from_table().shell_complete(ctx, incomplete)

    def _from_table(self) -> typer.core.TyperGroup:
        return typer.core.TyperGroup(
            name=self.name,
            commands={c.name: _stub(c) for c in COMMANDS},
            params=self.params,
            help=self.help,
            rich_markup_mode=self.rich_markup_mode,
        )


def _stub(listed: Listed) -> Any:
    return typer.core.TyperCommand(listed.name, help=listed.help, rich_help_panel=listed.panel)


def _loaded(listed: Listed) -> Any:
    app: typer.Typer = getattr(import_module(f"kg.commands.{listed.module}"), listed.attribute)
    group = typer.main.get_group(app)
    if not listed.whole:
        return group.commands[listed.name]
    group.name = listed.name
    return group
