"""A follow-up question and the one before it become one full question, or it is said why not.

Nothing is guessed by likeness: candidates are made by exchanging or adding words, and each must be understood
by the service and keep what the question before asked. Two that mean different things are asked back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from cypher.answers.reading import Phrase, Reader, Reading
from cypher.normalise import clean

MOST_READINGS = 60
"""Candidates that are looked at for one follow-up."""
_LEAD = re.compile(r"^(?:(?:and|but|also|then|now|ok|okay|so|or|well|yes|no)\b[\s,]*)+", re.IGNORECASE)
_PREPOSITIONS = "for|of|on|with|in|by|from|at|about|to|using|since|before|after|until|between"
_CUE = re.compile(
    r"^(?:(?:and|but|also|then|or)\b|(?:what|how) about\b|only\b|just\b|(?:the )?same\b"
    rf"|(?:{_PREPOSITIONS})\b"
    r"|how many(?: (?:are|were) there| in total| altogether)?$|count (?:them|those|these)\b|(?:the )?number$"
    r"|how many (?:of )?(?:them|those|these)\b|(?:which|what) of (?:them|those|these)\b|when$)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:(?:what|how) about|(?:the )?same|only|just|those|these|the ones?)\b\s*", re.IGNORECASE
)
_PREPOSED = re.compile(rf"^(?P<word>{_PREPOSITIONS})\s+(?P<rest>.+)$", re.IGNORECASE)
_COUNT = re.compile(
    r"^(?:how many(?: (?:are|were) there| in total| altogether| (?:of )?(?:them|those|these)(?: are there)?)?"
    r"|count (?:them|those|these)|(?:the )?number)$",
    re.IGNORECASE,
)
_PART = re.compile(
    r"^(?P<head>how many|which|what) (?:of )?(?:them|those|these) "
    r"(?:(?:are|were|is|was|come|came) )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_YEAR = r"(?:19|20)\d\d"
_YEARS = re.compile(
    rf"\b(?:in|since|before|after|until|from|between)\s+{_YEAR}(?:\s+(?:and|to|or|until)\s+{_YEAR})?\b",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(rf"^(?:in )?(?P<year>{_YEAR})$", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"^(?:the )?(?P<what>latest|newest|most recent|first|earliest|most precise|best)"
    r"(?: (?:one|value|measurement))?$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?:which|what|(?:please )?(?:list|show(?: me)?|give me|name)(?: all)?(?: the)?)\s+(?=\w)",
    re.IGNORECASE,
)
_VALUES = re.compile(
    r"^(?:what (?:is|are) the|(?:list|show(?: me)?) (?:all )?(?:the )?)\s*"
    r"(?P<what>(?:\w+ ){0,2}?(?:values?|limits?|measurements?)) (?=of\b|on\b)",
    re.IGNORECASE,
)
_JOINTS = ("by", "from", "at", "in", "of", "for", "with", "on")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The full question; else ``options`` between which to choose, else none and the ``reason``."""

    text: str = ""
    options: tuple[str, ...] = ()
    reason: str = ""


def is_follow_up(text: str) -> bool:
    """Whether a text leans on a question before it by its form.

    >>> [is_follow_up(t) for t in ("and for B0?", "how many?", "in 2019?", "Which papers determine phi_s?")]
    [True, True, True, False]
    """
    core = _core(text)
    return bool(_CUE.match(core) or _SUPERLATIVE.match(core) or _BARE_YEAR.match(core))


def resolve(text: str, before: str, reader: Reader) -> Resolved:
    """The question that ``text`` means after the question ``before``.

    A text that is understood by itself and leans on nothing stands as it is.
    """
    core = _core(text)
    if not before:
        if not is_follow_up(text) or reader.read(text).understood:
            return Resolved(text)
        return Resolved(
            reason="There is no question before this one to which it could belong; ask it in full, "
            "for example with the observable that you mean."
        )
    leans = is_follow_up(text)
    if not leans and reader.read(clean(text)).understood:
        return Resolved(text)
    return _Search(reader, _core(before), leans=leans).resolve(core, text)


def _core(text: str) -> str:
    return clean(text).rstrip("?!. ")


_Candidate: TypeAlias = tuple[str, Callable[[Reading], bool]]
"""A question, and whether what is understood of it is what the follow-up can have meant."""


class _Search:
    """Candidates for one follow-up, in order of how closely they keep the question before."""

    def __init__(self, reader: Reader, before: str, *, leans: bool) -> None:
        self._reader, self._before, self._leans = reader, before, leans
        self._known: dict[str, Reading] = {}
        self._old = self._read(before)

    def resolve(self, core: str, asked: str) -> Resolved:
        if not self._old.understood:
            return Resolved(
                reason=f"The question before ('{self._before}') was not understood either; ask in full."
            )
        for group in self._groups(_LEAD.sub("", core)):
            found: dict[str, str] = {}
            for candidate, fits in group:
                read = self._read(candidate)
                if read.understood and fits(read):
                    found.setdefault(read.signature, _sentence(candidate))
            if len(found) == 1:
                return Resolved(next(iter(found.values())))
            if found:
                return Resolved(options=tuple(found.values())[:4])
        if not self._leans:
            return Resolved(asked)
        return Resolved(reason=self._why(_LEAD.sub("", core)))

    def _why(self, core: str) -> str:
        said = f"This cannot be read as a follow-up of '{_sentence(self._before)}'"
        part = _PART.match(core)
        rest = part["rest"] if part else core
        unknown = [p.text for p in self._read(_phrase(rest)[1]).phrases if not p.kinds]
        if unknown:
            names = ", ".join(f"'{u}'" for u in unknown)
            return f"{said}: the graph knows nothing called {names}. Ask it in full."
        return f"{said}: it fits none of the things that question names. Ask it in full."

    def _groups(self, core: str) -> Iterator[Iterable[_Candidate]]:
        part, superlative, year = _PART.match(core), _SUPERLATIVE.match(core), _BARE_YEAR.match(core)
        if _COUNT.match(core):
            yield [(c, self._counts) for c in _counted(self._before)]
            return
        if superlative:
            yield [(c, self._keeps_all) for c in self._superlatives(superlative["what"])]
            return
        base = self._before
        if part:
            base = next(iter(_counted(base)), base) if part["head"].lower() == "how many" else base
            core = part["rest"]
        elif year:
            core = f"in {year['year']}"
        preposition, phrase = _phrase(core)
        if _YEARS.fullmatch(f"{preposition} {phrase}"):
            yield [(c, self._differs) for c in _with_years(base, f"{preposition} {phrase}")]
            return
        if not part:
            yield [(c, self._exchanged) for c in self._exchanges(phrase)]
            yield [(c, self._exchanged) for c in self._inner_exchanges(phrase)]
        yield [(c, self._adds) for c in self._additions(base, preposition, phrase)]

    def _read(self, text: str) -> Reading:
        if text not in self._known:
            if len(self._known) >= MOST_READINGS:
                return Reading(False, "too many ways to read this")
            self._known[text] = self._reader.read(text)
        return self._known[text]

    def _counts(self, new: Reading) -> bool:
        return new.counts and new.conditions >= self._old.conditions

    def _keeps_all(self, new: Reading) -> bool:
        return new.conditions >= self._old.conditions

    def _differs(self, new: Reading) -> bool:
        return new.conditions != self._old.conditions

    def _exchanged(self, new: Reading) -> bool:
        """The same kind of question with as many wishes, of which one is another."""
        old = self._old
        same = new.shape == old.shape and len(new.conditions) == len(old.conditions)
        return same and len(new.conditions - old.conditions) == 1

    def _adds(self, new: Reading) -> bool:
        return new.conditions > self._old.conditions

    def _exchanges(self, phrase: str) -> Iterator[str]:
        kinds = self._kinds(phrase)
        for old in self._old.of_kind(kinds):
            yield _put(self._before, old.start, old.end, phrase)

    def _inner_exchanges(self, phrase: str) -> Iterator[str]:
        """Words inside a name: "B_s0 mass" becomes "B+ mass"."""
        kinds = self._kinds(phrase)
        for old in self._old.phrases:
            for word in re.finditer(r"\S+", self._before[old.start : old.end]):
                inner = self._read(word.group())
                if word.group() != self._before[old.start : old.end] and inner.of_kind(kinds):
                    yield _put(self._before, old.start + word.start(), old.start + word.end(), phrase)

    def _kinds(self, phrase: str) -> frozenset[str]:
        """What the whole phrase may be; nothing for one with words that mean nothing."""
        found: tuple[Phrase, ...] = self._read(phrase).phrases
        kinds = found[0].kinds if len(found) == 1 else frozenset()
        return frozenset(k for k in kinds if k.startswith(("entity", "value", "type")))

    def _additions(self, base: str, preposition: str, phrase: str) -> Iterator[str]:
        joints = (preposition, *(j for j in _JOINTS if j != preposition)) if preposition else _JOINTS
        first = next((p for p in self._old.phrases if "type" in p.kinds), None)
        if base == self._before and first is not None:
            yield _put(base, first.start, first.start, f"{phrase} ")
        for joint in joints:
            yield f"{base} {joint} {phrase}"

    def _superlatives(self, what: str) -> Iterator[str]:
        for phrase in self._old.phrases:
            if any(k.startswith("entity") for k in phrase.kinds):
                yield f"What is the {what} value of {phrase.text}"


def _phrase(core: str) -> tuple[str, str]:
    """The preposition that a follow-up begins with, and the rest without articles.

    >>> _phrase("what about the B0"), _phrase("only from LHCb"), _phrase("only those by LHCb")
    (('', 'B0'), ('from', 'LHCb'), ('by', 'LHCb'))
    """
    left, last = core, ""
    while left != last:
        last, left = left, _ABOUT.sub("", left)
    found = _PREPOSED.match(left)
    preposition, rest = (found["word"].lower(), found["rest"]) if found else ("", left)
    return preposition, re.sub(r"^(?:the|a|an)\s+", "", rest, flags=re.IGNORECASE)


def _counted(before: str) -> tuple[str, ...]:
    """Ways to ask how many.

    >>> _counted("Which papers determine phi_s"), _counted("What are the values of phi_s")
    (('How many papers determine phi_s',), ('How many values of phi_s', 'How many measurements of phi_s'))
    """
    values = _VALUES.match(before)
    if values:
        rest = before[values.end() :]
        noun = values["what"]
        plural = noun if noun.endswith("s") else f"{noun}s"
        return tuple(dict.fromkeys((f"How many {plural} {rest}", f"How many measurements {rest}")))
    return (_LISTED.sub("How many ", before),) if _LISTED.match(before) else ()


def _with_years(before: str, years: str) -> tuple[str, ...]:
    """The years of a question exchanged, or put at its end.

    >>> _with_years("Which papers since 2015 determine phi_s", "in 2019")
    ('Which papers in 2019 determine phi_s',)
    """
    exchanged = _YEARS.sub(years, before, count=1)
    return (exchanged,) if exchanged != before else (f"{before} {years}",)


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _sentence(text: str) -> str:
    return f"{text.rstrip('?!. ')}?"
