"""The wording of follow-ups: what leans on a question before, and the parts that it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.normalise import clean

LEAD: Final = re.compile(
    r"^(?:(?:and|but|also|then|now|ok|okay|so|or|well|yes|no(?=\s*,))\b[\s,]*)+", re.IGNORECASE
)
_NARROWING: Final = "with|containing|including|having|using"
_PREPOSITIONS: Final = f"for|of|on|{_NARROWING}|in|by|from|at|about|to|since|before|after|until|between"
SUBJECT: Final = frozenset({"for", "of", "on", "about"})
"""Prepositions that name what a question is about."""
_NO: Final = r"(?:not|except|excluding|without|no)\b(?!,)"
_WITHOUT: Final = rf"(?:{_NO}(?: (?:for|{_PREPOSITIONS}))?)"
_CUE: Final = re.compile(
    r"^(?:(?:and|but|also|then|or)\b|(?:what|how) about\b|only\b|just\b|(?:the )?same\b"
    rf"|(?:{_PREPOSITIONS})\b|{_WITHOUT}\b"
    r"|how many(?: (?:are|were) there| in total| altogether)?$|count (?:them|those|these)\b|(?:the )?number$"
    r"|how many (?:of )?(?:them|those|these)\b|(?:which|what) of (?:them|those|these)\b(?! [a-z]+, )|when$)",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"\b(?:which|what(?! about)|who|how(?! about)|when|list|show|is|are|was|were|do|does|did|has|have)\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"^(?:(?:what|how) about|(?:the )?same|only|just|those|these|the ones?)\b\s*", re.IGNORECASE
)
_PREPOSED: Final = re.compile(rf"^(?P<word>{_PREPOSITIONS})\s+(?P<rest>.+)$", re.IGNORECASE)
_CONTAINING: Final = re.compile(
    r"^(?:(?:those|the ones) )?(?:that|which) (?:contains?|includes?|have|has|uses?)\s+"
    r"(?!(?:been|more|fewer|less)\b)",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(rf"^{_NO}(?: (?P<joint>for|{_PREPOSITIONS}))?\s+(?P<rest>.+)$", re.IGNORECASE)
_HAVING: Final = re.compile(
    r"^(?:contains?|includes?|have|has|uses?) (?!(?:been|more|fewer|less|no|not|the most|at)\b)",
    re.IGNORECASE,
)
POSSESSIVE: Final = re.compile(r"^(?:its|their)\s+", re.IGNORECASE)
IT: Final = re.compile(
    r"(?<=[a-z] )\b(?:it|this|that)\b(?=$|,| (?:most|best|more|since|before|after|in|with|by|for)\b)",
    re.IGNORECASE,
)
"""Points at the thing that the question before was about."""
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
COUNT: Final = re.compile(
    r"^(?:how many(?: (?:are|were) there| in total| altogether| (?:of )?(?:them|those|these)(?: are there)?)?"
    r"|count (?:them|those|these)|(?:the )?number)$",
    re.IGNORECASE,
)
PART: Final = re.compile(
    r"^(?P<head>how many|which|what) (?:of )?(?:them|those|these) "
    r"(?:(?:are|were|is|was|come|came) )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_YEAR: Final = r"(?:19|20)\d\d"
YEARS: Final = re.compile(
    rf"\b(?:in|since|before|after|until|from|between)\s+{_YEAR}(?:\s+(?:and|to|or|until)\s+{_YEAR})?\b",
    re.IGNORECASE,
)
BARE_YEAR: Final = re.compile(rf"^(?:in )?(?P<year>{_YEAR})$", re.IGNORECASE)
SUPERLATIVE: Final = re.compile(
    r"^(?:the )?(?P<what>latest|newest|most recent|first|earliest|most precise|best)"
    r"(?: (?:one|value|measurement))?$",
    re.IGNORECASE,
)
BARE_HEAD: Final = re.compile(
    r"^(?P<head>which|what|how many|(?:list|show(?: me)?|give me|name)(?: the)?|the"
    r"|what(?:'s| is| are| was| were) (?:the|its|their))"
    r"\s+(?P<what>\w+(?: \w+)??)(?: (?:is|are|was|were) (?:used|involved|measured))?$",
    re.IGNORECASE,
)
MEASURED: Final = re.compile(r"^(?:measurements?|values?|results?|determinations?)$", re.IGNORECASE)
LIMITS: Final = re.compile(r"^(?:upper |lower )?(?:limits?|bounds?)$", re.IGNORECASE)
BARE_NOUN: Final = re.compile(r"^(?P<what>\w+(?: \w+)?)$")
RANKED: Final = re.compile(r"\b(?:most|least|best|worst|first|last|\w{3,}est)\b", re.IGNORECASE)
_LISTED: Final = re.compile(
    r"^(?:which|what|(?:please )?(?:list|show(?: me)?|give me|name)(?: all)?(?: the)?)\s+(?=\w)",
    re.IGNORECASE,
)
_VALUES: Final = re.compile(
    r"^(?:what (?:is|are) the|(?:list|show(?: me)?) (?:all )?(?:the )?)\s*"
    r"(?P<what>(?:\w+ ){0,2}?(?:values?|limits?|measurements?)) (?=of\b|on\b)",
    re.IGNORECASE,
)


def core(text: str) -> str:
    """The cleaned text without its end mark."""
    return clean(text).rstrip("?!. ")


def _plain(words: str) -> str:
    """ "those that contain X" as "containing X"."""
    return _CONTAINING.sub("containing ", words)


def having(words: str) -> str:
    """ "have a K+" as "with a K+".

    >>> having("have a K+"), having("contain mu+"), having("were published in 2019"), having("have no K+")
    ('with a K+', 'with mu+', 'were published in 2019', 'have no K+')
    """
    return _HAVING.sub("with ", words)


def is_follow_up(text: str) -> bool:
    """Whether a text leans on a question before it by its form.

    >>> [is_follow_up(t) for t in ("and for B0?", "how many?", "in 2019?", "Which papers determine phi_s?")]
    [True, True, True, False]
    >>> is_follow_up("In 2019, which papers determine phi_s?")
    False
    >>> is_follow_up("Which has more papers, A or B?"), is_follow_up("Which of these, A or B, is older?")
    (False, True)
    """
    words = _plain(core(text))
    if _PREPOSED.match(words) and _HEAD.search(words):
        return False
    return bool(_CUE.match(words) or SUPERLATIVE.match(words) or BARE_YEAR.match(words))


def is_fragment(text: str) -> bool:
    """Whether it is no question by itself, whatever its words may mean: "and for B0?", "with a muon".

    >>> is_fragment("and for B0?"), is_fragment("and which papers determine phi_s?"), is_fragment("phi_s")
    (True, False, False)
    >>> is_fragment("which contain a K+?"), is_fragment("Which papers contain a K+?")
    (True, False)
    """
    words = _plain(core(text))
    return bool(_CUE.match(words)) and not _HEAD.search(words)


def phrase(words: str) -> tuple[str, str]:
    """The preposition that a follow-up begins with, and the rest without articles.

    >>> phrase("what about the B0"), phrase("only from LHCb"), phrase("only those by LHCb")
    (('', 'B0'), ('from', 'LHCb'), ('by', 'LHCb'))
    >>> phrase("those that contain a muon")
    ('containing', 'muon')
    """
    left, last = _plain(words), ""
    while left != last:
        last, left = left, _ABOUT.sub("", left)
    found = _PREPOSED.match(left)
    preposition, rest = (found["word"].lower(), found["rest"]) if found else ("", left)
    return preposition, _ARTICLE.sub("", rest)


def excluded(words: str) -> tuple[str, str]:
    """What a follow-up takes away, behind its preposition; or empty.

    >>> excluded("not with a J/psi"), excluded("those without the K+"), excluded("with a K+")
    (('with', 'J/psi'), ('', 'K+'), ('', ''))
    """
    found = _NEGATED.match(_ABOUT.sub("", words))
    return ((found["joint"] or "").lower(), _ARTICLE.sub("", found["rest"])) if found else ("", "")


def narrows(preposition: str) -> bool:
    """Whether a preposition adds a part or a means, and does not name another subject.

    >>> narrows("with"), narrows("for")
    (True, False)
    """
    return bool(re.fullmatch(f"{_NARROWING}|contains?|includes?", preposition))


def alike(first: str, second: str) -> bool:
    """Whether two prepositions join alike.

    >>> alike("containing", "with"), alike("of", "with"), alike("of", "of")
    (True, False, True)
    """
    return first == second or (narrows(first) and narrows(second))


def governor(text: str, at: int) -> tuple[int, str]:
    """Where the preposition before position ``at`` begins, and the preposition; ``at`` and empty for none.

    >>> governor("Which decays with a K+", 20), governor("Which decays of K+", 16)
    ((13, 'with'), (13, 'of'))
    """
    found = re.search(
        rf"(?<!\S)({_PREPOSITIONS}|contains?|includes?)\s+(?:(?:the|an?)\s+)?$", text[:at], re.IGNORECASE
    )
    return (found.start(), found[1].lower()) if found else (at, "")


def counted(before: str) -> tuple[str, ...]:
    """Ways to ask how many.

    >>> counted("Which papers determine phi_s"), counted("What are the values of phi_s")
    (('How many papers determine phi_s',), ('How many values of phi_s', 'How many measurements of phi_s'))
    """
    values = _VALUES.match(before)
    if values:
        rest = before[values.end() :]
        noun = values["what"]
        plural = noun if noun.endswith("s") else f"{noun}s"
        return tuple(dict.fromkeys((f"How many {plural} {rest}", f"How many measurements {rest}")))
    return (_LISTED.sub("How many ", before),) if _LISTED.match(before) else ()


def with_years(before: str, years: str) -> tuple[str, ...]:
    """The years of a question exchanged, or put at its end.

    >>> with_years("Which papers since 2015 determine phi_s", "in 2019")
    ('Which papers in 2019 determine phi_s',)
    """
    exchanged = YEARS.sub(years, before, count=1)
    return (exchanged,) if exchanged != before else (f"{before} {years}",)


def inner_spans(name: str, words: int) -> Iterator[tuple[int, int]]:
    """Runs of so many words inside a name, without brackets that open or close outside of them.

    >>> name = "BR(B0 -> K+ pi-)"
    >>> [name[start:end] for start, end in inner_spans(name, 1)]
    ['B0', '->', 'K+', 'pi-']
    >>> [name[start:end] for start, end in inner_spans(name, 4)]
    ['B0 -> K+ pi-']
    """
    starts = [0, *(m.end() for m in re.finditer(r"[\s(]+", name))]
    ends = [m.start() for m in re.finditer(r"[\s)]+|$", name)]
    for start in starts:
        for end in ends:
            part = name[start:end]
            if len(part.split()) == words and part != name and _balanced(part):
                yield start, end


def _balanced(part: str) -> bool:
    depth = 0
    for sign in part:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def put(text: str, start: int, end: int, new: str) -> str:
    """``text`` with ``new`` in place of a part."""
    return text[:start] + new + text[end:]


def sentence(text: str) -> str:
    """The text with one question mark."""
    return f"{text.rstrip('?!. ')}?"
