"""Every document of the measuring corpora reads, and holds what independent counts say it should.

The counts here are simple scans of the source that share no code with the readers. Known, wanted
differences are corrected in the scan: headings of what is left out (acknowledgements and the like), and
displays inside an abstract or a footnote, which stay in its text.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from extraction.chunks import chunk_document
from extraction.readers import find_documents, read_document
from schemas.documents import BlockKind, Document

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
LATEX, JATS, LHCB = DATA / "corpus_physics_latex", DATA / "corpus_plos_jats", DATA / "qa_lhcb_systematics"
LABELS = Path(__file__).resolve().parents[2] / "benchmarks" / "labels" / "reading_counts.jsonl"
COUNTED = (BlockKind.HEADING, BlockKind.CAPTION, BlockKind.EQUATION)
MARGIN = 2
"""Displays that a document may hold inside its abstract or in footnotes."""

_COMMENT = re.compile(r"(?<!\\)%.*")
_HEADING = re.compile(r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\[[^\]]*\]\s*)?\{([^{}]*)")
_CAPTION = re.compile(r"\\(?:caption|captionof\s*\{\w+\}|figcaption|tablecaption)\*?\s*[\[{]")
_ENVIRONMENT = re.compile(
    r"\\begin\s*\{(?:equation|align|alignat|eqnarray|gather|multline|displaymath|flalign)\*?\}"
)
_BRACKET = re.compile(r"(?<!\\)\\\[")
_DOLLARS = re.compile(r"(?<!\\)\$\$")
_LEFT_OUT = re.compile(r"\s*(?:acknowledge?ments?|author contributions?|references)", re.IGNORECASE)


def _needs(folder: Path) -> None:
    if not folder.is_dir():
        pytest.skip(f"the measuring data are not beside the checkout ({folder})")


def scanned(source: str) -> Counter[BlockKind]:
    """Headings, captions and displays by regular expressions over the source."""
    text = _COMMENT.sub("", source).partition("\\begin{document}")
    body = (text[2] or text[0]).partition("\\end{document}")[0]
    headings = [m for m in _HEADING.finditer(body) if not _LEFT_OUT.match(m.group(1))]
    displays = len(_ENVIRONMENT.findall(body)) + len(_BRACKET.findall(body))
    return Counter(
        {
            BlockKind.HEADING: len(headings),
            BlockKind.CAPTION: len(_CAPTION.findall(body)),
            BlockKind.EQUATION: displays + len(_DOLLARS.findall(body)) // 2,
        }
    )


Paper = tuple[str, str, Document]
"""Id, source and document."""


@pytest.fixture(scope="module")
def latex(tmp_path_factory: pytest.TempPathFactory) -> list[Paper]:
    """All papers in LaTeX, each read once."""
    _needs(LATEX)
    return list(latex_papers(tmp_path_factory.mktemp("lhcb")))


def latex_papers(tmp_path: Path) -> Iterator[Paper]:
    """The papers; those kept as lines are written out first."""
    for path in sorted((LATEX / "tex").glob("*.tex")):
        source = path.read_text(encoding="utf-8")
        yield path.stem, source, read_document(path, root=path.parent, missing_inputs_ok=True)
    for line in (LHCB / "papers.jsonl").read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        path = tmp_path / f"{paper['arxiv_id']}.tex"
        path.write_text("".join(paper["lines"]), encoding="utf-8")
        yield paper["arxiv_id"], path.read_text(encoding="utf-8"), read_document(path, root=tmp_path)


def counted(document: Document) -> Counter[BlockKind]:
    return Counter(block.kind for block in document.blocks)


@pytest.mark.shared
def test_latex_counts_agree_with_a_scan_of_the_source(latex: list[Paper]) -> None:
    number, wrong = 0, []
    for name, source, document in latex:
        number += 1
        assert chunk_document(document)
        found, expected = counted(document), scanned(source)
        for kind in COUNTED:
            slack = MARGIN if kind is BlockKind.EQUATION else 0
            missing = expected[kind] - found[kind]
            if not 0 <= missing <= slack:
                wrong.append((name, kind.value, found[kind], expected[kind]))
    assert (number, wrong) == (34, [])


@pytest.mark.shared
def test_latex_counts_agree_with_hand_labels(latex: list[Paper]) -> None:
    labels = {row["id"]: row for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())}
    wrong = []
    for name, source, document in latex:
        label, found = labels[name], counted(document)
        left_out = sum(bool(_LEFT_OUT.match(m.group(1))) for m in _HEADING.finditer(source))
        missing = (
            label["headings"] + label["paragraphs_headings"] - found[BlockKind.HEADING] - left_out,
            label["captions"] - found[BlockKind.CAPTION],
            label["displayed_equations"] - found[BlockKind.EQUATION],
        )
        if missing[:2] != (0, 0) or not 0 <= missing[2] <= 1:
            wrong.append((name, missing))
    assert wrong == []


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
def test_jats_counts_agree_with_the_source() -> None:
    _needs(JATS)
    with gzip.open(JATS / "articles.jsonl.gz", "rt", encoding="utf-8") as stream:
        articles = [json.loads(line) for line in stream]
    captions = {article["doi"].lower(): len(article["captions"]) for article in articles}
    found, wrong = {}, []
    for path, root in find_documents([JATS / "xml"]):
        document = read_document(path, root=root)
        counts = counted(document)
        found[document.identifiers.doi] = counts[BlockKind.CAPTION]
        tree = etree.fromstring(gzip.decompress(path.read_bytes()), etree.XMLParser(load_dtd=False))
        expected = _jats_counts(tree)
        if (counts[BlockKind.HEADING], counts[BlockKind.EQUATION]) != expected:
            wrong.append((path.name, counts[BlockKind.HEADING], counts[BlockKind.EQUATION], expected))
        _leads_back(document, tree, wrong)
    assert found == captions
    assert wrong == []


def _jats_counts(tree: etree._Element) -> tuple[int, int]:
    """Headings and displays of body and appendices; what is left out and mere pictures are not counted."""
    titles = (
        "./body//sec/title | ./back//app//title[parent::app or parent::sec] | ./back/sec//title[parent::sec]"
    )
    headings = [
        title
        for title in tree.xpath(titles)
        if "".join(title.itertext()).strip()
        and not any(_LEFT_OUT.match("".join(t.itertext())) for t in title.xpath("ancestor::sec/title"))
    ]
    displays = tree.xpath("(./body//disp-formula | ./back//app//disp-formula)[.//*[not(self::label)]/text()]")
    return len(headings), len(displays)


def _leads_back(document: Document, tree: etree._Element, wrong: list[tuple[object, ...]]) -> None:
    """The XPath of a paragraph names one element, and that element holds its first words."""
    for block in document.blocks[:: max(1, len(document.blocks) // 40)]:
        if block.kind is not BlockKind.PARAGRAPH:
            continue
        place = document.source_map.locate(block.start)
        (element,) = tree.xpath(place.path)
        first = re.findall(r"[A-Za-z]{5,}", block.text)[:1]
        if first and first[0] not in "".join(element.itertext()):
            wrong.append((document.key, place.path, block.text[:40]))
