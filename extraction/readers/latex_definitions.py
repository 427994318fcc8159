r"""The commands that define commands: ``\newcommand`` and its kin, ``\def``, ``\csname``, ``\let``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from extraction.readers import latex_macros as macros
from extraction.readers.latex_commands import DISPLAY, FLOATS, TABULARS
from extraction.readers.latex_macros import Macro
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_tokens import CONTROL, PRIMITIVE, WORD, Token

_GREEK_SLOTS: Final = (
    "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
)  # fmt: skip
_GREEK_CODE: Final = re.compile(r'=?"[0-7]?1([0-9A-F]{2})')
_NEW_COMMANDS: Final = (
    "newcommand", "renewcommand", "DeclareRobustCommand", "DeclareDocumentMathCommand", "newrobustcmd",
    "renewrobustcmd",
)  # fmt: skip
_DOCUMENT_COMMANDS: Final = tuple(
    f"{how}{kind}DocumentCommand"
    for how in ("New", "Renew", "Declare", "Provide")
    for kind in ("", "Expandable")
)
_BY_NAME: Final = ("@namedef", "csdef", "csgdef", "csedef", "csxdef")
Environments = dict[str, tuple[Macro, tuple[Token, ...]]]


class Definitions:
    """Carries out definitions that stand next on the stack; what they define goes into the two tables."""

    def __init__(self, stack: TokenStack, known: dict[str, Macro], environments: Environments) -> None:
        self._stack, self.macros, self._environments = stack, known, environments
        self.handlers: Mapping[str, Callable[[Token], None]] = MappingProxyType(self._table())

    def defines(self, name: str) -> bool:
        """Whether a command of the source's own is there to define others, alone or by one that is."""
        seen, left = set[str](), [name]
        while left:
            macro = self.macros.get(at := left.pop())
            if macro is None or at in seen:
                continue
            seen.add(at)
            used = {t.text for t in macro.body if t.kind == CONTROL}
            if used & _DEFINING:
                return True
            left += used
        return False

    def _table(self) -> dict[str, Callable[[Token], None]]:
        table: dict[str, Callable[[Token], None]] = dict.fromkeys(_NEW_COMMANDS, self._new_command)
        table |= dict.fromkeys(_DOCUMENT_COMMANDS, self._document_command)
        table |= dict.fromkeys(_BY_NAME, self._by_name)
        table |= dict.fromkeys(("def", "gdef", "edef", "xdef"), self._def)
        table |= dict.fromkeys(("newcommandx", "renewcommandx"), self._new_command_x)
        table |= dict.fromkeys(("newenvironment", "renewenvironment"), self._environment)
        return table | {
            "providecommand": self._provide,
            "providerobustcmd": self._provide,
            "let": self._let,
            "DeclareMathOperator": self._operator,
            "DeclarePairedDelimiter": self._paired,
            "csname": self._csname,
            "expandafter": self._expand_after,
            "mathchardef": self._math_character,
            "DeclareSIUnit": self._new_unit,
        }

    def _expand_after(self, _: Token) -> None:
        """Makes the name behind the next command where ``csname`` makes it; expands nothing else."""
        self._stack.skip_spaces()
        first = self._stack.pop()
        following = self._stack.peek()
        if following is not None and following.kind == CONTROL and following.text == "csname":
            self._csname(self._stack.pop() or following)
        if first is not None:
            self._stack.push([first])

    def _by_name(self, token: Token) -> None:
        r"""``{name}<parameters>{body}`` after ``\@namedef`` and its kin."""
        self._stack.push([Token(CONTROL, plain(self._stack.argument()), token.at)])
        self._def(token)

    def _new_command_x(self, _: Token) -> None:
        self._define(*macros.read_new_command_x(self._stack))

    def _define(self, name: str, macro: Macro) -> None:
        if name and name not in macros.PROTECTED:
            self.macros[name] = macro

    def _new_command(self, _: Token) -> None:
        self._define(*macros.read_new_command(self._stack))

    def _document_command(self, _: Token) -> None:
        self._define(*macros.read_document_command(self._stack))

    def _provide(self, _: Token) -> None:
        name, macro = macros.read_new_command(self._stack)
        if name not in self.macros:
            self._define(name, macro)

    def _def(self, _: Token) -> None:
        self._define(*macros.read_def(self._stack))

    def _environment(self, _: Token) -> None:
        name, begin, end = macros.read_environment(self._stack)
        known = name in DISPLAY or name in FLOATS or name in TABULARS or name in {"abstract", "titlepage"}
        if name and not known:
            self._environments.setdefault(name, (begin, end))

    def _operator(self, _: Token) -> None:
        self._stack.star()
        name = macros.defined_name(self._stack)
        self._define(name, macros.operator(self._stack.argument()))

    def _paired(self, _: Token) -> None:
        name = macros.defined_name(self._stack)
        self._define(name, macros.paired_delimiter(self._stack.argument(), self._stack.argument()))

    def _let(self, _: Token) -> None:
        name = macros.defined_name(self._stack)
        self._stack.skip_spaces()
        token = self._stack.pop()
        if token is not None and token.kind == WORD and token.text.startswith("="):
            token = token._replace(text=token.text[1:]) if len(token.text) > 1 else self._stack.pop()
        if token is None:
            return
        if token.kind == WORD:
            token = self._stack.split_word(token, 1)
        same = self.macros.get(token.text) if token.kind == CONTROL else None
        kind = PRIMITIVE if token.kind == CONTROL else token.kind
        self._define(name, same or Macro((Token(kind, token.text, 0),)))

    def _csname(self, token: Token) -> None:
        inside: list[Token] = []
        while (part := self._stack.pop()) is not None:
            if part.kind == CONTROL and part.text == "endcsname":
                break
            inside.append(part)
        self._stack.push([Token(CONTROL, plain(inside), token.at)])

    def _math_character(self, _: Token) -> None:
        """``mathchardef`` with a code such as ``"7103``: Greek capitals; other codes stay unknown."""
        name = macros.defined_name(self._stack)
        token = self._stack.pop()
        found = _GREEK_CODE.match(token.text) if token is not None and token.kind == WORD else None
        if found is not None and int(found[1], 16) < len(_GREEK_SLOTS):
            self._define(name, Macro((Token(PRIMITIVE, _GREEK_SLOTS[int(found[1], 16)], 0),)))

    def _new_unit(self, _: Token) -> None:
        self._stack.optional()
        name = macros.defined_name(self._stack)
        self._stack.optional()
        self._define(name, Macro(macros.placeless(self._stack.argument())))


_DEFINING: Final = frozenset(
    {*_NEW_COMMANDS, *_DOCUMENT_COMMANDS, *_BY_NAME, "def", "gdef", "edef", "xdef", "newcommandx"}
)
