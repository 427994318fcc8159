"""Graph schemas: the entities and relations there are, what people call them, how to find and merge them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from schemas.canonicalization_rules import Canonicalization, Synonyms
from schemas.errors import SchemaError
from schemas.ids import canonical_json
from schemas.language.patterns import pattern_fault
from schemas.model import AttributeValue, Frozen
from schemas.schema_expressions import expressions_of
from schemas.synonym_faults import synonym_faults

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
    functional: bool | None = None
    """Whether one thing has one value, so that two different ones are a conflict (OWL's functional property).

    Left open: numbers, truth values and enumerations of entities are, texts and all attributes of
    relations are not, since two values for one observable are normal.
    """
    verbalisations: tuple[str, ...] = ()


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
    case_sensitive: bool = False
    """Match the forms with their case (symbols such as ``R_K``)."""
    followed_by: str = ""
    """Regular expression that must stand right behind a form, and is no part of the name."""


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
    where: Literal["summary", "text"] = "text"
    """``summary``: title and abstract only."""


class NotationRule(Frozen):
    """Finds entities by their notation (decay chains)."""

    kind: Literal["notation"]
    type: Name
    notation: Literal["decay"]


class GazetteerRule(Frozen):
    """Finds known terms; one of ``near`` must match in the same sentence or in its headings."""

    kind: Literal["gazetteer"]
    type: Name
    terms: tuple[Term, ...]
    near: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    """Expressions that rule a sentence out."""


class PatternRule(Frozen):
    """Finds names by regular expression with a group ``name``; the next name may begin where one ends."""

    kind: Literal["pattern"]
    type: Name
    pattern: str
    near: tuple[str, ...] = ()


class MeasurementRule(Frozen):
    """Finds "observable = value ± stat ± syst unit": the document determines the observable."""

    kind: Literal["measurement"]
    relation: Name
    observables: tuple[Term, ...]
    """Known observables with their attributes. ``{decay}`` and ``{particle}`` in a name are filled from the
    sentence ("BR({decay})"); a form may mark the particle with a group ``particle``."""
    link_decays: Name | None = None
    """Relation from the observable to decays of the same sentence."""
    exclude: tuple[str, ...] = ()
    """Expressions that mark a value as another's: predictions, averages, earlier results."""
    announce: tuple[str, ...] = ()
    """Expressions by which a title or an abstract says that the document determines what it names; such
    observables are kept without a value. None: only printed values count."""
    condition: Name | None = None
    """Attribute of the relation that takes the range a value holds for ("for 1.1 < q^2 < 6.0")."""
    exclude_after: tuple[str, ...] = ()
    """Expressions that mark a value as another's in what follows it ("is used", "from Ref.")."""
    own: tuple[str, ...] = ()
    """Expressions by which a sentence says that its value is the document's result. They are demanded outside
    title, abstract and ``sections``. None: not demanded."""
    sections: tuple[str, ...] = ()
    """Headings below which a value is the document's result."""
    tables: tuple[str, ...] = ()
    """Expressions one of which a table's caption or head must match for its values to be results. None: no
    table is read."""
    exclude_tables: tuple[str, ...] = ()
    """Expressions that mark a table as one of inputs, yields or checks."""
    unlisted: bool = False
    """Whether a symbol or noun phrase that is none of ``observables`` is one where title, abstract or
    ``sections`` give it a value with two errors or more."""


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
    columns: bool = False
    """Whether tables with the sources in columns are read where two heads or more are known terms."""


class CuePhraseRule(Frozen):
    """Finds names as short noun phrases beside a cue ("uncertainties due to ..."), and under headings.

    A name that is one of a gazetteer's terms of the same type, but for general words, is that term.
    """

    kind: Literal["cue_phrase"]
    type: Name
    cues: tuple[str, ...] = ()
    """Expressions that a name follows, or an enumeration of names."""
    closing: tuple[str, ...] = ()
    """Expressions that a name precedes ("is a source of systematic uncertainty")."""
    near: tuple[str, ...] = ()
    """One must match in the same sentence or its headings; none: everywhere."""
    headings: tuple[str, ...] = ()
    """Below headings that match, further headings and the heads of paragraphs and list items are names."""
    heads: tuple[str, ...] = ()
    """One must match within the name; none: any name."""
    reject: tuple[str, ...] = ()
    """Expressions that mark a phrase as no name."""
    exclude: tuple[str, ...] = ()
    """Expressions that rule a sentence out."""
    captions: bool = True
    """Whether captions are searched too."""
    clauses: bool = False
    """Whether a name may hold "of", "with" and "using" up to the end of its clause, as methods do."""
    most_words: int = Field(8, ge=1, le=20)
    relation: Name | None = None
    """Relation from the name to what the document determines, with the size that the sentence gives."""


class SentenceRelationRule(Frozen):
    """Relates two found entities of one sentence when a cue matches between or around them."""

    kind: Literal["sentence_relation"]
    relation: Name
    cues: tuple[str, ...]
    back: bool = False
    """Where the sentence names no object, take the only one of the sentence before it in the paragraph."""


Rule = Annotated[
    DocumentRule
    | NotationRule
    | GazetteerRule
    | PatternRule
    | MeasurementRule
    | UncertaintyTableRule
    | CuePhraseRule
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
    synonyms: tuple[Synonyms, ...] = ()
    """Words that mean the same in names of every type that declares synonyms or fillers of its own."""
    passages: tuple[str, ...] = ()
    """Expressions for headings of the passages that matter to an LLM's second stage."""
    document_type: Name | None = None
    """Entity type that stands for the document itself."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        synonyms = synonym_faults(self.synonyms, [e.canonicalization.synonyms for e in self.entities])
        for path, message in (*_twice(self), *_bad_references(self), *_bad_patterns(self), *synonyms):
            raise PydanticCustomError("graph_schema", "{message}", {"message": message, "path": path})
        return self

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits over everything in the schema."""
        return hashlib.sha256(canonical_json(self.model_dump(mode="json")).encode()).hexdigest()[:32]

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, whose fingerprint is its own."""
        copied = super().model_copy(update=update, deep=deep)
        vars(copied).pop("fingerprint", None)
        return copied

    def entity(self, name: str) -> EntityType:
        """The entity type of that name, or ``SchemaError``."""
        for entity in self.entities:
            if entity.name == name:
                return entity
        raise SchemaError(
            f"schema {self.name} has no entity type {name!r}; "
            f"it has {', '.join(e.name for e in self.entities)}"
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

_Path = tuple[str | int, ...]
_Fault = tuple[_Path, str]


def _twice(schema: GraphSchema) -> Iterator[_Fault]:
    for field, key in (("entities", "name"), ("relations", "name"), ("entities", "label")):
        seen: set[str] = set()
        for index, item in enumerate(getattr(schema, field)):
            value = getattr(item, key)
            if value in seen:
                yield (field, index, key), f"{key} {value!r} is declared twice in {field}"
            seen.add(value)
    for field in ("entities", "relations"):
        for index, item in enumerate(getattr(schema, field)):
            names = [a.name for a in item.attributes]
            for at, name in enumerate(names):
                if name in names[:at]:
                    yield (
                        (field, index, "attributes", at, "name"),
                        f"attribute {name!r} of {item.name} is declared twice",
                    )


def _bad_references(schema: GraphSchema) -> Iterator[_Fault]:
    types = [e.name for e in schema.entities]
    for index, relation in enumerate(schema.relations):
        for field in ("subjects", "objects"):
            for at, end in enumerate(getattr(relation, field)):
                if end not in types:
                    yield (
                        ("relations", index, field, at),
                        f"relation {relation.name} names entity type {end!r}; "
                        f"declared are {', '.join(types)}",
                    )
    for index, entity in enumerate(schema.entities):
        known = [a.name for a in entity.attributes]
        for at, key in enumerate(entity.canonicalization.identity):
            if key not in known:
                yield (
                    ("entities", index, "canonicalization", "identity", at),
                    f"identity attribute {key!r} of {entity.name} is not declared; "
                    f"declared are {', '.join(known)}",
                )
    if schema.document_type is not None and schema.document_type not in types:
        yield (
            ("document_type",),
            f"document_type {schema.document_type!r} is not declared; declared are {', '.join(types)}",
        )
    relations = [r.name for r in schema.relations]
    for index, rule in enumerate(schema.rules):
        for field, allowed in (
            ("type", types),
            ("source_type", types),
            ("target_type", types),
            ("relation", relations),
            ("link_decays", relations),
        ):
            value = getattr(rule, field, None)
            if value is not None and value not in allowed:
                yield (
                    ("rules", index, field),
                    f"rules[{index}].{field} names {value!r}; declared are {', '.join(allowed)}",
                )


def _bad_patterns(schema: GraphSchema) -> Iterator[_Fault]:
    for path, pattern in expressions_of(schema):
        fault = pattern_fault(pattern)
        if fault:
            yield path, f"the expression {pattern!r} {fault}"
        elif path[-1] == "pattern" and path[0] == "rules" and len(path) == 3 and "(?P<name>" not in pattern:
            yield path, f"the expression {pattern!r} needs a group (?P<name>...) around the name"
