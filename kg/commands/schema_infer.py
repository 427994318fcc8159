"""``kg schema infer``: what a live Neo4j holds, as a query may name it."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
import yaml

from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import infer_schema
from kg.commands.common import say
from kg.nouns import counted
from kg.settings import read_environment, store_password
from schemas.store_schema import StoreSchema

app = typer.Typer()


class Form(StrEnum):
    """How the schema is written."""

    YAML = "yaml"
    JSON = "json"


@app.command()
def infer(
    uri: Annotated[str, typer.Argument(help="Bolt address, for example bolt://localhost:7687.")],
    user: Annotated[str, typer.Option(help="User; the password is read from NEO4J_PASSWORD.")] = "neo4j",
    database: Annotated[str, typer.Option(help="Database of the server.")] = "neo4j",
    form: Annotated[Form, typer.Option(help="YAML or JSON.")] = Form.YAML,
    to: Annotated[
        Path | None, typer.Option("--to", help="File to write; standard output when absent.")
    ] = None,
) -> None:
    """Infer the store schema of any Neo4j by looking at it: labels, properties, relationships, names."""
    password = store_password(read_environment())
    with connect(uri, user, password, database=database) as connection:
        schema = infer_schema(connection)
    text = schema_text(schema, form)
    if to is None:
        typer.echo(text, nl=False)
        return
    to.write_text(text, encoding="utf-8")
    say(
        f"{to}: {counted(len(schema.labels), 'label')}, "
        f"{counted(len(schema.relations), 'relationship type')}, {counted(len(schema.triples), 'triple')}"
    )


def schema_text(schema: StoreSchema, form: Form) -> str:
    """The schema as YAML or JSON text; what is empty is left out."""
    data = schema.model_dump(mode="json", exclude_defaults=True)
    if form is Form.JSON:
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)
