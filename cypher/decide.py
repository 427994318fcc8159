"""Chooses the form: answer, ask which reading was meant, or say what cannot be expressed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cypher import joints, unsupported
from cypher.at_once import impossible
from cypher.explain import explain, one
from cypher.form import Form
from cypher.link import EntityWord, Linked
from cypher.namesakes import with_namesakes
from cypher.not_understood import nearest, stops
from cypher.notes import notes
from cypher.schema_graph import error_attributes, valued_relation
from cypher.shapes import Candidate, candidates
from cypher.slots import Slots, Value, readings, with_raw_values
from cypher.word_lists import AUXILIARIES
from schemas.graph_schema import GraphSchema
from schemas.questions import EntityMatch, Outcome

_LISTING = {"there", "you", "we", "i", "any"}
_MARGIN = 0.05
_EACH = "What has each of several values is not understood here; ask for one of them, or join them with 'or'."
_TWO_ERRORS = "Of two errors as printed the first is the statistical one and the second the systematic one."
_MOST_OTHERS = 3
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
    forms: tuple[Form, ...] = ()
    """The readings between which it could not be decided, best first."""
    others: tuple[Form, ...] = ()
    """Other readings of a question that is answered, the nearest first."""


def decide(text: str, linked: Linked, schema: GraphSchema) -> Decision:
    """The best form, if every condition of the question is part of it and no other reading is as good."""
    linked = with_raw_values(linked, schema)
    entities = tuple(o.matches[0] for s in linked.spans for o in s.options if isinstance(o, EntityWord))
    if not linked.spans:
        reason = " ".join(["The question names nothing that the graph knows.", *nearest(_names_near(linked))])
        return _no(Outcome.UNANSWERABLE, reason, entities)
    if linked.unexplained:
        return _no(Outcome.UNANSWERABLE, _unexplained(linked, schema), entities)
    yes_no = _asks_yes_or_no(text)
    linked = replace(linked, spans=joints.without(joints.either_or(linked.spans)))
    linked = unsupported.without_plain_all(linked, yes_no=yes_no)
    cannot = joints.mixed(linked.spans) or unsupported.reason(linked)
    if cannot:
        return _no(Outcome.UNANSWERABLE, cannot, entities)
    found: list[Candidate] = []
    problems: list[str] = []
    for slots in readings(linked, schema, yes_no=yes_no):
        if slots.problem:
            problems.append(slots.problem)
        else:
            found.extend(candidates(schema, slots))
    best = _best(found)
    if not best:
        known = ", ".join(f"'{s.text}'" for s in linked.spans)
        reason = f"The words are known ({known}), but no kind of question puts them together like this."
        return _no(
            Outcome.UNANSWERABLE, next(iter(problems), "") or unsupported.hint(linked) or reason, entities
        )
    if apart := impossible(best[0].form):
        return _no(Outcome.UNANSWERABLE, apart, entities)
    if any(c.each for c in best):
        return _no(Outcome.UNANSWERABLE, _EACH, entities)
    namesakes = with_namesakes(best)
    if namesakes is not None:
        best = [namesakes[0]]
    if len(best) > 1:
        options = tuple(dict.fromkeys(explain(c.form, schema) for c in best[:4]))
        asked_back = _no(
            Outcome.AMBIGUOUS, "This can be read in more than one way. Which is meant?", entities, options
        )
        return replace(asked_back, forms=tuple(c.form for c in best[:4]))
    assumptions = (
        *linked.assumptions,
        *_assumed(best[0].slots, schema),
        *((namesakes[1],) if namesakes else _chosen(linked, best[0].slots)),
        *notes(best[0].form),
        *_errors(best[0].slots, schema),
    )
    confidence = _SURE if best[0].slots.sure else _NEAR
    return Decision(
        best[0].form,
        assumptions=assumptions,
        entities=entities,
        confidence=confidence,
        others=_others(found, best[0]),
    )


def _asks_yes_or_no(text: str) -> bool:
    """ "Does P determine X", but not "Are there papers", "Can you list"."""
    words = text.lower().split()
    return words[0] in AUXILIARIES and not (len(words) > 1 and words[1] in _LISTING)


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


def _others(found: list[Candidate], best: Candidate) -> tuple[Form, ...]:
    """The forms of the candidates that come next after the best one, at most three."""
    kept: dict[Form, Form] = {}
    for c in sorted(found, key=lambda c: -c.score):
        kept.setdefault(replace(c.form, shape=""), c.form)
    kept.pop(replace(best.form, shape=""), None)
    return tuple(kept.values())[:_MOST_OTHERS]


def others_told(decision: Decision, schema: GraphSchema) -> tuple[str, ...]:
    """The other readings of a decision in English."""
    told = dict.fromkeys(explain(form, schema) for form in decision.others)
    return tuple(x for x in told if decision.form is None or x != explain(decision.form, schema))


def _unexplained(linked: Linked, schema: GraphSchema) -> str:
    for span in linked.unexplained:
        known = unsupported.word(span)
        if known:
            return known
    return stops([s.text for s in linked.unexplained], _names_near(linked), schema)


def _names_near(linked: Linked) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"'{m.name}' ({m.type.replace('_', ' ')})" for m in linked.near[:3]))


def _chosen(linked: Linked, slots: Slots) -> tuple[str, ...]:
    """Which of the things with one name was taken."""
    said = []
    for span in linked.spans:
        names = {m.id: m for o in span.options if isinstance(o, EntityWord) for m in o.matches}
        taken = [m for m in slots.entities if m.id in names]
        others = [m for m in names.values() if m not in taken]
        if taken and others:
            kinds = " and ".join(dict.fromkeys(one(m.type.replace("_", " ")) for m in others))
            kind = taken[0].type.replace("_", " ")
            said.append(f"'{span.text}' was read as the {kind} '{taken[0].name}'; {kinds} has that name too.")
    return tuple(said)


def _errors(slots: Slots, schema: GraphSchema) -> tuple[str, ...]:
    """Which error is which, where one of them is asked for."""
    valued = valued_relation(schema)
    known = error_attributes(valued) if valued else frozenset()
    asked = any(valued and a.owner == valued.name and a.attribute in known for a in slots.attributes)
    return (_TWO_ERRORS,) if asked else ()


def _of(value: Value, schema: GraphSchema) -> str:
    types = {e.name for e in schema.entities}
    return f" of the {value.word.owner.replace('_', ' ')}" if value.word.owner in types else ""


def _quoted(value: Value) -> str:
    return " or ".join(f"'{v}'" for v in value.alternatives or (value.word.value,))


def _assumed(slots: Slots, schema: GraphSchema) -> tuple[str, ...]:
    return tuple(
        f"'{v.text}' was read as the {v.word.attribute.replace('_', ' ')}{_of(v, schema)} ({_quoted(v)})."
        for v in slots.values
    )
