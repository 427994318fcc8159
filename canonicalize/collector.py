"""Python's garbage collector while very many objects are made that form no circles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def older_objects_left_alone() -> Iterator[None]:
    """Within, the collector looks only at objects that were made within.

    A full collection walks through every object of the process, loaded libraries included, and the more are
    made the more often it comes. What was there before is looked at again afterwards. Where the application
    has frozen its own objects, nothing is changed.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
