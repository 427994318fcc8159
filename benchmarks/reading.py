"""Reading: how fast, how much of it, and how much of the structure is found.

Beside the LaTeX reader runs pylatexenc (MIT, a peer that is no dependency) when it can be imported: it
parses a source into nodes, without files, user macros, tables or a text.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness import ROOT, Recorder, benchmark
from extraction.readers import find_documents, read_document
from extraction.readers.source import read_bytes
from schemas.documents import BlockKind, Document
from schemas.errors import ReadError

DATA = ROOT / ".." / "shared" / "data"
LABELS = ROOT / "benchmarks" / "labels" / "reading_counts.jsonl"
KINDS = {
    "heading": (BlockKind.HEADING, ("headings", "paragraphs_headings")),
    "caption": (BlockKind.CAPTION, ("captions",)),
    "equation": (BlockKind.EQUATION, ("displayed_equations",)),
}


@dataclass
class Reading:
    """What reading one set of files gave."""

    documents: dict[str, Document] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0
    kilobytes: float = 0.0

    def read(self, path: Path, root: Path) -> None:
        """Read one file and add up."""
        self.kilobytes += path.stat().st_size / 1_000
        began = time.perf_counter()
        try:
            self.documents[path.name.split(".tex")[0]] = read_document(
                path, root=root, missing_inputs_ok=True
            )
        except ReadError as e:
            self.failures.append(f"{path.name}: {e}")
        self.seconds += time.perf_counter() - began


def latex_files(folder: Path) -> Iterator[Path]:
    """The LaTeX corpus, and the papers kept as lines written out to ``folder``."""
    yield from sorted((DATA / "corpus_physics_latex" / "tex").glob("*.tex"))
    for line in (DATA / "qa_lhcb_systematics" / "papers.jsonl").read_text(encoding="utf-8").splitlines():
        paper: dict[str, Any] = json.loads(line)
        path = folder / f"{paper['arxiv_id']}.tex"
        path.write_text("".join(paper["lines"]), encoding="utf-8")
        yield path


def peer_speed(paths: list[Path]) -> str:
    """Speed of pylatexenc's parser on the same files, or that it is not there."""
    if importlib.util.find_spec("pylatexenc") is None:
        return "pylatexenc is not installed; its parser did 154 to 192 kB/s on another machine"
    walker: Any = importlib.import_module("pylatexenc.latexwalker").LatexWalker
    kilobytes = seconds = 0.0
    for path in paths:
        source = path.read_text(encoding="utf-8")
        began = time.perf_counter()
        walker(source).get_latex_nodes()
        seconds += time.perf_counter() - began
        kilobytes += len(source.encode()) / 1_000
    version = importlib.metadata.version("pylatexenc")
    return f"pylatexenc {version}, parser alone, in the same run: {kilobytes / seconds:.0f} kB/s"


def recall(record: Recorder, documents: dict[str, Document], floors: dict[str, Counter[str]]) -> None:
    """Headings, captions and displays found of those that were counted by hand."""
    if not LABELS.is_file():
        record.notes.append(f"no recall: {LABELS.relative_to(ROOT)} is not there")
        return
    labels = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    for name, (kind, fields) in KINDS.items():
        expected = found = scanned = surplus = 0
        for label in labels:
            wanted = sum(label[f] for f in fields)
            document = documents.get(label["id"])
            here = sum(b.kind is kind for b in document.blocks) if document else 0
            expected, found = expected + wanted, found + min(here, wanted)
            surplus += max(0, here - wanted)
            scanned += min(wanted, floors[label["id"]][name])
        record.add(
            f"{name}_recall",
            found / expected,
            "share",
            goal=">= 0.95",
            floor=f"a regular expression finds {scanned / expected:.3f}",
            note=f"{found} of {expected} in {len(labels)} documents, compared as counts per document with "
            f"counts by hand; {surplus} more than counted",
        )
    record.notes.append(
        "Not found on purpose: headings of acknowledgements and author contributions, which are left out; "
        "displays in an abstract or a footnote, which stay in its text."
    )


def naive(source: str) -> Counter[str]:
    """The floor: one obvious regular expression each, comments not removed."""
    return Counter(
        heading=len(re.findall(r"\\(?:sub)*section\{", source)),
        caption=len(re.findall(r"\\caption\{", source)),
        equation=len(re.findall(r"\\begin\{equation\}", source)),
    )


def latex(record: Recorder) -> None:
    """Figures of the LaTeX reader."""
    with tempfile.TemporaryDirectory() as folder:
        paths = list(latex_files(Path(folder)))
        reading = Reading()
        for path in paths:
            reading.read(path, path.parent)
        anchor = peer_speed(paths)
        floors = {p.name.removesuffix(".tex"): naive(p.read_text(encoding="utf-8")) for p in paths}
    record.add(
        "latex_kb_per_s",
        reading.kilobytes / reading.seconds,
        "kB/s",
        goal=">= 100",
        anchor=anchor,
        note=f"{len(paths)} documents, {reading.kilobytes:.0f} kB, one core, to blocks and source map",
    )
    record.add("latex_read", len(reading.documents), "documents", goal=f"= {len(paths)}")
    record.add("latex_exceptions", len(reading.failures), "documents", goal="= 0")
    record.notes += reading.failures
    recall(record, reading.documents, floors)


def jats(record: Recorder) -> None:
    """Figures of the JATS reader."""
    from lxml import etree

    reading = Reading()
    found = find_documents([DATA / "corpus_plos_jats" / "xml"])
    for path, root in found:
        reading.read(path, root)
    began = time.perf_counter()
    for path, root in found:
        etree.fromstring(read_bytes(path, root=root))
    floor = time.perf_counter() - began
    record.add(
        "jats_seconds",
        reading.seconds,
        "s",
        goal="<= 10",
        floor=f"unpacking and parsing alone: {floor:.2f} s",
        note=f"{len(found)} articles, one core",
    )
    record.add("jats_read", len(reading.documents), "documents", goal=f"= {len(found)}")
    record.add("jats_exceptions", len(reading.failures), "documents", goal="= 0")
    record.notes += reading.failures


def main() -> None:
    """Run it."""
    with benchmark("reading") as record:
        latex(record)
        jats(record)


if __name__ == "__main__":
    main()
