"""Turns vetted graphs into labelled mentions, records and pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.learned_text import Mention, Text, read_text, split_words
from schemas.graphs import Evidence, Origin, Record, Statement, Status
from schemas.ids import RecordId
from schemas.learning import LabelledDocument

_ACCEPTED: Final = frozenset({Status.VETTED, Status.PUBLISHED})
_SHORT_QUOTE: Final = 6
"""Tokens up to which a quote that does not hold the name is taken to be the mention itself."""
_DISTINCTIVE: Final = 3
"""Characters from which a vetted name is looked for in the rest of a partly vetted text."""


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """An entity of one document with its mentions, in order of place; never empty."""

    id: RecordId
    type: str
    name: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One document as the models see it in training."""

    text: Text
    sentences: tuple[int, ...]
    """Numbers of the sentences in which what is not labelled is known to be no entity."""
    mentions: tuple[tuple[Mention, str], ...]
    """In these sentences, not overlapping, in order of place; with their types."""
    records: tuple[LabelledRecord, ...]
    relations: dict[tuple[RecordId, RecordId], frozenset[str]]
    """(subject, object) -> relation types that hold."""
    undecided: frozenset[frozenset[RecordId]]
    """Pairs about which nothing is known."""


def make_example(labelled: LabelledDocument) -> Example:
    """The labels of one document."""
    text = read_text(labelled.document)
    graph = labelled.graph
    accepted = [r for r in graph.records if r.status in _ACCEPTED and r.origin is Origin.TEXT]
    found = {r.id: mentions_of(text, r, everywhere=not labelled.complete) for r in accepted}
    records = tuple(LabelledRecord(r.id, r.type, r.name, tuple(found[r.id])) for r in accepted if found[r.id])
    sentences = _trusted(text, labelled, found)
    kept = frozenset(sentences)
    mentions = [(m, r.type) for r in records for m in r.mentions if m.sentence in kept]
    relations: dict[tuple[RecordId, RecordId], set[str]] = {}
    for statement in graph.statements:
        if statement.status in _ACCEPTED:
            relations.setdefault((statement.subject, statement.object), set()).add(statement.type)
    drafts = [s for s in graph.statements if s.status not in _ACCEPTED]
    return Example(
        text,
        sentences,
        tuple(apart(mentions)),
        records,
        {ends: frozenset(types) for ends, types in relations.items()},
        frozenset(frozenset((s.subject, s.object)) for s in _open(drafts, labelled)),
    )


def _open(drafts: Iterable[Statement], labelled: LabelledDocument) -> list[Statement]:
    rejected = {s.id for s in labelled.rejected_statements}
    return [s for s in drafts if s.id not in rejected]


def _trusted(
    text: Text, labelled: LabelledDocument, accepted: dict[RecordId, list[Mention]]
) -> tuple[int, ...]:
    if labelled.complete:
        return tuple(range(len(text.sentences)))
    refused = {r.id for r in labelled.rejected_records}
    decided = {m.sentence for mentions in accepted.values() for m in mentions}
    for record in labelled.rejected_records:
        decided.update(m.sentence for m in mentions_of(text, record))
    for record in labelled.graph.records:
        if record.id not in accepted and record.id not in refused and record.origin is Origin.TEXT:
            decided -= {m.sentence for m in mentions_of(text, record)}
    return tuple(sorted(decided))


def mentions_of(text: Text, record: Record, *, everywhere: bool = False) -> list[Mention]:
    """Where a record's evidence names it; with ``everywhere``, also where else its names stand."""
    names = sorted({n for n in (record.name, *record.aliases) if n.strip()}, key=lambda n: (-len(n), n))
    spans = {span for evidence in record.evidence for span in _named_in(evidence, names)}
    if everywhere:
        for name in names:
            if len(name) >= _DISTINCTIVE and any(c.isalpha() for c in name):
                spans.update(m.span() for m in re.finditer(_bounded(name), text.document.text))
    found = {m for span in spans if (m := text.mention_at(*span)) is not None}
    return [m for m, _ in apart((m, record.type) for m in found)]


def _named_in(evidence: Evidence, names: Sequence[str]) -> list[tuple[int, int]]:
    if any(" ".join(evidence.quote.split()) == name for name in names):
        return [(evidence.start, evidence.end)]
    for name in names:
        hits = [m.span() for m in re.finditer(_bounded(name), evidence.quote, re.IGNORECASE)]
        if hits:
            return [(evidence.start + a, evidence.start + b) for a, b in hits]
    short = len(split_words(evidence.quote)) <= _SHORT_QUOTE
    return [(evidence.start, evidence.end)] if short else []


def _bounded(name: str) -> str:
    words = r"\s+".join(re.escape(w) for w in name.split())
    return rf"(?<!\w){words}(?!\w)"


def apart(mentions: Iterable[tuple[Mention, str]]) -> list[tuple[Mention, str]]:
    """Mentions that do not overlap, the longer ones first chosen; in order of place.

    >>> a, b = Mention(0, 1, 3), Mention(0, 2, 3)
    >>> apart([(b, "x"), (a, "y")]) == [(a, "y")]
    True
    """
    chosen: list[tuple[Mention, str]] = []
    taken: set[tuple[int, int]] = set()
    for mention, kind in sorted(mentions, key=lambda x: (x[0].start - x[0].end, x[0], x[1])):
        tokens = {(mention.sentence, at) for at in range(mention.start, mention.end)}
        if not tokens & taken:
            taken |= tokens
            chosen.append((mention, kind))
    return sorted(chosen)
