"""How often a chat model is asked for one question, and for how long."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, Self

from pydantic import Field, model_validator

from schemas.model import Frozen

FEWEST: Final = 3
"""Samples that share a result, at least."""
SHARE: Final = Fraction(3, 5)
"""Of all samples, at least."""


class LlmQuerySettings(Frozen):
    """Samples, repair rounds and limits of the queries that a chat model writes.

    Few that agree are no vote: at least three samples must share a result, and at least 60 % of all that are
    asked for (3 of 5, 6 of 10), so that no other result can have as many. At most two rounds of repair.
    """

    samples: int = Field(5, ge=FEWEST, le=15)
    """Queries asked for (arXiv:2203.11171 votes over samples; 5 as the cost allows)."""
    agree: int = Field(3, ge=FEWEST, le=15)
    """Samples that must share a result for it to count: at least 60 % of all."""
    rounds: int = Field(2, ge=0, le=2)
    """Most rounds in which the findings of the gate are sent back."""
    shots: int = Field(5, ge=0, le=20)
    """Verified examples in the prompt."""
    temperature: float = Field(0.7, ge=0, le=2)
    """Of the samples after the first, which has 0."""
    max_tokens: int = Field(1_024, ge=128)
    """Of one reply."""
    seconds: float = Field(30.0, gt=0, le=600)
    """For all replies to one question; what comes later does not count."""
    margin: float = Field(0.5, ge=0)
    """Lead of the service's reading over the next best, in scores, below which samples may outvote it."""
    sure: float = Field(0.8, ge=0, le=1)
    """Confidence below which they may where no other reading was scored, as on the own graph."""

    @model_validator(mode="after")
    def _can_agree(self) -> Self:
        if self.agree > self.samples:
            raise ValueError(
                f"expected agree to be at most samples ({self.samples}), found {self.agree}: so many queries "
                "cannot agree; set answers.llm.agree lower or answers.llm.samples higher"
            )
        least = math.ceil(SHARE * self.samples)
        if self.agree < least:
            raise ValueError(
                f"expected agree to be at least {least} of {self.samples} samples (60 %), found "
                f"{self.agree}; set answers.llm.agree to {least} or answers.llm.samples lower"
            )
        return self
