"""A reading from the linked words and the form of a question."""

from __future__ import annotations

from dataclasses import replace

from cypher import form as f
from cypher.answers.reading import Phrase, Reading
from cypher.decide import Decision
from cypher.general.ask import SHAPE
from cypher.general.plan import CountOf, Plan
from cypher.link import EntityWord, Linked, Option, Span, YearWord
from cypher.normalise import tokenise
from cypher.schema_words import AttributeWord, TypeWord, ValueWord


def reading(text: str, linked: Linked, decision: Decision, plan: Plan | None = None) -> Reading:
    """The reading of a cleaned question: by a shape, or by a plan where no shape fits."""
    tokens = tokenise(text)
    phrases = tuple(
        Phrase(tokens[s.start].start, tokens[s.end - 1].end, s.text, _kinds(s)) for s in linked.spans
    )
    form = decision.form
    if plan is not None:
        return Reading(
            understood=True,
            signature=repr(plan),
            shape=SHAPE,
            counts=isinstance(plan.head, CountOf),
            conditions=frozenset(map(repr, plan.root.branches)),
            phrases=phrases,
        )
    if form is None:
        return Reading(False, decision.reason, phrases=phrases)
    return Reading(
        understood=True,
        signature=repr(replace(form, shape="")),
        shape=form.shape,
        counts=isinstance(form.head, f.Count),
        conditions=frozenset(_condition(form, c) for c in form.conditions if not c.optional),
        phrases=phrases,
    )


def _condition(form: f.Form, c: f.Condition) -> str:
    owner = form.edge(c.var).relation if form.is_edge(c.var) else form.node(c.var).type
    return f"{owner} {c.attribute} {c.op.value} {c.value!r}"


def _kinds(span: Span) -> frozenset[str]:
    return frozenset(k for option in span.options for k in _kind(option))


def _kind(option: Option) -> tuple[str, ...]:
    match option:
        case EntityWord(matches):
            return tuple(f"entity {m.type}" for m in matches)
        case ValueWord(owner=owner, attribute=attribute):
            return (f"value {owner} {attribute}",)
        case TypeWord():
            return ("type",)
        case AttributeWord(attribute=attribute):
            return (f"attribute {attribute}",)
        case YearWord():
            return ("year",)
        case _:
            return ("word",)
