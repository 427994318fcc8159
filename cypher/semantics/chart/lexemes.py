"""Everything that the words of a question may stand for, at every place and of every length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Final

from cypher.semantics.chart.wordlists import AUXILIARIES, PREPOSITIONS
from cypher.semantics.counterparts import DOERS
from cypher.semantics.inflected import is_verb_form
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import FUNCTION_WORDS, Term, Words
from cypher.semantics.mentions import Given, Linked, Linker, Mention
from cypher.semantics.text import Word, identifier_words, stem
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import StoreSchema

QUOTED: Final = "\u201c"
"""Stands for a mark at which a quoted value starts, so that it is not passed over."""
_GIVEN: Final = "donated"
"""What "given" is said as where it tells what somebody did; else it says no more than "certain"."""
PARTIAL: Final = 0.5
"""Below this, the score of a word that is but a part of a label, "phone" of a phone call."""
SPOKEN: Final = 1.15
"""Least weight of a phrase that is said for a relation as a whole."""
BORROWED: Final = 0.45
"""What a value loses that is the name of other things: a letter's sender is rather the person."""
_NODES: Final = frozenset({"node", "nodes"})
"""Words behind a label that say only that it is one."""
_JOINING: Final = frozenset({"of", "by", "from", "with", "for", "out"})
_BEHIND: Final = frozenset(
    {"that", "which", "whose", "are", "were", "have", "made", "sent", "and", "or", "?", "."}
)
"""Words behind a noun in the plural, none of which is the object of a verb."""
_ASKING: Final = frozenset({"give", "show", "list", "find", "get", "tell"})
_TYING: Final = (("relationship",), ("relationships",), ("relation",), ("link",), ("edge",))
_BEFORE_NOUNS: Final = frozenset(
    (
        "a",
        "an",
        "the",
        "no",
        "any",
        "one",
        "whose",
        "which",
        "their",
        "his",
        "her",
        "its",
        "same",
        "many",
        "most",
    )
)
_DOING: Final = frozenset({"do", "does", "did"})
LONGEST: Final = 9
"""Words of one lexeme at most; longer values are found by the linker alone."""

_PASSIVE: Final = (("was",), ("were",), ("been",))
_WHEN: Final = frozenset({"in", "on", "before", "after", "since", "between", "during", "from", "until"})
"""Prepositions before a day."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """Words up to ``end`` that may mean this; ``score`` is higher for longer and surer ones."""

    kind: str
    """``label``, ``agent``, ``property``, ``relation``, ``value``, ``number``, ``day``, ``time`` or
    ``text``."""
    end: int
    score: float
    name: str = ""
    """Label, property or relationship type."""
    owners: tuple[str, ...] = ()
    side: int = 0
    phrase: bool = False
    """Whether it is a phrase said for a relation as a whole, prepositions included."""
    values: tuple[StoredValue, ...] = ()
    number: float | None = None
    day: date | None = None
    text: str = ""
    passed: bool = False
    """Whether an unknown word in front of a property was passed over."""


class Lattice:
    """All lexemes of one question, by the word that they start at."""

    def __init__(
        self, linker: Linker, linked: Linked, given: Given | None, *, names: Mapping[str, str]
    ) -> None:
        self._names, self._linker = names, linker
        self.words = linked.words
        self.linked = linked
        self.lower = tuple(w.text.lower() for w in linked.words)
        self._at: dict[int, list[Lexeme]] = defaultdict(list)
        self._closing: set[int] = set()
        for at in range(len(self.words)):
            self._scan(linker, at, given)
        self._add_linked(linked)
        self._close_quotes()
        self._drop_parts()
        self._drop_states()
        self._keep_compounds()
        self._keep_kinds()
        self._join_names()
        self._own_properties()
        self.lower = tuple(self._spoken(w, i) for i, w in enumerate(self.lower))

    @cached_property
    def said(self) -> frozenset[str]:
        """Labels that words of the question are names of."""
        return frozenset(
            x.name for some in self._at.values() for x in some if x.kind == "label" and x.score >= 1
        )

    def _spoken(self, word: str, at: int) -> str:
        if word == "given" and self.of(at, "relation"):
            return _GIVEN
        if self._counts(at):
            return "had" if is_verb_form(word) else "has" if word.endswith("s") else "have"
        return QUOTED if word in ("'", '"') and self.of(at, "value") else word

    def _counts(self, at: int) -> bool:
        """Whether a verb stands apart from the noun of its property: "sold (the most) tickets"."""
        if self.of(at, "relation", "label", "value") or not self.lower[at].isalpha():
            return False
        found = (x for place, some in self._at.items() for x in some if not place <= at < x.end)
        names = (identifier_words(x.name) for x in found if x.kind == "property" and x.name)
        verb = self.words[at].stem
        return any(len(w) > 1 and is_verb_form(w[-1]) and stem(w[-1]) == verb for w in names)

    def at(self, place: int) -> Sequence[Lexeme]:
        """Lexemes that start at word ``place``, longest first."""
        return self._at.get(place, ())

    def of(self, place: int, *kinds: str) -> list[Lexeme]:
        """Those of some kinds."""
        return [x for x in self._at.get(place, ()) if x.kind in kinds]

    def add(self, place: int, lexeme: Lexeme) -> None:
        """One more at a word."""
        self._at[place].append(lexeme)

    def joined(self, at: int, end: int, word: str) -> list[Lexeme]:
        """Relations said by these words and a preposition that stands elsewhere: "from which it was made"."""
        span = (*self.words[at:end], Word(word, 0, len(word)))
        terms = self._linker.terms_of(span)
        return [_term(t, span, end) for t in terms if t.kind == "relation" and not t.agent]

    def parted(self, at: int, end: int, start: int, stop: int) -> list[Lexeme]:
        """Relations that a phrase says as a whole whose words stand at two places: "knew ... from school"."""
        span = (*self.words[at:end], *self.words[start:stop])
        terms = [t for t in self._linker.terms_of(span) if t.kind == "relation" and t.weight >= SPOKEN]
        return [_term(t, span, stop) for t in terms]

    def _scan(self, linker: Linker, at: int, given: Given | None) -> None:
        text, tokens = self.linked.text, self.words
        if tokens[at].text in "\"'" and at not in self._closing:
            if quoted := linker.quoted(text, tokens, at, given):
                self._add_quoted(at, quoted)
            return
        if dated := linker.dated(text, tokens, at):
            self._add_values(at, dated.end, dated.values)
            if dated.day is not None:
                self._at[at].append(Lexeme("day", dated.end, 1.5, day=dated.day, text=dated.text))
            if dated.time:
                self._at[at].append(Lexeme("time", dated.end, 1.5, text=dated.time))
        if self.lower[at].endswith("ed") or self.lower[at] in IRREGULAR:
            for owner, name in linker.verbal(tokens[at].stem):
                self._at[at].append(Lexeme("verbal", at + 1, 0.9, name, (owner,)))
        longest = min(LONGEST, max(linker.longest, 1), len(tokens) - at)
        for size in range(longest, 0, -1):
            span = tokens[at : at + size]
            if not span[0].text[0].isalnum() or not span[-1].text[0].isalnum():
                continue
            self._add_values(at, at + size, linker.values_of(text, span, set(), at, given))
            terms = linker.terms_of(span, did=size == 1 and self._is_done(at))
            self._at[at] += _meant([_term(t, span, at + size) for t in terms if self._fits(t, at, at + size)])
        labels = [x for x in self.of(at, "label") if x.end < len(tokens) and self.lower[x.end] in _NODES]
        self._at[at] += [replace(x, end=x.end + 1) for x in labels]
        named = any(x.end == at + 1 and x.kind in ("label", "relation") for x in self._at[at])
        verb = self.lower[at].endswith(("ed", "ing"))
        if not named and not verb and (part := linker.part(tokens, at, set(), given)):
            whole = self._named_around(at)
            if not any(v in whole for v, _ in part.values):
                self._add_values(at, part.end, part.values)
        number = linker.number_at(tokens, at)
        if number is not None:
            self._at[at].append(Lexeme("number", at + number[1], 0.6, number=number[0]))

    def _named_around(self, at: int) -> set[StoredValue]:
        """Values that words from before a word up to it name in full: of "chief officer" no other officer."""
        before = (x for place in range(max(0, at - LONGEST), at) for x in self.of(place, "value"))
        return {v for x in before if x.end > at and x.score >= 1 for v in x.values}

    def _fits(self, term: Term, at: int, end: int) -> bool:
        """Whether words are a term in their form and with what follows: "made of" is not "made in"."""
        last = identifier_words(term.name)[-1:]
        other = self.lower[end : end + 1]
        joined = term.kind == "property" and last and last[0] in PREPOSITIONS
        apart = joined and other and other[0] in _JOINING and other != last
        return not apart and not _inflected(term, self.words[at:end]) and self._is_noun(term, at, end)

    def _is_noun(self, term: Term, at: int, end: int) -> bool:
        """Whether a noun for who does something stands as one, and a verb of the same form does not."""
        if end > at + 1 or self.words[at].stem not in DOERS or term.kind != "relation":
            return True
        before = self.lower[at - 1] if at else ""
        noun = before in _BEFORE_NOUNS or self.lower[end : end + 1] == ("of",) or before.endswith("'s")
        return term.agent == (noun and not is_verb_form(self.lower[at]))

    def _is_done(self, at: int) -> bool:
        """Whether a word for asking tells what somebody does: "(what did Ann) give"."""
        return self.lower[at] in _ASKING and bool(_DOING & set(self.lower[:at]))

    def _add_quoted(self, at: int, quoted: Mention) -> None:
        """What stands between quotes, found at the opening quote and at the word behind it."""
        self._closing.add(quoted.end - 1)
        inner = self.words[at + 1 : quoted.end - 1]
        for place in (at, at + 1)[: 1 + bool(inner)]:
            self._add_values(place, quoted.end, quoted.values, size=max(len(inner), 1))
            self._at[place] += [_term(term, inner, quoted.end) for term in quoted.terms if inner]
            self._at[place].append(Lexeme("text", quoted.end, 1.0, text=quoted.text))
            if quoted.day:
                self._at[place].append(Lexeme("day", quoted.end, 1.0, day=quoted.day, text=quoted.text))
            if quoted.time:
                self._at[place].append(Lexeme("time", quoted.end, 1.0, text=quoted.time))
            if quoted.number is not None:
                self._at[place].append(Lexeme("number", quoted.end, 1.0, number=quoted.number))

    def _close_quotes(self) -> None:
        """The words of a quoted value mean nothing by themselves."""
        for at, word in enumerate(self.lower):
            ends = [x.end for x in self.at(at) if x.kind == "value"] if word in ("'", '"') else []
            for inside in range(at + 1, max(ends, default=0)):
                self._at.pop(inside, None)

    def _drop_parts(self) -> None:
        """A word within a label's is no property of which it is but a part: "call" of a phone call."""
        for at in range(1, len(self.words)):
            inside = any(x.kind == "label" and x.score > 1 and x.end > at for x in self.at(at - 1))
            if inside and at in self._at:
                self._at[at] = [x for x in self._at[at] if x.kind != "property" or x.score >= PARTIAL]

    def _drop_states(self) -> None:
        """ "Released in 1990" says when or where, not what "Released" is a value of."""
        for at, word in enumerate(self.lower):
            when = self.lower[at + 1 : at + 5]
            dated = when and when[0] in _WHEN and any(w[0].isdigit() for w in when[1:])
            placed = when[:1] == ("in",) and word.endswith("ed") and self.lower[at - 1 : at] in _PASSIVE
            said = (dated and self.of(at, "verbal")) or placed
            if said and self.words[at].text == word:
                self._at[at] = [x for x in self._at[at] if x.kind != "value" or x.end > at + 1]

    def _keep_compounds(self) -> None:
        """ "Phone calls to Ann" are no phones that call: the verb has its object right behind it."""
        for at in range(len(self.words) - 2):
            ends = [x.end for x in self.of(at, "label") if x.score > 1 and x.end == at + 2]
            after = self.lower[at + 2]
            participle = after.endswith(("ing", "ed")) and self.words[at + 2].text == after  # not "Ed"
            noun = after in PREPOSITIONS | _BEHIND or participle
            if ends and self.lower[at + 1].endswith("s") and noun:
                self._at[at] = [x for x in self._at[at] if x.end > at + 1 or x.kind == "relation"]
                self._at[at + 1] = [x for x in self._at[at + 1] if x.kind != "relation"]

    def _keep_kinds(self) -> None:
        """ "Norwegian pilots" are pilots: behind a value a kind's own word is no verb that means the like."""
        ends = {x.end for some in self._at.values() for x in some if x.kind == "value"}
        for at in ends & self._at.keys():
            kinds = {x.end for x in self.of(at, "label") if x.score >= 1}
            alike = [x for x in self.of(at, "relation") if x.end in kinds and x.score < 1]
            plural = self.lower[at].endswith("s") and self.lower[at - 1].isalpha()
            if alike and plural and not is_verb_form(self.lower[at]):
                self._at[at] = [x for x in self._at[at] if x not in alike]

    def _own_properties(self) -> None:
        """ "MEETS3 rank", "PLAYED_IN relationship roles": a type's name in front of its property."""
        for at in range(len(self.words) - 1):
            for kind in self.of(at, "relation"):
                said = "".join(self.lower[at : kind.end]).replace("_", "")
                if said != "".join(identifier_words(kind.name)):
                    continue
                place = kind.end + (self.lower[kind.end : kind.end + 1] in _TYING)
                for found in self.of(place, "property"):
                    if kind.name in found.owners:
                        score = found.score + kind.score
                        self._at[at].append(replace(found, score=score, owners=(kind.name,)))

    def _join_names(self) -> None:
        """ "Policeman or policewoman", "men and women": two words for one kind of thing."""
        for at in range(len(self.words) - 2, -1, -1):
            for first in self.of(at, "label"):
                others = self.of(first.end + 1, "label") if self._is_joint(at, first.end) else ()
                same = [x for x in others if x.name == first.name and first.score >= 1 <= x.score]
                self._at[at] += [replace(x, score=first.score) for x in same]

    def _is_joint(self, at: int, end: int) -> bool:
        """Whether "or" follows words for a kind that nothing else is said of."""
        word = self.lower[end] if end < len(self.words) else ""
        return word in ("or", "and", "/") and self.lower[at] != self.lower[min(end + 1, len(self.words) - 1)]

    def _add_values(
        self, at: int, end: int, found: Sequence[tuple[StoredValue, float]], *, size: int = 0
    ) -> None:
        groups: dict[tuple[str, str], list[tuple[StoredValue, float]]] = defaultdict(list)
        inside = AUXILIARIES & set(self.lower[at + 1 : end - 1]) if not size else frozenset()
        for value, score in found:
            if inside and not inside <= set(value.text.lower().split()):
                continue  # "crimes were the vehicles" is no "vehicle crime"
            groups[value.owner, value.property].append((value, score))
        for (owner, name), some in groups.items():
            best = max(s for _, s in some)
            values = tuple(v for v, s in some if s == best)
            score = best * (1 + 0.9 * ((size or end - at) - 1))
            named = any(o != owner and self._names.get(o) == n for o, n in groups)
            if named and self._names.get(owner) != name:
                score -= BORROWED
            if not any(x.kind == "value" and x.end == end and x.values == values for x in self._at[at]):
                self._at[at].append(Lexeme("value", end, score, name, (owner,), values=values))

    def _add_linked(self, linked: Linked) -> None:
        """Values that only the linker finds: near spellings, and given ones that are spelled otherwise."""
        for mention in linked.mentions:
            if mention.values and not any(
                x.kind == "value" and x.end >= mention.end for x in self._at.get(mention.start, ())
            ):
                self._add_values(mention.start, mention.end, mention.values)


def _inflected(term: Term, span: Sequence[Word]) -> bool:
    """Whether words are a label only but for a verb's ending: "(which) phone called" is no phone call."""
    last = span[-1].lower
    verb = term.kind == "label" and len(span) > 1 and last.endswith("ed")
    return verb and last not in identifier_words(term.name)


def _meant(found: Sequence[Lexeme]) -> list[Lexeme]:
    """Without labels of which the words are only a part, where they are the whole of another."""
    whole = any(x.kind == "label" and x.score >= 1 for x in found)
    return [x for x in found if not (whole and x.kind == "label" and x.score < PARTIAL)]


def _term(term: Term, span: Sequence[Word], end: int) -> Lexeme:
    content = [w for w in span if w.stem not in FUNCTION_WORDS]
    score = min(term.weight, 1.2) * (1 + 1.15 * max(len(content) - 1, 0)) + 0.25 * (len(span) - len(content))
    kind = "agent" if term.agent else term.kind
    phrase = term.weight >= SPOKEN and len(content) < len(span)
    return Lexeme(kind, end, score, term.name, term.owners, term.side, phrase)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What stays the same for all questions on one schema."""

    schema: StoreSchema
    words: Words
    values: ValueTable
    people: tuple[str, ...] = ()
    """Labels whose things are known to be people."""
