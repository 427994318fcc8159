"""Spans beside the likeliest ones: what else the span model holds possible.

Where one name ends and the next begins is often open until it is known how they are related. The staged
pair model therefore chooses among all spans that are likely enough, overlapping ones too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from extraction.learned_crf import Chain, Floats
from extraction.learned_gazetteer import name_key
from extraction.learned_labels import LabelledRecord
from extraction.learned_spans import Found, SpanModel, Tags
from extraction.learned_text import Mention, Text
from schemas.ids import RecordId

LEAST: Final = 0.01
"""Probability from which a span is considered."""
MOST: Final = 12
"""Spans of one sentence that are considered: the likeliest."""
LONGEST: Final = 14
"""Tokens of such a span."""


def span_chances(scores: Floats, chain: Chain, tags: Tags) -> Floats:
    """(n_types, length - 1, start): log probability that an entity has this place in one sentence.

    ``scores`` are (n_tokens, n_labels) of the sentence. Spans that would end outside have -inf. By the
    forward and backward sums over all labellings (Sutton and McCallum, arXiv:1011.4088).
    """
    jump = np.where(tags.allowed(), chain.transitions, -np.inf)
    n = len(scores)
    forward, backward = np.empty_like(scores), np.zeros_like(scores)
    forward[0] = scores[0] + chain.start
    for t in range(1, n):
        forward[t] = np.logaddexp.reduce(forward[t - 1][:, None] + jump, axis=0) + scores[t]
    for t in range(n - 2, -1, -1):
        backward[t] = np.logaddexp.reduce(jump + (scores[t + 1] + backward[t + 1])[None], axis=1)
    total = np.logaddexp.reduce(forward[-1])
    found = np.full((len(tags.types), min(n, LONGEST), n), -np.inf)
    for kind in range(len(tags.types)):
        begin, inside, last, single = range(1 + 4 * kind, 5 + 4 * kind)
        found[kind, 0] = forward[:, single] + backward[:, single] - total
        closed = scores[:, last] + backward[:, last] - total
        open_spans, step, close = forward[:, begin], jump[begin, inside], jump[begin, last]
        for length in range(2, found.shape[1] + 1):
            ends = n - length + 1
            found[kind, length - 1, :ends] = open_spans[:ends] + close + closed[length - 1 :]
            open_spans = open_spans[:ends] + step + scores[length - 1 :, inside]
            step, close = jump[inside, inside], jump[inside, last]
    return found


def likely_spans(model: SpanModel, text: Text, sentences: Sequence[int], scores: Floats) -> list[Found]:
    """Spans of at least ``LEAST``, the likeliest ``MOST`` of each sentence, with their likeliest types.

    ``scores`` are (n_tokens, n_labels) of these sentences; the score of a span is its probability.
    """
    found: list[Found] = []
    at = 0
    for number in sentences:
        length = len(text.sentences[number].words)
        chances = np.exp(np.minimum(span_chances(scores[at : at + length], model.chain, model.tags), 0.0))
        at += length
        kinds, best = chances.argmax(axis=0), chances.max(axis=0)
        places = sorted(zip(*(best >= LEAST).nonzero(), strict=True), key=lambda p: (-best[p], p))
        for size, start in places[:MOST]:
            mention = Mention(number, int(start), int(start + size + 1))
            found.append(Found(mention, model.tags.types[kinds[size, start]], float(best[size, start])))
    return sorted(found, key=lambda f: f.mention)


def chances_of(spans: Sequence[Found]) -> Mapping[Mention, float]:
    """Probability of each span."""
    return {f.mention: f.score for f in spans}


def unnamed(text: Text, spans: Sequence[Found], known: Sequence[LabelledRecord]) -> list[LabelledRecord]:
    """The spans by type and name, without those that are a known record by place, or by type and name."""
    taken = {m for r in known for m in r.mentions}
    names = {(r.type, name_key(text.words(m))) for r in known for m in r.mentions}
    groups: dict[tuple[str, tuple[str, ...]], list[Mention]] = {}
    for f in spans:
        key = (f.type, name_key(text.words(f.mention)))
        if f.mention not in taken and key not in names and key[1]:
            groups.setdefault(key, []).append(f.mention)
    return [
        LabelledRecord(
            RecordId(f"span:{kind}:{' '.join(key)}"), kind, text.written(mentions[0]), tuple(sorted(mentions))
        )
        for (kind, key), mentions in sorted(groups.items())
    ]
