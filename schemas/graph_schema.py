"""Graph schemas: which entities and relations there are, how people speak of them, how to find and merge them."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from schemas.errors import SchemaError
from schemas.ids import canonical_json
from schemas.model import AttributeValue, Frozen

_NAME = r"^[a-z][a-z0-9_]{0,62}$"
Name = Annotated[str, Field(pattern=_NAME)]


class AttributeType(Frozen):
    """An attribute of an entity or relation type."""

    name: Name
    type: Literal["string", "integer", "number", "boolean", "strings"] = "string"
    description: str = ""
    enum: tuple[str, ...] = ()
    """Allowed values of a string; empty for any."""
    pattern: str = ""
    """Regular expression that a string must match in full."""
    unit: str = ""
    derived: bool = False
    """Computed (a ranking), so it need not occur in the quote."""
    verbalisations: tuple[str, ...] = ()


class Canonicalization(Frozen):
    """How records of a type become entities."""

    similarity: bool = True
    """False: only identity keys and equal normalised names merge."""
    threshold: float = Field(0.86, ge=0, le=1)
    """Average-link similarity from which two groups are one."""
    name_weight: float = Field(0.6, ge=0, le=1)
    """Weight of name TF-IDF against the embedding of the description."""
    identity: tuple[str, ...] = ()
    """Attributes that identify: equal values merge, two different values never do."""
    vetoes: tuple[Literal["charge", "numbers", "particles", "antonyms"], ...] = ()
    """Differences in the name that forbid a merge by similarity (``language.vetoes``)."""
    max_cluster: int = Field(50, ge=2)


class EntityType(Frozen):
    """A kind of node."""

    name: Name
    label: str = Field(pattern=r"^[A-Z][A-Za-z0-9]{0,62}$")
    """Node label in Neo4j, for example ``UncertaintySource``."""
    description: str = ""
    verbalisations: tuple[str, ...] = ()
    """How people name it, singular: "uncertainty source", "systematic"."""
    attributes: tuple[AttributeType, ...] = ()
    embed: bool = False
    notation: Literal["", "decay", "particle", "observable"] = ""
    """Normaliser of names (``language.notation``)."""
    case_sensitive: bool = False
    canonicalization: Canonicalization = Canonicalization()


class RelationType(Frozen):
    """A kind of edge."""

    name: Name
    """Upper case in Neo4j: ``measured_with`` is ``MEASURED_WITH``."""
    subjects: tuple[Name, ...]
    objects: tuple[Name, ...]
    description: str = ""
    verbalisations: tuple[str, ...] = ()
    """Subject to object: "determines", "measures"."""
    inverse: tuple[str, ...] = ()
    """Object to subject: "determined by"."""
    attributes: tuple[AttributeType, ...] = ()

    @property
    def neo4j_type(self) -> str:
        """``MEASURED_WITH``."""
        return self.name.upper()


class Term(Frozen):
    """A known name and the forms in which it appears."""

    name: str
    forms: tuple[str, ...] = ()
    """Regular expressions, matched on word borders without regard to case; the name itself always counts."""
    attributes: dict[str, AttributeValue] = Field(default_factory=dict)


class DocumentRule(Frozen):
    """Makes one record for the document itself; attributes are read off its text by pattern."""

    kind: Literal["document"]
    type: Name
    attributes: tuple[AttributePattern, ...] = ()


class AttributePattern(Frozen):
    """Sets ``attribute`` to ``value`` where ``pattern`` matches (first match wins)."""

    attribute: Name
    value: str
    pattern: str


class NotationRule(Frozen):
    """Finds entities by their notation (decay chains)."""

    kind: Literal["notation"]
    type: Name
    notation: Literal["decay"]


class GazetteerRule(Frozen):
    """Finds known terms; ``near`` are expressions one of which must match in the same sentence or its headings."""

    kind: Literal["gazetteer"]
    type: Name
    terms: tuple[Term, ...]
    near: tuple[str, ...] = ()


class PatternRule(Frozen):
    """Finds names by regular expression with a group ``name``."""

    kind: Literal["pattern"]
    type: Name
    pattern: str
    near: tuple[str, ...] = ()


class MeasurementRule(Frozen):
    """Finds "observable = value ± stat ± syst unit": the document determines the observable."""

    kind: Literal["measurement"]
    relation: Name
    observables: tuple[Term, ...]
    """Known observables with their attributes; decays in the sentence complete the name."""
    link_decays: Name | None = None
    """Relation from the observable to decays of the same sentence."""


class UncertaintyTableRule(Frozen):
    """Reads tables with a column of uncertainty sources and columns of magnitudes."""

    kind: Literal["uncertainty_table"]
    source_type: Name
    relation: Name
    target_type: Name
    cues: tuple[str, ...]
    """Expressions one of which must match in caption or header."""
    skip_rows: tuple[str, ...] = ()
    """Rows that are no source: totals, sums."""


class SentenceRelationRule(Frozen):
    """Relates two found entities of one sentence when a cue matches between or around them."""

    kind: Literal["sentence_relation"]
    relation: Name
    cues: tuple[str, ...]


Rule = Annotated[
    DocumentRule
    | NotationRule
    | GazetteerRule
    | PatternRule
    | MeasurementRule
    | UncertaintyTableRule
    | SentenceRelationRule,
    Field(discriminator="kind"),
]


class GraphSchema(Frozen):
    """A whole schema: types, relations, extraction rules."""

    name: Name
    version: str = Field(pattern=r"^\d+(\.\d+)*$")
    description: str = ""
    entities: tuple[EntityType, ...]
    relations: tuple[RelationType, ...]
    rules: tuple[Rule, ...] = ()
    passages: tuple[str, ...] = ()
    """Expressions for headings of the passages that matter to an LLM's second stage."""
    document_type: Name | None = None
    """Entity type that stands for the document itself."""

    @model_validator(mode="after")
    def _references_exist(self) -> Self:
        types = [e.name for e in self.entities]
        for kind, names in (
            ("entity type", types),
            ("relation", [r.name for r in self.relations]),
            ("label", [e.label for e in self.entities]),
        ):
            twice = {n for n in names if names.count(n) > 1}
            if twice:
                raise ValueError(f"{kind} declared twice: {', '.join(sorted(twice))}")
        for relation in self.relations:
            for end in (*relation.subjects, *relation.objects):
                if end not in types:
                    raise ValueError(
                        f"relation {relation.name} names entity type {end!r}; declared are {', '.join(types)}"
                    )
        for entity in self.entities:
            known = {a.name for a in entity.attributes}
            for key in entity.canonicalization.identity:
                if key not in known:
                    raise ValueError(f"identity attribute {key!r} of {entity.name} is not declared")
        if self.document_type is not None and self.document_type not in types:
            raise ValueError(f"document_type {self.document_type!r} is not declared")
        relations = [r.name for r in self.relations]
        for index, rule in enumerate(self.rules):
            for field, allowed in (
                ("type", types),
                ("source_type", types),
                ("target_type", types),
                ("relation", relations),
                ("link_decays", relations),
            ):
                value = getattr(rule, field, None)
                if value is not None and value not in allowed:
                    raise ValueError(
                        f"rules[{index}].{field} names {value!r}; declared are {', '.join(allowed)}"
                    )
        return self

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits over everything in the schema."""
        return hashlib.sha256(canonical_json(self.model_dump(mode="json")).encode()).hexdigest()[:32]

    def entity(self, name: str) -> EntityType:
        """The entity type of that name, or ``SchemaError``."""
        for entity in self.entities:
            if entity.name == name:
                return entity
        raise SchemaError(
            f"schema {self.name} has no entity type {name!r}; it has {', '.join(e.name for e in self.entities)}"
        )

    def relation(self, name: str) -> RelationType:
        """The relation type of that name, or ``SchemaError``."""
        for relation in self.relations:
            if relation.name == name:
                return relation
        raise SchemaError(
            f"schema {self.name} has no relation {name!r}; it has {', '.join(r.name for r in self.relations)}"
        )


DocumentRule.model_rebuild()
