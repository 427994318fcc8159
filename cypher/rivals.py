"""Which of several things has the largest number: "which lives longer, the muon or the charged pion?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cypher.differences import THING
from cypher.normalise import quoted_spans
from cypher.several import quantities

_LIST: Final = rf"(?P<list>{THING}(?:, {THING})*,? (?:and|or) {THING})"
_ANY_LIST: Final = r"(?P<list>[^,;?]+(?:, [^,;?]+)*,? (?:and|or) [^,;?]+?)"
"""Of quantities, whose names may have several words."""
_KINDS: Final = {
    "mass": ("largest", r"heav(?:y|ier|iest)", "smallest", r"light(?:er|est)?"),
    "mean life": (
        "largest",
        r"long(?:er|est)(?:[- ]lived)?|slow(?:er|est)",
        "smallest",
        r"short(?:er|est)(?:[- ]lived)?|fast(?:er|est)|first|quick(?:er|est)|soon(?:er|est)",
    ),
    "width": ("largest", r"(?:broad|wid)(?:er|est)", "smallest", r"narrow(?:er|est)"),
    "": (
        "largest",
        r"larg(?:er|est)|bigg(?:er|est)|great(?:er|est)|high(?:er|est)",
        "smallest",
        r"small(?:er|est)|low(?:er|est)",
    ),
}
_DOES: Final = r"(?:is|has|lives?|dies?|decays?)"
_ONE: Final = r"(?:which|what|who)(?: (?:one|of (?:the two|them|these)))?"


def rivals_ranked(text: str, name: Callable[[str], str]) -> str:
    """The question as one for the largest or smallest of the named quantities.

    ``name`` gives the one thing that a phrase names, or an empty text; where one is missing, nothing changes.

    >>> known = {"mean life of mu": "mu mean life", "mean life of pi+": "pi+- mean life"}
    >>> rivals_ranked("Which lives longer, the mu or the pi+?", lambda said: known.get(said, ""))
    'Which of mu mean life and pi+- mean life has the largest recommended value?'
    >>> rivals_ranked("which of the mu and the pi+ decays faster", lambda said: known.get(said, ""))
    'Which of mu mean life and pi+- mean life has the smallest recommended value?'
    >>> rivals_ranked("Which is larger, Delta m_s or Delta m_d?", lambda said: said)
    'Which of Delta m_s and Delta m_d has the largest recommended value?'
    """
    if quoted_spans(text):
        return text
    for kind, (most, more, least, less) in _KINDS.items():
        for how, words in ((most, more), (least, less)):
            said = rf"{_DOES} (?:the )?(?:{words})"
            listed = _LIST if kind else _ANY_LIST
            for form in (
                rf"{_ONE} {said}[,:;]? {listed}[?.]?",
                rf"(?:which|what) (?:one )?of (?:the )?(?:[a-z]+ (?:baryon|meson|boson|quark|lepton"
                rf"|particle)s )?"
                rf"{listed} {said}[?.]?",
            ):
                found = re.fullmatch(form, text, re.IGNORECASE)
                names = _names(found["list"], kind, name) if found else []
                if names:
                    return (
                        f"Which of {', '.join(names[:-1])} and {names[-1]} has the {how} recommended value?"
                    )
    return text


def _names(said: str, kind: str, name: Callable[[str], str]) -> list[str]:
    """What the quantities are called; none where one of them is not known."""
    parts = [p for p in re.split(r",? (?:and|or) |, ", said) if p]
    plain = tuple(re.sub(r"^(?:the|an?) ", "", p, flags=re.IGNORECASE) for p in parts)
    if not kind:
        found = [name(p) for p in plain]
        return found if all(found) else []
    return quantities(plain, kind, name)
