"""Differences of one quantity of two particles: "the mass difference between the D*+ and the D0" by its name.

The listings call them ``mass(D*(2010)+)-mass(D0)`` or ``Xi_c0-Xi_c+ mass difference``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from cypher.normalise import quoted_spans
from schemas.language.particle_words import particle_in_words

_NOUN: Final = r"(?: (?:meson|baryon|boson|quark|lepton|hyperon)s?)?"
THING: Final = rf"(?:the |an? )?(?:neutral |charged )?[^\s,;?]*[^\s,;?.]{_NOUN}"
"""A particle in words or symbols, in a pattern."""
_KIND: Final = r"(?P<kind>mass|width|lifetime)(?:es|s)?"
_DIFFERENCE: Final = r"(?:differences?|splittings?)"
_BOTH: Final = rf"(?P<a>{THING})(?:,? (?:and|to) |,? )(?P<b>{THING})"
_FORMS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:the )?{_KIND} {_DIFFERENCE} (?:between|of|for) {_BOTH}(?=[?.,\s]|$)",
        rf"(?:the )?{_DIFFERENCE} (?:between|of|in) (?:the )?{_KIND} (?:of|between) {_BOTH}(?=[?.,\s]|$)",
        rf"(?:the )?{_DIFFERENCE} (?:between|of) (?:the )?(?P<a>{THING}) and (?:the )?(?P<b>{THING})"
        rf" {_KIND}(?=[?.,\s]|$)",
        rf"(?:the )?{_KIND} {_DIFFERENCE} (?P<a>\S+) ?[-–−] ?(?P<b>\S*[^\s?.,])(?=[?.,\s]|$)",
        rf"(?:the )?(?P<a>[^\s,;?]+) [-–−] (?P<b>\S+) {_KIND} {_DIFFERENCE}",
        rf"(?:the )?(?P<a>[a-z]+|\S*?[0+)\w*])[-–−](?P<b>[a-z]+|[A-Za-z]\S*) {_KIND} {_DIFFERENCE}",
    )
)
_MORE: Final = "heavier|lighter|broader|wider|narrower"
_HEAVIER: Final = re.compile(
    rf"^(?:by )?how much (?:(?P<how>{_MORE}) (?:is|are) (?P<a>{THING})|(?:is|are) (?P<a2>{THING})"
    rf" (?P<how2>{_MORE})) than (?P<b>{THING})(?=[?.,\s]|$)",
    re.IGNORECASE,
)


def difference_named(text: str, name: Callable[[str], str]) -> str:
    """The question with the difference's name; ``name`` gives the one thing a phrase names, or "".

    >>> known = ("mass(n)-mass(p)", "Xi_c0-Xi_c+ mass difference", "B0 mass", "B_s0 mass")
    >>> def name(said): return said if said in known else ""
    >>> difference_named("What is the neutron-proton mass difference?", name)
    'What is mass(n)-mass(p)?'
    >>> difference_named("the mass difference of the Xi_c+ and the Xi_c0", name)
    'Xi_c0-Xi_c+ mass difference'
    >>> difference_named("How much heavier is the neutron than the proton?", name)
    'what is mass(n)-mass(p)?'
    >>> difference_named("How much lighter is the B0 than the B_s0?", name)
    'difference between the B_s0 mass and the B0 mass?'
    """
    if quoted_spans(text):
        return text
    heavier = _HEAVIER.match(text)
    if heavier is not None:
        how = (heavier["how"] or heavier["how2"]).lower()
        kind = "mass" if how in ("heavier", "lighter") else "width"
        found = _named(heavier["a"] or heavier["a2"], heavier["b"], kind, name)
        if found:
            return f"what is {found}{text[heavier.end() :]}"
        both = [heavier["a"] or heavier["a2"], heavier["b"]]
        if not all(any(name(f"{symbol} {kind}") for symbol in _symbols(one)) for one in both):
            return text
        more, less = both if how in ("heavier", "broader", "wider") else reversed(both)
        return f"difference between {more} {kind} and {less} {kind}{text[heavier.end() :]}"
    for form in _FORMS:
        for said in form.finditer(text):
            found = _named(said["a"], said["b"], said["kind"].lower(), name)
            if found:
                return f"{text[: said.start()]}{found}{text[said.end() :]}"
    return text


def _named(one: str, other: str, kind: str, name: Callable[[str], str]) -> str:
    """What the difference of two is called, in either order."""
    for a, b in product(_symbols(one), _symbols(other)):
        for first, second in ((a, b), (b, a)):
            forms = (f"{kind}({first})-{kind}({second})", f"{first}-{second} {kind} difference")
            found = next((n for form in forms if (n := name(form))), "")
            if found:
                return found
    return ""


def _symbols(said: str) -> Iterator[str]:
    """The symbols that a particle's name may stand for, without its charge at last."""
    plain = re.sub(rf"^(?:the|an?) |{_NOUN}$", "", said, flags=re.IGNORECASE)
    symbol = particle_in_words(plain) or plain
    yield from dict.fromkeys((symbol, plain))
    if re.search(r"[^+-][+-]$", symbol):
        yield f"{symbol[:-1]}+-"
    elif re.search(r"[A-Za-z)*]$", symbol):
        yield from (f"{symbol}{charge}" for charge in ("+-", "+", "0"))
