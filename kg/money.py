"""Amounts of money as they are written on the command line."""

from __future__ import annotations

import re

from kg.adapters.openai_chat import ChatSettings
from schemas.errors import UsageError

_AMOUNT = re.compile(r"\s*(?P<amount>\d{1,9}(?:\.\d{1,9})?)\s*(?P<currency>[A-Za-z]{3})?\s*", re.ASCII)


def parse_budget(text: str, settings: ChatSettings) -> float:
    """The amount of a budget such as ``5USD`` or ``0.50``, in the currency of the prices.

    ``UsageError`` for anything else, another currency, or settings without prices, under which no
    amount would ever be passed.

    >>> settings = ChatSettings(base_url="http://127.0.0.1/v1", model="m", price_prompt=2.0)
    >>> parse_budget("5USD", settings), parse_budget("0.5", settings)
    (5.0, 0.5)
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise UsageError(f"expected an amount like 5{settings.currency}, found {text[:40]!r}")
    currency = (match["currency"] or settings.currency).upper()
    if currency != settings.currency:
        raise UsageError(
            f"the prices of [chat] are in {settings.currency}, found a budget in {currency}; "
            "give it in that currency, or set chat.currency and the prices"
        )
    if not (settings.price_prompt or settings.price_completion):
        raise UsageError(
            "a budget needs prices: set chat.price_prompt and chat.price_completion (per million tokens)"
        )
    return float(match["amount"])
