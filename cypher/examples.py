"""Questions with the queries that answer them, and what they teach of a store's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
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


def named_in(cypher: str, same: Mapping[str, str] = MappingProxyType({})) -> frozenset[str]:
    """What a query names, to learn from; types in ``same`` go by the name there.

    Raises ``QueryRefusedError`` for what is no read query.

    >>> sorted(named_in("MATCH (s:Ship)-[:SAILS]->(p) RETURN p.name", {"SAILS": "GOES"}))
    ['-GOES 1', '.name', ':Ship 1']
    """
    names = names_in(cypher)
    types = Counter(same.get(name, name) for name in names.types.elements())
    return elements(names.labels, types, sorted(names.properties))


def taught(reader: SemanticReader, examples: Sequence[Example]) -> Evidence | None:
    """What examples teach; ``None`` where they are too few, or too much alike, to teach anything.

    Raises ``QueryRefusedError`` for a query that is no read query.
    """
    return learn([(masked(reader.link(e.question)), named_in(e.cypher)) for e in examples])
