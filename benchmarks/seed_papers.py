"""Extraction without a chat model beside the one of arXiv:2509.06855, on its own eleven papers.

The other graph was written by a chat model and checked by nobody, so recall is agreement, not truth. A
source of theirs counts as found when a source of ours in the same paper has the same known term, or a name
whose vector is nearer than ``SAME``; an observable when one of ours is of the same kind and names a decay
or particle of it. What only we find is judged by hand on a sample (``labels/seed_papers.jsonl``: ids and
verdicts only). The texts lost everything between a per cent sign and the end of its line: paragraphs whose
braces do not fit since are left out before they are read. They also lost the row ends of tables, which are
put back at the ends of lines with cells. An observable of theirs without a decay or a numbered state in its
name can match nothing: ``observable_recall_comparable`` is the share of the others.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness import DATA, Recorder, benchmark
from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from extraction.rules_compile import CompiledRules, compile_rules
from kg.adapters.embedders import choose_embedder
from kg.settings import read_environment
from schemas.documents import Document
from schemas.graphs import DocumentGraph, Record
from schemas.language.notation import find_decays
from schemas.ports import Embedder
from schemas.schema_files import load_schema

SET = DATA / "canon_seed_lhcb"
LABELS = Path(__file__).parent / "labels" / "seed_papers.jsonl"
SAME = 0.6
"""Raw cosine of MiniLM vectors of two names of one source; fixed beforehand."""
SAMPLE = 100
SEED = 11
_KINDS = ("ratio", "branching", "mass", "width", "lifetime", "asymmetry", "cross", "yield")


@dataclass(frozen=True, slots=True)
class Theirs:
    """An entity of the published graph."""

    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper with both graphs."""

    document: Document
    graph: DocumentGraph
    theirs: tuple[Theirs, ...]

    def ours(self, entity_type: str) -> list[Record]:
        return [r for r in self.graph.records if r.type == entity_type]


def papers() -> Iterator[Paper]:
    """All eleven."""
    schema, extractor = load_schema("particle_physics"), RuleExtractor()
    entities = [json.loads(line) for line in (SET / "entities.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        for line in (SET / "papers.jsonl").read_text().splitlines():
            row = json.loads(line)
            path = Path(folder) / f"{row['arxiv_id']}.tex"
            path.write_text(_source(row), encoding="utf-8")
            document = read_latex(path, root=Path(folder), missing_inputs_ok=True)
            mine = [e for e in entities if e["origin"] == "papers" and e["papers"] == [row["arxiv_id"]]]
            yield Paper(
                document,
                extract_document(document, schema, [extractor]),
                tuple(Theirs(e["type"], e["name"]) for e in mine),
            )


def _source(row: dict[str, Any]) -> str:
    text = re.sub(r"\\\\(?=[a-z])", r"\\", row["text"])
    whole = re.split(r"\n\s*\n|(?=\\(?:sub)*section\b|\\begin\{(?:table|figure)\})", text)
    kept = _with_row_ends("\n\n".join(p for p in whole if _balanced(p)))
    return f"\\begin{{abstract}}{row['abstract']}\\end{{abstract}}\n\n{kept}"


def _with_row_ends(text: str) -> str:
    tables = re.split(r"(\\begin\{tabular\}.*?\\end\{tabular\})", text, flags=re.DOTALL)
    return "".join(_rows(part) if part.startswith("\\begin{tabular}") else part for part in tables)


def _rows(table: str) -> str:
    def ended(line: str) -> str:
        plain = re.sub(r"\\ (?=\\hline)", r"\\\\ ", line.rstrip())
        whole = "&" in plain and not plain.endswith(("&", "\\")) and "\\\\" not in plain
        return plain + r" \\" if whole else plain

    return "\n".join(ended(line) for line in table.split("\n"))


def _balanced(text: str) -> bool:
    plain = re.sub(r"\\[{}\\]", "", text)
    opened = sorted(re.findall(r"\\begin\{(\w+\*?)\}", text))
    return plain.count("{") == plain.count("}") and opened == sorted(re.findall(r"\\end\{(\w+\*?)\}", text))


class Matcher:
    """Whether two names mean one thing."""

    def __init__(self, embedder: Embedder, rules: CompiledRules) -> None:
        self._embedder, self._rules = embedder, rules

    def sources(self, theirs: Sequence[str], ours: Sequence[Record]) -> list[bool]:
        """For each of theirs, whether ours has it."""
        if not ours:
            return [False] * len(theirs)
        names = [(n, r.id) for r in ours for n in (r.name, *r.aliases)]
        likeness = self._embedder.encode(list(theirs)) @ self._embedder.encode([n for n, _ in names]).T
        known = {r.name for r in ours}
        return [
            bool(row.max() >= SAME) or self._term(name) in known
            for name, row in zip(theirs, likeness, strict=True)
        ]

    def _term(self, name: str) -> str:
        for gazetteer in self._rules.gazetteers:
            for term in gazetteer.terms:
                if gazetteer.type == "uncertainty_source" and any(
                    f.pattern.fullmatch(name.lower()) or f.pattern.fullmatch(name) for f in term.forms
                ):
                    return term.name
        return ""


def same_observable(theirs: str, ours: Sequence[Record]) -> bool:
    """Of one kind, and about a decay or particle that both name."""
    things = _things(theirs)
    kinds = {k for k in _KINDS if k in theirs.lower()}
    return any(
        things & _things(" ".join((r.name, *r.aliases))) and (kinds & _kinds(r) or not kinds) for r in ours
    )


def _kinds(record: Record) -> set[str]:
    said = f"{record.name} {record.attributes.get('kind', '')}".lower()
    return {k for k in _KINDS if k in said} | ({"branching"} if record.name.startswith("BR(") else set())


def _things(text: str) -> set[str]:
    return {d.name for _, _, d in find_decays(text)} | set(re.findall(r"[A-Z]\w*_?\w*\(\d{4}\)", text))


def sample_of_new(found: Sequence[Paper], matcher: Matcher) -> list[tuple[Paper, Record]]:
    """``SAMPLE`` records of ours that they do not have, drawn with a seed."""
    new: list[tuple[Paper, Record]] = []
    for paper in found:
        for record in (*paper.ours("uncertainty_source"), *paper.ours("observable")):
            names = [t.name for t in paper.theirs if t.type == record.type]
            if record.type == "observable":
                known = any(same_observable(n, [record]) for n in names)
            else:
                known = any(matcher.sources(names, [record]))
            if not known:
                new.append((paper, record))
    random.Random(SEED).shuffle(new)
    return new[:SAMPLE]


def main() -> None:
    """Score; with ``--sample FILE`` write the records to judge instead."""
    found = list(papers())
    matcher = Matcher(
        choose_embedder(read_environment().cache), compile_rules(load_schema("particle_physics"))
    )
    new = sample_of_new(found, matcher)
    if sys.argv[1:2] == ["--sample"]:
        rows = [_to_judge(paper, record) for paper, record in new]
        Path(sys.argv[2]).write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows))
        return
    with benchmark("seed_papers") as record:
        _score(record, found, matcher, new)


def _to_judge(paper: Paper, record: Record) -> dict[str, object]:
    quotes = [e.quote for e in record.evidence[:3]]
    return {
        "paper": paper.document.key,
        "id": record.id,
        "type": record.type,
        "name": record.name,
        "quotes": quotes,
    }


def _score(
    record: Recorder, found: Sequence[Paper], matcher: Matcher, new: Sequence[tuple[Paper, Record]]
) -> None:
    sources = [
        hit
        for p in found
        for hit in matcher.sources(
            [t.name for t in p.theirs if t.type == "uncertainty_source"], p.ours("uncertainty_source")
        )
    ]
    observables = [
        same_observable(t.name, p.ours("observable"))
        for p in found
        for t in p.theirs
        if t.type == "observable"
    ]
    comparable = [bool(_things(t.name)) for p in found for t in p.theirs if t.type == "observable"]
    quotes = [
        p.document.text[e.start : e.end] == e.quote
        for p in found
        for e in (e for items in (p.graph.records, p.graph.statements) for i in items for e in i.evidence)
    ]
    ours = {kind: sum(len(p.ours(kind)) for p in found) for kind in ("uncertainty_source", "observable")}
    record.add(
        "source_recall", sum(sources) / len(sources), "share", note=f"of their {len(sources)}; ours {ours}"
    )
    record.add(
        "observable_recall", sum(observables) / len(observables), "share", note=f"of {len(observables)}"
    )
    record.add(
        "observable_recall_comparable",
        sum(observables) / sum(comparable),
        "share",
        note=f"of the {sum(comparable)} whose name can match",
    )
    record.add(
        "valid_quotes",
        sum(quotes) / len(quotes),
        "share",
        goal="= 1",
        anchor="theirs: 0.39 (letters and digits only)",
        note=f"{len(quotes)} quotes",
    )
    verdicts = _verdicts()
    judged = [verdicts[r.id] for _, r in new if r.id in verdicts]
    if judged:
        record.add(
            "precision_of_new",
            sum(judged) / len(judged),
            "share",
            note=f"{len(judged)} of the {len(new)} drawn were judged",
        )


def _verdicts() -> dict[str, bool]:
    rows = [json.loads(line) for line in LABELS.read_text().splitlines()] if LABELS.exists() else []
    return {row["id"]: bool(row["right"]) for row in rows}


if __name__ == "__main__":
    main()
