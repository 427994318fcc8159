"""First and last names, asked for where a graph keeps whole names alone: "who has the surname Lee"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.lexicon import Lexicon
from cypher.semantics.text import stem, value_key
from cypher.semantics.values import ValueTable

_PARTS: Final = (
    (("surname", "last name", "family name"), "a name that ends with ' {}'"),
    (("first name", "given name", "forename"), "a name that starts with '{} '"),
)


class Surnames:
    """Turns parts of names into beginnings and ends of names.

    >>> names = Surnames(Lexicon(), ValueTable([]))
    >>> names.plainly("Who has the surname Lee?")
    "Who has a name that ends with ' Lee'?"
    >>> names.plainly("List sailors with the first name Ann.")
    "List sailors with a name that starts with 'Ann '."
    >>> names.plainly("Who has the surname O'Brien?")
    "Who has a name that ends with ' O'Brien'?"
    """

    def __init__(self, lexicon: Lexicon, values: ValueTable) -> None:
        """A graph that keeps such parts has words for them, which stay; so does a name that is one whole."""
        self._values = values
        self._rules = [
            (
                re.compile(
                    rf"\b(?:(?:an?|the) )?(?:{'|'.join(nouns)}) (?:is |of )?'?([A-Z](?:[\w’-]|'(?=[A-Z]))*)'?"
                ),
                how,
            )
            for nouns, how in _PARTS
            if not any(tuple(map(stem, noun.split())) in lexicon.phrases for noun in nouns)
        ]

    def plainly(self, question: str) -> str:
        """The question with tests of whole names, or as it is."""
        for expression, how in self._rules:
            found = expression.search(question)
            if found and not self._values.exact(value_key(found[1])):
                question = question[: found.start()] + how.format(found[1]) + question[found.end() :]
        return question
