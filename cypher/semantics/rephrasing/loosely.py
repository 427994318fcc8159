"""Loose ways of saying plain things: "how many have we got", "VISIT-type calls", "somewhere in M1"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_LIMITS: Final = {"less": "at most", "fewer": "at most", "under": "at most", "shorter": "at most"}
_UNIT: Final = r"(?:second|minute|hour)s?"
_THEIR: Final = r"(?=(?:their|its|his|her|the)\b)"
_SINCE: Final = r"(?=(?:in|for|at|of|on|from|with|to|by)\b)"
_BEFORE: Final = r"(?=,? (?:to|from|by|in|on|at|that|which|who|whose|with|made|\w+ed)\b|\s*[?.]|$)"
_DAY: Final = r"(?:Mon|Tues?|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_SCALE: Final = r"(?:year|date|day|time|time of day|age|month)"
_ENDS: Final = r"(?:oldest|newest|earliest|latest|youngest|first|last|most recent|eldest)"
_NUMBER: Final = r"(?:number|no|id|badge|code|identifier|licen[cs]e|passport)"
_WHOM: Final = r"(?=(?:some|any)(?:one|body)\b|the person\b|an? \w+ (?:with|who|that|whose|called|named)\b)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"\b(who|what|which|it|there)['’]s been\b", r"\1 has been"),
    rule(r"(?<!\bwith )(?<!\bof )(?<!\bfrom )\bsomewhere (?=(?:in|within|inside|at|near)\b)", ""),
    rule(r"\bhead ?counts? of\b", "number of"),
    rule(r"^(?:please )?tally (?:up )?(?=(?:the|all|every)\b)", "count "),
    rule(
        rf"^((?:what|which|how many) [^,?]+?) (?:have|do) (?:we|you) (?:got|had|have) {_SINCE}",
        r"\1 are there ",
    ),
    rule(
        r"^(?:is|are) there (?:any )?(.+?)\?\s+(?:please )?(?:list|name|show|return|give)(?: me)? "
        r"(?:them|those|these)(?: all)?(?:,? please)?[.?]*$",
        r"list all \1",
    ),
    rule(
        rf"(?<=[?.;,]) (?:and )?i(?:'d| would)? (?:like|love|need|want|only need)"
        rf"(?: to (?:see|know|have|get))? {_THEIR}",
        " give me ",
    ),
    rule(rf"\b([\w']+)-type (?!(?:of|in|for|is|are|and|or)\b)(\w+(?: \w+)?){_BEFORE}", r"\2 of type \1"),
    rule(
        rf"\b(?:of|lasting) (\d+) ({_UNIT}) or (less|fewer|under|shorter|more|longer|over)\b",
        lambda found: f"lasting {_LIMITS.get(found[3].lower(), 'at least')} {found[1]} {found[2]}",
    ),
    rule(r"^by how many (\w+(?: \w+)?) ((?:is|are|was|were) [^?]+?)\s*[?.]*$", r"how many \1 \2 by?"),
    rule(
        r"(?<!does )(?<!did )(?<!do )(?<!is )(?<!has )(?<!can )"
        r"\b(some(?:one|body)|any(?:one|body)|every(?:one|body)|an? \w+|people|persons?) by the "
        r"((?:sur|last |first |family |given )?name) of (?=\S)",
        r"\1 with the \2 ",
    ),
    rule(r", also (?=(?:the|an?) \w+ of\b)", ", which is also "),
    rule(
        r"\b((?:another|an?) \w+), (?=(?:classed|listed|recorded|marked|registered|classified) as\b)",
        r"\1 ",
    ),
    rule(r"\band also (?=an? \w)", "as well as "),
    rule(r"\bunder the investigation (?:of|by) (?=\w)", "investigated by "),
    rule(r"(?<=\w), (post ?code|postal code|zip code) (?=\S*\d)", r" with the \1 "),
    rule(r"^(?:please )?name (?=(?:those|these|all|every|each|any)\b|the \w+s\b)", "list "),
    rule(r"^(?:name|list|show) (?:all )?those (?=(?!called|named)\w+ed (?!by\b))", "who was "),
    rule(
        r"^counting (.+?), (?:what(?: is the)? (?:total|number|figure|count)|how many)"
        r"(?: (?:do|would|can) (?:we|you|i) (?:get|have|find|reach)| are there| is (?:it|that))?\s*[?.]*$",
        r"count \1",
    ),
    rule(rf"^by (?:the )?{_SCALE}, (?=(?:what|which|who)\b[^,]{{0,12}} the {_ENDS}\b)", ""),
    rule(
        r"^((?:on (?:what|which) (?:date|day))|when|where) (?:occurred|happened) (.+?)\s*[?.]*$",
        r"\1 did \2 occur?",
    ),
    rule(
        rf"\bdat(?:es|ing|ed) (?:from|back to) the (?=(?:earliest|latest|oldest|first|last) {_SCALE}\b)",
        "has the ",
    ),
    rule(
        r"\b(?:dates|dated|goes|go|went|reaches) back (?:the )?(?:furthest|farthest|longest)\b",
        "is the earliest",
    ),
    rule(
        rf"\b(?:who|that|which) (?:has|have|had) as (?:an?|their|his|her|its) (.{{3,40}}?) {_WHOM}",
        r"whose \1 is ",
    ),
    rule(
        rf"^((?:which|what|how many) \w+) (?:has|have|had) as (?:an?|their|his|her|its) (.{{3,40}}?) {_WHOM}",
        r"\1 are there whose \2 is ",
    ),
    rule(
        r"^for (?!(?:each|every|any|both|which|what|how|either|one|two|a|an)\b)([^,?:;]+), "
        r"((?:who|what) (?:is|are|was|were) the [\w' -]{3,40}?)\s*[?.]*$",
        r"\2 of \1?",
    ),
    rule(r"\b(length|period|amount|stretch)(s?) of time\b", r"length\2"),
    rule(
        rf"\b(the|any|an?) (?:holder|bearer) of (?=(?:(?:the|an?) )?(?:[\w']+ ){{0,3}}?{_NUMBER} \S*\d)",
        "the one with ",
    ),
    (re.compile(r"\b(marked|labelled|flagged|tagged) (?=[A-Z'\"])"), r"\1 as "),
    (re.compile(rf"\b(ended|closed) (?!{_DAY})(?=[A-Z])"), r"\1 as "),
)
"""Tried in order, each once."""
