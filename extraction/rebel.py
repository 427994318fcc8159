"""Relations by a sequence-to-sequence model between entities that other extractors found.

REBEL (doi:10.18653/v1/2021.findings-emnlp.204) reads each chunk with two or more entities, as in section
3.1.1 of CoTeRAG-S. What it writes is not trusted: both ends must be mentions, the phrase a relation of
the schema, and one sentence must hold both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from extraction.chunks import DEFAULT_LIMIT, chunk_document
from extraction.mentions import EntityMention, align, find_mentions
from extraction.passages import Passage, passages
from extraction.schema_labels import PhrasedRelation, RelationPhrases
from extraction.triplets import Triplet, read_triplets
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction, Rejection
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.ports import Embedder, TripletWriter


class RebelSettings(Frozen):
    """How much a model reads at a time, and when a phrase is a relation of the schema."""

    chunk_characters: int = Field(DEFAULT_LIMIT, ge=100, le=10_000)
    similarity: float = Field(0.75, ge=-1, le=1)
    """Cosine from which a phrase that is none of the schema's means its nearest one; fits one embedder."""


class RebelExtractor:
    """A second-pass extractor; alone, without entities from others, it finds nothing.

    The model is loaded when the first chunk is read, and hashed when the name is asked for; both raise
    ``ModelUnavailableError`` when it is not there.
    """

    def __init__(
        self,
        model: TripletWriter,
        settings: RebelSettings | None = None,
        *,
        embedder: Embedder | None = None,
    ) -> None:
        self._model, self._embedder = model, embedder
        self._settings = settings or RebelSettings()
        self._phrases: tuple[GraphSchema, RelationPhrases] | None = None

    @property
    def name(self) -> str:
        """``rebel/1:MODEL@HASH/SETTINGS``; the settings' hash covers the embedder."""
        embedder = self._embedder.model_id if self._embedder else ""
        return (
            f"rebel/1:{self._model.model_id}/"
            f"{content_hash(self._settings.model_dump(mode='json'), embedder)[:6]}"
        )

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Nothing: there are no entities to relate."""
        return self.extract_after(document, schema, ())

    def extract_after(
        self, document: Document, schema: GraphSchema, found: Sequence[Extraction]
    ) -> Extraction:
        """Relations with the sentence that holds both ends, these ends, and what was refused and why."""
        mentions = find_mentions(document, schema, found)
        chunks = _chunks(document, mentions, self._settings.chunk_characters)
        reading = _Reading(self.name, passages(document))
        if chunks:
            phrases = self._relation_phrases(schema)
            for chunk, written in zip(chunks, self._model.write([c.text for c in chunks]), strict=True):
                triplets, broken = read_triplets(written.text)
                for fragment in broken:
                    reading.refuse("malformed", "expected head, tail and relation", fragment)
                for triplet in triplets:
                    reading.take(triplet, chunk.mentions, phrases, written.confidence)
        return reading.extraction()

    def _relation_phrases(self, schema: GraphSchema) -> RelationPhrases:
        if self._phrases is None or self._phrases[0] is not schema:
            self._phrases = (
                schema,
                RelationPhrases(schema, self._embedder, similarity=self._settings.similarity),
            )
        return self._phrases[1]


@dataclass(frozen=True, slots=True)
class _Chunk:
    text: str
    mentions: tuple[EntityMention, ...]


def _chunks(document: Document, mentions: Sequence[EntityMention], limit: int) -> list[_Chunk]:
    """The chunks that mention two entities or more."""
    chunks = []
    for chunk in chunk_document(document, limit=limit):
        inside = tuple(m for m in mentions if chunk.start <= m.start and m.end <= chunk.end)
        if len({m.ref for m in inside}) > 1:
            chunks.append(_Chunk(chunk.text, inside))
    return chunks


_Pair = tuple[EntityMention, EntityMention]


@dataclass(slots=True)
class _Reading:
    """One document's triplets on their way to drafts."""

    extractor: str
    sentences: tuple[Passage, ...]
    ends: dict[str, dict[tuple[int, int], EntityMention]] = field(default_factory=dict)
    """Mentions of each ref that a statement uses."""
    statements: list[DraftStatement] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def take(
        self,
        triplet: Triplet,
        mentions: tuple[EntityMention, ...],
        phrases: RelationPhrases,
        confidence: float,
    ) -> None:
        """Draft the triplet between the mentions of its chunk, or refuse it."""
        item = f"{triplet.head} | {triplet.relation} | {triplet.tail}"
        (heads, head_share), (tails, tail_share) = (
            align(triplet.head, mentions),
            align(triplet.tail, mentions),
        )
        if not heads or not tails:
            lost = triplet.tail if heads else triplet.head
            self.refuse("no_mention", f"{lost[:80]!r} is no entity that was found in this chunk", item)
            return
        relations, similarity = phrases.find(triplet.relation)
        if not relations:
            self.refuse("unknown_relation", f"the nearest of the schema has cosine {similarity:.2f}", item)
            return
        pairs = [(h, t) for h in heads for t in tails if h.ref != t.ref]
        chosen = self._choose(pairs, relations, item)
        if chosen is not None:
            pair, relation, sentence = chosen
            share = confidence * max(0.0, similarity) * head_share * tail_share
            self._draft(pair, relation, sentence, min(1.0, share))

    def _choose(
        self, pairs: Sequence[_Pair], relations: Sequence[PhrasedRelation], item: str
    ) -> tuple[_Pair, PhrasedRelation, Passage] | None:
        """The nearest two mentions of one sentence that a relation joins; refuses when there are none."""
        if not pairs:
            self.refuse("same_entity", "both ends are one entity", item)
            return None
        fits = [(pair, r) for pair in pairs for r in relations if r.fits(*(m.draft.type for m in pair))]
        if not fits:
            found = " and ".join(m.draft.type for m in pairs[0])
            self.refuse("wrong_end", f"{relations[0].relation.name} does not join {found}", item)
            return None
        together = [(pair, r, s) for pair, r in fits if (s := self._sentence(pair)) is not None]
        if not together:
            self.refuse("no_common_sentence", "no one sentence holds both ends", item)
            return None
        return min(together, key=lambda choice: _gap(choice[0]))

    def _sentence(self, pair: _Pair) -> Passage | None:
        start, end = min(m.start for m in pair), max(m.end for m in pair)
        return next((s for s in self.sentences if s.start <= start and end <= s.end), None)

    def _draft(self, pair: _Pair, relation: PhrasedRelation, sentence: Passage, confidence: float) -> None:
        for mention in pair:
            self.ends.setdefault(mention.ref, {})[mention.start, mention.end] = mention
        subject, target = relation.ends(pair[0].ref, pair[1].ref)
        self.statements.append(
            DraftStatement(
                subject=subject,
                type=relation.relation.name,
                object=target,
                evidence=(Evidence(start=sentence.start, end=sentence.end, quote=sentence.text),),
                confidence=confidence,
            )
        )

    def refuse(self, code: str, detail: str, item: str) -> None:
        """Count something that the model wrote and that is not used."""
        self.rejections.append(Rejection(extractor=self.extractor, code=code, detail=detail, item=item[:200]))

    def extraction(self) -> Extraction:
        """Everything so far; the ends are drafts again, which assembling joins with those they came from."""
        return Extraction(
            extractor=self.extractor,
            records=tuple(_end(ref, tuple(places.values())) for ref, places in self.ends.items()),
            statements=tuple(self.statements),
            rejections=tuple(self.rejections),
        )


def _end(ref: str, mentions: Sequence[EntityMention]) -> DraftRecord:
    """A known entity as an end: its name and confidence, and the mentions that were related."""
    draft = mentions[0].draft
    return DraftRecord(
        ref=ref,
        type=draft.type,
        name=draft.name,
        evidence=tuple(Evidence(start=m.start, end=m.end, quote=m.text) for m in mentions),
        confidence=draft.confidence,
    )


def _gap(pair: _Pair) -> tuple[int, int]:
    first, second = sorted(pair, key=lambda m: m.start)
    return max(0, second.start - first.end), first.start
