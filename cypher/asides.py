"""What is said around a question: courtesies, what it is for, and a sentence before it that names its thing.

"I am writing a chapter on masses, so could you please tell me which papers ...?" asks what stands behind
"tell me". A sentence in front may be left out where it speaks of the asker alone and names nothing, or where
the question points at the one thing that it names ("which quantities does it determine?"). What is left out
never holds a name, number or exclusion that the question does not point at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cypher.normalise import quoted_spans
from cypher.semantics.openings import without_preamble


class Named(NamedTuple):
    """Characters ``start`` to ``end`` (half-open) of a text name something."""

    start: int
    end: int
    thing: bool
    """A thing of the graph, or a value such as a particle; else a year, a number or a kind of quantity."""
    narrows: bool = False
    """Whether it may be a condition by itself: an experiment, a year, a number."""
    document: bool = False
    """Whether the thing is a document."""
    ids: frozenset[str] = frozenset()
    """Of the things with that name."""


Names = Callable[[str], tuple[Named, ...]]
"""What a text names, in its order."""

_YOU: Final = r"(?:can|could|would|will) (?:you|somebody|someone)"
_SO_KIND: Final = r"would you be so (?:kind|good) as to"
_I_AM: Final = r"(?:i am|i'm|i was|we are|we're|we were)"
_OPENING: Final = re.compile(
    rf"^(?:{_SO_KIND} (?:tell|show|give|list|find|name|send)(?: me| us)?"
    rf"|{_I_AM} (?:trying|hoping) to (?:find(?: out)?|see|learn|understand)|{_I_AM} (?:just )?wondering"
    rf"|{_I_AM} (?:an? )?(?-i:[a-z][a-z -]{{2,40}}?) and"
    r" (?:wonder|want|need|(?:am|are) looking for|(?:would|'d) (?:like|love) to (?:know|see|find out|learn))"
    rf"|{_YOU} (?:please |kindly )?(?:list|show|give|tell|name|find|send|point)(?: me| us)?"
    r"|(?:i|we) (?:want|need|have|wish)(?:ed)? to (?:ask|cite|quote|use|show|collect|compile)|(?:i|we) wonder"
    r"|(?:may|can|could) i ask|i have a question|it would be (?:great|good|nice) to know|my question is)"
    r"(?:,? (?:please|then))?[,:]? (?=\S)",
    re.IGNORECASE,
)
"""Beginnings beside those of :mod:`cypher.semantics.openings`."""
_BEGINS: Final = re.compile(
    rf"^(?:{_YOU}|{_SO_KIND}|please|kindly|which|what|who|when|how|(?:in|by|from|for|of) which"
    r"|(?:may|can|could) i ask|list|show|give|find|name|count|are|is|do|does|did|has|have|was|were"
    r"|i was wondering|i wonder|every|all|for (?:its|their|each)"
    r"|i(?: would|'d) like|i need|i want)\b",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    rf"^(?:{_YOU}|{_SO_KIND}|(?:\w+ )?(?:which|what|whom?|whose|when|where|how)|list|show|give|find"
    r"|name|count|are|is|do|does|did|has|have|was|were)\b",
    re.IGNORECASE,
)
"""A sentence that asks for something itself is nothing to leave out."""
_WANTS: Final = re.compile(r"^(?:i|we)(?: would|'d)? (?:want|need|like) (?!to\b)", re.IGNORECASE)
_ASKER: Final = re.compile(r"\b(?:i|i'm|i've|i'd|we|we're|we've|my|our|me|us)\b", re.IGNORECASE)
_PURPOSE: Final = (
    r"(?:for (?:the \w+ (?:of|in|for) )?(?:my|our|an?|the)|in (?:my|our))"
    r" (?:phd |next |new |master |group |weekly |seminar |overview )*"
    r"(?:homework(?: exercise)?|exercise|slide|poster|proposal|thesis|chapter|talk|seminar|bibliography"
    r"|lecture|presentation|meeting)"
    r"|(?:for|in) (?:my|our) (?:summary|table|plot|draft|review|note|report)"
)
_FOR: Final = (
    r"for (?:an?|my|our|the) (?:(?-i:[a-z]+) ){0,2}"
    r"(?:fit|combination|average|comparison|plot|table|review|paper|note|figure|backup|study|check|analysis)"
)
_LABEL: Final = re.compile(
    rf"^(?:(?:{_PURPOSE}|{_FOR}|out of (?:\w+ )?(?:interest|curiosity)),? (?=(?:i|we) )"
    r"|(?:a |one |another )?(?:quick |short |simple |reviewer |referee |naive |student )*question"
    r"(?: for you)?[:,!] ?|(?-i:[a-z][a-z ]{3,30}) here[:,] "
    r"|(?:hi|hello|hey|dear)(?: all| there| everybody| everyone)?[:,!] ?)",
    re.IGNORECASE,
)
_LATER: Final = (
    r"(?:(?:and )?(?:could|can|would|will) you (?:please )?)?"
    r"(?:list|show(?: me)?|give(?: me)?|name|tell me|count) (?:them|those|these)(?: all)?(?: for me)?"
    r"|all of them|just (?:the )?(?:papers|names|numbers|values|experiments)|which one is that"
    r"|i\.e\. which \w+"
)
_LISTINGS: Final = (
    r"(?:in|from|according to) (?:the|this|your|our) (?:whole |entire )?"
    r"(?:listings?|listed modes|graph|database|collection|corpus|library|data ?set)"
)
_ENDING: Final = re.compile(
    rf"(?:[,;.?] (?:{_LATER})|,? (?:please|pls|plz|thx|thanks|thank you|if possible|that you (?:know of"
    rf"|have|know|can find)"
    rf"|{_LISTINGS}|{_PURPOSE}))(?= ?[?.!]*$)",
    re.IGNORECASE,
)
_MIDDLE: Final = re.compile(
    rf",? (?:{_LISTINGS}|(?:in|during) (?:my|our) (?:next |group |weekly )*meeting)(?=[ ,;:])", re.IGNORECASE
)
_BE: Final = "has|have|is|are|was|were|does|do|did|can"
_WHETHER: Final = re.compile(rf"^(?:whether|if) (.+?) ({_BE}) (.+)$", re.IGNORECASE)
_AT_ITS_END: Final = re.compile(r"^(what|which|who) (.+) (is|are|was|were)([?.]?)$", re.IGNORECASE)
_BREAK: Final = re.compile(r"[;:.?!] |, (?:so|and|but|therefore|hence|then) |, |; | - | [—–] ")
CHANGES: Final = re.compile(
    r"\b(?:not|no|never|without|except|excluding|only|other than|apart from|ignoring|leaving out|besides|than"
    r"|before|after|since|until|above|below|at least|at most)\b|n't\b",
    re.IGNORECASE,
)
"""Words in a sentence beside the question that may be a condition of it."""
_HEARD: Final = re.compile(
    r"^(?:i have|i've|i|we have|we've|we) (?:just )?(?:heard|read|been told|learn(?:ed|t))\b"
    r"|^(?:i|we) (?:could|can|did|do)(?: not|n't) (?:find|know|see|remember)\b"
    r"|\b(?:somebody|someone|people) (?:claim|say|told|said|think)",
    re.IGNORECASE,
)
"""What the asker has heard is no condition of the question."""
_WHAT_IT_IS: Final = re.compile(r"^what (?:(?:it|that|this) is|is (?:it|that))\b[?.]?$", re.IGNORECASE)
_THESE: Final = re.compile(r"\b(?:these|those) two\b|\bboth of (?:them|these)\b", re.IGNORECASE)
_ITS: Final = re.compile(r"\b(?:all )?its ((?:branching )?\w+)", re.IGNORECASE)
_IT: Final = re.compile(
    r"\b(?:it|them|this (?:one|paper|quantity|observable|decay|particle|result|measurement)"
    r"|that (?:paper|quantity|observable|decay|particle))\b",
    re.IGNORECASE,
)
_INNER: Final = re.compile(r"\b(?:that|which|who) (?:it|they)\b", re.IGNORECASE)
"""A pronoun for what the same sentence names."""
_REPLACED: Final = re.compile(r"\b(?:superseded?s?|replaced?s?|updated?s?) (?:it|this|that)\b", re.IGNORECASE)
"""Only documents are replaced."""
_HELD: Final = re.compile(r" of (?:\S+ ){0,4}$")
"""Something of the thing is spoken of, and not the thing itself."""
_DOING: Final = re.compile(
    r"(?:preparing|making|writing|doing|updating|reviewing|studying|compiling|checking|planning)\b",
    re.IGNORECASE,
)
"""What the asker does with the thing."""
_OF: Final = re.compile(r"(?:\bthe )?(?:[\w-]+ ){1,3}of (?:the )?$", re.IGNORECASE)


def plain_core(text: str) -> str:
    """The question without courtesies at its ends.

    >>> plain_core("Could you please tell me which papers determine phi_s, thanks?")
    'which papers determine phi_s?'
    >>> plain_core("I need all papers on the proton charge radius for the bibliography of my chapter.")
    'all papers on the proton charge radius.'
    """
    last = ""
    while text != last:
        last = text
        text = _LABEL.sub("", text)
        text = without_preamble(_OPENING.sub("", text))
        text = _ENDING.sub("", text)
        text = _MIDDLE.sub("", text)
    return _direct(text)


def _direct(text: str) -> str:
    """An indirect question as a direct one: "whether CMS has measured X", "what the first paper on X is"."""
    whether = _WHETHER.match(text)
    if whether is not None:
        return f"{whether[2]} {whether[1]} {whether[3]}"
    return _AT_ITS_END.sub(r"\1 \3 \2\4", text)


def cores(text: str, names: Names) -> Iterator[str]:
    """The question that is meant, in the ways in which it may be meant, the likeliest first.

    The text itself is never among them.

    >>> def names(text):
    ...     at = text.find("AAIJ 2020S")
    ...     return (Named(at, at + 10, True),) if at >= 0 else ()
    >>> list(cores("We discuss the paper AAIJ 2020S; which quantities does it determine?", names))
    ['which quantities does AAIJ 2020S determine?']
    """
    if quoted_spans(text):
        return
    seen = {text}
    for found in _cores(text, names):
        plain = plain_core(found)
        if plain and plain not in seen:
            seen.add(plain)
            yield plain


def _cores(text: str, names: Names) -> Iterator[str]:
    yield text
    for gap in _BREAK.finditer(text):
        before, after = text[: gap.start()], text[gap.end() :]
        if len(after.split()) < 3 or not _BEGINS.match(after):
            continue
        question = plain_core(after)
        if _WHAT_IT_IS.match(question):
            yield f"what is {plain_core(before)}"
        elif _REQUEST.match(before) or _OPENING.match(before) or _WANTS.match(before):
            continue
        elif _IT.search(question) or _ITS.search(question) or _THESE.search(question):
            if not CHANGES.search(before):
                yield from _filled(before, question, names)
        elif _ASKER.search(before) or _HEARD.search(before):
            told = names(before)
            alone = not any(n.narrows for n in told) and any(n.thing for n in names(question))
            if (alone and _HEARD.search(before)) or ((alone or not told) and not CHANGES.search(before)):
                yield question


def _filled(before: str, question: str, names: Names) -> Iterator[str]:
    """The question with what it points at in the place of the pronoun."""
    known = [n for n in names(before) if n.thing and before[n.start : n.end] not in question]
    texts = [before[n.start : n.end] for n in known]
    if _THESE.search(question):
        if len(known) == len(("this", "that")):
            yield _THESE.sub(lambda _: " and ".join(texts), question, count=1)
        return
    documents = [n for n in known if n.document]
    if len(documents) == 1 and _REPLACED.search(question):
        yield _IT.sub(lambda _: before[documents[0].start : documents[0].end], question)
        return
    beside = any(n.narrows and not n.thing for n in names(before))
    if len(known) != 1 or beside or _INNER.search(question):
        return
    phrase = _OF.search(before[: known[0].start])
    if phrase is None and _HELD.search(before[: known[0].start]):
        return
    said = (phrase[0] if phrase and not _DOING.match(before) else "") + texts[0]
    filled = _ITS.sub(lambda found: f"the {found[1]} of {said}", question)
    yield _IT.sub(lambda _: said, filled)
