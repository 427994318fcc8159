"""English of questions that no schema declares: stems, function words, and cues for what is asked."""

from __future__ import annotations

from enum import StrEnum


class Cue(StrEnum):
    """What a phrase asks for, whatever the schema."""

    COUNT = "count"
    BY = "by"
    PRECISE = "most precise"
    NEWEST = "latest"
    OLDEST = "first"
    MOST = "most"
    FREQUENT = "most frequent"
    SHARE = "share"
    COMPARE = "compare"
    ONLY = "only"
    OR = "or"
    NOT = "not"
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


def stems(phrase: str) -> tuple[str, ...]:
    """Stems of a phrase's words."""
    return tuple(stem(w) for w in phrase.split())


_CUES: dict[Cue, str] = {
    Cue.COUNT: "how many|number of|the number of|count|count of|how often|how many times",
    Cue.BY: "by|per|for each|in each|grouped by|for every|in every|each|broken down by",
    Cue.PRECISE: (
        "most precise|most accurate|best|best measured|smallest uncertainty|smallest error|highest precision"
        "|smallest total uncertainty|smallest total error|lowest uncertainty|best precision|most precisely"
    ),
    Cue.NEWEST: "latest|most recent|newest|last|most recently",
    Cue.OLDEST: "first|earliest|oldest|for the first time",
    Cue.MOST: "most|largest|top|dominant|biggest|strongest|main|leading|highest|greatest|most important",
    Cue.FREQUENT: "most frequent|most common|most often|most frequently|most commonly|most used",
    Cue.SHARE: "share|in common|same|common|shared",
    Cue.COMPARE: "compare|more|more often|compared with|compared to|versus|vs|comparison of",
    Cue.ONLY: "only|nothing but",
    Cue.OR: "or|either",
    Cue.NOT: "not|no|without|never|except|excluding|other than|neither|nor|isn't|aren't|don't|doesn't",
    Cue.WHEN: "when|in which year|in what year|which year|what year",
}
CUES: dict[tuple[str, ...], Cue] = {
    tuple(p.split()): cue for cue, phrases in _CUES.items() for p in phrases.split("|")
}
"""Cue phrases as tuples of lower-case words."""

STATEMENT_WORDS = frozenset(
    {"measurement", "measurements", "determination", "determinations", "result", "results"}
)
"""Nouns for the statements of the valued relation."""

STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "there",
        "it",
        "its",
        "they",
        "their",
        "them",
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
        "am",
        "do",
        "does",
        "did",
        "done",
        "has",
        "have",
        "had",
        "having",
        "can",
        "could",
        "may",
        "might",
        "will",
        "would",
        "should",
        "which",
        "what",
        "who",
        "whom",
        "whose",
        "where",
        "how",
        "why",
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
        "all",
        "any",
        "every",
        "some",
        "each",
        "known",
        "exist",
        "exists",
        "existing",
        "currently",
        "so",
        "far",
        "about",
        "also",
        "than",
        "then",
        "just",
        "both",
        "between",
        "among",
        "was",
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
        "our",
        "your",
        "my",
        "ever",
        "available",
        "held",
        "stored",
        "present",
        "graph",
        "database",
        "corpus",
        "contributions",
        "contribution",
        "do",
        "many",
        "much",
        "ones",
        "one",
        "thing",
        "things",
        "related",
        "concerning",
        "regarding",
        "respect",
        "give",
        "gives",
        "given",
        "made",
        "obtained",
        "performed",
        "published",
        "carried",
        "out",
    ]
)
"""Words that put no condition on the answer."""

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
