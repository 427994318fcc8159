"""The most of something in other words: "costs the most", "than any other", "the most high price"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, plural, rule

_END: Final = r"\s*[?.!]*$"
_PLAIN: Final = {
    "high": "highest",
    "low": "lowest",
    "old": "oldest",
    "young": "youngest",
    "big": "biggest",
    "large": "largest",
    "small": "smallest",
    "new": "newest",
    "long": "longest",
    "short": "shortest",
    "cheap": "cheapest",
    "late": "latest",
    "early": "earliest",
    "great": "greatest",
    "heavy": "heaviest",
}
_COMPARED: Final = {
    "older": "oldest",
    "younger": "youngest",
    "bigger": "biggest",
    "larger": "largest",
    "smaller": "smallest",
    "newer": "newest",
    "longer": "longest",
    "shorter": "shortest",
    "cheaper": "cheapest",
    "higher": "highest",
    "lower": "lowest",
    "heavier": "heaviest",
    "taller": "tallest",
    "later": "latest",
    "earlier": "earliest",
    "more expensive": "most expensive",
    "less expensive": "cheapest",
}
_ALL: Final = (
    r"(?:any|all|every|each|everyone|everybody|anyone|anybody)(?: of)?(?: the)?(?: ?(?:others?|"
    r"else|one|rest))?"
    r"(?: [a-z]+)?(?: (?:from|of) (?:them|those|these))?"
)
_BEYOND: Final = (
    rf"than (?=(?:any|all|every|each|anyone|anybody|everyone|everybody)\b[^,?.]*\b(?:others?|"
    rf"else|rest)\b){_ALL}"
)
_MOST: Final = r"(?:highest|largest|biggest|greatest)"
_FEWEST: Final = r"(?:lowest|smallest)"
_NUMBER: Final = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twenty"
_COUNT: Final = r"(?:count|total|tally)"


def _cost(most: str) -> str:
    return "most expensive" if most.lower() == "most" else "cheapest"


def _counted(found: re.Match[str]) -> str:
    """ "highest actor count, which movie" as "which movie has the most actors"."""
    most = "most" if re.fullmatch(_MOST, found[1], re.IGNORECASE) else "fewest"
    return f"which {found[3]} has the {most} {plural(found[2])}?"


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?:the )?most ({'|'.join(_PLAIN)})\b", lambda m: f"the {_PLAIN[m[1].lower()]}"),
    rule(
        r"\b(?:going|judging|judged|measured|counting|counted|ranked|sorted|ordered) by (?=(?:the "
        r")?(?:number|count|total|[a-z]+ count)\b)",
        "by ",
    ),
    rule(r"\bno\. ?1\b", "top"),
    rule(r"\b(?:the )?(?:priciest|dearest|costliest)\b", "the most expensive"),
    rule(
        rf"^(which|what) ([a-z][\w -]*?)(?: (?:is|are))? cost(?:s|ing)? (?:the )?(most|least){_END}",
        lambda m: f"what is the {_cost(m[3])} {m[2]}?",
    ),
    rule(
        rf"^(which|what) ([a-z]+) (from|of|in) (.+?) costs? (?:the )?(most|least){_END}",
        lambda m: f"what is the {_cost(m[5])} {m[2]} {m[3]} {m[4]}?",
    ),
    rule(
        rf"\b(?:the )?((?:{_NUMBER}) )?([a-z]+) (?:that|which)(?: are| is)? cost(?:s|ing)? "
        rf"(?:the )?(most|least){_END}",
        lambda m: f"the {m[1] or ''}{_cost(m[3])} {m[2]}",
    ),
    rule(
        rf"\b(?:the )?(?:one )?([a-z]+) (?:that|which) (?:is|are) ({'|'.join(_COMPARED)}) {_BEYOND}",
        lambda m: f"the {_COMPARED[m[2].lower()]} {m[1]}",
    ),
    rule(
        rf"^((?:which|what) .+?) (?:is|are) ({'|'.join(_COMPARED)}) {_BEYOND}",
        lambda m: f"{m[1]} is the {_COMPARED[m[2].lower()]}",
    ),
    rule(rf"\b(?:more|a (?:larger|greater|higher|bigger) number of) ([a-z]+s) {_BEYOND}", r"the most \1"),
    rule(rf"\b(?:fewer|less) ([a-z]+s) {_BEYOND}", r"the fewest \1"),
    rule(
        rf"\b(has|have|with|having) an? ([a-z][a-z ]+?) (?:above|over|higher than|greater than)"
        rf" (?:that|those) of {_ALL}{_END}",
        r"\1 the highest \2",
    ),
    rule(
        rf"\b(has|have|with|having) an? ([a-z][a-z ]+?) (?:below|under|lower than|less than)"
        rf" (?:that|those) of {_ALL}{_END}",
        r"\1 the lowest \2",
    ),
    rule(r"\bbefore (?:all|any|every)(?: of)?(?: the)? others?(?: [a-z]+)?\b", "first"),
    rule(r"\bbefore (?:anyone|anybody|everyone|everybody) else\b", "first"),
    rule(r"\bafter (?:all|any|every)(?: of)?(?: the)? others?(?: [a-z]+)?\b", "last"),
    rule(rf"\b(?:the )?{_MOST} (?:quantity|amount|number|count) of (?=[a-z -]*[a-z]s\b)", "the most "),
    rule(rf"\b(?:the )?{_FEWEST} (?:quantity|amount|number|count) of (?=[a-z -]*[a-z]s\b)", "the fewest "),
    rule(rf"^({_MOST}|{_FEWEST}) ([a-z]+) {_COUNT}[,:]? (?:which|what) ([a-z]+){_END}", _counted),
    rule(
        rf"^(?:the )?({_NUMBER}) (highest|lowest|largest|smallest) ([a-z ]+?)s?[,:] (?:which|"
        rf"what) ([a-z]+){_END}",
        r"which \1 \4 have the \2 \3?",
    ),
    rule(rf"\bby (?:the )?([a-z]+) {_COUNT}\b", lambda m: f"by number of {plural(m[1])}"),
    rule(rf"\bby how many ([a-z]+s) (?:they(?:['’]ve| have)? .*|there are){_END}", r"by number of \1"),
    rule(
        rf"^(?:who|which|what) (?:is|are|['’]s) (?:the )?top ((?:{_NUMBER}) )?([a-z]+) by (?:the "
        rf")?number of ([a-z]+){_END}",
        lambda m: f"which {m[1] or ''}{m[2]} {'have' if m[1] else 'has'} the most {m[3]}?",
    ),
    rule(
        rf"^top ((?:{_NUMBER}) )?([a-z]+?)[, ]+by (?:the )?number of ([a-z]+)"
        rf"(?:, just the (?:top|first|best)(?: one)?)?{_END}",
        lambda m: f"which {m[1] or ''}{m[2]} {'have' if m[1] else 'has'} the most {m[3]}?",
    ),
    rule(r"\b(?:the )?oldest (?=(?:year|date|release)\b)", "the earliest "),
    rule(r"\b(?:the )?newest (?=(?:year|date|release)\b)", "the latest "),
)
"""Tried in order, each once."""
