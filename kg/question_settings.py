"""What is kept of the questions that are asked."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.model import Frozen


class QuestionSettings(Frozen):
    """What the ledger keeps of questions, and of the queries that analysts write."""

    record: Literal["full", "outcome", "off"] = "full"
    """``full``: question, query and outcome; ``outcome``: how it ended and how long it took, without any
    words of the asker; ``off``: nothing."""
    keep: int = Field(10_000, ge=1)
    """Questions kept, and as many queries; of more the oldest go, those without a reviewer's mark first."""
