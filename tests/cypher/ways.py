"""A graph on which one thing is asked for in many ways, and what each of them is read as."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from cypher.semantics.alike import form
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

T = TypeVar("T")
SCHEMA, STORED = invented_graph("""
    Sailor 50: name, surname, age integer
    Ship 50: name, kind, tonnage integer
    Port 50: name, code
    Company 50: name
    Radio 50: number
    Voyage 50 unnamed: status, day date, duration integer
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[OWNS 20]->(Ship), (Company)-[CHARTERED 20]->(Ship)
    (Sailor)-[WORKS_FOR 20]->(Company), (Ship)-[MADE 20]->(Voyage), (Voyage)-[ARRIVED_AT 20]->(Port)
    (Ship)-[REGISTERED_IN 20]->(Port), (Sailor)-[LIVES_IN 20]->(Port)
    (Sailor)-[HAS_RADIO 20]->(Radio)

    Sailor.name: Ann | Ben
    Sailor.surname: Moss | Lund
    Ship.name: Kestrel | Osprey
    Ship.kind: ferry | trawler
    Port.name: Esbjerg | Hull
    Port.code: P12
    Company.name: Norrline
    Radio.number: 4-5550-1 | 4-5550-2
    Voyage.status: delayed | cancelled
    Voyage.day: 2021-03-05
""")
WORDS = Verbalisation.model_validate(
    {"properties": {"Voyage.duration": ["duration", "seconds", "lasted", "lasting"]}}
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@cache
def read(question: str) -> object:
    """What is asked for, whatever the words."""
    query = READER.read(question).query
    assert query is not None, question
    return form(query)


def filled(template: str, told: dict[str, str]) -> str | None:
    """The template with its words; ``None`` where one of them is not there to be said."""
    missing = any(f"{{{name}}}" in template and not word for name, word in told.items())
    return None if missing else template.format(**told)


def two_of(bodies: Sequence[T], templates: Sequence[str], template: str) -> tuple[T, T]:
    """Two of the bodies in turn, so that each stands behind many openings."""
    at = templates.index(template)
    return bodies[at % len(bodies)], bodies[(at + 1) % len(bodies)]
