"""What models are asked for in words, and the way back: phrases of the schema's types and relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.language.names import normalise_name
from schemas.ports import Embedder

_WORD = re.compile(r"\w+")
_FUNCTION_WORDS = frozenset({"a", "an", "the", "is", "are", "was", "were", "be", "been"})


@dataclass(frozen=True, slots=True)
class PhrasedRelation:
    """A relation that a phrase names; ``inverse`` when the phrase reads from object to subject."""

    relation: RelationType
    inverse: bool = False

    def ends(self, head: str, tail: str) -> tuple[str, str]:
        """Subject and object out of what stands before and after the phrase."""
        return (tail, head) if self.inverse else (head, tail)

    def fits(self, head_type: str, tail_type: str) -> bool:
        """Whether the relation joins these types in this direction."""
        subject, target = self.ends(head_type, tail_type)
        return subject in self.relation.subjects and target in self.relation.objects


def spoken(item: EntityType | RelationType) -> tuple[str, ...]:
    """Everything that people call a type: its verbalisations, then its own name.

    >>> spoken(EntityType(name="run_period", label="RunPeriod", verbalisations=("run",)))
    ('run', 'run period')
    """
    return tuple(dict.fromkeys((*item.verbalisations, item.name.replace("_", " "))))


def entity_labels(schema: GraphSchema) -> dict[str, str]:
    """Label -> entity type, one label each: the first verbalisation that no earlier type has taken.

    The document's own type is left out: its record is the document, which no span names. A type all of
    whose phrases are taken goes by its last phrase and its label in Neo4j, which no other type has.
    """
    labels: dict[str, str] = {}
    for entity in schema.entities:
        if entity.name != schema.document_type:
            phrases = (*spoken(entity), f"{spoken(entity)[-1]} ({entity.label})")
            labels[next(p for p in phrases if p not in labels)] = entity.name
    return labels


def relation_labels(schema: GraphSchema) -> dict[str, tuple[PhrasedRelation, ...]]:
    """Label -> relations: the first verbalisation of each; relations that share it share the label.

    Relations from or to the document's own type alone are left out, since no span can be their end.
    """
    labels: dict[str, tuple[PhrasedRelation, ...]] = {}
    for relation in schema.relations:
        if {schema.document_type} not in ({*relation.subjects}, {*relation.objects}):
            label = spoken(relation)[0]
            labels[label] = (*labels.get(label, ()), PhrasedRelation(relation))
    return labels


def phrase_key(phrase: str) -> str:
    """Words of a phrase without case, punctuation and forms of "to be".

    >>> phrase_key("is treated-by")
    'treated by'
    """
    words = _WORD.findall(normalise_name(phrase.replace("_", " "), case_sensitive=False))
    return " ".join(w for w in words if w not in _FUNCTION_WORDS) or " ".join(words)


class RelationPhrases:
    """Finds the schema's relation behind a phrase, by its words and else by meaning.

    With an ``embedder`` a phrase that equals none takes the nearest one's relations when their cosine is
    at least ``similarity``, in [-1, 1]; such a threshold belongs to one embedder. Embeddings hardly tell
    "treats" from "treated by", so these come in both directions, the nearest first, for the types to decide.
    """

    def __init__(self, schema: GraphSchema, embedder: Embedder | None, *, similarity: float) -> None:
        self._embedder, self._similarity = embedder, similarity
        self._known = _known_phrases(schema.relations)
        self._nearest: dict[str, tuple[tuple[PhrasedRelation, ...], float]] = {}
        self._vectors = embedder.encode(tuple(self._known)) if embedder is not None else None

    def find(self, phrase: str) -> tuple[tuple[PhrasedRelation, ...], float]:
        """The relations that the phrase may mean and how near it is (1 when it is one of theirs).

        ``((), score)`` with the best score below the threshold, 0 without an embedder.
        """
        key = phrase_key(phrase)
        if key in self._known:
            return self._known[key], 1.0
        if key not in self._nearest:
            self._nearest[key] = self._by_meaning(key)
        return self._nearest[key]

    def _by_meaning(self, key: str) -> tuple[tuple[PhrasedRelation, ...], float]:
        if self._embedder is None or self._vectors is None or not key or not self._known:
            return (), 0.0
        scores = self._vectors @ self._embedder.encode([key])[0]
        best = int(np.argmax(scores))
        score = float(scores[best])
        if score < self._similarity:
            return (), score
        nearest = tuple(self._known.values())[best]
        turned = (PhrasedRelation(r.relation, not r.inverse) for r in nearest)
        return tuple(dict.fromkeys((*nearest, *turned))), score


def fitting(relations: Iterable[PhrasedRelation], head_type: str, tail_type: str) -> PhrasedRelation | None:
    """The first of the relations that joins the types as they stand."""
    return next((r for r in relations if r.fits(head_type, tail_type)), None)


def _known_phrases(relations: Sequence[RelationType]) -> Mapping[str, tuple[PhrasedRelation, ...]]:
    known: dict[str, tuple[PhrasedRelation, ...]] = {}
    for inverse in (False, True):
        for relation in relations:
            for phrase in relation.inverse if inverse else spoken(relation):
                key = phrase_key(phrase)
                meant = PhrasedRelation(relation, inverse)
                known[key] = tuple(dict.fromkeys((*known.get(key, ()), meant)))
    return known
