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
        r"^(?:is|are) there any (.+?)\?\s+(?:please )?(?:list|name|show|return|give)(?: me)? "
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
    (re.compile(r"\b(marked|labelled|flagged|tagged) (?=[A-Z'\"])"), r"\1 as "),
    (re.compile(rf"\b(ended|closed) (?!{_DAY})(?=[A-Z])"), r"\1 as "),
)
"""Tried in order, each once."""
