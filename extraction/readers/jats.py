"""Reads a JATS (NLM) XML article into a Document (NISO Z39.96, JATS 1.3; NLM DTD 2 and 3)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from extraction.readers.builder import CellText, DocumentBuilder, Place, one_line
from extraction.readers.mathml import formula_text
from extraction.readers.plain_parts import with_header
from extraction.readers.source import MAX_BYTES, decode, read_bytes, relative_name
from extraction.readers.xml_faults import too_deep, xml_fault
from schemas.documents import BlockKind, Document, DocumentKind, Identifiers
from schemas.errors import ReadError
from schemas.ids import DocumentKey

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH: Final = 200
_TOO_DEEP: Final = f"expected at most {MAX_DEPTH} nested elements, found more"
"""Elements nested deeper are refused."""
MAX_SPAN: Final = 1_000
"""Widest ``colspan`` and deepest ``rowspan`` believed."""
MAX_GRID: Final = 200_000
"""Most cells of one table, those under a ``rowspan`` included."""

_ENTITY: Final = re.compile(r"<!ENTITY\b|<!DOCTYPE[^>\[]*\[", re.IGNORECASE)
_DROPPED: Final = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "label", "tex-math", "email", "permissions", "attrib"}
)
_BACK_DROPPED: Final = frozenset({"ref-list", "ack", "fn-group", "glossary", "bio", "notes", "references"})
_LEFT_OUT: Final = re.compile(
    r"(?:acknowledge?ments?|references|author contributions?|competing interests?)\W*\Z", re.IGNORECASE
)
_BLOCKS: Final = frozenset(
    {
        "sec",
        "p",
        "fig",
        "fig-group",
        "table-wrap",
        "table-wrap-group",
        "disp-formula",
        "disp-formula-group",
        "list",
    }
    | {
        "disp-quote",
        "boxed-text",
        "def-list",
        "supplementary-material",
        "statement",
        "app",
        "app-group",
        "table-wrap-foot",
    }
)
_SCRIPTS: Final = {"sup": "^", "sub": "_"}


def read_jats(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read one ``.xml`` or ``.xml.gz`` article under the import root.

    Raises ``ReadError`` with file and line for XML that is not well formed, declares entities, or is
    no article.
    """
    name = relative_name(path, root)
    article = _parse(read_bytes(path, root=root, max_bytes=max_bytes), name)
    builder = DocumentBuilder(DocumentKind.JATS, file=name)
    reader = _Reader(builder, name)
    title = reader.front(article)
    for part in article:
        if _tag(part) == "body":
            reader.children(part, 1)
        elif _tag(part) == "back":
            for child in part:
                if _tag(child) in {"app", "app-group", "sec"}:
                    reader.block(child, 1)
    if builder.is_empty:
        raise ReadError("expected an article with paragraphs, found none", file=name, line=article.sourceline)
    doi = one_line(_first_text(article, ".//article-meta/article-id[@pub-id-type='doi']")).lower()
    return builder.build(
        DocumentKey(f"doi:{doi}" if doi else name),
        title=title or path.name.split(".")[0],
        identifiers=Identifiers(doi=doi),
        year=_year(article),
    )


def _parse(data: bytes, name: str) -> _Element:
    from lxml import etree

    text = decode(data, file=name)
    found = _ENTITY.search(text)
    if found is not None:
        raise ReadError(
            "expected XML without entity declarations, found one; remove the internal DTD subset",
            file=name,
            line=text.count("\n", 0, found.start()) + 1,
        )
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", lambda m: "\n" * m.group().count("\n"), text)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        tree = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as e:
        line = getattr(e, "lineno", None)
        if too_deep(str(e)):
            raise ReadError(_TOO_DEEP, file=name, line=line) from e
        raise ReadError(f"expected well-formed XML, found {xml_fault(str(e))}", file=name, line=line) from e
    article = tree if _tag(tree) == "article" else next(iter(tree.iter("{*}article")), None)
    if article is None:
        raise ReadError(f"expected a JATS <article>, found <{_tag(tree)}>", file=name, line=1)
    if _deeper_than(article, MAX_DEPTH):
        raise ReadError(_TOO_DEEP, file=name, line=1)
    return article


def _deeper_than(root: _Element, limit: int) -> bool:
    level = [root]
    for _ in range(limit):
        level = [child for element in level for child in element]
        if not level:
            return False
    return True


class _Reader:
    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self._builder, self._name = builder, name
        self._footnotes: list[tuple[str, Place]] = []

    def front(self, article: _Element) -> str:
        """Adds title and abstract; returns the title."""
        element = _first(article, ".//article-meta/title-group/article-title")
        title = one_line(self._inline(element)) if element is not None else ""
        if element is not None:
            self._builder.add(BlockKind.TITLE, title, self._place(element))
        for abstract in article.iterfind("./front/article-meta/abstract"):
            for part in abstract.iter("title", "p"):
                text = one_line(self._inline(part))
                if _tag(part) == "p":
                    self._builder.add(BlockKind.ABSTRACT, text, self._place(part))
        self._flush_footnotes()
        return title

    def children(self, element: _Element, level: int) -> None:
        """Add what an element holds as blocks."""
        for child in element:
            self.block(child, level)

    def block(self, element: _Element, level: int) -> None:
        """Add one element as blocks."""
        tag = _tag(element)
        if tag in {"sec", "app"}:
            self._section(element, level)
        elif tag == "p":
            self._paragraph(element, BlockKind.PARAGRAPH)
        elif tag in {"fig", "table-wrap", "supplementary-material"}:
            self._float(element)
        elif tag == "disp-formula":
            self._builder.add(
                BlockKind.EQUATION, self._inline(element), self._place(element), label=element.get("id") or ""
            )
        elif tag in {"list", "def-list"}:
            for item in element.iter("list-item", "def-item"):
                self._paragraph(item, BlockKind.LIST_ITEM)
        elif tag == "table-wrap-foot":
            for part in element.iter("p"):
                self._builder.add(BlockKind.FOOTNOTE, one_line(self._inline(part)), self._place(part))
        elif tag in _BLOCKS:
            self.children(element, level)
        self._flush_footnotes()

    def _section(self, element: _Element, level: int) -> None:
        heading = element.find("title")
        title = one_line(self._inline(heading)) if heading is not None else ""
        if _LEFT_OUT.match(title):
            return
        if title and heading is not None:
            self._builder.open_section(level, title, self._place(heading), label=element.get("id") or "")
        for child in element:
            if child is not heading:
                self.block(child, level + 1 if title else level)

    def _paragraph(self, element: _Element, kind: BlockKind) -> None:
        """A paragraph, cut where a display stands inside it."""
        text: list[str] = []
        self._collect(element, text, kind)
        self._builder.add(kind, one_line("".join(text)), self._place(element))

    def _collect(self, element: _Element, text: list[str], kind: BlockKind) -> None:
        text.append(element.text or "")
        for child in element:
            tag = _tag(child)
            if tag in {"list-item", "def-item"} and kind is BlockKind.LIST_ITEM:
                continue
            if (
                tag in _BLOCKS
                and tag != "p"
                and not (tag in {"list", "def-list"} and kind is BlockKind.LIST_ITEM)
            ):
                self._builder.add(kind, one_line("".join(text)), self._place(element))
                text.clear()
                self.block(child, 1)
            elif tag in {"p", "term", "def"}:
                self._collect(child, text, kind)
                text.append(" ")
            else:
                text.append(self._inline(child))
            text.append(child.tail or "")

    def _float(self, element: _Element) -> None:
        label = element.get("id") or ""
        number = one_line(_first_text(element, "./label"))
        caption = element.find("caption")
        if caption is not None:
            parts = [one_line(self._inline(part)) for part in caption]
            text = " ".join(part for part in (number, *parts) if part)
            self._builder.add(BlockKind.CAPTION, text, self._place(caption), label=label)
        for table in element.iter("table"):
            rows, places = self._table(table)
            self._builder.add_table(with_header(rows), places, label=label)
        for foot in element.iterfind("table-wrap-foot"):
            self.block(foot, 1)

    def _table(self, table: _Element) -> tuple[list[list[CellText]], list[Place]]:
        rows: list[list[CellText]] = []
        places: list[Place] = []
        below: dict[int, tuple[int, str]] = {}
        grid = 0
        for row in table.iter("tr", "TR"):
            parent = row.getparent()
            head = parent is not None and _tag(parent).lower() == "thead"
            cells = self._row(row, below, head=head)
            grid += len(cells)
            if grid > MAX_GRID:
                raise ReadError(
                    f"expected at most {MAX_GRID} table cells", file=self._name, line=row.sourceline
                )
            rows.append(cells)
            places.append(self._place(row))
        return rows, places

    def _row(self, row: _Element, below: dict[int, tuple[int, str]], *, head: bool) -> list[CellText]:
        cells: list[CellText] = []
        column = 0

        def repeat_spanned() -> None:
            nonlocal column
            while column in below:
                left, text = below.pop(column)
                cells.append(CellText(text, column, head))
                if left > 1:
                    below[column] = (left - 1, text)
                    spanned[column] = below.pop(column)
                column += 1

        spanned: dict[int, tuple[int, str]] = {}
        for cell in row:
            if _tag(cell).lower() not in {"td", "th"}:
                continue
            repeat_spanned()
            text = one_line(self._inline(cell))
            span, down = _span(cell, "colspan"), _span(cell, "rowspan")
            cells.append(CellText(text, column, head or _tag(cell).lower() == "th", span))
            if down > 1:
                spanned[column] = (down - 1, text)
            column += span
        repeat_spanned()
        below.update(spanned)
        return cells

    def _inline(self, element: _Element) -> str:
        """An element's text: scripts as ``^x``, formulas as text, references to the bibliography dropped."""
        tag = _tag(element)
        if tag in _DROPPED or tag in _BACK_DROPPED:
            return ""
        if tag == "math":
            return formula_text(element)
        if tag == "fn":
            self._footnotes.append((one_line("".join(element.itertext())), self._place(element)))
            return ""
        if tag == "xref" and element.get("ref-type") == "bibr":
            return ""
        inside = (element.text or "") + "".join(self._inline(child) + (child.tail or "") for child in element)
        if tag in _SCRIPTS:
            script = inside.strip()
            return "" if not script else _SCRIPTS[tag] + (script if len(script) == 1 else f"{{{script}}}")
        if tag in {"p", "title", "break", "td", "th", "list-item"}:
            return f"{inside} "
        return inside

    def _flush_footnotes(self) -> None:
        footnotes, self._footnotes = self._footnotes, []
        for text, place in footnotes:
            self._builder.add(BlockKind.FOOTNOTE, text, place)

    def _place(self, element: _Element) -> Place:
        return Place(self._name, element.sourceline or 1, element.getroottree().getpath(element))


def _tag(element: _Element) -> str:
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def _first(element: _Element, path: str) -> _Element | None:
    found: _Element | None = element.find(path)
    return found


def _first_text(element: _Element, path: str) -> str:
    found = _first(element, path)
    return "".join(found.itertext()) if found is not None else ""


def _span(cell: _Element, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, min(int(value[:5]), MAX_SPAN)) if value.isascii() and value.isdigit() else 1


def _year(article: _Element) -> int | None:
    years = [
        int(text)
        for found in article.iterfind("./front/article-meta/pub-date/year")
        if (text := (found.text or "").strip()).isascii() and text.isdigit() and len(text) == 4
    ]
    return min(years, default=None)
