"""Comparisons of errors, years and ends of decays in words that the readers know, before anything is read."""

from __future__ import annotations

from typing import Final

from cypher.paraphrase_rules import Rule

_MEASURED: Final = (
    r"^((?:(?:which|what|how many|list|show|give)(?: me| all| the| of the)* )?(?:measurements|values|results"
    r"|determinations)\b.*?)"
)
_ERRORS: Final = r"(?:errors?|uncertaint(?:y|ies)|components?)"
_RULED: Final = r"(?:dominated|limited)"
_LARGER: Final = {"systematic": "larger", "statistical": "smaller"}
"""How the systematic error compares with the statistical one where that of a kind is the larger one."""
_COMPARED: Final = r"systematic error {} than the statistical error"
_BIGGER: Final = r"(?:larger|greater|bigger|higher)"
_LESSER: Final = r"(?:smaller|lower|less)"
PLAINLY: Final[tuple[Rule, ...]] = (
    (
        r"^in (?:which|what) year (?:was|were|has|have) (?:the )?(.+?) (?:been )?(?:measured|determined"
        r"|reported) (?:the )?most(?: often| frequently)?(\?|$)",
        r"which year has the most measurements of \1\2",
    ),
    (
        r"^((?:which|what|how many|list)(?: all| the)* (?!papers|publications|measurements|values|results"
        r"|limits|decays).*?)\bin ((?:19|20)\d\d),? and"
        r" (?:(?:once )?(?:again|also|then|later|once more) )?(?:in )?((?:19|20)\d\d)( by [\w ]+)?(\?|$)",
        r"\1in both \2 and \3\4\5",
    ),
    (
        r"^(?:which|what) particles (?:appear|occur|are found|are) (?:in|among) (?:the )?"
        r"(?:final states?|(?:decay )?products) of (?:the )?(.+?)(?: decays?)?(\?|$)",
        r"what are the products of \1 decays\2",
    ),
    (r"^who decays? (?=(?:in)?to\b)", "which particles decay "),
    *(
        (
            rf"\bstatistical (?:error|uncertainty) (?:that (?:is|was) )?{said} than (?:the |its |their )?"
            r"systematic(?: error| uncertainty| one)?\b",
            _COMPARED.format(means),
        )
        for said, means in ((_BIGGER, "smaller"), (_LESSER, "larger"))
    ),
    *(
        (
            rf"{_MEASURED} (?:is|are|was|were) {said}(\?|$)",
            rf"\1 have a {_COMPARED.format(_LARGER[kind])}\2",
        )
        for stem, kind in (("systematic", "systematic"), ("statistic", "statistical"))
        for said in (
            rf"{_RULED} by (?:the |its |their )?{stem}(?:s|(?:al)? {_ERRORS})",
            rf"{stem}(?:s|al|ally)?[- ]{_RULED}",
        )
    ),
    (
        r"^(?:(?:what (?:are|is|were|was)|list|show|give)(?: me)? )?(?:the )?stat(?:\.|istical)?"
        rf"(?: {_ERRORS})? and (?:the )?syst(?:\.|ematic)? {_ERRORS} (?:of|on|for|in) (?:the )?(.+?)"
        r"(?: (?:measurements?|values?|results?))?(\?|$)",
        r"values of \1 with their statistical and systematic errors\2",
    ),
)
