"""Trains a question encoder: MiniLM, fine-tuned to tell what the query of a question names.

Needs ``corpusgraph[models]``. One binary cross-entropy for each element, summed; AdamW (arXiv:1711.05101)
with a rate that rises for a sixteenth of the steps and falls to 0. Seeded: the same questions give the same
weights on one machine with one number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np

from kg.adapters.minilm_weights import Weights
from kg.adapters.question_encoder import HEADS, Array
from schemas.errors import ModelUnavailableError

EPOCHS: Final = 2
BATCH: Final = 32
RATE: Final = 1e-4
HEAD_RATE: Final = 2e-3
"""Of the last layer, which starts from nothing."""
WARM: Final = 1 / 16
DECAY: Final = 0.01
DROPOUT: Final = 0.1
LONGEST_STEP: Final = 1.0
"""Norm of a gradient at most."""
AT_ONCE: Final = 20
"""Batches whose questions are put together by length, so that little is filled up."""
HOW: Final = (BATCH, RATE, HEAD_RATE, WARM, DECAY, DROPOUT, LONGEST_STEP, AT_ONCE)
"""What the weights depend on beside the questions."""
Done = Callable[[], object]
"""Called after every step."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions to learn from."""

    tokens: Sequence[Sequence[int]]
    """Numbers of each question's word pieces."""
    has: Array
    """1 where a question has an element, shape (n_questions, n_names)."""


def steps_of(questions: int, *, epochs: int = EPOCHS) -> int:
    """How many steps it takes to train on so many questions.

    >>> steps_of(100), steps_of(100, epochs=1)
    (8, 4)
    """
    return epochs * math.ceil(questions / BATCH)


def train(asked: Asked, weights: Weights, *, epochs: int = EPOCHS, done: Done | None = None) -> Weights:
    """The weights of a :class:`kg.adapters.question_encoder.QuestionEncoder`.

    ``ModelUnavailableError`` where the extra is missing.
    """
    try:
        torch: Any = import_module("torch")
        library: Any = import_module("transformers")
    except ImportError as e:
        raise ModelUnavailableError(
            f"expected the extra corpusgraph[models] to train a question encoder, found {e}"
        ) from e
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder, head = _encoder(torch, library, weights), _head(torch, asked.has, weights)
        steps = steps_of(len(asked.tokens), epochs=epochs)
        groups = [
            {"params": encoder.parameters(), "lr": RATE},
            {"params": head.parameters(), "lr": HEAD_RATE},
        ]
        optimiser = torch.optim.AdamW(groups, weight_decay=DECAY)
        rate = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, steps))
        loss = torch.nn.BCEWithLogitsLoss(reduction="none")
        order = np.random.default_rng(0)
        for _ in range(epochs):
            for batch in _batches(asked.tokens, order):
                pooled = _pooled(torch, encoder, [asked.tokens[i] for i in batch])
                told = head(torch.nn.functional.dropout(pooled, DROPOUT))
                optimiser.zero_grad()
                loss(told, torch.from_numpy(asked.has[batch])).sum(1).mean().backward()
                torch.nn.utils.clip_grad_norm_(encoder.parameters(), LONGEST_STEP)
                optimiser.step()
                rate.step()
                if done is not None:
                    done()
    trained = {**encoder.state_dict(), **{f"head.{name}": x for name, x in head.state_dict().items()}}
    return {name: x.numpy() for name, x in trained.items() if x.is_floating_point()}


def _rate(step: int, steps: int) -> float:
    warm = max(1, int(WARM * steps))
    return min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)) if steps > warm else 1.0)


def _encoder(torch: Any, library: Any, weights: Weights) -> Any:
    words, dimension = weights["embeddings.word_embeddings.weight"].shape
    config = library.BertConfig(
        vocab_size=words,
        hidden_size=dimension,
        num_hidden_layers=sum(name.endswith("intermediate.dense.bias") for name in weights),
        num_attention_heads=HEADS,
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
    )
    encoder = library.BertModel(config, add_pooling_layer=False)
    encoder.load_state_dict({name: torch.from_numpy(x.copy()) for name, x in weights.items()})
    return encoder.train()


def _head(torch: Any, has: Array, weights: Weights) -> Any:
    """The last layer, which begins with what is known without any word."""
    head = torch.nn.Linear(weights["embeddings.word_embeddings.weight"].shape[1], has.shape[1])
    share = has.mean(axis=0)
    with torch.no_grad():
        head.weight.mul_(0.1)
        head.bias.copy_(torch.from_numpy(np.log(share / (1 - share))))
    return head


def _pooled(torch: Any, encoder: Any, tokens: Sequence[Sequence[int]]) -> Any:
    """The mean over each question's tokens."""
    longest = max(map(len, tokens))
    ids = torch.tensor([[*t, *([0] * (longest - len(t)))] for t in tokens])
    mask = torch.tensor([[1] * len(t) + [0] * (longest - len(t)) for t in tokens])
    found = encoder(ids, attention_mask=mask).last_hidden_state
    return (found * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


def _batches(tokens: Sequence[Sequence[int]], order: np.random.Generator) -> Iterator[list[int]]:
    """Numbers of questions, those of a batch of nearly one length, in random order."""
    numbers = order.permutation(len(tokens)).tolist()
    batches = list[list[int]]()
    for start in range(0, len(numbers), BATCH * AT_ONCE):
        some = sorted(numbers[start : start + BATCH * AT_ONCE], key=lambda i: len(tokens[i]))
        batches += [some[i : i + BATCH] for i in range(0, len(some), BATCH)]
    yield from (batches[i] for i in order.permutation(len(batches)))
