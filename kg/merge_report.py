"""What the latest resolution left for people: merges it was unsure of, merges a rule forbade, its rounds.

The report is derived: ``kg resolve`` writes it anew, and losing it loses nothing.
"""

from __future__ import annotations

from pydantic import Field

from kg.files import dump, load, write_atomic
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.model import Frozen
from schemas.review import Blocked, MergeProposal, Resolution, Round


class MergeReport(Frozen):
    """The queue of the latest resolution."""

    unsure: tuple[MergeProposal, ...] = ()
    """Most uncertain first."""
    blocked: tuple[Blocked, ...] = ()
    """The best by score of each type."""
    blocked_total: dict[str, int] = Field(default_factory=dict)
    rounds: tuple[Round, ...] = ()


def save_report(workspace: Workspace, resolution: Resolution) -> None:
    """Keep what is for people of a resolution; an equal report is not written again."""
    report = MergeReport(
        unsure=resolution.unsure,
        blocked=resolution.blocked,
        blocked_total=resolution.blocked_total,
        rounds=resolution.rounds,
    )
    data = dump(report)
    path = workspace.merges_path
    if not path.exists() or path.read_bytes() != data:
        write_atomic(path, data)


def load_report(workspace: Workspace) -> MergeReport:
    """The report of the latest resolution; ``UsageError`` when there was none."""
    if not workspace.merges_path.exists():
        raise UsageError("nothing was resolved yet; run `kg resolve` or `kg build`")
    return load(workspace.merges_path, MergeReport)
