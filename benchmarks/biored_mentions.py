"""Mentions of BioRED documents as records: names written out by what their own document defines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from benchmarks.cluster_sets import Mentions
from schemas.language.acronyms import expand, find_acronyms

VARIANT = "sequence_variant"
KINDS = (
    "gene_or_gene_product",
    "disease_or_phenotypic_feature",
    "chemical_entity",
    VARIANT,
    "cell_line",
    "organism_taxon",
)
"""The entity types of the set, as names of a schema."""
_CAPITAL = re.compile(r"(?<!^)([A-Z])")
_AMINO_ACIDS = {
    "ala": "A", "arg": "R", "asn": "N", "asp": "D", "cys": "C", "gln": "Q", "glu": "E", "gly": "G",
    "his": "H", "ile": "I", "leu": "L", "lys": "K", "met": "M", "phe": "F", "pro": "P", "ser": "S",
    "thr": "T", "trp": "W", "tyr": "Y", "val": "V", "ter": "X",
}  # fmt: skip
_PROTEIN_CHANGE = re.compile(r"(?:p\.)?\(?([A-Z][a-z]{2}|[A-Z])(\d+)([A-Z][a-z]{2}|[A-Z*])\)?")
_BASE_CHANGE = re.compile(r"(?:[cgm]\.)?([-+*]?\d+(?:[+-]\d+)?)([ACGT])(?:>|-+>|/|to)([ACGT])")
_BASE_FIRST = re.compile(r"(?:[cgm]\.)?([ACGT])([-+*]?\d+(?:[+-]\d+)?)([ACGT])")
_OPENS = re.compile(r"\s*[(\[]\s*")
_CLOSES = ")];,"


@dataclass(slots=True)
class _Rows:
    gold: dict[str, str] = field(default_factory=dict)
    name: dict[str, str] = field(default_factory=dict)
    type: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)


def names_of(documents: Iterable[Any]) -> frozenset[str]:
    """The lower-case names of all mentions."""
    return frozenset(name.lower() for d in documents for _, _, name, _, _ in d["entities"])


def plain_mentions(documents: Iterable[Any], seen: Collection[str] = ()) -> Mentions:
    """Mentions as written, those with a name in ``seen`` left out: what the floors cluster."""
    rows = _Rows()
    for document in documents:
        for start, _, name, kind, concept in document["entities"]:
            if name.lower() not in seen:
                _put(rows, f"{document['pmid']}:{start}", name, kind=kind, concept=concept)
    return Mentions(rows.gold, rows.name, rows.type)


def read_mentions(documents: Iterable[Any], seen: Collection[str] = ()) -> Mentions:
    """Mentions with acronyms of their document written out and names in apposition as aliases.

    Two mentions of one type of which the second follows the first in brackets are names of one thing.
    """
    rows = _Rows()
    for document in documents:
        text = f"{document['title']} {document['abstract']}"
        table = find_acronyms(text)
        for start, _, name, kind, concept in document["entities"]:
            if name.lower() not in seen:
                written = expand(_notation(name, kind), table)
                _put(rows, f"{document['pmid']}:{start}", written, kind=kind, concept=concept)
        _appositions(rows, document, text)
    return Mentions(rows.gold, rows.name, rows.type, aliases=rows.aliases)


def known_mentions(documents: Sequence[Any]) -> Mentions:
    """One mention per type and name of ``documents``, with its most frequent concept as identity key."""
    plain, written = plain_mentions(documents), read_mentions(documents)
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for mentions in (plain, written):
        for m, concept in mentions.gold.items():
            votes[mentions.type[m], mentions.name[m].lower()][concept] += 1
    rows = _Rows()
    key: dict[str, str] = {}
    for at, ((kind, name), counts) in enumerate(sorted(votes.items())):
        mention = f"known:{at}"
        concept = min(counts, key=lambda c, n=counts: (-n[c], c))  # type: ignore[misc]
        rows.gold[mention], rows.name[mention], rows.type[mention] = concept, name, kind
        key[mention] = f"concept={concept}"
    return Mentions(rows.gold, rows.name, rows.type, key=key)


def joined(known: Mentions, fresh: Mentions) -> Mentions:
    """Both sets of mentions in one."""

    def both(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
        return {**a, **b}

    return Mentions(
        both(known.gold, fresh.gold),
        both(known.name, fresh.name),
        both(known.type, fresh.type),
        aliases=both(known.aliases, fresh.aliases),
        key=both(known.key, fresh.key),
    )


def _put(rows: _Rows, mention: str, name: str, *, kind: str, concept: str) -> None:
    rows.gold[mention], rows.name[mention] = f"{kind}:{concept}", name
    rows.type[mention] = _CAPITAL.sub(r"_\1", kind).lower()


def _appositions(rows: _Rows, document: Any, text: str) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    entities = document["entities"]
    for left, right in pairwise(entities):
        a, b = (f"{document['pmid']}:{e[0]}" for e in (left, right))
        in_brackets = _OPENS.fullmatch(text[left[1] : right[0]]) and text[right[1] : right[1] + 1] in _CLOSES
        if in_brackets and left[3] == right[3] and a in rows.name and b in rows.name:
            found[a].add(rows.name[b])
            found[b].add(rows.name[a])
    rows.aliases |= {m: tuple(sorted(names)) for m, names in found.items()}


def _notation(name: str, kind: str) -> str:
    """A protein change with letters of one character, a base change as position and bases.

    Other names stay as they are.
    """
    if kind != "SequenceVariant":
        return name
    close = "".join(name.split())
    if match := _PROTEIN_CHANGE.fullmatch(close):
        before, place, after = match.groups()
        one = [_AMINO_ACIDS.get(x.lower(), x if len(x) == 1 else "") for x in (before, after)]
        if all(one):
            return f"{one[0]}{place}{one[1]}".replace("*", "X")
    if match := _BASE_CHANGE.fullmatch(close):
        return f"{match[1]}{match[2]}>{match[3]}"
    if match := _BASE_FIRST.fullmatch(close):
        return f"{match[1]}{match[2]}{match[3]}"
    return close.lower()
