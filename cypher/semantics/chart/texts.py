"""Tests of texts: "starts with M or W", "does not contain 'oak'", "whose first letter is W"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Denied, Features, Has, Limit, Noun, Predicate, Thing
from cypher.semantics.chart.phrases import text_test
from cypher.semantics.chart.wanting import owners
from cypher.semantics.chart.wordlists import FREE, NEGATIONS, words_of
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_SAID: Final = FREE | {"that", "which", "does", "do", "did", "is", "are", "was", "were"}
_HOLDING: Final = frozenset({"has", "have", "having", "with", "holding"})
_CONTAINING: Final = words_of(
    "contain contains containing include includes including mention mentions mentioning"
)
_LETTER: Final = frozenset(
    {"letter", "letters", "character", "characters", "initial", "digit", "digits", "word"}
)
_SPELLED: Final = frozenset(
    ["letter", "letters", "word", "text", "string", "phrase", "substring", "characters", "\u201c", '"', "'"]
)
"""Words and marks that say that what follows is spelled so."""
_PLACES: Final = {
    **dict.fromkeys(("first", "initial", "starting", "opening"), Operator.STARTS),
    **dict.fromkeys(("last", "final", "closing", "ending"), Operator.ENDS),
}
_PARTS: Final = {
    **dict.fromkeys(("prefix", "initial", "initials", "beginning", "start"), Operator.STARTS),
    **dict.fromkeys(("suffix", "ending", "end"), Operator.ENDS),
}
_INSIDE: Final = (("in", "it"), ("in", "them"), ("inside", "it"), ("within", "it"), ("somewhere", "in", "it"))
_BEING: Final = frozenset({"is", "are", "being", "of", ":"})


def tested(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """Tests of a text behind its property."""
    place, negated = at, False
    while p.word(place) in _SAID | NEGATIONS:
        negated = negated or p.word(place) in NEGATIONS
        place += 1
    for operator, texts, end in (*_by_verb(p, place), *_by_part(p, place)):
        options = tuple((Has(name, operator, text),) for text in texts)
        limit: Limit = options[0][0] if len(options) == 1 else AnyOf(options)
        features: Features = (*begin, ("c_cue", 2.0 + 0.5 * (len(options) - 1)))
        limits = (Denied((limit,)),) if negated else (limit,)
        yield Predicate(end, owner, limits, total(features), features)


def tested_name(p: Parser, at: int, label: str) -> Iterator[Predicate]:
    """ "(An address) containing the word Grove": a test of the name that things have, though not said."""
    found = p.vocabulary.schema.label(label)
    for test in tested(p, at, label, found.name_property, ()) if found and found.name_property else ():
        if _SPELLED & set(p.lower[at : test.end]) or p.lattice.of(test.end - 1, "text"):
            yield test


def containing(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Pages) containing the remark 'oak'": a test of the property that stands behind the verb."""
    place = at + 1
    while p.word(place) in FREE:
        place += 1
    for lexeme in p.lattice.of(place, "property") if p.word(at) in _CONTAINING else ():
        for text in p.lattice.of(lexeme.end, "text"):
            for owner, name in owners(p, lexeme):
                info = p.vocabulary.words.properties.get((owner, name))
                if info and info.type is PropertyType.STRING:
                    features: Features = (("c_property", lexeme.score), ("c_cue", 2.0))
                    limits = (Has(name, Operator.CONTAINS, text.text),)
                    yield Predicate(text.end, owner, limits, total(features), features)


def text_first(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(A) '.org' address": a quoted text before a property that holds it, or before things so called."""
    for text in p.lattice.of(at, "text") if not p.lattice.of(at, "value") else ():
        for found in p.lattice.of(text.end, "property"):
            for owner in (x for x in found.owners if found.name and p.vocabulary.schema.label(x)):
                features: Features = (("c_property", found.score), ("c_cue", 2.0))
                limit = Has(found.name, Operator.CONTAINS, text.text)
                yield Predicate(found.end, owner, (limit,), total(features), features)


def text_before(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "'.org' mailboxes": a quoted text before things whose name holds it."""
    for text in p.lattice.of(at, "text") if not p.lattice.of(at, "value") else ():
        for found in p.lattice.of(text.end, "label"):
            label = p.vocabulary.schema.label(found.name)
            if label and label.name_property:
                features: Features = (*begin, ("c_label", found.score), ("c_cue", 2.0))
                limit = Has(label.name_property, Operator.CONTAINS, text.text)
                yield Noun(found.end, Thing(found.name, (limit,)), total(features), features)


def written(p: Parser, at: int) -> tuple[str, int] | None:
    """The text at a word: what stands between quotes, else words with capitals or digits, else one word."""
    texts = p.lattice.of(at, "text")
    if texts:
        return texts[0].text, texts[0].end
    dotted = p.word(at) in (".", "@", "-") and at + 1 < p.size
    if at >= p.size or not (dotted or p.word(at)[:1].isalnum()):
        return None
    end = at + 1 + dotted
    while end < p.size and all(_is_name(p.lattice.words[i].text) for i in (at, end)):
        end += 1
    first, last = p.lattice.words[at], p.lattice.words[end - 1]
    return p.lattice.linked.text[first.start : last.end], end


def _is_name(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


def _texts(p: Parser, at: int) -> tuple[tuple[str, ...], int] | None:
    """ "M", "either M or W"."""
    at += p.word(at) == "either"
    found = written(p, at)
    if found is None:
        return None
    texts, end = [found[0]], found[1]
    while p.word(end) in ("or", ",") and len(texts) < 5:
        further = written(p, end + 1 + (p.word(end) == "," and p.word(end + 1) == "or"))
        if further is None or not (_is_name(further[0]) or p.lattice.of(at, "text")):
            break
        texts.append(further[0])
        end = further[1]
    return tuple(texts), end


def _by_verb(p: Parser, at: int) -> Iterator[tuple[Operator, tuple[str, ...], int]]:
    found = text_test(p.lower, at)
    if found and (texts := _texts(p, found[0])):
        yield found[1], *texts


def _by_part(p: Parser, at: int) -> Iterator[tuple[Operator, tuple[str, ...], int]]:
    """ "First letter is W", "has W as its first letter", "has the prefix 'Wo'", "has 'oak' in it"."""
    place = at + (p.word(at) in _HOLDING)
    while p.word(place) in FREE:
        place += 1
    if operator := _PLACES.get(p.word(place)):
        end = place + 1 + (p.word(place + 1) in _LETTER)
        if end > place + 1 and (texts := _texts(p, end + (p.word(end) in _BEING))):
            yield operator, *texts
    if (operator := _PARTS.get(p.word(place))) and (
        texts := _texts(p, place + 1 + (p.word(place + 1) in _BEING))
    ):
        yield operator, *texts
    held = written(p, place) if p.word(at) in _HOLDING else None
    if held is None:
        return
    text, end = held
    for inside in _INSIDE:
        if p.lower[end : end + len(inside)] == inside:
            yield Operator.CONTAINS, (text,), end + len(inside)
    if p.lower[end : end + 2] == ("at", "the") and p.word(end + 2) in _PARTS:
        yield _PARTS[p.word(end + 2)], (text,), end + 3
    if p.word(end) == "as" and p.word(end + 1) in ("its", "their", "the", "a"):
        role = p.word(end + 2)
        if role in _PLACES and p.word(end + 3) in _LETTER:
            yield _PLACES[role], (text,), end + 4
        elif role in _PARTS:
            yield _PARTS[role], (text,), end + 3
