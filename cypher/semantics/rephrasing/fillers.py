"""Words that stress or soften a question and ask for nothing: "so far", "not a single", "biggest first"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule
from cypher.semantics.spoken_numbers import number_of

_RANKED: Final = (
    r"largest|biggest|highest|greatest|longest|tallest|oldest|newest|latest|heaviest|top|best|most|lowest"
    r"|smallest|shortest|fewest|least|youngest|earliest|worst|cheapest|lightest|fastest|slowest"
)
_MORE: Final = (
    r"old|new|young|long|short|tall|heavi|light|fast|slow|cheap|dear|larg|bigg|small|high|low|wid|deep"
    r"|lat|earli"
)
"""What "er" and "est" end, by letters that both keep."""
_NEGATION: Final = r"(?:\bnot|n['’]t|\bnever|\bno)\b"
_THINGS: Final = r"(?:one|ones|thing|things|person|people)"


def _below_zero(found: re.Match[str]) -> str:
    number = number_of(found[1])
    return found[0] if number is None else f"-{number:g}"


RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"\b((?:{_RANKED})\b[^?]*?),? (?:the )?(?:{_RANKED}|most [a-z]+|least [a-z]+)(?: {_THINGS})? first"
        r"\s*(?=[?.]*$)",
        r"\1",
    ),
    rule(r"\b(?:since|from|after) the (?:very )?(?:start|beginning) of (?=\d{4}\b)", "since "),
    rule(r"\bbefore the (?:very )?(?:start|beginning) of (?=\d{4}\b)", "before "),
    rule(r"\b(?:on|during|in) the (?:night|day) of (?=(?:the )?\d)", "on "),
    rule(rf"({_NEGATION}[^?,]*?),? yet\b(?=\s*[?.,]|$)", r"\1"),
    rule(
        r",? (?:so far|to date|until now|up to now|all in all|all told|nevertheless|nonetheless|thus far)\b"
        r",?(?= |[?.]|$)",
        "",
    ),
    rule(r"\b(which|what) ([\w -]+?) (?:nevertheless|nonetheless|still|even so) (?=[a-z]+ )", r"\1 \2 "),
    rule(rf"({_NEGATION}[^?,]*?) (?:a|one) single ", r"\1 a "),
    rule(r"\bwithout (?:a|one) single ", "without a "),
    rule(r"\b(every|each) single (?=[a-z])", r"\1 "),
    rule(
        r"^how (?:good|bad|high|low|large|big|strong|long) (?:is|was|are|were) the ([\w ]+?) "
        r"on average (?=for|of|in|on|at|during)",
        r"what is the average \1 ",
    ),
    rule(
        r"^for (?:each|every) (type|kind|sort|class|category) of ([\w ]+?), how many"
        r"(?: (?:do|have) (?:we|you|they)(?: have| got| hold)?| are there| exist)?\s*\?*$",
        r"how many \2s are there of each \1?",
    ),
    rule(
        r"^(?:please )?break down (?:the )?((?:total|average|mean|number|count|sum)\b.+?) "
        r"by ([\w' ]+?)\s*[?.]*$",
        r"\1 per \2",
    ),
    rule(r"^(which|what) (\w+) (did|do|does) (.+?) on average\s*\?*$", r"what average \2 \3 \4?"),
    rule(r"\b(?:staff members|members of (?:the )?staff)\b", "staff"),
    rule(r"^since (?:what|which) year (?=(?:is|was|has|have|had|does|do|did)\b)", "since when "),
    rule(
        r"^(?:is|are) there (?:an?|any) (.+?)\? (?:(?:and )?if so,? )?which(?: one| ones)?"
        r"(?: is it| are they)?\s*\?*$",
        r"which \1?",
    ),
    rule(
        r"\b(most .+?),? and how many (?:did|does|do|has|have|had) (?:each|they each|each one|each of them)"
        r"(?: have| had| got)?\s*\?*$",
        r"\1 and how many?",
    ),
    rule(r"\bsquare met(?:re|er)s?\b", "sqm"),
    rule(r"\bdegrees (?:celsius|centigrade)\b", "degrees"),
    rule(r"\bminus (\d[\d.]*|[a-z]+)\b", _below_zero),
    rule(
        rf"^which (?:one )?(?:is|was) (?:the )?({_MORE})er(?: one)?[,:]? (?!than\b|of\b)"
        r"(.+?) or (.+?)\s*\?*$",
        r"what is the \1est of \2 or \3?",
    ),
    rule(
        r"^(?:were|are|was|is) there more ([\w ]+?) (?:on|in|at|for|from) (.+?) than "
        r"(?:on|in|at|for|from) (.+?)\s*\?*$",
        r"has \2 had more \1 than \3?",
    ),
    rule(
        r"\b(?:does|did|do) (.+?) (?:attract|get|see|draw) more ([\w ]+?) than ", r"has \1 had more \2 than "
    ),
    rule(
        r"^(which|what) ([\w -]+?) (?:have|has|did|do) (?:we|you) never (?:\w+ )?"
        r"(sent|given|lent|sold|shown) "
        r"(?:any|an?) ([\w -]+?) to\s*\?*$",
        r"to \1 \2 was no \4 \3?",
    ),
    rule(
        r"^(which|what) ([\w -]+?) (?:have|do) (?:we|you) (?:hold|have|keep|stock|own) no "
        r"([\w -]+?)(?: of| for| from)?"
        r"(?: at all)?\s*\?*$",
        r"\1 \2 have no \3?",
    ),
    rule(r"\b(?:up|down) against (?=\w)", "against "),
    rule(r"(?<=\w) (?:against|to) (?:their|its|his|her) name\b(?=\s*[?.]*$)", ""),
)
"""Tried in order, each once."""
