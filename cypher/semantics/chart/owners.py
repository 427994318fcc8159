"""Noun phrases by their owners: "Ann's friends", "the director of the film"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import HAVING
from cypher.semantics.chart.forms import AnyOf, Features, Limit, Linked, Loose, Noun, Owned, Thing, Told
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.naming import has_value, labels_between, number_of
from cypher.semantics.chart.quantities import quantified
from cypher.semantics.chart.settle import role
from cypher.semantics.chart.wanting import property_list, property_words, wants
from cypher.semantics.chart.ways import Way, calls_its_start
from cypher.semantics.chart.wordlists import FREE, PREPOSITIONS, TIES
from cypher.semantics.counterparts import MUTUAL
from cypher.semantics.schema_paths import Step
from cypher.semantics.score import total
from cypher.semantics.text import stem

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ANY: Final = frozenset({"a", "an", "any"})
_GOING: Final[dict[str, tuple[str, frozenset[str]]]] = {
    "incoming": ("done", frozenset({"of", "to", "on", "at", "for", "in"})),
    "outgoing": ("doing", frozenset({"of", "from", "on", "by", "for"})),
}
"""What the end does of which something is incoming or outgoing, with the prepositions before that end."""
_ASKING: Final = frozenset({"do", "does", "did", "has", "have", "had"})
_HAD: Final = frozenset({"have", "got", "had"})
_TIED: Final = frozenset(
    form
    for noun in ("acquaintance", "contact", "friend", "mate", "connection", "relation", "relative")
    for form in (noun, f"{noun}s")
)
"""Nouns for whom a relation ties, behind words that tell which relation: "his social network contacts"."""
FAR: Final = 3.0
"""What speaks against a relation's noun that names a kind by itself, where its owner is no thing so tied."""
_OWNERS: Final = frozenset({"of", "to", "for", "with"})


def possessed(p: Parser, noun: Noun) -> Iterator[Noun]:
    """What a noun in the genitive owns, "Ann's friends"; "people at Ann's port" own nothing, but Ann does."""
    if noun.modified and any(name == "c_prep" for name, _ in noun.features):
        return
    after = noun.end + 1 if p.word(noun.end) == "'" else noun.end
    for owned in p.owned(after):
        valued = mutual(p, after, owned) if owned.thing.limits else owned
        yield from _own(p, valued, noun, noun.score)
    for core in p.cores(after):
        if core.quantity is None and not core.named:
            for settled, cost in p.settler.settle((Loose(noun.thing, "has"),), core.thing.label):
                features: Features = (*noun.features, *core.features, ("c_bridge", cost))
                score = noun.score + core.score + total((("c_bridge", cost),))
                yield replace(core, thing=core.thing.plus(*settled), score=score, features=features)
    for names, end, score in property_list(p, after):
        wanted, cost = wants(p, noun.thing.label, names)
        if wanted:
            more: Features = (*property_words(names, score), ("c_bridge", cost))
            yield replace(
                noun, end=end, wanted=wanted, score=noun.score + total(more), features=noun.features + more
            )


def _own(p: Parser, owned: Owned, owner: Noun, score: float, end: int = 0) -> Iterator[Noun]:
    back = p.ways.back(owned.path, owned.owner)
    for path, cost in p.ways.bridges(owned.owner, owner.thing.label):
        features: Features = (*owned.features, *owner.features, ("c_bridge", cost))
        limit: Limit = Linked((*back, *path), owner.thing)
        if owner.either:
            limit = AnyOf(tuple((Linked((*back, *path), t),) for t in (owner.thing, *owner.either)))
        limits = (limit, *(Linked((*back, *path), t) for t in owner.also))
        whole = owned.score + score + total((("c_bridge", cost),))
        yield Noun(
            end or owned.end,
            owned.thing.plus(*limits),
            whole,
            features,
            modified=1 if end else 0,
            number=number_of(p.word(owned.end - 1)),
        )


def owned(p: Parser, at: int) -> Iterable[Owned]:
    """Relation words used as nouns: "friends", "director", "residence", "investigating officer"."""
    yield from _participial(p, at)
    yield from _valued(p, at)
    for start, skipped in p.starts(at, unknown=False):
        labelled = {x.end for x in p.lattice.of(start, "label")}
        for lexeme in p.lattice.of(start, "relation", "agent"):
            if (
                (p.word(start) in TIES and _is_named(p, start))
                or lexeme.end in labelled
                or p.word(start).endswith(("ed", "ing"))
                or p.word(start) in PREPOSITIONS
            ):
                continue
            features: Features = (("c_relation", lexeme.score), ("c_skip", skipped))
            for way in p.ways.of(lexeme.name):
                if not way.own:
                    continue
                converse = lexeme.side == -1 and not lexeme.phrase and lexeme.score < 1
                converse |= calls_its_start(lexeme.name)
                if lexeme.kind == "agent" and way.forward == (lexeme.side == 1):
                    continue
                if lexeme.kind != "agent" and way.alike and way.forward == converse:
                    continue
                ends_of = p.word(lexeme.end - 1) in _OWNERS
                if ends_of and lexeme.side and not way.alike and way.forward == (lexeme.side == 1):
                    continue
                tied = way.alike and lexeme.end > start + 1 and p.word(lexeme.end) in _TIED
                yield Owned(
                    lexeme.end + tied - ends_of, way.start, way.path, Thing(way.end), total(features),
                    features,
                )  # fmt: skip


def _is_named(p: Parser, at: int) -> bool:
    """Whether a relation's own name ends at a word: "a 'knows' link to Ann"."""
    return p.word(at - 1) not in FREE | HAVING and any(
        x.end == at for place in range(max(0, at - 4), at) for x in p.lattice.of(place, "relation")
    )


def _participial(p: Parser, at: int) -> Iterator[Owned]:
    """ "Investigating officer", "called phone": a kind by what it does or what is done to it."""
    word = p.word(at)
    if not word.endswith(("ed", "ing")):
        return
    doing = word.endswith("ing")
    for lexeme in p.lattice.of(at, "relation"):
        for label in p.lattice.of(lexeme.end, "label"):
            for way in p.ways.of(lexeme.name):
                if way.own and way.end == label.name != way.start and _agrees(lexeme, way, doing=doing):
                    features: Features = (("c_relation", lexeme.score), ("c_label", label.score))
                    yield Owned(label.end, way.start, way.path, Thing(way.end), total(features), features)


def _valued(p: Parser, at: int) -> Iterator[Owned]:
    """ "Partner", "siblings": a value of the relationships that tie one to it, of which each has a kind."""
    for start, skipped in p.starts(at, unknown=False):
        for lexeme in p.lattice.of(start, "value"):
            if not lexeme.values[0].of_relation:
                continue
            features: Features = (
                ("c_relation", lexeme.score),
                ("c_value", lexeme.score),
                ("c_skip", skipped),
            )
            for way in p.ways.of(lexeme.owners[0]):
                if way.own and (way.forward or way.start != way.end):
                    kind = Told(p.ways.back(way.path, way.start)[0], has_value(lexeme))
                    thing = Thing(way.end, (kind,))
                    yield Owned(lexeme.end, way.start, way.path, thing, total(features), features)


def _agrees(lexeme: Lexeme, way: Way, *, doing: bool) -> bool:
    """Whether what a way leads to does what the verb says, or has it done to it."""
    if said := role(lexeme.name):
        return way.forward and said == ("doing" if doing else "done")
    from_end = lexeme.side == -1 or lexeme.name.lower().endswith("_by")
    return way.forward == (from_end == doing)


def of_owner(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Friends of Ann", "the director of the film"."""
    for owned_noun in p.owned(at):
        link = p.word(owned_noun.end)
        to_its_kind = link in ("with", "to") and owned_noun.owner == owned_noun.thing.label
        if link not in _OWNERS or (to_its_kind and not (link == "to" and p.ways.owning(owned_noun.path))):
            continue
        plain = p.word(at - 1) not in FREE and not p.word(at).endswith("s") and at > 0
        for owner in p.nouns(owned_noun.end + 1):
            if owner.wanted or (owner.quantity and owner.quantity.kind != "each"):
                yield from _of_so_many(p, owned_noun, owner, begin)
                continue
            kinds = {x.name for x in labels_between(p, at, owned_noun.end)}  # "the location of a crime"
            far = owned_noun.owner != owner.thing.label and owned_noun.thing.label in kinds
            for noun in _own(p, mutual(p, at, owned_noun), owner, owner.score, owner.end):
                more: Features = (*begin, ("c_plain", 1.0)) if plain else begin
                more = (*more, ("c_owner", FAR)) if far else more
                yield replace(noun, score=noun.score + total(more), features=more + noun.features)


def _of_so_many(p: Parser, owned: Owned, owner: Noun, begin: Features) -> Iterator[Noun]:
    """ "(Is) a patron of more than two guilds"."""
    quantity = owner.quantity
    if owner.wanted or owner.also or owner.either or owner.thing.label != owned.owner:
        return
    if quantity is not None and quantity.kind == "number":
        limit = quantified(p.ways.back(owned.path, owned.owner), owner.thing, quantity)
        features = (*begin, *owned.features, *owner.features)
        number = number_of(p.word(owned.end - 1))
        yield Noun(owner.end, owned.thing.plus(limit), total(features), features, modified=1, number=number)


def asked_of(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "(How many) relatives does Ann have": whom somebody has, where that is asked."""
    for owned_noun in p.owned(at):
        aux = owned_noun.end + 1 if p.word(owned_noun.end) in _ASKING else 0
        for owner in p.objects(aux) if aux else ():
            if owner.wanted or owner.quantity or p.word(owner.end) not in _HAD:
                continue
            said = mutual(p, at, owned_noun) if owned_noun.thing.limits else owned_noun
            for noun in _own(p, said, owner, owner.score, owner.end + 1):
                yield replace(noun, score=noun.score + total(begin), features=begin + noun.features)


def going(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Incoming calls (to Ann)", "outgoing calls (of Ann)": what comes to some end of it, or leaves it."""
    said, links = _GOING.get(p.word(at), ("", frozenset()))
    for label in p.lattice.of(at + 1, "label") if said else ():
        for start, kind in _ends(p, label.name, said):
            path = (Step(kind, True, start),)
            features: Features = (*begin, ("c_label", label.score), ("c_relation", 1.0))
            thing = Thing(label.name, (Linked(path, Thing(start)),))
            number = number_of(p.word(label.end - 1))
            yield Noun(label.end, thing, total(features), features, number=number)
            back = p.ways.back(path, label.name)
            waiting = Owned(label.end, start, back, Thing(label.name), total(features), features)
            for owner in p.objects(label.end + 1) if p.word(label.end) in links else ():
                if not (owner.wanted or owner.quantity):
                    yield from _own(p, waiting, owner, owner.score, owner.end)


def _ends(p: Parser, label: str, said: str) -> Iterator[tuple[str, str]]:
    """The labels at the ends of a label's relationships whose types name that role, with the types."""
    for triple in p.vocabulary.schema.triples:
        if triple.start == label and role(triple.type) == said:
            yield triple.end, triple.type


def of_kind(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Crime scenes", "ship owners (of the ships ...)": what such things have, as one word after another."""
    labels = p.lattice.of(at, "label")
    longest = max((x.end for x in labels), default=0)
    for label in labels:
        if label.end < longest or number_of(p.word(label.end - 1)) == "many":
            continue
        owner = Noun(label.end, Thing(label.name), label.score, (("c_label", label.score),))
        for owned_noun in p.owned(label.end):
            if owned_noun.owner == label.name and not p.lattice.of(label.end, "label"):
                more: Features = (*begin, ("c_compound", 0.5))
                again = p.nouns(owned_noun.end + 1) if p.word(owned_noun.end) == "of" else ()
                said = [n for n in again if n.thing.label == label.name and not (n.wanted or n.quantity)]
                for one in (owner, *said):
                    end = one.end if one is not owner else 0
                    for noun in _own(p, owned_noun, one, one.score, end):
                        yield replace(noun, score=noun.score + total(more), features=more + noun.features)


def mutual(p: Parser, at: int, owned_noun: Owned) -> Owned:
    """ "A relative of Ann" says what he is to her, "the relatives of Ann" whom she has.

    A kind of relationship that is so to both is told of whoever is asked about: "Ann's siblings".
    """
    named = {stem(p.word(i)) for i in range(at, owned_noun.end)} & MUTUAL
    valued = bool(owned_noun.thing.limits)
    if not ({p.word(at - 1), p.word(at)} & _ANY or valued) or not named:
        return owned_noun
    path = p.ways.back(owned_noun.path, owned_noun.owner)
    told = tuple(
        replace(x, step=owned_noun.path[0]) if isinstance(x, Told) else x for x in owned_noun.thing.limits
    )
    return replace(owned_noun, path=path, thing=Thing(owned_noun.thing.label, told))
