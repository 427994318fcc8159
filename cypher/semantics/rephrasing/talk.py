"""Words of talk: "pls", "strictly", "do we carry", "I am looking for ... Which are they?", "yes or no"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_END: Final = r"\s*[?.!]*$"
_WE: Final = r"(?:we|you|they)"
_KEEP: Final = r"(?:carry|stock|have|hold|keep|sell|offer|got|list)"
_PEOPLE: Final = r"(?:people|persons|individuals|everyone|everybody|those|anyone|anybody|someone)"
_MANY: Final = r"(?:(?!this\b|its\b|was\b|is\b|has\b|does\b)[a-z]{2,}s|people)"
_LISTING: Final = r"(?:list|give|show|get|find|name|display|tell|fetch|return|identify)(?: (?:me|us))?"
_LOOKING: Final = (
    r"(?:i am |i['’]m |we are |we['’]re )?(?:looking|searching) for|i (?:am|['’]m) interested in"
)
_NEEDED: Final = r"(?:(?:i|we) )?(?:only |just )?(?:need|want|want to know|would like)"
_PLACED: Final = r"(?:located|based|situated|to be found|found)"
_PLACES: Final = r"(?:city|town|country|region|state|street|place|address|continent|county|village|district)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?<![\w'\"’])(?-i:pls|plz)(?![\w'\"’]),? ?", ""),
    rule(r"\b(me|us) (?:please|kindly),? (?=\w)", r"\1 "),
    rule(r"^kindly ", ""),
    rule(r"\b(?:for )?(?:me|us) (?:pls|plz)\b", ""),
    rule(rf"[,.?;]?(?: just)? (?:yes or no|true or false|y/n|or not){_END}", "?"),
    rule(r"^say (?:me|us),? ", "tell me "),
    rule(r"^(?:make|draw|calculate|compute) (?:me|us),? (?=the |an? )", "give me "),
    rule(
        r"^(?:i|we) (?:need|want|have|would like) to (?:verify|check|confirm) (?:if|whether) ",
        "check whether ",
    ),
    rule(
        r"^(?:please )?(?:quote|provide|determine|specify|state|indicate|present)"
        r"(?: (?:me|us|for me|for us))? (?=the|all|every|each|any|which|what|who)",
        "list ",
    ),
    rule(
        rf"^({_LISTING}) every(?: single)? (?=[a-z]+ (?:that|who|whose|which|from|"
        rf"with|where|\w+ed)\b)",
        r"\1 all ",
    ),
    rule(rf"^({_LISTING}) (?:an? )?(?:full |complete )?list of (?=all\b|the\b|every\b|{_MANY}\b)", r"\1 "),
    rule(
        rf"^(?:{_LOOKING}) (?:the |all )?(.+?)\. (?:which|who|what)(?: ones?)? are (?:they|"
        rf"these|those){_END}",
        r"list the \1",
    ),
    rule(rf"^(?:{_LOOKING}) (?=(?:the|all|every|any|{_PEOPLE}|{_MANY})\b)", "list "),
    rule(
        rf"^(?:i am|i['’]m) (?:interested in|looking for) (?:the )?{_PEOPLE} (who .+?)\. who "
        rf"are (?:they|these){_END}",
        r"\1",
    ),
    rule(
        r"^(?!is\b|are\b|do\b|does\b|was\b|were\b|any\b|has\b|have\b)"
        r"([^?]+)[?.] (?:and )?(?:which|what)(?: ones?| are they| are these)?\s*\??$",
        r"\1?",
    ),
    rule(r"^any ([a-z][^?]+)\? (?:and )?(?:which|what)(?: ones?| are they)?\s*\??$", r"which \1?"),
    rule(
        rf"[,;?.:] ?(?:{_NEEDED} (?:the |all the )?|give (?:me|us) (?:the )?|just (?:the )?|"
        rf"only (?:the )?)?names?"
        rf"(?: only| needed)?{_END}",
        "",
    ),
    rule(
        rf"[,;?.:] (?:the )?(?:year|date|number|figure) is (?:all|everything|enough)(?: (?:that "
        rf")?(?:i|we) need)?{_END}",
        "",
    ),
    rule(rf"^who (.+?)\? ({_MANY}){_END}", r"which \2 \1?"),
    rule(
        rf"^where(?:['’]s| is| are| was) (.+?)(?: {_PLACED})?\? (?:{_NEEDED} )?(?:the )?({_PLACES}){_END}",
        r"in which \2 is \1?",
    ),
    rule(
        r"\b(?:strictly|really|actually) (?=(?:more|less|fewer|greater|smaller|higher|lower|"
        r"larger|above|below|before"
        r"|after|later|earlier|prior|over|under|than)\b)",
        "",
    ),
    rule(r"\bprior to\b", "before"),
    rule(r"\b(?:at )?any ?time (?=(?:from|between|after|before|since|in|during)\b)", ""),
    rule(
        rf"^((?:how many|which|what) [^,?]+?) (?:do|have|did) {_WE} {_KEEP}(?= (?:in|on|under|"
        rf"for|with|of|from)\b)",
        r"\1 are there",
    ),
    rule(
        rf"^(for (?:each|every) [a-z]+,? how many [^,?]+?) (?:do|have) {_WE} {_KEEP}{_END}", r"\1 are there?"
    ),
    rule(
        rf"^what (?:do|have) {_WE} {_KEEP} (?:under|in|for) (.+?)\? ({_MANY}){_END}", r"which \2 are in \1?"
    ),
    rule(
        rf"(?<=\w)(?<!\bdo)(?<!\bdid)(?<!many) (?:that )?{_WE}(?:['’]ve| have| do)? "
        rf"(?:have|got|carry|stock|hold|keep)(?: "
        rf"on (?:record|file|hand|the books))?"
        rf"(?= (?:for|from|of|in)\b|{_END})",
        "",
    ),
    rule(
        r"\bwhere (?:we|you)(?:['’]ve| have)(?: got)? (?=(?:fewer|more|less|at least|at most|"
        r"under|over|only|no)\b)",
        "with ",
    ),
    rule(r"\b(?:on|in) (?:our|your|the) (?:records|books|files|system|list|shelves|range|catalogue)\b", ""),
    rule(rf"(?<=[a-z]) (?:to|from|for) us(?={_END}|,)", ""),
    rule(
        r"\b(provides?|supply|supplies|sells?|offers?|delivers?|sends?|brings?|gives?) us (?:with )?(?=\w)",
        r"\1 ",
    ),
    rule(r"\b(of|from|all|are|is|what|which|the|by|to) (?:our|your) (?=(?:\d+ |single |top )?[a-z])", r"\1 "),
    rule(r"\bour (?=(?:[a-z]+ )?[a-z]+s\b)", "the "),
    rule(r"\b(?:inside of|inside) (?=(?:the |a |category|group|class|section)\b|(?-i:[A-Z]))", "in "),
    rule(
        r"\b(?:that|which) (?:are|is) (?:classified|filed|categori[sz]ed|listed|grouped) (?:as|"
        r"under|in|into) ",
        "in ",
    ),
    rule(r"\b(?:at least|not less than) (?:one|a single) (?=(?!of\b|or\b|and\b)[a-z]+\b(?! each))", "a "),
    rule(r"\bon (?:at least )?one of (?:their|its|his|her) (?=[a-z]+s\b)", "in their "),
    rule(r"\b(?:one and the same|this same|that same|the very same) ", "the same "),
    rule(
        r"^how much (?=(?:people|persons|(?!is\b|does\b|was\b|costs\b|has\b)[a-z]{3,}s)\b(?! of\b))",
        "how many ",
    ),
    rule(r"\b(most|more|fewer|less) different (?=[a-z]+s\b)", r"\1 "),
    rule(rf"^for all ([a-z]+?)s(?: one by one)?, (?={_LISTING}|which|what|how|the)", r"for each \1, "),
    rule(
        rf"^for all(?: of the)? ([a-z]+?)s,? {_LISTING} (?=(?:the|which|how|what)\b)",
        r"for each \1, ",
    ),
)
"""Tried in order, each once."""
