"""Extraction by a chat model in two stages: the abstract, then the passages that matter.

Method: arXiv:2509.06855, appendix D.2.1. Stage one reads the abstract; stage two reads the passages that
the schema names, with the entities of stage one given. The model explains before it fills the structure,
and gives entities and relations together. Texts of documents stand between unguessable boundary lines.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from extraction.parse import ReplyContext, parse
from extraction.prompts.passages import Passage, halve, select_passages
from extraction.prompts.reply_schema import DOCUMENT_REF, Stage, describe_stage, reply_schema, stages
from extraction.prompts.templates import Example, load_examples, load_template
from schemas.documents import BlockKind, Document
from schemas.errors import ChatError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, Extraction, Rejection
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.ports import Chat, ChatMessage, ChatReply, ChatRequest

PROMPT_VERSION = 1
REPAIR_PURPOSE = f"extract/repair/{PROMPT_VERSION}"
"""Purpose of the requests that ask for a corrected reply."""


_BOUNDARY_LINE = re.compile(r"(^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])([^\S\n]*)(?=boundary\b)", re.IGNORECASE)


class LlmSettings(Frozen):
    """How much of a document a model reads, and how much it may write."""

    max_characters: int = Field(60_000, ge=1_000)
    """Of one document, in stage two."""
    passage_characters: int = Field(12_000, ge=500)
    """Of one request."""
    overlap: int = Field(600, ge=0)
    """Characters that consecutive passages of a section share."""
    abstract_characters: int = Field(6_000, ge=200)
    """Of the abstract, or of the beginning of a document without one, in stage one."""
    max_calls: int = Field(16, ge=1)
    """Requests for one document, repairs included."""
    max_known: int = Field(60, ge=1)
    """Entities of stage one that are listed in stage two."""
    max_tokens: int = Field(8_192, ge=256)
    """Of one reply."""
    examples: bool = True
    """Show the worked examples, where the schema has some."""


class LlmExtractor:
    """Asks a chat model; needs no state between documents and may be used from several threads.

    A failing chat (``TransientServiceError``, ``ChatError``) and a reply that stays useless after one
    repair round end the extraction with an error. What the budget leaves unread is told as a rejection
    with the code ``budget``.
    """

    def __init__(self, chat: Chat, settings: LlmSettings | None = None) -> None:
        self._chat = chat
        self._settings = settings or LlmSettings()

    @property
    def name(self) -> str:
        """``llm/1:MODEL``: prompt version and model; with a hash of settings that are not the default."""
        own = self._settings.model_dump(mode="json", exclude_defaults=True)
        return f"llm/{PROMPT_VERSION}:{self._chat.model}" + (f"#{content_hash(own)[:8]}" if own else "")

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """Drafts with quotes from both stages, and rejections."""
        first, second = stages(schema)
        run = _Run(self._chat, self._settings, document, schema, self.name)
        run.ask_abstract(first)
        run.ask_passages(second)
        return Extraction(
            extractor=self.name,
            records=tuple(d for part in run.parts for d in part.records),
            statements=tuple(s for part in run.parts for s in part.statements),
            rejections=(*(r for part in run.parts for r in part.rejections), *run.rejections),
        )


@dataclass(slots=True)
class _Run:
    """One document on its way through both stages."""

    chat: Chat
    settings: LlmSettings
    document: Document
    schema: GraphSchema
    extractor: str
    calls: int = 0
    parts: list[Extraction] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def ask_abstract(self, stage: Stage) -> None:
        request = _abstract_request(self.document, self.schema, stage, self.settings)
        context = ReplyContext(
            self.extractor,
            stage,
            document_name=document_name(self.document),
            document_quote=_opening(self.document),
            prefix="a:",
        )
        part = self._ask(request, context)
        if part is None:
            raise ChatError(
                f"the reply about the abstract of {self.document.key} was cut at "
                f"{self.settings.max_tokens} tokens; raise max_tokens"
            )
        self.parts.append(part)

    def ask_passages(self, stage: Stage) -> None:
        drafts = [d for d in self.parts[0].records if d.ref != DOCUMENT_REF][: self.settings.max_known]
        known = {f"E{n}": d.ref for n, d in enumerate(drafts, 1)}
        listed = _list_known(drafts)
        selection = select_passages(
            self.document,
            self.schema,
            limit=self.settings.max_characters,
            size=self.settings.passage_characters,
            overlap=self.settings.overlap,
        )
        if selection.left_out:
            self._budget(f"{selection.left_out} characters of passages beyond max_characters were not read")
        waiting, number = deque(selection.passages), 0
        while waiting:
            if self.calls >= self.settings.max_calls:
                self._budget(f"{len(waiting)} passages beyond max_calls were not read")
                return
            passage, number = waiting.popleft(), number + 1
            request = _passage_request(self.document, self.schema, stage, self.settings, (passage, listed))
            part = self._ask(request, ReplyContext(self.extractor, stage, known=known, prefix=f"p{number}:"))
            if part is None:
                waiting.extendleft(reversed(self._halves(passage)))
            else:
                self.parts.append(part)

    def _halves(self, passage: Passage) -> tuple[Passage, Passage]:
        halves = halve(self.document, passage)
        if halves is None:
            raise ChatError(
                f"a reply about {len(passage.text)} characters of {self.document.key} was cut at "
                f"{self.settings.max_tokens} tokens; raise max_tokens"
            )
        return halves

    def _ask(self, request: ChatRequest, context: ReplyContext) -> Extraction | None:
        """The parsed reply, after one repair round if need be; None when it was cut."""
        reply = self._complete(request)
        if reply.finish_reason == "length":
            return None
        try:
            return parse(reply.text, context)
        except ChatError as e:
            if self.calls >= self.settings.max_calls:
                raise self._useless(e) from e
            reply = self._complete(_repair(request, reply.text, str(e)))
        if reply.finish_reason == "length":
            return None
        try:
            return parse(reply.text, context)
        except ChatError as e:
            raise self._useless(e) from e

    def _complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        return self.chat.complete(request)

    def _useless(self, error: ChatError) -> ChatError:
        return ChatError(f"{self.chat.model} gave no usable reply about {self.document.key}: {error}")

    def _budget(self, detail: str) -> None:
        self.rejections.append(Rejection(extractor=self.extractor, code="budget", detail=detail))


def document_name(document: Document) -> str:
    """Name of the document's own record: INSPIRE id, arXiv id, DOI, or the key."""
    names = document.identifiers
    return names.inspire or names.arxiv or names.doi or document.key


def _opening(document: Document) -> str:
    """The words that show the document: its title block, else its first block's first line."""
    blocks = [b for b in document.blocks if b.text.strip()]
    title = next((b for b in blocks if b.kind is BlockKind.TITLE), blocks[0] if blocks else None)
    return title.text.strip().splitlines()[0][:300] if title else ""


def _abstract_request(
    document: Document, schema: GraphSchema, stage: Stage, settings: LlmSettings
) -> ChatRequest:
    text = (document.abstract or document.text)[: settings.abstract_characters]
    return _request(schema, stage, settings, title=document.title, text=text)


def _passage_request(
    document: Document,
    schema: GraphSchema,
    stage: Stage,
    settings: LlmSettings,
    content: tuple[Passage, str],
) -> ChatRequest:
    passage, known = content
    return _request(schema, stage, settings, title=document.title, text=passage.text, known=known)


def _request(schema: GraphSchema, stage: Stage, settings: LlmSettings, **values: str) -> ChatRequest:
    template = load_template(stage.name, PROMPT_VERSION)
    values = {name: _inside(value) for name, value in values.items()}
    filled = {**values, "title": _one_line(values["title"]), "schema": describe_stage(stage)}
    filled["boundary"] = _boundary(values)
    system, user = template.messages(**filled)
    examples = load_examples(schema.name) if settings.examples else ()
    shots = [m for e in examples if e.stage == stage.name for m in _shot(e, filled["schema"])]
    return ChatRequest(
        messages=(system, *shots, user),
        purpose=template.id,
        json_schema=reply_schema(stage),
        max_tokens=settings.max_tokens,
    )


def _shot(example: Example, described: str) -> tuple[ChatMessage, ChatMessage]:
    known = "\n".join(f"{ref}: {kind}: {name}" for ref, kind, name in example.known)
    values = {"title": example.title, "known": known, "text": example.text}
    template = load_template(example.stage, PROMPT_VERSION)
    _, user = template.messages(**values, schema=described, boundary=_boundary(values))
    return user, ChatMessage(role="assistant", content=example.reply)


def _repair(request: ChatRequest, reply: str, problem: str) -> ChatRequest:
    template = load_template("repair", PROMPT_VERSION)
    said = ChatMessage(role="assistant", content=reply)
    return request.model_copy(
        update={
            "messages": (*request.messages, said, *template.messages(problem=problem)),
            "purpose": template.id,
        }
    )


def _list_known(drafts: Sequence[DraftRecord]) -> str:
    lines = [f"E{n}: {d.type}: {_one_line(d.name)}" for n, d in enumerate(drafts, 1)]
    return "\n".join(lines) or "(none)"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]


def _inside(text: str) -> str:
    """The text with a bar before each line that would begin like a boundary line.

    >>> _inside("a\\nBOUNDARY 1\\nb")
    'a\\n| BOUNDARY 1\\nb'
    """
    return _BOUNDARY_LINE.sub(r"\1\2| ", text)


def _boundary(values: Mapping[str, str]) -> str:
    """A word that the document's text cannot hold, since it depends on all of that text."""
    return content_hash("boundary", dict(values))
