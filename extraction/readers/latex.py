"""Reads a LaTeX paper, with its included files and macros, into a Document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from extraction.readers.builder import DocumentBuilder, Place, one_line
from extraction.readers.identifiers import arxiv_in_name, stated_arxiv
from extraction.readers.latex_body import BodyReader
from extraction.readers.latex_expand import Expander
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_tokens import CONTROL, WORD, Token
from extraction.readers.source import MAX_BYTES, relative_name
from schemas.documents import BlockKind, Document, DocumentKind, Identifiers
from schemas.errors import ReadError
from schemas.ids import DocumentKey

_DOI: Final = re.compile(r"\b(10\.\d{4,9}/(?=\S*\d)[^\s{}\"<>\\]+[^\s{}\"<>\\.,;)])")
_DOI_COMMANDS: Final = frozenset({"doi", "acmDOI", "paperdoi", "DOI"})
_LHCB: Final = re.compile(r"\bLHCb\b")
_AUTHOR_COMMANDS: Final = frozenset({"author", "collaboration", "institute"})


def read_latex(
    path: Path, *, root: Path, missing_inputs_ok: bool = False, max_bytes: int = MAX_BYTES
) -> Document:
    """Read the main file ``path`` under the import root.

    ``missing_inputs_ok`` puts ``[missing file NAME]`` where an included file is absent (sources
    published without their generated tables); otherwise that is an error.

    Raises ``ReadError`` with file and line: not text, a missing or cyclic ``\\input`` or one outside
    ``root``, an unclosed brace or environment, macros without end, or no text at all.
    """
    name = relative_name(path, root)
    try:
        expander = Expander(path, root=root, missing_inputs_ok=missing_inputs_ok, max_bytes=max_bytes)
        return _read(path, name, expander)
    except RecursionError as e:
        raise ReadError("expected commands nested less deeply; flatten the source", file=name) from e


def _read(path: Path, name: str, expander: Expander) -> Document:
    front, body = expander.run()
    matter = _FrontMatter(front, expander)
    builder = DocumentBuilder(DocumentKind.LATEX, file=name)
    stack = TokenStack(body, expander.files, at=1)
    chapters = any(t.kind == CONTROL and t.text == "chapter" for t in body)
    reader = BodyReader(stack, builder, chapters=chapters)
    title = (
        matter.line(reader, "title") or matter.line(reader, "icmltitle") or matter.line(reader, "papertitle")
    )
    if title:
        builder.add(BlockKind.TITLE, title, Place(name, matter.line_of("title")))
    abstract = matter.tokens("abstract")
    if abstract:
        reader.abstract(abstract)
    reader.read()
    if builder.is_empty:
        raise ReadError("expected paragraphs, found none; is this the main file?", file=name)
    title = title or reader.title_page_title
    identifiers = _identifiers(name, front, body)
    return builder.build(
        _key(identifiers, name),
        title=title or path.name.split(".")[0],
        identifiers=identifiers,
        experiment="LHCb" if _is_lhcb(title, matter.line(reader, *_AUTHOR_COMMANDS), body) else "",
    )


class _FrontMatter:
    def __init__(self, tokens: list[Token], expander: Expander) -> None:
        self._tokens, self._expander = tokens, expander

    def tokens(self, *commands: str) -> list[Token]:
        """Expanded arguments of commands; a macro of that name counts as the command."""
        stack = TokenStack(self._tokens, self._expander.files, at=1)
        found: list[Token] = []
        while (token := stack.pop()) is not None:
            if token.kind == CONTROL and token.text in commands:
                stack.optional()
                found += stack.argument()
        for command in commands:
            if command in self._expander.macros and not found:
                found = [Token(CONTROL, command, 0)]
        return self._expander.expand(found)

    def line(self, reader: BodyReader, *commands: str) -> str:
        """Their text on one line."""
        return one_line(reader.line(self.tokens(*commands)))

    def line_of(self, command: str) -> int:
        """Source line of a command, 1 if unknown."""
        for token in self._tokens:
            if token.kind == CONTROL and token.text == command:
                return self._expander.files.place(token.at).line if token.at else 1
        return 1


def _identifiers(name: str, front: list[Token], body: list[Token]) -> Identifiers:
    arxiv = arxiv_in_name(Path(name).name) or stated_arxiv(plain([*front, *body[:4_000]]))
    doi = ""
    head = [*front, *body[:400]]
    for number, token in enumerate(head):
        if token.kind == CONTROL and token.text in _DOI_COMMANDS:
            given = _DOI.search(plain(head[number + 1 : number + 8]))
            doi = doi or (given.group(1).lower() if given else "")
    return Identifiers(arxiv=arxiv, doi=doi)


def _key(identifiers: Identifiers, name: str) -> DocumentKey:
    if identifiers.arxiv:
        return DocumentKey(identifiers.arxiv)
    return DocumentKey(f"doi:{identifiers.doi}" if identifiers.doi else name)


def _is_lhcb(title: str, authors: str, body: list[Token]) -> bool:
    """Whether title, authors or the title page (about its first 2,000 tokens) name LHCb as author."""
    if _LHCB.search(title) or _LHCB.search(authors):
        return True
    words = " ".join(t.text for t in body[:1_500] if t.kind == WORD)
    return re.search(r"\bLHCb [Cc]ollaboration\b", words) is not None
