"""Several things said of one: "not only tall but also old", "and in addition lives", "such that they"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import MANY, Rule, rule

_ALSO: Final = (
    r"(?:moreover|in addition|additionally|furthermore|further|meanwhile|likewise|besides|simultaneously"
    r"|at the same time|in the meantime|as well|also)"
)
_FINITE: Final = (  # a verb that says something of what stands in front
    r"(?:is|are|was|were|has|have|had|lives?|knows?|owns?|works?|makes?|made|took|takes?"
    r"|(?!(?:named|called|based|dated|aged|born)\b)[a-z]+ed)"
)
_FIND: Final = (
    r"(?:find|list|give|show|name|get|return|retrieve|identify|provide|tell|select|display|search for)"
)
RULES: Final[tuple[Rule, ...]] = (
    rule(r"\bnot only (?!(?:that|the|those|by)\b)([^,?.]+?),? but (?:also |as well )?", r"both \1 and "),
    rule(rf",? and,? {_ALSO},? (?={_FINITE}\b)", " and "),
    rule(r"\b(that|which|who|whose) either (?!of\b)(?=[^,.;?]+? or )", r"\1 "),
    rule(r",? or both(?=\s*(?:[.?,;]|$))", ""),
    rule(r"\band ?/ ?or (?=\w)", "or "),
    rule(rf"\bor (?:else|alternatively),? (?={_FINITE}\b|that\b|who\b|which\b)", "or "),
    rule(
        rf"^((?:please )?{_FIND}(?: me)?) (?:both )?(.+? (?:that|who|which) [^,;:?.]+?),? "
        r"(?:and|as well as|plus) (?:also )?(?:all )?(?:those|the ones) (?=(?:that|who|which)\b)",
        r"\1 \2 or ",
    ),
    rule(r",? while (?:they |he |she |it )?also (?=\w)", " and "),
    rule(rf"\b(?:as well as|together with|plus) (?={_FINITE}\b)", "and "),
    rule(
        r"\bthat (?:satisfy|satisfies|meet|meets|fulfil|fulfils) (?:both|all|the following|these)"
        r"(?: of)?(?: the| these)? (?:following )?(?:conditions|criteria|requirements)?[:,] ?(?:they|it) "
        r"([^,;?.]+?),? and (?:they |it )?",
        r"that \1 and that ",
    ),
    rule(
        rf"^(?:from|among|amongst|of|out of) (?:all )?(the {MANY} (?:that|who|which) [^,;?.]+), "
        rf"{_FIND}(?: me)? (?:all )?(?:those|the ones) (?=(?:that|who|which)\b)",
        r"list \1 and ",
    ),
    rule(r",? and (?:from|among|of) (?:those|these|them),? the ones (?=(?:that|who|which)\b)", " and "),
    rule(rf"^which ({MANY}) are those (?=(?:that|who|which)\b)", r"list the \1 "),
    rule(
        rf"\b({MANY}) (?:such that|so that|where) they ([^,;?.]+?),? and (?:that |where )?they ",
        r"\1 that \2 and that ",
    ),
    rule(rf"\b({MANY}) such that they (?=\w)", r"\1 that "),
    rule(
        rf"^((?:please )?{_FIND}(?: me)? [^,;:?.]+? (?:that|who|which) [^,;:?.]+), and (?={_FINITE}\b)",
        r"\1 and ",
    ),
)
"""Tried in order, each once."""
