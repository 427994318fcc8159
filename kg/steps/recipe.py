"""How the documents of a workspace are extracted: schema, extractors, and who describes records."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.describe import Describer, TemplateDescriber
from extraction.extract import extract_document, run_id
from extraction.learned import LearnedExtractor
from extraction.rules import RuleExtractor
from schemas.documents import Document
from schemas.errors import CorpusGraphError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ports import Extractor

_COMPUTES = (RuleExtractor, LearnedExtractor)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to extract, the same for all documents of a run."""

    schema: GraphSchema
    extractors: tuple[Extractor, ...]
    describer: Describer | None = None

    @property
    def only_computes(self) -> bool:
        """Whether processes can do it, which share no model and no chat."""
        own = self.describer is None or isinstance(self.describer, TemplateDescriber)
        return own and bool(self.extractors) and all(isinstance(e, _COMPUTES) for e in self.extractors)

    def run_id(self, document: Document) -> str:
        """Id of the run that :meth:`extract` would be."""
        return run_id(document, self.schema, self.extractors, describer=self.describer)

    def extract(self, document: Document) -> DocumentGraph | CorpusGraphError:
        """The document's graph, or the error that a report lists."""
        try:
            return extract_document(document, self.schema, self.extractors, describer=self.describer)
        except CorpusGraphError as e:
            return e
