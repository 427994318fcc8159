"""Plainer words for a graph's figures and flags: the "most cited" has the most citations."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.deed_names import nouns_of
from cypher.semantics.rephrasing.rule import Rule, rule
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import PropertyType, StoreSchema

_NUMERIC: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_RULES: Final[tuple[Rule, ...]] = (
    rule(r"\bnone of (?:our|the|these|those|their) (?=[a-z])", "no "),
    rule(r"\b(?:combined|cumulative|accumulated) (?=[a-z])", "total "),
    rule(
        r"^how many ([a-z]+) (?:did|have|do) we (?:do|done|run|have|had|make|made|hold|held)"
        r"(?= (?:in|during|since|per|for|each|every)\b|\s*[?.]*$)",
        r"how many \1 were there",
    ),
    rule(r"\b(?:were there )?(?:each|every) month (?:of|in) (\d{4})\b", r"per month in \1"),
    rule(
        r"^((?!which|what|who|how|is|are|do|does)[a-z][a-z -]*s) and (?:which|what) ([a-z]+) ([a-z]+) "
        r"(?:them|it)\b",
        r"\1 with the \2 that \3 them",
    ),
    rule(
        r"\b(?:that|who|which) only ([a-z]+(?: to| in| at| for| on)?) a single ([a-z]+)\b",
        r"that \1 exactly one \2",
    ),
)


class SaidPlainly:
    """Rewords a question by the numbers and flags that a graph keeps.

    >>> from schemas.store_schema import StoreLabel, StoreProperty
    >>> cited = StoreProperty(name="citations", type=PropertyType.INTEGER)
    >>> old = StoreProperty(name="deprecated", type=PropertyType.BOOLEAN)
    >>> plain = SaidPlainly(StoreSchema(labels=(StoreLabel(name="Paper", properties=(cited, old)),)))
    >>> plain.plainly("What is the most cited paper?")
    'What is the paper with the most citations?'
    >>> plain.plainly("Which papers were cited more than 100 times?")
    'Which papers have more than 100 citations?'
    >>> plain.plainly("Which non-deprecated papers are there?")
    'Which papers that are not deprecated are there?'
    >>> plain.plainly("Which non-stop flights are there?")
    'Which non-stop flights are there?'
    """

    def __init__(self, schema: StoreSchema) -> None:
        """Numbers of things alone, and flags of one word."""
        own = [(p.type, identifier_words(p.name)) for label in schema.labels for p in label.properties]
        numbers = {words[-1] for kind, words in own if kind in _NUMERIC and len(words) == 1}
        self._numbers = {stem(n): n for n in numbers if n.endswith("s")}
        self._flags = {words[-1] for kind, words in own if kind is PropertyType.BOOLEAN}

    def plainly(self, question: str) -> str:
        """The question in those words, or as it is."""
        for expression, said in _RULES:
            question = expression.sub(said, question)
        question = _NON.sub(self._without, question)
        return _TIMES.sub(self._counted, _MOST.sub(self._most, question)) if self._numbers else question

    def _without(self, found: re.Match[str]) -> str:
        flag = found["flag"].lower()
        return f"{found['things']} that are not {flag}" if flag in self._flags else found[0]

    def _most(self, found: re.Match[str]) -> str:
        number = self._number(found["verb"])
        return f"{found['thing']} with the {found['how'].lower()} {number}" if number else found[0]

    def _counted(self, found: re.Match[str]) -> str:
        number = self._number(found["verb"])
        having = "have" if found["being"] else "with"
        return f"{having} {found['how']} {found['number']} {number}" if number else found[0]

    def _number(self, verb: str) -> str:
        """The number that is called by the noun of a verb."""
        nouns = {stem(noun) for noun in nouns_of(verb.lower())} if verb.lower().endswith("ed") else set()
        found = [self._numbers[noun] for noun in nouns if noun in self._numbers]
        return found[0] if len(found) == 1 else ""


_NON: Final = re.compile(r"\bnon-(?P<flag>[a-z]+) (?P<things>[a-z]+s)\b", re.IGNORECASE)
_MOST: Final = re.compile(r"\b(?P<how>most|least) (?P<verb>[a-z]+ed) (?P<thing>[a-z]+)\b", re.IGNORECASE)
_TIMES: Final = re.compile(
    r"\b(?P<being>(?:that |which )?(?:were|was|are|is|has been|have been) )?(?P<verb>[a-z]+ed) "
    r"(?P<how>more than|at least|fewer than|less than|at most|exactly) (?P<number>\d+) times\b",
    re.IGNORECASE,
)
