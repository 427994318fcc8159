"""Values, limits and errors told apart: "both a limit and a value" means a value that is no limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cypher.form import COMPARISONS, Op
from cypher.general.averaged import is_error
from cypher.general.groups import NONE
from cypher.general.kinds import Kind, value
from cypher.general.plan import Branch, Test, Tree
from cypher.general.refs import Group
from cypher.schema_graph import LIMIT, VALUE


def apart(root: Tree, measured: Kind | None) -> Tree:
    """The tree in which a measured value beside a limit is none; any statement would do otherwise.

    "Limits but no value" denies values that are no limits, where the limits are of whatever quantity.
    """
    asking = [b for b in root.branches if measured is not None and _asks_limit(b, measured)]
    if measured is None or not asking:
        return root
    alone = not root.tests and all(_asks_no_more(t, measured) for b in asking for t in b.trees)
    told = (b if b.negated and not alone else _of_value(b, measured) for b in root.branches)
    return replace(root, branches=tuple(told))


def _asks_no_more(tree: Tree, measured: Kind) -> bool:
    """Whether a tree holds limits, and says nothing else of them."""
    own = (tree.kind.owner, tree.kind.attribute) == (measured.owner, LIMIT)
    inner = all(_asks_no_more(t, measured) for t in tree.children)
    return (own or not tree.tests) and not (tree.contrasts or tree.branches) and inner


def _asks_limit(branch: Branch, measured: Kind) -> bool:
    def asks(tree: Tree) -> bool:
        own = tree.kind == value(measured.owner, LIMIT) and any(t.op is not Op.UNKNOWN for t in tree.tests)
        return own or any(map(asks, tree.children))

    return not branch.negated and branch.number is None and any(map(asks, branch.trees))


def _of_value(branch: Branch, measured: Kind) -> Branch:
    """A branch that asks for nothing but a statement asks for a value."""
    if len(branch.trees) != 1:
        return branch
    (tree,) = branch.trees
    bare = len(tree.children) == 1 and tree.children[0] == Tree(measured) and not tree.branches
    if not bare:
        return branch
    none = Tree(value(measured.owner, LIMIT), (Test(Op.UNKNOWN),))
    return replace(branch, trees=(replace(tree, children=(Tree(measured, children=(none,)),)),))


def tells_of_values(group: Group, relation: str, measured: Kind) -> bool:
    """Whether a group tells of nothing but the values that a clause with that relation spoke of.

    "And determine no value" denies all values, and not those of that clause.
    """
    refs = [r for p in group.parts for r in p.refs]
    of_value = all(
        (r.kind == measured and not r.groups) or (r.kind.is_value and r.kind.owner == measured.owner)
        for r in refs
    )
    told = bool(refs) and of_value and group.relation in ("", relation)
    return told and all(r.number != NONE for r in refs)


def one_meaning(root: Tree, measured: Kind | None) -> bool:
    """Whether it is plain what a number is compared with: with "an error of X below 0.05" it is not."""
    if measured is None:
        return True
    trees = tuple(_all(root))
    errors = any(is_error(t.kind) and not any(map(_compares, t.tests)) for t in trees)
    values = any(t.kind == value(measured.owner, VALUE) and any(map(_compares, t.tests)) for t in trees)
    return not (errors and values)


def denies_its_subject(root: Tree) -> bool:
    """Whether measurements are all but those that are one thing and have another, or are said not to be.

    "Limits without a confidence level" are limits, and not whatever is no limit with one. "Papers on X
    without a value" are not those that have no statement at all.
    """
    asked = [t for b in root.branches if not b.negated and b.number is None for t in b.trees]
    denied = [t for b in root.branches if b.negated for t in b.trees if _is_bare(t)]
    return any(_lies_in(d, a) for d in denied for a in asked) or any(
        branch.negated and tree.kind == root.kind and _is_and_has(tree)
        for branch in root.branches
        for tree in branch.trees
    )


def _is_bare(tree: Tree) -> bool:
    """Whether nothing is said of a thing, and of what it is joined to, but that there is one."""
    return not (tree.tests or tree.contrasts or tree.branches) and all(map(_is_bare, tree.children))


def _lies_in(bare: Tree, tree: Tree) -> bool:
    """Whether things of ``tree`` are things of ``bare`` as well."""
    inner = all(any(_lies_in(b, t) for t in tree.children) for b in bare.children)
    return bare.kind == tree.kind and inner


def _is_and_has(tree: Tree) -> bool:
    own = any({t.op for t in child.tests} == {Op.IS} for child in tree.children)
    return own and any({t.op for t in below.tests} == {Op.KNOWN} for below in _all(tree))


def _all(tree: Tree) -> Iterator[Tree]:
    yield tree
    for inner in (*tree.children, *(t for b in tree.branches for t in b.trees)):
        yield from _all(inner)


def _compares(test: Test) -> bool:
    return test.op in COMPARISONS
