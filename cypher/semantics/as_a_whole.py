"""Words for all that a graph is of, "the collaboration", which say nothing of one thing in it."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.text import identifier_words, stem
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema

_WHOLES: Final = (
    *("collaboration", "company", "cooperative", "co-op", "organisation", "organization", "firm", "society"),
    *("association", "enterprise", "consortium", "corporation", "business"),
)


class AsAWhole:
    """Takes the word for the whole out of a question, where nothing in the graph is called so.

    >>> whole = AsAWhole(StoreSchema(), ValueTable(()))
    >>> whole.plainly("Who joined the collaboration before 2010?")
    'Who joined before 2010?'
    >>> whole.plainly("How many members does the company have at the moment?")
    'How many members do we have at the moment?'
    >>> whole.plainly("Who is the chairman of the company?")
    'Who is the chairman of the company?'
    """

    def __init__(self, schema: StoreSchema, values: ValueTable) -> None:
        """Words of the schema and names of things stay as they are."""
        names = [x.name for x in schema.labels] + [r.type for r in schema.relations]
        names += [p.name for label in schema.labels for p in label.properties]
        names += [p.name for relation in schema.relations for p in relation.properties]
        said = {stem(w) for name in names for w in identifier_words(name)}
        free = [w for w in _WHOLES if stem(w) not in said and not values.exact(w)]
        words = "|".join(map(re.escape, free)) or r"(?!)"
        whole = rf"(?:the|our) (?:{words})\b"
        self._rules = (
            (re.compile(rf"\b(?:does|did|do) {whole} have\b", re.IGNORECASE), "do we have"),
            (re.compile(rf"\b(?P<verb>join(?:s|ed)?|leaves?|left) {whole}", re.IGNORECASE), r"\g<verb>"),
            (re.compile(rf"\b(?P<noun>members|people|everybody|everyone|anybody|anyone|who(?: is| are)?) "
                        rf"(?:in|of|at|within) {whole}", re.IGNORECASE), r"\g<noun>"),
            (re.compile(rf"\b(?P<verb>(?:are|is) there) (?:in|at) {whole}", re.IGNORECASE), r"\g<verb>"),
        )  # fmt: skip

    def plainly(self, question: str) -> str:
        """The question without the word where it says nothing."""
        for rule, said in self._rules:
            question = rule.sub(said, question)
        return question
