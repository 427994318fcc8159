"""What forbids two units in one entity."""

from __future__ import annotations

from collections.abc import Sequence

from canonicalize.exact import identities_differ, row_pairs
from canonicalize.features import MAX_FORM, Unit
from canonicalize.linkage import Forbids
from canonicalize.normal_forms import NormalForms
from schemas.graphs import RecordColumns
from schemas.review import Blocked, Constraints


def name_veto(left: str, right: str, names: NormalForms) -> str | None:
    """The veto between two names, if any; names too long to be compared are apart unless they are equal."""
    if left == right or not names.kind.canonicalization.vetoes:
        return None
    if max(len(left), len(right)) > MAX_FORM:
        return "length"
    return names.veto(left, right)


def pair_rule(
    table: RecordColumns,
    units: Sequence[Unit],
    names: NormalForms,
    *,
    constraints: Constraints,
    refused: Sequence[Blocked],
) -> Forbids:
    """What forbids two units in one entity: a cannot-link, identity, one document, a veto.

    What the exact stage refused (``refused``), similarity does not join either.
    """
    row_of: dict[str, int] = {record: row for row, record in enumerate(table.ids)}
    unit_of = {row: index for index, unit in enumerate(units) for row in unit.records}
    banned: dict[tuple[int, int], str] = {}
    for block in refused:
        a, b = sorted((unit_of[row_of[block.left]], unit_of[row_of[block.right]]))
        banned[a, b] = block.rule
    for left, right, seq in sorted(row_pairs(constraints.cannot_link, row_of), key=lambda p: p[2]):
        a, b = sorted((unit_of[left], unit_of[right]))
        banned[a, b] = f"cannot_link:{seq}"

    def forbids(left: int, right: int) -> str | None:
        a, b = units[left], units[right]
        known = banned.get((min(left, right), max(left, right)))
        if known is not None:
            return known
        if identities_differ(a.identity, b.identity):
            return "identity"
        if not a.documents.isdisjoint(b.documents):
            return "same_document"
        found = (name_veto(x, y, names) for x in a.names for y in b.names)
        rule = next((rule for rule in found if rule), None)
        return f"veto:{rule}" if rule else None

    return forbids
