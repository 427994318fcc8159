"""Words that stand in a text of a thing: "with 'pentaquark' in the title", "whose comment mentions e+ e-"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.form import Op
from cypher.general import english as en
from cypher.general.items import Items
from cypher.general.kinds import Kind
from cypher.general.plan import Test
from cypher.general.refs import Part, Ref
from cypher.normalise import quoted_spans
from cypher.word_lists import TEXTS

MOST_WORDS: Final = 8
_OWN: Final = frozenset({"the", "its", "their", "a", "an"})
_WHOSE: Final = frozenset({"whose", "with", "having", "where"})
_BEARS: Final = frozenset({"has", "have", "bears", "carries", "carry", "bear"})
_VERBS: Final = en.words(
    "contain contains containing contained mention mentions mentioning mentioned include includes including "
    "say says saying has have having"
)
_BEFORE_CODE: Final = frozenset({"from", "by", "with", "using", "of", "whose"})
_NEXT: Final = frozenset({"and", "or", "but", "are", "is", "were", "was", "have", "has", "there"})
_BEGINS: Final = en.words("with containing mentioning having have has contain contains mention mentions")


def containing(items: Items, at: int) -> Iterator[tuple[int, Part]]:
    """Conditions on a text that begin here; the words are looked for as they stand, in any case."""
    if at < len(items):
        yield from _in_text(items, at)
        yield from _text_with(items, at)
        yield from _code(items, at)


def _in_text(items: Items, at: int) -> Iterator[tuple[int, Part]]:
    """ "with pentaquark in the title", "that mention X in their title"."""
    start = at + 1 if items.word(at) in ("that", "which") else at
    if items.word(start) not in _BEGINS:
        return
    begin = _word_behind(items, start + 1)
    for end in range(begin + 1, min(begin + MOST_WORDS, len(items) - 1)):
        noun = end + 2 if items.word(end + 1) in _OWN else end + 1
        if items.word(end) != "in":
            continue
        for last, kind in _texts(items, noun):
            yield last, _part(items, kind, begin, end)


def _code(items: Items, at: int) -> Iterator[tuple[int, Part]]:
    """ "technique THEO", "from technique THEO", "whose technique is RVUE": a code in capital letters."""
    noun = at + 1 if items.word(at) in _BEFORE_CODE else at
    noun = noun + 1 if items.word(noun) in _OWN else noun
    for end, kind in _texts(items, noun):
        code = end + 1 if items.word(end) == "is" else end
        said = items.tokens[code].text.strip("()") if code < len(items) else ""
        if len(said) > 1 and said.isupper() and said.isalpha():
            yield code + 1, Part((Ref(kind, (Test(Op.IS, said, f"'{said}'"),), named=said),))


def _text_with(items: Items, at: int) -> Iterator[tuple[int, Part]]:
    """ "whose title contains pentaquark", "with a comment that mentions X", to the end or a comma."""
    if items.word(at) not in _WHOSE | _BEARS:
        return
    noun = at + 2 if items.word(at + 1) in _OWN else at + 1
    for end, kind in _texts(items, noun):
        quoted = _quoted_to(items, end + 1 if items.word(end) == "is" else end)
        if quoted is not None:
            yield quoted[1], _part(items, kind, *quoted)
        if items.word(at) in _BEARS:
            continue
        verb = end + 1 if items.word(end) in ("that", "which") else end
        if items.word(verb) not in _VERBS:
            continue
        begin = _word_behind(items, verb + 1)
        last = next((i for i in range(begin + 1, len(items)) if _ends_before(items, i)), len(items))
        if begin < last <= begin + MOST_WORDS:
            yield last, _part(items, kind, begin, last)


def _quoted_to(items: Items, at: int) -> tuple[int, int] | None:
    """The words in quotation marks that begin here."""
    if at >= len(items):
        return None
    start = items.tokens[at].start
    end = next((b for a, b in quoted_spans(items.text) if a == start), None)
    if end is None:
        return None
    return at, next((i for i, t in enumerate(items.tokens) if t.start >= end), len(items))


def _ends_before(items: Items, at: int) -> bool:
    """Whether the words that are looked for end here: at a comma, a verb or what joins another condition."""
    return items.comma_before(at) or bool(items.verbs(at)) or items.word(at) in _NEXT | en.VERBS


def _word_behind(items: Items, at: int) -> int:
    """Behind "the word"."""
    start = at + 1 if items.word(at) in _OWN and items.word(at + 1) in TEXTS else at
    start = at + 1 if start == at and items.word(at) in ("a", "an") else start
    return start + 1 if items.word(start) in TEXTS else start


def _texts(items: Items, at: int) -> Iterator[tuple[int, Kind]]:
    """Nouns for texts that things have."""
    for end, kind in items.attributes(at):
        if kind.is_value and not items.graph.is_many(kind) and not items.graph.is_number(kind):
            yield end, kind


def _part(items: Items, kind: Kind, begin: int, end: int) -> Part:
    said = items.text[items.tokens[begin].start : items.tokens[end - 1].end]
    return Part((Ref(kind, (Test(Op.HAS, said.lower(), f"'{said}'"),), named=said),))
