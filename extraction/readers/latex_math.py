r"""Formulas as readable, stable text: ``$B^0\to K^{*0}\mu^+\mu^-$`` as ``B^0 → K^{*0} μ^+ μ^-``.

Rules: scripts stay ``^x`` or ``^{xyz}`` in the source's order; relations and binary signs are set off
by spaces, signs of a number are not; a space parts two symbols (``K π``) except after Δ and within a
word (``pp``); powers of ten read ``×10^{-6}``; rows of a display are lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from extraction.readers import latex_symbols as symbols
from extraction.readers.latex_commands import (
    CITE_DROPPED,
    CITE_SHOWN,
    DROPPED,
    KEEP_LAST,
    LAYOUT,
    LENGTHS,
    REFERENCES,
)
from extraction.readers.latex_spacing import (
    BINARY,
    CHARACTERS,
    LETTER,
    NAME,
    NUMBER,
    RELATION,
    SCRIPT,
    SIGN,
    SYMBOL,
    TIGHT,
    Atom,
    join,
)
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_tokens import (
    ALIGN,
    BEGIN,
    CLOSE,
    CONTROL,
    END,
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

_PIECES = re.compile(r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)|([^\W\d_]+)|(.)", re.DOTALL)
_COMPOSITE = re.compile(r"[ /+×·-]")
_SCRIPTS = re.compile(r"[_^](?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|.)")
_ACCENTED = re.compile(r"([^\W\d_])([\u0300-\u036f]*)(?=\Z|[_^('′])")
_TEXT_COMMANDS: Final = symbols.words(
    """text mbox textrm textnormal textup hbox textit textbf textsf texttt textsc textsl intertext
    shortintertext"""
)
_GROUPING: Final = _TEXT_COMMANDS | {"ensuremath", "mathrm", "mathit", "mathsf", "mathbf"}
_FRACTIONS: Final = frozenset({"frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "flatfrac"})
_ALPHABETS: Final = frozenset({"mathcal", "mathscr", "mathfrak", "mathbb", "EuScript", "mathbbm", "cal"})


def render(stack: TokenStack, text: Callable[[TokenStack], str], *, row_gap: str = "\n") -> str:
    """Text of a formula, with a visible space at its edges as one blank.

    ``text`` renders what ``\\text{...}`` holds.
    """
    formula = _Formula(stack, text, script=False)
    rows = formula.rows()
    out = unicodedata.normalize("NFC", row_gap.join(row for row in rows if row))
    before, after = formula.edges
    return (" " if before else "") + out + (" " if after and out else "")


class _Formula:
    def __init__(self, stack: TokenStack, text: Callable[[TokenStack], str], *, script: bool) -> None:
        self._stack, self._text, self._script = stack, text, script
        self._atoms: list[Atom] = []
        self._rows: list[str] = []
        self._space = 0
        self.edges = (False, False)

    def rows(self) -> list[str]:
        while (token := self._stack.pop()) is not None:
            kind = token.kind
            if kind == WORD:
                self._word(token.text)
            elif kind == CONTROL:
                self._control(token.text)
            elif kind in {SUPER, SUB}:
                self._scripted(token.text)
            elif kind == SPACE:
                self._space = max(self._space, 1)
            elif kind in {TIE, ALIGN, PAR}:
                self._space = 2
            elif kind == OPEN:
                self._opened()
            elif kind == CLOSE:
                self._space = max(self._space, 1)
            elif kind == BEGIN:
                self._environment(token)
            elif kind == VERBATIM:
                self._add(token.text, LETTER)
        trailing = self._space == 2
        self._end_row()
        self.edges = (self.edges[0], trailing)
        return self._rows

    def _end_row(self) -> None:
        if not self._rows and self._atoms:
            self.edges = (self._atoms[0].space == 2, False)
        self._rows.append(join(self._atoms, script=self._script))
        self._atoms = []
        self._space = 0

    def _add(self, text: str, left: str, right: str = "") -> None:
        if text:
            self._atoms.append(Atom(text, left, right or left, self._space))
            self._space = 0

    def _inner(self, tokens: list[Token], *, script: bool | None = None) -> str:
        """Text of an argument."""
        inner = _Formula(
            self._stack.fork(tokens), self._text, script=self._script if script is None else script
        )
        return "; ".join(row for row in inner.rows() if row)

    def _word(self, text: str) -> None:
        for number, letters, other in _PIECES.findall(text):
            if number:
                self._add(number, NUMBER)
            elif letters:
                self._add(letters, LETTER)
            elif other == "'" and self._atoms:
                self._atoms[-1].text += other
            elif other == "`":
                continue
            else:
                self._add(other, CHARACTERS.get(other, TIGHT))

    def _opened(self) -> None:
        """A group is transparent, but ``{,}`` is a decimal or grouping comma."""
        self._space = max(self._space, 1)
        first = self._stack.pop()
        if first is None:
            return
        second = self._stack.peek()
        if (
            first.kind == WORD
            and first.text in {",", ".", ":"}
            and second is not None
            and second.kind == CLOSE
        ):
            self._stack.pop()
            self._add(first.text, NUMBER)
        else:
            self._stack.push([first])

    def _operand(self) -> list[Token]:
        r"""What a script or an accent covers; ``_\text{S}`` covers what the command's group holds."""
        operand = self._stack.argument()
        while len(operand) == 1 and operand[0].kind == CONTROL and operand[0].text in _GROUPING:
            operand = self._stack.argument()
        return operand

    def _scripted(self, mark: str) -> None:
        script = self._inner(self._operand(), script=True)
        if not script:
            return
        if script in {"∘", "°", "′", "″", "'"}:
            script = "°" if script == "∘" else script
        else:
            script = mark + (script if len(script) == 1 else f"{{{script}}}")
        self._space = 0
        if self._atoms and self._atoms[-1].right not in {RELATION, BINARY, SIGN}:
            self._atoms[-1].text += script
            self._atoms[-1].right = SCRIPT
        else:
            self._add(script, SCRIPT, SIGN)

    def _control(self, name: str) -> None:  # noqa: PLR0912 - one line per kind of command
        stack = self._stack
        if name in symbols.GREEK:
            self._add(symbols.GREEK[name], SYMBOL)
        elif name in symbols.RELATIONS:
            self._relation(name)
        elif name in symbols.BINARIES:
            self._add(symbols.BINARIES[name], BINARY)
        elif name in symbols.SPACES:
            self._visible_space(name)
        elif name in {"!", "/", "-"}:
            self._space = 0
        elif name in _FRACTIONS:
            self._fraction()
        elif name in _TEXT_COMMANDS:
            self._prose(self._text(stack.fork(stack.argument())))
        elif name in symbols.MATH_ACCENTS:
            accented = _accent(self._inner(self._operand()), name)
            self._add(accented, SYMBOL if accented else LETTER, SCRIPT if accented[-1:] == "}" else SYMBOL)
        elif name in _ALPHABETS:
            self._alphabet()
        elif name in LENGTHS:
            stack.dimension()
        elif name in {"\\", "cr", "newline"}:
            stack.star()
            stack.optional()
            self._end_row()
        elif name in UNIT_COMMANDS:
            self._add(quantity(stack, name), NUMBER, LETTER)
        elif not self._structure(name) and not self._character(name):
            self._arguments(name)

    def _visible_space(self, name: str) -> None:
        self._space = 2
        if name == "hspace":
            self._stack.argument()
        elif name == "hskip":
            self._stack.dimension()

    def _relation(self, name: str) -> None:
        if name == "xrightarrow":
            self._stack.optional()
            self._stack.argument()
        if name == "mid":
            self._add("|", RELATION)
        else:
            self._add(symbols.RELATIONS[name], RELATION)

    def _structure(self, name: str) -> bool:
        """Roots, operators, delimiters; False if ``name`` is none of them."""
        stack = self._stack
        if name == "sqrt":
            degree = plain(stack.optional() or ())
            inside = self._inner(stack.argument())
            root = {"": "√", "3": "∛", "4": "∜"}.get(degree, f"^{degree}√")
            self._add(root + (inside if len(inside) == 1 else f"({inside})"), SYMBOL, SCRIPT)
        elif name in {"left", "right", "middle"}:
            following = stack.peek()
            if following is not None and following.kind == WORD and following.text.startswith("."):
                stack.pop()
                stack.split_word(following, 1)
        elif name in {"operatorname", "mathop"}:
            stack.star()
            self._add(self._inner(stack.argument()), NAME)
        elif name in symbols.FUNCTIONS:
            self._add(name, NAME)
        elif name == "over":
            self._add("/", TIGHT)
        elif name in {"binom", "dbinom", "tbinom"}:
            upper = self._inner(stack.argument())
            self._add(f"binom({upper}, {self._inner(stack.argument())})", SYMBOL, SCRIPT)
        elif name == "not":
            struck = self._inner(stack.argument())
            self._add(struck + "\u0338" if len(struck) == 1 else struck, RELATION)
        else:
            return False
        return True

    def _character(self, name: str) -> bool:
        """A symbol that is no relation or operator; False if ``name`` is none."""
        if name in symbols.DELIMITERS:
            sign = symbols.DELIMITERS[name]
            self._add(sign, CHARACTERS.get(sign, TIGHT))
        elif name in symbols.OPERATORS:
            self._add(symbols.OPERATORS[name], SYMBOL)
        elif name in symbols.LETTERS:
            sign = symbols.LETTERS[name]
            self._add(sign, SYMBOL if sign.isalpha() else TIGHT)
        elif name in symbols.ESCAPES:
            self._add(symbols.ESCAPES[name], TIGHT)
        else:
            return False
        return True

    def _arguments(self, name: str) -> None:
        """Commands that only drop arguments; a word that nobody defines stays: it may be part of a decay."""
        stack = self._stack
        if name in REFERENCES:
            self._add(f"[{plain(stack.argument())}]", TIGHT)
        elif name in CITE_DROPPED or name in CITE_SHOWN:
            while stack.optional() is not None:
                pass
            stack.argument()
        elif name in DROPPED or name in KEEP_LAST:
            stack.star()
            stack.optional()
            for _ in range(DROPPED.get(name, KEEP_LAST.get(name, 0))):
                stack.argument()
        elif name.isalpha() and name not in LAYOUT:
            self._add(f"\\{name}", SYMBOL)

    def _prose(self, text: str) -> None:
        if text[:1].isspace():
            self._space = 2
        self._add(text.strip(), LETTER)
        if text[-1:].isspace():
            self._space = 2

    def _fraction(self) -> None:
        upper, lower = (_bracketed(self._inner(self._stack.argument())) for _ in range(2))
        self._add(f"{upper}/{lower}" if lower else upper, SYMBOL, SCRIPT)

    def _alphabet(self) -> None:
        letters = self._inner(self._stack.argument())
        self._add(symbols.SCRIPT_LETTERS.get(letters, letters), LETTER)

    def _environment(self, opening: Token) -> None:
        """Cases, matrices, arrays: their rows on one line."""
        inside: list[Token] = []
        depth = 1
        while (token := self._stack.pop()) is not None:
            depth += (token.kind == BEGIN) - (token.kind == END)
            if not depth:
                break
            inside.append(token)
        else:
            raise self._stack.error(
                f"expected \\end{{{opening.text}}}, found the end of the formula", opening.at
            )
        stack = self._stack.fork(inside)
        if opening.text in {"array", "alignedat", "subarray", "tabular"}:
            stack.optional()
            stack.argument()
        inner = _Formula(stack, self._text, script=self._script)
        rows = [row for row in inner.rows() if row]
        gap = (
            "\n"
            if opening.text in {"aligned", "split", "alignedat", "gathered"} and not self._script
            else "; "
        )
        self._add(gap.join(rows), SYMBOL, SCRIPT)


def _bracketed(text: str) -> str:
    return f"({text})" if _COMPOSITE.search(_SCRIPTS.sub("", text)) else text


def _accent(base: str, name: str) -> str:
    mark = symbols.MATH_ACCENTS[name]
    if not mark or not base:
        return base
    found = _ACCENTED.match(base)
    if found is not None:
        return found.group() + mark + base[found.end() :]
    if base.isalpha() and len(base) <= 3:
        return "".join(letter + mark for letter in base)
    return f"{name}({base})"
