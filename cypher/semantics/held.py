"""Types that name a verb and what it is about, of what another has: ``KNOWS_PHONE``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema

_MEANS: Final = ("by", "over", "over the", "on the", "via", "through", "through the")
"""What stands before that by which something is done."""


@dataclass(frozen=True, slots=True)
class Held:
    """A type said by a verb (its stem) and by what the thing at its end has: a label, or a property."""

    kind: str
    verb: str
    label: str = ""
    property: str = ""


def held(schema: StoreSchema) -> tuple[Held, ...]:
    """The types of a schema that name a verb and something else than the label at their end.

    >>> from schemas.store_schema import StoreLabel, StoreRelation, StoreSchema, StoreTriple
    >>> made = StoreSchema(
    ...     labels=(StoreLabel(name="Person"), StoreLabel(name="Phone")),
    ...     relations=(StoreRelation(type="KNOWS_PHONE"), StoreRelation(type="HAS_PHONE")),
    ...     triples=(StoreTriple(start="Person", type="KNOWS_PHONE", end="Person"),
    ...              StoreTriple(start="Person", type="HAS_PHONE", end="Phone")))
    >>> [(x.kind, x.verb, x.label) for x in held(made)]
    [('KNOWS_PHONE', 'know', 'Phone')]
    """
    out: list[Held] = []
    labels = {_stems(x.name): x.name for x in schema.labels}
    for triple in schema.triples:
        first, *rest = identifier_words(triple.type)
        noun = tuple(stem(w) for w in rest)
        if not rest or not first.endswith(("s", "ed")):
            continue
        end = schema.label(triple.end)
        own = [x.name for x in end.properties if _stems(x.name) == noun] if end else []
        if noun in labels and labels[noun] != triple.end:
            out.append(Held(triple.type, stem(first), labels[noun]))
        elif own:
            out.append(Held(triple.type, stem(first), property=own[0]))
    return tuple(dict.fromkeys(out))


def by_means(one: Held) -> Iterator[tuple[str, ...]]:
    """ "Know by phone", "know over the phone": the thing that a type names besides its verb is the means."""
    for link in _MEANS if one.label else ():
        yield (one.verb, *link.split(), *identifier_words(one.label))


def _stems(name: str) -> tuple[str, ...]:
    return tuple(stem(w) for w in identifier_words(name))
