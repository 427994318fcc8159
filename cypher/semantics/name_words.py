"""Words that mean something else elsewhere and here belong to a name: "Max Bell", "Last Ferry"."""

from __future__ import annotations

from collections.abc import Sequence

from cypher.semantics.text import Word, value_key
from cypher.semantics.values import ValueTable


def is_in_value(values: ValueTable, tokens: Sequence[Word], at: int, end: int) -> bool:
    """Whether the word at ``at`` has a capital, reaches to ``end`` and is a part of a longer value.

    >>> from cypher.semantics.text import words
    >>> from cypher.semantics.values import StoredValue
    >>> table = ValueTable([StoredValue("Person", "name", "Max Bell")])
    >>> is_in_value(table, words("Who taught Max Bell?"), 2, 14), is_in_value(table, words("max bell"), 0, 3)
    (True, False)
    """
    if not tokens or not tokens[at].text[0].isupper() or tokens[at].end < end:
        return False
    return is_part(values, tokens, at)


def is_part(values: ValueTable, tokens: Sequence[Word], at: int) -> bool:
    """Whether a word is a part of a longer value, however it is written."""
    spans = (
        tokens[start:stop]
        for start in range(max(0, at - values.longest), at + 1)
        for stop in range(at + 1, min(len(tokens), start + values.longest) + 1)
        if stop - start > 1
    )
    return any(values.exact(value_key(" ".join(w.text for w in span))) for span in spans)
