"""What is said of conditions that may have emptied an answer and were not looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NOT_LOOKED_AT: Final = "Which condition leaves nothing was not looked at."
"""Of an empty answer whose conditions were not tried at all."""


def not_all(held: Sequence[bool | None], *, of: int) -> str:
    """That some of so many conditions were not looked at; empty where all were, or there are none.

    ``held`` says for those that were tried whether anything is found without them, None where that was not
    found out.

    >>> not_all([True, None], of=3)
    'What leaving out each of 2 of its 3 conditions finds was not looked at.'
    >>> not_all([None], of=1), not_all([False, True], of=2)
    ('What leaving out its condition finds was not looked at.', '')
    """
    missing = of - sum(found is not None for found in held)
    if not missing:
        return ""
    if of == 1:
        which = "its condition"
    elif missing == of:
        which = f"each of its {of} conditions"
    else:
        which = f"{'one' if missing == 1 else f'each of {missing}'} of its {of} conditions"
    return f"What leaving out {which} finds was not looked at."
