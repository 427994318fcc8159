"""A second sentence that says what to return: "... Return their names and the titles of the films."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Features, Limit, Linked, Noun, Thing, Wanted
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_VERBS: Final = frozenset(
    ["return", "show", "list", "give", "include", "display", "provide", "output", "report", "returning"]
)
_ONLY: Final = frozenset(["just", "only", "simply"])
"""Words that stand for such a verb where a sentence begins: "Just the date, please."."""
_BEFORE: Final = frozenset([".", "?", ",", ";", "and", "also", "please", "then", "additionally"])
_BETWEEN: Final = frozenset([",", "and", "their", "its", "his", "her", "along", "with", "as", "well", "me"])
_SENTENCE_ENDS: Final = frozenset([".", "?", "!", ";", ""])
_STARTING: Final = _SENTENCE_ENDS | {"please", ","}
MOST_ITEMS: Final = 6
MOST_LISTS: Final = 200


@dataclass(frozen=True, slots=True)
class Item:
    """One thing asked for, with where its words end."""

    end: int
    wanted: Wanted
    features: Features


def returning(p: Parser, noun: Noun) -> Iterator[Noun]:
    """The noun with what is asked of it; nothing where the words are no list of properties."""
    at = noun.end
    while p.word(at) in _BEFORE:
        at += 1
    said = p.word(at) in _VERBS or (p.word(at) in _ONLY and p.word(at - 1) in _STARTING)
    if at == noun.end or not said or noun.quantity is not None:
        return
    reached = list(reached_by(noun.thing))
    stack: list[tuple[int, tuple[Wanted, ...], Features]] = [(at + 1, (), (("c_cue", 1.5),))]
    made = 0
    while stack and made < MOST_LISTS:
        end, wanted, features = stack.pop()
        made += 1
        after = end
        while p.word(after) in _BETWEEN | FREE:
            after += 1
        if wanted and p.word(after) in _SENTENCE_ENDS:
            yield replace(
                noun, end=end, wanted=tuple(dict.fromkeys(wanted)), score=noun.score + total(features),
                features=noun.features + features,
            )  # fmt: skip
            continue
        if len(wanted) == MOST_ITEMS:
            continue
        stack += [
            (item.end, (*wanted, item.wanted), (*features, *item.features))
            for item in items(p, after, noun.thing.label, reached)
        ]


def reached_by(thing: Thing, before: Path = ()) -> Iterator[tuple[str, Path]]:
    """Labels of what is spoken of, with the paths to them."""
    yield thing.label, before
    for limit in thing.limits:
        for inner in _plain(limit):
            yield from reached_by(inner.thing, (*before, *inner.path))


def _plain(limit: Limit) -> Iterator[Linked]:
    if isinstance(limit, Linked):
        yield limit
    elif isinstance(limit, AnyOf) and limit.options and len(limit.options[0]) == 1:
        yield from _plain(limit.options[0][0])


def items(p: Parser, at: int, label: str, reached: list[tuple[str, Path]]) -> Iterator[Item]:
    """What a word asks for of what is spoken of, or of what is nearest to it."""
    for prop, owner, end, gain in _named(p, at):
        if item := _item(p, prop, owner, label, reached):
            wanted, features = item
            yield Item(end, wanted, (*features, ("c_label", gain)))


def _named(p: Parser, at: int) -> Iterator[tuple[Lexeme, str, int, float]]:
    """ "The names of the drugs", "the drug's name", "drug names", "the drugs", "the age"."""
    for lexeme in p.lattice.of(at, "label"):
        after = lexeme.end + (p.word(lexeme.end) == "'")
        for prop in p.lattice.of(after, "property"):
            yield prop, lexeme.name, prop.end, lexeme.score
        own = p.vocabulary.schema.label(lexeme.name)
        if own and own.name_property:
            name = Lexeme("property", lexeme.end, 0.0, own.name_property, (own.name,))
            yield name, lexeme.name, lexeme.end, lexeme.score
    for prop in p.lattice.of(at, "property"):
        yield prop, "", prop.end, 0.0
        if p.word(prop.end) not in ("of", "for"):
            continue
        place = prop.end + 1
        while p.word(place) in FREE | {"their", "each"}:
            place += 1
        for lexeme in p.lattice.of(place, "label"):
            yield prop, lexeme.name, lexeme.end, lexeme.score


def _item(
    p: Parser, prop: Lexeme, owner: str, label: str, reached: list[tuple[str, Path]]
) -> tuple[Wanted, Features] | None:
    owners = [o for o in prop.owners if p.vocabulary.schema.label(o) and owner in ("", o)]
    score: Features = (("c_property", prop.score),)
    for name, path in reached:
        own = p.vocabulary.schema.label(name) if name in owners else None
        if own and (prop.name or own.name_property):
            return Wanted(path, name, prop.name or own.name_property), score
    for other in owners if prop.name else ():
        for path, cost in p.ways.bridges(label, other)[:1]:
            return Wanted(path, other, prop.name), (*score, ("c_bridge", cost + 0.2))
    return None
