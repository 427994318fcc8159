"""Every document of the measuring corpora reads, and holds what simple counts say it should."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from extraction.chunks import chunk_document
from extraction.readers import find_documents, read_document
from schemas.documents import BlockKind

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
LATEX, JATS = DATA / "corpus_physics_latex", DATA / "corpus_plos_jats"


def _needs(folder: Path) -> None:
    if not folder.is_dir():
        pytest.skip(f"the measuring data are not beside the checkout ({folder})")


@pytest.mark.shared
def test_latex_corpus() -> None:
    _needs(LATEX)
    entries = [
        json.loads(line) for line in (LATEX / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    counts: Counter[str] = Counter()
    for entry in entries:
        document = read_document(
            LATEX / "tex" / f"{entry['id']}.tex", root=LATEX / "tex", missing_inputs_ok=True
        )
        assert chunk_document(document)
        counts.update(b.kind.value for b in document.blocks)
        counts["sections"] += len(document.sections) - 1
        counts.update({f"expected {name}": entry[name] for name in ("captions", "equations", "sections")})
    assert counts["caption"] == pytest.approx(counts["expected captions"], rel=0.05)
    assert counts["equation"] == pytest.approx(counts["expected equations"], rel=0.05)
    assert counts["sections"] == pytest.approx(counts["expected sections"], rel=0.08)


@pytest.mark.shared
def test_lhcb_uncertainty_table() -> None:
    _needs(LATEX)
    document = read_document(LATEX / "tex" / "lhcb-1906.08350.tex", root=LATEX / "tex")
    assert (document.key, document.experiment) == ("1906.08350", "LHCb")
    table = next(b for b in document.blocks if b.label == "tab:CharmSyst" and b.kind is BlockKind.TABLE)
    assert [c.text for c in table.cells if c.header] == ["Source", "r_{Λ^+_c}", "r_{Ξ^+_c}", "r_{Ξ^0_c}"]
    assert len(table.cells) == 40
    assert "Acknowledgements" not in document.text


@pytest.mark.shared
def test_jats_corpus() -> None:
    _needs(JATS)
    with gzip.open(JATS / "articles.jsonl.gz", "rt", encoding="utf-8") as stream:
        articles = [json.loads(line) for line in stream]
    expected = {article["doi"].lower(): len(article["captions"]) for article in articles}
    found = {}
    for path, root in find_documents([JATS / "xml"]):
        document = read_document(path, root=root)
        found[document.identifiers.doi] = sum(b.kind is BlockKind.CAPTION for b in document.blocks)
    assert found == expected
