"""How the documents of a workspace are extracted: schema, extractors, and who describes records."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from extraction.describe import Describer, TemplateDescriber
from extraction.extract import described, extract_document, run_id
from extraction.learned import LearnedExtractor
from extraction.rules import RuleExtractor
from schemas.documents import Document
from schemas.errors import CorpusGraphError, ModelUnavailableError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Extraction
from schemas.ports import Extractor, SecondPassExtractor

_COMPUTES = (RuleExtractor, LearnedExtractor)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Stands for an extractor that runs in another process, where models and connections are."""

    name: str

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Always ``ModelUnavailableError``: the extraction is given."""
        raise ModelUnavailableError(
            f"{self.name} runs elsewhere; {document.key} ({schema.name}) came without its part"
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to extract, the same for all documents of a run."""

    schema: GraphSchema
    extractors: tuple[Extractor, ...]
    describer: Describer | None = None

    @property
    def waiting(self) -> tuple[Extractor, ...]:
        """The extractors that use a model or a chat, which processes cannot share."""
        return tuple(e for e in self.extractors if not _computes(e))

    @property
    def only_computes(self) -> bool:
        """Whether processes can do all of it."""
        return bool(self.extractors) and not self.waiting and self._computes_descriptions

    @property
    def _computes_descriptions(self) -> bool:
        return self.describer is None or isinstance(self.describer, TemplateDescriber)

    @property
    def is_finished_by_workers(self) -> bool:
        """Whether nothing is left to do about a graph of :meth:`computing`."""
        return self._computes_descriptions

    def computing(self) -> Recipe | None:
        """The part that a process can do once the waiting extractors' parts are given.

        Its extractors are copies, so that it can be sent to a process after this one was used. None when
        an extractor waits for the checked parts of all others.
        """
        if any(isinstance(e, SecondPassExtractor) for e in self.waiting):
            return None
        own = tuple(copy(e) if _computes(e) else Elsewhere(e.name) for e in self.extractors)
        return Recipe(self.schema, own, self.describer if self._computes_descriptions else None)

    def finish(self, document: Document, graph: DocumentGraph) -> DocumentGraph:
        """The graph of :meth:`computing` as that of the whole recipe."""
        if self.describer is None or self._computes_descriptions:
            return graph
        return described(graph, self.schema, self.describer, run=self.run_id(document))

    def run_id(self, document: Document) -> str:
        """Id of the run that :meth:`extract` would be."""
        return run_id(document, self.schema, self.extractors, describer=self.describer)

    def extract(
        self, document: Document, given: Mapping[str, Extraction] | None = None
    ) -> DocumentGraph | CorpusGraphError:
        """The document's graph, or the error that a report lists; ``given`` as in extract_document."""
        try:
            return extract_document(
                document, self.schema, self.extractors, describer=self.describer, given=given
            )
        except CorpusGraphError as e:
            return e


def _computes(extractor: Extractor) -> bool:
    with_embedder = isinstance(extractor, LearnedExtractor) and extractor.embeds
    return isinstance(extractor, _COMPUTES) and not with_embedder
