"""What two names of one type have in common when they say the same: the type's normaliser and vetoes.

The normaliser is chosen by the schema: the notation of particles, decays and observables, the synonyms and
fillers that the type declares, and the acronyms that the records' own documents define.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from canonicalize.added_words import adds_words
from canonicalize.features import Unit
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.language.acronyms import expand, find_acronyms
from schemas.language.names import normalise_name
from schemas.language.particle_words import decay_in_words, particle_in_words
from schemas.language.terms import TermTable, terms
from schemas.language.vetoes import Signature, signature, told_apart


@dataclass(frozen=True)
class NormalForms:
    """Normal forms and vetoes of the names of one type.

    ``table`` is None for a type without notation, synonyms and fillers: its names are only tidied.
    """

    kind: EntityType
    table: TermTable | None = None
    acronyms: Mapping[str, str] = field(default_factory=dict)
    """Acronyms with one long form in all texts."""
    of_document: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What a document's own texts define, which counts first for its records."""

    _forms: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    _spoken: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _read: dict[str, int | str] = field(default_factory=dict, repr=False, compare=False)
    _readings: dict[Signature, int] = field(default_factory=dict, repr=False, compare=False)
    _told: dict[tuple[int, int], str | None] = field(default_factory=dict, repr=False, compare=False)

    def form(self, name: str, document: str = "") -> str:
        """Names with equal forms are one concept unless a veto or an identity says otherwise."""
        key = (name, document if document in self.of_document else "")
        known = self._forms.get(key)
        if known is None:
            known = self._forms[key] = self._made(name, document)
        return known

    def _made(self, name: str, document: str) -> str:
        found = self._notation(name)
        if found is not None:
            return found
        return self._made_plain(self.expanded(name, document))

    def _made_plain(self, name: str) -> str:
        if self._purpose is not None and (head := self._purpose.split(name, maxsplit=1)[0]) != name:
            found = self._tidied(head)
            if found and not self.is_generic(found):
                return found
        return self._tidied(name)

    def _tidied(self, name: str) -> str:
        if self.table is None:
            return normalise_name(name, case_sensitive=self.kind.case_sensitive)
        return self.table.form(name)

    @cached_property
    def _purpose(self) -> re.Pattern[str] | None:
        """What begins to say what a name was used for."""
        words = self.kind.canonicalization.purposes
        return re.compile(rf"\s+(?:{'|'.join(map(re.escape, words))})\s+", re.IGNORECASE) if words else None

    def is_generic(self, form: str) -> bool:
        """Whether a normal form is that of a generic name of the type, or has no words but its fillers."""
        names, fillers = self._generic
        return form in names or (bool(names) and form != "" and fillers.issuperset(form.split()))

    @cached_property
    def _generic(self) -> tuple[frozenset[str], frozenset[str]]:
        """The normal forms of the generic names, and of the fillers."""
        rules = self.kind.canonicalization
        if not rules.generic:
            return frozenset(), frozenset()
        names, fillers = (frozenset(map(self._tidied, found)) for found in (rules.generic, rules.fillers))
        return names, fillers

    def spoken(self, name: str) -> str:
        """The name as vetoes compare it: canonical notation, acronyms and synonyms written out."""
        known = self._spoken.get(name)
        if known is None:
            found = self._notation(name)
            if found is None and self.table is not None:
                found = self.table.spoken(self.expanded(name))
            known = self._spoken[name] = found or name
        return known

    def veto(self, left: str, right: str) -> str | None:
        """The rule that keeps two names apart, or None; symmetric."""
        a, b = self.reading(left), self.reading(right)
        if a == b:
            return None
        if not isinstance(a, int) or not isinstance(b, int):
            return self._veto(left, right)
        pair = (a, b) if a < b else (b, a)
        if pair not in self._told:
            self._told[pair] = self._veto(left, right)
        return self._told[pair]

    def reading(self, name: str) -> int | str:
        """What vetoes see of a name: they tell no two names of one reading apart, and see nothing else.

        A number where all vetoes of the type look at symbols and telling words alone, else the name.
        """
        known = self._read.get(name)
        if known is None:
            known = name
            if self._symbols_tell:
                known = self._readings.setdefault(signature(self.spoken(name)), len(self._readings))
            self._read[name] = known
        return known

    @cached_property
    def _symbols_tell(self) -> bool:
        """Whether no veto of the type looks at more than symbols and telling words."""
        rules = self.kind.canonicalization
        return len(rules.symbol_vetoes) == len(rules.vetoes)

    def _veto(self, left: str, right: str) -> str | None:
        rules = self.kind.canonicalization
        symbols = rules.symbol_vetoes
        found: str | None = None
        if symbols:
            found = told_apart(signature(self.spoken(left)), signature(self.spoken(right)), symbols)
        if found is None and self.case_tells and _other_case(left, right):
            return "case"
        return "words" if found is None and "words" in rules.vetoes and self._adds(left, right) else found

    @property
    def case_tells(self) -> bool:
        """Whether the case of a word says that it is a common or a proper noun."""
        return "case" in self.kind.canonicalization.vetoes

    def _adds(self, left: str, right: str) -> bool:
        """Whether a word of one name says more than the other does."""
        forms = self.form(left), self.form(right)
        return adds_words(*forms, written=(left, right), plain=self._plain)

    @cached_property
    def _plain(self) -> frozenset[str]:
        """Words that say nothing by themselves: those of generic names, and fillers."""
        names, fillers = self._generic
        return frozenset(word for name in (*names, *fillers) for word in name.split())

    def expanded(self, name: str, document: str = "") -> str:
        """The name with the acronyms of its document, and those of the corpus, written out."""
        if not self._has_acronyms or not any(c.isupper() for c in name[1:]):
            return name
        own = self.of_document.get(document)
        return expand(name, {**self.acronyms, **own} if own else self.acronyms)

    def written_out(self, units: Sequence[Unit], table: RecordColumns) -> Sequence[Unit]:
        """The units with what their own documents define written out in their names."""
        if not self.of_document:
            return units
        return [
            replace(unit, names=self._written_out(unit, table))
            if any(document in self.of_document for document in unit.documents)
            else unit
            for unit in units
        ]

    def _written_out(self, unit: Unit, table: RecordColumns) -> tuple[str, ...]:
        names = Counter(self.expanded(table.names[row], table.documents[row]) for row in unit.records)
        return tuple(sorted(names, key=lambda n: (-names[n], len(n), n)))

    @cached_property
    def _has_acronyms(self) -> bool:
        return bool(self.acronyms or self.of_document)

    def _notation(self, name: str) -> str | None:
        if self.kind.notation == "particle":
            return particle_in_words(name)
        if self.kind.notation == "decay":
            decay = decay_in_words(name)
            return None if decay is None else decay.name
        return None


def _other_case(left: str, right: str) -> bool:
    """Whether one word is written small in one name and with a capital in the other.

    >>> _other_case("march", "March"), _other_case("MARCH", "March"), _other_case("a march", "A march")
    (True, False, False)
    """
    if left.casefold() != right.casefold() or len(left.split()) != 1:
        return False
    return left.islower() != right.islower()


def normal_forms(
    schema: GraphSchema,
    kind: EntityType,
    table: RecordColumns | None = None,
    known: Mapping[str, str] | None = None,
) -> NormalForms:
    """The normaliser of one type, with the acronyms that the records of ``table`` define, if given.

    Acronyms ``known`` from elsewhere go before those.
    """
    rules = kind.canonicalization
    declared = bool(rules.synonyms or rules.fillers or rules.generic or rules.purposes or kind.notation)
    words = terms(schema.synonyms, rules.synonyms, rules.fillers) if declared else None
    acronyms, of_document = (
        _acronyms(table, known or {}, defining=not kind.notation)
        if declared and table is not None
        else ({}, {})
    )
    return NormalForms(kind, words, acronyms, of_document)


def _acronyms(
    table: RecordColumns, known: Mapping[str, str], *, defining: bool
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Acronyms of one meaning in all texts, and per document those that differ from them.

    ``defining``: aliases may define acronyms, as extraction writes them for those of a document's text.
    """
    own: dict[str, dict[str, str]] = defaultdict(dict)
    for texts in (table.names, table.descriptions):
        for document, text in zip(table.documents, texts, strict=True):
            if "(" in text:
                own[document].update(find_acronyms(text))
    for document, aliases in zip(table.documents, table.aliases, strict=True):
        for text in aliases if defining else ():
            if "(" in text:
                own[document].update(find_acronyms(text))
    shared = {**_unambiguous(own.values()), **known}
    differing = {
        document: {short: long for short, long in found.items() if shared.get(short) != long.lower()}
        for document, found in own.items()
    }
    return shared, {document: found for document, found in differing.items() if found}


def _unambiguous(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    forms: dict[str, set[str]] = defaultdict(set)
    for found in tables:
        for short, long_form in found.items():
            forms[short].add(long_form.lower())
    return {short: next(iter(longs)) for short, longs in forms.items() if len(longs) == 1}
