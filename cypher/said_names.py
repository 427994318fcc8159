"""What has to be said of a name that was understood: what it stands for, and what else has that name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.link import EntityWord, Linked
from schemas.language.names import name_key
from schemas.ports import ValueIndex
from schemas.questions import EntityMatch

MOST_SIBLINGS: Final = 3
_EQUATION: Final = re.compile(r"^.*?(?P<symbol>\S+) = (?P<right>.+)$")
_CONDITION: Final = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)$")


def said_names(linked: Linked, used: frozenset[str], index: ValueIndex) -> tuple[str, ...]:
    """Sentences on the names of a question, for the things (ids) that its answer is about."""
    named = _named(linked, used)
    found = [t for text, m in named if (t := up_to_a_factor(text, m.name))]
    for text, match in named:
        found.extend(_siblings(text, match, used, index))
    return tuple(dict.fromkeys(found))


def other_numbers(linked: Linked, used: frozenset[str]) -> str:
    """Why numbers of what a question names cannot be compared: they are those of another quantity.

    Empty where the numbers are those of what is named.
    """
    for text, match in _named(linked, used):
        found = _defined(text, match.name)
        if found:
            symbol, right = found["symbol"], found["right"]
            return (
                f"'{text}' is listed as {symbol} = {right}, so its numbers have another size and may have "
                f"another sign: they are not compared or put in order here. Ask the same of {symbol}."
            )
    return ""


def _named(linked: Linked, used: frozenset[str]) -> tuple[tuple[str, EntityMatch], ...]:
    """The words for each thing that an answer is about."""
    named = {
        m.id: (span.text, m)
        for span in linked.spans
        for o in span.options
        if isinstance(o, EntityWord)
        for m in o.matches
        if m.id in used
    }
    return tuple(named.values())


def without_condition(name: str) -> str:
    """A name without what stands in brackets at its end.

    >>> without_condition("phase beta_s = -phi_s/2 (b -> c cbar s)")
    'phase beta_s = -phi_s/2'
    """
    return _CONDITION.sub("", name)


def up_to_a_factor(said: str, name: str) -> str:
    """The sentence for a quantity whose name defines it from the one that was asked for, else empty.

    >>> up_to_a_factor("phi_s", "CP violation phase beta_s = -phi_s/2 (b -> c cbar s)")
    "'phi_s' is listed as beta_s = -phi_s/2: the numbers are those of beta_s."
    >>> up_to_a_factor("beta_s", "CP violation phase beta_s = -phi_s/2 (b -> c cbar s)")
    ''
    """
    found = _defined(said, name)
    if found is None:
        return ""
    symbol = found["symbol"]
    return f"'{said}' is listed as {symbol} = {found['right']}: the numbers are those of {symbol}."


def _defined(said: str, name: str) -> re.Match[str] | None:
    """The equation in the name of a quantity that was asked for under another name."""
    found = _EQUATION.match(without_condition(name))
    if found is None or found["symbol"] in said or name_key(said) == name_key(name):
        return None
    return found


def _siblings(said: str, match: EntityMatch, used: frozenset[str], index: ValueIndex) -> Iterator[str]:
    """What else goes by the name, under a condition."""
    under = {m.id: m for name in (said, match.name) for m in index.qualified(name, match.type)}
    others = [m for m in under.values() if m.id not in used]
    if not others:
        return
    names = [f"'{m.name}'" for m in others[:MOST_SIBLINGS]]
    more = f" and {len(others) - MOST_SIBLINGS} more" if len(others) > MOST_SIBLINGS else ""
    yield f"'{said}' was read as '{match.name}'; under conditions it also names {', '.join(names)}{more}."
