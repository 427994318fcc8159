"""What a question says twice: "the electron EDM (e electric dipole moment)", "phi_s, i.e. the mixing phase".

What stands in parentheses, or behind "i.e.", is another name of what stands before it, a remark on the
answer's columns, or a condition. Only the first two are resolved here; a condition stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.asides import CHANGES, Names
from cypher.normalise import quoted_spans
from schemas.language.particle_words import particle_in_words

_INNER: Final = r"[^()]*(?:\([^()]*\)[^()]*)*"
_ASIDE: Final = re.compile(
    rf"(?<=\S) \((?P<round>{_INNER})\)|(?P<comma>(?:,? (?:i\.e\.|aka|also known as)|, that is|, (?:now"
    rf"|also|formerly|previously) (?:named|called|known as)),? )(?P<said>[^,;?]+?)"
    r"(?P<end>,(?= )|(?=[?.;]|$))",
    re.IGNORECASE,
)
_THING: Final = r"(?:the |each |their |its )?(?:\w+ )?"
_REMARK: Final = re.compile(
    rf"(?:.*\bincluded|(?:including|incl\.?) .*|(?:the )?(?:upper|lower|plus|minus)(?: (?:errors?|side|one))?"
    rf"|{_THING}\w+(?:, (?:and )?| and | plus | \+ ){_THING}"
    r"(?:numbers?|counts?|values?|limits?|years?|names?|titles?|error|uncertainty)(?: of (?:the )?\w+)?"
    rf"(?:(?:, (?:and )?| and ){_THING}\w+)*|if any|any|all of them|at least one)",
    re.IGNORECASE,
)
"""Of the answer's columns, or of what is in it anyway."""
_ITS: Final = re.compile(r"(?:its|the|their) (?P<noun>[\w -]+)", re.IGNORECASE)
_HEAD: Final = re.compile(
    r"\b(?:of|for|on|in|at|to|with|by|and|the|an?|is|are|was|were|has|have|measured?|determined?"
    r"|published|reported"
    r"|which|what) (?!.*\b(?:of|for|on|in|at|to|with|by|and|the|an?|is|are|was|were|has|have|measured?"
    r"|determined?"
    r"|published|reported|which|what) )",
    re.IGNORECASE,
)
_NOUN: Final = re.compile(r" (?:measurements?|values?|limits?|papers?|results?|decays?)$", re.IGNORECASE)


def resolved(text: str, names: Names) -> Iterator[str]:
    """The question with one name for what it says twice, the likeliest first; nothing for other questions.

    >>> from cypher.asides import Named
    >>> def names(text):
    ...     at = text.find("e electric dipole moment")
    ...     return (Named(at, at + 24, True),) if at >= 0 else ()
    >>> next(resolved("Which papers limit the electron EDM (e electric dipole moment)?", names))
    'Which papers limit the e electric dipole moment?'
    >>> next(resolved("papers on the tau mass per year (year, number of papers)", names))
    'papers on the tau mass per year'
    """
    if quoted_spans(text):
        return
    found = _ASIDE.search(text)
    if found is None:
        return
    before, after = text[: found.start()], text[found.end() :]
    said = (found["round"] or found["said"]).strip()
    for short in _one_name(before, said, after, names):
        yield from resolved(short, names)
        yield short


def _one_name(before: str, said: str, after: str, names: Names) -> Iterator[str]:
    if _REMARK.fullmatch(said) or particle_in_words(said) == before.rsplit(" ", 1)[-1]:
        yield before + after
        return
    own = _ITS.fullmatch(said)
    told = names(before)
    if own is not None and told and told[-1].end == len(before):
        yield f"{before[: told[-1].start]}the {own['noun']} of {before[told[-1].start :]}{after}"
        return
    known = names(said)
    if len(known) != 1 or not known[0].thing or CHANGES.search(said):
        return
    head = _HEAD.search(before)
    noun = _NOUN.search(before)
    same = [n for n in told if head is not None and n.start >= head.end()]
    if any(n.narrows or (n.thing and n.ids and not n.ids & known[0].ids) for n in same):
        return
    if head is not None:
        yield f"{before[: head.end()]}{said}{noun[0] if noun else ''}{after}"
    if same:
        yield before + after
