"""Questions in a plainer order: "by rank: how many officers ...?" is "how many officers ... per rank?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rule(expression: str, said: str | Callable[[re.Match[str]], str]) -> _Rule:
    return re.compile(expression, re.IGNORECASE), said


_RECORDS: Final = r"(?:records?|files?|data|database|books|logs?|registers?|archives?|graph|system)"
_HOLD: Final = r"(?:contains?|shows?|includes?|holds?|ha(?:s|ve)|lists?|mentions?|knows? of)"
_SOME: Final = r"(?:an?|any|some|at least one|a single|even one)"
_EACH: Final = r"(?:each|every)"
_COUNT: Final = r"(?:how many|the (?:total )?(?:number|count)s? of|(?:number|count)s? of)"
_MEASURED: Final = (
    r"(?:average|mean|total|combined|overall|longest|shortest|maximum|minimum|highest|lowest|latest|earliest|largest"
    r"|smallest)"
)
_DOES: Final = r"(do|does|did)"
_NUMBER: Final = r"(?:\d+|two|three|four|five|six|ten)"
_FIRST: Final = (
    r"(?:(?:most|least|farthest|furthest)[ -])?(?!most\b|least\b)\w+(?:ern|most|est|erly)"
    r"|(?:most|least) recent|(?:farthest|furthest)[ -](?:north|south|east|west)"
)
"""A superlative of one word, or of two."""
_TELLING: Final = r"(?:give|tell|show|list)"
_ASKED: Final = r"(?:(?:give|tell|show|list|provide|state|report|find|say|count)(?: me| us)? )?"
_RULES: Final[tuple[_Rule, ...]] = (
    _rule(r"^yes or no\s*[:,]?\s*", ""),
    _rule(r",? \(?(?:both(?: ends| values| numbers)?|each) (?:included|inclusive)\)?,?(?= |\?|\.)", ""),
    _rule(
        r"^(?!\w+ (?:which|what|whose|whom|how|total|all|each|every)\b)"
        r"((?:in|at|within) "
        r"(?:(?!\b(?:who|that|which|whose|whom|where|each|every|is|are|was|were)\b)[^,:?\"])+), "
        r"((?:which|what|who|how many|of which|with which|[\w-]+ (?:of|with) which) .+?)\s*\?*$",
        r"\2 \1?",
    ),
    _rule(r"^(?:any|got any) idea (?=how|which|who|what|where|when)", ""),
    _rule(r"\bby any chance ", ""),
    _rule(r"\b(?:happens?|happened) to (?=[a-z])", ""),
    _rule(r"^(is|are) there (?:really|actually|indeed|possibly) ", r"\1 there "),
    _rule(rf"^(?:do|does) (?:the|our|your|these|any) {_RECORDS} {_HOLD} (?:{_SOME} )?", "is there any "),
    _rule(r"^do (?:we|you) know of (?:an?|any|some) ", "is there any "),
    _rule(
        r"^(?:do (?:we|you) (?:have|hold|keep)|have (?:we|you)(?: got)?) (?:an?|some) "
        r"(?!(?:\w+ )?(?:list|listing|overview|breakdown|summary|count)\b)",
        "is there any ",
    ),
    _rule(
        rf"^how many (\w+) {_DOES} (.+?) (?:last|take|run) ((?:that|which|who) .+?)\s*\?*$",
        r"how many \1 \2 \3 \4 last?",
    ),
    _rule(
        r"\b(does|do|did) ((?:an?|any|some) [^,?]+?) (live|reside|stay|work|lie|stand) "
        r"((?:who|whose|that|which) [^?]+?)\s*\?*$",
        r"\1 \2 \4 \3?",
    ),
    _rule(
        r"^how many ([\w ]+?) (?:with|of|having) (?:each|every) ([\w ]+?) "
        r"((?:is|are|was|were|has|have|had|do|did) .+?)\s*\?*$",
        r"how many \1 \3 per \2?",
    ),
    _rule(
        r"^how many ([\w ]+?) (?:has|have|did|do|does) (?:each|every) ([\w ]+?) of ([\w ]+?) "
        r"(\w+(?: (?:in|on|at|to) .+?)?)\s*\?*$",
        r"how many \1 have \3s \4 per \2?",
    ),
    _rule(
        r"^([\w-]+(?: [\w-]+)?) (?:with|of|having) (?:which|what) "
        r"([\w-]+(?: [\w-]+)?(?= (?:is|are|was|were|has|have|had|do|did) )|[\w-]+) ",
        r"which \2 of \1 ",
    ),
    _rule(r"^(?:can|could) it be that |^is it (?:the case|true|so|right|a fact|possible) that ", "whether "),
    _rule(
        r"^does (?:any|some)(?:one|body) "
        r"(?!(?:by|with|in|at|on|to|from|who|whom|whose|that|of|else|known|\w+ed|\w+ing)\b)(\w+) ",
        r"is there anybody who does \1 ",
    ),
    _rule(
        r"^(?:is|was) (?:anyone|anybody|someone|somebody) (?!who|that|with|in\b)", "is there anybody who was "
    ),
    _rule(r"^(.+?)\s*[:,]\s*how many(?: are there| are they| is that)?\s*\?*$", r"how many \1?"),
    _rule(r"^how (?:large|big|high|great) is the (?:number|count|total) of ", "how many "),
    _rule(
        rf"^what are the counts of (.+) (?:by|per|for {_EACH}) ([\w' ]+?)\s*[.?]*$", r"how many \1 per \2?"
    ),
    _rule(r"^what (?:is|are) the (?:total )?counts? of ", "how many "),
    _rule(
        r"^how many of (?:the|all(?: the)?) (?=\w+ (?:who|that|which|have|are|were|had|live|own)\b)",
        "how many ",
    ),
    _rule(
        rf"^(?:by|per|(?:taking|under) {_EACH}|for {_EACH}(?=[^,:]+, {_TELLING})) "
        rf"([\w' ]+?)(?: in turn)?\s*[:,]\s*{_ASKED}{_COUNT} "
        r"(.+?)(?: are there)?\s*([?.]*)$",
        r"how many \2 per \1?",
    ),
    _rule(
        r"^(?:give|show|provide|make|draw up)(?: me| us)? (?:a|the) "
        r"(?:breakdown|distribution|tally|count|split) of (.+) (?:by|per|over|across) ([\w' ]+?)\s*[.?]*$",
        r"how many \1 per \2?",
    ),
    _rule(
        rf"^{_ASKED}(?:the )?counts of (.+) (?:by|per|for {_EACH}) ([\w' ]+?)\s*[.?]*$",
        r"how many \1 per \2?",
    ),
    _rule(
        r"^(?:put|sort|divide|group|split) (.+?) (?:into groups )?by ([\w' ]+?),? "
        r"(?:with|and (?:count|give|say)) "
        r"(?:the )?(?:size|number|how many)(?: (?:of|in))?(?: each)?.*$",
        r"how many \1 per \2?",
    ),
    _rule(
        r"^(?:please )?(?:(?:break|split)(?: it| them)? (?:down|up),? by|(?:give|tell|show)(?: me| us)?,? "
        rf"(?:by|per|for {_EACH})) ([\w' ]+?),? {_COUNT} (.+?)(?: there are)?\s*([?.]*)$",
        r"how many \2 per \1?",
    ),
    _rule(
        rf"^(?:please )?(?:break|split) (?:up |down )?(?:{_COUNT} |the )(.+?)(?: there are)?(?: up| down)? "
        r"by ((?:[\w']+ ){0,2}[\w']+)\s*[?.]*$",
        r"how many \1 per \2?",
    ),
    _rule(rf"^count (.+?) separately (?:for {_EACH}|by|per) ([\w' ]+?)\s*[.?]*$", r"how many \1 per \2?"),
    _rule(rf"^(how many .+?) (?:under|within|in) {_EACH} ([\w']+)\s*\?*$", r"\1 per \2?"),
    _rule(
        r"^(?:out of|of|among|amongst|from among) all (?:of )?(?:the )?((?:[\w'-]+ ){0,2}[\w'-]+), "
        r"which (?:(?:one|ones|single) )?((?:\d+|two|three|four|five|ten) )?",
        r"which \2\1 ",
    ),
    _rule(r"^which single ", "which "),
    _rule(rf"\bincoming ([\w ]+?) {_DOES} (.+?) (?:have|get|receive)\b", r"\1 \2 \3 receive"),
    _rule(rf"\boutgoing ([\w ]+?) {_DOES} (.+?) (?:have|make|place)\b", r"\1 \2 \3 make"),
    _rule(r"(?<!criminal )\b(?:acts?|instances?) of (?!the\b|an?\b|type\b|kind\b)(?=[a-z])", ""),
    _rule(r"\band also (?=(?:with|to|by|from|in|at|of|on|who|that|which)\b)", "and "),
    _rule(r"^which one (is|are|was|were) the ", r"what \1 the "),
    _rule(
        r"^(what|which) ([\w ]+?) (is|are|was|were) "
        r"(?:on file|on record|recorded|listed|registered|noted|held|kept) for ",
        r"\1 \3 the \2 of ",
    ),
    _rule(r"\b(?:counts?|counted|qualif(?:y|ies|ied)) as (?!well)", "is listed as "),
    _rule(r"\branks? as (?=[a-z])", "has the rank of "),
    _rule(r"^how often (?=(?:was|were|is|are|has|have|had|did|do|does)\b)", "how many times "),
    _rule(r"^(how long (?:did|do|does) .+?) (?:take|run|go on)(?: for)?\s*\?*$", r"\1 last?"),
    _rule(
        r"\b(is|are|was|were) (?:no one(?: else)?|nobody(?: else)?)'s ([\w ]*?\w)(?= and\b| or\b|,|\?|$)",
        r"\1 not the \2 of anybody",
    ),
    _rule(
        r"^(?:out of|of|among|from among) (?:all (?:of )?)?(?:the )?(.+), "
        r"(?:(?:please )?(?:name|pick out|choose|select|find|give|list|show|tell)(?: me| us)?"
        rf"|which (?:ones? )?(?:is|are)) the ({_NUMBER} )?({_FIRST})(?: ones?)?\s*[.?]*$",
        r"find the \2\3 \1",
    ),
    _rule(
        r"^(?:for|of|among|take|considering|given|looking at) (?:all )?((?:the|those) [^,:?]+)[,:] "
        r"what (?:is|are|was|were) "
        rf"(?:the|their|its) ({_MEASURED}) ([\w ]+?)\s*\?*$",
        r"what is the \2 \3 of \1?",
    ),
    _rule(
        rf"^look (?:among|at) (the .+) for the ({_MEASURED}) ([\w ]+?)\s*[.?]*$", r"what is the \2 \3 of \1?"
    ),
    _rule(
        rf"^(what|which) (?!of\b)({_NUMBER} )?((?:[\w'-]+ )*?[\w'-]+) (is|are|was|were) (?:the )?"
        r"(?:(most|least) (common|frequent|popular)|(most) (?:widespread|prevalent)|(?:commonest))(?: ones?)?"
        r"(?= (?:in|at|among|amongst|for|of|on|within|with|across|during)\b|\s*[?.]*$)",
        lambda found: (
            f"what {found[4]} the {found[2] or ''}{found[5] or 'most'} {found[6] or 'common'} {found[3]}"
        ),
    ),
    _rule(
        r"^what do the ([\w ]+?)s of (.+) (?:come|add up|amount|sum up) to(?: in total| together)?\s*\?*$",
        r"what is the total \1 of \2?",
    ),
    _rule(r"^(?:(?:could|can|would) you )?average the ([\w ]+?)s? of ", r"what is the average \1 of "),
    _rule(
        r"^on average,? how long (?:did|do|does|were|are) (.+?) (?:last|take|run)\s*\?*$",
        r"what is the average duration of \1?",
    ),
    _rule(r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?: that (?:is|are))? on (?:file|record) for\b", " of"),
    _rule(
        r"\b((?:did|does|do) [^?,;:]+) get(?=\s*[?.]*$| (?:on|in|at|from|before|after|since|during) )",
        r"\1 receive",
    ),
    _rule(r"\bor else\b", "or"),
    _rule(r"\bof (?=(?:between|from) \d+ (?:and|to) \d+ (?:seconds|minutes|hours)\b)", "lasting "),
    _rule(r",? both (?:included|inclusive)\b,?", ""),
    _rule(r"(?<=[a-z]s) (?:still|currently) (?=under\b|[\"'])", " "),
    _rule(
        r"\b(is|are|was|were|has|have|had) either (?=(?:\w+ed|made|built|from|in|on|at|by) .* or )", r"\1 "
    ),
    _rule(r"\beither (?=(?:is|are|was|were|has|have|had|lives?) .* or )", ""),
    _rule(r"\b(?:his or her|her or his|his/her)\b", "their"),
    _rule(r"(?<!['\"] )\bin the name of ", "belonging to "),
    _rule(r"^(which|what) ([\w ]+?) more (.+) than any other(?: one| [\w ]+)?\s*\?*$", r"\1 \2 the most \3?"),
    _rule(r"\ba (?:man or (?:a )?woman|woman or (?:a )?man)\b", "a person"),
    _rule(r"\b(?:men (?:and|or) women|women (?:and|or) men)\b", "people"),
    _rule(
        r"^with whom (?:do|does|did) (.+) (live|stay|lodge|reside|cohabit|dwell)\s*\?*$",
        r"who does \2 with \1?",
    ),
    _rule(
        r"^with whom (?:is|are|was|were) (.+) (living|staying|lodging|residing|cohabiting)\s*\?*$",
        r"who is \2 with \1?",
    ),
    _rule(
        rf"^(?:{_TELLING}(?: me| us)? )?(what|which) ([\w ]+?) ((?:the|all|those|these) [^,?]+?) "
        r"(?:have|has)\s*[.?]*$",
        r"\1 \2 do \3 have?",
    ),
    _rule(r"(?<= )(?:that reads |which reads |reading )(?=['\"]?[^\s?]*[\d@])", ""),
    _rule(
        r"\bin whose name (.+?) (?:is|are|was|were) (?:registered|listed|held|kept|recorded)\b", r"who has \1"
    ),
    _rule(r"\bno strangers? to\b", "known to"),
    _rule(r"\bfriended\b", "befriended"),
    _rule(r"\b(?:a )?brothers? ?(?:or|/) ?(?:a )?sisters? (to|of)\b", "a sibling of"),
    _rule(r"\bbrother ?(?:or|/) ?sister\b", "sibling"),
    _rule(r"\bbrothers ?(?:or|and|/) ?sisters\b", "siblings"),
    _rule(
        r"\b(know(?:s|n|ing)?) (?:(?:under|on|at|by|through) )?(?:which|what) "
        r"((?:[\w-]+ )?(?:number|address)) to (?:reach|call|ring|dial|phone|contact|write to|use)(?: for)? ",
        r"\1 the \2 of ",
    ),
    _rule(r" of an? (later|earlier) (?:date|day|time) than ", r" \1 than "),
    _rule(
        r"\b(\d{1,3}) ?m(?:ins?|inutes?)?,? (?:and )?(\d{1,2}) ?s(?:ecs?|econds?)?\b",
        lambda found: f"{60 * int(found[1]) + int(found[2])} seconds",
    ),
    _rule(r" (?:by|on|until|not after) (\S+(?: \S+){0,3}) at the (?:very )?latest\b", r" until \1"),
    _rule(r" (?:from|on|since|not before) (\S+(?: \S+){0,3}) at the (?:very )?earliest\b", r" since \1"),
    _rule(r" (?:up to|until|till) (\S+(?: \S+){0,3}) inclusive\b", r" until \1"),
    _rule(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?=(?:the )?\d)", ""),
    _rule(r"(?<=\s)(?<!the )(\d{1,3}) ?(?:s|secs?)\b", r"\1 seconds"),
    _rule(r"(?<=\s)(\d{1,3}) ?mins?\b", r"\1 minutes"),
    _rule(
        r"^(with|by|to|from|for|about) (whom?|which [\w ]+?|what [\w ]+?) "
        r"((?:is|are|was|were|do|does|did|has|have|had|can) .+?)\s*\?*$",
        r"\2 \3 \1?",
    ),
)
"""Tried in order, each once."""


def rephrased(text: str) -> str:
    """The question in a plainer order, or as it is.

    >>> rephrased("By rank: how many officers work in M1?")
    'how many officers work in M1 per rank?'
    >>> rephrased("Do the records contain a ship of Ann?")
    'is there any ship of Ann?'
    """
    for expression, said in _RULES:
        text = expression.sub(said, text, count=1)
    return text
