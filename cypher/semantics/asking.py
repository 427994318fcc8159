"""What the words of a question leave open of the columns that it wants."""

from __future__ import annotations

from typing import Final

from cypher.semantics.ir import Head, Query
from cypher.semantics.mentions import Linked

_NAMES: Final = frozenset({"names", "titles"})
_NAME: Final = frozenset({"name", "title"})
_CONDITION: Final = frozenset({"with", "whose", "have", "has", "having", "by"})
"""Words before "names" that make it a condition: "people with names that ..."."""
_ASKING: Final = frozenset({"what", "which", "who", "whom", "whose", "where", "when", "how"})


def names_asked(words: tuple[str, ...]) -> bool:
    """Whether a question says that names are what it wants.

    >>> names_asked(("list", "the", "names", "of", "ships"))
    True
    >>> names_asked(("list", "ships", "with", "the", "name", "ada"))
    False
    """
    if words[:1] == ("name",):
        return True
    for at, word in enumerate(words):
        before = words[at - 2 : at] if at > 1 else words[:at]
        if word in _NAMES and not _CONDITION & set(before):
            return True
        if word in _NAME and words[at + 1 : at + 2] == ("of",) and not _CONDITION & set(before):
            return True
    return False


def only_names(words: tuple[str, ...]) -> bool:
    """Whether names alone are asked for, in as many words.

    >>> only_names(("the", "names", "of", "ships")), only_names(("name", "the", "ships"))
    (True, False)
    """
    return words[:1] != ("name",) and names_asked(words)


def open_columns(linked: Linked, query: Query) -> dict[str, float]:
    """Figures on how a list of things without a word for their columns is asked for.

    "Find all ships" may want the things with all that is known of them, "which ships" rather their names,
    "the names of the ships" nothing else. The first few of them are rather listed by name.
    """
    words = tuple(w.lower for w in linked.words)
    named = names_asked(words)
    bare = query.head is Head.LIST and not query.project and not named
    asked = next((w for w in words if w in _ASKING), "") if bare else ""
    told = any(w in _ASKING for w in words[:3])
    return {
        "asks_names": float(named and query.head is Head.LIST),
        "asks_all": float(bare and not told and query.limit is None),
        "asks_some": float(bare and not told and query.limit is not None),
        "asks_which": float(bare and told and asked != "who" and query.limit is None),
    }
