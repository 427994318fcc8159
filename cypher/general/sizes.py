"""Whether a question rests on how large numbers are, so that a factor or a sign would change its answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher import form as f
from cypher.general.agree import of_form, of_plan
from cypher.general.plan import Compare, ListOf, Plan, Tree
from cypher.schema_graph import AVERAGE, RECOMMENDED, VALUE

_SIZES: Final = frozenset({VALUE, AVERAGE, RECOMMENDED})


def form_compares(form: f.Form) -> bool:
    """Whether numbers are conditions of a form, or a limit is the strongest."""
    return isinstance(form.head, f.Tightest) or bool(of_form(form).compared)


def plan_compares(plan: Plan) -> bool:
    """Whether numbers are conditions of a plan, put its things in order, or are compared with each other."""
    if isinstance(plan.head, Compare) and plan.head.number is not None:
        return True
    ranking = plan.head.ranking if isinstance(plan.head, ListOf) else None
    ordered = ranking is not None and ranking.of_value and any(_sizes(ranking.tree))
    return ordered or bool(of_plan(plan).compared)


def _sizes(tree: Tree) -> Iterator[bool]:
    """For each number that orders, whether it is a size and no error, year or rank."""
    if tree.counted:
        yield tree.kind.attribute in _SIZES and not tree.kind.derived
    for child in tree.children:
        yield from _sizes(child)
