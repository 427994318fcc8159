"""Nouns for what relationships are verbs of: an inspection of ``INSPECTED``, a release of ``RELEASED``."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cypher.semantics.inflected import singulars
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.text import identifier_words

_ODD: Final = {
    "subscribe": "subscription", "respond": "response", "depend": "dependency", "describe": "description",
    "prescribe": "prescription", "decide": "decision", "apply": "application", "acquire": "acquisition",
    "produce": "production", "sell": "sale", "buy": "purchase", "fly": "flight", "choose": "choice",
    "lose": "loss", "marry": "marriage", "win": "win", "give": "gift", "enrol": "enrolment",
    "receive": "receipt", "apprehend": "apprehension", "deliver": "delivery", "discover": "discovery",
    "recover": "recovery", "supervise": "supervision", "divide": "division", "permit": "permission",
    "pay": "payment", "own": "ownership", "cite": "citation", "install": "installation",
    "interview": "interview", "participate": "participation", "sign": "signature", "depart": "departure",
}  # fmt: skip
"""Nouns of verbs that no ending makes."""
_ENDINGS: Final = ("ion", "ation", "ance", "ence", "al")
_EMPTY: Final = frozenset({"have", "be", "do", "get", "go", "give", "make", "take"})
"""Verbs that say nothing of a deed."""
_LEAST: Final = 4
"""Letters of a verb that endings are put to."""


@lru_cache(maxsize=4096)
def nouns_of(kind: str) -> frozenset[str]:
    """Nouns, in the singular, that a type's verb may have; none of them need be a word.

    >>> sorted(nouns_of("INSPECTED") & {"inspection", "inspectment", "visit"})
    ['inspection', 'inspectment']
    >>> "dependency" in nouns_of("DEPENDS_ON"), "treatment" in nouns_of("TREATED_WITH"), nouns_of("MEMBER_OF")
    (True, True, frozenset())
    """
    made: set[str] = set()
    for verb in _infinitives(identifier_words(kind)[0]):
        if verb in _ODD:
            return frozenset({_ODD[verb]})
        root = verb.removesuffix("e")
        made |= {verb, f"{verb}ment", f"{root}ing"} | {root + end for end in _ENDINGS}
    return frozenset(made)


def is_noun_of(word: str, kind: str) -> bool:
    """Whether a word, in either number, is a noun for the deed of a type."""
    known = nouns_of(kind)
    return word in known or any(one in known for one in singulars(word))


def _infinitives(word: str) -> frozenset[str]:
    """The verb of which a type's first word is a form, with and without an "e"; none where it is no form."""
    if word in IRREGULAR:
        return frozenset({IRREGULAR[word]}) - _EMPTY
    if word.endswith(("ied", "ies")):
        return frozenset({f"{word[:-3]}y"})
    if word.endswith("ed") and len(word) > _LEAST:
        bare = word[:-2]
        doubled = len(bare) > _LEAST and bare[-1] == bare[-2] and bare[-1] not in "ls"
        return frozenset({bare[:-1]} if doubled else {bare, f"{bare}e"})
    formed = word.endswith("s") and not word.endswith("ss") and len(word) > _LEAST
    return frozenset({word[:-1]}) if formed else frozenset()
