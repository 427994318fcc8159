"""A plan in English: what the query does, written from the plan and never from the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cypher.explain import one, plural, type_word
from cypher.form import Op
from cypher.general.kinds import Derived, Form, Kind
from cypher.general.plan import (
    Aggregate,
    Branch,
    Compare,
    CountOf,
    ExistsAny,
    GroupBy,
    ListOf,
    Plan,
    Ranking,
    Size,
    Test,
    Tree,
)
from schemas.graph_schema import GraphSchema

_SIZES = {
    Size.AT_LEAST: "at least",
    Size.AT_MOST: "at most",
    Size.MORE: "more than",
    Size.FEWER: "fewer than",
    Size.EXACTLY: "exactly",
}


def noun(schema: GraphSchema, kind: Kind) -> str:
    """How people name one thing of a kind."""
    if kind.derived:
        return kind.derived.value if kind.derived is not Derived.SIZE else f"number of {kind.attribute}"
    if kind.form is Form.ENTITY:
        return type_word(schema, kind.owner)
    if kind.form is Form.STATEMENT:
        return f"'{kind.owner.replace('_', ' ')}' statement"
    return kind.attribute.replace("_", " ")


def explain(plan: Plan, schema: GraphSchema) -> str:
    """Sentences that say which facts were looked for."""
    sides = plan.head.sides if isinstance(plan.head, Compare) else ()
    told = _told(plan.root, schema) if all(s.name for s in sides) else ()
    return " ".join([_head(plan, schema), *told]).strip()


def _told(root: Tree, schema: GraphSchema) -> Iterator[str]:
    conditions = _conditions(root, schema)
    if conditions:
        yield f"Conditions: {'; '.join(conditions)}."


def _conditions(root: Tree, schema: GraphSchema) -> list[str]:
    return [*(_test(t) for t in root.tests), *(told_branch(b, schema) for b in root.branches)]


def _head(plan: Plan, schema: GraphSchema) -> str:
    things = plural(noun(schema, plan.root.kind))
    match plan.head:
        case ListOf(None, number):
            return f"Lists {things}{f' with their {plural(noun(schema, number))}' if number else ''}."
        case ListOf(Ranking() as ranking):
            return f"Lists {things} by {told_ranking(ranking, schema)}."
        case CountOf():
            return f"Counts {things}."
        case ExistsAny():
            return f"Looks for {things}."
        case GroupBy(tree):
            key = _counted(tree)
            name = noun(schema, key.kind) if key else "group"
            return f"Counts {things} for each {name}: {_tree(tree, schema)}."
        case Aggregate(function, number):
            return f"Computes the {function.name.lower()} of the {noun(schema, number)} of {things}."
        case Compare(how=how, sides=sides, number=number):
            what = noun(schema, number) if number else f"number of {things}"
            both = " with ".join(s.name or _side(s.root, schema) for s in sides)
            return f"Compares the {what} ({how.value}): {both}."
    raise AssertionError("every head has its sentence")


def _side(root: Tree, schema: GraphSchema) -> str:
    """ "papers (year is 2012)", "all papers": the things that one side of a comparison counts."""
    things = plural(noun(schema, root.kind))
    said = "; ".join(_conditions(root, schema))
    return f"{things} ({said})" if said else f"all {things}"


def told_ranking(ranking: Ranking, schema: GraphSchema) -> str:
    """By what an answer is ordered."""
    counted = _counted(ranking.tree)
    what = noun(schema, counted.kind) if counted else "number"
    order = "largest first" if ranking.descending else "smallest first"
    shown = what if ranking.of_value else f"the number of {plural(what)}"
    kept = f"{ranking.keep} kept with ties" if ranking.keep else "all kept"
    return f"{shown} ({order}, {kept}): {_tree(ranking.tree, schema)}"


def _counted(tree: Tree) -> Tree | None:
    if tree.counted:
        return tree
    return next((found for c in tree.children if (found := _counted(c))), None)


def told_branch(branch: Branch, schema: GraphSchema) -> str:
    text = " or ".join(_tree(t, schema) for t in branch.trees)
    if branch.negated:
        return f"not ({text})"
    if branch.number is not None:
        counted = next((c for t in branch.trees if (c := _counted(t))), None)
        what = plural(noun(schema, counted.kind)) if counted else "things"
        return f"{_SIZES[branch.number.size]} {branch.number.value} {what} ({text})"
    return text


def _tree(tree: Tree, schema: GraphSchema) -> str:
    parts = [
        told_child(c, schema) + (f" ({times} times)" if times > 1 else "")
        for c, times in Counter(tree.children).items()
    ]
    parts += [f"{_kind(c.left)} {c.op.value} {_kind(c.right)}" for c in tree.contrasts]
    return " and ".join(p for p in parts if p)


def _kind(kind: Kind) -> str:
    return kind.derived.value or kind.attribute.replace("_", " ")


def told_child(child: Tree, schema: GraphSchema) -> str:
    name = noun(schema, child.kind)
    tests = " and ".join(_test(t) for t in child.tests)
    inner = [_tree(child, schema), *(told_branch(b, schema) for b in child.branches)]
    below = " and ".join(p for p in inner if p)
    if tests:
        return f"{name} {tests}" + (f" ({below})" if below else "")
    return f"{one(name)} with {below}" if below else one(name)


def _test(test: Test) -> str:
    if test.op in (Op.KNOWN, Op.UNKNOWN):
        return test.op.value
    verb = "is" if test.op in (Op.IS, Op.ONE_OF) else test.op.value
    times = f" ({_SIZES[test.times.size]} {test.times.value} of them)" if test.times else ""
    return f"{verb} {test.shown}{times}"
