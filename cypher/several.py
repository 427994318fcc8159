"""One quantity of several things: "the lifetimes of the B0, the B+ and the B_s0" said in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from cypher.normalise import quoted_spans
from cypher.semantics.inflected import singulars

_CLASS: Final = r"(?: (?:meson|baryon|boson|quark|lepton|hadron|hyperon|resonance)s?)?"
_ITEM: Final = rf"(?:the |an? )?[^\s,;?]*[^\s,;?.]{_CLASS}"
_LIST: Final = rf"{_ITEM}(?:, {_ITEM})*,? (?:and|or) {_ITEM}"
_OF: Final = re.compile(
    rf"(?P<words>(?:[a-z]+ ){{0,2}}[a-z]+s) (?:of|for) (?P<list>{_LIST})(?=[\s?.,;]|$)", re.IGNORECASE
)
_BEFORE: Final = re.compile(
    rf"(?P<list>{_LIST})(?: (?P<words>(?:[a-z]+ ){{0,1}}[a-z]+))(?=[\s?.,;]|$)", re.IGNORECASE
)
_BETWEEN: Final = re.compile(
    r"\b(?:ratios?|differences?|sums?|products?|between|splittings?|averages?|correlations?|asymmetr\w+)\b",
    re.IGNORECASE,
)
"""Words for one number of several things."""
_IRREGULAR: Final = {"lives": ("life",), "half-lives": ("half-life",)}
_LEAD: Final = re.compile(
    r"^(?:the|an?) |(?: (?:meson|baryon|boson|quark|lepton|hadron|hyperon"
    r"|resonance)s?)$"
)


def each_named(text: str, name: Callable[[str], str]) -> str:
    """The question with the quantity named for each thing.

    ``name`` gives the one thing that a phrase names, or an empty text.

    >>> known = {"mass of B0": "B0 mass", "mass of B+": "B+ mass"}
    >>> each_named("What are the masses of the B0 and the B+?", lambda phrase: known.get(phrase, ""))
    'What are the B0 mass and B+ mass?'
    >>> each_named("Compare the B0 and B+ masses", lambda phrase: known.get(phrase, ""))
    'Compare the B0 mass and B+ mass'
    >>> each_named("What are the masses of the B0 and its friends?", lambda phrase: known.get(phrase, ""))
    'What are the masses of the B0 and its friends?'
    """
    if quoted_spans(text) or _BETWEEN.search(text):
        return text
    for pattern in (_OF, _BEFORE):
        for found in pattern.finditer(text):
            said = _in_full(found, name)
            if said:
                return text[: found.start()] + said + text[found.end() :]
    return text


def _in_full(found: re.Match[str], name: Callable[[str], str]) -> str:
    words = found["words"].split()
    ahead, items, joint = _items(found["list"])
    for first in range(len(words)):
        *before, last = words[first:]
        for one in (last.lower(), *singulars(last.lower()), *_IRREGULAR.get(last.lower(), ())):
            kind = " ".join([*before, one])
            names = quantities(items, kind, name)
            if names:
                left = " ".join(words[:first] or (ahead if found.re is _BEFORE else ()))
                said = f"{', '.join(names[:-1])} {joint} {names[-1]}"
                return f"{left} {said}" if left else said
    return ""


def quantities(items: Sequence[str], kind: str, name: Callable[[str], str]) -> list[str]:
    """The names of one kind of quantity of several things; none where one of them has no name.

    >>> known = {"mass of B0": "B0 mass", "B+ mass": "B+- mass"}
    >>> quantities(["B0", "B+"], "mass", lambda said: known.get(said, ""))
    ['B0 mass', 'B+- mass']
    """
    names = [name(f"{kind} of {item}") or name(f"{item} {kind}") for item in items]
    return names if all(names) else []


def _items(text: str) -> tuple[Sequence[str], list[str], str]:
    """What stands before the first thing, the things, and the word between the last two."""
    joint = "or" if re.search(r" or \S+(?: \S+)?$", text) else "and"
    parts = [p for p in re.split(r",? (?:and|or) |, ", text) if p]
    ahead = ("the",) if parts[0].lower().startswith("the ") else ()
    return ahead, [_LEAD.sub("", _LEAD.sub("", p)) for p in parts], joint
