"""Small counts beside a question: what emptied its result, and what the graph does hold."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from cypher import form as f
from cypher.conditions_looked_at import not_all
from cypher.explain import condition
from schemas.errors import QueryTimeoutError
from schemas.graph_schema import GraphSchema, RelationType
from schemas.questions import EntityMatch, Question, Scope, Value

log = logging.getLogger(__name__)

Rows = tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Probes:
    """``ask`` runs a form of one row within what is left of the question's time."""

    schema: GraphSchema
    question: Question
    ask: Callable[[f.Form], Rows]

    def holds(self, form: f.Form) -> bool | None:
        """Whether anything matches; None where no time is left to find out."""
        rows = self._rows(replace(form, head=f.Exists("n0")))
        return None if rows is None else bool(rows)

    def has(self, entity: EntityMatch, relation: RelationType) -> bool | None:
        """Whether the entity has a statement of the relation; None where that is not found out."""
        return self.holds(_statements(relation, entity.type, entity.id))

    def why_empty(self, form: f.Form) -> str:
        """Which condition emptied the result: each is dropped in turn; then what there is instead.

        Of what there was no time to look at, it is said that it was not looked at.
        """
        said = "The question fits the graph, but nothing in it matches"
        if form.shape == "check":
            said = "No statement in the graph says so"
        wanted = [c for c in form.conditions if not c.optional]
        held = [self.holds(form.without(c)) for c in wanted]
        culprits = [condition(form, c) for c, holds in zip(wanted, held, strict=True) if holds]
        left = not_all(held, of=len(wanted))
        instead = " ".join(t for c in wanted if c.attribute == "id" and (t := self._instead(form, c)))
        if culprits:
            text = f"{said}. Without one of these conditions there would be results: {'; '.join(culprits)}."
            return " ".join(x for x in (text, left, instead) if x)
        if self.question.scope is not Scope.ALL:
            return f"{said} among the facts that are {self.question.scope.value}. {left}".rstrip()
        surely = bool(held) and all(holds is False for holds in held)
        text = f"{said}{', even with any one condition left out' if surely else ''}."
        return " ".join(x for x in (text, left, instead) if x)

    def _instead(self, form: f.Form, c: f.Condition) -> str:
        """What there is of a named entity when the relation that is asked for is not among it."""
        if not isinstance(c.value, tuple) or len(c.value) != 1:
            return ""
        kind = form.node(c.var).type
        near = [r for r in self.schema.relations if kind in (*r.subjects, *r.objects)]
        counts = {r.name: self._count(_statements(r, kind, str(c.value[0]))) for r in near}
        asked = {e.relation for e in form.edges if c.var in (e.start, e.end)}
        missing = " and no ".join(f"'{_phrase(r)}'" for r in near if r.name in asked and counts[r.name] == 0)
        there = "; ".join(f"{n} '{_phrase(r)}'" for r in near if (n := counts[r.name]))
        if not missing:
            return ""
        text = f"The graph holds no statement {missing} for {c.shown}"
        if there:
            return f"{text}; it holds for it: {there}."
        return f"{text}." if None in counts.values() else f"{text}, nor any other."

    def knows(self, entity: EntityMatch, attribute: str) -> bool | None:
        """Whether the entity's attribute is known; None where that is not found out."""
        known = f.Condition("n0", attribute, f.Op.KNOWN)
        conditions = (f.Condition("n0", "id", f.Op.ONE_OF, (entity.id,)), known)
        return self.holds(f.Form("probe", (f.Node("n0", entity.type),), (), conditions, f.Exists("n0")))

    def _count(self, form: f.Form) -> int | None:
        """How many statements; None where no time is left to count."""
        rows = self._rows(replace(form, head=f.Count("r0")))
        if rows is None:
            return None
        return int(rows[0][0]) if rows and isinstance(rows[0][0], int) else 0

    def _rows(self, form: f.Form) -> Rows | None:
        try:
            return self.ask(form)
        except QueryTimeoutError:
            log.info("no time left to look around the question")
            return None


def _phrase(relation: RelationType) -> str:
    words = (relation.subjects[0], relation.name, relation.objects[0])
    return " ".join(w.replace("_", " ") for w in words)


def _statements(relation: RelationType, kind: str, entity: str) -> f.Form:
    """The statements of a relation with an entity at the end that fits its type."""
    subject = kind in relation.subjects
    start, end = ("n0", "n1") if subject else ("n1", "n0")
    other = (relation.objects if subject else relation.subjects)[0]
    return f.Form(
        "probe",
        (f.Node("n0", kind), f.Node("n1", other)),
        (f.Edge("r0", relation.name, start, end),),
        (f.Condition("n0", "id", f.Op.ONE_OF, (entity,)),),
        f.Exists("n0"),
    )
