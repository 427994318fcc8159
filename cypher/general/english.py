"""English that no schema declares: determiners, numbers, superlatives, prepositions, verbs of no meaning."""

from __future__ import annotations

from typing import Final

from cypher import word_lists
from cypher.general.plan import Comparing, Function, Size
from cypher.word_lists import numbers_up_to
from cypher.words import CUES, Cue

Phrase = tuple[str, ...]


def _phrases(text: str) -> tuple[Phrase, ...]:
    """Alternatives of a bar-separated list, longest first."""
    return tuple(sorted((tuple(p.split()) for p in text.split("|")), key=len, reverse=True))


def words(text: str) -> frozenset[str]:
    """Words of a text."""
    return frozenset(text.split())


DETERMINERS: Final = _phrases(
    "the|a|an|all|any|some|every|all the|all of the|any of the|the different|the distinct"
    "|different|distinct|the various|various|the individual|individual|the single|single"
    "|unique|the listed|listed|the known|known"
)
EACH: Final = _phrases("each|every|each of the")
OTHER: Final = _phrases("other|the other|further|another")
FILLING: Final = words(
    "measured reported published determined listed tabulated recorded quoted given existing "
    "available observed different distinct separate known resulting"
)
"""Adjectives that leave out no paper and no value: what the graph holds is measured, published and listed."""
MEASURED: Final = words("measured determined reported published")
"""Those that leave out what is listed without a measured value."""

SIZES: Final[tuple[tuple[Phrase, Size], ...]] = (
    (("at", "least"), Size.AT_LEAST),
    (("no", "less", "than"), Size.AT_LEAST),
    (("no", "fewer", "than"), Size.AT_LEAST),
    (("a", "minimum", "of"), Size.AT_LEAST),
    (("at", "most"), Size.AT_MOST),
    (("no", "more", "than"), Size.AT_MOST),
    (("not", "more", "than"), Size.AT_MOST),
    (("up", "to"), Size.AT_MOST),
    (("more", "than"), Size.MORE),
    (("over",), Size.MORE),
    (("fewer", "than"), Size.FEWER),
    (("less", "than"), Size.FEWER),
    (("under",), Size.FEWER),
    (("exactly",), Size.EXACTLY),
    (("precisely",), Size.EXACTLY),
    (("only",), Size.EXACTLY),
    (("just",), Size.EXACTLY),
)
NUMBERS: Final = numbers_up_to(20) | {"dozen": 12}
SINGLE: Final = _phrases("a single|only one|just one|only a single|exactly one|one single")
TIMES: Final = {"once": 1, "twice": 2, "thrice": 3}

MOST: Final = _phrases(
    "most|the most|the largest number of|the highest number of|the greatest number of"
    "|the biggest number of|largest number of|highest number of|greatest number of"
    "|the maximum number of|most of the"
)
FEWEST: Final = _phrases(
    "fewest|the fewest|the smallest number of|the lowest number of|the least number of"
    "|smallest number of|lowest number of|the minimum number of|the least"
)
MOST_OFTEN: Final = _phrases(
    "most often|most frequently|the most often|the most times|most times|the most frequently|most commonly"
)
LEAST_OFTEN: Final = _phrases("least often|least frequently|the least often|the fewest times")

LATEST: Final = _phrases(word_lists.LATEST)
EARLIEST: Final = _phrases(f"{word_lists.EARLIEST}|very first")
LARGEST: Final = _phrases(f"{word_lists.LARGEST}|maximum|maximal|longest|heaviest|top")
SMALLEST: Final = _phrases("smallest|lowest|least|minimum|minimal|shortest|lightest")
PRECISE: Final = _phrases("most precise|most accurate|most precisely|most accurately|best")
IMPRECISE: Final = _phrases("least precise|least accurate|least precisely")
STRONGEST: Final = _phrases("strongest|tightest|most stringent|most restrictive|best")

OF_LIKE: Final = word_lists.BEFORE_ONE | {"on", "about"}
WITH_LIKE: Final = word_lists.BEFORE_SEVERAL
PREPOSITIONS: Final = (
    OF_LIKE | WITH_LIKE | words("concerning regarding using among within during through via")
)
APART_FROM: Final = _phrases(
    "other than|apart from|aside from|except|except for|excluding|besides|beyond|but not|not counting"
    "|not including"
)
PHRASAL: Final = _phrases("as part of|with respect to|related to|based on|that is")
AMONG: Final = _phrases(
    "among the|among its|among their|amongst the|in the|in its|in their|as|as a|as one of the|as one of its"
)
"""Before the noun of a list whose members were named: "a K+ among the products"."""

AUXILIARIES: Final = words(
    "is are was were be been being do does did has have had can could ever also so far"
)
NEGATIONS: Final = frozenset({"not", "never", "no"})
CONTRACTED: Final = words(
    "isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't cannot"
)
VERBS: Final = words(
    "publish publishes published report reports reported give gives gave given set sets put "
    "puts quote quotes quoted release releases released produce produces produced make makes "
    "made provide provides provided present presents presented obtain obtains obtained state "
    "states stated list lists listed appear appears appeared come comes came lie lies exist "
    "exists contain contains contained include includes included involve involves involved use "
    "uses used contribute contributes contributed find finds found write written belong belongs "
    "perform performed have has had get got yield yields yielded hold holds carry carries "
    "carried show shows shown place places placed dated hold held related exclude excludes "
    "taken recorded tabulated rest rests extract extracted"
)
"""Verbs that add nothing to what their subject and object are."""
ENDINGS: Final = _phrases(
    "are there|is there|exist|exists|are known|are listed|are available|in all|in total"
    "|altogether|do we have|please"
)
IMPERATIVES: Final = _phrases(
    "list|show|name|give|find|tell|display|get|return|enumerate|identify|list me|show me"
    "|give me|find me|tell me|get me|please list|please show|please give me|can you list"
    "|could you list|can you show|i want|i need|i would like"
)
WHICH: Final = _phrases("which|what")
WHAT_IS: Final = _phrases("what is|what was|what are|what were|what's|how large is|how big is|how high is")
IN_WHICH: Final = words("in for of with by from on at to into")
COUNTING: Final = _phrases(
    "how many of the|how many of all|how many|number of|the number of|count|count the|count all|count all the"
    "|what is the number of|what number of|total number of|the total number of"
    "|what is the total number of|give the number of|give me the number of"
    "|tell me the number of|how many different|how many distinct|count the number of"
    "|what was the number of"
)
GROUPED: Final = _phrases(
    "per|by|for each|for every|in each|in every|grouped by|broken down by|from each|by each|of each|split by"
)

FOR_EACH: Final = _phrases("for each|for every|per|by")
OF_EACH: Final = _phrases(
    "of each|of every|for each|for every|from each|from every|by each|in each|per|by|that each|that every"
)

FUNCTIONS: Final[dict[Function, tuple[Phrase, ...]]] = {
    Function.MEAN: _phrases(
        "arithmetic mean|mean|unweighted mean|unweighted average|simple average|plain average"
        "|arithmetic average|simple mean|average"
    ),
    Function.MEDIAN: _phrases("median"),
    Function.SUM: _phrases("sum"),
}
TOTAL_ERROR: Final = _phrases(
    "total uncertainty|total error|uncertainty|error|overall uncertainty|overall error"
    "|combined uncertainty|combined error|errors|uncertainties|total uncertainties|total errors"
)
STATISTICAL: Final = _phrases(
    "statistical uncertainty|statistical error|statistical uncertainties|statistical errors"
    "|statistical one|statistical|stat error"
)
SYSTEMATIC: Final = _phrases(
    "systematic uncertainty|systematic error|systematic uncertainties|systematic errors"
    "|systematic one|systematic|syst error"
)
LARGER: Final = _phrases(
    "larger than|greater than|bigger than|higher than|above|exceeding|more than|over"
    "|that exceeds|exceeds|longer than|heavier than|dominates|that dominates"
)
SMALLER: Final = _phrases("smaller than|lower than|less than|below|under|shorter than|lighter than")
COMPARED: Final[dict[Comparing, tuple[Phrase, ...]]] = {
    Comparing.WHICH_MORE: _phrases("more|a larger number of|a higher number of|a greater number of"),
    Comparing.WHICH_FEWER: _phrases("fewer|less|a smaller number of|a lower number of"),
}
BIGGER: Final = _phrases(
    "larger|greater|bigger|higher|longer|heavier|the larger|the greater|the higher|the longer"
    "|the bigger|a larger|a higher|a longer"
)
LESSER: Final = _phrases(
    "smaller|lower|shorter|lighter|the smaller|the lower|the shorter|a smaller|a lower|a shorter"
)
POINTERS: Final = word_lists.POINTERS | {"such"}
RELATIVE_DATES: Final = tuple(p for p, cue in CUES.items() if cue is Cue.RELATIVE_DATE)
BODIES: Final = numbers_up_to(8, 2)
PERSONS: Final = ("collaboration", "experiment", "author", "group", "person", "team")
"""What "who" may stand for, where the schema has a word for it."""
