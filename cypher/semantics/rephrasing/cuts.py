"""How many rows are wanted, said at the end: "... Limit the results to 5" is "..., limited to 5"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_NUMBER: Final = r"(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty)"
_BREAK: Final = r"(?:\s*[.?;,]|,? and| -)\s+"
_ROWS: Final = r"(?:result|row|answer|output|record|entrie|entry|list|number of results?)s?"
_END: Final = r"\s*[.?]*$"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"{_BREAK}(?:please )?(?:limit|restrict|cap) (?:it |them |this |(?:the |your )?{_ROWS} )?(?:to|at) "
        rf"(?:the |only )?(?:top |first )?{_NUMBER}(?: [\w-]+){{0,2}}{_END}",
        r", limited to \1",
    ),
    rule(
        rf"{_BREAK}(?:please )?(?:list|show|name|give|return|display) (?:me )?(?:only )?(?:the )?"
        rf"(?:top|first|up to|at most|only) {_NUMBER}(?: [\w-]+){{0,2}}{_END}",
        r", limited to \1",
    ),
)
"""Tried in order, each once."""
