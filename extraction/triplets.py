"""REBEL's linear form of triplets, read whatever state it is in.

The form is that of Huguet Cabot and Navigli, REBEL (Findings of EMNLP 2021,
doi:10.18653/v1/2021.findings-emnlp.204)::

    <triplet> head <subj> tail <obj> relation <subj> tail <obj> relation <triplet> head ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MARKS: Final = ("<triplet>", "<subj>", "<obj>")
_MARK = re.compile(r"<(triplet|subj|obj)>")
_OTHER = re.compile(r"</?s>|<pad>|<unk>|<mask>|\btp_XX\b|__[a-z]{2}__")
"""Marks of BART and mBART that say nothing about triplets."""


@dataclass(frozen=True, slots=True)
class Triplet:
    """Two phrases and the phrase that relates them."""

    head: str
    relation: str
    tail: str


def read_triplets(text: str) -> tuple[tuple[Triplet, ...], tuple[str, ...]]:
    """The whole triplets of a written text, each once and in order, and the fragments that are none.

    Never fails: a missing part makes a fragment, and what follows the next mark is read as if it were not
    there. Text before the first mark is a fragment.

    >>> read_triplets("<s><triplet> fever <subj> flu <obj> symptom of <subj> cold <obj></s>")
    ((Triplet(head='fever', relation='symptom of', tail='flu'),), ('fever | cold | ?',))
    """
    found: dict[Triplet, None] = {}
    broken: dict[str, None] = {}
    head = tail = waiting = ""
    for mark, words in (*_parts(text), ("triplet", "")):
        if mark == "obj" and waiting == "subj" and head and tail and words:
            found[Triplet(head, words, tail)] = None
        elif mark in {"", "obj"} or waiting == "subj" or (mark == "triplet" and waiting):
            broken[_shown(head, tail, words if mark in {"", "obj"} else "")] = None
        if mark == "triplet":
            head, tail = words, ""
        elif mark == "subj":
            tail = words
        waiting = mark if mark in {"triplet", "subj"} else ""
    return tuple(found), tuple(broken)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """(mark, words after it); the first mark is empty when text stands before it."""
    first, *rest = _MARK.split(_OTHER.sub(" ", text))
    if first.strip():
        yield "", " ".join(first.split())
    for mark, words in zip(rest[::2], rest[1::2], strict=True):
        yield mark, " ".join(words.split())


def _shown(*parts: str) -> str:
    return " | ".join(part or "?" for part in parts)
