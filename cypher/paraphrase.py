"""Plainer wordings of a question, tried where its own words are not all understood.

Each rule is one of English and names no thing of any schema, but for the Particle Data Group, whose averages
people ask for in many ways: passives become actives, nouns for a breakdown become "by". What words mean is
said in the schema. No rule drops a name, a number, a negation or a comparison; the answer says
how the question was read.
"""

from __future__ import annotations

import re

from cypher.normalise import quoted_spans
from cypher.paraphrase_asked import ASKED, BEFORE
from cypher.paraphrase_each import EACH, EACH_FIRST
from cypher.paraphrase_more import ASIDES, MORE
from cypher.paraphrase_plainly import PLAINLY
from cypher.paraphrase_rules import ALWAYS, RULES
from cypher.paraphrase_tails import QUOTED, TAILS, WITH_DETAILS

_FIRST = (*BEFORE, *EACH_FIRST, *PLAINLY, *ALWAYS, *WITH_DETAILS)
_COMPILED = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (*_FIRST, *EACH, *ASKED, *TAILS, *ASIDES, *MORE, *RULES)
)
_SETTLING = _COMPILED[: len(_FIRST)]
_WITH_TITLES = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in QUOTED)


def settled(text: str) -> str:
    """The question with what is said plainly in other words than the readers know, before it is read.

    >>> settled("Break down the papers on phi_s by experiment and give the count for each.")
    'number of papers on phi_s by experiment.'
    >>> settled("CDF values for the W mass, with paper")
    'CDF values for the W mass'
    """
    for pattern, plain in _WITH_TITLES if quoted_spans(text) else _SETTLING:
        text = pattern.sub(plain, text)
    return text


def plainer(text: str) -> str:
    """The question in plainer words; the same text where no rule applies or a name is quoted.

    >>> plainer("By which paper was BRANDT 2011 replaced?")
    'which paper replaced BRANDT 2011?'
    >>> plainer("Which papers determine phi_s?")
    'Which papers determine phi_s?'
    """
    if quoted_spans(text):
        return text
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return " ".join(text.split())
