"""Observables that title and abstract say the document determines, with or without a printed value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from extraction.antecedents import with_antecedents
from extraction.coordination import coordinated
from extraction.observables import ObservableMention, find_observables
from extraction.passages import Passage
from extraction.rules_another import another_quantity
from extraction.rules_compile import Measuring
from extraction.rules_measure import is_operand
from extraction.rules_state import Determined, Reading
from schemas.documents import BlockKind

_SUMMARY = frozenset({BlockKind.TITLE, BlockKind.ABSTRACT})
_SURE, _COMPLETED = 0.65, 0.5
_OWN = re.compile(r"\s?(?:of|for|in|between)\s(?![\d(<~])")
"""What follows an observable that the sentence itself gives an argument, if none that is understood."""
_THEIRS = re.compile(
    r"\b(?:their|its|(?:the|their) (?:corresponding|respective))\s(?:[^\s.;]{1,20}\s){0,4}$", re.IGNORECASE
)
_COMPARED = re.compile(
    r"\b(?:compared (?:to|with)|(?:consistent|compatible|in agreement|agrees?) with|(?:relative|respect) to"
    r"|normali[sz]ed to)\b(?:(?!\b(?:and|measured|determined|reported|found)\b)[^.;:])*$",
    re.IGNORECASE,
)
_BACK = 3
"""Sentences back in which an incomplete observable's decay or particle is looked for."""


def read_announced(reading: Reading) -> None:
    """Records for the observables of title and abstract, and statements where no value made one.

    Runs after the measurements, so that what is only announced comes after what has a value.
    """
    for measuring in reading.rules.measurements:
        if measuring.announce is None:
            continue
        summary = [p for p in reading.passages if p.kind in _SUMMARY]
        for at, passage in enumerate(summary):
            if not _announces(measuring, passage):
                continue
            mentions = find_observables(passage.text, reading.terms(measuring))
            for mention in coordinated(passage.text, mentions, reading.terms(measuring)):
                if is_operand(passage.text, mention, len(passage.text)):
                    continue
                if another_quantity(passage.text, mention) or _is_compared_with(passage, mention):
                    continue
                for named in _named(mention, passage, summary[max(0, at - _BACK) : at]):
                    _announce(reading, measuring, passage, named)


def _is_compared_with(passage: Passage, mention: ObservableMention) -> bool:
    """Whether the clause compares the result with the observable, which is another's then."""
    return _COMPARED.search(passage.unified, max(0, mention.start - 120), mention.start) is not None


def _named(
    mention: ObservableMention, passage: Passage, before: Sequence[Passage]
) -> list[ObservableMention]:
    """The mention where it is complete, else with what stands before it in its sentence or those before."""
    if mention.name and (mention.sure or "{particle}" not in mention.template):
        return [mention]
    if _OWN.match(passage.unified, mention.end):
        return []
    if "{particle}" in mention.template and not _THEIRS.search(passage.unified[: mention.start]):
        return []
    return with_antecedents(
        replace(mention, name="", sure=False),
        [passage.text[: mention.start], *(p.text for p in reversed(before))],
    )


def _announces(measuring: Measuring, passage: Passage) -> bool:
    if measuring.announce is None or not measuring.announce.search(passage.unified):
        return False
    return measuring.exclude is None or not measuring.exclude.search(passage.unified)


def _announce(reading: Reading, measuring: Measuring, passage: Passage, mention: ObservableMention) -> None:
    relation = measuring.rule.relation
    confidence = _SURE if mention.sure else _COMPLETED
    known = reading.same.get(mention.name)
    name = known.name if known else mention.name
    ref = reading.record(
        reading.schema.relation(relation).objects[0],
        name,
        span=(passage.start + mention.start, passage.start + mention.end),
        aliases=(mention.name,) if known else (),
        attributes=known.attributes if known else mention.attributes,
        confidence=confidence,
    )
    if not reading.paper or any(d.ref == ref for d in reading.determined):
        return
    spans = ((passage.start, passage.end),)
    reading.statement((reading.paper, ref), relation, spans=spans, confidence=confidence)
    reading.determined.append(
        Determined(
            ref, known.name if known else mention.name, mention.template, mention.particle, passage.index
        )
    )
