"""Who did one thing and not another: "what did Ann make but not sell" leaves out only what Ann sold."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.rephrasing.rule import Rule, rule

_PAST: Final = {base: past for past, base in reversed(IRREGULAR.items()) if not past.endswith(("s", "ing"))}
_NAME: Final = r"(?P<name>(?-i:[A-Z])[\w.'’& -]*?)"
_THINGS: Final = r"(?P<asking>which|what) (?P<things>[\w -]+?)"
_NOT: Final = (
    r"(?:without|(?:but|yet|and) (?:(?:(?:did|has|have|was|were) )?(?:not|never)|didn['’]t))(?: ever)?"
)
_END: Final = r"(?: (?:it|them))?(?: (?:himself|herself|themselves|itself))?\s*[?.]*$"
_SOFT: Final = re.compile(
    r"(?:[cgsuvz]|writ|(?<![aeiou])(?:at|ut|[aio][km]|[aiou][rd]|[iu]n|il)|[^aeioul]l)$"
)
"""Ends of stems that have lost an "e"."""
_VERB: Final = r"[a-z]+(?: (?:in|on|at|for|to|with))?"


def past_of(verb: str) -> str:
    """The past of a verb with what stands behind it.

    >>> past_of("act in"), past_of("produce"), past_of("write"), past_of("carry")
    ('acted in', 'produced', 'wrote', 'carried')
    """
    base, _, behind = verb.partition(" ")
    if base in _PAST:
        told = _PAST[base]
    elif base.endswith("e"):
        told = base + "d"
    elif re.search(r"[^aeiou]y$", base):
        told = base[:-1] + "ied"
    else:
        told = base + "ed"
    return f"{told} {behind}".rstrip()


def _base(verb: str) -> str:
    """The plain form of a verb, as most verbs make it.

    >>> [_base(v) for v in ("directing", "producing", "writing", "editing", "running", "sold")]
    ['direct', 'produce', 'write', 'edit', 'run', 'sell']
    """
    if not verb.endswith("ing"):
        return IRREGULAR.get(verb, verb)
    stem = verb[:-3]
    return stem[:-1] if re.search(r"([^aeiouls])\1$", stem) else stem + "e" * bool(_SOFT.search(stem))


def _did(found: re.Match[str]) -> str:
    asked = f"{found['asking']} {found['things']} that {found['name']} {past_of(found['verb'].lower())}"
    return f"{asked} did {found['name']} not {_base(found['other'].lower())}?"


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"^{_THINGS} did {_NAME} (?P<verb>{_VERB}) (?:{_NOT}) (?P<other>{_VERB}){_END}", _did),
)
"""Tried in order, each once."""
