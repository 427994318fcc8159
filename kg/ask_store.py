"""One question to any Neo4j database, of which a store schema was inferred."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ValidationError

from cypher.store_service import StoreQuestionService
from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from schemas.errors import UsageError
from schemas.questions import Answer, Question
from schemas.store_schema import StoreSchema


def read_store_schema(file: Path) -> StoreSchema:
    """A store schema in YAML or JSON, as ``kg schema infer`` writes it. May raise ``UsageError``."""
    try:
        return StoreSchema.model_validate(yaml.safe_load(file.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as e:
        raise UsageError(
            f"expected a store schema as `kg schema infer --to {file}` writes it, "
            f"found {type(e).__name__}: {e}"
        ) from e


def ask_store(question: Question, uri: str, schema: StoreSchema, *, user: str, password: str) -> Answer:
    """The answer of the database at ``uri``; may raise the errors of a store that cannot be reached."""
    with connect(uri, user, password) as connection:
        service = StoreQuestionService(schema, read_values(connection, schema), Neo4jRunner(connection))
        return service.ask(question)
