"""Observables in text: a known term, completed to a name by the decay or particle it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from extraction.passages import unified
from extraction.rules_terms import CompiledTerm, Terms
from schemas.language.expressions import Found
from schemas.language.notation import DecayName, canonical_particle, find_decays
from schemas.model import AttributeValue

decays_in = lru_cache(maxsize=4096)(find_decays)
"""The decays of a passage: several rules ask for them, one after the other over the whole document."""
_ARGUMENT = 5
"""A decay that starts within so many characters of the term is the term's argument."""
_AFTER = re.compile(r"\s?(?:of|for)\s(?:the\s|a\s|an\s){0,2}(?P<name>\S{1,30})")
_BEFORE = re.compile(r"(?P<name>\S{1,30})(?:\s(?:meson|baryon|boson|hadron|lepton|quark))?(?:'s)?\s$")
_TAKEN = 30
"""Characters after an observable in which a decay is its own, and no later observable's of the kind."""
_ARGUMENT_OPENS = re.compile(r"\s?\((?=[^()\d])")
_WORDED = re.compile(r"[a-z]{4}")
_VALUE_BETWEEN = re.compile(r"[=±]")
"""Between an observable and a decay that is named after its value ("..., using the decay")."""
_RELATIVE = re.compile(
    r"\b(?:relative|with respect|compared|normali[sz]ed|with reference) to\b", re.IGNORECASE
)
"""Between an observable and the decay that it is compared with, which is not its own."""
_SLOT = re.compile(r"\{(\w+)\}")
_CLOSING = re.compile(r"[\s)}\]]{0,4}")
_WORDS = frozenset({"a", "an", "the", "its", "their", "this", "that", "is", "was", "and", "or"})


@dataclass(frozen=True, slots=True)
class ObservableMention:
    """A term at ``start:end`` of a text; ``name`` is empty where the text does not complete it."""

    start: int
    end: int
    name: str
    template: str
    particle: str
    attributes: Mapping[str, AttributeValue]
    sure: bool
    """Whether the term itself carries what completes its name."""


@dataclass(frozen=True, slots=True)
class _Place:
    text: str
    start: int
    end: int
    decays: Sequence[tuple[int, int, DecayName]]


def find_observables(text: str, terms: Terms) -> list[ObservableMention]:
    """The observables that a text names, in order, longest first where they overlap.

    A ``{decay}`` in the term's name is filled by the decay that follows it, else by the only decay of the
    text; ``{particle}`` by the form's own group, by "of the B_s0" after or "B_s0 meson" before the
    term, else by the parent of the only decay.
    """
    plain = unified(text)
    decays = decays_in(text)
    matches = [(m, term) for m, term in terms.finds(plain) if m.end() > m.start()]
    matches.sort(key=lambda found: (found[0].start(), -found[0].end(), found[1].name))
    mentions: list[ObservableMention] = []
    taken: set[tuple[str, str]] = set()
    last = 0
    for match, term in matches:
        if match.start() < last or any(s < match.start() < e for s, e, _ in decays):
            continue
        free = [
            d
            for d in decays
            if (d[2].name, term.name) not in taken or match.end() <= d[0] <= match.end() + _ARGUMENT
        ]
        mention = _mention(match, term, _Place(text, match.start(), match.end(), free))
        if match.groupdict().get("particle") and not mention.name:
            continue
        if mention.name:
            near = (d for d in decays if match.end() <= d[0] <= match.end() + _TAKEN)
            taken |= {(d[2].name, term.name) for d in near if d[2].name in mention.name}
        mentions.append(mention)
        last = mention.end
    return mentions


def _mention(match: Found, term: CompiledTerm, place: _Place) -> ObservableMention:
    slots = set(_SLOT.findall(term.name))
    values: dict[str, str] = {}
    end, sure, particle = place.end, True, ""
    groups = match.groupdict()
    for slot in slots - {"decay", "decay2", "particle", "particle2"}:
        values[slot] = " ".join(place.text[match.start(slot) : match.end(slot)].split())
    if "particle" in slots:
        particle, sure = _particle(groups.get("particle") or "", place)
        values["particle"] = particle
    if "decay2" in slots:
        after = [d for d in place.decays if d[0] >= place.end]
        if len(after) >= 2 and after[0][2].name != after[1][2].name:
            values["decay"], values["decay2"], end = after[0][2].name, after[1][2].name, after[1][1]
    elif "decay" in slots:
        found = _decay(place)
        if found is not None:
            values["decay"] = found[2].name
            sure = place.end <= found[0] <= place.end + _ARGUMENT
            end = found[1] if sure else end
    complete = all(values.get(slot) for slot in slots) and (
        sure or not has_argument(place.text, *match.span())
    )
    if end > place.end:
        closed = _CLOSING.match(place.text, end)
        end = closed.end() if closed else end
    return ObservableMention(
        start=place.start,
        end=end,
        name=_SLOT.sub(lambda m: values[m[1]], term.name) if complete else "",
        template=term.name,
        particle=particle,
        attributes={**term.attributes, **({"particle": particle} if particle else {})},
        sure=sure,
    )


def has_argument(text: str, start: int, end: int) -> bool:
    """Whether the symbol at ``start:end`` is followed by an argument in brackets, understood or not.

    >>> has_argument("A_{CP}(K K)", 0, 6), has_argument("branching fraction (ratio)", 0, 18)
    (True, False)
    """
    return _ARGUMENT_OPENS.match(text, end) is not None and not _WORDED.search(text[start:end])


def _decay(place: _Place) -> tuple[int, int, DecayName] | None:
    after = [d for d in place.decays if place.end <= d[0] <= place.end + 60]
    if after and _RELATIVE.search(place.text, place.end, after[0][0]):
        return None
    if after and not _VALUE_BETWEEN.search(place.text, place.end, after[0][0]):
        return after[0]
    return place.decays[0] if len({d[2].name for d in place.decays}) == 1 else None


def _particle(written: str, place: _Place) -> tuple[str, bool]:
    if written:
        return particle_name(written), True
    after = _AFTER.match(place.text, place.end)
    if after and particle_name(after["name"]):
        return particle_name(after["name"]), True
    before = _BEFORE.search(place.text, max(0, place.start - 45), place.start)
    if before and particle_name(before["name"]):
        return particle_name(before["name"]), True
    parents = {d[2].parent for d in place.decays}
    return (parents.pop(), False) if len(parents) == 1 else ("", False)


def particle_name(written: str) -> str:
    """Canonical name of a written particle, or an empty string.

    >>> particle_name("Λ^+_c,"), particle_name("X(3960),"), particle_name("the")
    ('Lambda_c+', 'X(3960)', '')
    """
    plain = written.strip(" ,.;:~")
    if plain.count("(") != plain.count(")") or plain.startswith("("):
        plain = plain.strip("()")
    if plain.startswith("{") and plain.endswith("}"):
        plain = plain[1:-1]
    if not plain or plain.lower() in _WORDS:
        return ""
    return canonical_particle(plain) or ""
