"""The measuring data beside the checkout, read in place through their own reader."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.harness import ROOT
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import UsageError
from schemas.ids import DocumentKey

DATA = ROOT.parent / "shared" / "data"


def tool(name: str) -> ModuleType:
    """The module ``load`` or ``metrics`` of the data folder."""
    path = DATA / f"{name}.py"
    if not path.is_file():
        raise UsageError(f"expected the measuring data at {DATA}, found none; put them beside the checkout")
    spec = importlib.util.spec_from_file_location(f"shared_{name}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def tables(folder: str) -> dict[str, list[Any]]:
    """All tables of one set, by name."""
    found: dict[str, list[Any]] = tool("load").read(folder)
    return found


def plain_document(key: str, parts: list[tuple[BlockKind, str]]) -> Document:
    """A document of one section whose blocks are the parts, joined by single spaces."""
    text = " ".join(part for _, part in parts)
    blocks: list[Block] = []
    at = 0
    for kind, part in parts:
        if part:
            blocks.append(Block(kind=kind, start=at, end=at + len(part), text=part, section=0))
        at += len(part) + 1
    return Document(
        key=DocumentKey(key),
        kind=DocumentKind.TEXT,
        title=parts[0][1] if len(parts) > 1 else "",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=tuple(blocks),
        source_map=SourceMap(files=(str(Path(key).name),), offsets=(0,), file_of=(0,), lines=(1,)),
    )
