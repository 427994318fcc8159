"""Why a question to a store has no answer, in words that help to ask it otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cypher.not_understood import KNOWS_NOTHING
from cypher.semantics.beyond import time_counted_back
from cypher.semantics.chart import wordlists as w
from cypher.semantics.decide import Decision
from cypher.semantics.explain import explain
from cypher.semantics.lightly import LIGHT
from cypher.semantics.unheard import STATISTICS

NEAR: Final = 0.3
"""Least confidence of a reading that is told beside a refusal, for who may have meant it."""
_UNSURE: Final = "The words are known, but no reading of the question is sure enough to be answered"
_WORD: Final = re.compile(r"\w+")
_NO_NAMES: Final = (
    w.FREE | w.HARD | w.PREPOSITIONS | w.PARTICLES | w.WHO | w.AUXILIARIES | w.ADVERBS | w.SPANS | w.UNITS
    | w.NO_VERB | LIGHT | w.words_of(
        "january february march april may june july august september october november december",
        "but both they them he she his her their we us our my me will with without more most same some",
        "many much long few several than then so too such like as whether if while because",
    )
)  # fmt: skip
"""Words that nobody takes for the name of something in a graph."""
_REASONS: Final = {
    "unheard_rank": "by what to rank is not clear",
    "unheard_mean": "of what the average is wanted is not clear",
    "unheard_sum": "of what the total is wanted is not clear",
    "unheard_each": "what is wanted of each is not clear",
    "unheard_not": "what is denied is not clear",
    "unheard_all": "that it is so of all of them is not checked by any reading",
    "unheard_both": "that it is so of both is not checked by any reading",
    "unheard_only": "what 'only' leaves out is not clear",
    "unheard_life": "no day of what was done is known that the question could mean",
    "unheard_tie": "how the things in it are tied to one another is not clear",
    "unheard_statistic": "shares, medians and the like are not computed",
    "unheard_property": "no reading uses all that it asks of things",
    "unheard_value": "no reading uses all that it names",
    "unheard_owner": "whose it is that is asked for is not clear",
    "unheard_who": "who is asked for is not clear",
    "unheard_whether": "it asks for yes or no, and no reading gives that",
    "unheard_compare": "what is compared is not clear",
    "unheard_number": "no reading uses all of its numbers",
}
"""By the doubt that weighs most, what is missing."""


def why(decision: Decision, shown: frozenset[str], names: Sequence[str] = ()) -> str:
    """Why there is no answer, with the reading that was nearest to one, so that it can be asked for.

    ``shown`` are the words of examples: who wrote one there expects that it is known. ``names`` of the graph
    are spelled like words that nothing explains.
    """
    if said := time_counted_back(decision.reading.linked.text):
        return f"{quoted([said])} depends on when it is asked. Name the year or the day that is meant."
    if not _WORD.search(decision.reading.linked.text):
        return "The question names nothing that the graph knows."
    query = decision.reading.query if decision.reading.confidence >= NEAR else None
    if not decision.unexplained:
        nearest = f" The nearest is: {explain(query)}" if query is not None else ""
        return f"{_UNSURE}{_missing(decision)}.{nearest}"
    said_of = list(_not_placed(decision))
    if ranked := [x for x in decision.unexplained if words_in([x]) and words_in([x]) <= shown]:
        told = f"say what {quoted(ranked)} names in your words for the schema."
        said_of.append(f"Examples only choose among readings: {told}")
    if decision.nearest:
        said_of.append(f"Nearest in the schema: {', '.join(decision.nearest)}.")
    if names:
        said_of.append(f"Nearest names: {', '.join(names)}.")
    if query is not None:
        said_of.append(f"Without it this would be: {explain(query)}")
    return " ".join(said_of)


def _missing(decision: Decision) -> str:
    found = [name for name, amount in decision.reading.doubts if amount and name in _REASONS]
    return f": {_REASONS[found[0]]}" if found else ""


def _not_placed(decision: Decision) -> Iterable[str]:
    """What is made of the words that no reading explains: names that the graph has not, and others."""
    names = [x for x in decision.unexplained if x.lower() not in _NO_NAMES]
    others = [x for x in decision.unexplained if x.lower() in _NO_NAMES]
    if statistics := [x for x in decision.unexplained if x.lower() in STATISTICS]:
        yield f"Shares, medians and the like are not computed: {quoted(statistics)}."
    elif names:
        left_out = "an answer that leaves it out would mislead"
        yield f"The graph {KNOWS_NOTHING} {quoted(names)}, and {left_out}."
    elif others:
        yield f"What {quoted(others)} adds to the question was not understood, and is not left out."


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """The words of some texts, without regard to case."""
    return frozenset(word for text in texts for word in _WORD.findall(text.casefold()))


def quoted(words: Iterable[str]) -> str:
    """Words in quotes, with commas between them."""
    return ", ".join(f"'{x}'" for x in words)
