"""A quantity that is described and named: "the CP violating phase gamma", "the B_s frequency, Delta m_s".

The schema's groups of names that mean the same tell which words describe: what some names of a group have
before another one ("CKM angle"), and, before a comma, words that all stand in names of the named quantity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from cypher.link import EntityWord, Linker
from cypher.words import ARTICLES, stem
from schemas.graph_schema import GraphSchema

_LEAST_WORDS: Final = 2
_ENDS_OPEN: Final = re.compile(r"(?:^|\s)(?:of|in|on|to|and|or|for)$|[^A-Za-z \-]")
"""No description: words that a name must follow, or a formula."""
Find = Callable[[Sequence[str]], frozenset[str]]
"""Which of some names the graph holds as they stand."""


def described(text: str, schema: GraphSchema, linker: Linker, find: Find) -> Iterator[str]:
    """The question with the name alone for what is described and named."""
    without = _without_apposition(text, schema, linker)
    yield from dict.fromkeys((without, _named(without, schema, find)))


def descriptions(schema: GraphSchema) -> frozenset[str]:
    """What the schema's names say before another name of the same group, in lower case.

    >>> from schemas.schema_files import load_schema
    >>> "cp violating phase" in descriptions(load_schema("particle_physics"))
    True
    """
    return _descriptions(tuple(map(tuple, _groups(schema))))


@lru_cache(maxsize=16)
def _descriptions(groups: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    found: set[str] = set()
    for group in groups:
        for name in group:
            for short in group:
                said = name[: -len(short)].strip() if name.endswith(f" {short}") else ""
                if len(said.split()) >= _LEAST_WORDS and not _ENDS_OPEN.search(said):
                    found.add(said.lower())
    return frozenset(found)


def _groups(schema: GraphSchema) -> Iterator[Sequence[str]]:
    for entity in schema.entities:
        yield from entity.canonicalization.synonyms


def _named(text: str, schema: GraphSchema, find: Find) -> str:
    """ "the CP violating phase gamma" is what the graph calls gamma."""
    for said in sorted(descriptions(schema), key=lambda d: (-len(d), d)):
        words = r"[ -]".join(map(re.escape, said.split()))
        found = re.search(rf"\b(?:the )?{words} (?P<name>[^\s?,;]+)", text, re.IGNORECASE)
        name = _held(found["name"], schema, find) if found else ""
        if found and name:
            return f"{text[: found.start()]}{name}{text[found.end() :]}"
    return text


def _held(name: str, schema: GraphSchema, find: Find) -> str:
    """The one name of the graph that means the same."""
    same = (name, *(n for g in _groups(schema) if name in g for n in g))
    held = find(tuple(dict.fromkeys(same)))
    return next((n for n in same if n in held), "")


def _without_apposition(text: str, schema: GraphSchema, linker: Linker) -> str:
    """ "of the oscillation frequency, Delta m_s" is "of Delta m_s"."""
    tokens = linker.tokens
    for at, options in linker.names().items():
        if not at or "," not in text[tokens[at - 1].end : tokens[at].start]:
            continue
        known = _words_of(options[0][1], schema)
        first = at
        while first and _says(tokens[first - 1].text, known):
            first -= 1
        if at - first >= _LEAST_WORDS:
            first -= tokens[first - 1].text.lower() in ARTICLES if first else 0
            return text[: tokens[first].start] + text[tokens[at].start :]
    return text


def _words_of(named: EntityWord, schema: GraphSchema) -> frozenset[str]:
    """Words of all names that the schema knows for a thing."""
    names = {m.name for m in named.matches}
    groups = (g for g in _groups(schema) if names & set(g))
    return frozenset(stem(w) for g in groups for n in g for w in n.split())


def _says(word: str, known: frozenset[str]) -> bool:
    """Whether a word says only what the names say; the charge of a neutral particle may be left out."""
    return word.lower() not in ARTICLES and (stem(word) in known or stem(f"{word}0") in known)
