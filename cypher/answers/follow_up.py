"""A follow-up question and the one before it become one full question, or it is said why not.

Nothing is guessed by likeness: candidates are made by exchanging or adding words, and each must be understood
by the service and keep what the question before asked. Two that mean different things are asked back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from cypher.answers import follow_words as words
from cypher.answers.follow_words import is_follow_up
from cypher.answers.pointing_back import meant, near, points_back
from cypher.answers.reading import Phrase, Reader, Reading
from cypher.asked_unit import split_unit
from cypher.form import Order
from cypher.normalise import clean
from cypher.not_understood import KNOWS_NOTHING
from cypher.year_order import split_order

__all__ = ["Resolved", "is_follow_up", "resolve"]

MOST_READINGS = 60
"""Candidates that are looked at for one follow-up."""
_JOINTS = ("by", "from", "at", "in", "of", "for", "with", "on")
_UNNAMED = ("of", "on", "for", "with")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The full question; else ``options`` between which to choose, else none and the ``reason``."""

    text: str = ""
    options: tuple[str, ...] = ()
    reason: str = ""


def resolve(text: str, before: str, reader: Reader) -> Resolved:
    """The question that ``text`` means after the question ``before``.

    A text that is understood by itself and leans on nothing stands as it is.
    """
    core = words.core(text)
    leans = is_follow_up(text)
    if not before:
        if not leans or (not words.is_fragment(text) and reader.read(text).understood):
            return Resolved(text)
        return Resolved(
            reason="There is no question before this one to which it could belong; ask it in full, "
            "for example with the name of what you mean."
        )
    full = words.LEAD.sub("", core)
    if (otherwise := _otherwise(full, words.core(before))) and reader.read(otherwise).understood:
        return Resolved(words.sentence(otherwise))
    if leans and not words.is_fragment(text) and not words.PART.match(full) and full != core:
        leans = not reader.read(full).understood
    if points_back(full):
        return _pointing(full, words.core(before), reader)
    if (named := _named_again(full, words.core(before), reader)) and not reader.read(full).understood:
        return Resolved(words.sentence(named))
    bare = _bare(full, reader)
    if not leans and not bare and reader.read(clean(text)).understood:
        return Resolved(text)
    return _Search(reader, words.core(before), leans=leans or bare is not None).resolve(core, text, bare)


def _pointing(core: str, before: str, reader: Reader) -> Resolved:
    """What asks for paper, years or order of what was told, of the question before."""
    for full in meant(core, before):
        if reader.read(full).understood:
            return Resolved(words.sentence(full))
    found = tuple(words.sentence(full) for full in near(core, before) if reader.read(full).understood)
    if found:
        return Resolved(options=found)
    return Resolved(
        reason=f"It is not known what '{core}' asks for after '{words.sentence(before)}' Ask it in full."
    )


def _named_again(core: str, before: str, reader: Reader) -> str:
    """The follow-up with the one thing that the question before names in place of "it"; else nothing."""
    if not words.IT.search(core) or words.PART.match(core):
        return ""
    things = {p.text for p in reader.read(before).phrases if any(k.startswith("entity") for k in p.kinds)}
    if len(things) != 1:
        return ""
    (thing,) = things
    full = words.IT.sub(lambda _: thing, core)
    read = reader.read(full)
    return full if read.understood and any(p.text == thing for p in read.phrases) else ""


def _otherwise(core: str, before: str) -> str:
    """The question before in the unit, or the order of years, that is all a follow-up says; else nothing.

    >>> _otherwise("in ps", "What is the B_s0 mean life in s?"), _otherwise("for B0", "masses")
    ('What is the B_s0 mean life in ps?', '')
    >>> _otherwise("in fs", "values of phi_s in ps, newest first")
    'values of phi_s in fs, newest first'
    """
    for split, none in ((split_unit, ""), (split_order, Order.PLAIN)):
        plain, said = split(f"That {core}")
        if said != none and plain.strip(" ?.") == "That":
            bare = before.rstrip(" ?.")
            listed = split_order(bare)[0]
            order = bare[len(listed) :] if split is split_unit else f", {core.rstrip(' ?.')}"
            unit = f" {core.rstrip(' ?.')}" if split is split_unit else ""
            plain = split_unit(listed)[0] if split is split_unit else listed
            return f"{plain}{unit}{order}{'?' if before.endswith('?') else ''}"
    return ""


@dataclass(frozen=True, slots=True)
class _Bare:
    """ "which papers": a kind of thing, and nothing that says which of them."""

    head: str
    what: str


def _bare(core: str, reader: Reader) -> _Bare | None:
    found = words.BARE_HEAD.match(core)
    head = found["head"].lower() if found else ""
    found = found or words.BARE_NOUN.match(core)
    if found is None or words.COUNT.match(core) or words.SUPERLATIVE.match(core):
        return None
    named = reader.read(found["what"]).phrases
    kind = named[0] if len(named) == 1 and named[0].text == found["what"] else None
    if kind is None or not (
        words.MEASURED.match(kind.text) or any(k == "type" or k.startswith("attribute") for k in kind.kinds)
    ):
        return None
    if not head and not all(k == "type" or k.startswith(("attribute", "word")) for k in kind.kinds):
        return None
    return _Bare("how many" if head == "how many" else "which", found["what"])


_Candidate: TypeAlias = tuple[str, Callable[[Reading], bool]]
"""A question, and whether what is understood of it is what the follow-up can have meant."""


class _Search:
    """Candidates for one follow-up, in order of how closely they keep the question before."""

    def __init__(self, reader: Reader, before: str, *, leans: bool) -> None:
        self._reader, self._before, self._leans = reader, before, leans
        self._known: dict[str, Reading] = {}
        self._old = self._read(before)
        self._missing = ""

    def resolve(self, core: str, asked: str, bare: _Bare | None = None) -> Resolved:
        if not self._old.understood:
            return Resolved(
                reason=f"The question before ('{self._before}') was not understood either; ask in full."
            )
        left = words.LEAD.sub("", core)
        for group in (self._of_kind(bare),) if bare else self._groups(left):
            found: dict[str, str] = {}
            for candidate, fits in group:
                read = self._read(candidate)
                if read.understood and fits(read):
                    found.setdefault(read.signature, words.sentence(candidate))
            sure = not (bare and words.RANKED.search(self._before))
            if len(found) == 1 and sure:
                return Resolved(next(iter(found.values())))
            if found:
                return Resolved(options=tuple(found.values())[:4])
        if not self._leans:
            return Resolved(asked)
        return Resolved(reason=self._why_bare(bare) if bare else self._why(left))

    def _why_bare(self, bare: _Bare) -> str:
        return (
            f"It does not say which {bare.what} are meant after '{words.sentence(self._before)}' "
            f"Ask it in full; 'Which {bare.what} are there?' asks for all."
        )

    def _why(self, core: str) -> str:
        said = f"This cannot be read as a follow-up of '{words.sentence(self._before)}'"
        if self._missing:
            return f"{said}: the graph {KNOWS_NOTHING} '{self._missing}'. Ask it in full."
        part = words.PART.match(core)
        rest = part["rest"] if part else core
        unknown = [p.text for p in self._read(words.phrase(rest)[1]).phrases if not p.kinds]
        if unknown:
            names = ", ".join(f"'{u}'" for u in unknown)
            return f"{said}: the graph {KNOWS_NOTHING} {names}. Ask it in full."
        return f"{said}: it fits none of the things that question names. Ask it in full."

    def _groups(self, core: str) -> Iterator[Iterable[_Candidate]]:
        part, superlative, year = (
            words.PART.match(core),
            words.SUPERLATIVE.match(core),
            words.BARE_YEAR.match(core),
        )
        if words.COUNT.match(core):
            yield [(c, self._counts) for c in words.counted(self._before)]
            return
        if superlative:
            yield [(c, self._keeps_all) for c in self._superlatives(superlative["what"])]
            return
        base = self._before
        if part:
            base = next(iter(words.counted(base)), base) if part["head"].lower() == "how many" else base
            core = words.having(part["rest"])
        elif year:
            core = f"in {year['year']}"
        joint, left = words.excluded(core)
        if left and words.LIMITS.match(left):
            yield [(c, self._adds) for c in self._no_limits(base)]
        if left:
            yield from self._exclusions(base, joint, left)
            return
        preposition, phrase = words.phrase(core)
        if words.POSSESSIVE.match(phrase):
            yield [(c, self._exchanged) for c in self._of_the_same(words.POSSESSIVE.sub("", phrase))]
            return
        if words.YEARS.fullmatch(f"{preposition} {phrase}"):
            yield [(c, self._differs) for c in words.with_years(base, f"{preposition} {phrase}")]
            return
        yield from self._changes(base, preposition, phrase, exchange=not part)

    def _changes(
        self, base: str, preposition: str, phrase: str, *, exchange: bool
    ) -> Iterator[Iterable[_Candidate]]:
        """Something in place of what the question names, else added to it; "with a K+" rather adds."""
        narrowing = words.narrows(preposition)
        if narrowing:
            yield [(f"{base} {joint} {phrase}", self._adds) for joint in ("and", preposition)]
        if exchange and preposition:
            yield [(c, self._exchanged) for c in self._exchanges(phrase, preposition)]
        if exchange and not narrowing:
            yield [(c, self._exchanged) for c in self._exchanges(phrase)]
            inner = tuple(self._inner_exchanges(phrase))
            yield [(new, self._exchanged) for new, _ in inner]
            self._missing = inner[0][1] if inner else ""
            if inner or (preposition in words.SUBJECT and not self._kinds(phrase)):
                return
        if preposition:
            yield [(f"{base} {preposition} {phrase}", self._adds)]
        yield [(c, self._adds) for c in self._additions(base, preposition, phrase)]

    def _exclusions(self, base: str, joint: str, phrase: str) -> Iterator[Iterable[_Candidate]]:
        """ "not with a K+": against what the question names, else one more condition.

        What is not "of the B0" may well have a B0 among its parts: the preposition stays.
        """
        named = [p for p in self._old.phrases if p.text.lower() == phrase.lower()]
        if named and base == self._before:
            starts = [(words.governor(base, p.start)[0], p.end) for p in named]
            yield [(words.put(base, s, e, f"without {phrase}"), self._differs) for s, e in starts]
            return
        if joint and not words.narrows(joint):
            yield [(f"{base} {no} {joint} {phrase}", self._adds) for no in ("but not", "and not")]
            yield [(f"{base} that {be} not {joint} {phrase}", self._narrows) for be in ("are", "were")]
            return
        yield [(f"{base} {no} {phrase}", self._adds) for no in ("without", "but not")]
        yield [(f"{base} that {be} not {phrase}", self._narrows) for be in ("are", "were")]

    def _no_limits(self, base: str) -> Iterator[str]:
        """ "no limits": the values that are none, and who measured those."""
        yield f"{base} that are not limits"
        at = next((p.start for p in self._old.phrases if _names(p)), None)
        if base == self._before and at is not None:
            yield f"{words.put(base, at, at, 'values of ')} that are not limits"

    def _of_kind(self, bare: _Bare) -> Iterator[_Candidate]:
        """The kind of thing that is asked for now, with all that the question before named."""
        head = "How many" if bare.head == "how many" else "Which"
        same = next((p for p in self._old.phrases if "type" in p.kinds), None)
        if same is not None and same.text.lower() == bare.what.lower():
            yield f"{head} {self._before[same.start :]}", self._keeps_all
            return
        named = [p for p in self._old.phrases if _names(p)]
        if named:
            plain, unit = split_unit(self._before)
            tail = (plain if unit else self._before)[named[0].start :]
            for joint in _UNNAMED:
                yield f"{head} {bare.what} {joint} {tail}", self._keeps_all

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
        """One wish more, and none about something that the question before names: that is what it is."""
        named = {c.split(" ", 1)[0] for c in self._old.conditions if c.split(" ", 2)[1:2] == ["id"]}
        more = new.conditions - self._old.conditions
        return new.conditions > self._old.conditions and not any(c.split(" ", 1)[0] in named for c in more)

    def _narrows(self, new: Reading) -> bool:
        """Another reading of the whole question before, every word of which is in the new one."""
        return new.signature != self._old.signature and new.counts == self._old.counts

    def _of_the_same(self, phrase: str) -> Iterator[str]:
        """ "its lifetime": something else of what the question names, which stays named."""
        yield from (new for new, _ in self._inner_exchanges(phrase))
        if sum(map(_names, self._old.phrases)) > 1:
            yield from self._exchanges(phrase)

    def _exchanges(self, phrase: str, preposition: str = "") -> Iterator[str]:
        """The phrase in place of one of its kind; with a ``preposition``, of one behind such a word."""
        for old in self._old.of_kind(self._kinds(phrase)):
            if not preposition or words.alike(words.governor(self._before, old.start)[1], preposition):
                yield words.put(self._before, old.start, old.end, phrase)

    def _inner_exchanges(self, phrase: str) -> Iterator[tuple[str, str]]:
        """Words inside a name: "B_s0 mass" becomes "B+ mass"; each with the name that it makes."""
        kinds = self._kinds(phrase)
        for old in self._old.phrases if kinds else ():
            name = self._before[old.start : old.end]
            if not any(k.startswith("entity") for k in old.kinds):
                continue
            size = range(2, len(name.split()) + 1) if " " in phrase else (1,)
            for start, end in (span for n in reversed(size) for span in words.inner_spans(name, n)):
                if _alike(name[start:end], phrase) and self._read(name[start:end]).of_kind(kinds):
                    made = words.put(name, start, end, phrase)
                    yield words.put(self._before, old.start, old.end, made), made

    def _kinds(self, phrase: str) -> frozenset[str]:
        """What the whole phrase may be; nothing for one with words that mean nothing."""
        found: tuple[Phrase, ...] = self._read(phrase).phrases
        kinds = found[0].kinds if len(found) == 1 else frozenset()
        return frozenset(k for k in kinds if k.startswith(("entity", "value", "type")))

    def _additions(self, base: str, preposition: str, phrase: str) -> Iterator[str]:
        joints = (preposition, *(j for j in _JOINTS if j != preposition)) if preposition else _JOINTS
        first = next((p for p in self._old.phrases if "type" in p.kinds), None)
        if base == self._before and first is not None:
            yield words.put(base, first.start, first.start, f"{phrase} ")
        for joint in joints:
            yield f"{base} {joint} {phrase}"

    def _superlatives(self, what: str) -> Iterator[str]:
        for phrase in self._old.phrases:
            if any(k.startswith("entity") for k in phrase.kinds):
                yield f"What is the {what} value of {phrase.text}"


def _names(phrase: Phrase) -> bool:
    return any(k.startswith(("entity", "value", "year")) for k in phrase.kinds)


def _alike(old: str, new: str) -> bool:
    """Whether both have the signs that join names (an arrow), or neither."""
    signs = re.compile(r"(?<!\S)[^\w\s]+(?!\S)")
    return set(signs.findall(old)) == set(signs.findall(new))
