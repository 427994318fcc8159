"""Two quantities of one thing: "the mass and the width of the phi(1020)" said in full."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cypher.normalise import quoted_spans

_THING: Final = r"(?:the )?(\S+(?: (?:meson|baryon|boson|quark|lepton|hadron)s?)?)"
_PAIR: Final = re.compile(
    rf"\b(?:the )?([a-z]+(?: [a-z]+)?) (and|or|as well as|nor) (?:the )?([a-z]+(?: [a-z]+)?) of {_THING}",
    re.IGNORECASE,
)
_WHAT_KIND: Final = re.compile(
    r"^(?:what|which) ([a-z]+) (?:of|for) (.+?) (was|were|has|have) ", re.IGNORECASE
)
_MANY: Final = {"was": "were", "were": "were", "has": "have", "have": "have"}


def spelled_out(text: str, is_kind: Callable[[str], bool]) -> str:
    """The question with the thing named for each of two quantities; ``is_kind`` knows words for their kinds.

    >>> kinds = {"mass", "width", "lifetime"}.__contains__
    >>> spelled_out("Which papers determine both the mass and the width of the phi(1020)?", kinds)
    'Which papers determine both the mass of phi(1020) and the width of phi(1020)?'
    >>> spelled_out("Which papers and limits of LHCb are there?", kinds)
    'Which papers and limits of LHCb are there?'
    """
    if quoted_spans(text):
        return text

    def in_full(found: re.Match[str]) -> str:
        first, joint, second, thing = found.groups()
        words = first.split()
        before, kind = (words[:-1], words[-1]) if not is_kind(first) else ([], first)
        if not (is_kind(kind) and is_kind(second)):
            return found[0]
        end = thing.rstrip("?.,;:!")
        said = f"the {kind} of {end} {joint} the {second} of {thing}"
        return " ".join([*before, said])

    def value_of(found: re.Match[str]) -> str:
        return (
            f"which values of the {found[1]} of {found[2]} {_MANY[found[3].lower()]} "
            if is_kind(found[1])
            else found[0]
        )

    return _WHAT_KIND.sub(value_of, _PAIR.sub(in_full, text))
