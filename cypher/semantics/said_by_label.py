"""Words for a kind of things that is also the value of a property: engineers titled "Engineer"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cypher.semantics.lexicon import Term
from cypher.semantics.text import identifier_words
from cypher.semantics.values import StoredValue

_BEFORE: Final = frozenset({"which", "what", "every", "each", "any", "no", "the", "all", "many"})


def beyond_label(
    found: Sequence[StoredValue], raw: str, before: str, labels: Iterable[str]
) -> list[StoredValue]:
    """The values that say more than the label or the relationship that the words name.

    "Which engineers" asks for all engineers, seniors too; "is she an engineer" may ask for her title.

    >>> title = StoredValue("Engineer", "title", "Engineer")
    >>> beyond_label([title], "engineers", "many", ["Engineer"])
    []
    >>> beyond_label([title], "Engineer", "an", ["Engineer"]) == [title]
    True
    """
    names = frozenset(labels)
    return [v for v in found if not (_is_said(v, names) and (v.text != raw or before.lower() in _BEFORE))]


def without_others(found: Sequence[StoredValue], terms: Sequence[Term]) -> list[StoredValue]:
    """Values of which words are only a part, without those of other properties than the words name.

    >>> mode, site = StoredValue("Shift", "mode", "on-site"), Term("property", "site", ("Detector",))
    >>> without_others([mode], [site]), without_others([mode], []) == [mode]
    ([], True)
    """
    named = {t.name for t in terms if t.kind == "property" and t.weight >= 1}
    return [v for v in found if not named or v.property in named]


def _is_said(value: StoredValue, labels: frozenset[str]) -> bool:
    """Whether a value is what things of its owner are called anyway."""
    if not (value.of_relation or value.owner in labels):
        return False
    called = [w.lower() for w in identifier_words(value.owner)]
    own = " ".join(called[:1] if value.of_relation else called)
    return value.text.lower() == own
