"""A form becomes Cypher: schema names in back-ticks, generated variables, parameters for every value.

Each node and statement is limited to the facts in scope (``$scope`` holds the statuses that count). The last
two columns of every query are technical: the ids of the statements a row rests on, and how many of those a
later paper replaced.
"""

from __future__ import annotations

from dataclasses import dataclass

from cypher.form import Form
from cypher.heads import write
from cypher.identifiers import Identifiers
from cypher.writer import Writer
from schemas.graph_schema import GraphSchema
from schemas.questions import Parameter, Scope


@dataclass(frozen=True, slots=True)
class Composed:
    """Query text with its parameters and column names."""

    text: str
    parameters: dict[str, Parameter]
    columns: tuple[str, ...]


def compose(form: Form, schema: GraphSchema, *, scope: Scope, row_cap: int) -> Composed:
    """Cypher text, parameters and columns of a form; ``row_cap`` is the last LIMIT."""
    writer = Writer(form, schema, Identifiers.of(schema), row_cap)
    writer.parameters["scope"] = scope.statuses
    tail = write(writer)
    return Composed(f"{tail.text} LIMIT {row_cap}", writer.parameters, tail.columns)
