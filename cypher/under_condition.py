"""A quantity with a decay that is listed as a quantity of its own: "phi_s from B_s0 -> J/psi phi"."""

from __future__ import annotations

from dataclasses import replace

from cypher import form as f
from cypher.decide import Decision
from cypher.said_names import without_condition
from schemas.ports import ValueIndex
from schemas.questions import EntityMatch


def under_condition(form: f.Form, index: ValueIndex) -> tuple[f.Form, str] | None:
    """The form about the quantity that is listed under the condition, and what is to be said of it.

    None where no other named thing stands beside a named one, or nothing is listed under the two names.
    """
    named = [c for c in form.conditions if c.attribute == "id" and _is_one(c)]
    for quantity in named:
        for beside in named:
            edge = _only_edge(beside.var, form)
            if edge is None or {edge.start, edge.end} != {quantity.var, beside.var}:
                continue
            found = _listed(quantity, beside, form, index)
            if found is not None:
                said = f"{quantity.shown} with {beside.shown} is listed as '{found.name}'."
                return _about(found, quantity, replace(form, nodes=_others(beside.var, form)), edge), said
    return None


def about(decision: Decision, form: f.Form, said: str) -> Decision:
    """The decision for that form; what was said of which quantity is meant is said anew."""
    names = [c.shown for c in decision.form.conditions if c.attribute == "id"] if decision.form else []
    kept = (a for a in decision.assumptions if not any(f"was read as {n}" in a for n in names))
    return replace(decision, form=form, assumptions=(*kept, said))


def _is_one(c: f.Condition) -> bool:
    return c.op is f.Op.ONE_OF and isinstance(c.value, tuple) and len(c.value) == 1


def _only_edge(var: str, form: f.Form) -> f.Edge | None:
    """The statement at whose end a node stands that is there for its name alone."""
    edges = [e for e in form.edges if var in (e.start, e.end)]
    head = {str(getattr(form.head, name, "")) for name in ("var", "by", "counted", "edge")}
    if len(edges) != 1 or head & {var, edges[0].var} or any(var in pair for pair in form.different):
        return None
    plain = all(c.attribute == "id" for c in form.conditions if c.var in (var, edges[0].var))
    return edges[0] if plain else None


def _others(var: str, form: f.Form) -> tuple[f.Node, ...]:
    return tuple(n for n in form.nodes if n.var != var)


def _listed(
    quantity: f.Condition, beside: f.Condition, form: f.Form, index: ValueIndex
) -> EntityMatch | None:
    """The one other thing that is named like the quantity, with the name of what stands beside it."""
    first, second = (c.shown.strip("'") for c in (quantity, beside))
    name = f"{without_condition(first)} ({second})"
    known = index.exact([name], [form.node(quantity.var).type]).get(name, ())
    found = [m for m in known if (m.id,) != quantity.value]
    return found[0] if len(found) == 1 else None


def _about(found: EntityMatch, quantity: f.Condition, form: f.Form, edge: f.Edge) -> f.Form:
    """The form about another thing, without a statement and its other end."""
    kept = {n.var for n in form.nodes} | {e.var for e in form.edges if e is not edge}
    conditions = (c for c in form.conditions if c.var in kept and c is not quantity)
    about = replace(quantity, value=(found.id,), shown=f"'{found.name}'")
    return replace(
        form,
        edges=tuple(e for e in form.edges if e is not edge),
        conditions=(about, *conditions),
        same_document=tuple(p for p in form.same_document if edge.var not in p),
    )
