"""Reads papers in the JSON form of CORD-19 and S2ORC (L. L. Wang et al., arXiv:2004.10706)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from extraction.readers.builder import CellText, DocumentBuilder, Place, one_line
from extraction.readers.html import parse_html, table_rows
from extraction.readers.identifiers import arxiv_in_name
from extraction.readers.json_values import JsonObject, object_of, objects_of, parse_object, text_of
from extraction.readers.plain_parts import with_header
from extraction.readers.source import MAX_BYTES, read_text, relative_name
from schemas.documents import BlockKind, Document, DocumentKind, Identifiers
from schemas.errors import ReadError
from schemas.ids import DocumentKey

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+){0,4}\.?")


def read_cord19(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.json`` paper under the import root.

    Taken are ``metadata`` (title, doi, arxiv), ``abstract`` and ``body_text`` (text, section) and
    ``ref_entries`` (captions; tables with ``html`` as cells). Places carry a JSON Pointer (RFC 6901) and
    as line the position in its array. Raises ``ReadError``.
    """
    name = relative_name(path, root)
    paper = parse_object(read_text(path, root=root, max_bytes=max_bytes), file=name)
    if "body_text" not in paper and "abstract" not in paper:
        raise ReadError(
            "expected a paper with body_text or abstract (CORD-19), found "
            f"{', '.join(sorted(paper)[:8]) or 'nothing'}; name logbooks .jsonl",
            file=name,
            line=1,
        )
    metadata = object_of(paper, "metadata", file=name)
    builder = DocumentBuilder(DocumentKind.JSON, file=name)
    writer = _Writer(builder, name)
    title = writer.metadata(metadata, "title") or writer.metadata(paper, "title")
    builder.add(BlockKind.TITLE, one_line(title), Place(name, 1, "/metadata/title"))
    writer.abstract(paper)
    writer.body(paper)
    writer.captions(paper)
    if builder.is_empty:
        raise ReadError("expected paragraphs, found none", file=name, line=1)
    doi = (writer.metadata(metadata, "doi") or writer.metadata(paper, "doi")).lower()
    arxiv = arxiv_in_name(
        writer.metadata(metadata, "arxiv")
        or writer.metadata(metadata, "arxiv_id")
        or writer.metadata(paper, "arxiv_id")
    )
    published = _YEAR.search(writer.metadata(metadata, "publish_time") or writer.metadata(metadata, "year"))
    return builder.build(
        DocumentKey(arxiv or (f"doi:{doi}" if doi else name)),
        title=title or path.stem,
        identifiers=Identifiers(arxiv=arxiv, doi=doi),
        year=int(published.group()) if published else None,
    )


class _Writer:
    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self._builder, self._name = builder, name

    def metadata(self, record: JsonObject, key: str) -> str:
        """A field of the metadata on one line."""
        return one_line(text_of(record, key, file=self._name, line=1))

    def abstract(self, paper: JsonObject) -> None:
        """Add the abstract, which may be a string or paragraphs."""
        if isinstance(paper.get("abstract"), str):
            self._builder.add(BlockKind.ABSTRACT, paper["abstract"], Place(self._name, 1, "/abstract"))
            return
        for index, part in enumerate(objects_of(paper, "abstract", file=self._name)):
            text = text_of(part, "text", file=self._name, line=index + 1)
            place = Place(self._name, index + 1, f"/abstract/{index}/text")
            self._builder.add(BlockKind.ABSTRACT, one_line(text), place)

    def body(self, paper: JsonObject) -> None:
        """Add the body; a section lasts while paragraphs name it, ``sec_num`` tells its depth."""
        current = ""
        for index, part in enumerate(objects_of(paper, "body_text", file=self._name)):
            line = index + 1
            section = one_line(text_of(part, "section", file=self._name, line=line))
            number = text_of(part, "sec_num", file=self._name, line=line).strip()
            if section and section != current:
                level = number.rstrip(".").count(".") + 1 if _NUMBER.fullmatch(number) else 1
                self._builder.open_section(
                    level, section, Place(self._name, line, f"/body_text/{index}/section")
                )
                current = section
            text = text_of(part, "text", file=self._name, line=line)
            place = Place(self._name, line, f"/body_text/{index}/text")
            self._builder.add(BlockKind.PARAGRAPH, one_line(text), place)

    def captions(self, paper: JsonObject) -> None:
        """Add captions, and tables where their HTML came along; their label is the key of the entry."""
        entries = object_of(paper, "ref_entries", file=self._name)
        for number, key in enumerate(entries, 1):
            entry = object_of(entries, key, file=self._name)
            pointer = f"/ref_entries/{key.replace('~', '~0').replace('/', '~1')}"
            text = text_of(entry, "text", file=self._name, line=number)
            place = Place(self._name, number, f"{pointer}/text")
            self._builder.add(BlockKind.CAPTION, one_line(text), place, label=key)
            html = text_of(entry, "html", file=self._name, line=number)
            if html.strip():
                self._table(html, Place(self._name, number, f"{pointer}/html"), key)

    def _table(self, html: str, place: Place, label: str) -> None:
        tree = parse_html(html, file=self._name)
        rows: list[list[CellText]] = []
        for table in tree.iter("table"):
            rows += with_header([cells for _, cells in table_rows(table, file=self._name)])
        self._builder.add_table(rows, [place] * len(rows), label=label)
