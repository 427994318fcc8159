"""Beginnings and asides of questions that ask for nothing: "could you please tell me", "in the database"."""

from __future__ import annotations

import re
from typing import Final

_SHORT_IS = re.compile(r"\b(what|who|where|when|which)'s\b", re.IGNORECASE)
_OLD = re.compile(r"\bhow old (?:is|are|was|were)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"^(?:(?:please|hi|hello|hey|ok|okay|so|well|now|also|and)\b[, ]*)*"
    r"(?:(?:can|could|would|will|do|does|did|may|might|is it possible)\s+(?:you|we|i|(?:anyone|someone|anybody)(?! ha[sv])|to|for you to)\b"  # noqa: E501
    r"(?:\s+(?:please|kindly|possibly|perhaps|also|happen|mind|be|able|like|to))*"
    r"\s+(?:tell(?:ing)?|giv(?:e|ing)|show(?:ing)?|list(?:ing)?|provid(?:e|ing)|find(?:ing)?(?: out)?|inform(?:ing)?|help(?:ing)?"  # noqa: E501
    r"|shar(?:e|ing)|let|identify|display|get|retrieve|know(?! of\b)|have(?! any\b)|see|say|name|specify|check|look up|learn|clarify|explain)\b"  # noqa: E501
    r"|(?:i|we)(?:'m| am|'re| are) (?:after|looking for|searching for)"
    r"|(?:i|we)(?:'d|\s+would|\s+want|\s+need|\s+wish|\s+am|'m)\b(?:\s+(?:like|love|want|need|wish|interested|curious|trying|to|in))*"
    r"(?:\s+(?:know(?:ing)?|find out|see|learn|get|have|find|ask|about|check))*"
    r"|(?:is|are) there (?:a|an|any) (?:complete |full )?(?:list|listing|overview) of(?: all)?(?: the)?"
    r"|let me know(?! if| whether)|tell (?:me|us)|give (?:me|us)|show (?:me|us))"
    r"(?:\s+(?:me|us|please|out|about|information about|know))*[, :]*",
    re.IGNORECASE,
)
_LISTING: Final = r"(?:list|listing|rundown|overview|summary|selection|inventory|catalogue|enumeration)"
_FETCHING = re.compile(
    r"^(?:(?:please|kindly|just|now|quickly)\s+)*(?:"
    r"(?:make|compile|draw up|write down|write out|put together|prepare|produce|create|generate|build"
    r"|assemble|run)"
    rf"(?:\s+(?:me|us))?\s+(?:a|the)\s+(?:\w+\s+)?{_LISTING} of"
    r"|(?:give|get|find|show|fetch|send|bring|hand|pull|name)(?:\s+(?:me|us))?"
    rf"\s+(?:a|the)\s+(?:\w+\s+)?{_LISTING} of"
    r"|let (?:me|us) (?:have|see|get|know(?! if| whether))|(?:get|fetch|grab|bring|find|send|hand) (?:me|us)"
    r"|(?:bring|pull|dig|call|look|turn|flag|pick|seek|single|write|read|spell|point|throw|round) (?:up|out)"
    r"|provide (?:me|us) with|query (?:for|the)|write down"
    r"|need|got|print|fetch|enumerate|i am after|i'm after|say(?= (?:which|who|what|how))"
    r"|(?:search|look|hunt) for|track down|(?:run|do|make) (?:a )?search for"
    r"|(?:figure|find|work|make) out)\b(?:\s+all\b)?[, :]*(?=\w)",
    re.IGNORECASE,
)
"""Ways of asking for what follows."""
_COUNTING = re.compile(
    r"^(?:please\s+)?(?:count (?:up|out)|tally(?: up)?|add up|total up|tot up|work out)"
    r"(?: the)?(?: number of)?(?= )",
    re.IGNORECASE,
)
_CHECKING = re.compile(
    r"^(?:please\s+)?(?:let me know|check|verify|confirm|establish|see|determine|ascertain|find out"
    r"|look up|say"
    r"|tell me"
    r"|i(?: want| need|'d like| would like)? to know|i wonder)\s+(?:if|whether)(?: or not)?\s+",
    re.IGNORECASE,
)
_TOP = re.compile(r"^top (\w+)\s*[:,]\s*(which|what)\s+", re.IGNORECASE)
_ONE_AT_LEAST = re.compile(
    r"^((?:whether )?(?:is|are) there|(?:whether )there (?:is|are)|do we have|have we(?: got)?)"
    r" (?:at least (?:one|a single)|even (?:one|a single)|a single|one or more)(?= )",
    re.IGNORECASE,
)
_HELD = re.compile(
    r" (?:do (?:we|you) have|have (?:we|you) got|are (?:there )?on (?:our|your|the) books|are known to us"
    r"|are (?:there )?on record|are there(?: in total| altogether| all told)?|exist|can be found|are known)"
    r"\s*(?=[?.!]*$)",
    re.IGNORECASE,
)
_PLEASE = re.compile(
    r",? (?:please|thanks|thank you|if you (?:can|could|would|please))\s*(?=[?.!]*$)", re.IGNORECASE
)
_WHETHER = re.compile(r"(?:if|whether)(?: or not)?\s+", re.IGNORECASE)


def without_preamble(text: str) -> str:
    """A question without its polite beginning.

    >>> without_preamble("Could you please tell me which films Ann made?")
    'which films Ann made?'
    >>> without_preamble("Do you know how many there are?")
    'how many there are?'
    >>> without_preamble("Could you tell me if Ann made any films?")
    'whether Ann made any films?'
    """
    text = _OLD.sub("what is the age of", _SHORT_IS.sub(r"\1 is", _PLEASE.sub("", text)))
    text = _TOP.sub(r"\2 \1 ", _CHECKING.sub("whether ", _COUNTING.sub("count the", text)))
    text = _without_end(_ONE_AT_LEAST.sub(r"\1 any", text))
    fetched = _FETCHING.match(text)
    if fetched and fetched.end() < len(text):
        return text[fetched.end() :]
    found = _ASKING.match(text)
    if found is None or found.end() == len(text):
        return text
    rest = text[found.end() :]
    asked = _WHETHER.match(rest)
    return f"whether {rest[asked.end() :]}" if asked else rest


def _without_end(text: str) -> str:
    """ "How many ships do we have" without its end, which asks for nothing."""
    return _HELD.sub("", text) if text.lower().startswith(("how many", "which", "what")) else text


_UNITS = "years|days|months|seconds|minutes|hours|dollars|euros|feet|miles|pounds"
_KEPT = (
    r"(?:(?:that|which) (?:are|is) )?"
    r"(?:mentioned|listed|recorded|present|stored|included|available|found|contained|represented|existing)"
)
_ASIDE = re.compile(
    r",? ?\b(?:in turn|at the same time)\b,?"
    r"|,? \b(?:in addition|additionally|moreover|furthermore)(?! to),"
    r"|,? ?\b(?:at (?:some|any) (?:point|time|stage)(?: in time| in their career)?|at least once"
    r"|at all(?! (?:the|of|our)\b| \w+s\b)"
    r"|on (?:any|some) (?:day|date|occasion)"
    r"|on (?:file|record)|(?<=there )in total|of all time"
    rf"|(?:{_KEPT} )?in (?:the|our|this) (?:entire |whole )?"
    r"(?:database|(?:knowledge )?graph|dataset|data|schema)"
    rf"|in (?:centi|kilo|milli)?(?:metres|meters|grams)|in (?:{_UNITS}))\b"
    r"|\((?:in|measured in) [a-z ]{1,20}\)",
    re.IGNORECASE,
)


def without_asides(text: str) -> str:
    """A question without phrases that ask for nothing.

    >>> without_asides("Who lived in Lund at some point (in years)?")
    'Who lived in Lund?'
    >>> without_asides("List the ships mentioned in the whole database.")
    'List the ships.'
    """
    return " ".join(_ASIDE.sub(" ", text).split()).replace(" ?", "?").replace(" .", ".")
