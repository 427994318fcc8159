"""Counts for each of something, said in other orders: "how many were there per port on 3 May?"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_EACH: Final = r"(?:per|for each|for every|by)"
_WHEN: Final = (
    r"(?:on|in|at|from|between|before|after|during|since|until|with|without|lasting|longer|shorter|involving"
    r"|made|sent|built|held|\w+ed|that|which|who|whose|where)"
)
RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"^(how many [\w-]+) (are|were|is|was) there ({_EACH} (?!the\b)[\w-]+"
        rf"(?: (?!{_WHEN}\b)[\w-]+){{0,3}}?) ({_WHEN} .+?)\s*\?*$",
        r"\1 \2 there \4 \3?",
    ),
    rule(r"^(how many [\w -]+?) (?:are|were|is|was) there (?=between )", r"\1 "),
    rule(
        r"\b(?:with|having) no ([\w-]+),? but (?:with )?(an?|one|some) (?=\w)",
        r"without any \1 but with \2 ",
    ),
    rule(
        r"\b(have|has|had) no ([\w-]+),? but (an?|one|some) (?=\w)",
        r"\1 no \2 but \1 \3 ",
    ),
    rule(
        r"(?<=, )(?:please )?break down (?:the )?(?:numbers?|counts?) of (?:distinct |different )?(.+?) "
        r"(?:by|per) ([\w ]+?)\s*[?.]*$",
        r"how many \1 are there per \2?",
    ),
    rule(r"\b(is|are|was|were) either (?=.* or (?:is|are|was|were|has|have|had)\b)", r"\1 "),
    rule(
        r"(?<!the )(?<!a )(?<!an )\b(?:currently|presently) "
        r"(?=(?:live|lives|reside|resides|own|owns|hold|holds|work|works|has|have|\w+ed|\w+ing)\b)",
        "",
    ),
)
"""Tried in order, each once."""
