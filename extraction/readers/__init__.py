"""Sources to Documents."""

from __future__ import annotations

from extraction.readers.registry import find_documents, read_document

__all__ = ["find_documents", "read_document"]
