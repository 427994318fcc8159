"""Words that decide what is asked: whether things are counted, denied, ranked, and by what.

Wordings of one question may have one of several sets of them ("first", "earliest"; or none, as in "who has
priority"); a question with a set that none of its wordings has asks something else.
"""

from __future__ import annotations

import re
from typing import Final

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
    "recommended": r"recommend|\bpdg\b|particle data group|world average",
    "only": r"\bonly\b|\bjust\b|\balone\b|\bsolely\b",
    "paper": r"\bpapers?\b|publication|\bworks\b|\barticles?\b|\breferences?\b|\bbibliograph|"
    r"\bliterature\b|\bcite\b",
    "experiment": r"experiment\b|experiments\b|collaboration|\bwho\b|\bwhose\b",
    "quantity": r"\bquantit|\bobservables?\b",
    "year": r"\bwhen\b|\byears?\b|\bdates?\b|\bhow early\b|\bannual|\byearly\b",
    "particle": r"\bparticles?\b",
    "decay": r"\bdecay|\bmodes?\b|\bchannels?\b|final state",
    "bigger": r"\b(?:bigger|larger|greater|smaller|lower)(?: \w+)? than\b|\boutweigh",
    "more": r"\bmore\b(?! than (?:\d|\{))",
    "dominant": r"\bdomina|\bmain\b|\bmajor\b|\blimiting\b|\bdriv",
    "against": r"\bagainst\b|\bversus\b|\bvs\b|\bdespite\b|\bwhile\b|\bwhereas\b|\balthough\b|\bthough\b"
    r"|\bbeside|\binstead\b|\bunless\b|\bvia\b|\busing\b|\bthrough\b|\bduring\b(?! (?:the year )?\{y)",
    "nearly": r"\balmost\b|\bnearly\b|\bhalf\b|\btwice\b|\broughly\b|\babout\b(?= \d)",
    "second": r"\band (?:what|which|how|who|when|where)\b",
    "supposed": r"\b(?:should|could|would|might|may|must) have\b|"
    r"\b(?:experiments?|papers?|collaborations?|publications?) (?:should|could|would|might|may|must)\b",
    "plot": r"^(?:please )?(?:plot|draw|chart|sketch)\b|\bhistogram\b",
    "future": r"\bwill\b|\bgoing to\b|\bnext\b|\bfuture\b|\bplan(?:s|ned)?\b",
    "written": r"\bwrote\b|\bwritten\b|\bwrites?\b",
    "large": r"\bhow (?:large|big|small|high|low|strong)",
    "title": r"\btitle\b|\bdoi\b|\barxiv\b|\bjournal\b|\bauthors?\b|\bcit(?:ed|ations?)\b",
}
_COMPILED: Final = {name: re.compile(said) for name, said in _DECISIVE.items()}


def decisive(text: str) -> frozenset[str]:
    """What words of a question decide.

    >>> sorted(decisive("how many papers are there per year?"))
    ['count', 'each', 'paper', 'year']
    """
    plain = text.lower()
    return frozenset(name for name, said in _COMPILED.items() if said.search(plain))
