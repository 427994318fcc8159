"""How often a chat model is asked for one question, and for how long."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from schemas.model import Frozen


class LlmQuerySettings(Frozen):
    """Samples, repair rounds and limits of the queries that a chat model writes."""

    samples: int = Field(5, ge=1, le=15)
    """Queries asked for (arXiv:2203.11171 votes over samples; 5 as the cost allows)."""
    agree: int = Field(3, ge=1, le=15)
    """Samples that must share a result for it to count."""
    rounds: int = Field(2, ge=0, le=4)
    """Most rounds in which the findings of the gate are sent back."""
    shots: int = Field(5, ge=0, le=20)
    """Verified examples in the prompt."""
    temperature: float = Field(0.7, ge=0, le=2)
    """Of the samples after the first, which has 0."""
    max_tokens: int = Field(1_024, ge=128)
    """Of one reply."""
    seconds: float = Field(30.0, gt=0, le=600)
    """For all replies to one question; what comes later does not count."""
    sure: float = Field(0.8, ge=0, le=1)
    """Confidence below which the service's own reading is open to the samples' vote."""

    @model_validator(mode="after")
    def _can_agree(self) -> Self:
        if self.agree > self.samples:
            raise ValueError(
                f"expected agree to be at most samples ({self.samples}), found {self.agree}: so many queries "
                "cannot agree; set answers.llm.agree lower or answers.llm.samples higher"
            )
        return self
