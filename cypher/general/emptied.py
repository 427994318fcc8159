"""What emptied the answer of a plan: each thing that is said is left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from cypher.conditions_looked_at import not_all
from cypher.general.explain import told_branch, told_child, told_ranking
from cypher.general.plan import Branch, ExistsAny, ListOf, Plan, Tree
from schemas.graph_schema import GraphSchema

MOST_LOOKS: Final = 6
"""Looks into the graph for one answer."""


def why_empty(plan: Plan, schema: GraphSchema, holds: Callable[[Plan], bool | None]) -> str:
    """The answer in words, with how many conditions were not looked at.

    ``holds`` says whether a plan finds anything, None where that is not found out; it may raise what a query
    may.
    """
    said = "The question fits the graph, but nothing in it matches"
    if isinstance(plan.head, ExistsAny):
        said = "No: nothing in the graph matches"
    tries = list(_relaxed(plan, schema))
    held = [holds(less) for less, _ in tries[:MOST_LOOKS]]
    culprits = dict.fromkeys(told for (_, told), found in zip(tries, held, strict=False) if found)
    text = f"{said}."
    if culprits:
        text += f" Without one of these conditions there would be results: {'; '.join(culprits)}."
    return f"{text} {not_all(held, of=len(tries))}".rstrip()


def _relaxed(plan: Plan, schema: GraphSchema) -> Iterator[tuple[Plan, str]]:
    """Plans that ask for less, each with what it left out."""
    root = plan.root
    bare = replace(plan, head=ListOf())
    if isinstance(plan.head, ListOf) and plan.head.ranking is not None and (root.branches or root.tests):
        yield bare, told_ranking(plan.head.ranking, schema)
    if isinstance(plan.head, ListOf) and plan.head.ranking is not None:
        ranking = plan.head.ranking
        for tree, told in _smaller(ranking.tree, schema):
            yield replace(plan, head=ListOf(replace(ranking, tree=tree))), told
    for i, branch in enumerate(root.branches):
        rest = (*root.branches[:i], *root.branches[i + 1 :])
        if rest:
            yield replace(bare, root=replace(root, branches=rest)), told_branch(branch, schema)
        for smaller, told in _in_branch(branch, schema):
            yield replace(bare, root=replace(root, branches=(*rest, smaller))), told


def _in_branch(branch: Branch, schema: GraphSchema) -> Iterator[tuple[Branch, str]]:
    """The branch with one of several conditions of an event left out."""
    if branch.negated or len(branch.trees) != 1:
        return
    for tree, told in _smaller(branch.trees[0], schema):
        yield replace(branch, trees=(tree,)), told


def _smaller(tree: Tree, schema: GraphSchema) -> Iterator[tuple[Tree, str]]:
    for i, child in enumerate(tree.children):
        others = (*tree.children[:i], *tree.children[i + 1 :])
        if others and not _counts(child):
            yield replace(tree, children=others), told_child(child, schema)
        for smaller, told in _smaller(child, schema):
            kept = (*tree.children[:i], smaller, *tree.children[i + 1 :])
            yield replace(tree, children=kept), told


def _counts(tree: Tree) -> bool:
    return tree.counted or any(map(_counts, tree.children))
