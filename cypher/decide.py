"""Chooses the form: answer, ask which reading was meant, or say what cannot be expressed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cypher.explain import explain
from cypher.form import Form
from cypher.link import EntityWord, Linked
from cypher.shapes import Candidate, candidates
from cypher.slots import Slots, readings, with_raw_values
from schemas.graph_schema import GraphSchema
from schemas.questions import EntityMatch, Outcome

_AUXILIARIES = {"is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can"}
_MARGIN = 0.05
_SURE, _NEAR = 0.95, 0.75
"""Confidence of an answer whose names all matched exactly, and of one with a near spelling."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A form to run, or an outcome with its reason."""

    form: Form | None
    outcome: Outcome = Outcome.ANSWERED
    reason: str = ""
    options: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    entities: tuple[EntityMatch, ...] = ()
    confidence: float = 0.0


def decide(text: str, linked: Linked, schema: GraphSchema) -> Decision:
    """The best form, if every condition of the question is part of it and no other reading is as good."""
    linked = with_raw_values(linked, schema)
    entities = tuple(o.matches[0] for s in linked.spans for o in s.options if isinstance(o, EntityWord))
    if not linked.spans:
        return _no(Outcome.UNANSWERABLE, "The question names nothing that the graph knows.", entities)
    if linked.unexplained:
        return _no(Outcome.UNANSWERABLE, _unexplained(linked), entities)
    yes_no = text.split(maxsplit=1)[0].lower() in _AUXILIARIES
    found: list[Candidate] = []
    for slots in readings(linked, yes_no=yes_no):
        found.extend(candidates(schema, slots))
    best = _best(found)
    if not best:
        known = ", ".join(f"'{s.text}'" for s in linked.spans)
        reason = f"The words are known ({known}), but no kind of question puts them together like this."
        return _no(Outcome.UNANSWERABLE, reason, entities)
    if len(best) > 1:
        options = tuple(dict.fromkeys(explain(c.form, schema) for c in best[:4]))
        return _no(
            Outcome.AMBIGUOUS, "This can be read in more than one way. Which is meant?", entities, options
        )
    assumptions = (*linked.assumptions, *_assumed(best[0].slots), *_defaults(best[0].form))
    confidence = _SURE if best[0].slots.sure else _NEAR
    return Decision(best[0].form, assumptions=assumptions, entities=entities, confidence=confidence)


def _no(
    outcome: Outcome, reason: str, entities: tuple[EntityMatch, ...], options: tuple[str, ...] = ()
) -> Decision:
    return Decision(None, outcome, reason, options, entities=entities)


def _best(found: list[Candidate]) -> list[Candidate]:
    """Candidates of the highest score whose forms differ."""
    top = max((c.score for c in found), default=0.0)
    kept: dict[Form, Candidate] = {}
    for c in found:
        if c.score >= top - _MARGIN:
            kept.setdefault(replace(c.form, shape=""), c)
    return list(kept.values())


def _unexplained(linked: Linked) -> str:
    phrases = ", ".join(f"'{s.text[:80]}'" for s in linked.unexplained)
    names = ", ".join(dict.fromkeys(f"'{m.name}' ({m.type.replace('_', ' ')})" for m in linked.near[:3]))
    text = f"The graph knows nothing called {phrases}, and an answer that leaves it out would mislead."
    return f"{text} Nearest names: {names}." if names else text


def _assumed(slots: Slots) -> tuple[str, ...]:
    return tuple(
        f"'{v.text}' was read as the {v.word.attribute.replace('_', ' ')} of the "
        f"{v.word.owner.replace('_', ' ')} ('{v.word.value}')."
        for v in slots.values
    )


def _defaults(form: Form) -> tuple[str, ...]:
    notes = []
    if form.shape == "most_precise":
        notes.append(
            "Most precise means the smallest total error (as listed, else statistical and systematic error "
            "added in quadrature, mean of upper and lower), for each unit and column; limits are left out."
        )
        if any(c.optional and c.attribute == "superseded_by" for c in form.conditions):
            notes.append("Values that a later paper replaced are left out.")
    return tuple(notes)
