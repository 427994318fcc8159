"""What the ranking of pairs sees: each mention as subject or object, and the words between two mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from extraction.learned_clues import Likeness, chance_class, log_chance, look_of
from extraction.learned_crf import Floats, Ints
from extraction.learned_pairs import Neighbourhood, Pair, feature_matrix
from extraction.learned_text import Mention

NEAR: Final = 5
"""Words on each side of a mention that count."""
LIKE: Final = 4
"""Words on each side of a mention that are compared with what a relation is called."""
WIDEST: Final = 14
"""Words between two mentions up to which all count, else half of them on each side."""
LIKENESSES: Final = 9
"""Numbers beside features: see :meth:`Roles.likeness`."""
WORDED: Final = 7
"""Of these: the first, which compare words."""
ROLES: Final = ("s:", "o:", "b:")
"""Begin the features of a subject, of an object, of what is between them."""
_MONTHS: Final = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october")
) | {"november", "december"}
_NUMBER: Final = re.compile(r"[-−]?\s?\d[\d., ]*")
_DAY: Final = re.compile(r"\d+ ?[-/.] ?\d+ ?[-/.] ?\d+")
_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")


def literal_kind(words: Sequence[str]) -> str:
    """What a span is by its looks: ``year``, ``int``, ``decimal``, ``date``, ``mixed``, ``low`` or ``name``.

    >>> literal_kind(["3", "May", "1999"]), literal_kind(["1999"]), literal_kind(["2", ".", "5"])
    ('date', 'year', 'decimal')
    """
    joined = " ".join(words).lower()
    if _YEAR.fullmatch(joined):
        return "year"
    if _DAY.fullmatch(joined):
        return "date"
    if _NUMBER.fullmatch(joined):
        return "decimal" if "." in joined else "int"
    if any(w.isdigit() for w in words):
        return "date" if any(w.lower() in _MONTHS for w in words) else "mixed"
    return "low" if all(w[:1].islower() for w in words if w.isalpha()) else "name"


def mention_features(mention: Mention, around: Neighbourhood) -> list[str]:
    """Of a mention alone: its words, how it looks, the words beside it, its place, how likely it is."""
    low = around.low[mention.sentence]
    here, start, end = low[mention.start : mention.end], mention.start, mention.end
    words = around.text.words(mention)
    kind, look = literal_kind(words), look_of(words)
    before, after = (low[start - 1] if start else "^"), (low[end] if end < len(low) else "$")
    found = ["1", f"look={look}", f"kind={kind}", f"n={min(end - start, 8)}"]
    found += [f"first={here[0]}", f"last={here[-1]}", f"end={here[-1][-3:]}"]
    found += [f"w={w}" for w in sorted(set(here)) if len(w) > 2]
    found += [f"b1={before}", f"a1={after}", f"b1,kind={before},{kind}", f"a1,kind={after},{kind}"]
    found += [f"b2={' '.join(low[max(0, start - 2) : start])}", f"a2={' '.join(low[end : end + 2])}"]
    found.append(f"b3={' '.join(low[max(0, start - 3) : start])}")
    found += [f"b={w}" for w in sorted(set(low[max(0, start - NEAR) : start]))]
    found += [f"a={w}" for w in sorted(set(low[end : end + NEAR]))]
    order = sum(m < mention for s, ms in around.by_sentence.items() if s <= mention.sentence for m in ms)
    found += [f"sentence={min(mention.sentence, 2)}", f"start={start == 0}", f"order={min(4, order)}"]
    found.append(f"chance={chance_class(mention, around)}")
    return found


def between_features(a: Mention, b: Mention, around: Neighbourhood) -> list[str]:
    """Of the words between two mentions, in whatever order they stand."""
    if a.sentence != b.sentence:
        return [f"apart={min(3, abs(a.sentence - b.sentence))}"]
    sooner, later = sorted((a, b))
    low = around.low[a.sentence]
    inner = [m for m in around.by_sentence[a.sentence] if sooner.end <= m.start and m.end <= later.start]
    named = {at for m in inner for at in range(m.start, m.end)}
    middle = low[sooner.end : later.start]
    plain = [low[at] for at in range(sooner.end, later.start) if at not in named]
    near = plain if len(plain) <= WIDEST else [*plain[: WIDEST // 2], *plain[-WIDEST // 2 :]]
    gap = len(middle) if len(middle) < 6 else 6 + min(3, len(middle) // 6)
    found = ["turn", f"gap={gap}", f"through={min(len(inner), 3)}"]
    if len(middle) <= 6:
        found.append(f"exact={' '.join(middle)}")
    if len(plain) <= 6:
        found.append(f"plain={' '.join(plain)}")
    found += [f"m={w}" for w in sorted(set(near))]
    found += [f"mm={x} {y}" for x, y in sorted(set(pairwise(near)))]
    return [*found, f"head={' '.join(plain[:2])}", f"tail={' '.join(plain[-2:])}"]


@dataclass(frozen=True, slots=True)
class Roles:
    """The pairs of one document, by their nearest mentions.

    A row is a pair in one role: all pairs with the first entity as subject, then with the second.
    """

    mentions: tuple[tuple[str, ...], ...]
    """Features of each mention."""
    subjects: Ints
    """(n_rows,) into ``mentions``."""
    objects: Ints
    """(n_rows,) into ``mentions``."""
    between: tuple[tuple[str, ...], ...]
    """Features of each row."""
    beside: tuple[tuple[tuple[str, ...], ...], ...]
    """Of each mention: words before it, after it, in it."""
    middle: tuple[tuple[str, ...], ...]
    """Of each pair: words between."""
    chances: Floats
    """(n_mentions,) log probabilities."""

    @classmethod
    def of(cls, pairs: Sequence[Pair], around: Neighbourhood) -> Roles:
        """The rows of the pairs of one document."""
        mentions = sorted({m for p in pairs for m in p.nearest})
        index = {m: at for at, m in enumerate(mentions)}
        ends = np.array([[index[m] for m in p.nearest] for p in pairs], np.int64).reshape(-1, 2)
        plain = [between_features(*p.nearest, around) for p in pairs]
        turns = ["<" if p.nearest[0] < p.nearest[1] else ">" for p in pairs]
        turned = [">" if t == "<" else "<" for t in turns]
        return cls(
            tuple(tuple(mention_features(m, around)) for m in mentions),
            np.concatenate([ends[:, 0], ends[:, 1]]),
            np.concatenate([ends[:, 1], ends[:, 0]]),
            tuple(
                tuple(turn + f for f in row)
                for side in (turns, turned)
                for turn, row in zip(side, plain, strict=True)
            ),
            tuple(tuple(_beside(m, around)) for m in mentions),
            tuple(_middle(*p.nearest, around) for p in pairs),
            np.array([log_chance(m, around) for m in mentions]),
        )

    def named(self) -> list[tuple[str, ...]]:
        """Features of mentions as subjects, of mentions as objects, of rows: named by role."""
        sources = (self.mentions, self.mentions, self.between)
        return [
            tuple(role + f for f in row) for role, rows in zip(ROLES, sources, strict=True) for row in rows
        ]

    def tables(self, columns: dict[str, int]) -> list[Any]:
        """CSR of ones: mentions as subjects, mentions as objects, rows."""
        named, count = self.named(), len(self.mentions)
        parts = (named[:count], named[count : 2 * count], named[2 * count :])
        return [feature_matrix(part, columns) for part in parts]

    def table(self, columns: dict[str, int]) -> Any:
        """CSR (n_rows, n_features) of ones: of each row's subject, object, and what is between."""
        subjects, objects, between = self.tables(columns)
        return subjects[self.subjects] + objects[self.objects] + between

    def likeness(self, rows: Ints, likeness: Likeness, relations: Ints) -> Floats:
        """(n_rows, LIKENESSES, n_relations) of the given rows and relations.

        How near the words between, before and after the object, before and after the subject, in the object
        and in the subject are to what the relation is called; and how likely both spans are.
        """
        near = np.zeros((len(self.beside), 3, len(relations)))
        for at, parts in enumerate(self.beside):
            for side, words in enumerate(parts):
                near[at, side] = likeness.shared(words)[relations]
        middle = np.array([likeness.shared(words)[relations] for words in self.middle])
        subjects, objects = self.subjects[rows], self.objects[rows]
        s, o = near[subjects], near[objects]
        chances = np.repeat(self.chances[:, None] / 4, len(relations), axis=1)
        between = middle[rows % max(1, len(self.middle))] if len(rows) else np.zeros((0, len(relations)))
        columns = (between, o[:, 0], o[:, 1], s[:, 0], s[:, 1], o[:, 2], s[:, 2])
        return np.stack([*columns, chances[subjects], chances[objects]], axis=1)


def _beside(mention: Mention, around: Neighbourhood) -> Iterator[tuple[str, ...]]:
    low = around.low[mention.sentence]
    yield low[max(0, mention.start - LIKE) : mention.start]
    yield low[mention.end : mention.end + LIKE]
    yield low[mention.start : mention.end]


def _middle(a: Mention, b: Mention, around: Neighbourhood) -> tuple[str, ...]:
    sooner, later = sorted((a, b))
    return around.low[a.sentence][sooner.end : later.start] if a.sentence == b.sentence else ()
