"""What else is wanted of each: "which films are new, and who made them?" is "..., with their makers"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_EACH: Final = (
    r"(?:each|it|they|them|he|she|that|those|these|each one|each of (?:them|those|these)|each (?!of\b)[a-z]+"
    r"|every one|all of them|(?:that|those|these|the) (?:person|people|one|ones|[a-z]+)|the (?:\w+ )?in"
    r" question)"
)
_ASKED: Final = (
    r"(?P<asked>(?:please )?(?:which|what|who|list|find|name|show|give|identify|display|return|provide|get"
    r"|retrieve|select|tell|i(?:'m| am) after|i (?:need|want)"
    r"|(?:all )?the [a-z]+s (?=who|that|which|in|of|with|from))\b"
    r"(?! (?:is|are|was|were) the (?:number|count|total|average))[^?;]*?[?.!]?)"
)
_GAP: Final = r"(?:,? and |(?<=[?.!]) (?:and )?|; (?:and )?| [-–—] (?:and )?)"
_END: Final = r"\s*[?.!]*$"
_AGENTS: Final = {
    "made": "makers",
    "wrote": "writers",
    "written": "writers",
    "sold": "sellers",
    "built": "builders",
    "ran": "runners",
    "led": "leaders",
    "drove": "drivers",
    "flew": "pilots",
    "taught": "teachers",
    "played in": "players",
    "acted in": "actors",
    "starred in": "actors",
    "sang": "singers",
    "directed": "directors",
    "created": "creators",
    "edited": "editors",
    "authored": "authors",
    "invented": "inventors",
    "visited": "visitors",
    "sponsored": "sponsors",
    "collected": "collectors",
    "supervised": "supervisors",
    "narrated": "narrators",
    "illustrated": "illustrators",
}
_VERB: Final = r"(?P<verb>[a-z]+ed(?: in)?|made|wrote|written|sold|built|ran|led|drove|flew|taught|sang)"
_GIVING: Final = (
    r"(?:just |only )?(?:please )?(?:include|add|mention|i(?: only| just)? (?:want|need)|i'm after)"
)
_NOUN: Final = r"[a-z][\w'’-]*"
_WORD: Final = r"(?!(?:most|least|fewest|same|[a-z]+est|name|title|word|number|letter|first|last)\b)[a-z]+"
_SECOND: Final = (
    r"(?:address|code|count|date|level|number|price|rate|rating|size|status|stock|time|total|type|year)"
)
"""Second words of properties; a value may stand there as well."""
_COMMAND: Final = r"(?:please )?(?:list|find|show|give|identify|name|display|return|provide|get|retrieve)"
_PLAINLY: Final = r"(?![^?.;]*\b(?:who|whom|that|which|[a-z]+ing) )"
"""Without a clause whose verb "with" may belong to: "people who live with the mayor"."""
_NAMED: Final = r"(?-i:(?<=[ '\"‘“])[A-Z][\w.'’-]*['\"”’]?)"
_SHOWN: Final = (
    rf" with the ({_WORD}(?: {_SECOND})?)"
    rf"(?: (?:of|for) (?:each|each one|each of (?:them|these|those)))?{_END}"
)
_ITEM: Final = rf"(?:(?:the|their|its|his|her|both the) )?(?:{_NOUN} ){{0,3}}?{_NOUN}"
_TAIL: Final = (
    r"(?: (?:that |which )?(?:they|he|she|it)(?: (?:has|have|had|was|were))? [a-z]+(?: [a-z]+)?"
    r"| at the time)?"
)
_ITEMS: Final = rf"{_ITEM}(?:(?:,|,? and|,? plus|,? as well as) {_ITEM}){{0,3}}{_TAIL}"
_PLAIN: Final = (
    r"(?!(?:give|tell|show|list|return|report|provide|state|print|name(?! and|,)|i|we|you|please|sort|limit"
    r"|use|exclude|ignore|count|note|sum|find|get|display)\b)(?=[^?.!]*\b(?:names?|titles?|numbers?|dates?|cit(?:y"
    r"|ies)|countr(?:y|ies)|prices?|years?|ages?|ids?|codes?"
    r"|phones?|address(?:es)?|quantity|quantities|amounts?)\b)"
)
_NO_QUESTION: Final = (
    r"(?!.*\b(?:who|whose|is|are|do|does|did|each|list|lists|answer|details|all|them|sorted|ordered|order by"
    r"|duplicates?|once|first|last|most|least|limit|top|only the)\b)"
)
_MORE: Final = r"(?:more|fewer|less) than"
_PEOPLE: Final = re.compile(
    rf"\bby (?:{_MORE}|at least|only|at most|exactly|over)? ?[\w-]+ (?:or more )?(?:person|people|persons)\b",
    re.IGNORECASE,
)


_SAME: Final = re.compile(
    rf",? and (?:what|which) {_NOUN} (?:was|is|were|are) (?:that|it|this|those|they)$", re.IGNORECASE
)


def _first(found: re.Match[str]) -> str:
    return str(found["asked"]).rstrip(" ,?.;!")


def _agents(found: re.Match[str]) -> str:
    verb: str = found["verb"].lower()
    said = _AGENTS.get(verb) or verb.removesuffix(" in").removesuffix("ed").removesuffix("e") + "ers"
    return f"{_first(found)}, with their {said}"


def _born(found: re.Match[str]) -> str:
    part = "date" if found["when"].lower().endswith(("when", "day")) else "year"
    return f"{_first(found)}, with their {part} of birth"


def _named(found: re.Match[str]) -> str:
    return f"{_first(found)}, with their {found['noun']}"


def _counted(found: re.Match[str]) -> str:
    """What is counted already is shown without asking; the number of something else is asked for."""
    first, what = _first(found), found["what"].lower()
    noun = re.escape(what.split()[-1].removesuffix("s"))
    known = re.search(
        rf"\b(?:number of|most|fewest|{_MORE}|at least|at most|only|or more|or fewer|exactly|over)"
        rf" (?:[\w-]+ )*?{noun}",
        first,
        re.IGNORECASE,
    )
    return first if known or _PEOPLE.search(first) else f"{first}, with the number of their {what}"


def _listed(found: re.Match[str]) -> str:
    """A second question that asks for the same in other words is left out."""
    return f"{_SAME.sub('', _first(found))}, with {found['items'].lower()}"


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^(?:are|is) there (?:any |an? )?([a-z][^?]+)\? "
        r"(?:which|who)(?: ones?)?(?: are they| is it)?,? and ",
        r"which \1, and ",
    ),
    rule(r"^(?:is|are) there any(?:body|one) (who [^?]+)\? (?:if so, )?who(?: is it| are they)?\?$", r"\1?"),
    rule(
        rf"^any ([a-z]+s) with (more [^?]+)\? which (?:{_NOUN}(?: {_NOUN})?|ones?)\?$", r"which \1 have \2?"
    ),
    rule(rf"^any ([a-z]+s (?!left\b)[^?]+)\? which (?:{_NOUN}(?: {_NOUN})?|ones?)\?$", r"which \1?"),
    rule(
        rf"^{_ASKED}{_GAP}how many (?P<what>(?:[a-z-]+ )?[a-z-]+) (?:does|do|did|has|have|is|are) {_EACH}"
        rf"(?: of (?:them|those|these)| years)?(?: have| had| got| [a-z]+)?{_END}",
        _counted,
    ),
    rule(
        rf"^{_ASKED}{_GAP}(?:in |on )?(?P<when>when|what year|which year|what day|which day) "
        rf"(?:was|were|is|are) {_EACH} born{_END}",
        _born,
    ),
    rule(
        rf"^{_ASKED}{_GAP}(?:who|what) (?:is|are|was|were) (?:the|its|their|his|her) "
        rf"(?P<noun>{_NOUN}(?: {_NOUN})?)(?: (?:of|for|in) {_EACH})?{_END}",
        _named,
    ),
    rule(rf"^{_ASKED}{_GAP}(?:in |from |of )?(?:which|what) (?P<noun>{_WORD}){_END}", _named),
    rule(rf"^{_ASKED}{_GAP}who (?:had |has |have )?{_VERB} {_EACH}{_END}", _agents),
    rule(
        rf"^{_ASKED}{_GAP}(?:(?:in|from|to|of|at|on|for|by) )?(?:which|what) "
        rf"(?P<noun>{_NOUN}(?: (?!(?:is|are|was|were|do|does|did|has|have)\b){_NOUN})?) "
        rf"(?:is|are|was|were|do|does|did|has|have) (?:both )?{_EACH}"
        rf"(?: (?!happen|occur|take|took)[a-z]+){{0,3}}{_END}",
        _named,
    ),
    rule(rf"^({_COMMAND}|which|who|what)(\b[^?.;]*?),(?: along| together)?{_SHOWN}", r"\1\2, with their \3"),
    rule(rf"^({_COMMAND}\b{_PLAINLY}[^?.;]*?) (?:along|together){_SHOWN}", r"\1, with their \2"),
    rule(rf"^({_COMMAND}\b{_PLAINLY}[^?.;]*?{_NAMED}){_SHOWN}", r"\1, with their \2"),
    rule(
        r"\b(the same ([a-z]+)\b[^?.]*?),?(?: along| together)? with the \2(?:'s)?(?: name| title)?"
        r"(?=\s*[?.]*$)",
        r"\1",
    ),
    rule(rf"^{_ASKED}(?<=[?.!]) {_NO_QUESTION}{_GIVING} (?P<items>{_ITEMS}){_END}", _listed),
    rule(rf"^{_ASKED}(?<=[?.!]) {_NO_QUESTION}{_PLAIN}(?P<items>{_ITEMS}){_END}", _listed),
)
"""Tried in order, each once."""
