"""Regular expressions of schema files, run by RE2: in time linear in the text, whatever is written.

RE2 (https://github.com/google/re2, BSD) is an automaton without backtracking, so no expression of a user's
schema can hang an extraction. It has no lookaround, no backreferences and no possessive repeats; what
schemas need of these is said by context instead: word borders (``bordered``), and what must follow
(``followed_by``).

``\\w``, ``\\s`` and ``\\d`` mean letters, spaces and digits of every script, as in Python; ``\\b`` knows
ASCII letters alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import re2  # type: ignore[import-untyped]

MOST_MEMORY: Final = 2**22
"""Bytes that one compiled expression may take: a bound for repeats of repeats."""
_BORDER: Final = r"[^\p{L}\p{N}_]"
_ANY: Final = {"w": r"\p{L}\p{N}_", "s": r"\s\v\p{Z}\x{85}", "d": r"\p{Nd}"}
_GREEK: Final = re.compile(
    r"(?<![A-Za-z\\])(?:(?i:gamma|delta|theta|lambda|xi|pi|sigma|upsilon|phi|psi|omega)(?=s?(?![A-Za-z]))"
    r"|[\u0391-\u03c9])"
)
"""Letters whose capital is another symbol: the names of those that no Latin letter looks like."""
_SET: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w+>", re.DOTALL)
"""Where a letter is no symbol of its own: escapes, sets of characters, names of groups."""
_BODY: Final = 1
"""The group around what was written; ``None`` groups of RE2 have the span (-1, -1)."""


class ExpressionError(ValueError):
    """An expression that RE2 refuses; the message says what it found and what to write instead."""


class Found:
    """A match; offsets are code points of the text."""

    __slots__ = ("_data", "_match", "_names", "_text")

    def __init__(self, match: Any, names: Mapping[str, int], data: bytes, text: str) -> None:
        self._match, self._names, self._data, self._text = match, names, data, text

    def span(self, group: str | int = 0) -> tuple[int, int]:
        """Half-open span of a group (0: all that was written); (-1, -1) when it took no part."""
        start, end = self._match.span(self._names[group] if isinstance(group, str) else group or _BODY)
        if start < 0 or len(self._data) == len(self._text):
            return start, end
        first = len(self._data[:start].decode())
        return first, first + len(self._data[start:end].decode())

    def start(self, group: str | int = 0) -> int:
        return self.span(group)[0]

    def end(self, group: str | int = 0) -> int:
        return self.span(group)[1]

    def groupdict(self) -> dict[str, str | None]:
        """Text of each named group; None for one that took no part."""
        spans = {name: self.span(name) for name in self._names}
        return {name: self._text[a:b] if a >= 0 else None for name, (a, b) in spans.items()}


class Expression:
    """A compiled expression; make it with :func:`expression`."""

    __slots__ = ("_bordered", "_made_of", "_names", "_next", "_options", "_pattern", "_whole", "source")

    def __init__(self, source: str, *, case_sensitive: bool, bordered: bool, followed_by: str) -> None:
        self.source, self._made_of = source, (source, case_sensitive, bordered, followed_by)
        options = _options(case_sensitive=case_sensitive)
        self._bordered, self._options = bordered, options
        body = in_all_scripts(source)
        after = (
            f"(?:{in_all_scripts(followed_by)})" if followed_by else rf"(?:\z|{_BORDER})" if bordered else ""
        )
        before = rf"(?:\A|{_BORDER})" if bordered else ""
        self._pattern = _compiled(f"{before}({body}){after}", options)
        self._names: Mapping[str, int] = self._pattern.groupindex
        # the two below are compiled when they are first used: most expressions never match at all
        self._next: Any = f"{_BORDER}({body}){after}" if bordered else self._pattern
        self._whole: Any = None if followed_by else f"({body})"

    def __reduce__(self) -> tuple[Any, tuple[str, bool, bool, str]]:
        """For worker processes: what it was made of; RE2's own objects stay where they are."""
        return _made_again, self._made_of

    def search(self, text: str) -> Found | None:
        """The leftmost match."""
        data = _encoded(text)
        found = self._pattern.search(data)
        return Found(found, self._names, data, text) if found is not None else None

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text matches; never, where something must follow."""
        if isinstance(self._whole, str):
            self._whole = _compiled(self._whole, self._options)
        return self._whole is not None and self._whole.fullmatch(_encoded(text)) is not None

    def finditer(self, text: str, *, until: str | int = 0) -> Iterator[Found]:
        """Matches that do not overlap; ``until`` is the group behind whose end the next one may begin."""
        data = _encoded(text)
        group = self._names[until] if isinstance(until, str) else until or _BODY
        pattern, at = self._pattern, 0
        while (found := pattern.search(data, at)) is not None:
            yield Found(found, self._names, data, text)
            start, end = found.span(group)
            end = end if end > start else _after(data, end)
            if end > len(data):
                return
            if self._bordered:  # the last character may be the border before the next match
                if isinstance(self._next, str):
                    self._next = _compiled(self._next, self._options)
                pattern, at = self._next, _before(data, end)
            else:
                at = end


def _made_again(source: str, case_sensitive: bool, bordered: bool, followed_by: str) -> Expression:
    return Expression(source, case_sensitive=case_sensitive, bordered=bordered, followed_by=followed_by)


class Sieve:
    """Tells which of many expressions a text may match, in one pass over the text.

    RE2's filter (https://github.com/google/re2, ``FilteredRE2``): each expression is reduced to the pieces
    of text without which it cannot match. One without such pieces always may.

    >>> Sieve([("track(?:ing)?", False), ("tau", True)]).possible("Tracking is fast")
    [0]
    """

    __slots__ = ("_filter",)

    def __init__(self, sources: Iterable[tuple[str, bool]]) -> None:
        """``sources``: expressions, each with whether the case of its letters matters."""
        self._filter = re2.Filter()
        for source, case_sensitive in sources:
            try:
                self._filter.Add(in_all_scripts(source), _options(case_sensitive=case_sensitive))
            except re2.error as e:
                raise ExpressionError(f"{source!r} is refused") from e
        self._filter.Compile()

    def possible(self, text: str) -> list[int]:
        """Positions of the expressions that ``text`` may match, ascending; the others do not match it."""
        return self._filter.Match(_encoded(text), True) or []


def _after(data: bytes, at: int) -> int:
    """Start of the character behind the one that starts at ``at``."""
    at += 1
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at += 1
    return at


def _before(data: bytes, at: int) -> int:
    """Start of the character that ends at ``at``."""
    at -= 1
    while at > 0 and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


@lru_cache(maxsize=8)
def _encoded(text: str) -> bytes:
    """UTF-8 with as many code points; a lone surrogate, which no expression can mean, becomes "?"."""
    return text.encode("utf-8", "replace")


def _options(*, case_sensitive: bool) -> Any:
    options = re2.Options()
    options.max_mem = MOST_MEMORY
    options.log_errors = False
    options.case_sensitive = case_sensitive
    return options


def _compiled(pattern: str, options: Any) -> Any:
    try:
        return re2.compile(pattern, options)
    except re2.error as e:
        said = e.args[0] if e.args else ""
        raise ExpressionError(
            said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        ) from e
    except UnicodeEncodeError as e:
        raise ExpressionError("a lone surrogate is no character") from e


@lru_cache(maxsize=4_096)
def expression(
    source: str, *, case_sensitive: bool = True, bordered: bool = False, followed_by: str = ""
) -> Expression:
    """The compiled expression; ``ExpressionError`` when RE2 refuses it.

    Args:
        bordered: neither a letter, a digit nor ``_`` may touch the match.
        followed_by: an expression that must stand behind the match, instead of a border.

    >>> found = expression("p(?:s|ions?)", bordered=True).search("in ps, pions")
    >>> found.span()
    (3, 5)
    >>> [m.span() for m in expression("a", bordered=True).finditer("a a, ab a")]
    [(0, 1), (2, 3), (8, 9)]
    >>> expression("B", followed_by=r" ?\\(").search("B B(x)").span()
    (2, 3)
    """
    return Expression(source, case_sensitive=case_sensitive, bordered=bordered, followed_by=followed_by)


def greek_as_written(source: str) -> str:
    """The expression with its Greek letters, by sign or by name, bound to their case whatever the options.

    A width (capital) and an angle (small gamma) share a name but for its case. Letters within ``[...]``
    keep to the options, and so do expressions without Greek letters.

    >>> greek_as_written("sin ?2(?:\u03b2|beta) or gamma")
    'sin ?2(?:(?-i:\u03b2)|beta) or (?-i:gamma)'
    """
    if _GREEK.search(source) is None:
        return source
    parts: list[str] = []
    at = 0
    for start, end in (m.span() for m in _SET.finditer(source)):
        parts += [_GREEK.sub(r"(?-i:\g<0>)", source[at:start]), source[start:end]]
        at = end
    return "".join([*parts, _GREEK.sub(r"(?-i:\g<0>)", source[at:])])


def in_all_scripts(source: str) -> str:
    """The expression with ``\\w``, ``\\s`` and ``\\d`` written out for every script.

    >>> print(in_all_scripts(r"\\w[^\\w:]"))
    [\\p{L}\\p{N}_][^\\p{L}\\p{N}_:]
    """
    parts: list[str] = []
    inside, at = False, 0
    while at < len(source):
        pair = source[at : at + 2]
        if pair[0] == "\\" and len(pair) == 2:
            parts.append(_class(pair, inside=inside))
            at += 2
            continue
        if inside and pair == "[:":
            end = source.find(":]", at)
            end = end + 2 if end >= 0 else len(source)
            parts.append(source[at:end])
            at = end
            continue
        if pair[0] == "[" and not inside:
            inside = True
            opening = source[at : at + 2] if pair == "[^" else "["
            opening += source[at + len(opening) : at + len(opening) + 1].replace("\\", "").replace("[", "")
            parts.append(opening)
            at += len(opening)
            continue
        if pair[0] == "]":
            inside = False
        parts.append(pair[0])
        at += 1
    return "".join(parts)


def _class(pair: str, *, inside: bool) -> str:
    letter = pair[1]
    if letter.lower() not in _ANY:
        return pair
    known = _ANY[letter.lower()]
    if letter.islower():
        return known if inside else f"[{known}]"
    if letter == "D":
        return r"\P{Nd}"
    if inside:
        raise ExpressionError(f"{pair} inside [...] is not supported: write [^...] with {pair.lower()}")
    return f"[^{known}]"
