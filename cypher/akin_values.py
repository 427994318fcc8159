"""Values that two attributes of one type of thing could both hold, though the graph has them in one alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cypher.schema_words import ValueWord

MIN_COMMON: Final = 2
"""Values that two attributes must have in common, at least."""
SHARE: Final = 0.25
"""The share of the shorter list of values that must be in the other."""
_OF: Final = frozenset(["of", "from", "does", "do", "did", "can", "may"])
"""Words before what decays: "the decays of the pi0", "which decays does the pi0 have"."""
_WITH: Final = frozenset(
    [
        *("with", "have", "has", "having", "contain", "contains", "containing", "into", "to"),
        *("include", "includes", "including"),
    ]
)
"""Words before what is in a list: "decays with a B0"."""
_PRONOUNS: Final = frozenset({"anything", "something", "everything", "nothing"})
"""Words of which listings have one in a list, too: "B -> K anything"; elsewhere they are what they are."""


def meant_here(
    words: Sequence[ValueWord], before: str, behind: Collection[str], named: Collection[str]
) -> tuple[ValueWord, ...]:
    """The values that words may mean where they stand: one that nothing has only where it is asked for.

    ``before`` is the word in front, articles aside; ``behind`` are the types that are named right behind,
    ``named`` those that are named anywhere in the question.

    >>> pion = ValueWord("decay", "parent", "pi0", held=False)
    >>> [len(meant_here((pion,), word, (), ("decay",))) for word in ("of", "and", "with")]
    [1, 0, 0]
    """
    return tuple(
        w
        for w in words
        if (w.held and (w.value not in _PRONOUNS or before in _WITH))
        or (w.owner in named and (before in _WITH if w.many else before in _OF or w.owner in behind))
    )


def akin_values(words: Sequence[ValueWord]) -> Iterator[ValueWord]:
    """Values of a list as those of the attribute of one value that holds many of them, and the other way.

    The decays of a pi0 are none where no decay has it as its parent: they are not those with it as a product.

    >>> held = {"parent": ("B0", "D0", "D+"), "children": ("D0", "D+", "pi0")}
    >>> words = [ValueWord("decay", a, v, a == "children") for a, values in held.items() for v in values]
    >>> [(w.attribute, w.value) for w in akin_values(words)]
    [('parent', 'pi0'), ('children', 'B0')]
    """
    held: dict[tuple[str, str], dict[str, ValueWord]] = defaultdict(dict)
    for word in words:
        held[word.owner, word.attribute][word.value] = word
    for one, many in _akin(held):
        yield from (ValueWord(*one, value, held=False) for value in held[many] if value not in held[one])
        alone = [value for value in held[one] if value not in held[many]]
        yield from (ValueWord(*many, value, many=True, held=False) for value in alone)


def _akin(
    held: Mapping[tuple[str, str], Mapping[str, ValueWord]],
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    lists = {key for key, values in held.items() if any(w.many for w in values.values())}
    for one in sorted(held.keys() - lists):
        for many in sorted(key for key in lists if key[0] == one[0]):
            common = len(held[one].keys() & held[many].keys())
            if common >= max(MIN_COMMON, SHARE * min(len(held[one]), len(held[many]))):
                yield one, many
