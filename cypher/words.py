"""English of questions that no schema declares: stems, function words, and cues for what is asked."""

from __future__ import annotations

from enum import StrEnum

from cypher.word_lists import EARLIEST, LARGEST, LATEST, numbers_up_to


class Cue(StrEnum):
    """What a phrase asks for, whatever the schema."""

    COUNT = "count"
    BY = "by"
    PER = "per"
    EACH = "each"
    PRECISE = "most precise"
    NEWEST = "latest"
    OLDEST = "first"
    MOST = "most"
    SIZE = "largest"
    STRINGENT = "most stringent"
    DOMINANT = "dominant"
    FREQUENT = "most frequent"
    SHARE = "share"
    COMPARE = "compare"
    MORE = "more"
    ONLY = "only"
    OR = "or"
    BOTH = "both"
    NOT = "not"
    ALL = "all"
    RELATIVE_DATE = "this year"
    WHEN = "when"


def stem(word: str) -> str:
    """A light stem: lower case without plural, past or progressive ending.

    Verbs and their nouns stay apart ("measured" and "measurement"), because they mean different things here.

    >>> [stem(w) for w in ("determines", "studies", "used", "measuring", "analyses", "mass", "decays")]
    ['determin', 'study', 'us', 'measur', 'analys', 'mass', 'decay']
    """
    w = word.lower()
    if len(w) <= 3:
        return w.removesuffix("e")
    if w.endswith(("ies", "ied")):
        return w[:-3] + "y"
    for ending in ("ing", "ed", "es", "s", "e"):
        if w.endswith(ending) and len(w) - len(ending) >= 2 and not w.endswith(("ss", "us", "is")):
            return w[: -len(ending)]
    return w


def is_plural(word: str) -> bool:
    """Whether a noun looks like one in the plural.

    >>> [is_plural(w) for w in ("measurements", "analyses", "mass", "analysis", "decay")]
    [True, True, False, False, False]
    """
    return word.lower().endswith("s") and not word.lower().endswith(("ss", "us", "is"))


def stems(phrase: str) -> tuple[str, ...]:
    """Stems of a phrase's words."""
    return tuple(stem(w) for w in phrase.split())


_CUES: dict[Cue, str] = {
    Cue.COUNT: "how many|number of|the number of|count|count of|how often|how many times",
    Cue.BY: "by",
    Cue.PER: "per|grouped by|broken down by",
    Cue.EACH: "for each|in each|for every|in every|each",
    Cue.PRECISE: (
        "most precise|most accurate|best|best measured|smallest uncertainty|smallest error|highest precision"
        "|smallest total uncertainty|smallest total error|lowest uncertainty|best precision|most precisely"
    ),
    Cue.NEWEST: LATEST,
    Cue.OLDEST: EARLIEST,
    Cue.MOST: "most|top|largest number of|highest number of|greatest number of|most of all",
    Cue.SIZE: LARGEST,
    Cue.STRINGENT: "strongest|most stringent|tightest|most restrictive",
    Cue.DOMINANT: (
        "dominant|main|leading|most important|most significant|dominates|dominate|dominating|dominated by"
    ),
    Cue.FREQUENT: "most frequent|most common|most often|most frequently|most commonly|most used",
    Cue.SHARE: "share|in common|same|common|shared",
    Cue.COMPARE: "compare|compared with|compared to|versus|vs|comparison of|side by side",
    Cue.MORE: "more|more often",
    Cue.ONLY: "only|nothing but|just|solely|exclusively",
    Cue.OR: "or|either",
    Cue.BOTH: "both",
    Cue.NOT: (
        "not|no|without|never|except|excluding|other than|apart from|besides|but not|neither|nor|isn't|aren't"
        "|don't|doesn't|didn't|wasn't|weren't|hasn't|haven't|cannot|can't|non|none|nothing|unless|instead of"
        "|rather than|lacking|missing|excludes|exclude"
    ),
    Cue.ALL: "all|every|all of|all the|all of the|every single",
    Cue.RELATIVE_DATE: (
        "this year|that year|last year|next year|previous year|this month|last month|today|now|nowadays"
        "|recently|yesterday|tomorrow|this decade|last decade|currently|to date|in recent years|recent years"
    ),
    Cue.WHEN: "when|in which year|in what year|which year|what year|which years|in which years",
}
CUES: dict[tuple[str, ...], Cue] = {
    tuple(p.split()): cue for cue, phrases in _CUES.items() for p in phrases.split("|")
}
"""Cue phrases as tuples of lower-case words."""

STATEMENT_WORDS = frozenset(
    {
        "measurement",
        "measurements",
        "determination",
        "determinations",
        "result",
        "results",
        "entry",
        "entries",
    }
)
"""Nouns for the statements of the valued relation."""

STOP_WORDS = frozenset(
    {
        "a",
        "an",
        "the",
        "that",
        "there",
        "and",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "as",
        "into",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "done",
        "has",
        "have",
        "had",
        "having",
        "can",
        "which",
        "what",
        "whose",
        "give",
        "show",
        "list",
        "find",
        "name",
        "tell",
        "display",
        "get",
        "return",
        "please",
        "me",
        "us",
        "i",
        "we",
        "you",
        "any",
        "some",
        "known",
        "exist",
        "exists",
        "existing",
        "so",
        "far",
        "about",
        "also",
        "used",
        "uses",
        "using",
        "involve",
        "involves",
        "involving",
        "contain",
        "contains",
        "containing",
        "include",
        "includes",
        "including",
        "ever",
        "available",
        "held",
        "stored",
        "present",
        "graph",
        "database",
        "corpus",
        "thing",
        "things",
        "related",
        "concerning",
        "regarding",
        "made",
        "obtained",
        "performed",
        "published",
        "carried",
        "out",
    }
)
"""Words that put no condition on the answer, a closed list.

Not among them: quantifiers, references to something said before ("this", "it", "their"), modal verbs, and
question words for what no shape answers ("who", "why"). Those make the service refuse.
"""
ARTICLES = frozenset({"a", "an", "the"})

NUMBERS = numbers_up_to(10)
