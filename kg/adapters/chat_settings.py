"""Which chat model is asked, within which limits, and at what price."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, field_validator

from schemas.model import Frozen
from schemas.ports import ChatReply


class ChatSettings(Frozen):
    """Which chat model to ask, how patiently, and at what price."""

    base_url: str
    """``http(s)://host/v1``, without user or password."""
    model: str = Field(min_length=1)
    api_key_env: str = ""
    """Name of the environment variable that holds the key; empty for a server without keys."""
    timeout: float = Field(120.0, gt=0, le=3_600)
    """Seconds without any byte from the server, after which an attempt is given up."""
    deadline: float = Field(600.0, gt=0, le=7_200)
    """Seconds for one attempt in all, however the server spreads its bytes."""
    max_reply_mb: int = Field(8, ge=1, le=256)
    """Largest HTTP reply that is read, in MB (2^20 bytes)."""
    expected_seconds: float = Field(5.0, gt=0, le=3_600)
    """Of one call, for forecasts before the model was ever asked."""
    concurrency: int = Field(4, ge=1, le=64)
    """Requests in the air at once."""
    max_retries: int = Field(4, ge=0, le=10)
    price_prompt: float = Field(0.0, ge=0)
    """Per million prompt tokens, in a currency of your choice."""
    price_completion: float = Field(0.0, ge=0)
    """Per million completion tokens."""
    currency: str = Field("USD", pattern=r"^[A-Z]{3}$")
    """Of the prices and of budgets, as three letters."""
    requests_per_minute: int = Field(0, ge=0)
    """That may begin in any 60 seconds, retries included; 0 for no limit."""
    tokens_per_minute: int = Field(0, ge=0)
    """Of prompts and replies in any 60 seconds; 0 for no limit."""

    @field_validator("base_url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("expected http://host/v1 or https://host/v1")
        if parts.username or parts.password:
            raise ValueError("must not hold a user or password; put the key into the variable api_key_env")
        return value

    def cost(self, reply: ChatReply) -> float:
        """Price of a reply; nothing for one from the cache.

        >>> settings = ChatSettings(base_url="http://127.0.0.1/v1", model="m", price_prompt=2.0)
        >>> settings.cost(ChatReply(text="", finish_reason="stop", model="m", prompt_tokens=500_000))
        1.0
        """
        if reply.cached:
            return 0.0
        return self.price(reply.prompt_tokens, reply.completion_tokens)

    def price(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Price of so many tokens."""
        return (prompt_tokens * self.price_prompt + completion_tokens * self.price_completion) / 1_000_000
