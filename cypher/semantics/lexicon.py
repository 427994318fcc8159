"""Words for the labels, relationship types and properties of a schema: identifiers and synonyms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from pydantic import Field

from cypher.semantics.counterparts import CONVERSES, DOING, DONE_TO, PROPERTIES, agents
from cypher.semantics.foreign import is_foreign
from cypher.semantics.held import by_means, held
from cypher.semantics.irregular import IRREGULAR, SYNONYMS
from cypher.semantics.name_nouns import CALLED, name_nouns
from cypher.semantics.named_after import called_after
from cypher.semantics.numbered import counted, counting_phrases, number_in, property_phrases, relation_phrases
from cypher.semantics.senses import SENSES
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.unit_words import unit_phrase
from cypher.semantics.values import ValueTable
from cypher.semantics.verbal import verbal_words
from schemas.model import Frozen
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreSchema

FUNCTION_WORDS: Final = frozenset(
    stem(word)
    for line in (
        "a an the of in on at to by for from with as is are was were be been being has have had",
        "having and or that which who whom whose what where when how do does did there this these",
        "those it its their his her any all some into than then via per each every no not also about",
        "show list find give get me tell us",
    )
    for word in line.split()
)
NAME: Final = ""
"""Stands for the name property of whichever label it is read for."""
SPOKEN: Final = 1.05
"""Weight of a word that a verbalisation gives to a property; one from its identifier weighs 1."""
COUNTED: Final = 0.7
"""Weight of what a property counts, for the property: "the most votes" is the largest ``vote_count``."""
KEPT: Final = 0.9
"""Weight of a label's words for a property that keeps its name."""
_LIGHT: Final = frozenset(stem(w) for w in ("go", "goes", "going", "went", "come", "comes", "coming", "came"))
"""Verbs that say nothing of a relation without their preposition."""
_VAGUE: Final = frozenset(
    stem(w) for w in ("has", "is", "in", "of", "with", "to", "by", "from", "under", "no")
)
PERSONS: Final = (
    "person",
    "people",
    "human",
    "character",
    "user",
    "customer",
    "employee",
    "member",
    "player",
)
"""Labels that "who" and "someone" stand for, likeliest first."""
ANYBODY: Final = ("someone", "somebody", "anyone", "anybody", "everyone", "everybody")
"""Nouns that always bring in a person not named before."""
SPOTS: Final = ("location", "place", "site", "spot", "venue", "address")
"""Labels that "somewhere" stands for."""
SOMEWHERE: Final = ("somewhere", "someplace", "anywhere")
_NUMERIC = (PropertyType.INTEGER, PropertyType.FLOAT)
_ID = re.compile(r"[a-z]{4,}id")
DATED_WORDS: Final = frozenset({"date", "year", "time", "born", "since"})
"""Words of properties that hold days, years or times."""
_DATED = (PropertyType.DATE, PropertyType.DATETIME, PropertyType.TIME)


class RelationWords(Frozen):
    """How a relationship type is said from its start, and from its end."""

    forward: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()


class Verbalisation(Frozen):
    """Words for a schema's terms, written by hand from the schema alone; all of it is optional."""

    labels: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    properties: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """By property name, or by ``Label.property``."""
    relations: dict[str, RelationWords] = Field(default_factory=dict)
    values: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    """Other words for single texts, by ``Label.property`` and value: "text message" for ``SMS``."""


@dataclass(frozen=True, slots=True)
class Term:
    """A schema term that a phrase may mean."""

    kind: str
    """``label``, ``property`` or ``relation``."""
    name: str
    owners: tuple[str, ...] = ()
    """Labels or relationship types that have the property."""
    side: int = 0
    """Of a relation's phrase: 1 said from its start, -1 from its end, 0 unknown."""
    weight: float = 1.0
    agent: bool = False
    """A noun for a relation's start ("director") or, with side -1, for its end."""


@dataclass(slots=True)
class Lexicon:
    """Phrases, as tuples of stems, to terms."""

    phrases: dict[tuple[str, ...], list[Term]] = field(default_factory=lambda: defaultdict(list))
    longest: int = 1

    def add(self, phrase: Sequence[str], term: Term) -> None:
        """Notes that ``phrase`` (words) may mean ``term``; the strongest weight of a term stays."""
        key = tuple(stem(w.lower()) for w in phrase)
        if not key:
            return
        known = self.phrases[key]
        for i, other in enumerate(known):
            if (other.kind, other.name, other.side, other.agent) == (
                term.kind,
                term.name,
                term.side,
                term.agent,
            ):
                owners = tuple(dict.fromkeys(other.owners + term.owners))
                best = max(other.weight, term.weight)
                known[i] = Term(term.kind, term.name, owners, term.side, best, term.agent)
                return
        known.append(term)
        self.longest = max(self.longest, len(key))


@dataclass(frozen=True, slots=True)
class PropertyInfo:
    """What the composer needs to know of one property of one owner."""

    owner: str
    name: str
    type: PropertyType
    many: bool
    numeric: bool
    """Numbers, or text that holds numbers."""
    numeric_text: bool
    dated: bool
    day_text: bool = False
    """Text that holds days as ``dd/mm/yyyy``."""
    iso_text: bool = False
    """Text that holds days as ``yyyy-mm-dd``."""
    clock: bool = False
    """With ``iso_text``: times of day follow."""
    time_text: bool = False
    """Text that holds times of day as ``hh:mm``."""


@dataclass(frozen=True, slots=True)
class Words:
    """The lexicon of a schema with its property table."""

    lexicon: Lexicon
    properties: Mapping[tuple[str, str], PropertyInfo]
    synonyms: Mapping[str, frozenset[str]]
    verbal: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """See :func:`cypher.semantics.verbal.verbal_words`."""


def build_words(schema: StoreSchema, values: ValueTable, spoken: Verbalisation | None = None) -> Words:
    """All words for ``schema``: identifiers, general synonyms, and the verbalisation when given."""
    spoken = spoken or Verbalisation()
    lexicon, synonyms = Lexicon(), _synonyms()
    for label in schema.labels:
        _add_label(lexicon, label, spoken, synonyms)
    table: dict[tuple[str, str], PropertyInfo] = {}
    for owner, props in _owned(schema):
        for prop in props:
            table[owner, prop.name] = _info(owner, prop, values)
            term = Term("property", prop.name, (owner,))
            if is_foreign(prop, owner, schema):
                lexicon.add(identifier_words(prop.name), term)
                lexicon.add(("".join(identifier_words(prop.name)),), term)
                continue
            _add_name(lexicon, prop.name, term, synonyms, owner=owner)
            _add_property_means(lexicon, prop, term, spoken)
            for named in _named_alike(prop, owner, schema):
                for phrase in (" ".join(identifier_words(named)), *spoken.labels.get(named, ())):
                    lexicon.add(phrase.split(), replace(term, weight=KEPT))
    for relation in schema.relations:
        _add_relation(lexicon, relation.type, synonyms)
        _add_senses(lexicon, relation.type)
        for means in relation_phrases(relation.type, [x.name for x in relation.properties]):
            lexicon.add(means, Term("relation", relation.type, weight=1.2))
        _add_spoken(lexicon, relation.type, spoken.relations.get(relation.type, RelationWords()))
    for verb, kind, side, weight in called_after(schema):
        lexicon.add((verb,), Term("relation", kind, side=side, weight=weight))
    for one in held(schema):
        for means in by_means(one):
            lexicon.add(means, Term("relation", one.kind, side=1, weight=1.2))
    for noun, named in name_nouns(schema, values):
        lexicon.add((noun,), Term("label", named, weight=CALLED))
    return Words(lexicon, table, synonyms, verbal_words(schema))


def _named_alike(prop: StoreProperty, owner: str, schema: StoreSchema) -> tuple[str, ...]:
    """Other labels whose name is that of a property: the ``postcode`` of a location keeps a ``PostCode``."""
    whole = "".join(identifier_words(prop.name))
    others = (x.name for x in schema.labels if x.name != owner)
    return tuple(name for name in others if "".join(identifier_words(name)) == whole)


def _add_property_means(lexicon: Lexicon, prop: StoreProperty, term: Term, spoken: Verbalisation) -> None:
    """What a property may be called beside its identifier."""
    for means in (*property_phrases(prop.name), *counting_phrases(prop.name)):
        lexicon.add(means, term)
    if in_unit := unit_phrase(prop.name):
        lexicon.add(in_unit, replace(term, weight=0.9))
    if number := counted(prop.name):
        lexicon.add(number, replace(term, weight=COUNTED))
    if _ID.fullmatch(prop.name) and prop.type in _NUMERIC:
        lexicon.add(("id",), replace(term, weight=0.6))
    for said in (x for w in identifier_words(prop.name) for x in PROPERTIES.get(w, ())):
        lexicon.add(said.split(), replace(term, weight=SENSED))
    for key in (prop.name, f"{term.owners[0]}.{prop.name}"):
        for phrase in spoken.properties.get(key, ()):
            lexicon.add(phrase.split(), replace(term, weight=SPOKEN))


def _add_label(
    lexicon: Lexicon, label: StoreLabel, spoken: Verbalisation, synonyms: Mapping[str, frozenset[str]]
) -> None:
    term = Term("label", label.name)
    _add_name(lexicon, label.name, term, synonyms)
    for phrase in spoken.labels.get(label.name, ()):
        lexicon.add(phrase.split(), term)
    if label.name_property and all(p.name != "name" for p in label.properties):
        lexicon.add(("name",), Term("property", NAME, (label.name,), weight=0.9))
    if label.name.lower() in PERSONS:
        for word in (*ANYBODY, "individual"):
            lexicon.add((word,), Term("label", label.name, weight=0.6))
    if label.name.lower() in SPOTS:
        for word in SOMEWHERE:
            lexicon.add((word,), Term("label", label.name, weight=0.6))


def _add_spoken(lexicon: Lexicon, kind: str, said: RelationWords) -> None:
    for side, phrases in ((1, said.forward), (-1, said.inverse)):
        for phrase in phrases:
            lexicon.add(phrase.split(), Term("relation", kind, side=side, weight=1.2))
            if _ARTICLES & set(phrase.split()):
                plural = [w for w in phrase.split() if w not in _ARTICLES]
                lexicon.add(plural, Term("relation", kind, side=side, weight=1.2))
            content = [w for w in phrase.split() if stem(w) not in FUNCTION_WORDS | _LIGHT]
            owning = phrase.split()[0] in ("has", "have", "whose")
            if content and len(content) < len(phrase.split()) and not owning and content != ["name"]:
                lexicon.add(content, Term("relation", kind, weight=0.8))


def _owned(schema: StoreSchema) -> list[tuple[str, tuple[StoreProperty, ...]]]:
    labels = [(label.name, label.properties) for label in schema.labels]
    return labels + [(relation.type, relation.properties) for relation in schema.relations]


def _info(owner: str, prop: StoreProperty, values: ValueTable) -> PropertyInfo:
    text = prop.type is PropertyType.STRING and values.is_numeric(owner, prop.name)
    numeric = prop.type in _NUMERIC or text
    dated = prop.type in _DATED or bool(DATED_WORDS & set(identifier_words(prop.name)) - {"since"})
    day = prop.type is PropertyType.STRING and values.is_day(owner, prop.name)
    iso = prop.type is PropertyType.STRING and values.is_iso(owner, prop.name)
    time = prop.type is PropertyType.STRING and values.is_time(owner, prop.name)
    any_time = dated or day or iso or time
    clock = iso and values.has_clock(owner, prop.name)
    return PropertyInfo(
        owner, prop.name, prop.type, prop.many, numeric, text, any_time, day, iso, clock, time
    )


def _synonyms() -> Mapping[str, frozenset[str]]:
    out: dict[str, set[str]] = defaultdict(set)
    for group in SYNONYMS:
        for word in group:
            out[stem(word)] |= group
    return {k: frozenset(v) for k, v in out.items()}


def _add_name(
    lexicon: Lexicon, name: str, term: Term, synonyms: Mapping[str, frozenset[str]], *, owner: str = ""
) -> None:
    parts = identifier_words(name)
    lexicon.add(parts, term)
    if len(parts) > 1:
        lexicon.add(("".join(parts),), term)
        content = tuple(p for p in parts if stem(p) not in _VAGUE)
        own = tuple(p for p in content if stem(p) not in {stem(w) for w in identifier_words(owner)})
        light = Term(term.kind, term.name, term.owners, term.side, 0.6)
        lexicon.add(content, Term(term.kind, term.name, term.owners, term.side, 0.9))
        if own and own != content:
            lexicon.add(own, Term(term.kind, term.name, term.owners, term.side, 0.9))
        fair = Term(term.kind, term.name, term.owners, term.side, 0.8)
        for size in range(2, len(parts)):
            lexicon.add(parts[:size], fair)
            lexicon.add(parts[-size:], fair)
        for at in (i for i, part in enumerate(parts[1:-1], 1) if part in _BEFORE_THE):
            lexicon.add((*parts[: at + 1], "the", *parts[at + 1 :]), fair)
        if "of" in parts[1:-1]:
            at = parts.index("of")
            lexicon.add((*parts[at + 1 :], *parts[:at]), fair)
        if len(content) == 2 and term.kind == "property" and content[1] in _KINDS:
            for kind in _KINDS:
                lexicon.add((kind, "of", content[0]), fair)
        if len(content) == 2 and term.kind == "property":
            lexicon.add((content[1], "of", content[0]), fair)
        lexicon.add(tuple(p for p in content[-1:] if not p.isdigit()), light)
        if parts[-1] != "only":
            lexicon.add(content[:1], Term(term.kind, term.name, term.owners, term.side, 0.25))
    wholes = [parts, *(parts[:n] for n in range(2, len(parts)))]
    for whole in wholes:
        for i, part in enumerate(whole):
            is_deed = part in ("star", "stars") and term.kind == "property"  # of a hotel: nobody plays in it
            for other in () if is_deed else sorted(synonyms.get(stem(part), ())):
                said = (*whole[:i], other, *whole[i + 1 :])
                lexicon.add(said, Term(term.kind, term.name, term.owners, weight=0.8))


def _add_relation(lexicon: Lexicon, kind: str, synonyms: Mapping[str, frozenset[str]]) -> None:
    parts = identifier_words(kind)
    content = [p for p in parts if stem(p) not in _VAGUE and not p.isdigit()]
    side = -1 if parts[-1] == "by" else 0
    lexicon.add(parts, Term("relation", kind, side=0, weight=1.1))
    if number_in(kind):
        lexicon.add(("".join(parts),), Term("relation", kind, weight=1.1))
    if 1 < len(content) < len(parts):
        lexicon.add(content, Term("relation", kind, weight=1.0))
    if parts[0] in _HAVING and len(parts[-1]) > 5 and parts[-1].endswith(("er", "or")):
        lexicon.add((parts[-1][:-2],), Term("relation", kind, side=-1, weight=1.1))
    for noun in _HOLDERS if parts[0] in _HAVING and len(parts) > 1 else ():
        lexicon.add(noun.split(), Term("relation", kind, weight=SENSED))
    for place, part in enumerate(content):
        share = 1.0 if len(content) == 1 and not number_in(kind) else 0.6 if place == 0 else 0.45
        lexicon.add((part,), Term("relation", kind, weight=share))
        for other in sorted(synonyms.get(stem(part), ())):
            lexicon.add((other,), Term("relation", kind, weight=0.7 * share))
        for noun in agents(part):
            lexicon.add((noun,), Term("relation", kind, side=side or 1, weight=share, agent=True))


_BEFORE_THE: Final = frozenset({"to", "of", "in", "for", "by", "on", "at"})
"""Words of identifiers behind which people say "the": ``open_to_public``."""
_KINDS: Final = ("type", "kind", "category", "sort", "class")
_ARTICLES: Final = frozenset({"a", "an"})
_HAVING: Final = frozenset({"has", "have", "owns"})
_HOLDERS: Final = ("holder of", "owner of", "possessor of", "bearer of")
"""Nouns for who has something, whatever it is."""
_LYING: Final = "located"
"""What a type says that joins two nouns by "in": ``TRAIL_IN_VALLEY``, ``IN_VALLEY``."""
_COMPOSED: Final = "composed"
"""What ``MADE_FROM`` says, which nobody does."""
_MADE_UP: Final = ("from", "of", "with", "out")
_PARTICIPLES: Final = frozenset(k for keys, _ in SENSES for k in keys.split() if k.endswith("ed"))
SENSED: Final = 0.85
"""Weight of a general phrase for a relation, below that of its own name."""

WITHIN: Final = 0.75
"""The same where a type says no more than "in"."""


def _add_senses(lexicon: Lexicon, kind: str) -> None:
    """What English says for relations with such a name, whichever graph has them."""
    words = identifier_words(kind)
    parts = [p for p in words if stem(p) not in _VAGUE]
    stems = {stem(p) for p in parts}
    nouns = (a for a, b in pairwise(words) if b == "in" and a not in _VAGUE and a not in IRREGULAR)
    within = words[0] == "in" and len(words) > 1
    lying = within or any(not a.endswith(("ed", "s")) for a in nouns)
    parts += [_LYING] if lying else []
    if any(a == "made" and b in _MADE_UP for a, b in pairwise(words)):
        parts = [_COMPOSED if x == "made" else x for x in parts]
    weight = WITHIN if within else SENSED if len(stems) == 1 else 0.9 * SENSED
    for keys, phrases in SENSES:
        if not any(_says(part, keys.split()) for part in parts):
            continue
        for phrase in phrases.split("|"):
            if phrase not in ("by", "in", "from", "behind", "inside"):
                lexicon.add(phrase.split(), Term("relation", kind, weight=weight))
    for side, telling in ((-1, DONE_TO), (1, DOING)):
        for noun in (noun for part in parts for noun in telling.get(part, ())):
            lexicon.add((noun,), Term("relation", kind, side=side, weight=SENSED, agent=True))
    for word, others in CONVERSES.items():
        if stem(word) in stems:
            for other in others:
                lexicon.add((other,), Term("relation", kind, side=-1, weight=SENSED))


def _says(part: str, keys: Sequence[str]) -> bool:
    """Whether a group of senses is of an identifier's word; a participle may have groups of its own."""
    if part.endswith("ed") and part in _PARTICIPLES:
        return part in keys
    return stem(part) in {stem(k) for k in keys if k not in ("in", "by")}
