"""Words out of their usual place: "Ann Lee, who lives with her?", "when did fires happen that Ann saw?"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_NAME: Final = r"(?-i:[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){1,2}|(?:[Tt]he )?(?:[a-z]+ ){0,2}\S*\d\S*)"
_ASKS: Final = r"(?:who|whom|what|which|how many|where|when)"
_HAPPEN: Final = r"(?:happen|occur|take place|last)"
_CLAUSE: Final = r"(?:that|which|whose|who|involving|investigated|committed)"
_NUMBER: Final = r"(?:number|no|id|badge|code|registration|plate|address)"
_HOME: Final = r"(?:an?|the|the same) [a-z]+"
RULES: Final[tuple[Rule, ...]] = (
    rule(rf"^({_NAME})[,:] ({_ASKS}\b[^,.;:]*?)\b(?:him|her|them|it)(?=\s*[?.]*$)", r"\2\1"),
    rule(
        rf"^({_NAME})[,:] ({_ASKS}\b[^,.;:]*?\b(?:does|did|do|is|was|has|had|were|are)) (?:he|she|they|it)\b",
        r"\2 \1",
    ),
    rule(rf"^({_NAME})[,:] ({_ASKS}\b[^,.;:]*?)\b(?:his|her|their|its) (?=\w)", r"\2\1's "),
    rule(
        rf"^(where|when|how long|on (?:what|which) (?:day|date)s?) did ((?:the |any )?\w+) ({_HAPPEN}) "
        rf"((?:at|in|on) (?:(?!{_CLAUSE}\b)[^?,;])+? )?({_CLAUSE} [^?]+?)\s*\?*$",
        lambda m: f"{m[1]} did {m[2]} {m[4] or ''}{m[5]} {m[3]}?",
    ),
    rule(
        rf"\b((?:\w+ )?{_NUMBER}) (\S*\d\S*)['’]s (?:holder|owner|bearer|user)\b",
        r"the one with \1 \2",
    ),
    rule(
        r"^(?:at|on|under) (what|which) (.+?) can (?!we\b|you\b|i\b)(.+?) be "
        r"(?:written to|reached|contacted|called|e-?mailed|phoned|found)\s*\?*$",
        r"\1 is the \2 of \3?",
    ),
    rule(r"\bwhere (?:you|we|one|i) (?:can |could )?(?:find|see|get)s? (?=\w)", "with "),
    rule(
        r"\b(has|have|with|having|contains?) (\S*\d\S*(?: \S*\d\S*)?) among (?:its|their|the) "
        r"([a-z]+(?: [a-z]+)?)s\b",
        r"\1 the \3 \2",
    ),
    rule(
        r"(?<= and )(\S*\d\S*(?: (?-i:[A-Z0-9])[\w'-]*){0,3}) among (?:its|their|the) "
        r"([a-z]+(?: [a-z]+)?)s\b",
        r"the \2 \1",
    ),
    rule(
        r"\bthose that (?=are (?:an? )?(?:relatives?|friends?|acquaintances?|related|acquainted"
        r"|housemates?)\b)",
        "those who ",
    ),
    rule(
        r"^when it comes to (.+?), (?:what(?: is|['’]s) the (?:total|number|count)|how many are there)"
        r"\s*\?*$",
        r"how many \1 are there?",
    ),
    rule(r", the ones? (that|which|who) ([^,]+),(?= \w)", r" \1 \2"),
    rule(
        r"^(under|in|within) (which|what) (\w+) (?:lies|falls|sits) (.+?)\s*\?*$",
        r"\2 \3 does \4 lie \1?",
    ),
    rule(
        r"^of (?:which|what) (?:people|persons?) (does|do|did) (.+?) (know|have|own|use|hold) the "
        r"(.+?)\s*\?*$",
        r"whose \4 \1 \2 \3?",
    ),
    rule(
        r"\bof which (.{3,60}?) (is|are|was|were) the (owner|user|holder|occupant|tenant|author)\b",
        r"whose \3 is \1",
    ),
    rule(r"\bcalls? (?:his|her|its|their) own\b", "owns"),
    rule(r"^how many ((?:[^\s,;:]+ ){6,}?)(?:are|were) there\s*\?*$", r"count the \1"),
    rule(r"^(?:which|what) ([a-z]+)['’]s (?=[a-z])", r"what is the \1 whose "),
    rule(r"^(?:which|what) ([a-z]+s)['’] (?=[a-z])", r"what are the \1 whose "),
    rule(
        r"^by whom (is|are|was|were) ((?:the |an? )?[a-z]+) ([a-z]+(?:ed|wn)) "
        r"((?:that|who|which) [^?]+?)\s*\?*$",
        r"by whom \1 \2 \4 \3?",
    ),
    rule(
        r"\bby whom (?:the )?(.{3,60}?) (is|are|was|were) known\b",
        r"who knows \1",
    ),
    rule(
        r"^((?:(?:with|to|by|from|for) )?whom?) (does|do|did) "
        r"(an? (?:person|individual)|any(?:one|body)|some(?:one|body)) ([a-z]+) "
        r"((?:whose|who|that) [^?]+?)\s*\?*$",
        r"\1 \2 \3 \5 \4?",
    ),
    rule(r", the ([a-z]+) of (?:which|whom) (is|are|was|were) ", r" whose \1 \2 "),
    rule(r"^by whom (?:is|are|was|were) (.{3,80}?) known\s*\?*$", r"who knows \1?"),
    rule(
        rf"^(when|where|on (?:what|which) (?:day|date)s?) (was|were) "
        rf"((?:the |any |an? )?(?:[a-z]+ ){{1,3}})"
        rf"(committed|recorded|made|received|placed|reported) ({_CLAUSE} [^?,;]+?)\s*\?*$",
        r"\1 \2 \3\5 \4?",
    ),
    rule(r"\b(is|was|are|were) (?:one of|among) the \w+ (?=(?:involved|implicated)\b)", r"\1 "),
    rule(
        r"\b(?:is|are|was|were) used for (making|placing|sending) (?=an?\b|the\b)",
        lambda m: {"making": "made ", "placing": "placed ", "sending": "sent "}[m[1].lower()],
    ),
    rule(
        r"\b(someone|somebody|anyone|anybody|an? [a-z]+|people|persons?) (?:called|named|of the name) "
        r"((?-i:[A-Z])[\w'-]+),? by ((?:sur|last |first |family |given )name)\b",
        r"\1 with the \3 \2",
    ),
    rule(r"\bwhat number (?=(?:of|use|have|are|were|live|know|own)\b)", "how many "),
    rule(r"\bhow many of (?=\w+s\b)(?!those\b|these\b|its\b|his\b|this\b)", "how many "),
    rule(r"^(when|on (?:what|which) (?:day|date)s?)\b([^,]+), by (?:the )?(?:date|day)\s*\?*$", r"\1\2?"),
    rule(r"\b([a-z]+) numbered (?=\S*\d)", r"\1 with the number "),
    rule(
        rf"^with how many ([a-z]+s|people) (do|does|did) ([^,;?]+?) share ({_HOME})\s*\?*$",
        r"how many \1 \2 \3 share \4 with?",
    ),
    rule(rf"\bwith whom ([^,;?]{{3,60}}?) (shares?|shared) ({_HOME})\b", r"whom \1 \2 \3 with"),
    rule(
        r"^what (?:is|are) ((?:(?!\b(?:is|are|was|were|been|being) (?:called|named)\b)[^,;:?]){3,80}?) "
        r"(?:called|named)\s*\?*$",
        r"what is the name of \1?",
    ),
)
"""Tried in order, each once."""
