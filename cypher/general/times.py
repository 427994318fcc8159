"""How a number of equal members of a list is taken: "decays with two muons"."""

from __future__ import annotations

from collections.abc import Iterator

from cypher.general.plan import Plan, Size, Test, Tree


def times_notes(plan: Plan) -> tuple[str, ...]:
    """What is said of bare numbers: exactly so many are meant, those that a name stands for together."""
    found = dict.fromkeys(t for root in plan.trees for t in _tests(root) if t.times is not None)
    return tuple(
        f"Exactly {t.times.value} of {t.shown} {'is' if t.times.value == 1 else 'are'} meant; "
        f"'at least {t.times.value}' asks for more as well."
        for t in found
        if t.times is not None and t.times.size is Size.EXACTLY
    )


def _tests(tree: Tree) -> Iterator[Test]:
    yield from tree.tests
    for below in (*tree.children, *(t for b in tree.branches for t in b.trees)):
        yield from _tests(below)
