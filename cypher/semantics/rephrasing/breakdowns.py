"""Numbers for each of something, in few words: "actor count by film", "countries with customer totals"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, plural, rule, singular

_END: Final = r"\s*[?.!]*$"
_COUNT: Final = r"(?:count|total|tally|number)s?"
_EACH: Final = r"(?:by|per|for (?:each|every|all)(?: of the)?|in (?:each|every)|across)"
_BY: Final = r"(?:by|per|according to|for (?:each|every))"
_ABOVE: Final = (
    r"(?:above|over|>|greater than|more than|higher than|bigger than|larger than|exceeding|beyond)"
)
_BELOW: Final = r"(?:below|under|<|less than|fewer than|lower than|smaller than)"
_HAVE: Final = r"(?:with|having|(?:that |which |who )?(?:have|has))"


_NAME: Final = (
    r"(?!(?:which|what|who|how|list|name|show|give|find|tell|get|count)\b)"
    r"(?-i:[A-Z])[\w'’-]*(?: (?:(?:the|of|and|de|la|du) )*(?-i:[A-Z])[\w'’-]*)*"
)
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"\b(?:a |the )?breakdown of (?:the )?(?:number of )?([a-z]+?)(?: (?:count|numbers?)"
        rf")?,? {_BY} (?:the |their )?(.+?)"
        rf"(?:, (?:showing|giving|with) .*)?{_END}",
        lambda m: f"the number of {plural(m[1])} per {m[2]}",
    ),
    rule(
        rf"^((?!total\b|average\b|mean\b|order\b)[a-z]+) {_COUNT} {_EACH} ([a-z ]+?){_END}",
        lambda m: f"the number of {plural(m[1])} per {singular(m[2])}",
    ),
    rule(
        rf"^(?:all )?(?:the )?([a-z]+s) (?:with|and) (?:their |the )?((?!total\b)[a-z]+) (?:count|"
        rf"total|number)s{_END}",
        lambda m: f"the number of {plural(m[2])} per {singular(m[1])}",
    ),
    rule(
        rf"^how (?:do|are) (?:the )?([a-z]+s) (?:split|divide|distribute|spread|distributed|"
        rf"divided)(?: up)? (?:by|over|across|among) "
        rf"(?:the )?([a-z]+?)(?:[?.,] .*)?{_END}",
        lambda m: f"the number of {m[1]} per {singular(m[2])}",
    ),
    rule(
        rf"\b(?:a |the )?(?:table|list|overview) (?:that shows|showing|of|with) each ([a-z]+)"
        rf" (?:together )?(?:with|and) (?:how many|the number of) ([a-z]+s)"
        rf"\b[^,?]*{_END}",
        r"the number of \2 per \1",
    ),
    rule(
        rf"\b(?:all )?(?:the )?([a-z]+s) (?:with|and) how many ([a-z]+s) (?:each|each one|they|"
        rf"it)(?: one)? (?:has|have){_END}",
        lambda m: f"the number of {m[2]} per {singular(m[1])}",
    ),
    rule(
        rf"^(?:the )?([a-z]+s) and (?:for each of them )?(?:the )?(?:quantity|number|amount)"
        rf" of ([a-z]+s)(?: (?:that|which) [^,?]+| [a-z]+ed)?{_END}",
        lambda m: f"the number of {m[2]} per {singular(m[1])}",
    ),
    rule(r"^(the number of \w+) per (\w+) of (release|birth|publication)\b", r"\1 per \3 \2"),
    rule(
        rf"^for (?:each|every) ([a-z]+),? (?:the |show (?:me )?(?:the )?)?(?:number|quantity|"
        rf"amount|count) of ([a-z]+s)"
        rf" (?:that|which) [^,?]*{_END}",
        r"the number of \2 per \1",
    ),
    rule(rf"^([a-z]+) by \1,? (how many .+?){_END}", r"\2 in each \1?"),
    rule(r"\bwhich (?:quantity|number|amount) of (?=[a-z]+s\b)", "how many "),
    rule(
        r"(?<!total )(?<!average )(?<!mean )\b(?:the )?(?:quantity|amount) of (?=(?!its\b|this\b)[a-z]+s\b)",
        "the number of ",
    ),
    rule(r"\bin every one of the ([a-z]+?)(ie)?s\b", lambda m: f"in each {m[1]}{'y' if m[2] else ''}"),
    rule(
        rf"\b{_HAVE} (?:an? )?((?!unit\b|units\b)[a-z]+) (?:count|total) (?:is |of )?{_ABOVE} (\d+)\b",
        lambda m: f"with more than {m[2]} {plural(m[1])}",
    ),
    rule(
        rf"\b{_HAVE} (?:an? )?((?!unit\b|units\b)[a-z]+) (?:count|total) (?:is |of )?{_BELOW} (\d+)\b",
        lambda m: f"with fewer than {m[2]} {plural(m[1])}",
    ),
    rule(
        rf"\b(?:where|for whom|for which|of which|whose) (?:the )?number of ((?!units\b)[a-z]+s)"
        rf"(?: [a-z]+ed)? is {_ABOVE} (\d+)\b",
        r"with more than \2 \1",
    ),
    rule(
        rf"\b(?:where|for whom|for which|of which|whose) (?:the )?number of ((?!units\b)[a-z]+s)"
        rf"(?: [a-z]+ed)? is {_BELOW} (\d+)\b",
        r"with fewer than \2 \1",
    ),
    rule(rf"\b(?:the )?number of (units [a-z ]+?) is ({_ABOVE}|{_BELOW}) (?=\d)", r"the \1 is \2 "),
    rule(rf"\b([a-z]+s) in (?:a )?number (?:of )?{_ABOVE} (\d+)\b", r"more than \2 \1"),
    rule(rf"\b([a-z]+s) in (?:a )?number (?:of )?{_BELOW} (\d+)\b", r"fewer than \2 \1"),
    rule(
        rf"^(?!(?:the|a|total|full)\b)([a-z]+) (?:count|total) (?:of|for) (.+?){_END}",
        lambda m: f"number of {plural(m[1])} of {m[2]}",
    ),
    rule(rf"^({_NAME}) number of ([a-z]+s){_END}", r"number of \2 of \1"),
    rule(
        r"\bsum (?:of|over) (?:the )?([a-z ]+?) (?:over|for|of) (?:every|each|all(?: the)?)"
        r" ([a-z]+?)s? (?=(?:in|of|that|which)\b)",
        r"total \1 of the \2s ",
    ),
)
"""Tried in order, each once."""
