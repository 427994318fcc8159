"""The body of a LaTeX document as blocks: sections, paragraphs, items, equations, captions, tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from extraction.readers.builder import DocumentBuilder, Place
from extraction.readers.latex_commands import DISPLAY, FLOATS, SKIPPED, TABULARS
from extraction.readers.latex_labels import label_of, names_float, without_argument
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_tables import read_table
from extraction.readers.latex_text import Run, TextRenderer
from extraction.readers.latex_tokens import (
    BEGIN,
    CLOSE,
    CONTROL,
    END,
    MATH,
    OPEN,
    PAR,
    Token,
)
from schemas.documents import BlockKind

_LEVELS: Final[dict[str, int]] = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_LEFT_OUT: Final = re.compile(
    r"(?:acknowledge?ments?|references|bibliography|author contributions?|lhcb collaboration|danksagung|"
    r"(?:list of )?authors|contents|declaration of competing interests?|eidesstattliche erklärung)\W*\Z",
    re.IGNORECASE,
)
_CAPTIONS: Final = frozenset(
    {"caption", "captionof", "tablecaption", "figcaption", "subcaption", "topcaption"}
)
_NOTES: Final = frozenset({"tablecomments", "tablenotetext", "tablenote"})
_LISTS: Final = frozenset(
    {"itemize", "enumerate", "description", "compactitem", "enumerate*", "itemize*", "tablenotes"}
)
_LONGEST_CAPTION: Final = 5_000
"""Tokens looked at for a caption inside a table environment."""
_NESTED_FLOATS: Final = 4
"""Floats inside more floats than this get no label."""
_TITLE_SIZES: Final = frozenset({"huge", "Huge", "LARGE"})


class BodyReader:
    """Reads an expanded body into a builder. ``chapters`` says that sections lie below chapters."""

    def __init__(self, stack: TokenStack, builder: DocumentBuilder, *, chapters: bool) -> None:
        self._stack, self._builder = stack, builder
        self._text = TextRenderer(stack.files, self._keep_footnote)
        self._run = Run(stack.files)
        self._kind = BlockKind.PARAGRAPH
        self._footnotes: list[tuple[str, Place]] = []
        self._open: list[Token] = []
        self._float_labels: list[str] = []
        self._skipping = False
        self._title_page = False
        self._shift = 1 if chapters else 0
        self._commands = self._table()
        self.title_page_title = ""

    def read(self) -> None:
        """All of it. Raises ``ReadError`` at an environment that is never closed."""
        while (token := self._stack.pop()) is not None:
            self._step(token)
        self._flush()
        if self._open:
            opening = self._open[-1]
            raise self._stack.error(
                f"expected \\end{{{opening.text}}} for the one opened here, found the end of the document",
                opening.at,
            )

    def abstract(self, tokens: list[Token]) -> None:
        """An abstract given as an argument in the front matter."""
        self._kind = BlockKind.ABSTRACT
        self._nested(self._stack.fork(tokens))
        self._flush()
        self._kind = BlockKind.PARAGRAPH

    def line(self, tokens: list[Token]) -> str:
        """An argument as one line of text."""
        return " ".join(self._text.render(self._stack.fork(tokens)).split())

    def _step(self, token: Token) -> None:
        kind = token.kind
        if kind == BEGIN:
            self._begin(token)
        elif kind == END:
            self._end(token)
        elif kind == CONTROL and (command := self._commands.get(token.text)) is not None:
            command(token)
        elif self._skipping:
            return
        elif kind == PAR:
            self._flush()
        elif kind == MATH and token.text == "$$":
            self._equation(self._text.formula_tokens(token, self._stack), self._stack.at)
        elif self._title_page and self._title(token):
            return
        elif not self._title_page or self._kind is BlockKind.ABSTRACT:
            self._text.step(token, self._stack, self._run)

    def _nested(self, stack: TokenStack) -> None:
        """Read an argument as body text."""
        outer, self._stack = self._stack, stack
        while (token := stack.pop()) is not None:
            self._step(token)
        self._stack = outer

    def _flush(self) -> None:
        run, self._run = self._run, Run(self._stack.files)
        if run.length and not self._skipping:
            self._builder.add(self._kind, run.text, run.anchors[0].place, anchors=run.anchors)
        if self._kind is BlockKind.LIST_ITEM and run.length:
            self._kind = BlockKind.PARAGRAPH
        footnotes, self._footnotes = self._footnotes, []
        for text, place in footnotes:
            if not self._skipping:
                self._builder.add(BlockKind.FOOTNOTE, text, place)

    def _keep_footnote(self, stack: TokenStack) -> None:
        place = stack.place()
        text = self._text.render(stack)
        if not self._title_page:
            self._footnotes.append((text, place))

    # Environments

    def _begin(self, token: Token) -> None:
        name = token.text
        if name in SKIPPED:
            self._flush()
            self._inside(token)
        elif name in DISPLAY:
            at = self._stack.at
            tokens = self._inside(token)
            if name.startswith(("alignat", "xalignat", "IEEEeqnarray")):
                tokens = without_argument(self._stack.fork(tokens))
            self._equation(tokens, at)
        elif name in TABULARS and name != "array":
            self._tabular(token)
        elif name in {"verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt"}:
            self._flush()
            tokens = self._inside(token)
            if not self._skipping:
                self._builder.add(
                    BlockKind.PARAGRAPH, "".join(t.text for t in tokens), self._stack.files.place(token.at)
                )
        else:
            self._enter(token)

    def _enter(self, token: Token) -> None:
        name = token.text
        self._open.append(token)
        if name in FLOATS or name in _LISTS:
            self._flush()
            if name in FLOATS:
                self._look_ahead(token)
            self._stack.optional()
            if name in {"wrapfigure", "subfigure", "subtable", "minipage"}:
                self._stack.argument()
        elif name == "abstract":
            self._flush()
            self._kind = BlockKind.ABSTRACT
        elif name == "titlepage":
            self._flush()
            self._title_page = True
        elif name in {"minipage", "adjustbox", "adjustwidth"}:
            self._stack.optional()
            self._stack.argument()
        elif name in {"multicols", "otherlanguage", "foreignlanguage"}:
            self._stack.argument()

    def _end(self, token: Token) -> None:
        names = [opening.text for opening in self._open]
        if token.text not in names:
            return
        lost = names[len(names) - names[::-1].index(token.text) :]
        if lost:
            opening = self._open[-1]
            raise self._stack.error(
                f"expected \\end{{{opening.text}}} for the one opened here, found \\end{{{token.text}}}",
                opening.at,
            )
        self._open.pop()
        if token.text in FLOATS:
            self._float_labels.pop()
        if token.text in FLOATS or token.text in _LISTS or token.text in {"abstract", "titlepage"}:
            self._flush()
            self._kind = BlockKind.PARAGRAPH
        if token.text == "titlepage":
            self._title_page = False

    def _inside(self, opening: Token) -> list[Token]:
        """Tokens up to the end of the environment just opened."""
        inside: list[Token] = []
        depth = 1
        while (token := self._stack.pop()) is not None:
            if token.kind == BEGIN and token.text == opening.text:
                depth += 1
            elif token.kind == END and token.text == opening.text:
                depth -= 1
                if not depth:
                    return inside
            inside.append(token)
        raise self._stack.error(
            f"expected \\end{{{opening.text}}} for the one opened here, found the end of the document",
            opening.at,
        )

    def _equation(self, tokens: list[Token], at: int) -> None:
        kind = self._kind
        self._flush()
        text = self._text.math(self._stack.fork(tokens), row_gap="\n")
        if not self._skipping and (not self._title_page or kind is BlockKind.ABSTRACT):
            block = BlockKind.ABSTRACT if kind is BlockKind.ABSTRACT else BlockKind.EQUATION
            self._builder.add(block, text, self._stack.files.place(at), label=label_of(tokens))

    def _tabular(self, token: Token) -> None:
        self._flush()
        inside = self._inside(token)
        if self._skipping or self._title_page:
            return
        label = label_of(inside)
        for number, part in enumerate(inside):
            if part.kind == CONTROL and (part.text in _CAPTIONS or part.text in _NOTES):
                stack = self._stack.fork(inside[number + 1 : number + 1 + _LONGEST_CAPTION])
                stack.at = part.at or token.at or stack.at
                self._caption_from(stack, part.text, label)
        stack = self._stack.fork(inside)
        stack.at = token.at or stack.at
        table = read_table(token.text, stack, self._text)
        self._builder.add_table(
            table.rows,
            table.places,
            label=label_of(inside) or self._float_labels[-1] if self._float_labels else label_of(inside),
        )
        self._flush()

    def _look_ahead(self, opening: Token) -> None:
        """Find the label of the float just opened, not of one inside it."""
        if len(self._float_labels) >= _NESTED_FLOATS:
            self._float_labels.append("")
            return
        inside = self._inside(opening)
        own: list[Token] = []
        depth = 0
        for token in inside:
            inner = token.kind in {BEGIN, END} and token.text in {"subfigure", "subtable", "minipage"}
            depth += 0 if not inner else 1 if token.kind == BEGIN else -1
            if not depth:
                own.append(token)
        self._float_labels.append(label_of(own) or label_of(inside))
        self._stack.push([*inside, Token(END, opening.text, 0)])

    # Commands

    def _table(self) -> dict[str, Callable[[Token], None]]:
        table: dict[str, Callable[[Token], None]] = dict.fromkeys(_LEVELS, self._section)
        table |= dict.fromkeys(_CAPTIONS | _NOTES, self._caption)
        table |= dict.fromkeys(
            ("bibliography", "printbibliography", "acknowledgments", "acknowledgements"), self._stop
        )
        table |= dict.fromkeys(
            ("par", "bigskip", "medskip", "newpage", "clearpage", "cleardoublepage"), self._paragraph
        )
        return table | {
            "[": self._bracket,
            "item": self._item,
            "abstract": self._abstract,
            "title": self._read_title,
            "icmltitle": self._read_title,
            "label": self._drop_label,
            "appendix": self._appendix,
        }

    def _section(self, token: Token) -> None:
        self._stack.star()
        self._stack.optional()
        place = self._stack.place()
        title = self.line(self._stack.argument())
        self._flush()
        self._skipping = _LEFT_OUT.match(title.strip()) is not None
        self._title_page = False
        if title and not self._skipping:
            level = max(1, _LEVELS[token.text] + self._shift)
            self._builder.open_section(level, title, place, label=self._next_label())
        self._flush()

    def _next_label(self) -> str:
        self._stack.skip_spaces()
        token = self._stack.peek()
        if token is None or token.kind != CONTROL or token.text != "label":
            return ""
        self._stack.pop()
        return plain(self._stack.argument())

    def _stop(self, token: Token) -> None:
        """What follows is no text of the paper, until the next section."""
        self._flush()
        following = self._stack.peek()
        if token.text.startswith("acknow") and following is not None and following.kind == OPEN:
            self._stack.argument()
        else:
            self._skipping = True

    def _appendix(self, _: Token) -> None:
        self._flush()
        self._skipping = False

    def _paragraph(self, _: Token) -> None:
        self._flush()

    def _bracket(self, token: Token) -> None:
        self._equation(self._text.formula_tokens(token, self._stack), self._stack.at)

    def _item(self, token: Token) -> None:
        self._flush()
        name = self._stack.optional()
        self._kind = BlockKind.LIST_ITEM
        if name and (text := self.line(name)):
            self._run.add(text if text.endswith((":", ".")) else f"{text}:", token.at or self._stack.at)
            self._run.space()

    def _abstract(self, _: Token) -> None:
        following = self._stack.peek()
        if following is not None and following.kind == OPEN:
            self.abstract(self._stack.argument())

    def _read_title(self, token: Token) -> None:
        self._stack.optional()
        title = self.line(self._stack.argument())
        if title and not self.title_page_title and self._builder.is_fresh:
            self.title_page_title = title
            self._builder.add(BlockKind.TITLE, title, self._stack.files.place(token.at or self._stack.at))

    def _drop_label(self, _: Token) -> None:
        self._stack.argument()

    def _caption(self, token: Token) -> None:
        kind = self._kind
        self._flush()
        self._caption_from(self._stack, token.text, "")
        self._flush()
        self._kind = kind

    def _caption_from(self, stack: TokenStack, command: str, label: str) -> None:
        stack.star()
        stack.optional()
        if names_float(stack):
            stack.optional()
        if command == "tablenotetext":
            stack.argument()
        at = stack.at
        run = self._text.run(stack.fork(stack.argument()))
        if run.length and not self._skipping:
            outer, self._stack = self._stack, stack
            label = label or self._next_label() or (self._float_labels[-1] if self._float_labels else "")
            self._stack = outer
            kind = BlockKind.FOOTNOTE if command in _NOTES else BlockKind.CAPTION
            self._builder.add(kind, run.text, stack.files.place(at), anchors=run.anchors, label=label)

    def _title(self, token: Token) -> bool:
        """On a title page: what stands in the largest type is the title."""
        if token.kind != CONTROL or token.text not in _TITLE_SIZES or self._kind is BlockKind.ABSTRACT:
            return False
        inside: list[Token] = []
        depth = 0
        while (following := self._stack.pop()) is not None:
            depth += (following.kind == OPEN) - (following.kind == CLOSE)
            if depth < 0 or (following.kind == BEGIN and following.text == "abstract"):
                self._stack.push([following])
                break
            if following.kind == END and following.text not in {"center", "centering"}:
                self._stack.push([following])
                break
            if following.kind not in {BEGIN, END}:
                inside.append(following)
        self.title_page_title = self.title_page_title or self.line(inside)
        return True
