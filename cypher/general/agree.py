"""Whether a shape's form and the general reading's plan ask the same of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cypher import form as f
from cypher.general.kinds import Form
from cypher.general.plan import Aggregate, Branch, Compare, CountOf, ExistsAny, GroupBy, ListOf, Plan, Tree
from cypher.schema_graph import COLUMN, LEVEL, LIMIT, SUPERSEDED, TITLE, UNIT, VALUE
from schemas.graph_schema import GraphSchema
from schemas.questions import Parameter

_SHOWN: Final = frozenset({VALUE, "value_text", UNIT, LIMIT, LEVEL, COLUMN, SUPERSEDED})
"""What the rows of statements show."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What is asked, of which things, under which conditions; orders and columns left out."""

    asks: str
    things: str
    values: frozenset[tuple[str, Parameter]]
    compared: frozenset[str]
    """Values with the attributes that they are of."""


def of_form(form: f.Form) -> Signature:
    """The signature of a form."""
    values = frozenset((c.attribute, v) for c in form.conditions for v in _flat(c.value))
    compared = frozenset(
        c.attribute for c in form.conditions if c.op in f.COMPARISONS and not _is_whole(c.value)
    )
    return Signature(_form_asks(form), _form_things(form), values, compared)


def _form_asks(form: f.Form) -> str:
    match form.head:
        case f.Count():
            return "count"
        case f.CountBy():
            return "group"
        case f.Compare():
            return "compare"
        case f.Top():
            return "rank"
        case _:
            return "exists" if form.shape == "check" else "list"


def _form_things(form: f.Form) -> str:
    match form.head:
        case f.Entities(var) | f.AllHave(var) | f.Top(var) | f.AttributesOf(var) | f.ValuesOf(var):
            return form.node(var).type
        case f.Statements(edge) | f.Precise(edge) | f.Tightest(edge):
            return form.edge(edge).relation
        case f.Count(var) | f.Compare(var) | f.CountBy(var):
            return form.edge(var).relation if form.is_edge(var) else form.node(var).type
        case _:
            return ""


def of_plan(plan: Plan) -> Signature:
    """The signature of a plan."""
    kind = plan.root.kind
    things = f"{kind.owner}.{kind.attribute}" if kind.form is Form.VALUE else kind.owner
    trees = plan.trees
    values = frozenset(v for t in trees for v in _values(t))
    compared = frozenset(a for t in trees for a in _compared(t))
    return Signature(_plan_asks(plan), things, values, compared)


def _plan_asks(plan: Plan) -> str:
    match plan.head:
        case CountOf():
            return "count"
        case GroupBy():
            return "group"
        case Compare():
            return "compare"
        case ExistsAny():
            return "exists"
        case ListOf(ranking) if ranking is not None and not ranking.of_value:
            return "rank"
        case Aggregate():
            return "aggregate"
        case _:
            return "list"


def _values(tree: Tree) -> Iterator[tuple[str, Parameter]]:
    for test in tree.tests:
        yield from ((tree.kind.attribute or "id", v) for v in _flat(test.value))
    for child in tree.children:
        yield from _values(child)
    for branch in tree.branches:
        yield from _of_branch(branch)


def _compared(tree: Tree) -> Iterator[str]:
    """Numbers that are compared, by their attributes or by how they are computed."""
    name = tree.kind.derived.value or tree.kind.attribute
    yield from (name for t in tree.tests if t.op in f.COMPARISONS and not _is_whole(t.value))
    for inner in (*tree.children, *(t for b in tree.branches for t in b.trees)):
        yield from _compared(inner)


def _is_whole(value: Parameter) -> bool:
    """Whether it is a year or another whole number: those have one meaning each."""
    return isinstance(value, int) and not isinstance(value, bool)


def _of_branch(branch: Branch) -> Iterator[tuple[str, Parameter]]:
    for tree in branch.trees:
        yield from _values(tree)


def _flat(value: Parameter) -> Iterator[Parameter]:
    yield from value if isinstance(value, tuple) else () if value is None else (value,)


def conflict(form: f.Form, plan: Plan, schema: GraphSchema) -> bool:
    """Whether the two ask for different things, or under different conditions.

    That a shape shows statements where a plan names their papers, or counts beside names, is none. The best
    of limits is what the shape knows it to be: limits have no error by which a plan could order them. A
    plan that drops a breakdown, or lists things by their own attributes where the shape has what is stated
    of them, says less than the shape.
    """
    a, b = of_form(form), of_plan(plan)
    if isinstance(form.head, f.Tightest) or (a.asks, b.asks) == ("group", "count"):
        return False
    if form.edges and a.asks == b.asks == "list" and is_bare(plan):
        return False
    if b.asks == "compare" or (b.asks == "rank" and _keeps(plan)):
        return True
    if _names(a.values) != _names(b.values) or a.compared != b.compared or _never_before(form, plan):
        return True
    if not form.edges and isinstance(form.head, f.Entities | f.Count) and _has_statement(plan.root):
        return True
    if plan.root.kind.form is Form.VALUE and (_has_twice(form) or _lists_owners(form, plan, schema)):
        return True
    if isinstance(form.head, f.Statements) and _lists_what_is_not_shown(form, plan):
        return True
    if (a.asks == b.asks or "rank" not in (a.asks, b.asks)) and plan.root.kind.form is Form.VALUE:
        return form_lacks(form, plan)
    if a.asks != b.asks:
        return bool({"rank", "compare", "count", "aggregate"} & {a.asks, b.asks})
    return a.asks in ("count", "group") and a.things != b.things


def splits_a_name(names: frozenset[str], form: f.Form, plan: Plan) -> bool:
    """Whether a plan lists things by parts of a name that the form takes whole.

    "the branching fraction of A -> B C" is the name of one quantity, and no list of the quantities of
    that kind with that decay. ``names`` are the ids of what phrases of several words name.
    """
    a, b = of_form(form), of_plan(plan)
    if not (a.asks == b.asks == "list" and isinstance(plan.head, ListOf)) or plan.head.ranking is not None:
        return False
    whole = {v for _, v in a.values if v in names}
    return bool(whole) and not whole & {v for _, v in b.values}


def _never_before(form: f.Form, plan: Plan) -> bool:
    """Whether the plan asks of each thing what came first, where the shape keeps the first of all."""
    first = isinstance(form.head, f.Statements | f.Entities) and form.head.only_first
    return first and plan.head == ListOf() and any(b.negated for b in plan.root.branches)


def is_bare(plan: Plan) -> bool:
    """Whether it lists things that only attributes of their own tell apart."""
    plain = isinstance(plan.head, ListOf) and plan.head.ranking is None
    own = all(_is_own(t, plan.root) for b in plan.root.branches for t in b.trees)
    return plain and plan.root.kind.form is Form.ENTITY and not plan.root.children and own


def _is_own(tree: Tree, root: Tree) -> bool:
    """Whether a tree holds nothing but attributes of the root's own things."""
    same = tree.kind.form is Form.VALUE or tree.kind == root.kind
    return same and not tree.branches and all(_is_own(c, root) for c in tree.children)


def _has_statement(tree: Tree) -> bool:
    """Whether a plan asks for something that is stated, where a shape only knows attributes."""
    inner = (*tree.children, *(t for b in tree.branches if not b.negated for t in b.trees))
    return tree.kind.form is Form.STATEMENT or any(map(_has_statement, inner))


def _lists_owners(form: f.Form, plan: Plan, schema: GraphSchema) -> bool:
    """Whether the shape lists the things whose values are asked for: observables, and not their kinds.

    A text of a document, like its title, stands for the document and is listed with it.
    """
    kind = plan.root.kind
    owner = next((e for e in schema.entities if e.name == kind.owner), None)
    if owner is None or not isinstance(form.head, f.Entities) or form.node(form.head.var).type != owner.name:
        return False
    declared = next((a for a in owner.attributes if a.name == kind.attribute), None)
    its_own = declared is not None and declared.name in (TITLE, *owner.canonicalization.identity)
    return not (its_own and owner.name == schema.document_type)


def _lists_what_is_not_shown(form: f.Form, plan: Plan) -> bool:
    """Whether the values that are asked for stand in no column of the statements: their techniques."""
    kind = plan.root.kind
    relations = {e.relation for e in form.edges}
    return kind.form is Form.VALUE and kind.owner in relations and kind.attribute not in _SHOWN


def _has_twice(form: f.Form) -> bool:
    """Whether one document must state several things that the plan asks of what it stands for."""
    relations = [e.relation for e in form.edges]
    return len(set(relations)) < len(relations)


def _keeps(plan: Plan) -> bool:
    """Whether the first of an order are wanted, and not the order."""
    return isinstance(plan.head, ListOf) and plan.head.ranking is not None and plan.head.ranking.keep > 0


def form_lacks(form: f.Form, plan: Plan) -> bool:
    """Whether the values that a plan lists are of a type that the form does not even hold."""
    kind = plan.root.kind
    held = {n.type for n in form.nodes} | {e.relation for e in form.edges}
    listed = set(getattr(form.head, "attributes", ())) | {getattr(form.head, "attribute", "")}
    return kind.owner not in held or (bool(listed - {""}) and kind.attribute not in listed)


def _names(values: frozenset[tuple[str, Parameter]]) -> frozenset[tuple[str, Parameter]]:
    return frozenset(x for x in values if isinstance(x[1], str))
