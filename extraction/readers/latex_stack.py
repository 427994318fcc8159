"""A stack of tokens still to be read, with TeX's ways of reading arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from extraction.readers.builder import Place
from extraction.readers.latex_tokens import (
    BEGIN,
    CLOSE,
    CONTROL,
    END,
    END_OF_FILE,
    FILE_STRIDE,
    OPEN,
    SPACE,
    SUB,
    SUPER,
    TIE,
    VERBATIM,
    WORD,
    Token,
)
from schemas.errors import ReadError

MAX_DEPTH: Final = 120
"""Braces and environments nested deeper are refused (TeX itself stops at 255 groups)."""

_UNITS = r"(?:pt|mm|cm|in|ex|em|mu|bp|pc|dd|cc|sp|fill?l?)"
_DIMENSION = re.compile(rf"\s*=?\s*[-+]?\s*(?:\d+(?:[.,]\d*)?|[.,]\d+)?\s*{_UNITS}?")
_PLAIN: Final = {SPACE: " ", TIE: " ", SUPER: "^", SUB: "_", OPEN: "{", CLOSE: "}"}


class SourceFiles:
    """Names of the files of one document, by number."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, name: str) -> int:
        """The number of a newly opened file."""
        self.names.append(name)
        return len(self.names) - 1

    def place(self, at: int) -> Place:
        """Where ``Token.at`` points."""
        return Place(self.names[at // FILE_STRIDE], at % FILE_STRIDE or 1)

    def error(self, message: str, at: int) -> ReadError:
        """A located error, to be raised by the caller."""
        place = self.place(at)
        return ReadError(message, file=place.file, line=place.line)


class TokenStack:
    """Tokens still to be read; ``at`` is the last place that was seen."""

    def __init__(self, tokens: Sequence[Token], files: SourceFiles, *, at: int = 0) -> None:
        self._items = list(reversed(tokens))
        self.files = files
        self.at = at
        self.on_end_of_file: Callable[[], None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def fork(self, tokens: Sequence[Token]) -> TokenStack:
        """A stack over an argument, with the same files and place."""
        return TokenStack(tokens, self.files, at=self.at)

    def pop(self) -> Token | None:
        """The next token, or None at the end."""
        items = self._items
        while items:
            token = items.pop()
            if token.at:
                self.at = token.at
            if token.kind != END_OF_FILE:
                return token
            if self.on_end_of_file is not None:
                self.on_end_of_file()
        return None

    def push(self, tokens: Sequence[Token]) -> None:
        """Put tokens in front."""
        self._items.extend(reversed(tokens))

    def peek(self) -> Token | None:
        """The next token, which stays."""
        token = self.pop()
        if token is not None:
            self._items.append(token)
        return token

    def skip_spaces(self) -> None:
        """Drop spaces (a paragraph end stays)."""
        while (token := self.pop()) is not None:
            if token.kind != SPACE:
                self._items.append(token)
                return

    def error(self, message: str, at: int = 0) -> ReadError:
        """A located error, to be raised by the caller."""
        return self.files.error(message, at or self.at)

    def place(self) -> Place:
        """Where the last token stood."""
        return self.files.place(self.at)

    def split_word(self, token: Token, length: int) -> Token:
        """The first ``length`` characters of a word; the rest stays on the stack."""
        if len(token.text) > length:
            self._items.append(Token(WORD, token.text[length:], token.at))
        return Token(WORD, token.text[:length], token.at)

    def argument(self) -> list[Token]:
        """The next argument: a group's inside, or one token (one character of a word).

        Empty where a group or the source ends instead.
        """
        self.skip_spaces()
        token = self.pop()
        if token is None:
            return []
        if token.kind == OPEN:
            return self.group()
        if token.kind == WORD:
            return [self.split_word(token, 1)]
        if token.kind in {CLOSE, BEGIN, END}:
            self._items.append(token)
            return []
        return [token]

    def group(self) -> list[Token]:
        """Tokens up to the brace that closes the group just opened."""
        opened, depth, inside = self.at, 1, list[Token]()
        while (token := self.pop()) is not None:
            if token.kind == OPEN:
                depth += 1
            elif token.kind == CLOSE:
                depth -= 1
                if not depth:
                    return inside
            inside.append(token)
        raise self.error(
            "expected a closing brace for the one opened here, found the end of the source", opened
        )

    def optional(self) -> list[Token] | None:
        """The inside of ``[...]`` if it comes next, else None."""
        self.skip_spaces()
        token = self.peek()
        if token is None or token.kind != WORD or not token.text.startswith("["):
            return None
        opened = self.at
        self.split_word(self._items.pop(), 1)
        depth, inside = 0, list[Token]()
        while (token := self.pop()) is not None:
            if token.kind == OPEN:
                depth += 1
            elif token.kind == CLOSE:
                depth -= 1
                if depth < 0:
                    break
            elif token.kind == WORD and not depth and "]" in token.text:
                cut = token.text.index("]")
                if cut:
                    inside.append(Token(WORD, token.text[:cut], token.at))
                self.split_word(token, cut + 1)
                return inside
            inside.append(token)
        raise self.error("expected ] for the [ opened here, found none", opened)

    def star(self) -> bool:
        """Whether a ``*`` came next; it is dropped."""
        token = self.peek()
        if token is None or token.kind != WORD or not token.text.startswith("*"):
            return False
        self.split_word(self._items.pop(), 1)
        return True

    def dimension(self) -> None:
        """Drop a length such as ``-3mu``, ``0.5\\textwidth`` or ``\\fill`` if it comes next."""
        self.skip_spaces()
        token = self.pop()
        if token is None:
            return
        if token.kind == WORD and (found := _DIMENSION.match(token.text)) and found.end():
            if found.end() < len(token.text):
                self.split_word(token, found.end())
            elif not found.group().strip()[-1:].isalpha():
                self._rest_of_length()
            self.skip_spaces()
        elif token.kind != CONTROL:
            self._items.append(token)

    def _rest_of_length(self) -> None:
        """After a sign or a factor: the length itself, or a unit."""
        token = self.pop()
        if token is None or token.kind == CONTROL:
            return
        found = _DIMENSION.match(token.text) if token.kind == WORD else None
        if found is None or not found.end():
            self._items.append(token)
        elif found.end() < len(token.text):
            self.split_word(token, found.end())

    def character(self) -> Token | None:
        """The next token, words one character at a time."""
        token = self.pop()
        if token is None or token.kind != WORD or len(token.text) == 1:
            return token
        return self.split_word(token, 1)


def plain(tokens: Iterable[Token]) -> str:
    """Tokens as their source, roughly: for names, keys and lengths, not for prose."""
    return "".join(
        f"\\{t.text}"
        if t.kind == CONTROL
        else t.text
        if t.kind in {WORD, VERBATIM}
        else _PLAIN.get(t.kind, t.text)
        for t in tokens
    ).strip()
