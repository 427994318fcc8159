"""Units that numbers are said and kept in: of time, length, mass, area, volume, and shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cypher.semantics.text import identifier_words, stem
from cypher.semantics.unit_words import SHORT

if TYPE_CHECKING:
    from cypher.semantics.lexicon import Words

TIME: Final = "time"
HARDLY: Final = 0.25
"""Weight of a word that says little of a property: "min" of ``min_depth`` is no minute."""
_UNITS: Final[dict[str, tuple[str, float]]] = {
    "second": (TIME, 1), "sec": (TIME, 1), "minute": (TIME, 60), "min": (TIME, 60), "hour": (TIME, 3600),
    "day": (TIME, 86_400), "week": (TIME, 604_800),
    "metre": ("length", 1), "meter": ("length", 1), "kilometre": ("length", 1000),
    "kilometer": ("length", 1000), "km": ("length", 1000), "centimetre": ("length", 0.01),
    "centimeter": ("length", 0.01), "cm": ("length", 0.01), "millimetre": ("length", 0.001),
    "millimeter": ("length", 0.001), "mm": ("length", 0.001), "mile": ("length", 1609.344),
    "feet": ("length", 0.3048),
    "kilogram": ("mass", 1), "kilogramme": ("mass", 1), "kilo": ("mass", 1), "kg": ("mass", 1),
    "gram": ("mass", 0.001), "gramme": ("mass", 0.001), "milligram": ("mass", 1e-6), "mg": ("mass", 1e-6),
    "tonne": ("mass", 1000),
    "hectare": ("area", 10_000), "acre": ("area", 4046.8564224),
    "litre": ("volume", 1), "liter": ("volume", 1), "millilitre": ("volume", 0.001),
    "milliliter": ("volume", 0.001), "ml": ("volume", 0.001), "hectolitre": ("volume", 100),
    "sqm": ("area", 1), "degree": ("heat", 1), "celsius": ("heat", 1), "percent": ("share", 1),
    "pct": ("share", 1),
}  # fmt: skip
"""Units with what they are of, and how many of the first they are."""
_STEMS: Final = {unit: stem(f"{unit}s") for unit in _UNITS}
_KEPT: Final = {
    "length": (
        *("length", "height", "width", "depth", "distance"),
        *("elevation", "altitude", "diameter", "radius"),
    ),
    "mass": ("weight", "mass", "load"),
    "area": ("area", "size", "acreage", "surface"),
    "volume": ("volume", "capacity"),
    "heat": ("temperature", "temp"),
    "share": ("share", "rate", "percentage", "proportion", "discount"),
}  # fmt: skip
"""Words of properties that are kept in some unit of a kind, where none is told."""


def unit_of(word: str) -> str:
    """The unit of time that a word says, in the singular, or nothing.

    >>> unit_of("minutes"), unit_of("metres")
    ('minute', '')
    """
    unit = measure_of(word)
    return unit if unit and _UNITS[unit][0] == TIME else ""


def measure_of(word: str) -> str:
    """The unit that a word says, in the singular, or nothing.

    >>> measure_of("minutes"), measure_of("metres"), measure_of("hats")
    ('minute', 'metre', '')
    """
    return next((one for one in (word, word.removesuffix("s")) if one in _UNITS), "")


def is_of_time(unit: str) -> bool:
    """Whether it is a unit of time."""
    return _UNITS[unit][0] == TIME


def own_unit(words: Words, owner: str, name: str) -> str:
    """The unit that a property is kept in, where its name or a word for it is one."""
    for unit, many in _STEMS.items():
        for term in words.lexicon.phrases.get((many,), ()):
            said = term.kind == "property" and term.weight > HARDLY
            if said and term.name == name and owner in term.owners:
                return unit
    parts = identifier_words(name)
    short = SHORT.get(parts[-1], "") if len(parts) > 1 else ""
    telling = parts[1:] if len(parts) > 1 and parts[0] == "min" else parts
    return short or next((found for x in telling if (found := measure_of(x))), "")


def may_be_in(unit: str, name: str, own: str) -> bool:
    """Whether a property may be told in a unit: by its own unit, else by its name.

    >>> may_be_in("metre", "altitude", ""), may_be_in("metre", "area_ha", "hectare")
    (True, False)
    """
    kind = _UNITS[unit][0]
    if own:
        return _UNITS[own][0] == kind
    return bool(set(_KEPT.get(kind, ())) & set(identifier_words(name)))


def converted(number: float, said: str, own: str) -> float:
    """A number told in one unit, in another; as it is where one is not known or they are of other kinds.

    >>> converted(1.5, "minute", "second"), converted(120, "second", "minute"), converted(3, "minute", "")
    (90, 2, 3)
    >>> converted(2, "kilometre", "metre"), converted(2, "kilometre", "gram")
    (2000, 2)
    """
    known = said and own and _UNITS[said][0] == _UNITS[own][0]
    value = number * _UNITS[said][1] / _UNITS[own][1] if known else number
    return int(value) if value == int(value) else value
