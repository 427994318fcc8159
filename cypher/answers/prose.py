"""An answer in a chat model's words, of which only the sentences that the cited rows support are kept."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cypher.answers.support import Facts, fault, told
from cypher.prompts import fenced_messages, load_prompt
from cypher.wording import MAX_NAMED
from schemas.errors import BudgetError, ChatError, TransientServiceError, WorkspaceError
from schemas.ports import Chat, ChatReply, ChatRequest, StreamingChat
from schemas.prompts import one_line
from schemas.questions import Answer, Outcome, Value
from schemas.waiting import never

log = logging.getLogger(__name__)

MOST_ROWS: Final = 25
MOST_SENTENCES: Final = 12
LONGEST_SENTENCE: Final = 1_200
MAX_TOKENS: Final = 1_024
_END: Final = re.compile(r"(?<=[.!?])(?P<marks>(?:\s*\[\d{1,4}\])*)\s+(?=[A-Z0-9\"'(])")
_STOP: Final = re.compile(r"[.!?](?:\s*\[\d{1,4}\])*(?=\s|$)")
_NOT_AN_END: Final = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|al|Fig|Ref|Eq|no|approx)|\b[A-Z])\.$")


@dataclass(slots=True)
class Prose:
    """What was kept of a model's reply so far, and how many sentences were dropped."""

    kept: list[str] = field(default_factory=list)
    dropped: int = 0
    reasons: list[str] = field(default_factory=list)
    told: set[int] = field(default_factory=set)
    """Places of the rows that the kept sentences tell."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    note: str = ""
    """Why there is no prose, where the model failed."""

    cut: bool = False
    """Whether the reply ended at its limit, in the middle of a sentence perhaps."""

    def count(self, reply: ChatReply) -> None:
        """Note how a reply ended, and what it took."""
        self.cut = reply.finish_reason == "length"
        self.prompt_tokens += 0 if reply.cached else reply.prompt_tokens
        self.completion_tokens += 0 if reply.cached else reply.completion_tokens

    def text(self, answer: Answer) -> str:
        """The kept sentences, and how many rows they leave out; empty where they tell less than the template.

        The template names the first ``MAX_NAMED`` rows.
        """
        rows, told = len(answer.rows), len(self.told)
        if not self.kept or told < min(rows, MAX_NAMED):
            return ""
        left = [f"These are {told} of {rows} rows."] if told < rows else []
        more = ["There are more rows than are shown."] if answer.truncated else []
        return " ".join([*self.kept, *left, *more])


class ProseWriter:
    """Asks a chat model for the answer's words; a failing model leaves the template as it is."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._chat.model

    def sentences(self, answer: Answer, prose: Prose, *, gone: Callable[[], bool] = never) -> Iterator[str]:
        """Supported sentences one by one; ``prose`` is filled on the way, ``gone`` ends it.

        Only answers with citations are put into words. Errors of the model end the sentences and are told
        in ``prose.note``.
        """
        if answer.outcome is not Outcome.ANSWERED or not any(answer.row_citations):
            return
        facts = Facts.of(answer)
        try:
            pieces = self._pieces(answer_request(answer), prose, gone)
            for number, sentence in enumerate(split(pieces, whole=lambda: not prose.cut)):
                if gone():
                    return
                if number >= MOST_SENTENCES:
                    continue  # read to the end, so that the reply is kept and counted
                reason = fault(sentence, facts) if len(sentence) <= LONGEST_SENTENCE else "it is too long"
                if reason:
                    prose.dropped += 1
                    prose.reasons.append(reason)
                    log.info("a sentence was dropped: %s", reason)
                else:
                    prose.kept.append(sentence)
                    prose.told |= told(sentence, facts)
                    yield sentence
        except (TransientServiceError, ChatError, BudgetError, WorkspaceError) as e:
            log.warning("no prose from %s: %s", self.model, e)
            prose.note = (
                "The language model broke off."
                if prose.kept
                else "The language model gave no text, so the answer is in the service's own words."
            )

    def _pieces(self, request: ChatRequest, prose: Prose, gone: Callable[[], bool]) -> Iterator[str]:
        """The text as it comes, where the model's service can stream; else at once."""
        if isinstance(self._chat, StreamingChat):
            for piece in self._chat.stream(request, gone=gone):
                if isinstance(piece, ChatReply):
                    prose.count(piece)
                else:
                    yield piece
            return
        reply = self._chat.complete(request, gone=gone)
        prose.count(reply)
        yield reply.text


def answer_request(answer: Answer) -> ChatRequest:
    """The request for prose: question, explanation and rows as data."""
    prompt = load_prompt("answer")
    lines = []
    for row, cited in list(zip(answer.rows, answer.row_citations, strict=False))[:MOST_ROWS]:
        cells = {c: _cell(v) for c, v in zip(answer.columns, row, strict=True) if v is not None}
        lines.append(json.dumps({"sources": list(cited), **cells}, ensure_ascii=False))
    return ChatRequest(
        messages=fenced_messages(
            prompt,
            question=one_line(answer.resolved or answer.question, 500),
            explanation=one_line(answer.explanation, 600),
            rows="\n".join(lines),
        ),
        purpose=prompt.id,
        max_tokens=MAX_TOKENS,
    )


def _cell(value: Value) -> object:
    if isinstance(value, str):
        return one_line(value)
    return [_cell(v) for v in value] if isinstance(value, tuple) else value


def split(pieces: Iterable[str], *, whole: Callable[[], bool] = lambda: True) -> Iterator[str]:
    """Sentences of a text that comes in pieces; citations behind a full stop belong to its sentence.

    ``whole`` is asked at the end: where the text was cut, what follows its last full stop is left out.

    >>> list(split(["It is 1.5 ps [1]. The oth", "er is 2. [2] The end [3]"]))
    ['It is 1.5 ps [1].', 'The other is 2. [2]', 'The end [3]']
    """
    held = ""
    for piece in pieces:
        held += piece
        at = 0
        for match in _END.finditer(held):
            part = held[at : match.end("marks")]
            if _NOT_AN_END.search(held[at : match.start()]):
                continue
            yield " ".join(part.split())
            at = match.end()
        held = held[at:]
    if not whole():
        held = held[: max((m.end() for m in _STOP.finditer(held)), default=0)]
    if held.strip():
        yield " ".join(held.split())
