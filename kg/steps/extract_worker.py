"""What a worker process of an extraction runs; it imports little, so that a worker starts fast."""

from __future__ import annotations

import os
from collections.abc import Mapping
from multiprocessing import parent_process
from threading import Thread

from kg.steps.recipe import Recipe
from schemas.documents import Document
from schemas.errors import CorpusGraphError
from schemas.graphs import DocumentGraph, Extraction

_recipe: list[Recipe] = []
"""Set once in each worker process."""


def start(recipe: Recipe) -> None:
    """Make this process a worker."""
    Thread(target=_end_with_parent, daemon=True).start()
    _recipe[:] = [recipe]


def ready() -> None:
    """Nobody waits for it: it only starts a worker."""


def extract(
    document: Document, given: Mapping[str, Extraction] | None = None
) -> DocumentGraph | CorpusGraphError:
    """The document's graph, as :meth:`~kg.steps.recipe.Recipe.extract` makes it."""
    return _recipe[0].extract(document, given)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work forever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
