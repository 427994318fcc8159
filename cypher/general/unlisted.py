"""What is not known, said of answers to questions for what is not so: lists, documents of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.explain import plural, type_word
from cypher.general.kinds import Form
from cypher.general.plan import Plan, Tree
from schemas.graph_schema import GraphSchema

LIST: Final = "strings"
"""Type of attributes that are lists."""
OUTSIDE: Final = "What documents state that are not in this graph is not known here."


def unlisted_notes(plan: Plan, schema: GraphSchema) -> tuple[str, ...]:
    """What is said of answers to "which decays contain no kaon": a decay without products contains none."""
    lists = {(e.name, a.name) for e in schema.entities for a in e.attributes if a.type == LIST}
    found = dict.fromkeys(x for x in _denied(plan.root) if x in lists)
    stated = (schema.relation(name) for name in _unstated(plan.root))
    outside = (OUTSIDE,) if any(plan.root.kind.owner not in r.subjects for r in stated) else ()
    return outside + tuple(
        f"{plural(type_word(schema, owner)).capitalize()} with unknown {name.replace('_', ' ')} are included."
        for owner, name in found
    )


def _unstated(tree: Tree, *, within: bool = False) -> Iterator[str]:
    """Relations of statements that must be absent: "decays that nobody used"."""
    if within and tree.kind.form is Form.STATEMENT:
        yield tree.kind.owner
    for child in tree.children:
        yield from _unstated(child, within=within)
    for branch in tree.branches:
        for inner in branch.trees:
            yield from _unstated(inner, within=within != branch.negated)


def _denied(tree: Tree, *, within: bool = False) -> Iterator[tuple[str, str]]:
    """Attributes that must not be something, with what has them."""
    if within and tree.kind.form is not Form.ENTITY and tree.tests:
        yield tree.kind.owner, tree.kind.attribute
    for child in tree.children:
        yield from _denied(child, within=within)
    for branch in tree.branches:
        for inner in branch.trees:
            yield from _denied(inner, within=within != branch.negated)
