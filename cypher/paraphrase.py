"""Plainer wordings of a question, tried where its own words are not all understood.

Each rule is one of English and names no thing of any schema: passives become actives, nouns for a breakdown
become "by". What words mean here is said in the schema's verbalisations. No rule drops a name, a number, a
negation or a comparison; the answer says how the question was read.
"""

from __future__ import annotations

import re

from cypher.normalise import quoted_spans

_BE = r"(?:was|were|is|are|has|have)"
_RULES: tuple[tuple[str, str], ...] = (
    (r"\? *(?:list|show|name|give)(?: me)? (?:them|these|those)(?: all)?[.?]?$", "?"),
    (r"^break down (?:all )?(?:the )?(.+?) by (.+)$", r"number of \1 by \2"),
    (r"\byearly number of (.+?)([.?]?)$", r"number of \1 by year\2"),
    (rf"^by (which|what) (\w+) {_BE} (.+?) (?:been )?(replaced|superseded)\??$", r"\1 \2 \4 \3?"),
    (r"\b(replaced|superseded) by (?:a )?(?:later|newer)"
     r" (?:ones?|papers?|results?|values?|measurements?)\b",
     r"\1"),
    (r"\b(?:has|have) since been (?=replaced|superseded)", "was "),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _RULES)


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
