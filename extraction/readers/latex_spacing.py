"""Where blanks stand in a formula that is written as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# What an atom looks like at its left and right edge.
LETTER, SYMBOL, NUMBER, SCRIPT, NAME = "letter", "symbol", "number", "script", "name"
RELATION, BINARY, SIGN, COMMA, OPENING, CLOSING, TIGHT = (
    "relation",
    "binary",
    "sign",
    "comma",
    "opening",
    "closing",
    "tight",
)
_WORDLIKE: Final = frozenset({LETTER, SYMBOL, NAME})
_NO_OPERAND: Final = frozenset({RELATION, BINARY, SIGN, COMMA, OPENING, NAME})
CHARACTERS: Final[dict[str, str]] = (
    dict.fromkeys("=<>≤≥≈≠→~", RELATION)
    | dict.fromkeys("+-−±∓×·*", BINARY)
    | dict.fromkeys(",;", COMMA)
    | dict.fromkeys("([{⟨", OPENING)
    | dict.fromkeys(")]}⟩", CLOSING)
)


@dataclass(slots=True)
class Atom:
    """A piece of a formula; ``left`` and ``right`` say what it looks like at its edges."""

    text: str
    left: str
    right: str
    space: int
    """Before it in the source: 0 none, 1 a blank (which TeX ignores), 2 a visible space."""


def join(atoms: list[Atom], *, script: bool) -> str:
    """Atoms with blanks where a reader expects them; ``script`` writes them tight."""
    out: list[str] = []
    right = OPENING
    for number, atom in enumerate(atoms):
        left, next_right = atom.left, atom.right
        following = atoms[number + 1].text if number + 1 < len(atoms) else ""
        if left == BINARY:
            if right in _NO_OPERAND and atom.text not in {"×", "·"}:
                left = next_right = SIGN
            elif atom.text == "×" and following.startswith("10"):
                left = next_right = TIGHT
        unit = number > 0 and _is_micro(atoms[number - 1], atom)
        if out and not unit and _parted(right, left, atom.space, script=script):
            out.append(" ")
        out.append(atom.text)
        right = next_right if not (left == SYMBOL and atom.text in {"Δ", "δ", "∂", "∇"}) else TIGHT
    return "".join(out).strip()


def _is_micro(before: Atom, atom: Atom) -> bool:
    """Whether the two are a unit such as μm."""
    return before.text == "μ" and not atom.space and re.match(r"(?:m|s|b|g|rad|A|V)\Z", atom.text) is not None


def _parted(right: str, left: str, space: int, *, script: bool) -> bool:
    """Whether a space stands between an edge ``right`` and the next edge ``left``."""
    if script:
        return right in _WORDLIKE and left in _WORDLIKE and (space > 0 or NAME in {right, left})
    if left == COMMA or (right == OPENING and left in {RELATION, BINARY}):
        return False
    if {RELATION, BINARY} & {right, left} or right == COMMA:
        return True
    if space == 2 and right != OPENING and left != CLOSING:
        return right != SIGN
    if SIGN in {right, left} or right == OPENING or left in {CLOSING, TIGHT}:
        return False
    if right == SCRIPT:
        return left in _WORDLIKE or left == NUMBER
    if right == NAME:
        return left in _WORDLIKE or left in (NUMBER, SCRIPT)
    if left == NAME:
        return right in _WORDLIKE or right in {NUMBER, CLOSING}
    if right == CLOSING:
        return left in _WORDLIKE
    if right in _WORDLIKE and left in _WORDLIKE:
        return space > 0 or SYMBOL in (right, left)
    return False
