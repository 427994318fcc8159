"""Running text of a LaTeX source: words, formulas, accents, references; with the lines they stem from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from extraction.readers import latex_symbols as symbols
from extraction.readers.builder import Anchor
from extraction.readers.latex_commands import (
    CITE_DROPPED,
    CITE_SHOWN,
    DROPPED,
    GLOSSARY,
    KEEP_LAST,
    LENGTHS,
    REFERENCES,
)
from extraction.readers.latex_math import render
from extraction.readers.latex_stack import SourceFiles, TokenStack, plain
from extraction.readers.latex_tokens import (
    ALIGN,
    BEGIN,
    CLOSE,
    CONTROL,
    END,
    MATH,
    OPEN,
    PAR,
    SPACE,
    SUB,
    SUPER,
    TIE,
    VERBATIM,
    WORD,
    Token,
)
from extraction.readers.latex_units import COMMANDS as UNIT_COMMANDS
from extraction.readers.latex_units import quantity

_BEFORE: Final = re.compile(r"[.,;:)\]](?!\w)")
_NAMED_WORK: Final = re.compile(r"(?:Refs?\.|References?|see|See|in|from|by|of)\s*\Z")
_XSPACE_STOPS: Final = frozenset(
    {"/", "\\", " ", "footnote", "footnotemark", "space", ",", "xspace", "par", "xperiod"}
)
_KINDS_IN_TEXT: Final[dict[int, str]] = {SUPER: "^", SUB: "_"}

_SCRIPT_LAST = re.compile(r"[\^_](?:\{[^{}]*\}|\S)\Z")
_GLUED = re.compile(r"[a-z]{4}")
"""A word right after a formula that ends in a script: a forgotten blank, else it would join the script."""


class Run:
    """Text in the making; ``add`` notes where it stems from."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files
        self._parts: list[str] = []
        self.length = 0
        self._space = False
        self.anchors: list[Anchor] = []
        self._at = 0

    def add(self, text: str, at: int) -> None:
        """Append text without blanks at its edges."""
        if not text:
            return
        if self._space and self.length and not _BEFORE.match(text):
            self._parts.append(" ")
            self.length += 1
        self._space = False
        if at != self._at:
            self._at = at
            self.anchors.append(Anchor(self.length, self._files.place(at)))
        self._parts.append(text)
        self.length += len(text)

    def space(self) -> None:
        """A blank stands here, unless the text ends or punctuation follows."""
        self._space = True

    def last(self, count: int) -> str:
        """The last characters, across parts."""
        return "".join(self._parts[-8:])[-count:]

    @property
    def ends_in_space(self) -> bool:
        """Whether a blank was asked for after the last word."""
        return self._space and self.length > 0

    @property
    def text(self) -> str:
        return "".join(self._parts)


class TextRenderer:
    """Renders inline tokens; ``on_footnote`` receives the stack of each footnote's text."""

    def __init__(self, files: SourceFiles, on_footnote: Callable[[TokenStack], None]) -> None:
        self._files, self._on_footnote = files, on_footnote

    def render(self, stack: TokenStack) -> str:
        """All of ``stack`` as one line, with blanks at its edges kept as one blank."""
        first = stack.peek()
        edge = first is not None and (
            first.kind in {SPACE, TIE} or (first.kind == CONTROL and first.text in symbols.SPACES)
        )
        run = self.run(stack)
        return (" " if edge else "") + run.text + (" " if run.ends_in_space else "")

    def run(self, stack: TokenStack) -> Run:
        """All of ``stack`` as a run."""
        run = Run(self._files)
        while (token := stack.pop()) is not None:
            self.step(token, stack, run)
        return run

    def step(self, token: Token, stack: TokenStack, run: Run) -> None:
        """Render one token, which has just been popped, with whatever belongs to it."""
        kind = token.kind
        if kind == WORD:
            run.add(_ligatures(token.text), stack.at)
        elif kind in {SPACE, TIE, PAR, ALIGN}:
            run.space()
        elif kind == CONTROL:
            self._control(token.text, stack, run)
        elif kind == MATH:
            self._formula(token, stack, run)
        elif kind == VERBATIM:
            run.add(" ".join(token.text.split()), stack.at)
        elif kind in _KINDS_IN_TEXT:
            run.add(token.text, stack.at)
        elif kind == BEGIN and token.text in {"math", "array"}:
            self._environment(token, stack, run)

    def math(self, stack: TokenStack, *, row_gap: str = "; ") -> str:
        """Text of a formula."""
        return render(stack, self.render, row_gap=row_gap)

    def formula_tokens(self, opening: Token, stack: TokenStack) -> list[Token]:
        """Tokens up to the ``$`` (or ``\\)``, ``\\]``) that closes ``opening``."""
        at, depth, inside = stack.at, 0, list[Token]()
        closing = {"(": ")", "[": "]"}.get(opening.text) if opening.kind == CONTROL else None
        while (token := stack.pop()) is not None:
            if token.kind == OPEN:
                depth += 1
            elif token.kind == CLOSE:
                depth -= 1
            elif closing is None and token.kind == MATH and depth <= 0:
                if opening.text == "$" and token.text == "$$":
                    stack.push([Token(MATH, "$", token.at)])
                return inside
            elif closing is not None and token.kind == CONTROL and token.text == closing:
                return inside
            elif token.kind == PAR and opening.text == "$" and depth <= 0:
                break
            inside.append(token)
        raise stack.error(f"expected the end of the formula opened with {opening.text}, found none", at)

    def _formula(self, token: Token, stack: TokenStack, run: Run) -> None:
        at = stack.at
        if token.text == "$$" and (following := stack.peek()) is not None and following.kind == MATH:
            stack.pop()
            return
        self._add_math(stack, token, run, at)

    def _add_math(self, stack: TokenStack, token: Token, run: Run, at: int) -> None:
        self._add_formula(self.formula_tokens(token, stack), stack, run, at)

    def _add_formula(self, tokens: list[Token], stack: TokenStack, run: Run, at: int) -> None:
        text = self.math(stack.fork(tokens))
        if text.startswith(" "):
            run.space()
        run.add(text.strip(), at)
        after = stack.peek()
        glued = after is not None and after.kind == WORD and _GLUED.match(after.text) is not None
        if text.endswith(" ") or (glued and _SCRIPT_LAST.search(text)):
            run.space()

    def _environment(self, opening: Token, stack: TokenStack, run: Run) -> None:
        """A formula environment inside a line."""
        inside: list[Token] = [opening]
        while (token := stack.pop()) is not None:
            inside.append(token)
            if token.kind == END and token.text == opening.text:
                break
        run.add(self.math(stack.fork(inside if opening.text == "array" else inside[1:-1])), stack.at)

    def _control(self, name: str, stack: TokenStack, run: Run) -> None:  # noqa: PLR0912
        at = stack.at
        if name in symbols.ACCENTS and self._accent(name, stack, run):
            return
        if name == "xspace":
            _xspace(stack, run)
        elif name == "ensuremath":
            self._ensured(stack, run)
        elif name == "(":
            self._add_math(stack, Token(CONTROL, "(", at), run, at)
        elif name in symbols.SPACES or name == "\\":
            _space_command(name, stack, run)
        elif name in symbols.TEXT_SYMBOLS:
            run.add(symbols.TEXT_SYMBOLS[name], at)
        elif name in CITE_DROPPED or name in CITE_SHOWN:
            _citation(name, stack, run)
        elif name in REFERENCES:
            stack.star()
            stack.optional()
            run.add(f"[{plain(stack.argument())}]", at)
        elif name in {"footnote", "footnotetext", "tablefootnote"}:
            stack.optional()
            self._on_footnote(stack.fork(stack.argument()))
        elif name in UNIT_COMMANDS:
            run.add(quantity(stack, name), at)
        elif name in LENGTHS:
            stack.dimension()
        elif name in symbols.MATH_ACCENTS or name in {"frac", "sqrt", "mathrm", "mathcal"}:
            self._bare_math(name, stack, run)
        elif name in GLOSSARY:
            stack.star()
            stack.optional()
        else:
            _arguments(name, stack)

    def _ensured(self, stack: TokenStack, run: Run) -> None:
        at = stack.at
        self._add_formula(stack.argument(), stack, run, at)

    def _bare_math(self, name: str, stack: TokenStack, run: Run) -> None:
        """A formula command outside a formula, as authors leave them in."""
        at, tokens = stack.at, [Token(CONTROL, name, stack.at)]
        for _ in range(2 if name == "frac" else 1):
            tokens += [Token(OPEN, "{", 0), *stack.argument(), Token(CLOSE, "}", 0)]
        self._add_formula(tokens, stack, run, at)

    def _accent(self, name: str, stack: TokenStack, run: Run) -> bool:
        """Letter with accent; False when what follows is no letter."""
        if name.isalpha():
            following = stack.peek()
            if following is None or following.kind not in {OPEN, WORD, CONTROL}:
                return False
        at, base = stack.at, self.render(stack.fork(stack.argument())).strip()
        mark = symbols.ACCENTS[name]
        base = {"ı": "i", "ȷ": "j"}.get(base, base)
        run.add(unicodedata.normalize("NFC", base[:1] + mark + base[1:]) if base else "", at)
        return True


def _ligatures(text: str) -> str:
    if "-" in text:
        text = text.replace("---", "—").replace("--", "–")
    if "`" in text or "'" in text:
        text = text.replace("``", "“").replace("''", "”").replace("`", "‘")
    return text


def _space_command(name: str, stack: TokenStack, run: Run) -> None:
    if name == "\\":
        stack.star()
        stack.optional()
    elif name == "hspace":
        stack.star()
        stack.argument()
    elif name == "hskip":
        stack.dimension()
    run.space()


def _xspace(stack: TokenStack, run: Run) -> None:
    token = stack.peek()
    if token is None:
        return
    if token.kind == WORD:
        if token.text[0] not in ".,'/?;:!-)]":
            run.space()
    elif token.kind == MATH or (token.kind == CONTROL and token.text not in _XSPACE_STOPS):
        run.space()


def _citation(name: str, stack: TokenStack, run: Run) -> None:
    at = stack.at
    stack.star()
    while stack.optional() is not None:
        pass
    keys = ", ".join(key.strip() for key in plain(stack.argument()).split(","))
    if name in CITE_SHOWN or _NAMED_WORK.search(run.last(12)):
        run.add(f"[{keys}]", at)


def _arguments(name: str, stack: TokenStack) -> None:
    """Drop what a command's arguments hold; an unknown command is dropped alone."""
    dropped = DROPPED.get(name, KEEP_LAST.get(name))
    if dropped is None:
        return
    stack.star()
    stack.optional()
    for _ in range(dropped):
        stack.argument()
        stack.optional()
