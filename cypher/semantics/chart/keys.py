"""What tells the rows of a count apart: "grouped by rank", "per port", "... Give one for each age."."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Each, Features, Has, Linked, Noun, Thing, Wanted
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.returns import reached_by
from cypher.semantics.chart.topics import phrase_at
from cypher.semantics.chart.wanting import property_list, property_words, wants
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.schema_paths import Path

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_GROUPED: Final = (
    *(("grouped", "by"), ("group", "by"), ("broken", "down", "by"), ("categorized", "by"), ("split", "by")),
    *(("per",), ("by",), ("for", "each"), ("for", "every"), ("by", "each"), ("of", "each"), ("in", "each")),
    *(("each",), ("every",), ("in", "every"), ("on", "each"), ("to", "each"), ("from", "each")),
    *(("separately", "for", "each"), ("one", "for", "each")),
)
_BESIDE: Final = frozenset(
    [
        *("with", "beside", "next", "to", "against", "alongside", "along", "together", "by", "per", "for"),
        *("each", "every", "and", "beside", "alongside", "shown", "listed", "given", "put", "state", "as"),
        *("well", "in", "of", "also", "include", "report", "name", "provide", "make", "come", "should"),
    ]
)
"""Words that put what a count is told by beside it, in a sentence of its own."""
_COUNTS: Final = frozenset(
    [
        *("number", "numbers", "count", "counts", "figure", "figures", "total", "totals", "result", "it"),
        *("results", "answer", "answers", "one"),
    ]
)
_SENTENCE_ENDS: Final = frozenset({".", "?", "!", ";"})
_BETWEEN: Final = frozenset({"and", ",", "both", "their", "its", "his", "her", "each"})
_ASIDE: Final = frozenset(
    [
        *("please", "give", "show", "list", "return", "tell", "me", "i", "want", "need", "would", "like"),
        *("break", "split", "group", "down", "it", "this", "that", "them", "one", "a", "the", "separate"),
        *("number", "numbers", "count", "counts", "figure", "figures", "total", "totals", "result"),
        *("results", "answer", "answers", "do", "so", "out", "up"),
    ]
)
"""Words of a second sentence that asks for the count anew."""
_TIMES: Final = frozenset(
    {"year", "years", "month", "months", "day", "days", "date", "dates", "week", "weeks"}
)
MOST_KEYS: Final = 3

Keyed = tuple[tuple[Wanted, ...], int, Features]


def keys_behind(p: Parser, at: int, thing: Thing) -> Iterator[Keyed]:
    """ "(...) grouped by rank and gender", "per port": what tells the rows apart, where it ends."""
    place = phrase_at(p, at + (p.word(at) == ","), _GROUPED) or _said_anew(p, at)
    if place and p.word(at) == "by" and p.word(place) in ("a", "an", "some"):
        return  # "investigated by an officer" says who did it
    stack: list[Keyed] = [((), place, (("c_cue", 1.5),))] if place else []
    if not place:
        yield from _beside(p, at, thing)
    while stack:
        keys, end, features = stack.pop()
        if keys:
            yield keys, end, features
        if len(keys) == MOST_KEYS or (keys and p.word(end) not in _BETWEEN):
            continue
        while p.word(end) in _BETWEEN | FREE or (p.word(end) == "that" and not keys):
            end += 1
        end = (phrase_at(p, end, _GROUPED) or end) if keys else end
        for key, after, gain in _key(p, end, thing):
            stack.append(((*keys, *key), after, (*features, *gain)))


def _beside(p: Parser, at: int, thing: Thing) -> Iterator[Keyed]:
    """A sentence of its own that puts a key beside the count: "... Show the port with the total."."""
    rest = p.lower[at + 1 :]
    if p.word(at) not in _SENTENCE_ENDS or not _COUNTS & set(rest):
        return
    aside = _ASIDE | _BESIDE | FREE | _SENTENCE_ENDS
    place = at + 1
    while place < p.size:
        for key, end, features in _key(p, place, thing):
            counted = _COUNTS & {*p.lower[at + 1 : place], *p.lower[end:]}
            if counted and all(w in aside for w in p.lower[end:]):
                yield key, p.size, (*features, ("c_cue", 1.0))
        if p.word(place) not in aside and not p.lattice.of(place, "relation"):
            return
        place += 1


def _said_anew(p: Parser, at: int) -> int:
    """Where the key starts in a sentence of its own: "... Give one number for each age."."""
    if p.word(at) not in (".", "?", "!", ";", ","):
        return 0
    place = at + 1
    while p.word(place) in _ASIDE and not phrase_at(p, place, _GROUPED):
        place += 1
    return phrase_at(p, place, _GROUPED) if place > at + 1 else 0


def keys_on(p: Parser, thing: Thing, keys: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    """Properties of another label, of what is spoken of or else by the shortest way to it."""
    out = []
    for key in keys:
        told = list(tied(thing, key.label))
        bridges = [path for path, _ in p.ways.bridges(thing.label, key.label)]
        if not (told or bridges):
            return ()
        out.append(Wanted((*(told or bridges)[0], *key.path), key.label, key.name))
    return tuple(out)


def tied(thing: Thing, label: str) -> Iterator[Path]:
    """Ways to the things of a label that a thing is told by; first to those told by a value."""
    return (path for name, path, _ in _tied(thing) if name == label)


def _tied(thing: Thing) -> list[tuple[str, Path, Thing]]:
    """The things that a thing is told by, with the ways to them; those told by a value first."""
    found = [(label, path, _at(thing, path)) for label, path in reached_by(thing) if path]
    return sorted(found, key=lambda x: not any(isinstance(y, Has) for y in x[2].limits))


def tells_each(thing: Thing, path: Path) -> bool:
    """Whether a key is of what is spoken of each: "(how many ships has) each captain? Group by rank"."""
    return Each() in (_at(thing, path) if path else thing).limits


def _at(thing: Thing, path: Path) -> Thing:
    """The thing at the end of a way that ``reached_by`` gave."""
    for limit in thing.limits:
        inner, way = getattr(limit, "thing", None), getattr(limit, "path", None)
        if inner is not None and way and path[: len(way)] == way:
            return inner if len(way) == len(path) else _at(inner, path[len(way) :])
    return Thing(path[-1].to)


def _key(p: Parser, at: int, thing: Thing) -> Iterator[Keyed]:
    label = thing.label
    yield from _behind_participle(p, at, thing)
    yield from _of_owner(p, at, thing)
    for names, end, score in property_list(p, at):
        themselves = any(x.name == label and x.end == end for x in p.lattice.of(at, "label"))
        if len(names) != 1 or themselves or _is_others_time(p, at, end, names[0], label):
            continue
        said = property_words(names, score)
        yield from _of_tied(p, thing, names[0], end, said)
        wanted, cost = wants(p, label, names)
        if wanted:
            yield wanted, _past_owner(p, end, label), (*said, ("c_bridge", cost))
    for lexeme in p.lattice.of(at, "agent"):
        for way in p.ways.of(lexeme.name):
            if way.own and way.end != way.start == label and way.forward == (lexeme.side == -1):
                path = next((x for x in tied(thing, way.end) if x == way.path), way.path)
                yield (Wanted(path, way.end, ""),), lexeme.end, (("c_relation", lexeme.score),)
    for lexeme in p.lattice.of(at, "label"):
        named: Features = (("c_label", lexeme.score),)
        yield from _compound(p, thing, lexeme, named)
        stop = _past_owner(p, lexeme.end, label)
        for path in list(tied(thing, lexeme.name))[:2]:
            yield (Wanted(path, lexeme.name, ""),), stop, named
        for path, cost in p.ways.bridges(label, lexeme.name)[:2]:
            if path:
                yield (Wanted(path, lexeme.name, ""),), stop, (*named, ("c_bridge", cost))


def _is_others_time(p: Parser, at: int, end: int, name: Lexeme, label: str) -> bool:
    """Whether a bare word of time would be of something else: flights "per year", not of their pilots."""
    bare = p.word(end - 1) in _TIMES and not p.lattice.of(at, "label") and p.word(end) != "of"
    return bare and label not in name.owners and not p.lattice.said & set(name.owners)


def _behind_participle(p: Parser, at: int, thing: Thing) -> Iterator[Keyed]:
    """ "(By the) calling number"."""
    if p.word(at).endswith(("ing", "ed")) and not p.lattice.of(at, "label", "property", "value"):
        for lexeme in p.lattice.of(at, "relation")[:1]:
            for key, end, gain in _key(p, lexeme.end, thing):
                yield key, end, (*gain, ("c_relation", lexeme.score / 2))


def _compound(p: Parser, thing: Thing, label: Lexeme, said: Features) -> Iterator[Keyed]:
    """ "Ship kind", "the ship's kind": a property behind the label that has it."""
    for prop in p.lattice.of(label.end + (p.word(label.end) == "'"), "property"):
        paths = [*([()] if label.name == thing.label else []), *tied(thing, label.name)]
        if label.name in prop.owners and prop.name:
            more: Features = (*said, ("c_property", prop.score))
            for path in paths:
                yield (Wanted(path, label.name, prop.name),), prop.end, more
            for path, cost in p.ways.bridges(thing.label, label.name)[:2] if not paths else ():
                yield (Wanted(path, label.name, prop.name),), prop.end, (*more, ("c_bridge", cost))


def _of_tied(p: Parser, thing: Thing, prop: Lexeme, end: int, said: Features) -> Iterator[Keyed]:
    """A property of something the question tells of, which may be named anew: "the age of a Moss"."""
    if not prop.name or thing.label in prop.owners:
        return
    yield from _of_latter(p, thing, prop, end, said)
    owners = _owners(p, end)
    for place, (label, path, inner) in enumerate(_tied(thing)):
        if label not in prop.owners:
            continue
        key = (Wanted(path, label, prop.name),)
        yield key, _past_role(p, end, label), (*said, ("c_bridge", 0.3 * place))
        for owner in owners:
            if owner.thing.label == label and is_meant(owner.thing, inner, path):
                yield key, owner.end, (*said, *owner.features)


def is_meant(told: Thing, meant: Thing, path: Path) -> bool:
    """Whether a thing told anew is the one that ``path`` leads to: "the person who knows the number"."""
    return all(
        x in meant.limits or (isinstance(x, Linked) and x.path[0].type == path[-1].type) for x in told.limits
    )


def _of_owner(p: Parser, at: int, thing: Thing) -> Iterator[Keyed]:
    """ "(By) Ann's surname", "the caller's age"."""
    for owner in p.cores(at):
        if not p.possessive(owner.end) or owner.wanted or owner.quantity or owner.also:
            continue
        for prop in p.lattice.of(owner.end + (p.word(owner.end) == "'"), "property"):
            for place, (label, path, inner) in enumerate(_tied(thing)):
                meant = owner.thing.label == label and is_meant(owner.thing, inner, path)
                if meant and owner.thing.limits and label in prop.owners and prop.name:
                    features = (*owner.features, ("c_property", prop.score), ("c_bridge", 0.3 * place))
                    yield (Wanted(path, label, prop.name),), prop.end, features


def _of_latter(p: Parser, thing: Thing, prop: Lexeme, end: int, said: Features) -> Iterator[Keyed]:
    """ "(The date) of the latter crime": of what was told of last, or first."""
    at = end + 1 + (p.word(end + 1) == "the")
    if p.word(end) != "of" or p.word(at) not in ("latter", "former"):
        return
    for lexeme in p.lattice.of(at + 1, "label"):
        paths = [path for label, path in reached_by(thing) if path and label == lexeme.name]
        if paths and lexeme.name in prop.owners:
            path = paths[-1 if p.word(at) == "latter" else 0]
            more = (*said, ("c_label", lexeme.score), ("c_cue", 1.0))
            yield (Wanted(path, lexeme.name, prop.name),), lexeme.end, more


def _owners(p: Parser, end: int) -> list[Noun]:
    """Nouns behind "(the age) of", "among"."""
    if p.word(end) not in ("of", "for", "among", "from"):
        return []
    return [n for n in p.nouns(end + 1) if not (n.wanted or n.quantity or n.also or n.either)]


def _past_role(p: Parser, end: int, label: str) -> int:
    """Behind "(the age) of the crew member", "of the ship's owner": a noun of a relation with such things."""
    if p.word(end) not in ("of", "for"):
        return end
    stops = [
        x.end
        for at in range(end + 1, end + 4)
        for x in p.lattice.of(at, "relation", "agent")
        if any(label in (way.start, way.end) for way in p.ways.of(x.name))
    ]
    stops += [x.end for at in (end + 1, end + 2) for x in p.lattice.of(at, "label") if x.name == label]
    return max((x for x in stops if not p.word(x).isalnum()), default=end)


def _past_owner(p: Parser, end: int, label: str) -> int:
    """Behind "(the gender) of the person", where that is what is measured."""
    if p.word(end) not in ("of", "for"):
        return end
    for noun in p.nouns(end + 1):
        if noun.bare and noun.thing.label == label:
            return noun.end
    return end
