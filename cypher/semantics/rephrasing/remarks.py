"""Remarks between commas and in front: "who knows, by phone, Ann", "leaving out Ann, who lives there?"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_UNIT: Final = r"(?:seconds|minutes|hours|days|weeks|months|years|metres|meters|kilometres|kilograms)"
_EXCEPT: Final = (
    r"(?:leaving out|leaving aside|setting aside|apart from|aside from|except for|excepting|excluding"
    r"|not counting|not including|other than|besides|barring|disregarding|ignoring"
    r"|with the exception of|without counting)(?! \w+ing\b)"
)
_VERB: Final = r"(?:is|are|was|were|has|have|had|do|does|did|who|that|which|with|in|at|on|from|of)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"^(?:\w+' )?names, please: (?=who\b)", ""),
    rule(
        r"^any ([^?.]+?)[?.] (?:please )?(?:list|name|show|give)(?: me)?(?: them)?(?: all)?(?:,? please)?"
        r"[.?]*$",
        r"list all \1",
    ),
    rule(
        r"^from (?=the|those|all)([^,?]+), how many ([\w ]+?) (?:do|can|would) (?:we|you|i) "
        r"(?:get|find|have|collect)\s*\?*$",
        r"how many \2 do \1 have?",
    ),
    rule(
        r"^(where|when) did (?:those|the|these) (\w+) (happen|occur|take place) "
        r"((?:(?:to|in|at|of) which|that|which|who) [^?]+?)\s*\?*$",
        r"\1 did the \2 \4 \3?",
    ),
    rule(
        r"^does ([^?]+?) have many ([^?]+)\? (?:i need|give me|tell me) the number[.?]*$",
        r"how many \2 does \1 have?",
    ),
    rule(
        r"^((?:everyone|everybody|all|people) [^?.;]+?)(?: [-\u2013\u2014]|[;:,]) i(?:'d| would) like "
        r"(?:to (?:see|know|have) )?their ([^?.]+?)[.?]*$",
        r"list the \2 of \1",
    ),
    rule(r"\b(with|to|by|of|know|knows|knew) one of (?=(?:those|these|them)\b)", r"\1 "),
    rule(
        r"^((?!how many)(?:[\w ]+ )?(?:earliest|latest|newest|oldest|last|first) [^?]+?), "
        r"by (?:the )?(?:day|date)(?=\s*[.?]*$)",
        r"\1",
    ),
    rule(r"\bunder investigation by (?=\w)", "investigated by "),
    rule(
        r"\b(of|by) (some(?:one|body)|people|persons?) (?:by|of) the "
        r"(?=(?:sur|last |first |family )?name\b|rank\b)",
        r"\1 \2 with the ",
    ),
    rule(rf", (?:(?:measured|given|expressed|counted) )?in (?:whole )?{_UNIT},(?= )", ""),
    rule(r"^(?:regardless|irrespective) of (?:the |its |their )?[\w ]+?, (?=which|what|who|how)", ""),
    rule(
        r"\b(know(?:s|n|ing)?|knew), ((?:through|by|via|over|on|from) [^,?.]{2,40}), (?=\w)",
        r"\1 \2 ",
    ),
    rule(r"\b(who|whom|what) else\b(?= (?:is|are|was|were|has|have|do|does|did|\w+s|\w+ed)\b)", r"\1"),
    rule(r"\b(is|are|was|were|who|that) in (?:their |his |her |its )?turn (?=\w)", r"\1 "),
    rule(
        rf"^{_EXCEPT} (?:all )?((?!how|which|what)[^,?]+), (which|what|how many) "
        rf"((?:[\w'-]+ ){{0,2}}?[\w'-]+)(?= {_VERB}\b)",
        r"\2 \3 except \1",
    ),
    rule(
        rf"^{_EXCEPT} (?:all )?((?!how|which|what)[^,?]+), (which|what|how many) ([\w'-]+)",
        r"\2 \3 except \1",
    ),
    rule(rf"^{_EXCEPT} ((?!how|which|what)[^,?]+), who (?=\w)", r"who other than \1 "),
    rule(rf"^who,? {_EXCEPT} ([^,?]+), (?=\w)", r"who other than \1 "),
    rule(rf"^((?:which|what|how many) [\w' -]+?), {_EXCEPT} ([^,?]+), (?=\w)", r"\1 except \2 "),
)
"""Tried in order, each once."""
