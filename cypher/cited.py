"""How many statements and citations an answer keeps: the same for every way of answering."""

from __future__ import annotations

from typing import Final

MAX_STATEMENTS: Final = 20
"""Statement ids kept for each row and relation."""
MAX_CITATIONS: Final = 100
"""Most citations of one answer."""
