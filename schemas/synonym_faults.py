"""Mistakes in the synonyms that a graph schema declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemas.language.terms import word_tokens

Fault = tuple[tuple[str | int, ...], str]


Groups = Sequence[Sequence[str]]


def synonym_faults(shared: Groups, by_entity: Sequence[Groups]) -> Iterator[Fault]:
    """Words without a letter, and words that two groups of one list claim (path in the schema, message).

    >>> [message for _, message in synonym_faults([["toy", "MC"], ["simulation", "MC"]], [])]
    ["'MC' stands in synonyms 0 and 1; keep it in one"]
    """
    yield from _faults(shared, ("synonyms",))
    for index, groups in enumerate(by_entity):
        yield from _faults(groups, ("entities", index, "canonicalization", "synonyms"))


def _faults(groups: Groups, path: tuple[str | int, ...]) -> Iterator[Fault]:
    owner: dict[tuple[str, ...], int] = {}
    for index, group in enumerate(groups):
        for at, word in enumerate(group):
            tokens = word_tokens(word)
            if not tokens:
                yield (*path, index, at), f"synonym {word!r} has no word in it; write one or leave it out"
                continue
            first = owner.setdefault(tokens, index)
            if first != index:
                yield (*path, index, at), f"{word!r} stands in synonyms {first} and {index}; keep it in one"
