"""Nouns that nothing in the schema explains and that a reading must not pass over.

"The average altitude of our umbrellas" is not that of our sites, though only sites have an altitude; and
what was stored of Ann Moor is no answer to a question about Ann Smith.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from cypher.semantics.chart import wordlists as w
from cypher.semantics.chart.wanting import HARMLESS
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.lightly import LIGHT
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.reading import Reading
from cypher.semantics.text import Word

_BEFORE: Final = w.words_of(
    "a an the our your my their his her its this these those any some no of for average mean typical usual",
    "have has had do does did between than",
)
"""Words that a noun stands behind."""
_HAVING: Final = frozenset({"have", "has", "had"})
"""Of these, those that a participle stands behind as well."""
_DOING: Final = frozenset({"do", "does", "did", "can", "could", "will", "would", "may", "might", "should"})
_SAYING_NOTHING: Final = w.words_of(
    "node nodes value values year years month months week weeks date dates day days time times moment status",
    "level levels degree degrees percent percentage person people human humans man men woman women hour",
    "hours minute minutes word words term terms number numbers amount amounts figure figures kind kinds type",
    "types sort sorts set sets pair pairs couple group groups entity entities item items best worst rest",
    "case cases order orders way ways one ones lot bit half part parts end start beginning top bottom side",
    "mr mrs ms dr prof professor sir dame graph property properties attribute attributes field fields",
    "zero nil null nought dozen hundred thousand million billion size sizes",
    "second third fourth fifth sixth seventh eighth ninth tenth next previous",
)
"""Nouns that say nothing, or whose meaning the grammar has a use for."""
_KNOWN: Final = (
    _SAYING_NOTHING | w.FREE | w.HARD | w.PREPOSITIONS | w.PARTICLES | w.WHO | w.AUXILIARIES | w.ADVERBS
    | w.COMMANDS | w.RUNNING | w.ENDING | w.SPANS | w.LOCATING | w.LYING | w.RANKED | w.NO_VERB | w.UNITS
    | w.VAGUE | w.TIES | w.TRAILING | w.NOTED | w.NAMING | w.MEASURING.keys() | LIGHT | HARMLESS
)  # fmt: skip


def unknown_nouns(linked: Linked, verbal: Callable[[str], Sequence[object]]) -> tuple[str, ...]:
    """The unexplained words of a question that stand where a noun does: behind "of our", or behind a name.

    ``verbal`` finds the properties that a verb names, by its stem.
    """
    taken = [False] * len(linked.words)
    for mention in (*linked.mentions, *linked.relations):
        taken[mention.start : mention.end] = [True] * (mention.end - mention.start)
    unknown = {
        at
        for at, word in enumerate(linked.words)
        if not taken[at] and word.text in linked.unexplained and _is_unheard(word, verbal)
    }
    found = {*_behind_names(linked, unknown), *_behind_articles(linked, unknown), *_two_names(linked)}
    return tuple(linked.words[at].text for at in sorted(found))


def heard(reading: Reading, whole: Linked, verbal: Callable[[str], Sequence[object]]) -> Reading:
    """The reading of a part of a question, with the nouns of the ``whole`` that it does not explain."""
    taken = {t.word for t in reading.taken}
    left = (x for x in unknown_nouns(whole, verbal) if x not in taken)
    unexplained = tuple(dict.fromkeys((*reading.linked.unexplained, *left)))
    return replace(reading, linked=replace(reading.linked, unexplained=unexplained))


def _is_unheard(word: Word, verbal: Callable[[str], Sequence[object]]) -> bool:
    return word.text.isalpha() and word.lower not in _KNOWN and not verbal(word.stem)


def _behind_names(linked: Linked, unknown: set[int]) -> Iterator[int]:
    """The second word of a name of which only the first is stored: "Ann Smith"."""
    for mention in linked.mentions:
        if mention.end in unknown and _is_name(mention) and not _is_verb(linked, mention):
            yield mention.end


def _is_verb(linked: Linked, name: Mention) -> bool:
    """Whether the word behind a name is a verb by its form, or by the "does" in front of the name."""
    word = linked.words[name.end].text
    asked = name.start > 0 and linked.words[name.start - 1].lower in _DOING
    return is_verb_form(word.lower()) or (asked and word.islower())


def _two_names(linked: Linked) -> Iterator[int]:
    """Both words of a name of which each is a part of another: "Moorland Junction", where none is stored."""
    for first, second in pairwise(linked.mentions):
        parts = [_is_name(m) and m.end == m.start + 1 and m.values[0][1] < 1 for m in (first, second)]
        if all(parts) and first.end == second.start and not {*_texts(first)} & {*_texts(second)}:
            yield from (first.start, second.start)


def _texts(mention: Mention) -> Iterator[str]:
    return (value.text for value, _ in mention.values)


def _is_name(mention: Mention) -> bool:
    return bool(mention.values) and not mention.quoted and mention.text[:1].isupper()


def _behind_articles(linked: Linked, unknown: set[int]) -> Iterator[int]:
    for at in unknown:
        before, word = linked.words[at - 1].lower, linked.words[at].lower
        done = before in _HAVING and is_verb_form(word)  # "have died"
        if at and before in _BEFORE and not (done or _is_before_noun(linked, at)):
            yield at


def _is_before_noun(linked: Linked, at: int) -> bool:
    """Whether what stands right behind a word is something the question names, so that it describes that."""
    behind = (m for m in linked.mentions if m.start == at + 1)
    return any(not is_verb_form(linked.words[m.start].lower) for m in behind)
