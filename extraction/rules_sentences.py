"""Sentence-relation rules: two entities of one sentence that a cue relates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extraction.observables import find_observables
from extraction.passages import Passage
from extraction.rules_denied import denied
from extraction.rules_state import Mention, Reading
from schemas.documents import BlockKind

_REACH = 200
"""Characters between the two names at most."""
_BACK = 3
"""Sentences of the paragraph that are looked back at."""
_POINTS_BACK = re.compile(
    r"\b(?:this|these|its?|their|such|uncertaint(?:y|ies)|systematics?|effects?|impact|bias(?:es)?|differences?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that goes on about something named before."""
_FURTHEST = 30
"""Passages back in which the beginning of the item, or the heading, is looked for."""


def read_sentence_relations(reading: Reading) -> None:
    """For each sentence with a cue, relate every object to the nearest subject."""
    for relating in reading.rules.relations:
        relation = reading.schema.relation(relating.rule.relation)
        for passage in reading.passages:
            if relating.cues is not None and not relating.cues.search(passage.unified):
                continue
            mentions = list(reading.mentions.get(passage.index, ()))
            if not any(m.type in (*relation.subjects, *relation.objects) for m in mentions):
                continue
            mentions += observables_of(reading, passage, (*relation.subjects, *relation.objects))
            spans: tuple[tuple[int, int], ...] = ((passage.start, passage.end),)
            nothing = not any(m.type in relation.objects for m in mentions)
            if relating.rule.back and nothing and _POINTS_BACK.search(passage.unified):
                earlier, before = _above(reading, passage, relation.objects)
                mentions += before
                spans = ((earlier.start, earlier.end), *spans) if before else spans
            for subject, target, gap in _pairs(mentions, relation.subjects, relation.objects):
                if denied(passage.unified):
                    said = f"the sentence denies that it {relation.name} anything"
                    reading.reject("denied", said, f"{subject} | {target}")
                    continue
                if (subject, relation.name, target, passage.index) in reading.related:
                    continue
                reading.statement(
                    (subject, target),
                    relation.name,
                    spans=spans,
                    confidence=0.7 if gap <= _REACH // 2 else 0.55,
                )


def _above(reading: Reading, passage: Passage, types: tuple[str, ...]) -> tuple[Passage, list[Mention]]:
    """What the sentence is about: the only entity of a sentence before it in its paragraph, else what the
    list item or the section is headed with."""
    block = [p for p in _back(reading, passage) if p.block == passage.block]
    for earlier in block[:_BACK]:
        found = [m for m in reading.mentions.get(earlier.index, ()) if m.type in types]
        if found:
            return (earlier, found[-1:]) if len({m.ref for m in found}) == 1 else (passage, [])
    head = block[-1] if block and passage.kind is BlockKind.LIST_ITEM else _heading(reading, passage)
    found = [m for m in reading.mentions.get(head.index, ()) if m.type in types] if head else []
    return (head, found[:1]) if head and found else (passage, [])


def _back(reading: Reading, passage: Passage) -> Iterator[Passage]:
    for at in range(passage.index - 1, max(-1, passage.index - _FURTHEST), -1):
        yield reading.passages[at]


def _heading(reading: Reading, passage: Passage) -> Passage | None:
    near = (p for p in _back(reading, passage) if p.kind is BlockKind.HEADING)
    found = next(near, None)
    return found if found is not None and found.section == passage.section else None


def observables_of(reading: Reading, passage: Passage, types: tuple[str, ...]) -> Iterator[Mention]:
    """Observables of the sentence: complete ones, and the document's own where only the kind is said."""
    for measuring in reading.rules.measurements:
        kind = reading.schema.relation(measuring.rule.relation).objects[0]
        if kind not in types:
            continue
        for found in find_observables(passage.text, reading.terms(measuring)):
            same = {d.ref for d in reading.determined if d.term == found.template}
            own = {d.ref for d in reading.determined if d.name == found.name}
            ref = next(iter(own), "") or (next(iter(same)) if len(same) == 1 and not found.name else "")
            if ref:
                yield Mention(ref, kind, passage.start + found.start, passage.start + found.end)


def _pairs(
    mentions: list[Mention], subjects: tuple[str, ...], objects: tuple[str, ...]
) -> Iterator[tuple[str, str, int]]:
    """(subject ref, object ref, characters between them); each pair once, the nearest object per subject."""
    seen: set[tuple[str, str]] = set()
    for subject in (m for m in mentions if m.type in subjects):
        others = [m for m in mentions if m.type in objects and m is not subject]
        apart = [m for m in others if m.end <= subject.start or subject.end <= m.start]
        near = [(_gap(subject, m), m.start, m) for m in apart or others]
        if not near:
            continue
        gap, _, target = min(near, key=lambda entry: entry[:2])
        pair = (subject.ref, target.ref)
        if gap <= _REACH and pair not in seen and subject.ref != target.ref:
            seen.add(pair)
            yield (*pair, gap)


def _gap(left: Mention, right: Mention) -> int:
    return max(0, right.start - left.end, left.start - right.end)
