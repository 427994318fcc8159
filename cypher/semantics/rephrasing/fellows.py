"""Who did something with somebody: "the co-stars of Ann" are "the actors who acted with Ann"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_DONE: Final = {
    "actor": "acted",
    "author": "wrote",
    "director": "directed",
    "editor": "edited",
    "founder": "founded",
    "investor": "invested",
    "owner": "owned",
    "performer": "performed",
    "player": "played",
    "producer": "produced",
    "star": "acted",
    "worker": "worked",
    "writer": "wrote",
}
"""What somebody did who is called so."""
_PAST: Final = (
    "acted|appeared|directed|edited|founded|invested|performed|played|produced|starred|worked|written|wrote"
)
_BASE: Final = {
    "act": "acted",
    "appear": "appeared",
    "direct": "directed",
    "edit": "edited",
    "perform": "performed",
    "play": "played",
    "produce": "produced",
    "star": "starred",
    "work": "worked",
    "write": "wrote",
}
_CO: Final = rf"co-?(?P<noun>{'|'.join(_DONE)})s?"
_MORE: Final = r"(?P<more>(?:(?:all|different|distinct|other|various) )*)"
_WHOSE: Final = r"(?P<name>(?-i:[A-Z'\"])[^,;?!]*?)"
_END: Final = r"(?=\s*[?.!]*$)"
_SCREEN: Final = r"(?:act|appear|star|play|perform|feature)(?:s|d|ed|red|ing|ring)?|been|was|were|is|are"


def _people(found: re.Match[str]) -> str:
    """ "the co-stars of Ann"."""
    return f"{found['more'] or ''}people who {_DONE[found['noun'].lower()]} with {found['name']}"


def _asked(found: re.Match[str]) -> str:
    """ "how many co-stars does Ann have", "who are the co-stars of Ann"."""
    asking = "which" if found["asking"].lower() in {"who", "whom"} else found["asking"]
    more = found["more"] or ""
    return f"{asking} {more}people {_DONE[found['noun'].lower()]} with {found['name']}"


def _turned(found: re.Match[str]) -> str:
    """ "who did Ann work with"."""
    verb: str = found["verb"].lower()
    return f"{found['asking']} {_BASE.get(verb, verb)} with {found['name']}"


RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"^(?P<asking>who|which|what) (?:are|were|is|was) (?:the )?{_MORE}{_CO} (?:of|to) {_WHOSE}{_END}",
        _asked,
    ),
    rule(rf"^(?P<asking>who) (?:are|were) {_MORE}{_WHOSE}(?:'s|') {_CO}{_END}", _asked),
    rule(
        rf"^(?P<asking>how many|which|what) {_MORE}{_CO} (?:does|did|has|have|do) {_WHOSE} (?:have|had"
        rf"|got){_END}",
        _asked,
    ),
    rule(rf"\b(?:the )?{_MORE}{_CO} (?:of|to) {_WHOSE}{_END}", _people),
    rule(rf"\b{_MORE}(?<![\w'\"])(?P<name>(?-i:[A-Z])[^,;?!]*?)(?:'s|') {_CO}{_END}", _people),
    rule(rf"\bco-?({_PAST})\b", r"\1"),
    rule(
        rf"^(?P<asking>who|(?:which|what|how many) (?:[\w-]+ ){{0,2}}?[\w-]+) "
        rf"(?:(?:has|have|had) {_WHOSE} (?P<verb>{_PAST})) (?:together )?with{_END}",
        _turned,
    ),
    rule(
        rf"^(?P<asking>who|(?:which|what|how many) (?:[\w-]+ ){{0,2}}?[\w-]+) "
        rf"(?:(?:did|does|do) {_WHOSE} (?P<verb>{'|'.join(_BASE)})) (?:together )?with{_END}",
        _turned,
    ),
    rule(
        rf"\b({_SCREEN}) in (?:the|one of the|any of the) same (?:([\w-]+?)s?) (?:as|with)\b",
        r"\1 in a \2 with",
    ),
    rule(rf"\b({_PAST}) (?:(?:a|any|some|the) )?([\w-]+?s?) (?:jointly|together) with\b", r"\1 with"),
)
"""Tried in order, each once."""
