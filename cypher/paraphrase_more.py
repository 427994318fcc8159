"""More rules of English for plainer wordings: how people point at what they named, and ask for tables.

As in :mod:`cypher.paraphrase_rules`; these hold before the others.
"""

from __future__ import annotations

from typing import Final

from cypher.paraphrase_rules import Rule

_THINGS = r"(?:papers?|publications?|experiments?|collaborations?|observables?|quantities|limits?|values?)"
_COUNT = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)"
_REPORTS = r"(?:found|finds?|gives?|gave|reports?|reported|obtains?|obtained|quotes?|quoted|sets?|has)"
_EXTREME = r"(?:largest|smallest|highest|lowest|biggest|maximum|minimum)"

_TOPIC = r"(?!(?:which|what|who|how|list|show|give|name|number|papers?|values?)\b)(\S[^:]*(?::(?! )[^:]*)*)"
_DETAILS = (
    r"(?:papers?|references?|publications?|experiments?|years?|(?:central |measured )?(?:values?|results?)"
    r"|(?:stat(?:istical)?|syst(?:ematic)?|total)(?: (?:errors?|uncertaint(?:y|ies)))?(?: \(\+\))?"
    r"|(?:errors?|uncertaint(?:y|ies))|units?)"
)
_LIST = rf"(?:(?:all|the|each) )*{_DETAILS}(?:(?:,| and|, and| \+| with(?: their| the| its)?) {_DETAILS})+"

ASIDES: Final[tuple[Rule, ...]] = (
    (r",? (?:(?:together|along) )?with (?:its|their|the) units?(?=[?.]?$)", ""),
    (rf",? (?:i\.e\.|that is|namely),? {_LIST}(?=[?.]?$)", ""),
    (r",? (?:over|across) all (?:the )?experiments(?=[?.]?$)", ""),
    (r"\bthe (?:record|entry|reference) (?=(?-i:[A-Z][\w,-]+) \d{4})", ""),
    (r" by now(?=[?.]?$)", ""),
    (
        r"^(?=.*\bthe most\b)(.*?),? (?:(?:along|together) )?with (?:the|their) (?:number|count)s? of"
        r" \w+(?=[?.]?$)",
        r"\1",
    ),
    (r"(?<=\bby )(\w+) \([^()]+ (?:or|and) [^()]+\)", r"\1"),
    (r"\bnamed (?=experiments|collaborations)", ""),
    (r"(?<=[.?!]) (?:(?:i|we) )?need (?:it|this|that|them) (?:for|in) (?-i:[a-z ]+)[.?!]?$", ""),
    (r"(?:,| -) what is (?:it|that)\?$", "?"),
    (r",? (?:and (?:if so,? )?(?:which|who|what) (?:are they|is it|ones)|or not(?: yet)?)\?$", "?"),
    (r"^is it (?:true|correct|right|the case) that (?:the )?(\S+) lives ", r"does the \1 live "),
    (r"^is it (?:true|correct|right|the case) that (.+?) (has|have|is|are|was|were) (.+)$", r"\2 \1 \3"),
    (
        r"^if (?:i|we|one|you) (?:just |simply )?(?:took|takes?|computes?|averages?|forms?) (?:the )?(.+?),"
        r" what (?:do|does|would|will) (?:i|we|one|you) (?:get|obtain|find|have)\??$",
        r"what is the \1?",
    ),
    (r",? (?:going by|judging by|according to) the (?:oldest|earliest|first) \w+(?: listed)?(?=\??$)", ""),
    (rf",? as (?:a )?(?:table of )?{_THINGS}(?: name)? and {_THINGS}(?=[?.]?$)", ""),
    (r",? with (?:that|the|its|their) (?:number|count)s?(?=[?.]?$)", ""),
    (
        r",? and how many (?:\w+ )?(?:(?:each|every one) (?:of them )?(?:has|have)|(?:for"
        r" )?each)(?=[?.]?$)",
        "",
    ),
    (
        r"^(?!.*\b(?:superseded|replaced)\b)(.*?),? and (?:by|in|from) (?:which|what)"
        r" (?:papers?|publications?)(?=[?.]?$)",
        r"\1",
    ),
    (
        rf"^(?=.*\b{_EXTREME}(?: \w+)? (?:value|result)\b)(.*?),? \(?"
        r"(?:ignoring|excluding|leaving out|without|not) (?:any |all |a )?limits?\b\)?",
        r"\1",
    ),
    (r"\b(no|any|without an?|without any) (\w+ )?(value|average|measurement) at all\b", r"\1 \2\3"),
)
"""What is said beside the question itself."""

MORE: Final[tuple[Rule, ...]] = (
    (r"^which of (?:our|the|their) (?=(?-i:[A-Z]))", "which "),
    (
        r"^on how many (?:different |distinct )?(\w+) (?:does|do|did) (?:the )?(.+?) have (?:a |any"
        r" )?results?(?=\??$)",
        r"how many \1 did \2 measure",
    ),
    (r"\bcarry an? (?:uncertainty|error) from (?:the )?(?:external )?", "are affected by "),
    (
        r"\b(?:the )?invisible (branching fraction|branching ratio|width) of (?:the )?(\S+?)(?: boson|"
        r" meson)?(?=[?,.]|$| )",
        r"the \1 of \2 -> invisible",
    ),
    (r"^who (?:has |have )?(?:looked|searched) for (?=.*->)", "which experiments measured "),
    (r"\b(?:have |has |had )?(?:ever )?(?:searched|looked|hunted|search) for (?=.*->)", "measured "),
    (
        r"^(?:which|what) (paper|publication) has (?:the )?INSPIRE (?:id|number|record)(?: number)?"
        r" (\d{4,})(?=\??$)",
        r"title of the paper \2",
    ),
    (r"\bhave no (?=(?:measurements?|results?|values?|determinations?)\b)", "are without a "),
    (r"^how (?:wide|broad) (?:is|are) (?:the )?(\S+?)(?=\??$)", r"what is the \1 width"),
    (r"^how (?:heavy|massive) (?:is|are) (?:the )?(\S+?)(?=\??$)", r"what is the \1 mass"),
    (r"^how long does (?:the |an? )?(\S+) live(?: on average)?(?=\??$)", r"what is the \1 mean life"),
    (r"^how long[- ]lived (?:is|are) (?:the )?(\S+?)(?=\??$)", r"what is the \1 mean life"),
    (
        r"^(?:all )?(?:the )?(?:experimental |published |measured )*(values|measurements|limits|results)"
        rf" ([^:]+): {_LIST}([.?]?)$",
        r"\1 \2\3",
    ),
    (
        r"\b(papers|publications|results|measurements) (?:that )?(?:came|come) out (?=in|since|before|after)",
        r"\1 published ",
    ),
    (r"\b(upper (?:limits?|bounds?) .+?) (?:stronger|better|tighter|stricter) than (?=\d)", r"\1 below "),
    (r"\b(lower (?:limits?|bounds?) .+?) (?:stronger|better|tighter|stricter) than (?=\d)", r"\1 above "),
    (r"\bthe most (?:distinct|different|individual|separate) ", "the most "),
    (
        r"\b(?:having|with|that have|which have) (?:at least one|one or more|an?|some) "
        r"(?:(superseded|replaced) (?:result|value|measurement)s?"
        r"|(?:result|value|measurement)s? (?:that (?:is|was|are|were|has been|have been) )?"
        r"(?:marked |flagged |listed )?(?:as )?(superseded|replaced))(?=[?.]?$)",
        r"that were \1\2",
    ),
    (
        r"\bwithout (?:a |any )?(?:single )?(?:determination|measurement|value)s? of any (?=\w)",
        "without any ",
    ),
    (rf"^{_TOPIC}: {_LIST}([.?]?)$", r"values of \1\2"),
    (
        rf"^{_TOPIC}: ((?:upper |lower )?limits?)((?: (?:at|from|by|since|before|after|in)\b[^,]*)?)"
        rf"(?:, {_LIST})?([.?]?)$",
        r"\2\3 on \1\4",
    ),
    (
        rf"^{_TOPIC}: (?:all |the )*((?:number of |how many )?(?:(?-i:[A-Z]\S*) )?(?:papers"
        rf"|publications|experiments))"
        r"((?: .*)?)$",
        r"\2 on \1\3",
    ),
    (
        rf"^{_TOPIC}: ((?:unweighted |arithmetic |simple |plain )*(?:mean|average) of (?:all )?(?:the"
        rf" )?(?:values|measurements|results))(.*)$",
        r"\2 of \1\3",
    ),
    (r"^(.+?), ((?-i:[A-Z])\S*) (papers|values|limits) only([.?]?)$", r"\2 \3 on \1\4"),
    (r"\b(?:(?:plain|simple|naive) )?(?:unweighted|arithmetic) (?:mean|average)\b", "mean"),
    (
        r"^(?:by )?(?:what|which) factor (?:does|do) (?:the )?(\S+) live longer than (?:the )?(\S+?)"
        r"(?:, (?:if i take|using|taking|with|from) the (?:best|recommended|average|world average|PDG)"
        r" (?:values?|averages?|lifetimes?)(?: of (?:both|the two) \w+)?)?(?=\??$)",
        r"what is the ratio of the \1 mean life to the \2 mean life",
    ),
    (
        r"^(?:by )?(?:what|which) factor (?:is|are) (?:the )?(.+?) (?:larger|longer|higher|bigger|heavier)"
        r" than (?:the )?(.+?)(?=\??$)",
        r"what is the ratio of the \1 to the \2",
    ),
    (
        r"^(?:taking|using|with|by) the (?:PDG )?averages,? (what is the (?:ratio|difference) (?:of|between))"
        r" (?:the )?",
        r"\1 the average of the ",
    ),
    (r"\bvery (?=first|last|latest|earliest|same)", ""),
    (r"\b(first|last|earliest|latest) one (?=to )", r"\1 "),
    (r"\b(?:currently |generally |commonly |presently )?(?:accepted|adopted) value\b", "recommended value"),
    (
        rf"\b({_EXTREME}) (?:value of (?:the )?)?((?:[\w-]+ ){{1,3}}?)(?:that )?any(?:one|body) (?:has"
        rf" )?(?:ever )?"
        r"(?:reported|measured|published|found|obtained|got) (?:for|of) (?:the )?",
        r"\1 \2of the ",
    ),
    (
        r"^how (?:big|large|small|wide) (?:is|was|are|were) the (statistical|systematic|total)"
        r" (?:uncertainty|error) (?:on|of|in|for) (?:the )?(.+?) (?:that (?:is|was) |as )?"
        r"(?:given |quoted |reported |listed |published )?(?:in|by) ((?-i:[A-Z][\w,-]+)"
        r" \d{4}(?-i:[A-Z]*))(?=\??$)",
        r"\1 error of \3 on the \2",
    ),
    (
        r"\b(measured?|determined?|reported?|gave|give|quoted?)((?: the)? (\S+) (mass|width|lifetime"
        r"|mean life))"
        r" but (?:did not|didn't|do not|don't|not) (?:\w+ )?its (mass|width|lifetime|mean life)\b",
        r"\1\2 but not the \3 \5",
    ),
    (r"^(.*\bboth\b.*) together(?=,| and |[?.]|$)", r"\1"),
    (
        rf"^for (?!(?:each|every|all)\b)(?:the )?(.+), (?:which|what|list|give|show|name)(?: me)?(?:"
        rf" all)?(?: the)?"
        rf" ({_THINGS})\b(?! (?:of|for) )",
        r"which \2 on \1",
    ),
    (
        rf"^for (?:the )?(.+?), (?:(?:which|what) are )?(?:the )?({_COUNT}) ({_THINGS}) with\b",
        r"the \2 \3 of \1 with",
    ),
    (
        rf"^for (?!(?:each|every|all)\b)(?:the )?(.+), how many ({_THINGS})"
        r" (?:come|came|are|were|do we have|exist)(?: there)?"
        r" (?:from|by|per|for) (?:each|every) (\w+)(?=\??$)",
        r"number of \2 on \1 by \3",
    ),
    (
        rf"^how many ({_THINGS}) (?:come|came|are|were)(?: there)? (?:from|by|per) (?:each|every)"
        rf" (\w+)(?=\??$)",
        r"number of \1 by \2",
    ),
    (
        r"^how has (?:the )?interest in (.+?),? (?:developed|evolved|changed|grown)(?: over (?:the"
        r" years|time))?"
        r"[:,]?(?: -)? (?:the )?(?:number of )?(papers|publications|measurements) (?:per|by) year",
        r"number of \2 on \1 by year",
    ),
    (
        rf"^(?:an? |the )?table (?:of|with) (?:the )?{_THINGS} (?:vs\.?|versus|and|against|with)"
        r" (?:the )?(?:measured |reported |published |central )?(value|limit|result)s? (?:for|of|on)"
        r" (?:the )?",
        r"\1s of the ",
    ),
    (
        rf"\b(?:(?:each|every|all) )?(?:papers?|references?|publications?) (?:together |along )?with the"
        rf" (value|limit|result) (?:that )?(?:it|they) {_REPORTS} (?:for|of|on) (?:the )?",
        r"\1s of the ",
    ),
    (
        r"\b(?:every|all|each)(?: the| of the)? references? (?:that|which) (?:gives?|quotes?|reports?)\b",
        "papers that report",
    ),
    (r"\b(papers?|publications?|experiments?) (?:that|which) quotes?\b", r"\1 that report"),
    (
        r"^(?:everything|all|anything) (?:that )?(?:(?:was|is|has been|were) )?(measured|determined|reported)"
        r" (in|by)\b",
        r"observables \1 \2",
    ),
    (
        rf"\b({_EXTREME})(?: central| measured| reported| published| single)* value(?: that)?"
        r"(?: any(?:one|body) (?:has )?(?:ever )?(?:reported|measured|published|found))?(?: yet)?"
        r" (?:for|of) (?:the )?",
        r"\1 value of the ",
    ),
    (r"\b(?:the )?BRs? (?:of|for) (?:the )?(?=\S+ ->)", "branching fraction of "),
    (
        r"\bsuffers? from (?:the )?(?:(?:uncertaint(?:y|ies)|errors?) (?:of|on|in|from) )?(?:the )?",
        "are affected by ",
    ),
    (
        r"\blimited by (?:(?:the|our|poor) )*(?:knowledge|uncertainty|precision|error)"
        r" (?:of|on|in) (?:the )?",
        "affected by ",
    ),
    (r"\b(how many|number of|list) (?:different|distinct) (?=\w)", r"\1 "),
    (
        rf"^(?:the )?top ({_COUNT}) (.+?) by (?:the )?number of (?:distinct |different )?(\w+)"
        r" (?:that )?(?:they|it) (\w+?)s?([.?]?)$",
        r"which \1 \2 \4 the most \3\5",
    ),
    (
        r"\b(?:have|has) had (?:their|its) (?:results?|values?|measurements?) (superseded|replaced)\b",
        r"were \1",
    ),
    (r"\bpaper (?:that )?(?:the )?PDG (?:calls|names|lists as|refers to as|cites as) ", "paper "),
    (r"\bPDG(?:'s)? recommended\b", "recommended"),
    (
        r"\brecommended (?:PDG )?(?!value|average|fit|number)(?=(?-i:[a-z]+)(?: (?-i:[a-z]+)){0,3}"
        r" (?:of|for) )",
        "recommended value of the ",
    ),
    (r"\blisted under (?:the )?", "on "),
    (
        r"^how (?:was|were|is|are) (?:the )?(.+?)(?: uncertaint(?:y|ies))? (?:estimated|evaluated|assessed)"
        r"(?=\??$)",
        r"which methods estimate the \1 uncertainty",
    ),
)
