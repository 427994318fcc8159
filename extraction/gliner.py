"""Entities, and relations where the model finds them, by a GLiNER model under the schema's own labels.

GLiNER: arXiv:2311.08526. The labels are the schema's verbalisations, so a new entity type needs no
training. What the model is unsure of is settled by a chat model, as in section 3.1.1 of CoTeRAG-S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from pydantic import Field, model_validator

from extraction.parse import LLM_CONFIDENCE
from extraction.passages import Passage, passages
from extraction.schema_labels import PhrasedRelation, entity_labels, fitting, relation_labels
from extraction.settle import Unsettled, settle_types
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction, Rejection
from schemas.ids import content_hash
from schemas.language.names import normalise_name
from schemas.model import Frozen
from schemas.model_output import LabelledRelation, LabelledText
from schemas.ports import Chat, SpanLabeller


class GlinerSettings(Frozen):
    """Scores, in [0, 1], from which a model is believed."""

    sure: float = Field(0.5, ge=0, le=1)
    """Mentions from here on are taken; 0.5 is the default of the library and of its published figures."""
    unsure: float = Field(0.3, ge=0, le=1)
    """Mentions from here to ``sure`` are settled by a chat model, else rejected; lower ones are not seen."""
    relation: float = Field(0.5, ge=0, le=1)
    """Relations from here on are taken; from ``unsure`` to here they are rejected."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.unsure > min(self.sure, self.relation):
            raise ValueError(f"expected unsure below sure and relation, found {self.unsure}")
        return self


@dataclass(frozen=True, slots=True)
class _Mention:
    passage: Passage
    start: int
    end: int
    type: str
    score: float


class GlinerExtractor:
    """Labels each sentence with the schema's entity types; needs no state between documents.

    A model that finds relations is asked for the schema's relations too. The model is loaded when the
    first document is extracted, and hashed when the name is asked for; both raise
    ``ModelUnavailableError`` when it is not there. With a ``chat``, its errors pass through.
    """

    def __init__(
        self, model: SpanLabeller, settings: GlinerSettings | None = None, *, chat: Chat | None = None
    ) -> None:
        self._model, self._chat = model, chat
        self._settings = settings or GlinerSettings()

    @property
    def name(self) -> str:
        """``gliner/1:MODEL@HASH/THRESHOLDS``, with the chat model that settles what is unsure."""
        limits = content_hash(self._settings.model_dump(mode="json"))[:6]
        settled = f",{self._chat.model}" if self._chat else ""
        return f"gliner/1:{self._model.model_id}/{limits}{settled}"

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Drafts at exact spans; mentions and relations below the sure thresholds are rejections."""
        read = _Reading(document, schema, self._settings, self.name)
        places = passages(document)
        labels = entity_labels(schema)
        if not places or not labels:
            return read.extraction()
        relations = relation_labels(schema) if self._model.relates else {}
        found = self._model.label(
            [p.text for p in places],
            tuple(labels),
            relations=tuple(relations),
            threshold=self._settings.unsure,
        )
        read.settle(_mentions(places, found, labels), self._chat)
        for place, text in zip(places, found, strict=True):
            for relation in text.relations:
                read.relate(place, relation, relations[relation.label])
        return read.extraction()


@dataclass(slots=True)
class _Reading:
    """One document's mentions and relations on their way to drafts."""

    document: Document
    schema: GraphSchema
    settings: GlinerSettings
    extractor: str
    taken: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    """Span -> (ref, type) of accepted mentions."""
    records: dict[str, list[_Mention]] = field(default_factory=dict)
    statements: list[DraftStatement] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def settle(self, mentions: Sequence[_Mention], chat: Chat | None) -> None:
        """Take the sure mentions, ask of the others, reject what stays open."""
        unsure = [m for m in mentions if m.score < self.settings.sure]
        types: tuple[str | None, ...] = (None,) * len(unsure)
        said = "which no chat model settled"
        if chat is not None and unsure:
            asked = [Unsettled(self._text(m), m.passage.text) for m in unsure]
            types, said = settle_types(chat, self.document, self.schema, asked), f"{chat.model} names no type"
        for mention in mentions:
            if mention.score >= self.settings.sure:
                self._take(mention, mention.type, mention.score)
        for mention, kind in zip(unsure, types, strict=True):
            if kind is not None:
                self._take(mention, kind, LLM_CONFIDENCE)
            else:
                detail = f"{mention.type} at {mention.score:.2f}, below {self.settings.sure:g}; {said}"
                self._refuse("unsure", detail, self._text(mention))

    def relate(self, place: Passage, relation: LabelledRelation, meant: tuple[PhrasedRelation, ...]) -> None:
        """Draft a relation whose ends are accepted mentions of types that it joins."""
        spans = [(place.start + a, place.start + b) for a, b in (relation.head, relation.tail)]
        item = f"{' | '.join(self.document.text[a:b] for a, b in spans)} ({relation.label})"
        if relation.score < self.settings.relation:
            detail = f"{relation.score:.2f}, below {self.settings.relation:g}"
            self._refuse("unsure", detail, item)
            return
        head, tail = (self.taken.get(span) for span in spans)
        if head is None or tail is None:
            self._refuse("dangling_end", "an end is no accepted mention", item)
            return
        fit = fitting(meant, head[1], tail[1])
        if fit is None:
            self._refuse("wrong_end", f"{relation.label!r} does not join {head[1]} and {tail[1]}", item)
        elif head[0] == tail[0]:
            self._refuse("same_entity", "both ends are one entity", item)
        else:
            self.statements.append(
                DraftStatement(
                    subject=head[0],
                    type=fit.relation.name,
                    object=tail[0],
                    evidence=(Evidence(start=place.start, end=place.end, quote=place.text),),
                    confidence=relation.score,
                )
            )

    def extraction(self) -> Extraction:
        """Everything so far, mentions of one type and name as one draft."""
        return Extraction(
            extractor=self.extractor,
            records=tuple(self._draft(ref, mentions) for ref, mentions in self.records.items()),
            statements=tuple(self.statements),
            rejections=tuple(self.rejections),
        )

    def _take(self, mention: _Mention, kind: str, score: float) -> None:
        case = self.schema.entity(kind).case_sensitive
        ref = f"{kind}:{normalise_name(self._text(mention), case_sensitive=case)}"
        self.taken[mention.start, mention.end] = (ref, kind)
        kept = _Mention(mention.passage, mention.start, mention.end, kind, score)
        self.records.setdefault(ref, []).append(kept)

    def _draft(self, ref: str, mentions: list[_Mention]) -> DraftRecord:
        names = dict.fromkeys(" ".join(self._text(m).split()) for m in mentions)
        first, *others = names
        return DraftRecord(
            ref=ref,
            type=mentions[0].type,
            name=first,
            aliases=tuple(others),
            evidence=tuple(Evidence(start=m.start, end=m.end, quote=self._text(m)) for m in mentions),
            confidence=max(m.score for m in mentions),
        )

    def _text(self, mention: _Mention) -> str:
        return self.document.text[mention.start : mention.end]

    def _refuse(self, code: str, detail: str, item: str) -> None:
        self.rejections.append(Rejection(extractor=self.extractor, code=code, detail=detail, item=item[:200]))


def _mentions(
    places: Sequence[Passage], found: Sequence[LabelledText], labels: dict[str, str]
) -> list[_Mention]:
    """All spans as mentions of the document, in order of place."""
    return [
        _Mention(place, place.start + span.start, place.start + span.end, labels[span.label], span.score)
        for place, text in zip(places, found, strict=True)
        for span in text.spans
    ]
