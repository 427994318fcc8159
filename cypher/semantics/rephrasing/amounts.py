"""Days, times, costs and lengths: "by 3 May at the latest" is "until 3 May", "40s" is "40 seconds"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_SIGNS: Final = {
    ">": "above",
    "<": "below",
    ">=": "at least",
    "<=": "at most",
    "≥": "at least",
    "≤": "at most",
}
_IN_ALL: Final = r" (?:in total|altogether|in all|overall|together)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"\b(?:earns|gets paid|is paid) the most\b", "is the best paid"),
    rule(r"\b(?:earns|gets paid|is paid) the least\b", "is the worst paid"),
    rule(r"\b(?:earn|get paid|are paid) the most\b", "are the best paid"),
    rule(r"\b(?:earn|get paid|are paid) the least\b", "are the worst paid"),
    rule(
        rf"^(?:what|how much) (?:did|do|have|had) ((?:all )?(?:the )?\w+s\b[^,?]*?) cost"
        rf"(?:{_IN_ALL})?(?= |\?|$)",
        r"what is the total cost of \1",
    ),
    rule(
        rf"^(?:what|how much) (?:did|does|do|has|have|had) ([^,?]+?) cost{_IN_ALL}",
        r"what is the total cost of \1",
    ),
    rule(
        r"(?: ?\(| )([<>]=?|[≥≤]) ?(-?\d[\d,.]*(?<![,.]))(?: ?\))?(?!\w)",
        lambda found: f" {_SIGNS[found[1]]} {found[2]}",
    ),
    rule(r",? \(?(?:both(?: ends| values| numbers)?|each) (?:included|inclusive)\)?,?(?= |\?|\.)", ""),
    rule(r"\bof (?=(?:between|from) \d+ (?:and|to) \d+ (?:seconds|minutes|hours)\b)", "lasting "),
    rule(r",? both (?:included|inclusive)\b,?", ""),
    rule(r" of an? (later|earlier) (?:date|day|time) than ", r" \1 than "),
    rule(
        r"\b(\d{1,3}) ?m(?:ins?|inutes?)?,? (?:and )?(\d{1,2}) ?s(?:ecs?|econds?)?\b",
        lambda found: f"{60 * int(found[1]) + int(found[2])} seconds",
    ),
    rule(r" (?:by|on|until|not after) (\S+(?: \S+){0,3}) at the (?:very )?latest\b", r" until \1"),
    rule(r" (?:from|on|since|not before) (\S+(?: \S+){0,3}) at the (?:very )?earliest\b", r" since \1"),
    rule(r" (?:up to|until|till) (\S+(?: \S+){0,3}) inclusive\b", r" until \1"),
    rule(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?=(?:the )?\d)", ""),
    rule(r"(?<=\s)(?<!the )(\d{1,3}) ?(?:s|secs?)\b", r"\1 seconds"),
    rule(r"(?<=\s)(\d{1,3}) ?mins?\b", r"\1 minutes"),
)
"""Tried in order, each once."""
