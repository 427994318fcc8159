"""What long questions say around what they ask: for what it is needed, why, and where to look."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_ASKING: Final = (
    r"(?=(?:i|we|you|please|could|can|would|show|list|give|find|tell|name|which|what|who|how|in which|let)\b)"
)
_TELLING: Final = r"(?:give|tell|show|list|name|let me know|report|return)(?: (?:me|us))?"
_LIGHT: Final = r"(?:give|write|leave|assign|award|post|submit|grant|provide|make)"
_GIVEN: Final = r"(?:given|granted|applied|offered|charged|assigned|awarded)"
_MEASURED: Final = r"(?:average|mean|total|maximum|minimum|highest|lowest|largest|smallest)"
_KEPT: Final = (
    r"(?:recorded|listed|known|stored|given|on record|on file|available|specified|entered|registered)"
)
_DECADES: Final = {
    word: f"19{n}0s" for n, word in enumerate(("twenties", "thirties", "forties", "fifties", "sixties"), 2)
} | {"seventies": "1970s", "eighties": "1980s", "nineties": "1990s"}
_NAMED: Final = r"(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w.'’-]*)*"
_BOTH: Final = rf"({_NAMED} and {_NAMED})"
_DASH: Final = r" ?[-–—;:,.!] ?"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"\b((?:in|during|of|from) the )(?:nineteen[- ])?({'|'.join(_DECADES)})\b",
        lambda m: m[1] + _DECADES[m[2].lower()],
    ),
    rule(
        rf"^(?:(?:i|(?-i:[a-z]+)) ){{0,4}}{_BOTH}(?: (?-i:[a-z]+))?{_DASH}"
        r"((?:in )?(?:which|what|how many) [^?]+?) both of them\b",
        r"\2 both \1",
    ),
    rule(
        rf"^((?!how|which|what|who)[^?]+?){_DASH}which (?:ones? )?(?:is|are) (?:it|that|they|those)\s*\?*$",
        r"which \1?",
    ),
    rule(
        rf"^((?!how|which|what|who)[^?]+?){_DASH}which ([a-z]+) (?:is|are) (?:it|that|they|those)\s*\?*$",
        r"which \2 has \1?",
    ),
    rule(
        r"(?:,|\.)? so (?:please |could you |can you )*(?:give|tell|show|list|send)(?: me| us)? "
        r"(?:their|the) names?"
        r"(?:,? (?:together|along) with (?:the|their) ([\w ]+?))?(?=\s*[?.]*$)",
        lambda m: f", with their {m[1]}" if m[1] else "",
    ),
    rule(
        r"^for (?:an?|our|my|the|some) (?!same\b|each\b)(?:[\w'-]+ ){0,6}?"
        rf"(?:report|presentation|night|meeting|article|study|talk|overview|review|paper|project|analysis"
        rf"|newsletter|campaign|quiz|evening|party|summary|audit|survey)\b[^,?.]{{0,40}}, {_ASKING}",
        "",
    ),
    rule(
        r"^i am (?:putting together|preparing|working on|writing|planning|making|compiling|reviewing) "
        r"[^,?.]{3,60}?"
        r"(?:,? and|[,;.]) (?=i (?:would|want|need|'d)\b|please|could|can)",
        "",
    ),
    rule(
        r"^(?:please )?(?:go|look|search|run) through (?:the )?(?:complete |whole |entire |full"
        r" )?(?:list|set) of "
        rf"(?:all )?(?:the )?([\w -]+?) and {_TELLING} (?:the names? of )?(?:all )?(?:those|the ones"
        rf"|each one)\b",
        r"list the \1",
    ),
    rule(
        r"(?:, (?:since|as)|,? (?:because|so that)) (?:we|i|my|our|they|it) (?:[\w'-]+"
        r" ){1,14}[\w'-]+\s*(?=[?.]*$)",
        "",
    ),
    rule(
        r",? (?:arranged|ordered|sorted|listed) (?:so|such) that the "
        r"(earliest|latest|oldest|newest|largest|smallest|highest|lowest|longest|shortest|most recent)"
        r"(?: (?:one|ones|[\w-]+))? (?:comes?|is|are|appears?|goes?) first\b",
        r", \1 first",
    ),
    rule(
        r"\beach ([\w -]+?) (?:in|at|on|from) which (?:we have|there are|we find) ([\w -]+?),? "
        r"(?:together|along) with (?:the|their|its) (?:number|count) of \2(?: there)?\b",
        r"the number of \2 per \1",
    ),
    rule(
        rf"\b(with|has|have|had|having) no ((?:[\w-]+ ){{0,2}}?[\w-]+) {_KEPT}(?=\s*[?.,]|$| (?:in|for) )",
        r"\1 no \2",
    ),
    rule(r"\bno (year|date|day|place) of (birth|death)\b", r"no \2 \1"),
    rule(
        rf"^(?:what|which) ([\w -]+?) (?:did|has|have|does) (.+?) {_LIGHT}(?:n|ten)? (?:to|for|on"
        rf"|about) (.+?)\s*\?*$",
        r"what \1 was given to \3 by \2?",
    ),
    rule(rf"\b({_MEASURED} [\w-]+) {_GIVEN} (?:on|for|to|in) (?=\w)", r"\1 of "),
    rule(rf"\b({_MEASURED} [\w -]+?) {_KEPT} (?:on|for|in) any ([\w-]+?)s?(?=\s*[?.]*$)", r"\1 of all \2s"),
    rule(
        rf"\b({_MEASURED} [\w -]+?) that ((?-i:[A-Z])[^,?]*?) (?:has |have |had )?(?:ever )?(?:gave|given)"
        rf"(?=\s*[?.]*$)",
        r"\1 given by \2",
    ),
    rule(
        r"\b(?:along|together) with the ([\w -]+?) (?:that )?(?:each(?: of (?:them|those))?|they) (?:gave"
        r"|has given|have given)(?=\s*[?.]*$)",
        r"with the \1",
    ),
    rule(r"\bin between (?=\w)", "between "),
    rule(
        r"\b(after|before|on|by) the (date|day) (?:(?:on|by) which|when) (?:it|they) (?:was|were|is|are) "
        r"([a-z]+ed)\b",
        r"\1 the \3 \2",
    ),
    rule(
        r"\b(?:never|not) (acted|appeared|played|been|starred|worked) in any other (\w+?)s?\b",
        r"\1 in only one \2",
    ),
    rule(r"\b(acted|appeared|played|been|starred|worked) in no other (\w+?)s?\b", r"\1 in only one \2"),
    rule(
        r"\b(in|on|per|for|from|to|within) one (?=(?!of\b|or\b|and\b|another\b|more\b|day\b|go\b)[a-z]+\b)",
        r"\1 a ",
    ),
    rule(
        r"\b(people|persons|individuals|everyone|those|who|anyone) (?:who |that )?(?:are|is|were|was"
        r"|have been|has been)"
        r" both (?:an? (?=[\w-]+ and an? )|(?=[\w-]+s and [\w-]+s\b))([\w-]+?)s? and (?:an?"
        r" )?([\w-]+?)s?(?=\s*[?.]*$)",
        r"\2s who are also \3s",
    ),
    rule(
        r"^(which|what) ([\w-]+) (.{3,40}?) (in|on) both (\d{4}) and (?:in )?(\d{4})\s*\?*$",
        r"\1 \2 \3 \4 \5 and \3 \4 \6?",
    ),
)
"""Tried in order, each once."""
