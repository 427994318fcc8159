"""What can be read of a question that cannot be read whole: readings that leave words out.

They are drafts for a chat model and never answers: a condition that is left out makes another question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cypher.compose import compose
from cypher.explain import explain
from cypher.form import Form
from cypher.general.explain import explain as explain_plan
from cypher.general.kinds import kind_graph
from cypher.general.plan import Plan
from cypher.general.write import write
from cypher.generation.ports import Draft
from cypher.link import EntityWord, Linked, Span
from cypher.normalise import clean, tokenise
from cypher.understanding import Understood
from cypher.wordings import cut
from schemas.graph_schema import GraphSchema
from schemas.questions import Question

MOST: Final = 3
"""Readings of one question."""
MOST_TRIES: Final = 12
"""Sets of words that are left out in turn."""


@dataclass(frozen=True, slots=True)
class Partly:
    """A form or a plan, and the words that it leaves out."""

    form: Form | None
    plan: Plan | None
    left: tuple[str, ...] = ()


def partial_drafts(
    question: Question, read: Callable[[str], Understood], schema: GraphSchema
) -> Iterator[Draft]:
    """The best readings of an unread question as queries, not run."""
    for found in partly(clean(question.text), read):
        if found.plan is not None:
            written = write(found.plan, kind_graph(schema), row_cap=question.limit + 1)
            yield Draft(explain_plan(found.plan, schema), written.text, written.parameters, found.left)
        elif found.form is not None:
            made = compose(found.form, schema, scope=question.scope, row_cap=question.limit + 1)
            yield Draft(explain(found.form, schema), made.text, made.parameters, found.left)


def partly(text: str, read: Callable[[str], Understood]) -> tuple[Partly, ...]:
    """Readings of a question, those first that leave least out; of one that can be read, that alone.

    None where it lies between whole readings: those are drafts of another kind.
    """
    whole = read(text)
    if whole.decision.forms and whole.plan is None:
        return ()
    if ways := tuple(_ways(whole, ())):
        return ways
    found: dict[Form | Plan | None, Partly] = {}
    for spans in islice(_left_out(whole.linked), MOST_TRIES):
        less = _without(whole.linked.text or text, spans)
        for one in _ways(read(less), tuple(s.text for s in spans)) if less.split() else ():
            found.setdefault(one.plan or one.form, one)
        if len(found) >= MOST:
            break
    return tuple(found.values())[:MOST]


def _ways(read: Understood, left: tuple[str, ...]) -> Iterator[Partly]:
    if read.plan is not None:
        yield Partly(None, read.plan, left)
    elif read.decision.form is not None:
        yield Partly(read.decision.form, None, left)
    else:
        yield from (Partly(f, None, left) for f in read.decision.forms)


def _left_out(linked: Linked) -> Iterator[tuple[Span, ...]]:
    """What may be left out in turn: all that is unknown, then one phrase more, names of things last."""
    unknown = linked.unexplained
    if unknown:
        yield unknown
    for one in sorted((s for s in linked.spans if s.options), key=_names_a_thing):
        yield tuple(sorted((*unknown, one), key=lambda s: s.start))


def _names_a_thing(span: Span) -> bool:
    return any(isinstance(o, EntityWord) for o in span.options)


def _without(text: str, spans: Sequence[Span]) -> str:
    tokens = tokenise(text)
    for span in reversed(spans):
        text = cut(text, tokens[span.start].start, tokens[span.end - 1].end)
    return " ".join(text.split())
