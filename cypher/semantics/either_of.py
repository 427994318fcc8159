"""Which of two is more: "who is older, Ann or Bob?" asks for the oldest of the two."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.coordinated import Place, called, runs_of_names
from cypher.semantics.cues import find_cues
from cypher.semantics.ir import ClauseKind, Filter, Head, Operator, PropertyRef, Query
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

_JOINT: Final = re.compile(r"\s*(?:,|,?\s*\b(?:or|and|vs|versus)\b)\s*(?:the\s+)?", re.IGNORECASE)
_OR: Final = re.compile(r"\b(?:or|vs|versus)\b", re.IGNORECASE)
_LEAD: Final = re.compile(r"[\s,:;–-]*(?:\b(?:is it|out of|of|between|among)\b)?[\s,:;–-]*$", re.IGNORECASE)
_ASKED: Final = re.compile(r"^(?:who|which|what)\b", re.IGNORECASE)
_OF_THEM: Final = re.compile(
    r"^(?:(?P<asked>who|which)(?: one)? (?:of|out of|among)|(?:of|out of|between|among)) (?:the )?$",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"^(?P<asked>which|what)(?: one)? (?=(?:is|are|was|were|has|have|had|does|did)\b)", re.IGNORECASE
)
_MORE: Final = {
    "more": "most", "fewer": "fewest", "less": "least", "better": "best", "worse": "worst",
    "higher": "highest", "lower": "lowest", "later": "latest", "earlier": "earliest", "farther": "farthest",
    "further": "furthest",
}  # fmt: skip
_COMPARATIVE: Final = re.compile(
    rf"(?P<the>\bthe )?\b(?P<word>{'|'.join(_MORE)}|[a-z]+er)\b(?! than\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class EitherOf:
    """A question for the most of all, and the names of those among whom it is sought."""

    text: str
    names: Mapping[Place, tuple[str, ...]]

    def around(self, query: Query, schema: StoreSchema) -> Query | None:
        """The reading of :attr:`text` among them; ``None`` where it ranks nothing that is called so."""
        if query.order is None or query.head is not Head.LIST or query.place > 1:
            return None
        label = schema.label(query.nodes[query.answer].label)
        names = self._names(label.name, label.name_property, schema) if label else None
        ranked = any(c.kind in (ClauseKind.BEST, ClauseKind.MOST) for c in query.clauses)
        if label is None or names is None or ranked:
            return None
        named = Filter(PropertyRef(query.answer, label.name_property), Operator.IN, names)
        return replace(query, filters=(*query.filters, named))

    def _names(self, label: str, name: str | None, schema: StoreSchema) -> tuple[str, ...] | None:
        """The names as things of a label have them, or things of one that stands beside it."""
        beside = schema.beside(label)
        owned = (names for (owner, prop), names in self.names.items() if prop == name and owner in beside)
        return next(owned, None) if name else None


def either_of(linked: Linked, schema: StoreSchema) -> EitherOf | None:
    """The question of all for one of two, or of several, named ones; ``None`` where it is none."""
    run = _named(linked)
    each = [called(m) for m in run]
    names = {p: tuple(c[p] for c in each) for p in each[0] if all(p in c for c in each)} if each else {}
    if len(run) < 2 or not names:
        return None
    first, last = linked.words[run[0].start].start, linked.words[run[-1].end - 1].end
    before, after = linked.text[:first], linked.text[last:].strip(" ?.!,:")
    noun = _noun(names, schema)
    if not after and _ASKED.search(before):
        asked = _LEAD.sub("", before)
    elif after and (found := _OF_THEM.search(before)):
        asked = after if _ASKED.search(after) else f"{found['asked'] or 'which'} {after}"
    else:
        return None
    if not _says_or(linked, run) and not _OF_THEM.search(before):
        return None
    asked = _BARE.sub(lambda m: f"{m['asked']} {noun} ", asked)
    ranked = any(c.kind in ("super", "most") for c in find_cues(asked))
    text = superlative(asked) or (asked if ranked else None)
    return EitherOf(f"{text}?", names) if text is not None else None


def superlative(question: str) -> str | None:
    """The question for the most instead of the more; ``None`` where nothing is compared.

    >>> superlative("Who is older"), superlative("Which ship carries more cargo")
    ('Who is the oldest', 'Which ship carries the most cargo')
    >>> superlative("Which player scored") is None
    True
    """
    for found in _COMPARATIVE.finditer(question):
        word = found["word"].lower()
        most = _MORE.get(word) or f"{word[:-2]}est"
        if word in _MORE or any(c.kind in ("super", "most") for c in find_cues(f"the {most}")):
            return f"{question[: found.start()]}the {most}{question[found.end() :]}"
    return None


def _named(linked: Linked) -> list[Mention]:
    """Names in a row that end the question, or begin it."""
    several = [run for run in runs_of_names(linked, _JOINT) if len(run) > 1]
    return several[0] if len(several) == 1 else []


def _says_or(linked: Linked, run: Sequence[Mention]) -> bool:
    between = linked.text[linked.words[run[-2].end - 1].end : linked.words[run[-1].start].start]
    return bool(_OR.search(between))


def _noun(names: Mapping[Place, tuple[str, ...]], schema: StoreSchema) -> str:
    """What they are."""
    owners = [owner for owner, name in names if (x := schema.label(owner)) and x.name_property == name]
    return " ".join(identifier_words(owners[0])) if owners else "one"
