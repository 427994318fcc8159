"""What every step is given."""

from __future__ import annotations

from dataclasses import dataclass

from kg.ledger import Ledger
from kg.workspace import Workspace
from schemas.ports import Progress


@dataclass(frozen=True, slots=True)
class StepContext:
    """The workspace, its ledger, and where to show progress."""

    workspace: Workspace
    ledger: Ledger
    progress: Progress


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that a step could not process, and why; the other items went on."""

    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step did."""

    step: str
    changed: int
    unchanged: int
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    not_done: tuple[Failure, ...] = ()
    """Items that were left out because the budget was spent."""
