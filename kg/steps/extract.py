"""Extract: every current document gets the graph of its version, schema and extractors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from extraction.evidence import LONGEST_NAME
from kg.adapters.chat_budget import Budget
from kg.chat_tally import ChatTally, counted
from kg.ledger import RunEntry
from kg.steps.context import Failure, StepContext, StepReport
from kg.steps.extract_pool import worker_pool
from kg.steps.pending import Result, Work, pending
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument
from schemas.errors import BudgetError, CorpusGraphError
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey

MOST_NOTES = 10
"""Documents whose refused names are told one by one."""


def extract_all(
    context: StepContext,
    recipe: Recipe,
    documents: Sequence[StoredDocument],
    *,
    concurrency: int = 1,
    tally: ChatTally | None = None,
    budget: Budget | None = None,
) -> StepReport:
    """Extract what of ``documents`` has no current graph yet; what fails is listed and the rest goes on.

    What ``tally`` counts meanwhile, the tokens and cost of a chat model, goes into the ledger. Once
    ``budget`` is exhausted no further document is begun: those that miss a reply are listed apart, and
    a later run goes on with them from the replies that are kept.

    ``concurrency`` above 1 uses threads, for extractors that wait for a chat model; otherwise rules and
    learned models run in one process per core.
    """
    _ = [e.name for e in recipe.extractors]  # a missing model ends the step here, not once per document
    with (
        context.ledger.run("extract") as run,
        context.progress.task("extracting", total=len(documents), unit="documents") as task,
        counted(run, tally or ChatTally()),
        worker_pool(context.workspace, recipe, concurrency) as submit,
    ):
        outcome = _Outcome(context, run)
        work = pending(context.workspace, documents, recipe)
        for stored, graph in submit(_within(budget or Budget(), work)):
            outcome.take(stored.slug, graph)
            task.advance()
        return outcome.report()


def _within(budget: Budget, items: Iterable[Work | Result]) -> Iterator[Work | Result]:
    """The items, without work that the budget cannot pay."""
    for item in items:
        yield (item.stored, budget.refusal()) if isinstance(item, Work) and budget.exhausted else item


@dataclass(slots=True)
class _Outcome:
    """What became of the documents so far."""

    context: StepContext
    run: RunEntry
    changed: int = 0
    unchanged: int = 0
    failures: list[Failure] = field(default_factory=list)
    not_done: list[Failure] = field(default_factory=list)
    bad_names: dict[DocumentKey, int] = field(default_factory=dict)
    """How many names of a document could not be kept: empty ones, and some that are too long."""

    def take(self, slug: str, graph: DocumentGraph | CorpusGraphError | None) -> None:
        if isinstance(graph, CorpusGraphError):
            left = self.not_done if isinstance(graph, BudgetError) else self.failures
            left.append(Failure(slug, str(graph)))
            self.context.ledger.fail("extract", slug, str(graph))
        elif graph is None:
            self.unchanged += 1
        else:
            self.context.workspace.save_graph(graph)
            self.context.ledger.clear_failure("extract", slug)
            self.changed += 1
            self.run.count("records", len(graph.records))
            self.run.count("statements", len(graph.statements))
            self.run.count("rejected", len(graph.rejections))
            refused = sum(r.code == "bad_name" for r in graph.rejections)
            self.bad_names |= {graph.document: refused} if refused else {}

    def report(self) -> StepReport:
        self.run.counts |= {
            "changed": self.changed,
            "unchanged": self.unchanged,
            "failed": len(self.failures),
        }
        if self.not_done:
            self.run.counts["not_done"] = len(self.not_done)
        return StepReport(
            "extract",
            self.changed,
            self.unchanged,
            failures=tuple(self.failures),
            notes=tuple(self._notes()),
            not_done=tuple(self.not_done),
        )

    def _notes(self) -> Iterator[str]:
        told = list(self.bad_names.items())
        for key, refused in told[:MOST_NOTES]:
            names = "name" if refused == 1 else "names"
            yield (
                f"{key}: refused {refused} {names}, expected 1 to {LONGEST_NAME} characters; "
                f"see `kg show {key} --rejected`"
            )
        if len(told) > MOST_NOTES:
            yield f"and names of {len(told) - MOST_NOTES} more documents"
