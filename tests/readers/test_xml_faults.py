"""Broken XML is told in words for people, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.readers.registry import read_document
from schemas.errors import ReadError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<a>" * 300 + "</a>" * 300, "paper.xml:1: expected at most 200 nested elements, found more"),
        ("<a>\n<b>\n</a>", "paper.xml:3: expected well-formed XML, found <b> of line 2 closed by </a>"),
        ("<a>\n&alpha;</a>", "paper.xml:2: expected well-formed XML, found the entity &alpha;"),
        ("<a", "found a tag <a that has no end"),
    ],
)
def test_xml_faults(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "paper.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read_document(path, root=tmp_path)
    assert words in str(caught.value)
    assert "<string>" not in str(caught.value)
