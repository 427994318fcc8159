"""Questions with the queries that answer them, and what they teach of a store's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from cypher.evaluation.queries import names_in
from cypher.semantics.evidence import Evidence, elements, learn, masked
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from schemas.model import Frozen


class Example(Frozen):
    """A question and its right query, in read-only Cypher."""

    question: str = Field(min_length=1)
    cypher: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of how people ask of a store."""

    words: Verbalisation | None = None
    """What they say for the schema's terms, beside their names."""
    examples: tuple[Example, ...] = ()


UNKNOWN: Final = Known()


def taught(reader: SemanticReader, examples: Sequence[Example]) -> Evidence | None:
    """What examples teach; ``None`` where they are too few, or too much alike, to teach anything.

    Raises ``QueryRefusedError`` for a query that is no read query.
    """
    asked = []
    for example in examples:
        names = names_in(example.cypher)
        found = elements(names.labels, names.types, sorted(names.properties))
        asked.append((masked(reader.link(example.question)), found))
    return learn(asked)
