"""What things are ranked by, said otherwise: "the longest cumulative runtime", "most number of"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_MEASURES: Final = {"mean": "average", "average": "average"}
_ENDS: Final = {"longest": "highest", "largest": "highest", "biggest": "highest", "greatest": "highest"}
_PARTS: Final = r"(?:acted|starred|appeared|played|performed|participated|worked)"
"""Verbs that say with "in" what is done."""
_DEED: Final = (
    r"(?!released|published|born|named|called|based|rated|located|listed)(?:\w{3,}ed|written|made|built)"
)
_DOERS: Final = r"(?:[a-z]+(?:ors|ers|ists|ians|ants)|people|persons|men|women)"
_NUMBER: Final = rf"{_DOERS} by (?:the )?number of (?:different |distinct )?[a-z-]+s"
"""Of things that somebody does something to: areas "by the number of crimes committed" commit none."""
_END: Final = r"(?=\s*[?.]*$)"


def _measure(found: re.Match[str]) -> str:
    """ "Longest cumulative" as "highest total"."""
    end, measure = found[1].lower(), found[2].lower()
    return f"{_ENDS.get(end, 'lowest')} {_MEASURES.get(measure, 'total')} "


RULES: Final[tuple[Rule, ...]] = (
    rule(r"\bmost (?:significant |extensive )?numbers? of ", "most "),
    rule(r"\bleast (?:significant )?numbers? of ", "fewest "),
    rule(
        r"\b(longest|largest|biggest|greatest|shortest|smallest) "
        r"(average|mean|total|cumulative|combined|overall|accumulated) ",
        _measure,
    ),
    rule(r"\b(highest|lowest) (?:cumulative|combined|accumulated) ", r"\1 total "),
    rule(r" of all (?:the )?([\w-]+s) (?:that )?they(?:'ve| have) ", r" of \1 they have "),
    rule(
        rf"\b({_NUMBER}) (?:they )?(?:have )?({_PARTS}) in (?!that\b)"
        rf"([^?.]*?[^\s?.]){_END}",
        r"\1 in \3 that they \2 in",
    ),
    rule(
        rf"\b({_NUMBER}) (?:they )?(?:have )?({_PARTS}) in "
        rf"(that (?:was|were|have|had)\b[^?.]*?[^\s?.]){_END}",
        r"\1 \3 that they \2 in",
    ),
    rule(
        rf"\b({_NUMBER}) ({_PARTS} in|{_DEED}){_END}",
        r"\1 they \2",
    ),
    rule(
        rf"\b({_NUMBER}) ({_DEED}) "
        rf"((?:in|for|with|of|after|before|from|that)\b [^?.]*?[^\s?.]){_END}",
        r"\1 \3 that they \2",
    ),
    rule(
        r"\b(?:featuring|boasting) (?=an? [a-z_ ]{2,30} (?:of |is )?"
        r"(?:over|above|below|under|of|greater|less|higher|lower|longer|shorter|more|exceeding|between)\b)",
        "with ",
    ),
    rule(r"\b(?:mentioning|referencing) (?=['\"])", "containing "),
    rule(r"\b(that|which) (?:mentions?|references?) (?=['\"])", r"\1 contains "),
    rule(
        r"\b(ha(?:ve|s)|having|with) (an? [a-z_]+(?: [a-z_]+)?) "
        rf"(?:listed|registered|available|recorded|provided|specified){_END}",
        r"\1 \2",
    ),
    rule(
        r"\bmost (?:diverse|varied) (?:(?:range|set|collection|selection|variety) of )?(?=[a-z]+s\b)",
        "most different ",
    ),
    rule(rf"\b(top \w+ [^,?.]+? by [^,?.]+?),? in descending order{_END}", r"\1"),
    rule(rf"\btop (\w+) ([^,?.]+?) by ([^,?.]+?),? in ascending order{_END}", r"\1 \2 with the lowest \3"),
    rule(r"\bassociated (?=(?:[a-z]+ )?[a-z]+s\b(?! (?:with|to)\b))", ""),
    rule(r"\bmost (?:detailed|elaborate|complex|wordy) (?=[a-z]+s?\b)", "longest "),
    rule(r"\b(highest|lowest)[- ](?:grossing|earning) ([a-z]+s?)\b", r"\2 with the \1 gross"),
)
"""Tried in order, each once."""
