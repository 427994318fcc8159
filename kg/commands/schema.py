"""Commands about graph schemas: check, show, diff."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kg.commands import schema_infer
from kg.commands.common import JsonOption, WorkspaceOption, out, print_json, workspace_root
from kg.nouns import counted
from kg.workspace import Workspace
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_json_schema import graph_file_json_schema
from schemas.graph_schema import AttributeType, GraphSchema
from schemas.schema_diff import SchemaDiff, diff_schemas, rule_name
from schemas.schema_files import load_schema, schema_json

app = typer.Typer(help="Check, show and compare graph schemas.", no_args_is_help=True)
app.add_typer(schema_infer.app)
Source = Annotated[str, typer.Argument(help="A catalog name or a YAML file.")]
_COLOURS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}


class JsonSchemaOf(StrEnum):
    """Whose JSON Schema."""

    FILE = "file"
    GRAPH = "graph"


@app.command()
def check(
    file: Annotated[str, typer.Argument(help="A YAML file, or a catalog name.")],
    as_json: JsonOption = False,
) -> None:
    """Check a schema file. Exit status 1 with file and line of each mistake."""
    schema = load_schema(file)
    if as_json:
        print_json({"name": schema.name, "version": schema.version, "fingerprint": schema.fingerprint})
        return
    out().print(
        f"{file}: {schema.name} {schema.version} is well formed: "
        f"{counted(len(schema.entities), 'entity type')}, "
        f"{counted(len(schema.relations), 'relation')}, {counted(len(schema.rules), 'rule')}",
        highlight=False,
        soft_wrap=True,
    )


@app.command()
def show(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|FILE]", help="A catalog name or a YAML file; the workspace's by default."
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    json_schema: Annotated[
        JsonSchemaOf | None,
        typer.Option(
            help="Print a JSON Schema instead: of a schema `file`, or of the `graph` files under this schema."
        ),
    ] = None,
) -> None:
    """Show a schema: entity types, attributes, relations and rules."""
    if json_schema is JsonSchemaOf.FILE:
        print_json(json.loads(schema_json()))
        return
    schema = load_schema(source) if source else Workspace(workspace_root(workspace)).schema
    if json_schema is JsonSchemaOf.GRAPH:
        print_json(graph_file_json_schema(schema))
    elif as_json:
        print_json(schema.model_dump(mode="json", exclude_defaults=True))
    else:
        out().print(Group(*_parts(schema)))


@app.command()
def diff(before: Source, after: Source, as_json: JsonOption = False) -> None:
    """What changed between two schemas. Exit status 1 when graphs of the first may not fit the second."""
    found = diff_schemas(_load(before), _load(after))
    if as_json:
        print_json({**found.model_dump(mode="json"), "compatible": found.compatible})
    else:
        _print_diff(found)
    raise typer.Exit(0 if found.compatible else 1)


def _load(source: str) -> GraphSchema:
    return load_schema(Path(source) if Path(source).is_file() else source)


def _print_diff(found: SchemaDiff) -> None:
    console = out()
    console.print(Text(f"- {found.before}\n+ {found.after}", style="dim"))
    for change in found.changes:
        mark, colour = _COLOURS[change.kind]
        text = Text(f"{mark} {change.what} {change.name}", style=colour)
        if change.detail:
            text.append(f"\n    {change.detail}", style="default")
        if change.breaks:
            text.append(f"\n    breaks: {change.breaks}", style="bold red")
        console.print(text)
    if not found.changes:
        console.print("no changes")
    broken = sum(bool(c.breaks) for c in found.changes)
    verdict = (
        "graphs of the first stay valid under the second"
        if found.compatible
        else f"graphs of the first may not be valid under the second ({counted(broken, 'reason')})"
    )
    console.print(Text(verdict, style="bold"))


def _parts(schema: GraphSchema) -> Iterator[RenderableType]:
    yield Text(f"{schema.name} {schema.version}", style="bold")
    if schema.description:
        yield Text(schema.description)
    yield Text(f"documents are of type {schema.document_type or '(none)'}", style="dim")
    yield Text("\nEntity types", style="bold")
    yield _table(
        ("type", "people say", "merging"),
        [(e.name, ", ".join(e.verbalisations), _merging(e.canonicalization)) for e in schema.entities],
    )
    yield Text("\nRelations", style="bold")
    yield _table(
        ("relation", "from → to", "people say", "the other way"),
        [
            (
                r.name,
                f"{', '.join(r.subjects)} → {', '.join(r.objects)}",
                ", ".join(r.verbalisations),
                ", ".join(r.inverse),
            )
            for r in schema.relations
        ],
    )
    yield Text("\nAttributes", style="bold")
    owners = [(e.name, e.attributes) for e in schema.entities]
    owners += [(r.name, r.attributes) for r in schema.relations]
    yield _table(
        ("of", "attribute", "type", "meaning"),
        [(owner, a.name, _type(a), a.description) for owner, attributes in owners for a in attributes],
    )
    yield Text("\nRules", style="bold")
    yield _table(("rule", "holds"), [(rule_name(r), _rule_size(r)) for r in schema.rules])


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _merging(settings: Canonicalization) -> str:
    how = [f"similarity ≥ {settings.threshold:g}" if settings.similarity else "equal names only"]
    if settings.identity:
        how.append(f"equal {', '.join(settings.identity)}")
    if settings.short_forms:
        how.append("short forms of names")
    if settings.vetoes:
        how.append(f"not when {', '.join(settings.vetoes)} differ")
    return "; ".join(how)


def _type(attribute: AttributeType) -> str:
    words = [attribute.type, attribute.unit, "derived" if attribute.derived else ""]
    if attribute.enum:
        words.append(f"one of: {', '.join(attribute.enum)}")
    if attribute.pattern:
        words.append(f"like {attribute.pattern}")
    return " ".join(word for word in words if word)


def _rule_size(rule: object) -> str:
    parts = ("terms", "observables", "attributes", "cues", "near", "exclude", "skip_rows")
    found = [f"{len(getattr(rule, name))} {name}" for name in parts if getattr(rule, name, ())]
    return ", ".join(found) or "a pattern" if hasattr(rule, "pattern") else ", ".join(found)
