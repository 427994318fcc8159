"""Whether somebody still waits for a result: what takes long is told how to ask, as ``gone``."""

from __future__ import annotations


def never() -> bool:
    """Of a result that is wanted whatever happens: nobody goes away."""
    return False
