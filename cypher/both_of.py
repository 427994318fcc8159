"""Several quantities of one thing: "the B_s0 mass and lifetime" said in full."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cypher.normalise import quoted_spans

_WORD: Final = r"(?:mean life(?:time)?|(?:full|natural|decay|total) width|[a-z]+)"
_LIST: Final = rf"{_WORD}(?:, (?:the )?{_WORD})*,? and (?:the |its )?{_WORD}"
_CLASS: Final = r"(?: (?:meson|baryon|boson|quark|lepton|hadron|hyperon|resonance))?"
_THING: Final = (
    rf"(?:[^\s,;?]*[A-Z0-9_+*][^\s,;?]*[^\s,;?.]|[A-Z]|tau|mu|muon|electron|neutron|proton){_CLASS}"
)
_BEHIND: Final = re.compile(rf"(?<!\S)(?P<thing>{_THING}) (?P<list>{_LIST})(?=[\s?.,;]|$)")
_OF: Final = re.compile(
    rf"(?<!\S)(?P<list>{_LIST}) (?:of|for) (?:the |an? )?(?P<thing>{_THING})(?=[\s?.,;]|$)"
)
_JOINT: Final = re.compile(r",? and (?:the |its )?|, (?:the )?")


def both_of(text: str, name: Callable[[str], str]) -> str:
    """The question with the thing named for each of its quantities.

    ``name`` gives the one thing that a phrase names, or an empty text. Nothing is changed where a quantity
    is not one of the thing.

    >>> known = {"B0 mass": "B0 mass", "B0 lifetime": "B0 mean life", "mass of B0": "B0 mass"}
    >>> both_of("What are the B0 mass and lifetime?", lambda phrase: known.get(phrase, ""))
    'What are the B0 mass and B0 mean life?'
    >>> both_of("the mass and lifetime of the B0", lambda phrase: known.get(phrase, ""))
    'the B0 mass and B0 mean life'
    >>> both_of("the B0 mass and colour", lambda phrase: known.get(phrase, ""))
    'the B0 mass and colour'
    """
    if quoted_spans(text) or " and " not in text:
        return text
    for pattern in (_OF, _BEHIND):
        for found in pattern.finditer(text):
            words = _JOINT.split(found["list"])
            thing = found["thing"]
            names = [_named(thing, w, name) for w in words]
            if all(names):
                said = f"{', '.join(names[:-1])} and {names[-1]}"
                return text[: found.start()] + said + text[found.end() :]
    return text


def _named(thing: str, word: str, name: Callable[[str], str]) -> str:
    said = dict.fromkeys((word, word.replace("lifetime", "mean life")))
    return next((n for w in said if (n := name(f"{thing} {w}") or name(f"{w} of {thing}"))), "")
