"""Quantities that are limits, or are none: "which branching fractions are not limits", "excluding limits".

"limits" is a noun there, and never what a source of uncertainty does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from cypher import form as f
from cypher.explain import plural
from cypher.general.english import PERSONS
from cypher.general.kinds import Kind, entity, statement, value
from cypher.general.plan import Branch, Plan, Test, Tree
from cypher.normalise import quoted_spans
from cypher.own_store import KeyedSchema
from cypher.schema_graph import LIMIT, attribute, valued_relation
from schemas.graph_schema import GraphSchema

_NOUN: Final = r"(?P<which>upper |lower )?(?:upper or lower )?(?:limits?|bounds?)"
_CLOSES: Final = (
    r"(?=\s*(?:[,;?.!)]|$|(?:for|of|from|by|in|since|before|after|until|on|with|newest|oldest)\b))"
)
_ARE: Final = re.compile(
    r",? (?:(?:that|which) )?(?:are|is|were|was)(?P<none>n't| not| no)?(?: just| only| merely)?(?: an?)? "
    rf"{_NOUN}{_CLOSES}",
    re.IGNORECASE,
)
_LEFT_OUT: Final = re.compile(
    r",? \(?(?P<none>without|excluding|ignoring|leaving out|not counting|not including|except"
    rf"|(?:but|and) not?)(?: for)?(?: an?| the| any| all)? {_NOUN}\)?"
    r"(?=\s*(?:[,;?.!]|$|(?:from|by|in|since)\b))",
    re.IGNORECASE,
)
_WITH: Final = re.compile(rf" (?:with|having)(?: an?)? {_NOUN}(?=\s*(?:[,;?.!]|$))", re.IGNORECASE)
_ASKED: Final = r"who|uncertaint\w+|systematics?|sources?"
"""Words for askers and errors in any graph."""


@dataclass(frozen=True, slots=True)
class SaidLimits:
    """Whether the values must be limits or none, and of which kind: "upper", "lower" or any."""

    none: bool
    which: str = ""

    @property
    def test(self) -> Test:
        """The test of the attribute that marks limits."""
        if self.none and not self.which:
            return Test(f.Op.UNKNOWN)
        if self.none:
            return Test(f.Op.OTHER, self.which, f"'{self.which}'")
        return Test(f.Op.IS, self.which, f"'{self.which}'") if self.which else Test(f.Op.KNOWN)


def split_limits(text: str, schema: GraphSchema) -> tuple[str, SaidLimits | None]:
    """The question without what it says of limits, and that; only where quantities or values are asked for.

    In a schema of papers that measure quantities "which branching fractions are not limits" becomes "which
    branching fractions are there"; "Which papers are limits?" stays as it is, as papers are none.
    """
    if quoted_spans(text) or _others(KeyedSchema(schema)).search(text):
        return text, None
    for pattern in (_ARE, _LEFT_OUT, _WITH):
        found = pattern.search(text)
        if found:
            rest = (text[: found.start()] + text[found.end() :]).strip(" ?.!,")
            said = SaidLimits(bool(found.groupdict().get("none")), (found["which"] or "").strip().lower())
            return _whole(rest), said
    return text, None


@lru_cache(maxsize=16)
def _others(keyed: KeyedSchema) -> re.Pattern[str]:
    """Words for what has no limits: everything but the quantities; what gives values in each of its words."""
    schema = keyed.schema
    valued = valued_relation(schema)
    nouns = list(PERSONS)
    for kind in schema.entities:
        if valued is None or kind.name not in valued.objects:
            said = (*kind.verbalisations, kind.name.replace("_", " "))
            nouns += said if valued and kind.name in valued.subjects else said[:1]
    every = "|".join(re.escape(w) for noun in nouns for w in (plural(noun), noun))
    return re.compile(rf"\b(?:{_ASKED}|{every})\b", re.IGNORECASE)


def _whole(rest: str) -> str:
    """A question of which the verb was taken off, as a whole one."""
    if re.match(r"(?:which|what) (?:measurements?|values?|results?)\b", rest, re.IGNORECASE):
        return re.sub(r"^\w+", "list the", rest)
    asks = re.match(r"(?:which|what|how many)\b", rest, re.IGNORECASE)
    verb = re.search(r"\b(?:are|is|were|was|have|has|had|did|does|do)\b", rest, re.IGNORECASE)
    return f"{rest} are there" if asks and not verb else rest


def form_of_limits(form: f.Form | None, said: SaidLimits, schema: GraphSchema) -> f.Form | None:
    """The form for measured values that are limits, or none; ``None`` where it has not one such value."""
    valued = valued_relation(schema)
    if form is None or valued is None or attribute(valued, LIMIT) is None:
        return None
    edges = [e.var for e in form.edges if e.relation == valued.name]
    if isinstance(form.head, f.Statements):
        edges = [form.head.edge]
    if len(edges) != 1 or len(form.edges) != 1 or any(c.attribute == LIMIT for c in form.conditions):
        return None
    test = said.test
    added = f.Condition(edges[0], LIMIT, test.op, test.value, test.shown)
    shape = "limits" if form.shape == "values" and not said.none else form.shape
    return replace(form, shape=shape, conditions=(*form.conditions, added))


def plan_of_limits(plan: Plan, said: SaidLimits, schema: GraphSchema) -> Plan | None:
    """The plan for values, or for quantities with a value, that are limits or none."""
    valued = valued_relation(schema)
    if valued is None or attribute(valued, LIMIT) is None or len(plan.trees) != 1:
        return None
    kind, test = statement(valued.name), Tree(value(valued.name, LIMIT), (said.test,))
    root = plan.root
    joined = next((b for b in root.branches if _with_test(b, kind, test)), None)
    if joined is not None:
        branches = tuple(_with_test(b, kind, test) or b if b is joined else b for b in root.branches)
    elif root.kind == kind:
        branches = (*root.branches, Branch((Tree(kind, children=(test,)),)))
    elif any(root.kind == entity(o) for o in valued.objects) and not _speaks_of(root, kind):
        made = Tree(root.kind, children=(Tree(kind, children=(test,)),))
        branches = (*root.branches, Branch((made,)))
    else:
        return None
    return replace(plan, root=replace(root, branches=branches))


def _with_test(branch: Branch, kind: Kind, test: Tree) -> Branch | None:
    """What is said of one value with the test on it."""
    if branch.negated or branch.number or len(branch.trees) > 1:
        return None
    tree = branch.trees[0]
    if tree.kind == kind:
        return replace(branch, trees=(replace(tree, children=(*tree.children, test)),))
    for i, child in enumerate(tree.children):
        if child.kind == kind:
            held = replace(child, children=(*child.children, test))
            children = (*tree.children[:i], held, *tree.children[i + 1 :])
            return replace(branch, trees=(replace(tree, children=children),))
    return None


def _speaks_of(tree: Tree, kind: Kind) -> bool:
    below = (*tree.children, *(t for b in tree.branches for t in b.trees))
    return tree.kind == kind or any(_speaks_of(t, kind) for t in below)
