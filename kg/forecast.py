"""What an extraction would take: calls, tokens, money and time, without asking or writing anything.

The extractors themselves run against :class:`~kg.adapters.forecast_chat.ForecastChat`, so that the requests
are those of a real run. Tokens and seconds come from what was counted in earlier calls of the same kind;
before a model was ever asked nobody can know how it counts, how much it writes and how long it takes, so
defaults are used and told. A probe of a few documents is the remedy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from extraction.describe import ChatDescriber
from extraction.llm import REPAIR_PURPOSE
from kg.adapters.chat_usage import Usage
from kg.adapters.forecast_chat import ForecastChat, PlannedCall
from kg.adapters.openai_chat import ChatSettings
from kg.steps.pending import Result, Work, pending
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument, Workspace
from schemas.errors import CorpusGraphError
from schemas.model import Frozen
from schemas.ports import Progress, SecondPassExtractor

CHARACTERS_PER_TOKEN = 3.9
"""Of a prompt with its reply schema, before a model was ever asked. Measured with Mistral's Tekken
tokenizer (131,000 words) on the prompts for 22 physics papers: 3.76 in stage one, 4.09 in stage two."""
COMPLETION_TOKENS = 600
"""Of a reply, before a model was ever asked: a guess; the worked examples have 470 and 520."""
_FIRST, _DESCRIBE = "extract/abstract/1", "extract/describe/1"
"""Purposes of the first call about a document, and of descriptions."""
KNOWN_CHARACTERS = 200
"""Of the names that a stage-two prompt gets from a stage-one reply that is not there yet: a guess."""


class ForecastRow(Frozen):
    """The calls of one kind."""

    purpose: str
    calls: int
    """That would be paid."""
    cached: int
    """Answered by kept replies, at no cost."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    learned_from: int
    """Earlier calls of this kind that the tokens are learned from; 0: defaults."""
    depends_on_replies: int
    """Calls whose prompts will hold names from replies that are not there yet."""


class Probe(Frozen):
    """Documents that were extracted for real before a forecast."""

    documents: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float
    failures: tuple[str, ...] = ()


class Forecast(Frozen):
    """The answer of ``kg extract --dry-run``."""

    model: str
    documents: int
    """That would be extracted."""
    unchanged: int
    calls: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    currency: str
    seconds: float
    """At the concurrency and the limits of the settings, without retries."""
    rows: tuple[ForecastRow, ...] = ()
    failures: tuple[str, ...] = ()
    """Documents that cannot be forecast, with the reason."""
    basis: str = ""
    """Where tokens and seconds come from."""
    probe: Probe | None = None
    """What was asked for real before; the figures above are for the rest."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What takes part in a forecast of calls."""

    chat: ForecastChat
    settings: ChatSettings
    past: Mapping[str, Usage]
    """Earlier calls of the model, per purpose."""


def forecast_extraction(
    workspace: Workspace, recipe: Recipe, asking: Asking | None, *, progress: Progress
) -> Forecast:
    """Forecast the extraction of what is pending.

    ``recipe`` is that of the real run, but with ``asking.chat`` for its model; it decides what is pending.
    ``asking`` is None when no chat model takes part, which costs nothing.
    """
    found = _Found()
    documents = workspace.documents()
    with progress.task("forecasting", total=len(documents), unit="documents") as task:
        for item in pending(workspace, documents, recipe):
            if isinstance(item, Work):
                found.plan(item, recipe, asking)
            else:
                found.skip(item)
            task.advance()
    if asking is None:
        return found.forecast((), model="", currency="", seconds=0.0, basis="no chat model takes part")
    rates = _Rates(asking.past, asking.settings)
    calls = [call for planned in found.planned for call in planned]
    rows = tuple(rates.row(purpose, group) for purpose, group in _by_purpose(calls).items())
    if isinstance(recipe.describer, ChatDescriber):
        rows = rates.descriptions(rows)
    rows = (*rows, *rates.repairs(sum(r.calls for r in rows)))
    return found.forecast(
        rows,
        model=asking.chat.model,
        currency=asking.settings.currency,
        seconds=rates.duration(found.planned, rows),
        basis=rates.basis(rows),
    )


def forecast_calls(calls: Sequence[PlannedCall], asking: Asking) -> Forecast:
    """What calls that do not wait for one another would take; no repairs are expected."""
    found, rates = _Found(planned=[(call,) for call in calls]), _Rates(asking.past, asking.settings)
    rows = tuple(rates.row(purpose, group) for purpose, group in _by_purpose(calls).items())
    return found.forecast(
        rows,
        model=asking.chat.model,
        currency=asking.settings.currency,
        seconds=rates.duration(found.planned, rows),
        basis=rates.basis(rows),
    )


@dataclass(slots=True)
class _Found:
    """What the documents would ask."""

    documents: int = 0
    unchanged: int = 0
    failures: list[str] = field(default_factory=list)
    planned: list[tuple[PlannedCall, ...]] = field(default_factory=list)
    """The calls of each document."""

    def skip(self, item: Result) -> None:
        """A document that needs no extraction."""
        stored, graph = item
        if isinstance(graph, CorpusGraphError):
            self.failures.append(f"{stored.slug}: {graph}")
        elif graph is None:
            self.unchanged += 1
        else:
            self.documents += 1

    def plan(self, work: Work, recipe: Recipe, asking: Asking | None) -> None:
        """A document to extract: let whatever asks a model ask the stand-in."""
        self.documents += 1
        if asking is None:
            return
        problem = _ask(work, recipe)
        if problem is not None:
            self.failures.append(f"{work.stored.slug}: {problem}")
        self.planned.append(asking.chat.take())

    def forecast(
        self, rows: tuple[ForecastRow, ...], *, model: str, currency: str, seconds: float, basis: str
    ) -> Forecast:
        return Forecast(
            model=model,
            documents=self.documents,
            unchanged=self.unchanged,
            calls=sum(r.calls for r in rows),
            cached=sum(r.cached for r in rows),
            prompt_tokens=sum(r.prompt_tokens for r in rows),
            completion_tokens=sum(r.completion_tokens for r in rows),
            cost=sum(r.cost for r in rows),
            currency=currency,
            seconds=seconds,
            rows=rows,
            failures=tuple(self.failures),
            basis=basis,
        )


def _ask(work: Work, recipe: Recipe) -> CorpusGraphError | None:
    """All that the recipe asks about a document; what asks nothing runs only where descriptions need it."""
    if isinstance(recipe.describer, ChatDescriber):
        made = recipe.extract(work.document)
        return made if isinstance(made, CorpusGraphError) else None
    try:
        for extractor in recipe.waiting:
            if not isinstance(extractor, SecondPassExtractor):
                extractor.extract(work.document, recipe.schema)
    except CorpusGraphError as e:
        return e
    return None


def sample(workspace: Workspace, recipe: Recipe, count: int) -> list[StoredDocument]:
    """``count`` pending documents from the shortest to the longest, one from the middle of each share."""
    items = pending(workspace, workspace.documents(), recipe)
    sizes = sorted(
        ((len(i.document.text), i.stored.slug, i.stored) for i in items if isinstance(i, Work)),
        key=lambda found: found[:2],
    )
    places = sorted({int((n + 0.5) * len(sizes) / count) for n in range(count)}) if sizes else []
    return [sizes[place][2] for place in places]


def _by_purpose(calls: Sequence[PlannedCall]) -> dict[str, list[PlannedCall]]:
    groups: dict[str, list[PlannedCall]] = {}
    for call in calls:
        groups.setdefault(call.purpose, []).append(call)
    return groups


@dataclass(frozen=True, slots=True)
class _Rates:
    """Tokens, money and seconds of calls, learned from earlier ones where there are some."""

    past: Mapping[str, Usage]
    settings: ChatSettings

    def row(self, purpose: str, calls: Sequence[PlannedCall]) -> ForecastRow:
        paid = [c for c in calls if not c.cached]
        guessed = sum(c.guessed for c in paid)
        characters = sum(c.characters for c in paid) + KNOWN_CHARACTERS * guessed
        used = self.past.get(purpose)
        prompt = characters / self.characters_per_token(purpose)
        completion = (used.completion_tokens / used.calls if used else COMPLETION_TOKENS) * len(paid)
        return self._priced(
            purpose, len(paid), round(prompt), round(completion), len(calls) - len(paid), guessed
        )

    def descriptions(self, rows: Sequence[ForecastRow]) -> tuple[ForecastRow, ...]:
        """The rows with as many descriptions as earlier ones, where records to describe are not known yet."""
        first = next((r for r in rows if r.purpose == _FIRST), None)
        used, asked = self.past.get(_DESCRIBE), self.past.get(_FIRST)
        if first is None or not first.calls or used is None or asked is None:
            return tuple(rows)
        calls = round(first.calls * used.calls / asked.calls)
        prompt = round(calls * used.prompt_tokens / used.calls)
        completion = round(calls * used.completion_tokens / used.calls)
        cached = sum(r.cached for r in rows if r.purpose == _DESCRIBE)
        row = self._priced(_DESCRIBE, calls, prompt, completion, cached, calls)
        return (*(r for r in rows if r.purpose != _DESCRIBE), row)

    def repairs(self, calls: int) -> tuple[ForecastRow, ...]:
        """The repair rounds to expect, by their share in earlier calls."""
        used = self.past.get(REPAIR_PURPOSE)
        others = sum(u.calls for purpose, u in self.past.items() if purpose != REPAIR_PURPOSE)
        if used is None or not others or not (expected := round(calls * used.calls / others)):
            return ()
        prompt = round(expected * used.prompt_tokens / used.calls)
        completion = round(expected * used.completion_tokens / used.calls)
        return (self._priced(REPAIR_PURPOSE, expected, prompt, completion, 0, expected),)

    def _priced(
        self, purpose: str, calls: int, prompt: int, completion: int, cached: int, guessed: int
    ) -> ForecastRow:
        used = self.past.get(purpose)
        return ForecastRow(
            purpose=purpose,
            calls=calls,
            cached=cached,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost=self.settings.price(prompt, completion),
            learned_from=used.calls if used else 0,
            depends_on_replies=guessed,
        )

    def characters_per_token(self, purpose: str) -> float:
        """Of this kind of request, else of all earlier ones, else the default."""
        used = self.past.get(purpose)
        known = [used] if used else list(self.past.values())
        tokens = sum(u.prompt_tokens for u in known)
        return sum(u.characters for u in known) / tokens if tokens else CHARACTERS_PER_TOKEN

    def duration(self, planned: Sequence[Sequence[PlannedCall]], rows: Sequence[ForecastRow]) -> float:
        """Seconds: the slowest of all calls in parallel, the longest document, and the limits a minute.

        At the end the documents of the last round finish one by one: half a document on average.
        """
        documents = [sum(self._seconds(c.purpose) for c in calls if not c.cached) for calls in planned]
        parallel = sum(r.calls * self._seconds(r.purpose) for r in rows) / self.settings.concurrency
        if documents:
            parallel += sum(documents) / len(documents) / 2
        per_minute = [
            (sum(r.calls for r in rows), self.settings.requests_per_minute),
            (sum(r.prompt_tokens + r.completion_tokens for r in rows), self.settings.tokens_per_minute),
        ]
        held = [60.0 * (wanted / limit - 1) for wanted, limit in per_minute if limit]
        return max([parallel, *documents, *held])

    def _seconds(self, purpose: str) -> float:
        used = self.past.get(purpose)
        return used.seconds / used.calls if used else self.settings.expected_seconds

    def basis(self, rows: Sequence[ForecastRow]) -> str:
        """How the tokens were estimated, in words."""
        learned, default = (
            sum(r.calls for r in rows if bool(r.learned_from) is known) for known in (True, False)
        )
        parts = []
        if learned:
            seen = sum(u.calls for u in self.past.values())
            parts.append(f"{learned} calls by what the endpoint counted in {seen} earlier calls")
        if default:
            ratio = "the ratio of its other calls" if self.past else f"{CHARACTERS_PER_TOKEN:g}"
            parts.append(
                f"{default} calls by default: {ratio} characters per prompt token, "
                f"{COMPLETION_TOKENS} tokens and {self.settings.expected_seconds:g} s a reply; what this "
                "model takes is unknown before its first replies, which `--probe 5` gets"
            )
        return "; ".join(parts) or "nothing is left to ask"
