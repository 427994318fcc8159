"""Words that decide what is asked: whether things are counted, denied, ranked, and by what.

Wordings of one question may have one of several sets of them ("first", "earliest"; or none, as in "who has
priority"); a question with a set that none of its wordings has asks something else. Words for what a graph
holds stand in its file of ways.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from schemas.ways import DecisiveWords

_SUPPOSED: Final = "(?:should|could|would|might|may|must)"
_DECISIVE: Final[dict[str, str]] = {
    "count": r"how many|how often|how numerous|\bnumbers? of\b|\bcount(?:s|ed|ing)?\b|\btotals?\b|"
    r"\bamount to\b|\bhow much\b|how large is the set|\bwhat number\b|\bsize of\b",
    "not": r"\bnot\b|n't\b|\bno\b|\bnone\b|\bnever\b|\bwithout\b|\bexcept|\bexclud|\bminus\b|"
    r"leaving|\black|absence|other than|\bnor\b|skip",
    "first": r"\bfirst\b|\bearliest\b|\boldest\b|\boriginal|\bpriority\b|before (?:all|any)",
    "last": r"\blatest\b|\bnewest\b|\bmost recent|\blast\b",
    "least": r"\blowest\b|\bsmallest\b|\bminimum\b|\bminimal\b|\bleast\b|\bmin\b",
    "greatest": r"\blargest\b|\bhighest\b|\bgreatest\b|\bbiggest\b|\bmaximum\b|\bmaximal\b|\bmax\b|"
    r"\bupper end\b",
    "most": r"\bmost\b(?! (?:precise|accurate|recent|stringent|restrictive))|\btop\b|\bleads?\b|"
    r"\bprolific\b|\bpeak",
    "best": r"precise|precision|accura|\bbest\b|\bsmallest (?:total )?(?:error|uncertainty)",
    "tightest": r"strongest|stringent|tightest|strictest|restrictive|severe",
    "mean": r"\bmean\b|\baverag",
    "each": r"\beach\b|\bper\b|\bevery\b|\bannual|\byearly\b|year by year|by year|experiment by "
    r"experiment|breakdown|break down|broken down"
    r"|distribut|\bgroup|separately|respective",
    "limit": r"\blimits?\b|\bbounds?\b|\bconstrain|\blimited\b(?! by)",
    "replaced": r"supersed|\breplac|\boutdated\b|no longer",
    "error": r"\berrors?\b|uncertaint|\bsyst|\bstat(?:istic|s?\b)",
    "search": r"\bsearch|\bsought\b|\blook(?:ed|ing|s)? for\b|\bhunt",
    "syst first": r"\bsyst.*\bstat(?:istic|s?\b)",
    "stat first": r"\bstat(?:istic|s?\b).*\bsyst",
    "source": r"\bsources?\b",
    "before": r"\bbefore (?!all|any|every)|\bprior to\b|\bearlier than\b|\bolder than\b",
    "until": r"\buntil\b|\bup to\b|\bor (?:earlier|before)\b|\bat the latest\b|\bby \d{4}|\bby \{y",
    "after": r"(?<!or )\bafter\b|\blater than\b|\bfollowing \{y",
    "since": r"\bsince\b|\bfrom\b[^.?]* on\b|\bonwards?\b|\bor (?:later|after)\b|\bstarting\b|\bbeginning\b",
    "at least": r"\bat least\b|\bno (?:less|fewer) than\b|\bor (?:more|higher|larger|above)\b|≥",
    "at most": r"\bat most\b|\bno more than\b|\bor (?:less|lower|fewer|below)\b|≤",
    "between": r"\bbetween\b|\bfrom\b.*\b(?:to|until|through)\b|\binterval\b|\bperiod\b|\brange\b",
    "above": r"\babove\b|\bover\b(?! (?:the|all|every))|\bexceed|\bgreater than\b|\blarger than\b|"
    r"\bhigher than\b|\bmore than\b|\bbeyond\b|>",
    "below": r"\bbelow\b|\bunder\b|\bless than\b|\bsmaller than\b|\blower than\b|\bfewer than\b|<",
    "difference": r"\bdifference\b|\bsubtract|\bratio\b|\bdivide|\bhow much\b.*\bthan\b|\btimes (?:larger|"
    r"heavier|as)",
    "both": r"\bboth\b|\balso\b|\btoo\b|\bas well\b|\btogether\b|\bnot only\b|\blikewise\b|same time",
    "whether": r"^(?:is|are|was|were|do|does|did|has|have|had|can)\b|\bwhether\b|\bif\b|yes or no",
    "only": r"\bonly\b|\bjust\b|\balone\b|\bsolely\b",
    "year": r"\bwhen\b|\byears?\b|\bdates?\b|\bhow early\b|\bannual|\byearly\b",
    "bigger": r"\b(?:bigger|larger|greater|smaller|lower)(?: \w+)? than\b|\boutweigh",
    "more": r"\bmore\b(?! than (?:\d|\{))",
    "dominant": r"\bdomina|\bmain\b|\bmajor\b|\blimiting\b|\bdriv",
    "against": r"\bagainst\b|\bversus\b|\bvs\b|\bdespite\b|\bwhile\b|\bwhereas\b|\balthough\b|\bthough\b"
    r"|\bbeside|\binstead\b|\bunless\b|\bvia\b|\busing\b|\bthrough\b|\bduring\b(?! (?:the year )?\{y)",
    "nearly": r"\balmost\b|\bnearly\b|\bhalf\b|\btwice\b|\broughly\b|\babout\b(?= \d)",
    "second": r"\band (?:what|which|how|who|when|where)\b",
    "supposed": rf"\b{_SUPPOSED} have\b",
    "plot": r"^(?:please )?(?:plot|draw|chart|sketch)\b|\bhistogram\b",
    "future": r"\bwill\b|\bgoing to\b|\bnext\b|\bfuture\b|\bplan(?:s|ned)?\b",
    "written": r"\bwrote\b|\bwritten\b|\bwrites?\b",
    "large": r"\bhow (?:large|big|small|high|low|strong)",
}
_COMPILED: Final = {name: re.compile(said) for name, said in _DECISIVE.items()}


def decisive(text: str, of_graph: tuple[DecisiveWords, ...] = ()) -> frozenset[str]:
    """What words of a question decide; ``of_graph`` are the words for what its graph holds.

    >>> sorted(decisive("how many papers are there per year?"))
    ['count', 'each', 'year']
    >>> ships = DecisiveWords(name="ship", words=("ship*", "vessel*"))
    >>> sorted(decisive("how many vessels?", (ships,)))
    ['count', 'ship']
    """
    plain = text.lower()
    return frozenset(name for name, said in (*_COMPILED.items(), *_words(of_graph)) if said.search(plain))


@lru_cache(maxsize=8)
def _words(of_graph: tuple[DecisiveWords, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The words of each thing; any of them before "should" or the like is supposed to do something."""
    sets = [(d.name, "|".join(map(_word, d.words))) for d in of_graph]
    made = [(name, re.compile(rf"\b(?:{said})\b")) for name, said in sets]
    every = "|".join(said for _, said in sets)
    supposed = re.compile(rf"\b(?:{every}) {_SUPPOSED}\b(?! (?:one|i|we|you)\b)")
    return (*made, ("supposed", supposed)) if made else ()


def _word(said: str) -> str:
    return re.escape(said.rstrip("*")) + (r"\w*" if said.endswith("*") else "")
