"""Two questions in one text, of which the second is about the measurement that the first asks for.

"Which decay gives the most precise X, and which uncertainties dominate there?" asks for what belongs to X,
and for what its documents rank for X. Each half is read by itself, with X in the place of what points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from cypher import form as f
from cypher.general.kinds import Derived
from cypher.general.kinds import Form as KindForm
from cypher.general.plan import ListOf, Plan, Ranking, Tree
from cypher.normalise import quoted_spans
from cypher.schema_graph import hops_from, strength_attributes, valued_relation
from cypher.understanding import Understood
from schemas.graph_schema import GraphSchema

_BREAK: Final = re.compile(
    r"^(?P<first>[^?;]+?)(?:\? (?:and )?|[,;]? and |; )(?P<second>(?:which|what)\b[^?;]+)[?.]?$",
    re.IGNORECASE,
)
_OF_IT: Final = r"(?:measurement|determination|analysis|study|result|value|quantity)"
_POINTS: Final = re.compile(
    rf"\b(?P<at>(?:for|of|in|on|to) )?(?:(?:that|this|my|our|the) {_OF_IT}|it|that|this)(?=\s*$)"
    r"|\b(?P<there>there)(?=\s*$)",
    re.IGNORECASE,
)
"""Words at the end that point at what was asked for before."""


@dataclass(frozen=True, slots=True)
class Thing:
    """The one thing that both questions are about."""

    type: str
    id: str
    name: str

    @property
    def shown(self) -> str:
        """The name in quotes, as explanations have it."""
        return f"'{self.name}'"


@dataclass(frozen=True, slots=True)
class InTurn:
    """Both questions: which ``wanted`` has ``relation`` with the thing, and what ``ranked`` ranks for it."""

    thing: Thing
    wanted: str
    relation: str
    ranked: str
    far: str
    """Type of what is ranked."""
    precise: bool = False
    """Only the most precise measurement of the thing is meant."""
    first: Understood | None = None
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    thing: Thing
    wanted: str
    relation: str
    precise: bool = False


def halves(text: str) -> tuple[str, str] | None:
    """Both questions of a text, where the second points at the first; the second without what points.

    >>> halves("Which decay gives the most precise phi_s, and which sources dominate there?")
    ('Which decay gives the most precise phi_s', 'which sources dominate {}')
    >>> halves("Which decays measure phi_s? What are the dominant sources for that measurement?")
    ('Which decays measure phi_s', 'What are the dominant sources for {}')
    >>> halves("Which papers determine phi_s, and which determine gamma?")
    """
    found = None if quoted_spans(text) else _BREAK.match(text)
    if found is None or "{" in text:
        return None
    second, changed = _POINTS.subn(lambda m: "{}" if m["there"] else f"{m['at'] or ''}{{}}", found["second"])
    return (found["first"], second) if changed == 1 else None


def in_turn(text: str, schema: GraphSchema, read: Callable[[str], Understood]) -> InTurn | None:
    """Both questions of a text, where each is understood so; ``read`` reads one."""
    parts = halves(text)
    if parts is None:
        return None
    one = read(f"{parts[0]}?")
    asked = _of_plan(one, schema) if one.plan is not None else _of_form(one.decision.form, schema)
    if asked is None:
        return None
    two = read(f"{parts[1].format(asked.thing.name)}?")
    edge = None if two.plan is not None else _ranked(two.decision.form, asked.thing, schema)
    if edge is None or edge[0] == asked.relation:
        return None
    return InTurn(
        asked.thing,
        asked.wanted,
        asked.relation,
        *edge,
        precise=asked.precise,
        first=one,
        assumptions=_told(one, two),
    )


def _told(*read: Understood) -> tuple[str, ...]:
    notes = (n for u in read for n in (u.plan.assumptions if u.plan else u.decision.assumptions))
    return tuple(dict.fromkeys(n for n in notes if not n.startswith("Rankings are")))


def _of_form(form: f.Form | None, schema: GraphSchema) -> _Asked | None:
    """Things of one kind that one relation ties to one named thing, and no other condition."""
    if form is None or not isinstance(form.head, f.Entities) or form.head.only_first or len(form.edges) != 1:
        return None
    edge, thing = form.edges[0], _only(form, schema)
    if thing is None or form.head.var not in (edge.start, edge.end):
        return None
    return _Asked(thing, form.node(form.head.var).type, edge.relation)


def _only(form: f.Form, schema: GraphSchema) -> Thing | None:
    """The thing that the only condition names."""
    if len(form.conditions) != 1:
        return None
    (told,) = form.conditions
    if told.attribute != "id" or not isinstance(told.value, tuple) or len(told.value) != 1:
        return None
    kind = form.node(told.var).type
    valued = valued_relation(schema)
    if valued is None or kind not in valued.objects:
        return None
    return Thing(kind, str(told.value[0]), told.shown.strip("'"))


def _ranked(form: f.Form | None, thing: Thing, schema: GraphSchema) -> tuple[str, str] | None:
    """Relation and type of what is ranked for the thing, where nothing else is asked."""
    if form is None or len(form.edges) != 1 or not isinstance(form.head, f.Statements | f.Entities):
        return None
    edge = form.edges[0]
    if isinstance(form.head, f.Statements) and (form.head.limit or form.head.order is not f.Order.STRONGEST):
        return None
    relation, found = schema.relation(edge.relation), _only(form, schema)
    if found is None or found.id != thing.id or relation == valued_relation(schema):
        return None
    far = next(n.type for n in form.nodes if n.var != form.conditions[0].var)
    return (relation.name, far) if strength_attributes(relation) else None


def _of_plan(found: Understood, schema: GraphSchema) -> _Asked | None:
    """ "the decay with the smallest total error of X": the most precise measurement of X is meant."""
    assert found.plan is not None
    plan: Plan = found.plan
    if plan.root != Tree(plan.root.kind) or plan.root.kind.form is not KindForm.ENTITY:
        return None
    if not isinstance(plan.head, ListOf) or plan.head.ranking is None or not _is_precise(plan.head.ranking):
        return None
    trees = tuple(_below(plan.head.ranking.tree))
    named = [(t.kind.owner, x) for t in trees if t.kind.form is KindForm.ENTITY for x in t.tests]
    valued = valued_relation(schema)
    hops = [h for h in hops_from(schema, plan.root.kind.owner) if valued and h.target in valued.objects]
    used = {t.kind.owner for t in trees if t.kind.form is KindForm.STATEMENT}
    hops = [h for h in hops if h.relation in used]
    if len(named) != 1 or len(hops) != 1 or valued is None or used != {valued.name, hops[0].relation}:
        return None
    kind, test = named[0]
    if not isinstance(test.value, tuple) or len(test.value) != 1 or kind != hops[0].target:
        return None
    thing = Thing(kind, str(test.value[0]), test.shown.strip("'"))
    return _Asked(thing, plan.root.kind.owner, hops[0].relation, precise=True)


def _is_precise(ranking: Ranking) -> bool:
    """Whether the smallest total error comes first, of one thing, and limits alone are left out."""
    trees = tuple(_below(ranking.tree))
    numbers = [t for t in trees if t.counted]
    plain = all(not t.branches and not t.contrasts for t in trees)
    tested = {t.kind.attribute for t in trees if t.kind.form is KindForm.VALUE and t.tests}
    return (
        plain
        and tested <= {"limit"}
        and [t.kind.derived for t in numbers] == [Derived.TOTAL]
        and (ranking.keep, ranking.descending, ranking.of_value) == (1, False, True)
    )


def _below(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in tree.children:
        yield from _below(child)
