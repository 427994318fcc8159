"""The user's macros: how they are defined and what a use of one becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_symbols import words
from extraction.readers.latex_tokens import (
    BEGIN,
    CLOSE,
    CONTROL,
    OPEN,
    PARAM,
    PRIMITIVE,
    SPACE,
    WORD,
    Token,
)

NO_VALUE: Final = "-NoValue-"
PROTECTED: Final = words(
    """section subsection subsubsection chapter part paragraph subparagraph caption title author footnote
    item label ref eqref cref Cref autoref cite citep citet includegraphics maketitle bibliography
    appendix par left right frac sqrt multicolumn multirow hline toprule midrule bottomrule cline
    ensuremath xspace text mbox begin end input include footnotetext tableofcontents acknowledgments
    acknowledgements"""
)
"""Commands whose structure the reader relies on: a redefinition changes their looks, not their meaning."""


@dataclass(frozen=True, slots=True)
class Macro:
    """``defaults[k]`` is the default of argument k+1, None where the argument is mandatory.

    ``delimiters`` (``\\def`` only) holds arity + 1 token texts: what must stand before the first
    argument and after each.
    """

    body: tuple[Token, ...]
    arity: int = 0
    defaults: tuple[tuple[Token, ...] | None, ...] = ()
    delimiters: tuple[tuple[str, ...], ...] = ()
    starred: bool = False

    def arguments(self, stack: TokenStack, name: str) -> list[Sequence[Token]]:
        """Reads this macro's arguments from the stack."""
        if self.starred:
            stack.star()
        if self.delimiters:
            return self._delimited(stack, name)
        found: list[Sequence[Token]] = []
        for number in range(self.arity):
            default = self.defaults[number] if number < len(self.defaults) else None
            if default is None:
                found.append(stack.argument())
            else:
                given = stack.optional()
                found.append(default if given is None else given)
        return found

    def _delimited(self, stack: TokenStack, name: str) -> list[Sequence[Token]]:
        _expect(stack, self.delimiters[0], name)
        return [
            _until(stack, delimiter, name) if delimiter else stack.argument()
            for delimiter in self.delimiters[1:]
        ]

    def size(self, arguments: Sequence[Sequence[Token]]) -> int:
        """How many tokens a use expands to, without making them."""
        if not arguments:
            return len(self.body)
        uses = [t.text for t in self.body if t.kind == PARAM]
        return len(self.body) + sum(
            uses.count(f"#{number}") * len(argument) for number, argument in enumerate(arguments, 1)
        )

    def expansion(self, arguments: Sequence[Sequence[Token]]) -> Sequence[Token]:
        """The body with the arguments in it."""
        if not arguments:
            return self.body
        out: list[Token] = []
        for token in self.body:
            if token.kind != PARAM:
                out.append(token)
            elif token.text.startswith("##"):
                out.append(Token(PARAM, token.text[1:], 0))
            elif len(token.text) == 2 and int(token.text[1]) <= len(arguments):
                out.extend(arguments[int(token.text[1]) - 1])
        return out


def placeless(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Tokens of a definition: what they expand to belongs to the place of use."""
    return tuple(Token(t.kind, t.text, 0) for t in tokens)


def defined_name(stack: TokenStack) -> str:
    """The name that a definition command names, with or without braces; empty if none."""
    for token in stack.argument():
        if token.kind in {CONTROL, PRIMITIVE}:
            return token.text
        if token.kind != SPACE:
            break
    return ""


def read_new_command(stack: TokenStack) -> tuple[str, Macro]:
    r"""``*{\name}[n][default]{body}`` after ``\newcommand`` and its kin."""
    stack.star()
    name = defined_name(stack)
    arity, default = _arity(stack)
    return name, Macro(placeless(stack.argument()), arity, default)


def read_new_command_x(stack: TokenStack) -> tuple[str, Macro]:
    r"""``*{\name}[n][k=default, ...]{body}`` after ``\newcommandx`` (package xargs)."""
    stack.star()
    name = defined_name(stack)
    count = plain(stack.optional() or ())
    arity = int(count) if count.isascii() and count.isdigit() and len(count) == 1 else 0
    given = dict(
        part.strip().split("=", 1) for part in plain(stack.optional() or ()).split(",") if "=" in part
    )
    defaults = tuple(
        (Token(WORD, given[number], 0),) if (number := str(at)) in given else None
        for at in range(1, arity + 1)
    )
    return name, Macro(placeless(stack.argument()), arity, defaults)


def read_environment(stack: TokenStack) -> tuple[str, Macro, tuple[Token, ...]]:
    r"""``*{name}[n][default]{begin}{end}`` after ``\newenvironment``."""
    stack.star()
    name = plain(stack.argument())
    arity, default = _arity(stack)
    begin = placeless(stack.argument())
    return name, Macro(begin, arity, default), placeless(stack.argument())


def _arity(stack: TokenStack) -> tuple[int, tuple[tuple[Token, ...] | None, ...]]:
    count = plain(stack.optional() or ())
    default = stack.optional()
    arity = int(count) if count.isascii() and count.isdigit() and len(count) == 1 else 0
    return arity, () if default is None else (placeless(default),)


def read_def(stack: TokenStack) -> tuple[str, Macro]:
    r"""``\name<parameters>{body}`` after ``\def``."""
    stack.skip_spaces()
    token = stack.pop()
    name = token.text if token is not None and token.kind in {CONTROL, PRIMITIVE} else ""
    delimiters: list[list[str]] = [[]]
    arity = 0
    while (token := stack.character()) is not None and token.kind != OPEN:
        if token.kind == PARAM:
            arity += 1
            delimiters.append([])
        elif token.kind != SPACE or arity:
            delimiters[-1].append(token.text)
    body = placeless(stack.group()) if token is not None else ()
    texts = tuple(tuple(d) for d in delimiters)
    return name, Macro(body, arity, delimiters=texts if any(texts) else ())


def read_document_command(stack: TokenStack) -> tuple[str, Macro]:
    r"""``{\name}{specification}{body}`` after ``\NewDocumentCommand`` (m, o, O and s arguments)."""
    name = defined_name(stack)
    specification = stack.fork(stack.argument())
    defaults: list[tuple[Token, ...] | None] = []
    starred = False
    while (token := specification.character()) is not None:
        if token.text == "m":
            defaults.append(None)
        elif token.text == "o":
            defaults.append((Token(WORD, NO_VALUE, 0),))
        elif token.text == "O":
            defaults.append(placeless(specification.argument()))
        elif token.text == "s":
            starred = True
    body = placeless(stack.argument())
    if starred:
        body = tuple(
            Token(PARAM, f"#{int(t.text[1]) - 1}", 0) if t.kind == PARAM and t.text > "#1" else t
            for t in body
            if t != Token(PARAM, "#1", 0)
        )
    return name, Macro(body, len(defaults), tuple(defaults), starred=starred)


def paired_delimiter(left: Sequence[Token], right: Sequence[Token]) -> Macro:
    r"""What ``\DeclarePairedDelimiter`` defines."""
    return Macro((*placeless(left), Token(PARAM, "#1", 0), *placeless(right)), 1, starred=True)


def operator(text: Sequence[Token]) -> Macro:
    r"""What ``\DeclareMathOperator`` defines."""
    return Macro(
        (
            Token(PRIMITIVE, "operatorname", 0),
            Token(OPEN, "{", 0),
            *placeless(text),
            Token(CLOSE, "}", 0),
        )
    )


def _expect(stack: TokenStack, delimiter: tuple[str, ...], name: str) -> None:
    for text in delimiter:
        token = stack.character()
        if token is None or token.text != text:
            raise stack.error(
                f"expected {text!r} after \\{name}, as its definition says; found another token"
            )


def _until(stack: TokenStack, delimiter: tuple[str, ...], name: str) -> list[Token]:
    inside: list[Token] = []
    opened, depth, size = stack.at, 0, len(delimiter)
    while (token := stack.character()) is not None:
        inside.append(token)
        depth += (token.kind == OPEN) - (token.kind == CLOSE)
        if not depth and token.kind != BEGIN and tuple(t.text for t in inside[-size:]) == delimiter:
            inside = inside[:-size]
            if len(inside) > 1 and inside[0].kind == OPEN and inside[-1].kind == CLOSE:
                return inside[1:-1] if inside.count(inside[0]) <= 1 else inside
            return inside
    raise stack.error(
        f"expected {''.join(delimiter)!r} after \\{name}, as its definition says; found the end", opened
    )
