"""Write the reference pages that follow from the code; the names are in ``PAGES``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from api.app import create_app
from api.problems import STATUS
from cypher.normalise import MAX_CHARACTERS
from cypher.shapes import SHAPES
from cypher.store_service import LEAST
from kg.cli import app
from kg.settings import Settings
from schemas import errors
from schemas import graph_schema as g
from schemas.graph_json_schema import graph_file_json_schema
from schemas.questions import MAX_QUESTION

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.reference_fields import cell, of_parameter, of_setting, operation_fields  # noqa: E402

REFERENCE = ROOT / "docs" / "reference"
MADE = "<!-- Made by `python scripts/reference_pages.py`; a test compares it with the code. -->\n"
EXAMPLES = {
    "entities": "Which papers determine the B_s0 mass?",
    "attribute_values": "Which experiments measured Delta m_s?",
    "replaced_by": "Which papers superseded AAIJ 2012I?",
    "newest_entities": "What is the newest paper on the CKM angle gamma?",
    "oldest_entities": "Which are the oldest papers?",
    "values": "What are the values of Delta m_s?",
    "latest_value": "What is the latest value of Delta m_s?",
    "first_value": "What was the first value of Delta m_s?",
    "dated_values": "When was Delta m_s measured?",
    "most_precise": "What is the most precise measurement of the B_s0 mass?",
    "tightest": "What is the strongest limit on BR(B_s0 -> mu+ mu-)?",
    "tightest_best": "What is the best upper limit on BR(B0 -> mu+ mu-)?",
    "strongest_size": "What is the largest uncertainty of Delta m_s?",
    "strongest_rank": "Which systematic uncertainty dominates Delta m_s?",
    "strongest": "Which uncertainty sources affect Delta m_s most?",
    "most_connected": "Which papers determine the most observables?",
    "most_frequent": "The 3 most frequent decays",
    "count": "How many papers determine Delta m_s?",
    "count_by": "How many measurements of the B_s0 mass by year?",
    "top_year": "Which year had the most papers?",
    "sharing": "Which observables share a decay with BR(B_s0 -> J/psi(1S) phi(1020))?",
    "compare": "Compare the number of measurements of Delta m_s and B_s0 mass",
    "side_by_side": "Compare the values of B_s0 mass and Lambda_b0 mass",
    "compare_more": "Which of Delta m_s and B_s0 mass has more measurements?",
    "compare_count": "How many measurements of Delta m_s and B_s0 mass?",
    "attribute": "What is the title of paper AAIJ 2012I?",
    "describe": "What is B_s0 -> mu+ mu-?",
    "only_limits": "Which observables have only limits?",
    "check": "Does AAIJ 2012I determine Delta m_s?",
}


# --- commands ---------------------------------------------------------------------------------
def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _parameter(parameter: Any) -> str:
    argument = parameter.param_type_name == "argument"
    names = parameter.name if argument else ", ".join([*parameter.opts, *parameter.secondary_opts])
    default = parameter.default
    shown = "" if default in (None, False, ()) or callable(default) or parameter.required else f"`{default}`"
    required = "yes" if parameter.required else ""
    return f"| `{names}` | {required} | {shown} | {of_parameter(parameter)} | {cell(parameter.help or '')} |"


def commands() -> str:
    """Every command with its arguments and options, as Typer knows them."""
    parts = [
        f"# Commands\n\n{MADE}\n",
        "Exit status: 0 done (for `kg ask` also: the graph was read and holds nothing), 1 failed, "
        "2 wrong usage, 3 `kg ask` cannot answer this from the graph, 4 nothing failed, but a budget left "
        "something out. Results go to standard output, "
        "progress and messages to standard error. "
        "The workspace is `-w`, else `$KG_WORKSPACE`, else the current folder.\n",
    ]
    for path, command in _commands(typer.main.get_command(app), "kg"):
        parts.append(f"\n## {path}\n\n{' '.join((command.help or '').split())}\n")
        rows = [_parameter(p) for p in command.params if p.name != "help"]
        if rows:
            parts.append(
                "\n| name | required | default | allowed | meaning |\n|---|---|---|---|---|\n"
                + "\n".join(rows)
                + "\n"
            )
    return "".join(parts)


# --- settings ---------------------------------------------------------------------------------
def setting_rows(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, ...]]:
    """(key, type, default, what is allowed, meaning) of every leaf setting."""
    for name, info in model.model_fields.items():
        key = prefix + (info.alias or name)
        inner = next((t for t in _types(info.annotation) if issubclass(t, BaseModel)), None)
        if inner is not None:
            yield from setting_rows(inner, f"{key}.")
            continue
        default = "required" if info.default is PydanticUndefined else f"`{json.dumps(info.default)}`"
        yield key, _type_name(info.annotation), default, of_setting(info), info.description or ""


def _types(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        if isinstance(part, type):
            yield part


def _type_name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", "")


def settings() -> str:
    """Every key of kg.toml, and every environment variable."""
    rows = "\n".join(
        f"| `{key}` | {cell(kind)} | {cell(default)} | {allowed} | {cell(text)} |"
        for key, kind, default, allowed, text in setting_rows(Settings)
    )
    return (
        f"# Settings\n\n{MADE}\n## kg.toml\n\nAn unknown key is an error. `[chat]` may be left out; "
        "with it, `base_url` and `model` are required.\n\n"
        f"| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n{rows}\n\n{_ENVIRONMENT}"
    )


_ENVIRONMENT = """\
## Environment

The environment wins over `kg.toml`.

| variable | meaning |
|---|---|
| `NEO4J_URI` | Neo4j to use instead of the managed one |
| `NEO4J_USERNAME` | its user |
| `NEO4J_PASSWORD` | its password; the example passwords of manuals are refused |
| `NEO4J_DATABASE` | its database |
| `KG_WORKSPACE` | workspace folder, where `-w` is not given |
| `KG_CACHE_DIR` | jars, models, vectors; else `$XDG_CACHE_HOME/corpusgraph`, else `~/.cache/corpusgraph` |
| `KG_CHAT_API_KEY` | the chat key, if `chat.api_key_env` names this variable |
"""


# --- errors -----------------------------------------------------------------------------------
def error_tree() -> Iterator[tuple[int, type[errors.CorpusGraphError]]]:
    """(depth, class) of the public errors, parents first."""

    def below(
        kind: type[errors.CorpusGraphError], depth: int
    ) -> Iterator[tuple[int, type[errors.CorpusGraphError]]]:
        hidden = kind.__name__.startswith("_")
        if not hidden:
            yield depth, kind
        for child in kind.__subclasses__():
            if child.__module__ == errors.__name__:
                yield from below(child, depth + (not hidden))

    return below(errors.CorpusGraphError, 0)


def error_page() -> str:
    """The exception tree with the HTTP status of each class."""
    rows = "\n".join(
        f"| {'&nbsp;' * 4 * depth}`{kind.__name__}` | {cell((kind.__doc__ or '').splitlines()[0])} "
        f"| {next(code for known, code in STATUS if issubclass(kind, known)).value} |"
        for depth, kind in error_tree()
    )
    return (
        f"# Errors\n\n{MADE}\nEvery message says what was expected, what was found and what to do. "
        "On the command line an error is one line on standard error and exit status 1. "
        "Over HTTP it is `application/problem+json` (RFC 9457) whose `type` is the name of the class, "
        "or `about:blank` where the HTTP status says it all."
        "\n\nA question that cannot be answered is not an error: "
        f"`{_OUTCOMES}` are outcomes of an answer ([question shapes](question-shapes.md)).\n\n"
        f"| class | meaning | HTTP status |\n|---|---|---|\n{rows}\n"
    )


_OUTCOMES = "`, `".join(("empty_but_valid", "ambiguous", "unanswerable", "refused", "failed", "timeout"))


# --- api --------------------------------------------------------------------------------------
def api() -> str:
    """Every path of the OpenAPI description."""
    description = create_app().openapi()
    parts = [
        f"# HTTP API\n\n{MADE}\n",
        "`GET /openapi.json` is the full description. There are no accounts: the server listens "
        "on loopback, and belongs behind a proxy that authenticates before it listens anywhere else. "
        "Errors: [errors](errors.md).\n",
    ]
    known = description["components"]["schemas"]
    for path, methods in sorted(description["paths"].items()):
        for method, operation in methods.items():
            parts.append(f"\n## {method.upper()} {path}\n\n{operation.get('description', '').strip()}\n")
            parts.append(operation_fields(operation, known))
    return "".join(parts)


# --- question shapes --------------------------------------------------------------------------
def question_shapes() -> str:
    """The shapes of the question service, with an example each."""
    rows = "\n".join(f"| `{s.name}` | {cell(s.asks)} | {cell(EXAMPLES[s.name])} |" for s in SHAPES)
    table = f"| shape | asks for | example |\n|---|---|---|\n{rows}\n"
    named = "\n".join(f"| `{name}` | {cell(said)} |" for name, said in ANSWER_SHAPES.items())
    tail = _SHAPES_TAIL.format(longest=MAX_CHARACTERS, most=f"{MAX_QUESTION:,}")
    fields = f"{_FIELD_HEAD}\n| `shape` | the answer gives |\n|---|---|\n{named}\n"
    return f"# Question shapes\n\n{MADE}\n{_SHAPES_HEAD}\n{table}{tail}{fields}"


_SHAPES_HEAD = f"""\
A question to a workspace is answered when one of these shapes, or a combination of their parts (`general`),
uses **every** word of it that carries meaning. A word that the graph does not know makes the question
`unanswerable`, because an answer that leaves it out would mislead; two readings that fit equally well make it
`ambiguous`. The shapes know no label: types, relations and attributes come from the graph schema, so the same
shapes serve another schema with its own words.

Questions to any other Neo4j (`kg ask --store`) are read without shapes. There, too, an unknown word makes the
question `unanswerable`, but a reading may pass over words that are common in speech, or guess how parts
belong together. Each answer has a `confidence`, its probability to be right, and is given from {LEAST:g} on:
below 0.5 it is more likely wrong than right, and `kg ask` says "Unsure (0.11): ..." before it.

The examples are for the graph of `make demo`. `GET /api/v1/questions/examples` lists questions that your
own graph can answer.
"""
_FIELD_HEAD = """
## The field `shape` of an answer

An answer's `shape` says what its query looks like, which for some questions is more than the name of the
shape that read them.
"""
ANSWER_SHAPES = {
    "all_of_type": "all things of a type",
    "with_attribute": "things by their own attributes",
    "related": "things by what they are connected to",
    "connected": "things by connections of connections",
    "implied": "things whose type only a relation says: what affects X",
    "newest": "the newest things",
    "oldest": "the oldest things",
    "sharing": "things that share something with another",
    "most_connected": "what is connected to most",
    "most_frequent": "what occurs most often",
    "attribute": "attributes of a thing",
    "attribute_values": "the values of an attribute",
    "describe": "all attributes of a thing",
    "values": "measured values, with dates where they were asked for",
    "limits": "measured values that are limits",
    "superseded": "measured values that later papers replaced",
    "replaced_by": "the papers that replaced values",
    "latest_value": "the latest value",
    "first_value": "the first value",
    "most_precise": "the value with the smallest total error",
    "tightest": "the strongest limit",
    "strongest": "what contributes most",
    "only_limits": "what has limits only",
    "count": "how many things",
    "count_measurements": "how many measurements",
    "count_by": "how many, by a property",
    "top_year": "the year with the most",
    "compare": "numbers for two things",
    "side_by_side": "the values of two things",
    "check": "the statements that say so, for yes or no",
    "general": "a combination that no shape has: several conditions, exceptions, means, differences",
    "composed": "a question to another Neo4j (`kg ask --store`), composed from the words of its schema",
    "corrected": "the query that a reviewer gave for the question",
    "model": "a query that the chat model wrote",
    "two_questions": "two questions in one text, each about a thing of its own",
}
"""What the field holds; a test compares the names with the code."""
_SHAPES_TAIL = """
## Outcomes

| outcome | meaning | exit status of `kg ask` |
|---|---|---|
| `answered` | there are rows, with citations where the graph has sources | 0 |
| `empty_but_valid` | nothing matches; the text says which condition emptied it, or what was not tried | 0 |
| `ambiguous` | two readings with different results; both are named | 3 |
| `unanswerable` | not expressible over this schema, or an unknown name; three close questions are given | 3 |
| `refused` | a request to write, a text too long, or a query that the gate stopped | 1 |
| `failed` | the graph could not be read | 1 |
| `timeout` | the time limit passed | 1 |

A question of more than {longest} characters is `refused`; the command line and the API take no text of more
than {most}.
"""

# --- schema files -----------------------------------------------------------------------------
RULES = (
    g.DocumentRule,
    g.AttributePattern,
    g.NotationRule,
    g.GazetteerRule,
    g.PatternRule,
    g.MeasurementRule,
    g.Term,
    g.UncertaintyTableRule,
    g.SentenceRelationRule,
)
TITLES: dict[str, str] = {
    "GraphSchema": "The file",
    "EntityType": "An entity type",
    "Canonicalization": "canonicalization",
    "RelationType": "A relation",
    "AttributeType": "An attribute",
    "AttributePattern": "An attribute of the rule document",
    "Term": "A term of a gazetteer or measurement",
}


def schema_files() -> str:
    """Every key of a schema file."""
    models = (g.GraphSchema, g.EntityType, g.Canonicalization, g.RelationType, g.AttributeType, *RULES)
    return f"# Schema files\n\n{MADE}\n{_FILES_HEAD}" + "".join(_model(m) for m in models)


def _model(model: type[BaseModel]) -> str:
    kind = model.model_fields.get("kind")
    title = TITLES.get(model.__name__) or f"Rule {kind.annotation.__args__[0] if kind else model.__name__}"
    rows = "".join(
        f"| `{name}` | {_default(info)} | {cell(info.description or '')} |\n"
        for name, info in model.model_fields.items()
    )
    meaning = cell((model.__doc__ or "").splitlines()[0])
    return f"\n## {title}\n\n{meaning}\n\n| key | default | meaning |\n|---|---|---|\n{rows}"


def _default(info: Any) -> str:
    if info.is_required():
        return "required"
    plain = isinstance(info.default, str | bool | int | float) and info.default != ""
    return f"`{json.dumps(info.default)}`" if plain else ""


_FILES_HEAD = """\
YAML. An unknown key, a type that is not declared, or an expression that does not compile is told with file
and line. An example that runs: [write a schema](../how-to/write-a-schema.md).
"""


def graph_file_schema() -> str:
    """JSON Schema of a DocumentGraph file."""
    return json.dumps(graph_file_json_schema(), ensure_ascii=False, indent=2) + "\n"


PAGES = {
    "document-graph.schema.json": graph_file_schema,
    "schema-files.md": schema_files,
    "commands.md": commands,
    "settings.md": settings,
    "errors.md": error_page,
    "api.md": api,
    "question-shapes.md": question_shapes,
}
"""File name -> what writes it."""


def main() -> int:
    for name, write in PAGES.items():
        (REFERENCE / name).write_text(write(), encoding="utf-8")
    sys.stdout.write(f"{REFERENCE.relative_to(ROOT)}: {', '.join(PAGES)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
