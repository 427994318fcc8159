"""Expands a LaTeX source: files, macros, conditionals. What comes out holds primitives only.

Follows TeX's rules as far as prose needs them (D. E. Knuth, The TeXbook, 1986, chapters 20 and 24);
groups do not limit definitions. Every loop is bounded by :data:`MAX_TOKENS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from extraction.readers.latex_conditionals import Conditionals
from extraction.readers.latex_definitions import Definitions
from extraction.readers.latex_macros import Macro
from extraction.readers.latex_stack import MAX_DEPTH, SourceFiles, TokenStack, plain
from extraction.readers.latex_template import template_macros
from extraction.readers.latex_tokens import (
    BEGIN,
    CLOSE,
    CONTROL,
    END,
    END_OF_FILE,
    MATH,
    OPEN,
    PRIMITIVE,
    VERBATIM,
    WORD,
    Token,
    tokenise,
)
from extraction.readers.source import MAX_BYTES, read_text, relative_name
from schemas.errors import ReadError

MAX_TOKENS: Final = 3_000_000
"""Most tokens that macros and files of one document may expand to beyond those of the source."""
MAX_FILES: Final = 1_000
_FILE_COMMANDS: Final = frozenset({"input", "include", "subfile", "subfileinclude", "@input"})
_TEMPLATE_FILE: Final = re.compile(r"lhcb-symbols|symbols-def")
_DROPPED: Final = frozenset({"long", "global", "protected", "noexpand", "relax", "unexpanded"})


class Expander:
    """Expands one document; ``main`` is its first file, ``root`` the import root."""

    def __init__(
        self, main: Path, *, root: Path, missing_inputs_ok: bool = False, max_bytes: int = MAX_BYTES
    ) -> None:
        self.files = SourceFiles()
        self.macros: dict[str, Macro] = {}
        self._environments: dict[str, tuple[Macro, tuple[Token, ...]]] = {}
        self._main, self._root, self._missing_ok = main, root, missing_inputs_ok
        self._max_bytes = max_bytes
        self._open: list[Path] = []
        self._budget = MAX_TOKENS
        self._depth: list[Token] = []
        self._stack = TokenStack((), self.files)
        self._stack.on_end_of_file = self._end_of_file
        self._conditionals = Conditionals(self._stack, self.macros)
        self._definitions = Definitions(self._stack, self.macros, self._environments)
        self._handlers = self._table()
        self._template: dict[str, Macro] = {}
        self._writes_decays = False
        self.has_document = False
        self._load(main)

    def run(self) -> tuple[list[Token], list[Token]]:
        """Front matter (not expanded, definitions taken out) and expanded body."""
        front = self._preamble()
        self._look_for_template()
        if not self.has_document:
            self._template = template_macros()
            self._stack.push(front)
            front = []
        return front, self._expand()

    def _look_for_template(self) -> None:
        """A source that writes ``\\decay`` and never says what it is came without the template's file."""
        if self._writes_decays and "decay" not in self.macros:
            self._template = template_macros()

    def expand(self, tokens: Sequence[Token]) -> list[Token]:
        """Expand front matter with the definitions of the whole document."""
        self._stack.push(tokens)
        self._depth.clear()
        return self._expand()

    def _preamble(self) -> list[Token]:
        front: list[Token] = []
        while (token := self._stack.pop()) is not None:
            if token.kind == BEGIN and token.text == "document":
                self.has_document = True
                return front
            handler = self._handlers.get(token.text) if token.kind == CONTROL else None
            if handler is not None:
                handler(token)
            elif token.kind == CONTROL and self._conditionals.is_test(token.text):
                self._conditionals.test(token)
            elif token.kind == CONTROL and self._definitions.defines(token.text):
                self._use(self.macros[token.text], token.text)
            else:
                front.append(token)
        return front

    def _expand(self) -> list[Token]:
        out: list[Token] = []
        stack, find_macro, find_handler = self._stack, self.macros.get, self._handlers.get
        while (token := stack.pop()) is not None:
            kind = token.kind
            if kind == CONTROL:
                macro = find_macro(token.text)
                if macro is not None:
                    self._use(macro, token.text)
                    continue
                handler = find_handler(token.text)
                if handler is not None:
                    handler(token)
                    continue
                if self._conditionals.is_test(token.text):
                    self._conditionals.test(token)
                    continue
                if token.text in self._template:
                    self._use(self._template[token.text], token.text)
                    continue
            elif OPEN <= kind <= END:
                if token.text == "document" and kind in {BEGIN, END}:
                    if kind == END and len(self._open) <= 1:
                        break
                    continue
                if not self._nest(token):
                    continue
            elif kind == PRIMITIVE:
                token = Token(CONTROL, token.text, token.at)
            out.append(token)
        return out

    def _nest(self, token: Token) -> bool:
        """Keeps count of groups and environments; False when the token was replaced."""
        if token.kind in {MATH, OPEN, CLOSE}:
            if token.kind == OPEN:
                self._deepen(token)
            elif token.kind == CLOSE and self._depth and self._depth[-1].kind == OPEN:
                self._depth.pop()
        elif token.kind == BEGIN:
            defined = self._environments.get(token.text)
            if defined is not None:
                self._use(defined[0], token.text)
                return False
            self._deepen(token)
        elif token.kind == END:
            defined = self._environments.get(token.text)
            if defined is not None:
                self._spend(len(defined[1]), token.text)
                self._stack.push(defined[1])
                return False
            while self._depth and self._depth[-1].kind == OPEN:
                self._depth.pop()
            if self._depth:
                self._depth.pop()
        return True

    def _deepen(self, token: Token) -> None:
        if len(self._depth) >= MAX_DEPTH:
            raise self._stack.error(
                f"expected at most {MAX_DEPTH} nested groups and environments, found more"
            )
        self._depth.append(token)

    def _use(self, macro: Macro, name: str) -> None:
        arguments = macro.arguments(self._stack, name) if macro.arity or macro.delimiters else []
        self._spend(macro.size(arguments) + 1, name)
        self._stack.push(macro.expansion(arguments))

    def _spend(self, tokens: int, name: str) -> None:
        self._budget -= tokens
        if self._budget < 0:
            raise self._stack.error(
                f"expected at most {MAX_TOKENS:,} tokens after expansion, found more at \\{name}: "
                "does a macro use itself?"
            )

    # Files

    def _end_of_file(self) -> None:
        self._open.pop()

    def _load(self, path: Path) -> None:
        name = relative_name(path, self._root)
        resolved = path.resolve()
        if resolved in self._open:
            raise self._stack.error(f"expected files that do not include themselves, found {name} again")
        if len(self.files.names) >= MAX_FILES:
            raise self._stack.error(f"expected at most {MAX_FILES} \\input files, found more")
        source = read_text(path, root=self._root, max_bytes=self._max_bytes)
        tokens = tokenise(source, file=self.files.add(name), name=name)
        self._spend(len(tokens) if self._open else 0, f"input{{{name}}}")
        self._open.append(resolved)
        self._writes_decays |= any(t.kind == CONTROL and t.text == "decay" for t in tokens)
        if self.has_document:
            self._look_for_template()
        self._stack.push([*tokens, Token(END_OF_FILE, "", 0)])

    def _input(self, token: Token) -> None:
        at = self._stack.at
        name = self._file_name()
        if name.endswith((".bbl", ".bib")):
            return
        if token.text == "include" and not name.endswith(".tex"):
            name += ".tex"
        folder = self._main.parent
        candidates = (
            [folder / name] if name.endswith((".tex", ".ltx")) else [folder / f"{name}.tex", folder / name]
        )
        if not name or name.startswith(("|", "/", "~")) or "\\" in name:
            raise self.files.error(f"expected a file name relative to the main file, found {name!r}", at)
        for path in candidates:
            self._inside(path, name, at)
            if path.is_file():
                self._stack.at = at
                self._load(path)
                return
        if not self._missing_ok:
            raise self.files.error(
                f"expected the file {name} beside the main file, found none; add it, or mark "
                "its place with --allow-missing-inputs",
                at,
            )
        if _TEMPLATE_FILE.search(name):
            self._template = template_macros()
            return
        self._stack.push([Token(VERBATIM, f"[missing file {name}]", at)])

    def _inside(self, path: Path, name: str, at: int) -> None:
        try:
            relative_name(path, self._root)
        except ReadError as e:
            raise self.files.error(
                f"expected a file under the import root, found {name!r} outside it", at
            ) from e

    def _file_name(self) -> str:
        self._stack.skip_spaces()
        token = self._stack.peek()
        if token is not None and token.kind == OPEN:
            return plain(self._stack.argument())
        letters: list[Token] = []
        while (token := self._stack.peek()) is not None and token.kind in {WORD, 9}:
            letters.append(token)
            self._stack.pop()
        return plain(letters)

    def _class(self, token: Token) -> None:
        """A subfile has a preamble of its own: its definitions hold, the rest is dropped."""
        if self.has_document and len(self._open) > 1:
            self._preamble()
        else:
            self._stack.push([Token(PRIMITIVE, token.text, token.at)])

    def _import(self, _: Token) -> None:
        folder, name = plain(self._stack.argument()), plain(self._stack.argument())
        path = f"{folder.rstrip('/')}/{name}" if folder else name
        self._stack.push([Token(OPEN, "{", 0), Token(WORD, path, self._stack.at), Token(CLOSE, "}", 0)])
        self._input(Token(CONTROL, "input", self._stack.at))

    # Other commands

    def _table(self) -> dict[str, Callable[[Token], None]]:
        table: dict[str, Callable[[Token], None]] = dict.fromkeys(_DROPPED, self._drop)
        table |= dict.fromkeys(_FILE_COMMANDS, self._input)
        table |= dict.fromkeys(("import", "subimport"), self._import)
        table |= dict.fromkeys(("begin", "end"), self._rejoin)
        return table | {
            **self._definitions.handlers,
            "texorpdfstring": self._first_of_two,
            "documentclass": self._class,
        }

    def _drop(self, _: Token) -> None:
        """Prefixes that do not change what is read."""

    def _first_of_two(self, _: Token) -> None:
        """``texorpdfstring``: the typeset version, not the one for bookmarks."""
        first = self._stack.argument()
        self._stack.argument()
        self._stack.push(first)

    def _rejoin(self, token: Token) -> None:
        """``\\begin{#1}`` of a macro body, now that the name is known."""
        name = plain(self._stack.argument())
        self._stack.push([Token(BEGIN if token.text == "begin" else END, name, token.at)])
