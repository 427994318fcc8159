"""Terms of a schema, and where a text names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

from schemas.graph_schema import Term
from schemas.language.expressions import Expression, Found, Sieve, expression, greek_as_written
from schemas.model import AttributeValue

_WORTH_A_SIEVE = 4
"""Fewer forms are tried one by one."""


@dataclass(frozen=True, slots=True)
class Form:
    """One expression of a term, compiled when a text first needs it: most never do."""

    source: str
    case_sensitive: bool = True
    followed_by: str = ""

    @property
    def pattern(self) -> Expression:
        """The expression with borders around it."""
        return expression(
            self.source, case_sensitive=self.case_sensitive, bordered=True, followed_by=self.followed_by
        )


@dataclass(frozen=True, slots=True)
class CompiledTerm:
    """A term with its forms, the name first."""

    name: str
    attributes: Mapping[str, AttributeValue]
    forms: tuple[Form, ...]


class Terms(Sequence[CompiledTerm]):
    """Terms that are looked for together: one pass over a text tells which forms it can hold at all."""

    __slots__ = ("_forms", "_parts", "_sieve", "_terms")

    def __init__(self, terms: Iterable[CompiledTerm], *, parts: Sequence[Terms] = ()) -> None:
        self._terms, self._parts = tuple(terms), tuple(parts)
        self._forms = tuple((form, term) for term in self._terms for form in term.forms) if not parts else ()
        self._sieve: Sieve | None = None

    @classmethod
    def joined(cls, parts: Sequence[Terms]) -> Terms:
        """The terms of all parts, in their order."""
        full = [part for part in parts if part]
        return full[0] if len(full) == 1 else cls(chain.from_iterable(full), parts=full)

    def __reduce__(self) -> tuple[type[Terms], tuple[tuple[CompiledTerm, ...]]]:
        """For worker processes: the sieve is made again there."""
        return Terms, (self._terms,)

    @overload
    def __getitem__(self, at: int) -> CompiledTerm: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[CompiledTerm, ...]: ...
    def __getitem__(self, at: int | slice) -> CompiledTerm | tuple[CompiledTerm, ...]:
        return self._terms[at]

    def __len__(self) -> int:
        return len(self._terms)

    def finds(self, text: str) -> Iterator[tuple[Found, CompiledTerm]]:
        """All matches in ``text``, term by term and form by form."""
        for part in self._parts:
            yield from part.finds(text)
        for form, term in self._possible(text):
            for match in form.pattern.finditer(text):
                yield match, term

    def whole(self, text: str) -> CompiledTerm | None:
        """The first term of which one form is the whole of ``text``; None for none."""
        found = (term for part in self._parts if (term := part.whole(text)))
        own = (term for form, term in self._possible(text) if form.pattern.fullmatch(text))
        return next(chain(found, own), None)

    def _possible(self, text: str) -> Iterable[tuple[Form, CompiledTerm]]:
        if len(self._forms) < _WORTH_A_SIEVE:
            return self._forms
        if self._sieve is None:
            self._sieve = Sieve((form.source, form.case_sensitive) for form, _ in self._forms)
        return (self._forms[at] for at in self._sieve.possible(text))


def compile_terms(terms: Sequence[Term]) -> Terms:
    """The terms of a rule, in the order in which they are written."""
    return Terms([_term(term) for term in terms])


def _term(term: Term) -> CompiledTerm:
    sources = [*([] if "{" in term.name else [_name_form(term.name)]), *term.forms]
    forms = (Form(greek_as_written(s), term.case_sensitive, term.followed_by) for s in sources)
    return CompiledTerm(term.name, term.attributes, tuple(forms))


def _name_form(name: str) -> str:
    """The name itself, with any dash or space between its words, singular or plural."""
    words = [re.escape(word) for word in re.split(r"[- ]+", name.strip())]
    form = "[- ]?".join(words)
    return form[:-1] + "(?:y|ies)" if form.endswith("y") else form + "s?"
