"""Finds the entities that a phrase may mean, and counts what the graph holds."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from threading import Lock
from typing import Any, Final, NamedTuple

from kg import queries
from kg.adapters.neo4j_connection import Connection
from kg.migrations import vector_labels
from kg.queries import Label
from kg.stopping import seconds_left
from schemas.errors import QueryTimeoutError
from schemas.graph_schema import GraphSchema
from schemas.language.names import name_key, qualified_prefixes
from schemas.ports import Embedder, GraphCounts
from schemas.questions import EntityMatch

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|<>=])')
_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "TO"})
FULLTEXT_WORDS: Final = 32
WIDE: Final = 500
"""Full-text hits of all types that are looked through for those of the types asked for."""
FRESH_SECONDS: Final = 0.25
"""For so long the names are not compared with a store that others may have loaded anew: a question links
several phrases, and each comparison is a round trip."""
READ_SECONDS: Final = 60.0
"""For so long names that another call reads are waited for where there is no other limit."""


def lucene_words(text: str) -> str:
    """User text as a Lucene query of plain words (any of them), every operator taken away.

    >>> lucene_words('B0 -> K*(892) AND "x')
    'B0 \\\\-\\\\> K\\\\*\\\\(892\\\\) and \\\\"x'
    """
    words = [w.lower() if w in _OPERATORS else w for w in text.split()[:FULLTEXT_WORDS]]
    return " ".join(_SPECIAL.sub(r"\\\1", w) for w in words)


def trigram_similarity(a: str, b: str) -> float:
    """Dice coefficient of the padded character trigrams of two name keys, in [0, 1].

    >>> trigram_similarity("luminosity", "luminosity"), trigram_similarity("abc", "xyz")
    (1.0, 0.0)
    """
    (left, many), (right, others) = _trigrams(a), _trigrams(b)
    shared = sum(min(count, right[gram]) for gram, count in left.items() if gram in right)
    return 2 * shared / (many + others) if many + others else 0.0


@lru_cache(maxsize=65_536)
def _trigrams(text: str) -> tuple[Mapping[str, int], int]:
    """How often each trigram occurs, and how many there are."""
    padded = f"  {text} "
    found = Counter(padded[i : i + 3] for i in range(len(padded) - 2))
    return found, found.total()


class _Known(NamedTuple):
    """An entity under one of its spellings; sorts own names before aliases, then by id."""

    by_alias: bool
    id: str
    type: str
    name: str

    def match(self) -> EntityMatch:
        via = "alias" if self.by_alias else "name"
        return EntityMatch(id=self.id, type=self.type, name=self.name, score=1.0, via=via)


@dataclass(frozen=True, slots=True)
class _Names:
    """All names and aliases of one state of the store. It never changes, so that a call sees one state."""

    by_name: Mapping[str, Sequence[_Known]] = field(default_factory=dict)
    in_order: Sequence[str] = ()
    content: str | None = None
    """The store's mark of its content; None before anything was read."""

    def beginning(self, prefix: str) -> Iterator[str]:
        """The names that begin so, in order."""
        start = bisect_left(self.in_order, prefix)  # ``islice`` would walk up to it
        following = (self.in_order[i] for i in range(start, len(self.in_order)))
        return takewhile(lambda name: name.startswith(prefix), following)


class Neo4jValues:
    """``ValueIndex`` and ``SchemaSource`` of a loaded workspace.

    Names and aliases are held in memory (about 200 bytes each) and read again when the store's
    content changed: at once after a write of this connection, within ``fresh`` seconds after one of another.
    """

    def __init__(
        self,
        connection: Connection,
        schema: GraphSchema,
        embedder: Embedder | None,
        *,
        fresh: float = FRESH_SECONDS,
    ) -> None:
        self._connection, self._schema, self._embedder = connection, schema, embedder
        self._fresh = fresh
        self._compared: tuple[float, int] | None = None
        """When (monotonic seconds) and after which write the names were last those of the store."""
        self._type_of = {e.label: e.name for e in schema.entities}
        self._names = _Names()
        self._reading = Lock()

    def schema(self) -> GraphSchema:
        """The schema in force."""
        return self._schema

    def counts(self) -> GraphCounts:
        """Entities per type and statements per relation, from Neo4j's count store."""
        found: dict[str, dict[str, int]] = {"entity": {}, "relation": {}}
        for row in self._connection.read(queries.counts(self._schema)):
            found[row["kind"]][row["name"]] = row["count"]
        return GraphCounts(entities=found["entity"], relations=found["relation"])

    def exact(self, phrases: Sequence[str], types: Sequence[str]) -> Mapping[str, tuple[EntityMatch, ...]]:
        """Entities whose normalised name or alias equals each phrase's, names before aliases.

        Other phrases are left out.
        """
        self._refresh()
        wanted, names = set(types), self._names
        found: dict[str, tuple[EntityMatch, ...]] = {}
        for phrase in phrases:
            known = sorted(k for k in names.by_name.get(name_key(phrase), ()) if k.type in wanted)
            if known:
                found[phrase] = tuple(k.match() for k in known)
        return found

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:
        """Entities of a type whose name or alias is the phrase with a condition behind it, by name.

        How those begin ``language.names.qualified_prefixes`` says. These are the names that ``exact`` looked
        at last, so a question that asked it sees one state of the store.
        """
        if self._names.content is None:
            self._refresh()
        names = self._names
        found = {
            k.id: k.match()
            for prefix in qualified_prefixes(name_key(phrase))
            for name in names.beginning(prefix)
            for k in sorted(names.by_name[name], reverse=True)
            if k.type == entity_type
        }
        return tuple(sorted(found.values(), key=lambda m: (m.name, m.id)))

    def similar(self, phrase: str, types: Sequence[str], *, limit: int = 5) -> tuple[EntityMatch, ...]:
        """Nearest entities by full text and embedding, best first.

        The score is the larger of the raw cosine of the embeddings, in [-1, 1], and the trigram
        similarity of the phrase to the nearest name or alias, in [0, 1].
        """
        words = lucene_words(phrase)
        labels = [e.label for e in self._schema.entities if e.name in set(types)]
        if not words or not labels:
            return ()
        vector = self._vector(phrase)
        embedded = [label for label in labels if label in vector_labels(self._schema)] if vector else []
        parameters = {
            "fulltext": queries.FULLTEXT_ENTITY,
            "words": words,
            "wide": WIDE,
            "narrow": max(4 * limit, 20),
            "vector": vector,
        }
        rows = self._connection.read(queries.similar_entities(labels, embedded), parameters, timeout=10)
        matches = [self._match(row, name_key(phrase)) for row in rows]
        return tuple(sorted(matches, key=lambda m: (-m.score, m.name, m.id))[:limit])

    def _vector(self, phrase: str) -> list[float]:
        """The phrase's embedding; empty where the store's vectors are not of this model."""
        if self._embedder is None:
            return []
        markers = self._connection.read(queries.MARKER)
        if not markers or markers[0]["marker"].get("embedding_model") != self._embedder.model_id:
            return []
        row = self._embedder.encode([phrase])[0]
        return [float(x) for x in row] if row.any() else []

    def _match(self, row: dict[str, Any], key: str) -> EntityMatch:
        names = (row["name"], *row["aliases"])
        spelling = max(trigram_similarity(key, name_key(name)) for name in names)
        cosine = -1.0 if row["cosine"] is None else min(1.0, max(-1.0, row["cosine"]))
        return EntityMatch(
            id=row["id"],
            type=self._type(row["labels"]),
            name=row["name"],
            score=max(spelling, cosine),
            via="fulltext" if spelling >= cosine else "embedding",
        )

    def _type(self, labels: Sequence[str]) -> str:
        return next((self._type_of[x] for x in labels if x in self._type_of), Label.ENTITY.value.lower())

    def _refresh(self) -> None:
        """Reads all names and aliases anew when the store's content is not the one in memory.

        Of several calls at once one reads, and the others wait for it within their time limit.
        """
        now, writes = time.monotonic(), self._connection.writes.last
        if self._is_compared(now, writes):
            return
        left = seconds_left()
        if not self._reading.acquire(timeout=READ_SECONDS if left is None else max(0.0, left)):
            raise QueryTimeoutError("the names of the graph were not read within the time limit")
        try:
            if not self._is_compared(now, writes):
                now, writes = time.monotonic(), self._connection.writes.last
                self._read_names()
                self._compared = now, writes
        finally:
            self._reading.release()

    def _is_compared(self, now: float, writes: int) -> bool:
        """Whether the names were those of the store after that write and not too long before now."""
        if self._compared is None:
            return False
        compared, known = self._compared
        return writes == known and now - compared < self._fresh

    def _read_names(self) -> None:
        markers = self._connection.read(queries.MARKER)
        content = str(markers[0]["marker"].get("projection_hash", "")) if markers else ""
        if content and content == self._names.content:
            return
        names: dict[str, list[_Known]] = defaultdict(list)
        for row in self._connection.read(queries.LOOKUP):
            own, kind = row["name_key"], self._type(row["labels"])
            names[own].append(_Known(False, row["id"], kind, row["name"]))
            for key in {name_key(alias) for alias in row["aliases"]} - {own, ""}:
                names[key].append(_Known(True, row["id"], kind, row["name"]))
        self._names = _Names(dict(names), tuple(sorted(names)), content)
