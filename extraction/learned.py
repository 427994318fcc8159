"""The learned extractor: finds what reviewers vetted in other documents, without any language model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from extraction.learned_alternatives import chances_of, likely_spans, unnamed
from extraction.learned_gazetteer import name_key
from extraction.learned_labels import LabelledRecord
from extraction.learned_model import LearnedModel, decode, embedder_of
from extraction.learned_pairs import Neighbourhood, PairModel, candidate_pairs
from extraction.learned_spans import Found
from extraction.learned_stages import StagedModel, staged_pairs
from extraction.learned_text import Mention, Text, read_text
from schemas.documents import Document
from schemas.errors import UsageError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction
from schemas.ids import RecordId, content_hash
from schemas.language.acronyms import find_acronyms
from schemas.language.names import normalise_name
from schemas.learning import ModelArtifact
from schemas.ports import Embedder

Ends = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Related:
    """A relation that the pair model proposes between two entities."""

    subject: LabelledRecord
    type: str
    object: LabelledRecord
    nearest: tuple[Mention, Mention]
    probability: float


class LearnedExtractor:
    """Applies a model that :class:`~extraction.learned_fit.LearnedTrainer` fitted; deterministic.

    Raises ``UsageError`` when the artifact is of another kind or schema, ``DataError`` when it is damaged.
    The name holds the artifact's digest: another model is another extractor.

    ``embedder`` must be the one of training when the model was trained with one, else ``UsageError``; a
    model without one ignores it. ``asked`` are the relation types to look for, all of the schema unless
    given: types that are not asked for are no rivals of the others.
    """

    def __init__(
        self,
        artifact: ModelArtifact,
        schema: GraphSchema,
        *,
        embedder: Embedder | None = None,
        asked: Collection[str] | None = None,
    ) -> None:
        self._model = decode(artifact, schema, embedder)
        self._fingerprint = schema.fingerprint
        self._asked = None if asked is None else frozenset(asked)
        unknown = sorted((self._asked or frozenset()) - {r.name for r in schema.relations})
        if unknown:
            raise UsageError(f"expected relation types of schema {schema.name}, found {', '.join(unknown)}")
        only = "" if self._asked is None else f"/{content_hash('asked', *sorted(self._asked))[:8]}"
        self.name = f"learned/1:{artifact.digest[:12]}{only}"
        self.embeds = bool(embedder_of(artifact))
        """Whether it needs an embedder, which processes do not share."""

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Entities with their mentions, and relations with the sentences that hold both ends."""
        if schema.fingerprint != self._fingerprint:
            raise UsageError(
                f"the learned model was trained for another version of schema {schema.name}; "
                "train it again with `kg train extractor`"
            )
        text = read_text(document)
        model, every = self._model, tuple(range(len(text.sentences)))
        scores = model.spans.scores(text, every)
        found = model.spans.decode(text, every, scores, model.spans.shift)
        groups = group_mentions(text, model, found, schema)
        records = [g.record for g in groups]
        if isinstance(model.pairs, StagedModel):
            likely = likely_spans(model.spans, text, every, scores)
            spare = unnamed(text, likely, records)
            records += spare
            named, chances = [f.mention for f in found], chances_of(likely)
            around = Neighbourhood.of(text, records, named=named, chances=chances)
            related = self._related(model.pairs, records, around, schema)
            groups = sorted([*groups, *_used(spare, related, around)], key=_place)
        else:
            related = self.relate(text, records, schema)
        return Extraction(
            extractor=self.name,
            records=tuple(_record(text, g) for g in groups),
            statements=tuple(_statement(text, r) for r in related),
        )

    def relate(self, text: Text, records: Sequence[LabelledRecord], schema: GraphSchema) -> list[Related]:
        """The relations between given entities of one document, the nearest pairs first."""
        if self._model.pairs is None:
            return []
        sure = {m: 1.0 for r in records for m in r.mentions}
        return self._related(
            self._model.pairs, records, Neighbourhood.of(text, records, chances=sure), schema
        )

    def _related(
        self,
        model: PairModel | StagedModel,
        records: Sequence[LabelledRecord],
        around: Neighbourhood,
        schema: GraphSchema,
    ) -> list[Related]:
        choose = staged_pairs if isinstance(model, StagedModel) else candidate_pairs
        pairs = choose(records, schema, reach=model.reach)
        if not pairs:
            return []
        likely = model.judge(pairs, around, schema, self._asked)
        found: list[Related] = []
        for row, column in zip(*model.decision.holds(likely).nonzero(), strict=True):
            name, forth = model.classes[column]
            pair = pairs[row]
            ends = (pair.first, pair.second) if forth else (pair.second, pair.first)
            probability = self._model.pair_calibration.apply(float(likely[row, column]))
            found.append(Related(ends[0], name, ends[1], pair.nearest, probability))
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions of one entity, as written, with the highest probability of them."""

    record: LabelledRecord
    aliases: tuple[str, ...]
    probability: float


def _used(spare: Sequence[LabelledRecord], related: Sequence[Related], around: Neighbourhood) -> list[Group]:
    """The spans that are no entity of their own but an end of a relation."""
    ends = {r.id for found in related for r in (found.subject, found.object)}
    return [Group(r, (), max(around.chances.get(m, 0.0) for m in r.mentions)) for r in spare if r.id in ends]


def _place(group: Group) -> tuple[Mention, RecordId]:
    return group.record.mentions[0], group.record.id


@dataclass(slots=True)
class _Gathered:
    found: list[tuple[Found, str]] = field(default_factory=list)


def group_mentions(
    text: Text, model: LearnedModel, found: Sequence[Found], schema: GraphSchema
) -> list[Group]:
    """Mentions of one type and one normalised name as one entity; an acronym goes with its long form."""
    cased = {e.name: e.case_sensitive for e in schema.entities}
    long_forms = find_acronyms(text.document.text)
    gathered: dict[tuple[str, str], _Gathered] = {}
    for item in found:
        written = text.written(item.mention)
        whole = long_forms.get(written, written)
        key = (item.type, normalise_name(whole, case_sensitive=cased[item.type]))
        gathered.setdefault(key, _Gathered()).found.append((item, written))
    groups = [_group(text, model, kind, key, part) for (kind, key), part in gathered.items() if key]
    return sorted(groups, key=_place)


def _group(text: Text, model: LearnedModel, kind: str, key: str, part: _Gathered) -> Group:
    ordered = sorted(part.found, key=lambda x: x[0].mention)
    written = list(dict.fromkeys(w for _, w in ordered))
    longest = max(written, key=len)
    canonical = model.names.get((kind, name_key(text.words(ordered[0][0].mention))), longest)
    record = LabelledRecord(
        RecordId(f"{kind}:{key}"), kind, canonical, tuple(item.mention for item, _ in ordered)
    )
    probability = max(model.span_calibration.apply(item.score) for item, _ in ordered)
    return Group(record, tuple(w for w in written if w != canonical), probability)


def _record(text: Text, group: Group) -> DraftRecord:
    return DraftRecord(
        ref=str(group.record.id),
        type=group.record.type,
        name=group.record.name,
        aliases=group.aliases,
        evidence=tuple(_evidence(text, *text.span(m)) for m in group.record.mentions),
        confidence=round(group.probability, 4),
    )


def _statement(text: Text, related: Related) -> DraftStatement:
    numbers = sorted(m.sentence for m in related.nearest)
    spans = [text.sentences[n].text_span() for n, _ in groupby(numbers)]
    return DraftStatement(
        subject=str(related.subject.id),
        type=related.type,
        object=str(related.object.id),
        evidence=tuple(_evidence(text, *span) for span in spans),
        confidence=round(related.probability, 4),
    )


def _evidence(text: Text, start: int, end: int) -> Evidence:
    return Evidence(start=start, end=end, quote=text.document.text[start:end])
