r"""``\if...\else...\fi`` and ``\ifthenelse``: the branch that the source's own settings choose.

Where a test cannot be decided without typesetting (a length, a page number), the else branch stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from extraction.readers.latex_macros import NO_VALUE, Macro, defined_name
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_symbols import words
from extraction.readers.latex_tokens import CLOSE, CONTROL, OPEN, PRIMITIVE, SPACE, Token

_TESTS: Final = words(
    """if ifcat ifx ifcase ifnum ifodd ifhmode ifvmode ifmmode ifinner ifvoid ifhbox ifvbox ifdim ifeof
    iftrue iffalse ifdefined ifcsname ifpdf ifluatex ifxetex ifLuaTeX ifXeTeX ifPDFTeX iffontchar"""
)
_TRUE: Final = frozenset({"iftrue", "ifpdf", "ifPDFTeX"})
_NUMBERS: Final = re.compile(r"\s*(-?\d{1,9})\s*([<=>])\s*(-?\d{1,9})\s*\Z")


class Conditionals:
    """Tests on one token stack; ``macros`` are those defined so far."""

    def __init__(self, stack: TokenStack, macros: Mapping[str, Macro]) -> None:
        self._stack, self._macros = stack, macros
        self._flags: dict[str, bool] = {}
        self._switches: dict[str, tuple[str, bool]] = {}
        self._commands: dict[str, Callable[[], None]] = {
            "newif": self._newif,
            "newboolean": self._new_flag,
            "provideboolean": self._new_flag,
            "newbool": self._new_flag,
            "providebool": self._new_flag,
            "newtoggle": self._new_flag,
            "setboolean": self._set_flag,
            "setbool": self._set_flag,
            "booltrue": lambda: self._set(plain(stack.argument()), value=True),
            "boolfalse": lambda: self._set(plain(stack.argument()), value=False),
            "toggletrue": lambda: self._set(plain(stack.argument()), value=True),
            "togglefalse": lambda: self._set(plain(stack.argument()), value=False),
            "ifthenelse": lambda: self._choose(self._decide(stack.argument())),
            "ifbool": lambda: self._choose(self._flags.get(plain(stack.argument()), False)),
            "iftoggle": lambda: self._choose(self._flags.get(plain(stack.argument()), False)),
            "ifdef": lambda: self._choose(defined_name(stack) in macros),
            "ifundef": lambda: self._choose(defined_name(stack) not in macros),
            "@ifundefined": lambda: self._choose(plain(stack.argument()) not in macros),
            "ifstrempty": lambda: self._choose(not plain(stack.argument())),
            "ifblank": lambda: self._choose(not plain(stack.argument())),
            "ifstrequal": lambda: self._choose(plain(stack.argument()) == plain(stack.argument())),
            "IfFileExists": lambda: self._choose(bool(stack.argument()) and False),
            "IfNoValueTF": lambda: self._choose(plain(stack.argument()) == NO_VALUE),
            "IfValueTF": lambda: self._choose(plain(stack.argument()) != NO_VALUE),
            "@ifnextchar": self._if_next,
            "@ifstar": lambda: self._choose(stack.star()),
            "else": self._to_fi,
            "or": self._to_fi,
            "fi": lambda: None,
        }

    def is_test(self, name: str) -> bool:
        """Whether a control word is a conditional, or sets or ends one."""
        return (
            name in self._commands
            or name in _TESTS
            or name in self._switches
            or (name.startswith("if") and name[2:] in self._flags)
        )

    def test(self, token: Token) -> None:
        """Carry it out: afterwards the stack goes on with the chosen branch."""
        name = token.text
        command = self._commands.get(name)
        if command is not None:
            command()
        elif name in self._switches:
            self._set(*self._switches[name][:1], value=self._switches[name][1])
        elif name == "ifmmode":
            self._in_formulas(token)
        elif not self._holds(name):
            self._skip(to_else=True)

    def _holds(self, name: str) -> bool:
        stack = self._stack
        if name == "ifx":
            return self._meaning(stack.pop()) == self._meaning(stack.pop())
        if name == "ifdefined":
            token = stack.pop()
            return token is not None and token.text in self._macros
        if name.startswith("if") and name[2:] in self._flags and name not in _TESTS:
            return self._flags[name[2:]]
        return name in _TRUE

    def _meaning(self, token: Token | None) -> object:
        if token is None:
            return None
        macro = self._macros.get(token.text) if token.kind == CONTROL else None
        return macro or (CONTROL if token.kind == PRIMITIVE else token.kind, token.text)

    def _in_formulas(self, token: Token) -> None:
        """What a formula gets, set as one; where that is nothing, what text gets."""
        *first, end = self._skip(to_else=True)
        if end.text == "else" and any(t.kind != SPACE for t in first):
            self._skip(to_else=False)
            formula = [Token(PRIMITIVE, "ensuremath", token.at), Token(OPEN, "{", 0), *first]
            self._stack.push([*formula, Token(CLOSE, "}", 0)])

    def _to_fi(self) -> None:
        self._skip(to_else=False)

    def _skip(self, *, to_else: bool) -> list[Token]:
        """What is skipped, with the ``else`` or ``fi`` that ends it."""
        opened, depth, inside = self._stack.at, 0, list[Token]()
        while (token := self._stack.pop()) is not None:
            inside.append(token)
            if token.kind != CONTROL:
                continue
            name = token.text
            if name == "fi":
                if not depth:
                    return inside
                depth -= 1
            elif name == "else" and to_else and not depth:
                return inside
            elif name in _TESTS or (name.startswith("if") and name[2:] in self._flags):
                depth += 1
        raise self._stack.error("expected \\fi for the conditional that starts here, found none", opened)

    def _choose(self, yes: bool) -> None:
        first, second = self._stack.argument(), self._stack.argument()
        self._stack.push(first if yes else second)

    def _if_next(self) -> None:
        """The branch for ``@ifnextchar`` and a character (``bgroup`` stands for a brace)."""
        wanted = plain(self._stack.argument())
        first, second = self._stack.argument(), self._stack.argument()
        self._stack.skip_spaces()
        token = self._stack.peek()
        text = "" if token is None else token.text
        yes = bool(text) and (text == "{" if wanted == "\\bgroup" else text.startswith(wanted))
        self._stack.push(first if yes else second)

    def _decide(self, test: list[Token]) -> bool:
        stack = self._stack.fork([t for t in test if t.kind != SPACE])
        token = stack.peek()
        name = token.text if token is not None and token.kind == CONTROL else ""
        if name:
            stack.pop()
        if name in {"NOT", "not"}:
            rest: list[Token] = []
            while (token := stack.pop()) is not None:
                rest.append(token)
            return not self._decide(rest)
        if name == "boolean":
            return self._flags.get(plain(stack.argument()), False)
        if name == "equal":
            return self._text(stack.argument()) == self._text(stack.argument())
        if name in {"isundefined", "undefined"}:
            return defined_name(stack) not in self._macros
        found = _NUMBERS.match(plain(test))
        if found is None:
            return False
        left, relation, right = int(found[1]), found[2], int(found[3])
        return left < right if relation == "<" else left > right if relation == ">" else left == right

    def _text(self, tokens: list[Token]) -> str:
        """Text of a macro that only stands for text, else its source."""
        if len(tokens) == 1 and tokens[0].kind == CONTROL and tokens[0].text in self._macros:
            return plain(self._macros[tokens[0].text].body)
        return plain(tokens)

    def _newif(self) -> None:
        name = defined_name(self._stack).removeprefix("if")
        self._set(name, value=False)
        self._switches[f"{name}true"] = (name, True)
        self._switches[f"{name}false"] = (name, False)

    def _new_flag(self) -> None:
        self._flags.setdefault(plain(self._stack.argument()), False)

    def _set_flag(self) -> None:
        name = plain(self._stack.argument())
        self._set(name, value=plain(self._stack.argument()) == "true")

    def _set(self, name: str, *, value: bool) -> None:
        if name:
            self._flags[name] = value
