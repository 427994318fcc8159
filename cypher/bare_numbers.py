"""The numbers without a unit in a form, put on the scale on which the values are listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cypher import form as f
from cypher.listed import in_asked_unit, meaning, scales
from cypher.schema_graph import UNIT, VALUE, attribute
from schemas.graph_schema import GraphSchema
from schemas.questions import Subgraph


@dataclass(frozen=True, slots=True)
class Placed:
    """The form to run, what is to be said of its numbers, and why it cannot be run (else empty)."""

    form: f.Form
    notes: tuple[str, ...] = ()
    problem: str = ""
    if_none: str = ""
    """Why it is not answered if nothing fits."""


def placed(form: f.Form, schema: GraphSchema, read: Callable[[f.Form], Subgraph], unit: str = "") -> Placed:
    """The form with each number on the scale of the values it is compared with.

    ``read`` runs a form that lists those values, of which it need not look at all. ``unit`` is that of the
    answer, where one is wanted: it is that of the numbers too.
    """
    bare = [c for c in form.conditions if _is_bare(c, form, schema)]
    if not bare:
        return Placed(form)
    if unit:
        in_unit = (_in(c, unit) if c in bare else c for c in form.conditions)
        return Placed(replace(form, conditions=tuple(in_unit)))
    edge = bare[0].var
    others = tuple(c for c in form.conditions if c not in bare)
    found = read(replace(form, shape="values", conditions=others, head=f.Statements(edge)))
    counted, all_read = scales(found), not found.truncated
    meant = {c: meaning(float(str(c.value)), c.shown, counted, all_read=all_read) for c in bare}
    problem = next((m.problem for m in meant.values() if m.problem), "")
    if_none = next((m.if_none for m in meant.values() if m.if_none), "")
    notes = tuple(dict.fromkeys(m.note for m in meant.values() if m.note))
    conditions = [replace(c, units=meant[c].units) if c in meant else c for c in form.conditions]
    if any(m.pure for m in meant.values()):
        conditions.append(f.Condition(edge, UNIT, f.Op.UNKNOWN, optional=True))
    return Placed(replace(form, conditions=tuple(conditions)), notes, problem, if_none)


def _in(c: f.Condition, unit: str) -> f.Condition:
    return replace(c, units=in_asked_unit(float(str(c.value)), unit), shown=f"{c.shown} {unit}")


def _is_bare(c: f.Condition, form: f.Form, schema: GraphSchema) -> bool:
    """Whether a measured value, which may have a unit, is compared with a number that has none."""
    if not (form.is_edge(c.var) and c.attribute == VALUE and c.op in f.COMPARISONS and not c.units):
        return False
    return attribute(schema.relation(form.edge(c.var).relation), UNIT) is not None
