"""What speakers say of themselves and of the answer: "I was wondering about", "let me have the list"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_ASKING: Final = r"(?=(?:which|what|who|whose|whom|how|when|where)\b)"
_TELLING: Final = r"(?=(?:which|what|who|whom|where|when|how|i|give|list|show|tell)\b)"
_APART: Final = r"\b(?:by|who|that|which|whose|know\w*|and|or)\b"
_KNOW: Final = r"(?:know(?:s|n|ing)?|knew|acquainted)"
_BY_PHONE: Final = (
    r"(?:by|via|through|from|over(?: the)?|on the)(?: the| his| her| their)? "
    r"(?:(phone|telephone)(?: (?:calls?|contacts?|conversations?))?|(?<!by )(?<!the )calls)\b(?! \S*\d)"
)
"""How people get to know one another who call each other."""
_TOGETHER: Final = (
    r"(?:living (?:together|with (?:them|him|her|each other|one another))"
    r"|sharing (?:a|the same) (?:home|house|household|flat|address)(?: with (?:them|him|her))?)\b"
)
_FETCH: Final = r"(?:pull(?: up| out)?|dig (?:out|up)|fetch|print|retrieve|look up)"
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DATE: Final = rf"\d+(?:st|nd|rd|th)?(?: of)? {_MONTH}"
_PART: Final = r"(?:[^.?,;]+ and )?"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?<=\w) (?:right now|at the moment|at present|as of now)\b(?=\s*[?.,]|$)", ""),
    rule(r"\b(are|is|was|were) (?:still|currently|presently) (?=[a-z]+\b)", r"\1 "),
    rule(
        r"^(?:is|are) there (?:any |some )?([^?]+?),? and if so,? which(?: ones?)?(?=\s*[?.]*$)",
        r"which \1",
    ),
    rule(r",? and if so,? which(?: ones?)?(?=\s*[?.]*$)", ""),
    rule(r"^on (?:what|which) day (?=(?:was|were|did|does|do|is|has|have)\b)", "when "),
    rule(r" as well as (?=[A-Z'\"0-9])", " and "),
    rule(r",? (?<!for )([a-z]+) by \1(?=\s*[?.]*$)", r" per \1"),
    rule(
        rf"\bbetween ({_DATE}) and ({_DATE},? (\d{{4}}))\b",
        r"between \1 \3 and \2",
    ),
    rule(r"\bby the end of (\d{4})\b", r"until 31 December \1"),
    rule(r"(?<=\w) (?:that are |that is |who are )?(?:on|in) our (?:books|records|files|system)\b", ""),
    rule(r"(?<=\w) (?:that are |who are )?registered with us\b(?=\s*[?.]*$)", ""),
    rule(r"(?<=[a-z]s) on (?:its|their) (?:staff|books|payroll)\b(?=\s*[?.]*$)", ""),
    rule(r"\b(do|does|did) (.+?) (?:usually|typically|normally|generally) (?=[a-z]+\b)", r"\1 \2 "),
    rule(r"^(?:for|of) (which|what) ([\w -]+?) do (?:we|you) have no (?=[a-z])", r"\1 \2 have no "),
    rule(
        r"^in (which|what) ([\w -]+?) (?:don['’]t|do not) (?:we|you) have (?:any |an? )?(\w+)\s*\?*$",
        r"\1 \2 have no \3?",
    ),
    rule(r"\bour (?=[a-z])", "the "),
    rule(
        r"\b(?:gets?|receives?|wants?|(?:have |has |are |is )?(?:signed up|subscribed) (?:for|to)) the "
        r"(newsletter|mailing list|bulletin)\b",
        r"have the \1",
    ),
    rule(r"\b((?:no|not|n['’]t|never)\b[^?]*) anywhere\b(?=\s*[?.]*$)", r"\1"),
    rule(r"\b(there|who|that|it|what|where)['’]s (?=(?:an?|any|some|no|the|got|been|one)\b)", r"\1 is "),
    rule(r"\b(who|they|that|which) is got (?=\w)", r"\1 has "),
    rule(
        rf"^(?:(?:can|could|would|will) you )?(?:please )?{_FETCH} (?:me )?(?=(?:the|all|every|any|each)\b)",
        "list ",
    ),
    rule(r"(?<=\w),? please,(?= (?:of|for|from|in|at|by|with|on)\b)", ""),
    rule(r",? by (?:the )?(?:year|date|day|age),(?= \w)", ""),
    rule(rf"^i {_PART}(?:was|am|'m|’m) (?:just )?(?:wondering|curious|asking) about ", "give "),
    rule(
        r"^for (?:my|our|the) (?:\w+ ){0,2}?(?:article|report|story|piece|file|records|notes|paper)[:,] ", ""
    ),
    rule(
        r"^(?:i|we)(?:'ve| have)(?: just)? got ([^,;?]+?) (?:in front of (?:me|us)|here)(?:[.;,]|,? and) "
        + _ASKING,
        r"\1: ",
    ),
    rule(
        r"\?\s+(?:please )?(?:let me have|i(?:'d like| want| need| only need)|give me|just) (?:the |a )?"
        r"(?:full |whole |complete )?(?:list|lists|answer|locations|places|addresses|codes)[.]?$",
        "?",
    ),
    rule(
        r"(?:,|\?|\.| -| –)\s*(?:just |only )?(?:a )?(?:simple |plain )?yes[ /]?or[ /]?no"
        r"(?:,? please| will do| is enough)?\s*[.?]*$",
        "?",
    ),
    rule(r"^(has|have) (?:an?|any|some) ([\w-]+(?: [\w-]+)?) ever (?=\w)", r"is there any \2 that \1 "),
    rule(r"\b(has|have|had) (?:itself|himself|herself|themselves) (?=[a-z])", r"\1 "),
    rule(r"\b(who|that|which) (?:itself|himself|herself|themselves) (?=\w+(?:ed|s)\b)", r"\1 "),
    rule(r",? (?:going|judging|judged) by (?:(?:its|their|the|his|her) )?\w+(?: \w+)?,(?= )", ""),
    rule(r"^(?:going|judging) by (?:its |their |the )?\w+(?: \w+)?, (?=\w)", ""),
    rule(r"\bhow long did (each|it|they|that|this) last\b", r"how long did \1 take"),
    rule(r"\btally of (?=\w)", "number of "),
    rule(rf"^who(?:so)?ever (.+?)(?:,| -| –| —|:|;) {_TELLING}", r"somebody \1. "),
    rule(
        r"^(\w+) by \1 (?:with)?(in|of|at) ([^,]+), how many ([^?]+?) there\s*\?*$",
        r"for each \1 \2 \3, how many \4 there?",
    ),
    rule(rf"\b({_KNOW}) {_BY_PHONE}", lambda m: f"{m[1]} by {m[2] or 'phone'}"),
    rule(
        rf"\b({_KNOW}) (?!by\b)((?:(?!{_APART})[^,?.;])+?) {_BY_PHONE}",
        lambda m: f"{m[1]} by {m[3] or 'phone'} {m[2]}",
    ),
    rule(rf"\b({_KNOW}) (?:from|through|by) {_TOGETHER}", r"\1 from living together"),
    rule(
        rf"\b({_KNOW}) ((?:(?!{_APART})[^,?.;])+?) (?:from|through|by) {_TOGETHER}",
        r"\1 from living together \2",
    ),
    rule(
        r"\b(\d+)-(second|minute|hour)(?:-long)? (\w+)",
        lambda m: f"{m[3]} of {m[1]} {m[2].lower()}s",
    ),
)
"""Tried in order, each once."""
