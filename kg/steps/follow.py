"""Graphs that came with their documents follow the schema: made again from the source, or carried over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from extraction.attributes import attribute_fault
from extraction.readers.pdg import PdgSource, read_pdg
from extraction.readers.pdg_build import pdg_run_id
from kg.workspace import StoredDocument, Workspace
from schemas.documents import Document, DocumentKind
from schemas.errors import CorpusGraphError, UsageError, WorkspaceError
from schemas.graph_schema import AttributeType, GraphSchema
from schemas.graphs import Attributes, DocumentGraph
from schemas.ids import content_hash

_LISTINGS = (DocumentKind.PDG_PAPER, DocumentKind.PDG_PARTICLE)
_MOST_NAMED = 3


@dataclass(slots=True)
class Follower:
    """Brings the graphs of structured sources to the workspace's schema, one at a time."""

    workspace: Workspace
    _fingerprint: str = ""
    _sources: dict[str, PdgSource | CorpusGraphError] = field(default_factory=dict)

    def follow(self, stored: StoredDocument, document: Document) -> DocumentGraph | None:
        """The graph under the present schema; None when it is that already.

        A listing of the Particle Data Group is read again; annotations that were imported are carried over
        with the present version named. Raises ``WorkspaceError`` where they do not fit it, or where the
        listing is no longer the one that was read.
        """
        listed = document.kind in _LISTINGS
        made = self._from_listing(document) if listed else self._carried(document)
        if made is not None:
            self.workspace.save_graph(made)
            known = document.model_copy(update={"base_run": made.run_id})
            self.workspace.save_document(known, {stored.slug: stored})
        return made

    def _from_listing(self, document: Document) -> DocumentGraph | None:
        schema = self.workspace.schema
        self._fingerprint = self._fingerprint or schema.fingerprint
        if document.base_run == pdg_run_id(document.version, self._fingerprint):
            return None
        for experiment in dict.fromkeys(("", document.experiment)):
            source = self._source(experiment)
            found = source.find(document.key) if source is not None else None
            if found is not None and found[0].version == document.version:
                return found[1]
        raise WorkspaceError(
            f"the listing of {document.key} is no longer the one that was read, so that its graph cannot "
            f"follow schema {schema.name} {schema.version}; `kg add pdg` reads the present listings"
        )

    def _source(self, experiment: str) -> PdgSource | None:
        """The listings, read once; None for an experiment that they do not know."""
        if experiment not in self._sources:
            try:
                self._sources[experiment] = read_pdg(self.workspace.schema, experiment=experiment or None)
            except CorpusGraphError as e:
                self._sources[experiment] = e
        found = self._sources[experiment]
        if isinstance(found, UsageError) and experiment:
            return None
        if isinstance(found, CorpusGraphError):
            raise found
        return found

    def _carried(self, document: Document) -> DocumentGraph | None:
        schema, graph = (
            self.workspace.schema,
            self.workspace.read_run(document.key, document.base_run),
        )
        faults = list(misfits(graph, schema))
        if faults:
            more = f"; and {len(faults) - _MOST_NAMED} more" if len(faults) > _MOST_NAMED else ""
            raise WorkspaceError(
                f"the graph that came with {document.key} does not fit {schema.name} {schema.version}: "
                f"{'; '.join(faults[:_MOST_NAMED])}{more}. Change the schema, or correct the annotations and "
                f"import them again, or `kg remove {document.key}` and add its text alone"
            )
        if (graph.schema_name, graph.schema_version) == (schema.name, schema.version):
            return None
        run = content_hash("carried over", document.base_run, schema.fingerprint)
        update = {"schema_name": schema.name, "schema_version": schema.version, "run_id": run}
        return graph.model_copy(update=update)


def misfits(graph: DocumentGraph, schema: GraphSchema) -> Iterator[str]:
    """What of a graph a schema does not allow: types, ends and attributes."""
    entities = {e.name: e for e in schema.entities}
    relations = {r.name: r for r in schema.relations}
    types = {r.id: r.type for r in graph.records}
    for record in graph.records:
        if record.type not in entities:
            yield f"{record.type} {record.name!r}: no entity type {record.type!r}"
        else:
            yield from _attributes(
                f"{record.type} {record.name!r}", record.attributes, entities[record.type].attributes
            )
    for s in graph.statements:
        if s.type not in relations:
            yield f"no relation {s.type!r}"
            continue
        declared = relations[s.type]
        for end, allowed in ((types[s.subject], declared.subjects), (types[s.object], declared.objects)):
            if end not in allowed:
                yield f"{s.type}: expected as end one of {', '.join(allowed)}, found {end}"
        yield from _attributes(s.type, s.attributes, declared.attributes)


def _attributes(what: str, values: Attributes, declared: Sequence[AttributeType]) -> Iterator[str]:
    known = {a.name: a for a in declared}
    for name, value in values.items():
        if fault := attribute_fault(known.get(name), name, value, declared):
            yield f"{what}: {fault}"
