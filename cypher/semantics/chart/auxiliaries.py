"""Auxiliary verbs in front of a verb, and what is said of a thing without a verb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Noun, Predicate
from cypher.semantics.chart.quantities import loosely
from cypher.semantics.chart.wordlists import ADVERBS, AUXILIARIES, FREE, NEGATIONS, PREPOSITIONS, WHO
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

HAVING: Final = frozenset({"has", "have", "had", "having"})
_SAID: Final = frozenset({"said", "believed", "reported", "thought", "alleged", "understood", "supposed"})
_CLAIMING: Final = frozenset({"claim", "claims", "claimed", "claiming"})
_SAYING: Final = frozenset(
    {"say", "says", "report", "reports", "admit", "admits", "claim", "claims", "state", "states"}
)
_PRONOUNS: Final = frozenset({"they", "he", "she", "it"})
_APPEARING: Final = frozenset(
    {"appear", "appears", "appeared", "appearing", "figure", "figures", "counts", "count"}
)
_ARTICLES: Final = frozenset({"a", "an", "the"})
_RECORDED: Final = frozenset({"recorded", "listed", "registered", "logged", "reported", "noted"})
_LACKING: Final = frozenset({"lack", "lacks", "lacked", "lacking"})
_GETTING: Final = frozenset({"get", "gets", "got"})
_BEING: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "'s", "'re"})


@dataclass(frozen=True, slots=True)
class Aux:
    """Auxiliaries, adverbs and negations before a verb; the verb is at ``end``."""

    end: int
    negated: bool = False
    being: bool = False
    having: bool = False
    any: bool = False


def auxiliary(p: Parser, at: int) -> Aux:
    """The longest run of auxiliaries at a word."""
    negated = being = having = found = False
    while True:
        word = p.word(at)
        if word in NEGATIONS:
            negated = True
            having = having or word.startswith("ha")
            being = being or word.startswith(("is", "are", "was", "were"))
            found = found or word != "not"
        elif word in _LACKING and p.word(at + 1) != "of":
            negated = having = found = True
        elif word in AUXILIARIES and not (word in _GETTING and _governs(p, at, having=having)):
            being = being or word in _BEING
            having = (word in HAVING or (having and word in _GETTING)) if word not in _BEING else False
            found = True
        elif word == "used" and p.word(at + 1) == "to":
            at, found = at + 1, True
        elif being and _is_hearsay(p, at):
            at += 1
        elif told := hearsay(p, at):
            being = being or p.word(at + 1) == "as"
            at, found = at + told - 1, True
        elif (word not in ADVERBS and word not in FREE) or (found and _is_each(p, at)) or _is_part(p, at):
            return Aux(at, negated, being, having, found)
        at += 1


def is_participle(p: Parser, at: int) -> bool:
    """Whether what follows can be no sentence's verb: "owning", "owned by", "in possession of"."""
    while p.word(at) in ADVERBS | FREE:
        at += 1
    word = p.word(at)
    if auxiliary(p, at).any or word in WHO:
        return False
    passive = p.word(at + 1) == "by" and (word.endswith("ed") or word in IRREGULAR)
    return word.endswith("ing") or word in PREPOSITIONS or passive


def _is_hearsay(p: Parser, at: int) -> bool:
    """Whether "said to" or "recorded as" tells no more than that somebody says so: "are said to own"."""
    if p.word(at) in _RECORDED and p.word(at + 1) == "as":
        return p.word(at + 2) in ("being", "having")
    verb = p.word(at + 2) in ("be", "have") or bool(p.lattice.of(at + 2, "relation"))
    return p.word(at) in _SAID and p.word(at + 1) == "to" and verb


def hearsay(p: Parser, at: int) -> int:
    """How many words say only that somebody says so: "claims to (know)", "reports (knowing)", "listed as"."""
    word, after = p.word(at), at + 1
    if word in _RECORDED | _APPEARING and p.word(after) == "as":
        end = after + 1 + (p.word(after + 1) in _ARTICLES)
        tied = any(
            x.kind == "relation" or x.values[0].of_relation for x in p.lattice.of(end, "relation", "value")
        )
        return end - at if tied else 0
    if word in _CLAIMING and p.word(after) == "to":
        return 2 if p.lattice.of(after + 1, "relation") else 0
    if word in _SAYING and p.word(after).endswith("ing"):
        return 1 if p.lattice.of(after, "relation") else 0
    after += p.word(after) == "that"
    return after + 1 - at if word in _SAYING and p.word(after) in _PRONOUNS else 0


def _is_each(p: Parser, at: int) -> bool:
    """Whether "each" belongs to a noun: "did each ship make", not "did they each make"."""
    return p.word(at) in ("each", "every") and bool(p.lattice.of(at + 1, "label", "value", "agent"))


def _is_part(p: Parser, at: int) -> bool:
    """Whether "both" or "all" opens a noun: "has both of the ships"."""
    return p.word(at) in ("all", "both", "each") and p.word(at + 1) == "of"


def lying(noun: Noun, word: str, begin: Features) -> Predicate:
    features = (*begin, *noun.features)
    return Predicate(noun.end, "", loosely(noun, word), total(features), features)


def _governs(p: Parser, at: int, *, having: bool) -> bool:
    """Whether "got" is the verb itself: "got a call", but "got arrested", "has got"."""
    after = p.word(at + 1)
    participle = after.endswith("ed") or (after in IRREGULAR and not p.lattice.of(at + 1, "label"))
    return not (having or participle) and bool(p.lattice.of(at, "relation"))
