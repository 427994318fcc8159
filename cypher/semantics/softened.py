"""Words that a schema does not know, taken for those of its words that mean nearly the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal, Protocol

from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Query
from cypher.semantics.lexicon import Lexicon, Term, Words
from cypher.semantics.mentions import Linked
from cypher.semantics.one_root import GIVING, SHORTEST, deeds_of, gives, measured
from cypher.semantics.text import Word, identifier_words, stem, value_key
from cypher.semantics.units import measure_of
from cypher.semantics.values import StoredValue
from schemas.store_schema import PropertyType, StoreSchema

LEAST: Final = 0.69
"""Nearness from which a word is taken for another. Of some 80 pairs of words 33 are as near, of which 31
mean nearly the same."""
ALIKE: Final = 0.8
"""The same for a stored value, of which no other word tells what it means."""
VERBAL: Final = 0.85
"""What a verb's nearness to the noun of a property counts: "earns" for a salary."""
MARGIN: Final = 0.1
"""Words further behind the nearest are not meant."""
MOST: Final = 4
"""Words of the schema that one word of a question may stand for."""
TAKEN: Final = 0.9
"""What a word counts that is taken for another, beside its nearness."""
THING: Final = 0.5
"""What a noun counts for things of any kind: "items", "something"."""
NAMED: Final = 0.8
"""Least weight of a word that names a kind."""
_VAGUE: Final = frozenset(
    {
        *("thing", "things", "something", "anything", "everything", "object", "objects", "item", "items"),
        *("piece", "pieces", "work", "works", "entry", "entries"),
    }
)
_DEEDS: Final = frozenset({"work", "works", "object", "objects", "piece"})
"""Those of them that are verbs as well: "couriers work from"."""
_PEOPLE: Final = frozenset(
    {
        *("people", "person", "persons", "staff", "worker", "workers", "employee", "employees"),
        *("colleague", "colleagues", "member", "members"),
    }
)
_BEING: Final = frozenset(
    {"are", "were", "who", "is", "was", "on", "in", "at", "from", "have", "has", "work"}
)
_COMPARING: Final = ("er", "est")
"""Endings of what is more so, which no stored value says."""
Part = Literal["noun", "verb", "adj"]
_VERB: Final[frozenset[Part]] = frozenset({"verb"})
_NOUN: Final[frozenset[Part]] = frozenset({"noun"})
_BEFORE_VERBS: Final = frozenset({"who", "to", "not", "never", "that", "ever", "also", "they", "he", "she"})
_LIGHT: Final = frozenset(
    stem(word)
    for line in (
        "take put get go make do have come give hold keep set let be",
        "see say think know want need look call use turn bring become",
    )
    for word in line.split()
)
"""Verbs of so many senses that none is meant for sure."""
_PRECISE: Final = frozenset(
    stem(word)
    for line in (
        "outside beyond except unlike elsewhere opposite against",
        "instead hardly nowhere",
        "year month week day hour decade century",
    )
    for word in line.split()
)
"""Words that say no, or how long, for which no near word stands."""
_BEFORE_NOUNS: Final = frozenset(
    word
    for line in (
        "a an the which what many much of each every any all no some whose most more fewer",
        "their its his her per by in with other",
    )
    for word in line.split()
)


class Thesaurus(Protocol):
    """Nearness of English words, 0 to 1."""

    def knows(self, word: str) -> bool:
        """Whether it has a word or phrase, in any form."""
        ...

    def nearness(self, word: str, other: str, part: Part, *, derived: bool) -> float:
        """How near two words are as that part of speech; with ``derived`` also by derivation."""
        ...

    def is_kind(self, word: str, kind: str) -> bool:
        """Whether a noun means something of a kind: "curator" of "person"."""
        ...


_NOBODY: Final = ("artifact", "location", "event", "substance", "abstraction")
_SOMEBODY: Final = ("person", "group")


_ASKED: Final = frozenset({"which", "what", "many", "list", "name", "show", "all"})
_ROLES: Final = frozenset({"role", "job", "trade", "occupation", "profession", "position", "rank", "title"})


@dataclass(frozen=True, slots=True)
class Taken:
    """A word of the question and the term that it was taken for."""

    word: str
    term: Term


@dataclass(frozen=True, slots=True)
class Softened:
    """A lexicon with words of one question added, and what they were taken for."""

    words: Words
    taken: tuple[Taken, ...]
    values: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Words for stored values, by ``Label.property`` and value."""


def people(schema: StoreSchema, thesaurus: Thesaurus) -> tuple[str, ...]:
    """Labels whose things are people, by the last word of their name."""
    last = ((x.name, identifier_words(x.name)[-1:]) for x in schema.labels)
    return tuple(name for name, word in last if word and thesaurus.is_kind(word[0], "person"))


def things(schema: StoreSchema, thesaurus: Thesaurus) -> frozenset[str]:
    """Labels whose things are nobody: neither people nor groups of them, but places, makings, events."""
    last = ((x.name, identifier_words(x.name)[-1:]) for x in schema.labels)
    named = ((name, word[0]) for name, word in last if word)
    return frozenset(
        name
        for name, word in named
        if any(thesaurus.is_kind(word, x) for x in _NOBODY)
        and not any(thesaurus.is_kind(word, x) for x in _SOMEBODY)
    )


def softened(
    linked: Linked,
    words: Words,
    schema: StoreSchema,
    persons: tuple[str, ...],
    thesaurus: Thesaurus,
    kinds: Sequence[StoredValue] = (),
) -> Softened | None:
    """The words with the unexplained ones of a question added; ``None`` where none is near any.

    ``persons`` are the labels of :func:`people`, ``kinds`` the values that a word may stand for as well.
    """
    known = {word: words.lexicon.phrases.get((stem(word),), []) for word in _own_words(schema)}
    for name, terms in measured(schema, words):
        known[name] = [*known[name], *terms]
    phrases: dict[tuple[str, ...], list[Term]] = dict(words.lexicon.phrases)
    deeds = deeds_of(linked, schema)
    taken: list[Taken] = []
    values: dict[str, dict[str, tuple[str, ...]]] = {}
    for word, terms in _any_kind(linked, schema, persons):
        phrases[word.stem,] = [*phrases.get((word.stem,), []), *terms]
        taken += [Taken(word.lower, term) for term in terms]
    for phrase, parts in _phrases(linked, thesaurus):
        terms = (
            []
            if phrase in _VAGUE | _PEOPLE
            else _near(phrase, parts, known, thesaurus, deeds.get(phrase, ()))
        )
        terms = terms or _flags(phrase, words, known, thesaurus)
        if terms:
            key = tuple(stem(w) for w in phrase.split())
            phrases[key] = [*phrases.get(key, []), *terms]
            taken += [Taken(phrase, term) for term in terms]
        for value in _like(phrase, parts, kinds, thesaurus) if not terms else ():
            if _asks_for(linked, phrase) and not _ROLES & set(identifier_words(value.property)[-1:]):
                continue  # "which locomotives" are no parts called engine
            said = values.setdefault(f"{value.owner}.{value.property}", {})
            said[value.text] = (*said.get(value.text, ()), phrase)
            taken.append(Taken(phrase, Term("value", value.text)))
    if not taken:
        return None
    lexicon = Lexicon(phrases, max(words.lexicon.longest, 2))
    return Softened(replace(words, lexicon=lexicon), tuple(taken), values)


def _asks_for(linked: Linked, phrase: str) -> bool:
    """Whether a phrase is the noun that is asked for: "which locomotives", not "which electric units"."""
    words, size = [w.lower for w in linked.words], len(phrase.split())
    nouns = {m.start for m in linked.mentions if any(t.kind == "label" for t in m.terms)}
    places = (i for i in range(1, len(words)) if " ".join(words[i : i + size]) == phrase)
    return any(words[i - 1] in _ASKED and i + size not in nouns for i in places)


def _flags(phrase: str, words: Words, known: Mapping[str, list[Term]], thesaurus: Thesaurus) -> list[Term]:
    """What an adjective says of things that have a flag for it: "poisonous" of ``is_toxic``."""
    found: list[Term] = []
    if phrase.endswith(_COMPARING):
        return found
    for word, terms in known.items():
        flags = [t for t in terms if t.kind == "property" and _is_flag(t, words)]
        near = thesaurus.nearness(phrase, word, "adj", derived=True) if flags else 0.0
        found += [replace(t, weight=TAKEN) for t in flags if near >= ALIKE]
    return found


def _is_flag(term: Term, words: Words) -> bool:
    infos = (words.properties.get((owner, term.name)) for owner in term.owners)
    return all(info is not None and info.type is PropertyType.BOOLEAN for info in infos)


def _like(
    phrase: str, parts: frozenset[Part], kinds: Sequence[StoredValue], thesaurus: Thesaurus
) -> list[StoredValue]:
    """The values nearest to a phrase, if any is near: "rejected" for "turned down"."""
    near = {
        v: max(
            0.0 if phrase.endswith(_COMPARING) else thesaurus.nearness(phrase, v.text, "adj", derived=True),
            *(
                thesaurus.nearness(phrase, v.text, part, derived=False)
                for part in parts & (_VERB if is_verb_form(v.text) else _NOUN)
            ),
            0.0,
        )
        for v in kinds
    }
    best = max(near.values(), default=0.0)
    return [v for v, x in near.items() if x >= ALIKE and x == best]


def _any_kind(
    linked: Linked, schema: StoreSchema, persons: tuple[str, ...]
) -> Iterator[tuple[Word, list[Term]]]:
    """Nouns that stand for things, or for people, of any kind: "items", "staff"."""
    kinds = [Term("label", x.name, weight=THING) for x in schema.labels]
    told = (m for m in linked.mentions if any(t.kind == "label" and t.weight >= NAMED for t in m.terms))
    named = {at for m in told for at in range(m.start, m.end)}
    for at, word in enumerate(linked.words):
        parts = _parts(linked.words, at)
        if not _NOUN & parts or (word.lower in _DEEDS and parts != _NOUN):
            continue
        if word.lower in _VAGUE and at not in named:
            yield word, [t for t in kinds if t.name not in persons]
        elif word.lower in _PEOPLE and word.text in linked.unexplained and not _counted(linked, at):
            yield word, [t for t in kinds if t.name in persons]


def _counted(linked: Linked, at: int) -> bool:
    """Whether somebody asks how many people there is room for, or the like: "how many people can it seat"."""
    many = at > 0 and linked.words[at - 1].lower == "many" and linked.words[at].lower == "people"
    after = linked.words[at + 1].lower if at + 1 < len(linked.words) else ""
    return many and after not in _BEING


def told(taken: tuple[Taken, ...], query: Query, linked: Linked) -> tuple[Taken, ...]:
    """Those whose term is part of a reading, one for each word: what is asked for, else the nearest.

    A kind that other words of the question name, or of which they name a thing, is not what a word for any
    kind was read as.
    """
    text, asked = repr(query), query.nodes[query.answer].label
    named = _labels_said(linked)
    named |= {v.owner for m in linked.mentions if m.text[:1].isupper() for v, _ in m.values}
    found = [t for t in taken if f"'{t.term.name}'" in text]
    found = [t for t in found if t.word not in _VAGUE | _PEOPLE or t.term.name not in named]
    found.sort(key=lambda t: (t.term.name == asked, t.term.weight))
    return tuple({t.word: t for t in found}.values())


def of_any_kind(taken: Sequence[Taken]) -> str:
    """Why nothing was found, where a word for things of any kind was read as one; empty without such a word.

    >>> of_any_kind([Taken("works", Term("label", "Loan", weight=THING))])
    "Nothing matches where 'works' is read as Loan; things of another kind may be meant, so name it."
    """
    vague = [t for t in taken if t.term.kind == "label" and t.word in _VAGUE]
    if not vague:
        return ""
    read = " and ".join(f"'{t.word}' is read as {t.term.name}" for t in vague)
    return f"Nothing matches where {read}; things of another kind may be meant, so name it."


def passed_over(taken: tuple[Taken, ...], query: Query, linked: Linked) -> frozenset[str]:
    """Unexplained words of a question that were taken for something of which nothing is in a reading.

    So is one right before another that was taken: a "pollen content" is not any content. And so is one for a
    kind of which the question names the only thing in the reading: "upper berths" are not all berths.
    """
    text = repr(query)
    words = {w for t in taken for w in t.word.split()}
    labels = [n.label for n in query.nodes]
    once = {x for x in _labels_said(linked) if labels.count(x) == 1}
    told = (t for t in taken if t.term.name not in once or t.word in _VAGUE | _PEOPLE)
    used = {w for t in told if f"'{t.term.name}'" in text for w in t.word.split()}
    before = {a.text for a, b in pairwise(linked.words) if b.lower in used and a.lower not in words}
    return frozenset(w for w in linked.unexplained if w.lower() in words - used or w in before)


def _labels_said(linked: Linked) -> set[str]:
    return {t.name for m in linked.mentions for t in m.terms if t.kind == "label" and t.weight >= NAMED}


def mended(linked: Linked, query: Query) -> tuple[tuple[str, str], ...]:
    """Names of a question with those of the graph that they were read as, spelled otherwise."""
    text = repr(query)
    found = {
        m.text: v.text
        for m in linked.mentions
        for v, _ in m.values[:1]
        if value_key(m.text) != value_key(v.text) and repr(v.text) in text
    }
    return tuple(found.items())


def _own_words(schema: StoreSchema) -> Iterator[str]:
    """Words of the schema's identifiers, each once."""
    names = [x.name for x in schema.labels] + [x.type for x in schema.relations]
    names += [p.name for x in schema.labels for p in x.properties]
    names += [p.name for x in schema.relations for p in x.properties]
    yield from dict.fromkeys(w for name in names for w in identifier_words(name) if len(w) >= SHORTEST)


def _phrases(linked: Linked, thesaurus: Thesaurus) -> Iterator[tuple[str, frozenset[Part]]]:
    """Unexplained words with what they may be; first two together that are a phrase, "take place"."""
    unknown = set(linked.unexplained) | _asked(linked)
    tokens: tuple[Word, ...] = linked.words
    for at, word in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if word.text in unknown and after and after.text.isalpha():
            phrase = f"{word.lower} {after.lower}"
            if thesaurus.knows(phrase):
                yield phrase, _VERB
                continue
        plain = word.text in unknown and word.text.isalpha() and not measure_of(word.lower)
        if plain and stem(word.lower) not in _LIGHT | _PRECISE:
            yield word.lower, _parts(tokens, at)


def _asked(linked: Linked) -> set[str]:
    """What is asked for by a noun that the schema knows as a verb alone: "which shows opened"."""
    first = linked.words[:3]
    at = 1 if first and first[0].lower in ("which", "what") else 2
    if len(first) <= at or (at == 2 and (first[0].lower, first[1].lower) != ("how", "many")):
        return set()
    told = [m for m in (*linked.mentions, *linked.relations) if m.start <= at < m.end]
    verb = bool(told) and all(m.is_relation_only for m in told)
    return {first[at].text} if verb and _parts(linked.words, at) == _NOUN else set()


def _parts(tokens: tuple[Word, ...], at: int) -> frozenset[Part]:
    """Whether a word stands as a noun or as a verb, as far as its form and the word before tell."""
    word, before = tokens[at].lower, tokens[at - 1].lower if at else ""
    if is_verb_form(word) or before in _BEFORE_VERBS:
        return _VERB
    if before in _BEFORE_NOUNS or (word.endswith("s") and not word.endswith("ss")):
        return _NOUN
    return _VERB | _NOUN


def _near(
    phrase: str,
    parts: frozenset[Part],
    known: Mapping[str, list[Term]],
    thesaurus: Thesaurus,
    deeds: Sequence[Term],
) -> list[Term]:
    """What a phrase may stand for, nearest first."""
    found: dict[tuple[str, str, int, bool], Term] = {}
    for word, terms in known.items():
        for term in terms:
            near = _nearness(phrase, parts, word, term, thesaurus)
            key = (term.kind, term.name, term.side, term.agent)
            if near >= LEAST and (key not in found or found[key].weight < near):
                found[key] = replace(term, weight=near)
    found |= {(t.kind, t.name, t.side, t.agent): t for t in deeds}
    best = sorted(found.values(), key=lambda t: -t.weight)
    kept = [t for t in best[:MOST] if t.weight >= best[0].weight - MARGIN]
    return [replace(t, weight=GIVING if gives(phrase, t) else TAKEN * t.weight) for t in kept]


def _nearness(phrase: str, parts: frozenset[Part], word: str, term: Term, thesaurus: Thesaurus) -> float:
    share = math.sqrt(min(term.weight, 1.0))
    if term.kind == "relation" and not term.agent:
        acts = "verb" in parts and is_verb_form(word)
        return share * thesaurus.nearness(phrase, word, "verb", derived=False) if acts else 0.0
    if term.kind == "property" and "noun" in parts and thesaurus.is_kind(phrase, "person"):
        return 0.0
    near = thesaurus.nearness(phrase, word, "noun", derived=False) if "noun" in parts else 0.0
    if term.kind == "property" and "verb" in parts:
        verbal = thesaurus.nearness(phrase, word, "noun", derived=True)
        return max(share * near, share * VERBAL * verbal)
    return share * near
