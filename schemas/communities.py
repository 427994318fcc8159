"""Communities of the canonical graph and their reports."""

from __future__ import annotations

from schemas.ids import EntityId, StatementId
from schemas.model import Frozen


class Community(Frozen):
    """A group of entities at one level of the hierarchy (0 is the finest)."""

    id: str
    """Hash of level and members."""
    level: int
    members: tuple[EntityId, ...]
    """Sorted."""
    parent: str | None = None


class Finding(Frozen):
    """One sentence of a report and the statements it rests on (at least one)."""

    text: str
    statements: tuple[StatementId, ...]


class CommunityReport(Frozen):
    """What a community is about."""

    community: str
    title: str
    summary: str
    findings: tuple[Finding, ...]
    summarizer: str
    """Name and version, for example ``extractive/1``."""


class Communities(Frozen):
    """A partition of the entities that belong to components of the minimum size, per level."""

    seed: int
    quality: float
    """Modularity at level 0, in [-0.5, 1]."""
    algorithm: str
    communities: tuple[Community, ...]
    dropped: tuple[EntityId, ...]
    """Entities in weakly connected components below the minimum size: kept, and not grouped."""
