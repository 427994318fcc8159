"""The options of ``similarity``, ``{k: 20, mode: "index"}``: neighbours to begin with, and the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cypher.gate.cost import MAX_NEIGHBOURS
from cypher.syntax import nodes as n

MODES: Final = ("auto", "index", "exact")
EXAMPLE: Final = 'similarity(n, "text", {k: 20, mode: "index"})'


@dataclass(frozen=True, slots=True)
class Options:
    """What a call asks for; ``wrong`` says what cannot be had, and is empty otherwise."""

    k: int = 0
    """Neighbours of the first search; 0: as many as the limit suggests."""
    mode: str = "auto"
    """``index`` searches the vector index however few nodes there are, ``exact`` scores all of them."""
    wrong: str = ""


def options_of(call: n.FunctionCall) -> Options:
    """The options of a call, given as a map of literals.

    >>> entries = (n.MapEntry("k", n.Literal(20)), n.MapEntry("mode", n.Literal("exact")))
    >>> options_of(n.FunctionCall("similarity", (n.Variable("v"), n.Literal("x"), n.MapLiteral(entries))))
    Options(k=20, mode='exact', wrong='')
    """
    given = call.arguments[2] if len(call.arguments) > 2 else n.MapLiteral(())
    if not isinstance(given, n.MapLiteral):
        return Options(wrong=f"the third part of similarity is a map such as {EXAMPLE}")
    values = {e.key: e.value.value if isinstance(e.value, n.Literal) else None for e in given.entries}
    unknown = sorted(values.keys() - {"k", "mode"})
    if unknown:
        return Options(wrong=f"similarity has the options k and mode; it is given {', '.join(unknown)}")
    k, mode = values.get("k", 0), values.get("mode", "auto")
    if "k" in values and (not isinstance(k, int) or isinstance(k, bool) or not 0 < k <= MAX_NEIGHBOURS):
        return Options(wrong=f"k of similarity is a whole number from 1 to {MAX_NEIGHBOURS}, written out")
    if mode not in MODES:
        return Options(wrong=f"mode of similarity is one of {', '.join(MODES)}, in quotes")
    return Options(k=int(k or 0), mode=str(mode))
