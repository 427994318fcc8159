"""Questions with the queries that answer them, and what they teach of a store's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pydantic import Field

from cypher.evaluation.queries import names_in
from cypher.evaluation.returned import returned_in
from cypher.semantics.evidence import Encoder, Evidence, elements, learn, masked, spelled
from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.returning import column_elements
from schemas.model import Frozen
from schemas.store_schema import StoreSchema


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
    encoder: Encoder | None = None
    """Trained on examples; has a say beside what is learned from ``examples``."""


UNKNOWN: Final = Known()


def named_in(
    cypher: str, schema: StoreSchema, same: Mapping[str, str] = MappingProxyType({})
) -> frozenset[str]:
    """What a query names and returns, to learn from; types in ``same`` go by the name there.

    Raises ``QueryRefusedError`` for what is no read query.

    >>> sorted(named_in("MATCH (s)-[:SAILS]->(p:Port) RETURN p.size", StoreSchema(), {"SAILS": "GOES"}))
    ['-GOES 1', '.size', ':Port 1', '>Port', '>Port.size']
    """
    names = names_in(cypher)
    types = Counter(same.get(name, name) for name in names.types.elements())
    columns = column_elements(returned_in(cypher) or (), schema)
    return elements(names.labels, types, sorted(names.properties)) | columns


def taught(
    reader: SemanticReader, examples: Sequence[Example], schema: StoreSchema, encoder: Encoder | None = None
) -> Evidence | None:
    """What examples teach of a graph; ``None`` where they are too few, or too much alike, to teach anything.

    With an ``encoder`` that was trained on them (or on others of that graph) both have half a say. Raises
    ``QueryRefusedError`` for a query that is no read query.
    """
    found = learn([(masked(reader.link(e.question)), named_in(e.cypher, schema)) for e in examples])
    return replace(found, encoder=encoder) if found is not None else None


def said_by(
    reader: SemanticReader, examples: Sequence[Example], schema: StoreSchema
) -> tuple[tuple[str, frozenset[str]], ...]:
    """Examples as an encoder reads them, with what their queries name.

    Raises ``QueryRefusedError`` for a query that is no read query.
    """
    return tuple((spelled(reader.link(e.question)), named_in(e.cypher, schema)) for e in examples)
