"""What the rules have found so far in one document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from extraction.passages import Passage, unified
from extraction.rules_compile import CompiledRules, Measuring
from extraction.rules_terms import CompiledTerm, Terms
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction, Rejection
from schemas.language.expressions import Expression
from schemas.language.notation import DecayName
from schemas.model import AttributeValue

_SUMS_UP = re.compile(r"\s*(?:in (?:summary|conclusion)|to (?:conclude|summari[sz]e))\b", re.IGNORECASE)
_NOTHING: Mapping[str, AttributeValue] = {}


@dataclass(frozen=True, slots=True)
class Mention:
    """A found entity at ``start:end`` of the document."""

    ref: str
    type: str
    start: int
    end: int
    decay: DecayName | None = None


@dataclass(frozen=True, slots=True)
class ObservableName:
    """Name and attributes of a known observable."""

    name: str
    attributes: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Determined:
    """An observable that a measurement rule gave a value."""

    ref: str
    name: str
    term: str
    """Template of the term, for example ``{particle} mass``."""
    particle: str
    passage: int


@dataclass(slots=True)
class _Found:
    type: str
    name: str
    aliases: dict[str, None] = field(default_factory=dict)
    attributes: dict[str, AttributeValue] = field(default_factory=dict)
    evidence: dict[tuple[int, int], None] = field(default_factory=dict)
    confidence: float = 0.0


@dataclass(slots=True)
class Reading:
    """One document being read by the rules."""

    document: Document
    schema: GraphSchema
    rules: CompiledRules
    passages: tuple[Passage, ...]
    extractor: str
    mentions: dict[int, list[Mention]] = field(default_factory=dict)
    """By passage index, in order of place."""
    determined: list[Determined] = field(default_factory=list)
    paper: str = ""
    """Ref of the document's own record."""
    defined: list[CompiledTerm] = field(default_factory=list)
    """Symbols that the document defines as observables."""
    same: dict[str, ObservableName] = field(default_factory=dict)
    """Observables under a name that a known symbol stands for."""
    related: set[tuple[str, str, str, int]] = field(default_factory=set)
    """Subject, relation, object and passage of what is stated with attributes already."""
    linked: set[tuple[int, int]] = field(default_factory=set)
    """Passage and place in it of each value that an observable was given, or was refused."""
    summing_up: int = field(init=False)
    """Index of the first passage that sums up ("In summary, ..."), or the number of passages."""
    _below: dict[tuple[int, int], bool] = field(default_factory=dict)
    _records: dict[str, _Found] = field(default_factory=dict)
    _statements: list[DraftStatement] = field(default_factory=list)
    _rejections: list[Rejection] = field(default_factory=list)

    def __post_init__(self) -> None:
        says = (p.index for p in self.passages if _SUMS_UP.match(p.unified))
        self.summing_up = next(says, len(self.passages))

    def terms(self, measuring: Measuring) -> Terms:
        """The rule's observables and the document's own symbols."""
        return Terms.joined((Terms(self.defined), measuring.terms))

    def record(
        self,
        entity_type: str,
        name: str,
        *,
        span: tuple[int, int],
        aliases: tuple[str, ...] = (),
        attributes: Mapping[str, AttributeValue] = _NOTHING,
        confidence: float = 0.9,
    ) -> str:
        """Note an entity; the same type and name again add to it. Returns its ref."""
        ref = f"{entity_type}:{name}"
        found = self._records.setdefault(ref, _Found(entity_type, name))
        found.aliases.update(dict.fromkeys(a for a in aliases if a != name))
        declared = {a.name for a in self.schema.entity(entity_type).attributes}
        for key, value in attributes.items():
            if key in declared:
                found.attributes.setdefault(key, value)
        found.evidence[span] = None
        found.confidence = max(found.confidence, confidence)
        return ref

    def statement(
        self,
        ends: tuple[str, str],
        relation: str,
        *,
        spans: tuple[tuple[int, int], ...],
        attributes: Mapping[str, AttributeValue] = _NOTHING,
        place: str = "",
        confidence: float = 0.8,
    ) -> None:
        """Note a relation from one ref to another; attributes that the schema does not declare are left out.

        ``place`` tells facts apart that are equal in everything else (two columns with one number).
        """
        declared = {a.name for a in self.schema.relation(relation).attributes}
        self._statements.append(
            DraftStatement(
                subject=ends[0],
                type=relation,
                object=ends[1],
                attributes={k: v for k, v in attributes.items() if k in declared},
                qualifiers=(("place", place),) if place else (),
                evidence=tuple(self._evidence(span) for span in spans),
                confidence=confidence,
            )
        )

    def below(self, section: int, title: Expression) -> bool:
        """Whether the section's own title or one above it matches."""
        key = (section, id(title))
        if key not in self._below:
            self._below[key] = self._is_below(section, title)
        return self._below[key]

    def _is_below(self, section: int, title: Expression) -> bool:
        index: int | None = section
        while index:
            found = self.document.sections[index]
            if title.search(unified(found.title)):
                return True
            index = found.parent
        return False

    def reject(self, code: str, detail: str, item: str) -> None:
        """Count something that was seen and not used."""
        self._rejections.append(
            Rejection(extractor=self.extractor, code=code, detail=detail, item=item[:200])
        )

    def decays_in(self, index: int) -> list[Mention]:
        """The decays that a passage names."""
        return [m for m in self.mentions.get(index, ()) if m.decay is not None]

    def extraction(self) -> Extraction:
        """Everything found, as drafts."""
        return Extraction(
            extractor=self.extractor,
            records=tuple(self._draft(ref, found) for ref, found in self._records.items()),
            statements=tuple(self._statements),
            rejections=tuple(self._rejections),
        )

    def _draft(self, ref: str, found: _Found) -> DraftRecord:
        return DraftRecord(
            ref=ref,
            type=found.type,
            name=found.name,
            aliases=tuple(found.aliases),
            attributes=found.attributes,
            evidence=tuple(self._evidence(span) for span in sorted(found.evidence)),
            confidence=found.confidence,
        )

    def _evidence(self, span: tuple[int, int]) -> Evidence:
        return Evidence(start=span[0], end=span[1], quote=self.document.text[span[0] : span[1]])
