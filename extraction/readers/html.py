"""Reads HTML: headings, paragraphs, lists, tables, captions, MathML (WHATWG HTML; parsed by libxml2)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from extraction.readers.builder import CellText, DocumentBuilder, Place, one_line
from extraction.readers.identifiers import arxiv_in_name
from extraction.readers.mathml import formula_text
from extraction.readers.plain_parts import is_table_caption, prose_kind, with_formulas, with_header
from extraction.readers.source import MAX_BYTES, read_text, relative_name
from extraction.readers.xml_faults import xml_fault
from schemas.documents import BlockKind, Document, DocumentKind, Identifiers
from schemas.errors import ReadError
from schemas.ids import DocumentKey

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH: Final = 200
"""Elements nested deeper are refused (libxml2 itself stops at 256)."""
MAX_CELLS: Final = 200_000
MAX_SPAN: Final = 1_000
"""Widest ``colspan`` believed."""

_DROPPED: Final = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "nav",
        "footer",
        "form",
        "button",
        "select",
        "option",
        "input",
        "textarea",
        "svg",
        "canvas",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "dialog",
        "head",
        "annotation",
        "annotation-xml",
    ]
)
_BLOCKS: Final = frozenset(
    [
        "html",
        "body",
        "main",
        "article",
        "section",
        "div",
        "header",
        "aside",
        "p",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "dl",
        "li",
        "dt",
        "dd",
        "table",
        "caption",
        "figure",
        "figcaption",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "address",
        "details",
        "summary",
        "fieldset",
        "center",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "td",
        "th",
    ]
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_SCRIPTS: Final = {"sup": "^", "sub": "_"}
_KINDS: Final = {
    "p": BlockKind.PARAGRAPH,
    "li": BlockKind.LIST_ITEM,
    "dt": BlockKind.LIST_ITEM,
    "dd": BlockKind.LIST_ITEM,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
}


def read_html(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.html`` or ``.htm`` file under the import root.

    What no reader sees (scripts, styles, navigation, forms) is left out. Raises ``ReadError``.
    """
    name = relative_name(path, root)
    tree = parse_html(read_text(path, root=root, max_bytes=max_bytes), file=name)
    builder = DocumentBuilder(DocumentKind.HTML, file=name)
    reader = _Reader(builder, name)
    reader.read(tree)
    if builder.is_empty:
        raise ReadError("expected a page with text, found none; does a script write it?", file=name, line=1)
    doi = _meta(tree, "citation_doi").lower().removeprefix("doi:")
    arxiv = arxiv_in_name(_meta(tree, "citation_arxiv_id"))
    title = _meta(tree, "citation_title") or reader.first_heading or _title(tree)
    return builder.build(
        DocumentKey(arxiv or (f"doi:{doi}" if doi else name)),
        title=title or path.name.split(".")[0],
        identifiers=Identifiers(arxiv=arxiv, doi=doi),
    )


def parse_html(text: str, *, file: str) -> _Element:
    """The tree of a page or a piece of one. Raises ``ReadError`` when it is empty or nested too deeply."""
    from lxml import etree

    parser = etree.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8"
    )
    try:
        tree: _Element | None = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as e:
        raise ReadError(
            f"expected HTML, found {xml_fault(str(e))}", file=file, line=getattr(e, "lineno", None)
        ) from e
    if tree is None:
        raise ReadError("expected HTML, found no element", file=file, line=1)
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
    if level:
        raise ReadError(
            f"expected at most {MAX_DEPTH} nested elements, found more", file=file, line=level[0].sourceline
        )
    return tree


def table_rows(table: _Element, *, file: str) -> list[tuple[_Element, list[CellText]]]:
    """The rows of a ``table`` element with their cells, those of tables inside it left out."""
    found: list[tuple[_Element, list[CellText]]] = []
    count = 0
    for row in table.iter("tr"):
        if next(row.iterancestors("table"), None) is not table:
            continue
        parent = row.getparent()
        head = parent is not None and parent.tag == "thead"
        cells: list[CellText] = []
        column = 0
        for cell in row.iterchildren("td", "th"):
            span = _span(cell)
            cells.append(
                CellText(with_formulas(one_line(inline_text(cell))), column, head or cell.tag == "th", span)
            )
            column += span
        count += len(cells)
        if count > MAX_CELLS:
            raise ReadError(f"expected at most {MAX_CELLS:,} table cells", file=file, line=row.sourceline)
        found.append((row, cells))
    return found


def inline_text(element: _Element) -> str:
    """An element's text: scripts as ``^x``, MathML as text, scripts and styles dropped."""
    tag = _tag(element)
    if not tag or tag in _DROPPED:
        return ""
    if tag == "math":
        return formula_text(element)
    if tag == "br":
        return "\n"
    inside = (element.text or "") + "".join(inline_text(child) + (child.tail or "") for child in element)
    if tag in _SCRIPTS and inside.strip():
        script = inside.strip()
        return _SCRIPTS[tag] + (script if len(script) == 1 else f"{{{script}}}")
    return f" {inside} " if tag in _BLOCKS else inside


class _Reader:
    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self._builder, self._name = builder, name
        self.first_heading = ""
        self._section = ""
        self._text: list[str] = []

    def read(self, tree: _Element) -> None:
        """Add every block."""
        self._flow(tree, BlockKind.PARAGRAPH)

    def _flow(self, element: _Element, kind: BlockKind) -> None:
        """An element's own text as blocks of ``kind``, cut where a block stands inside it."""
        self._text.append(element.text or "")
        for child in element:
            tag = _tag(child)
            if tag in _BLOCKS:
                self._flush(kind, element)
                self._block(child, tag, kind)
            elif not _holds_block(child):
                self._text.append(inline_text(child))
            elif tag not in _DROPPED:
                self._flow(child, kind)
            self._text.append(child.tail or "")
        self._flush(kind, element)

    def _block(self, element: _Element, tag: str, outer: BlockKind) -> None:
        if tag in _HEADINGS:
            title = one_line(inline_text(element))
            self.first_heading = self.first_heading or title
            if title:
                self._section = title
                label = element.get("id") or ""
                self._builder.open_section(_HEADINGS[tag], title, self._place(element), label=label)
        elif tag == "table":
            self._table(element)
        elif tag == "pre":
            self._builder.add(outer, "".join(element.itertext()), self._place(element))
        elif tag not in _DROPPED:
            inner = outer if tag in {"p", "div", "section"} else _KINDS.get(tag, BlockKind.PARAGRAPH)
            self._flow(element, inner)

    def _table(self, table: _Element) -> None:
        for caption in table.iterchildren("caption"):
            self._flow(caption, BlockKind.CAPTION)
        rows = table_rows(table, file=self._name)
        self._builder.add_table(
            with_header([cells for _, cells in rows]),
            [self._place(row) for row, _ in rows],
            label=table.get("id") or "",
        )

    def _flush(self, kind: BlockKind, element: _Element) -> None:
        text = one_line("".join(self._text))
        self._text.clear()
        if text:
            self._builder.add(self._kind_of(text, kind, element), with_formulas(text), self._place(element))

    def _kind_of(self, text: str, kind: BlockKind, element: _Element) -> BlockKind:
        if kind is not BlockKind.PARAGRAPH:
            return kind
        below = element.getnext()
        if below is not None and _tag(below) == "table" and is_table_caption(text):
            return BlockKind.CAPTION
        return BlockKind.ABSTRACT if _is_abstract(element) else prose_kind(text, self._section)

    def _place(self, element: _Element) -> Place:
        return Place(self._name, element.sourceline or 1, element.getroottree().getpath(element))


def _tag(element: _Element) -> str:
    tag = element.tag
    return tag.rsplit("}", 1)[-1].rsplit(":", 1)[-1].lower() if isinstance(tag, str) else ""


def _is_abstract(element: _Element) -> bool:
    """Whether the element or one around it has the class or id "abstract"."""
    around = [element, *element.iterancestors()]
    return any("abstract" in f"{e.get('class') or ''} {e.get('id') or ''}".lower().split() for e in around)


def _holds_block(element: _Element) -> bool:
    return any(_tag(inner) in _BLOCKS for inner in element.iterdescendants())


def _span(cell: _Element) -> int:
    value = (cell.get("colspan") or "1").strip()
    return max(1, min(int(value[:5]), MAX_SPAN)) if value.isascii() and value.isdigit() else 1


def _meta(tree: _Element, name: str) -> str:
    found = (m.get("content") or "" for m in tree.iter("meta") if (m.get("name") or "").lower() == name)
    return one_line(next(found, ""))


def _title(tree: _Element) -> str:
    found = next(tree.iter("title"), None)
    return one_line("".join(found.itertext())) if found is not None else ""
