"""Schema rules made ready to match: expressions compiled once per schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.rules_terms import Terms, compile_terms
from schemas.graph_schema import (
    AttributePattern,
    CuePhraseRule,
    DocumentRule,
    GazetteerRule,
    GraphSchema,
    MeasurementRule,
    NotationRule,
    PatternRule,
    SentenceRelationRule,
    UncertaintyTableRule,
)
from schemas.language.expressions import Expression, expression


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """A gazetteer rule."""

    type: str
    terms: Terms
    near: Expression | None
    exclude: Expression | None


@dataclass(frozen=True, slots=True)
class Named:
    """A pattern rule."""

    type: str
    pattern: Expression
    near: Expression | None


@dataclass(frozen=True, slots=True)
class Measuring:
    """A measurement rule."""

    rule: MeasurementRule
    terms: Terms
    exclude: Expression | None
    exclude_after: Expression | None
    announce: Expression | None
    own: Expression | None
    sections: Expression | None
    tables: Expression | None
    exclude_tables: Expression | None


@dataclass(frozen=True, slots=True)
class Tabular:
    """An uncertainty-table rule."""

    rule: UncertaintyTableRule
    cues: Expression | None
    skip: Expression | None


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A cue-phrase rule."""

    rule: CuePhraseRule
    cues: Expression | None
    closing: Expression | None
    near: Expression | None
    exclude: Expression | None
    headings: Expression | None
    heads: Expression | None
    reject: Expression | None


@dataclass(frozen=True, slots=True)
class Relating:
    """A sentence-relation rule."""

    rule: SentenceRelationRule
    cues: Expression | None


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """All rules of one schema."""

    documents: tuple[tuple[DocumentRule, tuple[tuple[AttributePattern, Expression], ...]], ...]
    notations: tuple[NotationRule, ...]
    gazetteers: tuple[Gazetteer, ...]
    patterns: tuple[Named, ...]
    measurements: tuple[Measuring, ...]
    tables: tuple[Tabular, ...]
    phrases: tuple[Phrasing, ...]
    relations: tuple[Relating, ...]


def compile_rules(schema: GraphSchema) -> CompiledRules:
    """The rules of a schema, grouped by kind in the order in which they are written."""
    rules = schema.rules
    return CompiledRules(
        documents=tuple(
            (r, tuple((a, expression(a.pattern, case_sensitive=False)) for a in r.attributes))
            for r in rules
            if isinstance(r, DocumentRule)
        ),
        notations=tuple(r for r in rules if isinstance(r, NotationRule)),
        gazetteers=tuple(
            Gazetteer(r.type, compile_terms(r.terms), any_of(r.near), any_of(r.exclude))
            for r in rules
            if isinstance(r, GazetteerRule)
        ),
        patterns=tuple(
            Named(r.type, expression(r.pattern), any_of(r.near)) for r in rules if isinstance(r, PatternRule)
        ),
        measurements=tuple(_measuring(r) for r in rules if isinstance(r, MeasurementRule)),
        tables=tuple(
            Tabular(r, any_of(r.cues), any_of(r.skip_rows))
            for r in rules
            if isinstance(r, UncertaintyTableRule)
        ),
        phrases=tuple(_phrasing(r) for r in rules if isinstance(r, CuePhraseRule)),
        relations=tuple(Relating(r, any_of(r.cues)) for r in rules if isinstance(r, SentenceRelationRule)),
    )


def _measuring(rule: MeasurementRule) -> Measuring:
    return Measuring(
        rule,
        terms=compile_terms(rule.observables),
        exclude=any_of(rule.exclude),
        exclude_after=any_of(rule.exclude_after),
        announce=any_of(rule.announce),
        own=any_of(rule.own),
        sections=any_of(rule.sections),
        tables=any_of(rule.tables),
        exclude_tables=any_of(rule.exclude_tables),
    )


def _phrasing(rule: CuePhraseRule) -> Phrasing:
    return Phrasing(
        rule,
        cues=any_of(rule.cues),
        closing=any_of(rule.closing),
        near=any_of(rule.near),
        exclude=any_of(rule.exclude),
        headings=any_of(rule.headings),
        heads=any_of(rule.heads),
        reject=any_of(rule.reject),
    )


def any_of(expressions: Sequence[str]) -> Expression | None:
    """One pattern that matches where any of the expressions does; None for none."""
    if not expressions:
        return None
    return expression("|".join(f"(?:{e})" for e in expressions), case_sensitive=False)
