"""Words of a title: "papers with 'gamma' in the title", "whose title mentions CP violation but not B_s0".

What is said of a title is taken off before the question is read: a name in it is not what a paper is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cypher import form as f
from cypher.general.kinds import entity, value
from cypher.general.plan import Branch, Plan, Test, Tree
from cypher.schema_graph import TITLE, attribute
from schemas.graph_schema import GraphSchema

NOT_READ: Final = (
    "What is said of the title cannot be joined with the rest of this question. Ask for the papers alone, "
    "as in \"Papers with 'CP violation' in the title since 2014\"."
)
_QUOTED: Final = r"(?:\"[^\"]+\"|'[^']+'(?!\w))"
_VERBS: Final = r"determines?|measures?|reports?|sets?|gives?|quotes?|uses?|finds?|stud(?:y|ies)|cites?"
"""Verbs of papers, with which their own sentence goes on behind words of a title."""
_BARE: Final = (
    rf"(?:(?!(?:with|that|which|whose|who|not|no|without|{_VERBS})\b)[^\s,;?\"']+(?: |(?=$|[,;?.])))"
)
_ONE: Final = rf"(?:the )?(?:words?|phrase|term|text)? ?(?:{_QUOTED}|{_BARE}{{1,8}}?)"
_BUT: Final = r",? ?(?:but|and|yet) (?:not|no|without|lacking)(?: with)?"
_WORDS: Final = (
    rf"(?P<said>{_QUOTED}(?: (?:and|or) {_QUOTED})*|{_ONE}) ?"
    rf"(?:{_BUT} (?:the (?:word|phrase) )?(?P<not>{_QUOTED}|{_BARE}{{1,8}}?) ?)?"
)
_NOUN: Final = r"(?:titles?)"
_END: Final = (
    r"(?=\s*(?:$|[?,;.!](?:\s|$)|(?:from|in|since|until|till|before|after|between|during|published|that|which|and|or"
    rf"|by|of(?= [A-Z]+\b)|{_VERBS})\b))"
)
_HOLDS: Final = (
    r"(?:contains?|containing|contained|mentions?|mentioning|mentioned|includes?|including|has|have|having"
    r"|says?|saying|holds?)"
)
_DENIED: Final = r"(?P<denied>(?:does|do|did) not (?=\w)|(?:doesn't|don't|didn't) |never )?"
_PATTERNS: Final = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        rf",? (?:(?:that|which) )?(?:have|has|having|with|containing|contain|contains|mentioning|mention|"
        rf"mentions) (?P<denied>no )?{_WORDS}in (?:the|its|their|a) {_NOUN}\b",
        rf",? (?P<denied>without |lacking ){_WORDS}in (?:the|its|their|a) {_NOUN}\b",
        rf",? (?:whose|where the|with an?|with the|having an?|with) {_NOUN} (?:that |which )?{_DENIED}"
        rf"(?:{_HOLDS} |(?:is )?(?=['\"])){_WORDS}{_END}",
        rf",? (?:that (?:are|is) )?(?P<denied>not )?(?:en)?titled {_WORDS}{_END}",
    )
)


_SYMBOL: Final = re.compile(r"^([A-Z][a-z]*)_?([a-z])\^?([0+-]|--|\+\+)$")


@dataclass(frozen=True, slots=True)
class TitleWords:
    """Words that a title has; ``denied``: has not."""

    among: tuple[str, ...]
    """It has one of them."""
    denied: bool = False


def split_title(text: str) -> tuple[str, tuple[TitleWords, ...]]:
    """The question without what it says of a title, and that.

    >>> plain, said = split_title("papers with 'Xi_b' in the title from 2014")
    >>> plain, [(s.among, s.denied) for s in said]
    ('list papers from 2014', [(('Xi_b',), False)])
    >>> plain, said = split_title("papers whose title mentions CP violation but not B_s0")
    >>> plain, [(s.among[0], s.denied) for s in said]
    ('list papers', [('CP violation', False), ('B_s0', True)])
    >>> split_title("titles of the papers on gamma")
    ('titles of the papers on gamma', ())
    """
    for pattern in _PATTERNS:
        found = pattern.search(text)
        if found is None:
            continue
        said = tuple(_said(found))
        rest = _readable(" ".join((text[: found.start()] + " " + text[found.end() :]).split()))
        return (rest, said) if said else (text, ())
    return text, ()


def _said(found: re.Match[str]) -> Iterator[TitleWords]:
    quoted = re.findall(_QUOTED, found["said"])
    words = [_spelled(w) for w in quoted or [found["said"]]]
    denied = bool(found["denied"])
    if re.search(rf"{_QUOTED} or ", found["said"]):
        yield TitleWords(tuple(dict.fromkeys(w for among in words for w in among)), denied)
    else:
        yield from (TitleWords(w, denied) for w in words)
    if found["not"]:
        yield TitleWords(_spelled(found["not"]), not denied)


def _spelled(said: str) -> tuple[str, ...]:
    """What is in quotation marks as it stands; the symbol of a particle in each of its usual spellings.

    >>> _spelled("'B_s0'"), _spelled("CP violation")
    (('B_s0',), ('CP violation',))
    >>> _spelled("B_s0")
    ('B_s0', 'B_s^0', 'B^0_s', 'Bs0', 'B0_s')
    """
    plain = re.sub(
        r"^(?:the )?(?:words?|phrase|term|text) (?=\S)|^(?:an?|the) (?=\S)",
        "",
        said.strip(),
        flags=re.IGNORECASE,
    )
    bare = plain.strip(" '\".")
    symbol = _SYMBOL.match(bare)
    if symbol is None or plain.startswith(("'", '"')):
        return (bare,)
    base, index, charge = symbol.groups()
    forms = ("{b}_{i}{c}", "{b}_{i}^{c}", "{b}^{c}_{i}", "{b}{i}{c}", "{b}{c}_{i}")
    return tuple(dict.fromkeys((bare, *(x.format(b=base, i=index, c=charge) for x in forms))))


def _readable(text: str) -> str:
    """ "which papers" and "how many papers" as whole questions."""
    plain = text.rstrip(" ?.!,")
    plain = re.sub(r"^(how many \w+)$", r"\1 are there", plain, flags=re.IGNORECASE)
    plain = re.sub(r"^(?:which|what) (\w+)(?: are there)?$", r"list \1", plain, flags=re.IGNORECASE)
    return re.sub(r"^(papers|publications|articles|analyses)\b", r"list \1", plain, flags=re.IGNORECASE)


def form_with_title(form: f.Form | None, said: tuple[TitleWords, ...], schema: GraphSchema) -> f.Form | None:
    """The form with the words of the title of its only document; ``None`` where that is not one."""
    if form is None:
        return None
    documents = [n.var for n in form.nodes if n.type == schema.document_type]
    if len(documents) != 1 or not _has_titles(schema):
        return None
    added = (
        f.Condition(
            documents[0],
            TITLE,
            f.Op.NO_WORDS if s.denied else f.Op.WORDS,
            tuple(w.lower() for w in s.among),
            " or ".join(f"'{w}'" for w in s.among),
        )
        for s in said
    )
    return replace(form, conditions=(*form.conditions, *added))


def plan_with_title(plan: Plan, said: tuple[TitleWords, ...], schema: GraphSchema) -> Plan | None:
    """The plan with the words of the title of its only documents."""
    if not _has_titles(schema) or len(plan.trees) != 1:
        return None
    root = _in_tree(plan.root, said, schema.document_type or "")
    return replace(plan, root=root) if root else None


def _in_tree(tree: Tree, said: tuple[TitleWords, ...], owner: str) -> Tree | None:
    if tree.kind == entity(owner):
        return replace(tree, branches=(*tree.branches, *(_branch(s, owner) for s in said)))
    for at, child in enumerate(tree.children):
        found = _in_tree(child, said, owner)
        if found:
            return replace(tree, children=(*tree.children[:at], found, *tree.children[at + 1 :]))
    for at, branch in enumerate(tree.branches):
        plain = len(branch.trees) == 1 and not branch.negated and branch.number is None
        found = _in_tree(branch.trees[0], said, owner) if plain else None
        if found:
            held = replace(branch, trees=(found,))
            return replace(tree, branches=(*tree.branches[:at], held, *tree.branches[at + 1 :]))
    return None


def _branch(said: TitleWords, owner: str) -> Branch:
    kind = value(owner, TITLE)
    tests = (Test(f.Op.HAS, w.lower(), f"'{w}'") for w in said.among)
    trees = (Tree(entity(owner), children=(Tree(kind, (t,)),)) for t in tests)
    return Branch(tuple(trees), negated=said.denied)


def speaks_of_title(form: f.Form | None, plan: Plan | None) -> bool:
    """Whether a reading has a condition on a title."""
    if form is not None and any(c.attribute == TITLE and c.value for c in form.conditions):
        return True
    return plan is not None and any(_tests_title(t) for t in plan.trees)


def _tests_title(tree: Tree) -> bool:
    below = (*tree.children, *(t for b in tree.branches for t in b.trees))
    return (tree.kind.attribute == TITLE and bool(tree.tests)) or any(map(_tests_title, below))


def _has_titles(schema: GraphSchema) -> bool:
    document = schema.document_type
    return bool(document) and attribute(schema.entity(document or ""), TITLE) is not None
