"""Requests as tags: "products, unit price < 10", "customers, country = Germany", "product list"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_END: Final = r"\s*[?.!]*$"
_MANY: Final = r"(?:all |the )?(?!yes\b)[a-z]+s"
_WHICH: Final = r"(?:which|what)"
_COMPARED: Final = (
    r"(?:<|>|≤|≥|below|above|under|over|at least|at most|between|neither|less than|more "
    r"than|greater than|fewer than"
    r"|before|after|not|\d)"
)
_TAG: Final = (
    r"(?!(?:that|which|who|whose|with|in|of|at|from|only|but|if|where|having|for|by|and|or|sorted|ordered|is|are)\b)"
    r"[a-z][a-z ]{2,30}?"
)
"""What may be the name of a property."""
_INVERTED: Final = r"(?:comes?|are coming|is coming|do come|does come)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"^([a-z]+) list[,:] (?=[a-z]+ (?-i:[A-Z\d]))", r"\1s, "),
    rule(rf"^({_MANY})[,:] ({_TAG}) ?= ?(?=\S)", r"\1 with \2 "),
    rule(rf"^({_MANY})[,:] ({_TAG}) (?={_COMPARED})", r"\1 with \2 "),
    rule(
        rf"^({_MANY})[,:] (category|group|class|country|city|type|kind|genre|region|state) "
        rf"(?=(?-i:[A-Z'\"]))",
        r"\1 of \2 ",
    ),
    rule(rf"^from {_WHICH} ([a-z]+) {_INVERTED} (.+?){_END}", r"which \1 does \2 come from?"),
    rule(
        rf"^(to|in|into|from) ({_WHICH}) ([a-z]+) (belong|fall|come|go) "
        rf"(?=the |all |an? |[a-z]+s\b)(.+?){_END}",
        r"\2 \3 do \5 \4 \1?",
    ),
    rule(rf"^in ({_WHICH}) ([a-z]+) are (play|act|appear|work|liv)ing (.+?){_END}", r"in \1 \2 do \4 \3?"),
    rule(rf"^{_WHICH} ([a-z]+s) (?:are|is) cost(?:ing)? ", r"which \1 cost "),
    rule(r"\b([a-z]+)['’]s names? (?:for|of) (?=\w)", r"name of the \1 of "),
    rule(
        r"\b(supplier|customer|client|vendor|shipper|partner|member) compan(y|ies)\b",
        lambda m: f"{m[1]}{'s' if m[2].lower() == 'ies' else ''}",
    ),
    rule(
        r"\b(?:at|for) (?:which|what) ([a-z ]+?) (?:the )?(.+?) is (?:listed|sold|offered|priced)\s*[?.]*$",
        r"the \1 of \2",
    ),
    rule(r"\b(?:which|that) (?:have|has) the status (?=[a-z]+(?: |\s*[?.]*$))", "that are "),
)
"""Tried in order, each once."""
