"""Where a document mentions the entities that extractors found, and which of them a phrase means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extraction.assemble import canonical_name
from schemas.documents import Document
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import DraftRecord, Evidence, Extraction
from schemas.language.names import normalise_name

LONGEST_MENTION = 100
"""Characters of a quote that is taken for the mention itself when the name does not stand in it."""
LEAST_OVERLAP = 0.5
"""Share of words (Dice) from which a phrase means a mention that is not equal to it."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class EntityMention:
    """An entity at ``start:end`` of the document; ``ref`` is one per type and normalised name."""

    ref: str
    draft: DraftRecord
    start: int
    end: int
    text: str


def find_mentions(
    document: Document, schema: GraphSchema, found: Sequence[Extraction]
) -> tuple[EntityMention, ...]:
    """The mentions behind checked drafts, in order of place; the document's own record has none.

    A quote mentions the entity where its name or an alias stands in it; a short quote is the mention.
    """
    entities = {e.name: e for e in schema.entities if e.name != schema.document_type}
    mentions: dict[tuple[str, int, int], EntityMention] = {}
    for draft in (d for extraction in found for d in extraction.records if d.type in entities):
        ref = _ref(entities[draft.type], draft.name)
        for evidence in draft.evidence:
            for start, end in _spans(draft, evidence):
                mention = EntityMention(ref, draft, start, end, document.text[start:end])
                mentions.setdefault((ref, start, end), mention)
    return tuple(sorted(mentions.values(), key=lambda m: (m.start, m.end, m.ref)))


def align(phrase: str, mentions: Sequence[EntityMention]) -> tuple[tuple[EntityMention, ...], float]:
    """The mentions that a model's phrase may mean, and how well they agree, in [0, 1].

    Equal text comes first, then an equal normalised text, name or alias, then the largest share of common
    words, if it is at least ``LEAST_OVERLAP``. ``((), 0.0)`` when none agrees.
    """
    exact = tuple(m for m in mentions if m.text == phrase)
    if exact:
        return exact, 1.0
    key = _key(phrase)
    equal = tuple(m for m in mentions if key in {_key(form) for form in (m.text, *_forms(m.draft))})
    if equal:
        return equal, 1.0
    shares = [(overlap(phrase, m.text), m) for m in mentions]
    best = max((share for share, _ in shares), default=0.0)
    if best < LEAST_OVERLAP:
        return (), 0.0
    return tuple(m for share, m in shares if share == best), best


def overlap(left: str, right: str) -> float:
    """Dice coefficient of the two sets of words, without case.

    >>> overlap("the severe fever", "severe fever")
    0.8
    """
    a, b = ({*_WORD.findall(_key(text))} for text in (left, right))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _spans(draft: DraftRecord, evidence: Evidence) -> Iterator[tuple[int, int]]:
    named = False
    for form in _forms(draft):
        for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", evidence.quote, re.IGNORECASE):
            named = True
            yield evidence.start + match.start(), evidence.start + match.end()
    if not named and len(evidence.quote) <= LONGEST_MENTION:
        yield evidence.start, evidence.end


def _forms(draft: DraftRecord) -> tuple[str, ...]:
    return tuple(form for form in dict.fromkeys((draft.name, *draft.aliases)) if form.strip())


def _ref(entity: EntityType, name: str) -> str:
    key = normalise_name(canonical_name(entity, name), case_sensitive=entity.case_sensitive)
    return f"{entity.name}:{key}"


def _key(text: str) -> str:
    return normalise_name(text, case_sensitive=False)
