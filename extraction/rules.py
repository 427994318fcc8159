"""The local extractor: interprets the rules that the schema declares, without any model."""

from __future__ import annotations

from extraction.passages import passages
from extraction.rules_announced import read_announced
from extraction.rules_compile import CompiledRules, compile_rules
from extraction.rules_measure import read_measurements
from extraction.rules_mentions import read_document_itself, read_mentions
from extraction.rules_phrases import read_phrases
from extraction.rules_results import read_results
from extraction.rules_sentences import read_sentence_relations
from extraction.rules_state import Reading
from extraction.rules_tables import read_tables
from extraction.rules_transposed import read_transposed
from extraction.rules_unlisted import read_title, read_unlisted
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import Extraction


class RuleExtractor:
    """Extracts by the schema's rules; deterministic, and linear in the length of the document.

    >>> RuleExtractor().name
    'rules/7'
    """

    name = "rules/7"

    def __init__(self) -> None:
        self._compiled: tuple[GraphSchema, CompiledRules] | None = None

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Everything the rules find: drafts with exact spans, and what they saw and could not use.

        A schema without rules gives an extraction without drafts.
        """
        reading = Reading(document, schema, self._rules(schema), passages(document), self.name)
        read_document_itself(reading)
        read_mentions(reading)
        read_measurements(reading)
        read_results(reading)
        read_unlisted(reading)
        read_announced(reading)
        read_title(reading)
        read_tables(reading)
        read_transposed(reading)
        read_phrases(reading)
        read_sentence_relations(reading)
        return reading.extraction()

    def _rules(self, schema: GraphSchema) -> CompiledRules:
        if self._compiled is None or self._compiled[0] is not schema:
            self._compiled = (schema, compile_rules(schema))
        return self._compiled[1]
