"""Sentence-relation rules: two entities of one sentence that a cue relates."""

from __future__ import annotations

from collections.abc import Iterator

from extraction.observables import find_observables
from extraction.passages import Passage
from extraction.rules_state import Mention, Reading

_REACH = 200
"""Characters between the two names at most."""


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
            if relating.rule.back and not any(m.type in relation.objects for m in mentions):
                before = _only_before(reading, passage, relation.objects)
                mentions += before
                earlier = reading.passages[passage.index - 1]
                spans = ((earlier.start, earlier.end), *spans) if before else spans
            for subject, target, gap in _pairs(mentions, relation.subjects, relation.objects):
                if (subject, relation.name, target, passage.index) in reading.related:
                    continue
                reading.statement(
                    (subject, target),
                    relation.name,
                    spans=spans,
                    confidence=0.7 if gap <= _REACH // 2 else 0.55,
                )


def _only_before(reading: Reading, passage: Passage, types: tuple[str, ...]) -> list[Mention]:
    """The only entity of these types in the sentence before, of the same paragraph."""
    if passage.index == 0 or reading.passages[passage.index - 1].block != passage.block:
        return []
    before = [m for m in reading.mentions.get(passage.index - 1, ()) if m.type in types]
    return before[-1:] if len({m.ref for m in before}) == 1 else []


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
        near = [(_gap(subject, m), m.start, m) for m in mentions if m.type in objects and m is not subject]
        if not near:
            continue
        gap, _, target = min(near, key=lambda entry: entry[:2])
        pair = (subject.ref, target.ref)
        if gap <= _REACH and pair not in seen and subject.ref != target.ref:
            seen.add(pair)
            yield (*pair, gap)


def _gap(left: Mention, right: Mention) -> int:
    return max(0, right.start - left.end, left.start - right.end)
