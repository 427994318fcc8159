"""Ways of asking whether there is something: "do the records hold a ship" is "is there any ship"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_RECORDS: Final = r"(?:records?|files?|data|database|books|logs?|registers?|archives?|graph|system)"
_HOLD: Final = r"(?:contains?|shows?|includes?|holds?|ha(?:s|ve)|lists?|mentions?|knows? of)"
_SOME: Final = r"(?:an?|any|some|at least one|a single|even one)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"^yes or no\s*[:,]?\s*", ""),
    rule(r"^(?:any|got any) idea (?=how|which|who|what|where|when)", ""),
    rule(r"\bby any chance ", ""),
    rule(r"\b(?:happens?|happened) to (?=[a-z])", ""),
    rule(r"^(is|are) there (?:really|actually|indeed|possibly) ", r"\1 there "),
    rule(rf"^(?:do|does) (?:the|our|your|these|any) {_RECORDS} {_HOLD} (?:{_SOME} )?", "is there any "),
    rule(r"^do (?:we|you) know of (?:an?|any|some) ", "is there any "),
    rule(
        r"^(?:do (?:we|you) (?:have|hold|keep)|have (?:we|you)(?: got)?) (?:an?|some) "
        r"(?!(?:\w+ )?(?:list|listing|overview|breakdown|summary|count)\b)",
        "is there any ",
    ),
    rule(
        r"^(?:find out|check|see|tell me|say|determine) (?:whether|if) (an?|any|some) (.+) exists?\s*[.?]*$",
        r"is there \1 \2?",
    ),
    rule(r"^(?:can|could) it be that |^is it (?:the case|true|so|right|a fact|possible) that ", "whether "),
    rule(
        r"^does (?:any|some)(?:one|body) "
        r"(?!(?:by|with|in|at|on|to|from|who|whom|whose|that|of|else|known|\w+ed|\w+ing)\b)(\w+) ",
        r"is there anybody who does \1 ",
    ),
    rule(
        r"^(?:is|was) (?:anyone|anybody|someone|somebody) (?!who|that|with|in\b)", "is there anybody who was "
    ),
)
"""Tried in order, each once."""
