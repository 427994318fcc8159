"""What the latest resolution left for people: merges it was unsure of, merges a rule forbade, its rounds.

The report is derived: a full ``kg resolve`` writes it anew, and losing it loses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set

from pydantic import Field

from canonicalize.resolve import certainty
from kg.files import dump, load, write_atomic
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.ids import EntityId, RecordId
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
    _write(
        workspace,
        MergeReport(
            unsure=resolution.unsure,
            blocked=resolution.blocked,
            blocked_total=resolution.blocked_total,
            rounds=resolution.rounds,
        ),
    )


def update_report(
    workspace: Workspace,
    resolution: Resolution,
    *,
    type_of: Mapping[RecordId, str],
    gone: Set[RecordId],
    grown: Collection[EntityId] = (),
) -> None:
    """Put what a resolution of some entities left in the place of what the report said of them.

    ``type_of`` names the type of every record that the report may know, ``gone`` the records that are no
    more, ``grown`` the entities of the resolution of which what was reported still holds.
    """
    before = load_report(workspace) if workspace.merges_path.exists() else MergeReport()
    done = {record for group in resolution.groups if group.id not in grown for record in group.records}
    fresh = {(b.left, b.right) for b in resolution.blocked}

    def stays(records: Collection[RecordId]) -> bool:
        return not done.issuperset(records) and gone.isdisjoint(records)

    blocked = [b for b in before.blocked if stays((b.left, b.right)) and (b.left, b.right) not in fresh]
    total = Counter(before.blocked_total)
    total.subtract(type_of[b.left] for b in before.blocked)
    total.update(type_of[b.left] for b in blocked)
    total.update(resolution.blocked_total)
    unsure = [p for p in before.unsure if stays(p.records)]
    report = MergeReport(
        unsure=tuple(sorted((*unsure, *resolution.unsure), key=certainty)),
        blocked=tuple(sorted((*blocked, *resolution.blocked), key=lambda b: (-b.score, b.left, b.right))),
        blocked_total={kind: count for kind, count in sorted(total.items()) if count},
        rounds=resolution.rounds,
    )
    _write(workspace, report)


def _write(workspace: Workspace, report: MergeReport) -> None:
    data = dump(report)
    path = workspace.merges_path
    if not path.exists() or path.read_bytes() != data:
        write_atomic(path, data)


def load_report(workspace: Workspace) -> MergeReport:
    """The report of the latest resolution; ``UsageError`` when there was none."""
    if not workspace.merges_path.exists():
        raise UsageError("nothing was resolved yet; run `kg resolve` or `kg build`")
    return load(workspace.merges_path, MergeReport)
