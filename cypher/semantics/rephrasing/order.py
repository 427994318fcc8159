"""What is asked for comes first: "of the ships of Ann, name the oldest" is "find the oldest ships of Ann"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import TELLING, Rule, rule

_MEASURED: Final = (
    r"(?:average|mean|total|combined|overall|longest|shortest|maximum|minimum|highest|lowest|latest|earliest|largest"
    r"|smallest|greatest|biggest)"
)
_DOES: Final = r"(do|does|did)"
_FURTHER: Final = (
    r"\b(?:(?:on|at|from|in|with|before|after|during|between|through|to) "
    r"|by (?:an? |the |any |some |(?-i:[A-Z\d])))"
)
"""What follows a verb, so that a preposition behind it would be read with that."""
_NUMBER: Final = r"(?:\d+|two|three|four|five|six|ten)"
_FIRST: Final = (
    r"(?:(?:most|least|farthest|furthest)[ -])?(?!most\b|least\b)\w+(?:ern|most|est|erly)"
    r"|(?:most|least) recent|(?:farthest|furthest)[ -](?:north|south|east|west)"
)
"""A superlative of one word, or of two."""
_DONE_TO: Final = r"((?:(?!\b(?:who|that|which|whose)\b)[^,?])+?)"
_WHEN: Final = r"((?: (?:on|in|at) [^,?]+)?)"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^(?!\w+ (?:which|what|whose|whom|how|total|all|each|every)\b)"
        r"((?:in|at|within) "
        r"(?:(?!\b(?:who|that|which|whose|whom|where|each|every|is|are|was|were)\b)[^,:?\"])+), "
        r"((?:which|what|who|how many|of which|with which|[\w-]+ (?:of|with) which) .+?)\s*\?*$",
        r"\2 \1?",
    ),
    rule(
        r"^((?:before|after|on|since|between|during|until) [^,.?]*\d[^,.?]*), "
        r"((?!which|what|who|how)[^,.?]+? (?:was|were) (?:\w+ed|made|sent|held|built|taken|given|put)) ",
        r"\2 \1 ",
    ),
    rule(
        rf"^how many (\w+) {_DOES} (.+?) (?:last|take|run) ((?:that|which|who) .+?)\s*\?*$",
        r"how many \1 \2 \3 \4 last?",
    ),
    rule(
        r"\b(does|do|did) ((?:an?|any|some) [^,?]+?) (live|reside|stay|work|lie|stand) "
        r"((?:who|whose|that|which) [^?]+?)\s*\?*$",
        r"\1 \2 \4 \3?",
    ),
    rule(
        r"^([\w-]+(?: [\w-]+)?) (?:with|of|having) (?:which|what) "
        r"([\w-]+(?: [\w-]+)?(?= (?:is|are|was|were|has|have|had|do|did) )|[\w-]+) ",
        r"which \2 of \1 ",
    ),
    rule(
        r"^(?:out of|of|among|amongst|from among) all (?:of )?(?:the )?((?:[\w'-]+ ){0,2}[\w'-]+), "
        r"which (?:(?:one|ones|single) )?((?:\d+|two|three|four|five|ten) )?",
        r"which \2\1 ",
    ),
    rule(
        r"\b(?:(?:sorted|ordered|arranged|listed)(?: them)? )?"
        r"(?:in (reverse )?alphabetical order|alphabetically)(?! ?(?:of|by)\b)",
        lambda found: f"sorted by name{' in descending order' if found[1] else ''}",
    ),
    rule(r"^which single ", "which "),
    rule(r"^which one (is|are|was|were) the ", r"what \1 the "),
    rule(
        r"^(what|which) ([\w ]+?) (is|are|was|were) "
        r"(?:on file|on record|recorded|listed|registered|noted|held|kept) for ",
        r"\1 \3 the \2 of ",
    ),
    rule(rf"\bincoming ([\w ]+?) {_DOES} (.+?) (?:have|get|receive)\b", r"\1 \2 \3 receive"),
    rule(rf"\boutgoing ([\w ]+?) {_DOES} (.+?) (?:have|make|place)\b", r"\1 \2 \3 make"),
    rule(r"^how often (?=(?:was|were|is|are|has|have|had|did|do|does)\b)", "how many times "),
    rule(r"^(how long (?:did|do|does) .+?) (?:take|run|go on)(?: for)?\s*\?*$", r"\1 last?"),
    rule(
        r"^(?:out of|of|among|from among) (?:all (?:of )?)?(?:the )?(.+), "
        r"(?:(?:please )?(?:name|pick out|choose|select|find|give|list|show|tell)(?: me| us)?"
        rf"|which (?:ones? )?(?:is|are)) the ({_NUMBER} )?({_FIRST})(?: ones?)?\s*[.?]*$",
        r"find the \2\3 \1",
    ),
    rule(
        r"^((?:out of|of|among|from among) .+), "
        r"(?:retrieve|find|give|list|show|tell|name|return|pick out|choose|select)"
        rf"(?: me| us)? the ({_NUMBER} )?(?:ones? )?with (?=the {_MEASURED} )",
        lambda found: f"{found[1]}, which {found[2] or ''}{'have' if found[2] else 'has'} ",
    ),
    rule(
        r"^(?:for|of|among|take|considering|given|looking at) (?:all )?"
        r"((?:the|those) (?:[^,:?]|,(?= ?\d{4}\b))+)[,:] what (?:is|are|was|were) "
        rf"(?:the|their|its) ({_MEASURED}) ([\w ]+?)\s*\?*$",
        r"what is the \2 \3 of \1?",
    ),
    rule(
        rf"^look (?:among|at) (the .+) for the ({_MEASURED}) ([\w ]+?)\s*[.?]*$", r"what is the \2 \3 of \1?"
    ),
    rule(
        rf"^(what|which) (?!of\b)({_NUMBER} )?((?:[\w'-]+ )*?[\w'-]+) (is|are|was|were) (?:the )?"
        r"(?:(most|least) (common|frequent|popular)|(most) (?:widespread|prevalent)|(?:commonest))(?: ones?)?"
        r"(?= (?:in|at|among|amongst|for|of|on|within|with|across|during)\b|\s*[?.]*$)",
        lambda found: (
            f"what {found[4]} the {found[2] or ''}{found[5] or 'most'} {found[6] or 'common'} {found[3]}"
        ),
    ),
    rule(
        r"^what do the ([\w ]+?)s of (.+) (?:come|add up|amount|sum up) to(?: in total| together)?\s*\?*$",
        r"what is the total \1 of \2?",
    ),
    rule(
        r"^(?:on average,? how long|how long,? on average,?) (?:is|are|was|were) "
        r"(the|an?|all|those) (?!.*\blast)",
        r"what is the average duration of \1 ",
    ),
    rule(
        r"^(?:what|which) ([\w ]+?) (is|are|was|were) (?:held|borne|carried) by (?=(?:the|all|those|every) )",
        r"what \2 the \1 of ",
    ),
    rule(
        r"^(?:i|we) (?:(?:should|would) |'d |’d )?(?:like|love|need|want|wish)"
        r"(?: to (?:have|see|get|obtain))? (?=(?:the|every|all|each) )",
        "give ",
    ),
    rule(r"^on average,? what (is|are|was|were) (the|their) ", r"what \1 \2 average "),
    rule(
        r"^(?:looking at|considering|taking|among|amongst|of|out of|for|given) (?:all )?"
        r"((?:the|all|those) [^,]+), "
        r"(?:which|what) ([\w ]{2,30}?) (?:is|was|occurs|comes up|appears) (?:the )?(most|least) "
        r"(?:often|frequently|frequent|common|commonly)\s*\?*$",
        r"what is the \3 common \2 of \1?",
    ),
    rule(
        r"^(?:(?:could|can|would) you )?(?:total|add|sum|tot|tally)(?: up)? (?:all )?the ([\w ]+?)s? of ",
        r"what is the total \1 of ",
    ),
    rule(
        r"^(?!(?:for|among|of|in|take|considering)\b)([^:;?]+?)(?: [-–—] |[:;] )"
        r"how many(?: (?:are|were) there)?\s*\?*$",
        r"how many \1?",
    ),
    rule(r"^(?:(?:could|can|would) you )?average the ([\w ]+?)s? of ", r"what is the average \1 of "),
    rule(
        r"^on average,? how long (?:did|do|does|were|are) (.+?) (?:last|take|run)\s*\?*$",
        r"what is the average duration of \1?",
    ),
    rule(
        r"^how long (?:did|do|does|were|are) (.+?) (?:last|take|run) "
        r"(?:in total|altogether|all in all)\s*\?*$",
        r"what is the total duration of \1?",
    ),
    rule(
        r"\b((?:did|does|do) [^?,;:]+) get(?=\s*[?.]*$| (?:on|in|at|from|before|after|since|during) )",
        r"\1 receive",
    ),
    rule(r"^(which|what) ([\w ]+?) more (.+) than any other(?: one| [\w ]+)?\s*\?*$", r"\1 \2 the most \3?"),
    rule(
        rf"^(?:{TELLING}(?: me| us)? )?(what|which) ([\w ]+?) ((?:the|all|those|these) [^,?]+?) "
        r"(?:have|has)\s*[.?]*$",
        r"\1 \2 do \3 have?",
    ),
    rule(rf"^by whom (?:is|are|was|were) {_DONE_TO} (\w{{3,}}ed){_WHEN}\s*\?*$", r"who \2 \1\3?"),
    rule(rf"^whom? (?:is|are|was|were) {_DONE_TO} (\w{{3,}}ed) by{_WHEN}\s*\?*$", r"who \2 \1\3?"),
    rule(
        rf"^(?!\w+ wh(?:ich|at) .*{_FURTHER})(with|by|to|from|for|about) (whom?|which [\w ]+?|what [\w ]+?) "
        r"((?:is|are|was|were|do|does|did|has|have|had|can) .+?)\s*\?*$",
        r"\2 \3 \1?",
    ),
)
"""Tried in order, each once."""
