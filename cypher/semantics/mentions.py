"""What the words of a question may stand for: values, schema terms, numbers, cues."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from cypher.semantics.abbreviated import SPELLED, initials, is_abbreviation
from cypher.semantics.cues import Cue, find_cues, taken_words
from cypher.semantics.day_times import time_at, time_keys
from cypher.semantics.hyphens import without_hyphens
from cypher.semantics.inflected import as_stored, is_common_after, is_verb_form, keeps_meaning, singulars
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import FUNCTION_WORDS, Term, Words
from cypher.semantics.misspelled import Misspelled
from cypher.semantics.name_words import is_in_value
from cypher.semantics.openings import without_asides, without_preamble
from cypher.semantics.rephrased import behind_preamble, rephrased
from cypher.semantics.rephrasing.screen import on_screen, rules_for
from cypher.semantics.roles import Roles, is_role
from cypher.semantics.said_by_label import beyond_label, without_others
from cypher.semantics.slips import likest
from cypher.semantics.spoken_numbers import CURRENCIES, POWERS, day_at, number_of
from cypher.semantics.surnames import Surnames
from cypher.semantics.text import Word, clean, identifier_words, stem, value_key, words
from cypher.semantics.values import SENTENCE, StoredValue, ValueTable, joins_two, kind_stems
from cypher.words import STOP_WORDS

_ONES: Final = frozenset({"one", "ones"})
_POINTING: Final = frozenset({"the", "which", "this", "that"})
"""Words before "one" that is no number."""
_INFLECTED: Final = IRREGULAR.keys() | {"shows", "finds", "lists"}
"""Forms of words for asking that ask nothing."""
_NEVER: Final = STOP_WORDS | {
    *("other", "another", "same", "different", "each", "every", "most", "least", "longest", "shortest"),
    *("more", "less", "than", "between", "before", "after", "under", "over", "known", "unknown", "others"),
}
"""Words that say nothing of which value is meant."""
_FELLOW: Final = re.compile(r"\bco-[a-z]+", re.IGNORECASE)
_MOST_ROLES: Final = 12
"""Different values of a property that holds roles, at most."""
_MOST_INITIALS: Final = 4
"""Words that one abbreviation stands for, at most."""
_NAMING: Final = frozenset({"name", "title", "fullName", "full_name"})
_PLAIN: Final = FUNCTION_WORDS | {
    stem(w) for w in ("named", "called", "name", "please", "return", "many", "much")
}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``start`` to ``end`` (half-open, word numbers) with what they may mean."""

    start: int
    end: int
    text: str
    terms: tuple[Term, ...] = ()
    values: tuple[tuple[StoredValue, float], ...] = ()
    number: float | None = None
    day: date | None = None
    time: str = ""
    """A time of day as ``hh:mm``."""
    quoted: bool = False

    @property
    def is_relation_only(self) -> bool:
        """Whether it can be nothing but a word for relationships."""
        return (
            bool(self.terms)
            and not self.values
            and all(t.kind == "relation" and not t.agent for t in self.terms)
        )


@dataclass(frozen=True, slots=True)
class Linked:
    """A question with all that was found in it."""

    text: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    """Nouns, values and numbers, left to right; they do not overlap."""
    relations: tuple[Mention, ...]
    """Words that may name relationship types, nouns among them."""
    cues: tuple[Cue, ...]
    unexplained: tuple[str, ...]

    def cue(self, *kinds: str) -> Cue | None:
        """The first cue of one of these kinds."""
        return next((c for c in self.cues if c.kind in kinds), None)

    def word_at(self, offset: int) -> int:
        """Number of the first word that ends after this character."""
        return next((i for i, w in enumerate(self.words) if w.end > offset), len(self.words))


Given = Mapping[str, Sequence[str]]
"""Texts of the question that name values, by label, when the caller knows them."""


class Linker:
    """Finds mentions over one schema's words and one graph's values."""

    def __init__(self, vocabulary: Words, values: ValueTable) -> None:
        self._words, self._values = vocabulary, values
        self._screen = rules_for(vocabulary.lexicon.phrases.keys())
        self._surnames = Surnames(vocabulary.lexicon, values)
        self._roles = Roles(values.few(_MOST_ROLES), vocabulary.lexicon)
        self._misspelled = Misspelled(s for phrase in vocabulary.lexicon.phrases for s in phrase)

    def link(self, question: str, given: Given | None = None) -> Linked:
        """All mentions of ``question``; ``given`` restricts values to the labels that it names."""
        plain = self._surnames.plainly(self._roles.plainly(clean(question)))
        plain = behind_preamble(plain, lambda asked: on_screen(asked, self._screen))
        plain = without_asides(without_preamble(self._as_kept(plain, rephrased(plain))))
        text = without_hyphens(plain, lambda span: {t.kind for t in self.terms_of(span)})
        tokens = words(text)
        cues = tuple(c for c in find_cues(text) if not self._is_named(tokens, c))
        mentions: list[Mention] = []
        relations: list[Mention] = []
        blocked = taken_words(tokens, cues)
        at = 0
        while at < len(tokens):
            found = self._at(text, tokens, at, blocked, given)
            if found is None:
                at += 1
                continue
            if any(t.kind == "relation" for t in found.terms):
                relations.append(found)
            if not found.is_relation_only:
                mentions.append(found)
            at = found.end
        if given:
            mentions = self._with_given(text, tokens, mentions, given)
        elif not any(m.values for m in mentions):
            mentions = self._with_near(text, tokens, mentions, blocked)
        return Linked(
            text,
            tokens,
            tuple(mentions),
            tuple(relations),
            cues,
            _unexplained(tokens, mentions, relations, blocked),
        )

    def _as_kept(self, plain: str, other: str) -> str:
        """The other wording, but where it has no word for a role that is kept: "co-author"."""
        roles = (found[0] for found in _FELLOW.finditer(plain))
        lost = (x for x in roles if x not in other and (self._values.exact(value_key(x))))
        return plain if any(lost) else other

    @property
    def longest(self) -> int:
        """Words of the longest value or term."""
        return max(self._values.longest, self._words.lexicon.longest)

    def verbal(self, verb: str) -> tuple[tuple[str, str], ...]:
        """Properties that a verb says, by its stem."""
        return self._words.verbal.get(verb, ())

    @staticmethod
    def number_at(tokens: Sequence[Word], at: int) -> tuple[float, int] | None:
        """The number that starts at a word, and how many words it takes."""
        number = number_of(tokens[at].text)
        pronoun = tokens[at].lower == "one" and at > 0 and tokens[at - 1].lower in _POINTING
        if number is None or pronoun:
            return None
        after = [t.lower for t in tokens[at + 1 : at + 3]] + ["", ""]
        power = POWERS.get(after[0])
        size = 1 + (power is not None)
        return number * (power or 1.0), size + (after[size - 1] in CURRENCIES)

    def _is_named(self, tokens: Sequence[Word], cue: Cue) -> bool:
        """Whether a cue belongs to a name: "phone number of", "last name", of somebody called Max Bell."""
        at = next((i for i, w in enumerate(tokens) if w.end > cue.start), 0)
        if is_in_value(self._values, tokens, at, cue.end):
            return True
        if cue.kind == "super" and at + 1 < len(tokens):
            named = self._words.lexicon.phrases.get((tokens[at].stem, tokens[at + 1].stem), ())
            return any(t.kind == "property" and t.weight >= 1 for t in named)
        word = tokens[at].lower
        if cue.kind != "count" or at == 0 or word not in ("number", "count"):
            return False
        return (tokens[at - 1].stem, word) in self._words.lexicon.phrases

    def _at(
        self, text: str, tokens: Sequence[Word], at: int, blocked: set[int], given: Given | None
    ) -> Mention | None:
        if tokens[at].text in "\"'" and (quoted := self.quoted(text, tokens, at, given)):
            return quoted
        if (dated := self.dated(text, tokens, at)) and (dated.day or dated.values):
            return dated
        longest = self.longest
        for size in range(min(longest, len(tokens) - at), 0, -1):
            span = tokens[at : at + size]
            if not span[0].text[0].isalnum() or not span[-1].text[0].isalnum():
                continue
            values = self.values_of(text, span, blocked, at, given)
            terms = () if any(i in blocked for i in range(at, at + size)) else self.terms_of(span)
            if values or terms:
                number = number_of(span[0].text) if size == 1 else None
                return Mention(at, at + size, text[span[0].start : span[-1].end], terms, values, number)
        if part := self.part(tokens, at, blocked, given):
            return part
        counted = self.number_at(tokens, at)
        if counted is not None and at not in blocked:
            return Mention(at, at + counted[1], tokens[at].text, number=counted[0])
        return None

    def part(self, tokens: Sequence[Word], at: int, blocked: set[int], given: Given | None) -> Mention | None:
        """One word of a value of several: "constable" for the rank "Police Constable"."""
        word = tokens[at]
        if (
            at in blocked
            or len(word.text) < 4
            or not word.text.isalpha()
            or word.lower in _NEVER
            or word.stem in _PLAIN
        ):
            return None
        found = self._filtered(self._values.with_word(word.lower), given, word.text)
        common = at and is_common_after(tokens[at - 1].lower)
        if word.text.islower() and (
            common or (at and tokens[0].text[0].isupper() and word.text.endswith("s"))
        ):
            found = [v for v in found if not (v.text[:1].isupper() and self._names(v))]
        owners = {(v.owner, v.property) for v in found}
        if len(owners) != 1 or len(found) > 3:
            return None
        return Mention(at, at + 1, word.text, values=tuple((v, 0.6) for v in found))

    def _names(self, value: StoredValue) -> bool:
        return value.property in _NAMING or self._values.is_name(value)

    def quoted(self, text: str, tokens: Sequence[Word], at: int, given: Given | None) -> Mention | None:
        mark = tokens[at].text
        if at + 1 == len(tokens):
            return None
        for end in range(at + 1, len(tokens)):
            if tokens[end].text == mark:
                inner = text[tokens[at].end : tokens[end].start].strip()
                key = value_key(inner)
                found = self._values.exact(key) or self._values.item(key)
                values = tuple((v, 1.2) for v in self._filtered(found, given, inner))
                terms = () if values else self.terms_of(words(" ".join(identifier_words(inner))))
                dated = self.dated(inner, words(inner), 0) or Mention(at, at, inner)
                found_number = number_of(inner)
                whole = replace(dated, start=at, end=end + 1, text=inner, terms=terms, values=values)
                return replace(whole, quoted=True, number=found_number)
        return None

    def dated(self, text: str, tokens: Sequence[Word], at: int) -> Mention | None:
        start = tokens[at].start
        day, written, keys = day_at(text, start) or (None, "", frozenset())
        time = ""
        if day is None and (found := time_at(text, start)):
            (time, written), keys = found, time_keys(found[0])
        values = tuple((v, 1.0) for k in sorted(keys) for v in self._values.exact(k))
        if day is None and not time:
            return None
        end = next((i for i, w in enumerate(tokens) if w.start >= start + len(written)), len(tokens))
        return Mention(at, end, written, values=values, day=day, time=time)

    def values_of(
        self, text: str, span: Sequence[Word], blocked: set[int], at: int, given: Given | None
    ) -> tuple[tuple[StoredValue, float], ...]:
        raw = text[span[0].start : span[-1].end]
        if span[0].text == "other" and any(t.kind == "label" for t in self.terms_of(span[1:])):
            return ()  # "the other crimes" are not those of the type "Other crime"
        if raw in ("I", "I'm", "I've", "I'd"):
            return ()  # whoever asks
        key, terms = value_key(raw), self.terms_of(span)
        found = self._values.exact(key)
        if len(span) == 1 and (at in blocked or (span[0].stem in _PLAIN and not as_stored(text, raw, found))):
            return ()
        score = 1.0
        if not found and not key.isdigit():
            for shorter in (*(singulars(key) if len(span) <= 4 else ()), key.removesuffix(" s")):
                if shorter != key and (found := self._values.exact(shorter)):
                    found, score = self._inflected(text, span, found), 0.9
                    break
        joined = joins_two(raw) and len(kind_stems(raw)) < SENTENCE
        if (
            not found
            and not joined
            and not key.isdigit()
            and len(key) > 3
            and not {span[0].stem, span[-1].stem} & _PLAIN
        ):
            found, score = self._values.item(key), 0.9
            if not found:
                found, score = without_others(self._values.same_words(raw), terms), 0.85
            if not found:
                found, score = self._spelled_out(span), SPELLED
        before = text[: span[0].start].split()[-1:]
        common = before in (["a"], ["an"]) or (before in (["the"], ["any"], ["some"]) and not terms)
        if len(span) == 1 and raw.islower() and not common and (any(c.isupper() for c in text[1:]) or terms):
            found = [v for v in found if not (v.text[:1].isupper() and self._values.is_name(v))]
        labels = (t.name for t in terms if t.kind == "label")
        kept = self._filtered(beyond_label(found, raw, "".join(before), labels), given, raw)
        same_case = [v for v in kept if v.text == raw]
        others = self._filtered(self._of_one(span), given, raw) if found and score == 1 else ()
        return (*((v, score) for v in (same_case or kept)), *((v, 0.9) for v in others if v not in kept))

    def _of_one(self, span: Sequence[Word]) -> Sequence[StoredValue]:
        """Kinds of which a word is the plural, whatever else is called by the plural itself."""
        plural = len(span) == 1 and span[0].text.islower() and span[0].text.endswith("s")
        found = (v for one in singulars(span[0].lower) for v in self._values.exact(one)) if plural else ()
        return [v for v in found if v.text.islower()]

    def _inflected(
        self, text: str, span: Sequence[Word], found: Sequence[StoredValue]
    ) -> Sequence[StoredValue]:
        """Values of which a word is the plural: no name, where a name would have its capital."""
        if len(span) > 1 or not (text[:1].isupper() and span[0].text.islower()):
            return found
        return [v for v in found if not (v.text[:1].isupper() and self._values.is_name(v))]

    def _spelled_out(self, span: Sequence[Word]) -> Sequence[StoredValue]:
        """Roles that are short for a few words: PI for "principal investigator"."""
        keys = initials(span) if len(span) <= _MOST_INITIALS else ()
        found = (v for key in keys for v in self._values.exact(key))
        return [v for v in found if is_abbreviation(v.text) and is_role(v.property)]

    @staticmethod
    def _filtered(found: Sequence[StoredValue], given: Given | None, raw: str) -> list[StoredValue]:
        if given is None:
            return list(found)
        key = f" {value_key(raw)} "
        owners = {owner for owner, texts in given.items() for t in texts if key in f" {value_key(t)} "}
        chosen = [v for v in found if v.owner in owners]
        return chosen or ([] if owners else list(found))

    def terms_of(self, span: Sequence[Word], *, did: bool = False) -> tuple[Term, ...]:
        """Terms that words may mean; ``did`` says that somebody did what a word for asking says, "give"."""
        key = tuple(self._misspelled.stem(w.stem) for w in span)
        if len(span) == 1 and key[0] in FUNCTION_WORDS and span[0].lower not in _INFLECTED and not did:
            return ()
        phrases = self._words.lexicon.phrases
        found = phrases.get(key) or (
            phrases.get((stem("".join(w.lower for w in span)),)) if len(span) > 1 else None
        )
        if len(span) == 1 and is_verb_form(span[0].lower):
            found = [
                t
                for t in found or ()
                if t.kind == "relation" or t.weight > 1 or keeps_meaning(span[0].lower, t)
            ]
        return tuple(found or ())

    def _with_given(
        self, text: str, tokens: Sequence[Word], mentions: list[Mention], given: Given
    ) -> list[Mention]:
        """Adds given values that the question spells in another way, where its words are most like them."""
        known = {(v.owner, v.text) for m in mentions for v, _ in m.values}
        covered = {i for m in mentions if m.values for i in range(m.start, m.end)}
        for owner, texts in given.items():
            for wanted in texts:
                values = [v for v in self._values.exact(value_key(wanted)) if v.owner == owner]
                if not values or any((owner, v.text) in known for v in values):
                    continue
                start, end = likest(text, tokens, wanted, covered)
                covered |= set(range(start, end))
                mentions = [m for m in mentions if m.end <= start or m.start >= end]
                mentions.append(
                    Mention(start, end, wanted, values=tuple((v, 1.0) for v in values), quoted=True)
                )
        return sorted(mentions, key=lambda m: m.start)

    def _with_near(
        self, text: str, tokens: Sequence[Word], mentions: list[Mention], blocked: set[int]
    ) -> list[Mention]:
        """Adds values spelled like runs of capitalised words that nothing explains."""
        covered = {i for m in mentions for i in range(m.start, m.end)} | blocked
        at = 1
        while at < len(tokens):
            end = at
            while end < len(tokens) and end not in covered and tokens[end].text[0].isupper():
                end += 1
            if end > at:
                raw = text[tokens[at].start : tokens[end - 1].end]
                if near := self._values.near(value_key(raw)):
                    mentions.append(Mention(at, end, raw, values=tuple(near)))
            at = max(end, at + 1)
        return sorted(mentions, key=lambda m: m.start)


def _unexplained(
    tokens: Sequence[Word], mentions: Sequence[Mention], relations: Sequence[Mention], blocked: set[int]
) -> tuple[str, ...]:
    covered = {i for m in (*mentions, *relations) for i in range(m.start, m.end)} | blocked
    return tuple(
        w.text
        for i, w in enumerate(tokens)
        if not (i in covered or w.stem in _PLAIN or w.lower in STOP_WORDS | _ONES) and w.text[-1].isalnum()
    )
