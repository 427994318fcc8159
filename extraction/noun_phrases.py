"""Short noun phrases beside a cue: where they end, how an enumeration splits, what is cut off their ends.

Everything is English and general; what a schema wants to refuse besides stands in its rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_REACH = 200
"""Characters after a cue in which its phrases are looked for."""
_SHORTEST = 3
_STOP = re.compile(
    r"[.;:\[\]\n=<>±≈~?!\"“”]|\s[(–—]|\s-\s|"
    r"\b(?:which|that|who|whose|where|when|while|whereas|whether|because|since|although|though|if|but|however|"
    r"as(?! well)|"
    r"is|are|was|were|be|been|being|has|have|had|can|could|may|might|must|will|would|should|shall|do|does|did|"
    r"by|using|via|through|with|without|after|before|until|upon|per|we|they|it|i|see|not|than|then|thus|hence|so|"
    r"used|obtained|determined|estimated|evaluated|assigned|assessed|considered|calculated|computed|taken|found|"
    r"varied|included|performed|described|discussed|listed|given|shown|reported|summari[sz]ed|quoted|derived|"
    r"measured|studied|introduced|added|neglected|ignored|cancels?|dominates?|dominated|contributes?|amounts?|"
    r"affects?|leads?|results? in|gives?|yields?|arises?|comes?|remains?|becomes?|appears?|depends?|"
    r"stems?|originates?|"
    r"therefore|also|only|respectively|finally|instead|rather|furthermore|moreover|separately|directly|"
    r"thereby|leading|resulting|giving|yielding|following|e\.g|i\.e|to (?:be|account|cover|allow|take))\b",
    re.IGNORECASE,
)
"""What no short noun phrase holds: clause marks, relative and auxiliary words, participles of procedure."""
_CLAUSE = re.compile(
    r"[.;:,\[\]\n=<>]|\s[(–—]|\b(?:that|which|and|but|while|whereas|since|because)\b", re.IGNORECASE
)
_CLAUSE_STOP = re.compile(
    r"[.;:\n=<>\[]|,\s|\s[(–—]|\b(?:which|that|who|whose|where|when|while|whereas|whether|because|since|although"
    r"|if|but|as|is|are|was|were|be|been|has|have|had|can|could|may|might|must|will|would|should|in order|see"
    r"|described|and (?:the|then|is|are|taking|assigning|found|we|comparing|repeating|an?)"
    r"|to (?:be|account|cover|allow|take|determine|obtain|estimate|match))\b",
    re.IGNORECASE,
)
"""What ends the clause that says how something is done."""
_LEAD = re.compile(
    r"(?:\s|[-–—•*,'‘’\"]|\b(?:and|or|as well as|the|an?|this|these|those|that|such|its|their|our|any|some|"
    r"both|either|"
    r"each|all|every|several|various|different|many|most|other|further|additional|possible|potential|potentially|mainly|mostly|"
    r"primarily|largely|partly|also|main|dominant|largest|leading|remaining|corresponding|individual|associated|"
    r"from|due to|to|in|on|of|for|at)\b\s?|"
    r"\b(?:uncertaint(?:y|ies)|errors?|effects?|impact|influence|presence|contributions?) "
    r"(?:of|on|in|from|to|due to|related to|associated (?:with|to)|arising from)\b|"
    r"\b(?:choices?|knowledge|use|variations?) (?:of|in)\b|\bvarying\b)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:\s|[-–—,*†‡/'’(]|\bof (?:about |around |approximately |up to )?\d{1,3}%?(?!\w)|"
    r"\b(?:and|or|as well as|the|an?|of|in|on|for|from|to|at|between|within|under|over|into|"
    r"its|their|this|these|both|each|such|due|well|as|etc|according|using|with|by)\b)+$",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s*(?:(?:and|or|as well as)\s+)?|\s+as well as\s+", re.IGNORECASE)
_LAST = re.compile(r",?\s+(?:and|or|as well as)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_NEW_START = re.compile(
    r"(?:the|an?|its|their|from|to|due|possible|potential|limited|finite)\s", re.IGNORECASE
)
_BETWEEN = re.compile(r"\b(?:between|both|among)\b", re.IGNORECASE)
_GERUND = re.compile(r"\s*(?:the )?\w{3,16}ing\b(?! of)", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\s(?:of|in|on|for|from|to|at|between|within|during|under|over|into|among)\s", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_GENERIC = re.compile(
    r"(?:(?:the|an?|this|these|those|such|same|following|above|other|others|former|latter|first|second|third|one|two|"
    r"three|four|five|six|major|main|different|several|various|many|few|more|single|separate|independent|known|"
    r"relevant|specific|certain|set|number|rest|remainder|list|total|sum|combination|overall|residual|small|large|"
    r"sources?|categor(?:y|ies)|effects?|contributions?|uncertaint(?:y|ies)|systematics?|errors?|results?|measurements?|"
    r"analys[ie]s|procedures?|methods?|approach(?:es)?|choices?|assumptions?|variations?|differences?|changes?|"
    r"components?|parameters?|values?|quantit(?:y|ies)|observables?|factors?|terms?|inputs?|studies|study|"
    r"tables?|figs?|figures?|refs?|sections?|eqs?|equations?|lhcb|data|fact|case|way|order|it|them|they|which|what|"
    r"origins?|aspects?|issues?|items?|points?|limitations?|corrections?|process(?:es)?|internal|external|knowledge|use|lack|of|in|on|and|or|to|each)\b\W*)+",
    re.IGNORECASE,
)
"""Names that say nothing: "these effects", "four major categories", "the choice"."""
_UNSPECIFIC = (
    r"(?:models?|modell?ing|descriptions?|determinations?|estimat(?:es?|ions?)|evaluations?|calculations?"
    r"|limited|finite|imperfect|imprecise|poor(?:ly)?|incomplete|residual|remaining|potential|possible|choosing|alternative"
    r"|backgrounds?|efficienc(?:y|ies)|simulations?|simulated|shapes?|distributions?|functions?|fits?|fitting|yields?"
    r"|techniques?|treatments?|samples?|decays?|modes?|channels?|candidates?|events?|signals?|spectr(?:um|a)|fractions?"
    r"|calibrations?|schemes?|weights?|templates?|hypothes[ie]s|dependences?|detectors?|physics|nominal|default|baseline)"
)
_VAGUE = re.compile(rf"(?:{_UNSPECIFIC}\b\W*|{_GENERIC.pattern})+", re.IGNORECASE)


def is_vague(name: str) -> bool:
    """Whether every word would suit any source, so that the name tells none from another.

    >>> is_vague("limited knowledge of the model"), is_vague("knowledge of the resonance model")
    (True, False)
    """
    return _VAGUE.fullmatch(name) is not None


def phrases_after(text: str, start: int, most_words: int) -> list[Span]:
    """Cleaned noun phrases that follow ``start``, one per member of an enumeration.

    >>> text = "due to the limited size of the control samples, the fit model, and pile-up, which are small"
    >>> [text[a:b] for a, b in phrases_after(text, 7, 8)]
    ['limited size of the control samples', 'fit model', 'pile-up']
    """
    limit = min(len(text), start + _REACH)
    while True:
        stop = _STOP.search(text, start, limit)
        end = stop.start() if stop else limit
        if stop is None and limit < len(text):
            end = text.rfind(" ", start, end) if " " in text[start:end] else end
        introduced = stop is not None and stop.group() == ":" and _GENERIC.fullmatch(text[start:end].strip())
        if not introduced or stop is None:
            break
        start = stop.end()
    while end > start and text[end - 1] in ", ":
        end -= 1
    spans = (_trimmed(text, span, most_words) for span in _members(text, start, end))
    return [span for span in spans if span is not None]


def clause_after(text: str, start: int, most_words: int) -> Span | None:
    """What follows ``start`` up to the end of its clause, prepositions and participles with it.

    >>> text = "is evaluated by repeating the fit with a second model, which has two tails"
    >>> text[slice(*clause_after(text, text.index(" repeating"), 12))]
    'repeating the fit with a second model'
    """
    limit = min(len(text), start + _REACH)
    stop = _CLAUSE_STOP.search(text, start, limit)
    if (stop is None and limit < len(text)) or (stop is not None and stop.group() in "=<>"):
        return None
    end = stop.start() if stop else limit
    return _trimmed(text, (start, end), most_words)


def phrase_before(text: str, end: int, most_words: int) -> Span | None:
    """The cleaned noun phrase that ends at ``end``; None where a clause or a finite verb stands there.

    >>> text = "In addition, the beam position is a source of uncertainty"
    >>> text[slice(*phrase_before(text, text.index(" is "), 8))]
    'beam position'
    """
    first = max(0, end - _REACH)
    start = max((m.end() for m in _CLAUSE.finditer(text, first, end)), default=first)
    if first and start == first:
        return None
    return whole_phrase(text, (start, end), most_words)


def whole_phrase(text: str, span: Span, most_words: int) -> Span | None:
    """The stretch without its determiners, where it is one short noun phrase; else None."""
    if _STOP.search(text, *span):
        return None
    found = _trimmed(text, span, 10**6)
    return found if found and len(text[slice(*found)].split()) <= most_words else None


def _members(text: str, start: int, end: int) -> Iterator[Span]:
    """Members of "A, B and C"; of "A and B" where B starts anew or both are phrases; else the first alone."""
    commas = list(_COMMA.finditer(text, start, end))
    first = text[start : commas[0].start()] if commas else ""
    if _BETWEEN.search(first) and not _AND.search(first):
        commas = []
    if commas:
        tail = text[commas[-1].start() : end]
        if not _LAST.match(tail) and not _AND.search(tail):
            yield from _pair(text, start, commas[0].start())
            return
    edges = [start, *(e for m in commas for e in m.span()), end]
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        yield from _pair(text, left, right)


def _pair(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _AND.finditer(text, start, end):
        left, right = text[start : found.start()], text[found.end() : end]
        if _BETWEEN.search(left) or (_GERUND.match(left) and not _GERUND.match(right)):
            continue
        anew = _NEW_START.match(right) is not None
        if anew or (len(left.split()) >= 3 and len(right.split()) >= 2 and not left.endswith("-")):
            yield start, found.start()
            start = found.end()
    yield start, end


def _trimmed(text: str, span: Span, most_words: int) -> Span | None:
    start, end = span
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    end = _shortened(text, start, end, most_words)
    tail = _TAIL.search(text[start:end])
    end = start + tail.start() if tail else end
    name = text[start:end]
    if end - start < _SHORTEST or not _WORD.search(name) or len(name.split()) > most_words:
        return None
    if name.count("(") != name.count(")") or name.count("{") != name.count("}"):
        return None
    return None if _GENERIC.fullmatch(name) else (start, end)


def _shortened(text: str, start: int, end: int, most_words: int) -> int:
    """``end``, or the last preposition that leaves at most ``most_words`` words."""
    if len(text[start:end].split()) <= most_words:
        return end
    cuts = [m.start() for m in _PREPOSITION.finditer(text, start, end)]
    fitting = [cut for cut in cuts if 2 <= len(text[start:cut].split()) <= most_words]
    return fitting[-1] if fitting else end
