"""Measurement rules: "observable = value ± stat ± syst unit" makes the document determine the observable."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from extraction.antecedents import of_particle, owner, with_antecedents
from extraction.coordination import coordinated
from extraction.observables import ObservableMention, find_observables, has_argument
from extraction.passages import Passage, unified
from extraction.rules_another import another_quantity, is_change, is_selection, unit_differs
from extraction.rules_compile import Measuring
from extraction.rules_errors import with_order
from extraction.rules_own import SUMMARY, foreign, is_own_place
from extraction.rules_state import Determined, Mention, Reading
from extraction.rules_symbols import define_symbols
from extraction.rules_terms import Terms
from schemas.documents import BlockKind
from schemas.graph_schema import MeasurementRule
from schemas.language.quantities import Quantity, find_quantities
from schemas.model import AttributeValue

_SYMBOLIC = re.compile(r"[\s=<>≤≥≲≳≈~:&(){}\[\]≡|]*")
_LINK = re.compile(
    r"=|<|>|\b(?:is|are|was|were|to be|of|yields?|gives?|found|measured|obtained|determined|limits?)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(r"\s{0,3}[,;.]{0,2}\s{0,3}(?:\d{1,3}\s)?(?:and|for|in|at|when|;)?\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s{0,3}(?P<text>(?:for|in the|when)\s[^;\n]{3,120}?)\s{0,2}(?:[,.]?(?:;|\n|$)|[,.]\s)"
)
_OPERAND = re.compile(r"(?:[·×⋅*/]|\s[-\u2212+])\s?\(?\s?$")
"""Before an observable that is a factor, divisor or term: the value is the whole expression's."""
_GOES_ON = re.compile(r"\s?\^\s?\{?\d|[\s)\]}]{0,4}(?:[·×⋅*/]|\s[-\u2212+]\s)[^=<>]{1,60}[=<>]")
"""After an observable that is squared, or the first operand of an expression that has the value."""
_ANOTHERS = re.compile(r"(?:=|\b(?:with|where|using)\s)[^=]{0,60}[^\W\d_][^\s=]{0,30}\s?=\s?[({\[]{0,2}\s?$")
"""A gap that ends in an equation of another symbol."""
_BOUND = re.compile(r"\b(?:limit|bound)s?\b", re.IGNORECASE)
_REACH = 160
_BACK = 3
"""Sentences back in which an incomplete observable's decay or particle is looked for."""
_SLOTS = re.compile(r"\{(\w+)\}")
_HEADS = re.compile(r",?\s(?:and\s)?(?:the\s|its\s|their\s|natural\s|total\s){0,2}")
_THEIRS = re.compile(r"\b(?:its|their)\s(?:\S{1,20}\s){0,2}$", re.IGNORECASE)
_ITS = re.compile(r"\bits\s(?:[^\s.;,]{1,20}\s){0,4}$", re.IGNORECASE)
_LIMIT_ON = re.compile(r"[^.;]{0,60}?\bon (?:the |its |their )?(?:[a-z-]{3,14} ){0,2}$")


@dataclass(frozen=True, slots=True)
class _Link:
    observable: ObservableMention
    quantity: Quantity
    confidence: float
    condition: str


def read_measurements(reading: Reading) -> None:
    """All measured values of sentences, equations and captions; then the decays they were measured with."""
    for measuring in reading.rules.measurements:
        define_symbols(reading, measuring)
        for passage in reading.passages:
            _read_passage(reading, measuring, passage)
        if measuring.rule.link_decays:
            _link_decays(reading, measuring.rule, reading.terms(measuring))


def _read_passage(reading: Reading, measuring: Measuring, passage: Passage) -> None:
    quantities = [q for q in find_quantities(passage.text) if q.errors or _is_limit(passage.text, q)]
    if not quantities:
        return
    quantities = with_order(quantities, reading.passages, passage.index)
    terms = reading.terms(measuring)
    found = [o for o in find_observables(passage.text, terms) if not is_selection(passage.text, o)]
    observables = coordinated(passage.text, found, terms)
    for link in _links(passage.text, observables, quantities):
        item = f"{link.observable.template} = {link.quantity.text}"
        reason = foreign(reading, measuring, passage, link.quantity)
        another = _another(passage.text, link)
        if reason or another:
            reading.linked.add((passage.index, link.quantity.start))
            reading.reject("not_own_result" if reason else "another_quantity", reason or another, item)
        elif not reading.paper:
            reading.reject(
                "no_document_record", "no document rule made a record that could determine it", item
            )
        else:
            _determine(reading, measuring, passage, link)


def _another(text: str, link: _Link) -> str:
    """Why the value is one of another quantity than the observable, or an empty string."""
    words = another_quantity(text, link.observable)
    if words:
        return f"expected a value of the observable itself, found one of its {words!r}"
    if is_change(text[link.observable.end : link.quantity.start]):
        return "expected a value of the observable, found by how much it changes or differs"
    if unit_differs(link.observable, link.quantity.unit):
        return f"expected a unit of the observable's kind, found {link.quantity.unit!r}"
    return ""


def _links(text: str, observables: list[ObservableMention], quantities: list[Quantity]) -> Iterator[_Link]:
    previous: _Link | None = None
    groups = [list(g) for _, g in groupby(observables, key=lambda o: (o.start, o.end))]
    yield from _limits_before(text, groups, quantities)
    for group, mine in _shared_out(text, groups, quantities):
        if len(group) > 1:
            yield from _respectively(text, group, mine)
            continue
        [nearest] = group
        if is_operand(text, nearest, mine[0].start):
            continue
        for quantity in mine:
            between = previous is not None and previous.quantity.start >= nearest.end
            confidence = 0.0 if between else _confidence(text[nearest.end : quantity.start])
            link: _Link | None = None
            if confidence:
                link = _Link(nearest, quantity, confidence, _condition(text, quantity))
            elif (
                previous is not None
                and previous.observable is nearest
                and _continues(text, previous, quantity)
            ):
                link = _Link(nearest, quantity, previous.confidence - 0.1, _condition(text, quantity))
            if link is not None:
                yield link
                previous = link


def is_operand(text: str, mention: ObservableMention, end: int) -> bool:
    """Whether the observable is part of a larger expression that ends before ``end``."""
    before = _OPERAND.search(text, max(0, mention.start - 4), mention.start)
    return before is not None or _GOES_ON.match(text, mention.end, min(len(text), end + 1)) is not None


def _limits_before(
    text: str, groups: list[list[ObservableMention]], quantities: list[Quantity]
) -> Iterator[_Link]:
    """ "An upper limit of VALUE at 90% confidence level is set on the OBSERVABLE"."""
    for quantity in quantities:
        after = [g for g in groups if g[0].start > quantity.end]
        between = any(q.start > quantity.end and after and q.end < after[0][0].start for q in quantities)
        if quantity.limit and after and not between and not any(g[0].end <= quantity.start for g in groups):
            group = after[0]
            if len(group) == 1 and _LIMIT_ON.fullmatch(text, quantity.end, group[0].start):
                yield _Link(group[0], quantity, 0.7, "")


_Shared = tuple[list[ObservableMention], list[Quantity]]


def _shared_out(
    text: str, groups: list[list[ObservableMention]], quantities: list[Quantity]
) -> Iterator[_Shared]:
    """Each group of observables with the quantities that stand after it and before the next."""
    groups = _joined(groups, text, quantities)
    for at, group in enumerate(groups):
        ends = groups[at + 1][0].end if at + 1 < len(groups) else math.inf
        mine = [q for q in quantities if group[0].end <= q.start < ends]
        if mine:
            yield group, mine


def _joined(
    groups: list[list[ObservableMention]], text: str, quantities: list[Quantity]
) -> list[list[ObservableMention]]:
    """ "Its mass and width" as one group, where as many values follow before the next observable."""
    made: list[list[ObservableMention]] = []
    for at, group in enumerate(groups):
        ends = groups[at + 1][0].start if at + 1 < len(groups) else math.inf
        values = [q for q in quantities if group[0].end <= q.start < ends]
        before = made[-1] if made else []
        joined = bool(before) and _HEADS.fullmatch(unified(text[before[-1].end : group[0].start])) is not None
        if (
            joined
            and len(values) == len(before) + len(group)
            and len({o.start for o in before}) == len(before)
        ):
            made[-1] = [*before, *group]
        else:
            made.append(group)
    return made


def _respectively(text: str, group: list[ObservableMention], quantities: list[Quantity]) -> Iterator[_Link]:
    """The members of an enumeration with as many values, in order; with another number of values nothing."""
    confidence = _confidence(text[group[-1].end : quantities[0].start])
    if confidence and len(group) == len(quantities):
        for observable, quantity in zip(group, quantities, strict=True):
            yield _Link(observable, quantity, confidence - 0.1, "")


def _is_limit(text: str, quantity: Quantity) -> bool:
    """Whether a bound is a result: with a confidence level, or called a limit; else it is a selection."""
    if not quantity.limit:
        return False
    before = text[max(0, quantity.start - _REACH) : quantity.start]
    return quantity.confidence_level is not None or _BOUND.search(before) is not None


def _confidence(gap: str) -> float:
    if _SYMBOLIC.fullmatch(gap):
        return 0.9
    linked = len(gap) <= _REACH and _LINK.search(gap) and ". " not in gap
    return 0.7 if linked and not _ANOTHERS.search(gap) else 0.0


def _continues(text: str, previous: _Link, quantity: Quantity) -> bool:
    """Whether a further value of the same observable follows, each with its own range of validity."""
    gap = text[previous.quantity.end : quantity.start]
    return bool(previous.condition) and len(gap) <= _REACH and _FURTHER.match(gap) is not None


def _condition(text: str, quantity: Quantity) -> str:
    found = _CONDITION.match(text, quantity.end)
    return " ".join(found["text"].split()) if found else ""


def _determine(reading: Reading, measuring: Measuring, passage: Passage, link: _Link) -> None:
    observable, sure = _completed(reading, measuring, passage, link.observable)
    if not sure and not is_own_place(reading, measuring, passage) and measuring.own is not None:
        observable = replace(observable, name="")
    item = f"{link.observable.template} = {link.quantity.text}"
    if not observable.name:
        reading.reject("underspecified_observable", "no decay or particle completes the name", item)
        return
    reading.linked.add((passage.index, link.quantity.start))
    relation = measuring.rule.relation
    span = (passage.start + link.observable.start, passage.start + link.observable.end)
    confidence = link.confidence if sure else link.confidence - 0.2
    ref = reading.record(
        reading.schema.relation(relation).objects[0],
        observable.name,
        span=span,
        attributes=observable.attributes,
        aliases=_alias(passage.text[link.observable.start : link.observable.end]),
        confidence=confidence,
    )
    attributes = values_of(link.quantity)
    if measuring.rule.condition and link.condition:
        attributes[measuring.rule.condition] = link.condition
    spans = ((passage.start, passage.end),)
    ends = (reading.paper, ref)
    reading.statement(ends, relation, spans=spans, attributes=attributes, confidence=confidence)
    reading.determined.append(
        Determined(ref, observable.name, observable.template, observable.particle, passage.index)
    )


def _alias(written: str) -> tuple[str, ...]:
    plain = " ".join(written.split())
    return (plain,) if 1 < len(plain) <= 80 else ()


def _completed(
    reading: Reading, measuring: Measuring, passage: Passage, observable: ObservableMention
) -> tuple[ObservableMention, bool]:
    """The mention with a name: its own, or the one that the passage before it completes."""
    unsure = "{particle}" in observable.template and not observable.sure
    if unsure and _ITS.search(passage.unified, 0, observable.start):
        return _of_its_owner(reading, passage, observable)
    if observable.name:
        return observable, observable.sure
    if passage.index == 0 or has_argument(passage.text, observable.start, observable.end):
        return observable, False
    before = reading.passages[passage.index - 1]
    if passage.kind is not BlockKind.EQUATION and before.block != passage.block:
        return (_from_summary(reading, passage, observable) or observable), False
    named = [
        o
        for o in find_observables(before.text, reading.terms(measuring))
        if o.template == observable.template and o.name
    ]
    if len({o.name for o in named}) == 1:
        return named[0], False
    context = before.text + "\n" + passage.text
    again = find_observables(context, reading.terms(measuring))
    shifted = [o for o in again if o.start == observable.start + len(before.text) + 1 and o.name]
    if shifted:
        return shifted[0], False
    return (_from_summary(reading, passage, observable) or observable), False


def _of_its_owner(
    reading: Reading, passage: Passage, observable: ObservableMention
) -> tuple[ObservableMention, bool]:
    """ "Its mass": of the particle that the clause or the sentence before is about, not a decay's parent."""
    back = reading.passages[max(0, passage.index - 1) : passage.index]
    name, found = owner(passage.text[: observable.start], back[0].text if back else "")
    blank = replace(observable, name="", particle="")
    if name:
        return of_particle(blank, name), True
    return (blank if found else _from_summary(reading, passage, blank) or blank), False


def _from_summary(
    reading: Reading, passage: Passage, observable: ObservableMention
) -> ObservableMention | None:
    """In title and abstract: completed by what "its" stands for, else by the decay that they are about."""
    if passage.kind not in SUMMARY:
        return None
    back = reading.passages[max(0, passage.index - _BACK) : passage.index]
    before = passage.text[: observable.start]
    slots = _SLOTS.findall(observable.template)
    if slots != ["decay"] or _THEIRS.search(before):
        found = with_antecedents(observable, [before, *(p.text for p in reversed(back))])
        return found[0] if len(found) == 1 else None
    topic = next((d for p in reading.passages if p.kind in SUMMARY for d in reading.decays_in(p.index)), None)
    if topic is None or topic.decay is None:
        return None
    return replace(observable, name=observable.template.replace("{decay}", topic.decay.name))


def values_of(quantity: Quantity) -> dict[str, AttributeValue]:
    """Value, unit, errors and limit as the relation's attributes."""
    values: dict[str, AttributeValue] = {
        "value_text": " ".join(quantity.text.split()),
        "value": quantity.value,
        "unit": quantity.unit,
    }
    if quantity.limit and not quantity.errors:
        values["limit"] = quantity.limit
    if quantity.confidence_level is not None:
        values["confidence_level"] = quantity.confidence_level
    for label in ("stat", "syst"):
        term = quantity.error("stat" if label == "stat" else "syst")
        if term is not None:
            values[f"{label}_plus"], values[f"{label}_minus"] = term.plus, term.minus
    total = quantity.total()
    if total is not None:
        values["total_plus"], values["total_minus"] = total.plus, total.minus
    return {key: value for key, value in values.items() if value != ""}


def _link_decays(reading: Reading, rule: MeasurementRule, terms: Terms) -> None:
    """Relate each determined observable to the decays of its sentence and to the abstract's one decay."""
    relation = rule.link_decays or ""
    summary = {
        d.decay.name
        for p in reading.passages
        if p.kind in SUMMARY
        for d in reading.decays_in(p.index)
        if d.decay is not None
    }
    names = {d.name: d for d in reading.determined}
    for passage in reading.passages:
        decays = reading.decays_in(passage.index)
        here = {d.name for d in reading.determined if d.passage == passage.index}
        if not decays or not (passage.kind in SUMMARY or here):
            continue
        here |= {o.name for o in find_observables(passage.text, terms) if o.name in names}
        for decay in decays:
            for name in sorted(set(names) if passage.kind in SUMMARY else here):
                confidence = _fit(names[name], decay, near=name in here or len(summary) == 1)
                if confidence:
                    spans = ((passage.start, passage.end),)
                    reading.statement(
                        (names[name].ref, decay.ref), relation, spans=spans, confidence=confidence
                    )


def _fit(observable: Determined, decay: Mention, *, near: bool) -> float:
    """How sure it is that the observable is measured with the decay; 0 for not.

    ``near``: the two stand in one sentence, or the abstract speaks of no other decay.
    """
    if decay.decay is None:
        return 0.0
    if decay.decay.name in observable.name:
        return 0.95
    if " -> " in observable.name or not near:
        return 0.0
    if observable.particle:
        return 0.75 if decay.decay.parent == observable.particle else 0.0
    return 0.7
