"""What own questions on the crime graph teach of its words; see ``cypher.semantics.evidence``.

All families of :mod:`benchmarks.pole_questions` are learned from, those parts too whose errors nobody read.
As a benchmark it scores families that were left out, with and without what the others teach.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from rich.console import Console

from benchmarks.executed import Gated, report_refused
from benchmarks.harness import ROOT, benchmark
from benchmarks.pole_questions import FAMILIES, PARTS, Family, questions, score
from benchmarks.pole_words import spoken
from benchmarks.property_graphs import LOADERS, graph
from cypher.examples import named_in
from cypher.semantics.evidence import Evidence, learn, masked, spelled
from cypher.semantics.mentions import Linked
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from kg.adapters.encoder_training import steps_of
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.question_encoder import QuestionEncoder
from kg.model_files import ensure_models
from kg.progress import ConsoleProgress
from kg.question_encoders import Said, fingerprint, load_encoder, save_encoder, train_encoder
from kg.settings import read_environment
from schemas.errors import ModelUnavailableError
from schemas.store_schema import StoreSchema

KEPT: Final = ROOT / "build" / "encoders"
LEFT_OUT: Final[tuple[Family, ...]] = ("own", "long", "edges", "joint", "crowd")
"""Families whose ``held`` parts nobody read."""
OTHER_SHARES: Final[frozenset[Family]] = frozenset({"crowd"})
"""Families in which all relations are equally frequent and most questions are long: what is learned from
them expects that, and gets short questions on usual relations wrong."""


def learned(
    reader: SemanticReader,
    schema: StoreSchema,
    *,
    without: Collection[Family] = (),
    same: Mapping[str, str] = MappingProxyType({}),
) -> Evidence | None:
    """What the questions of the other families teach; types go by their name in ``same``, if any.

    Names are found as ``reader`` finds them.
    """
    families = [family for family in FAMILIES if family not in OTHER_SHARES.union(without)]
    asked = [one for family in families for one in _asked(reader, schema, family, same)]
    found = learn([(masked(linked), names) for linked, names in asked])
    encoder = _encoder([(spelled(linked), names) for linked, names in asked])
    return replace(found, same=same, encoder=encoder) if found else None


def _asked(
    reader: SemanticReader, schema: StoreSchema, family: Family, same: Mapping[str, str]
) -> Iterator[tuple[Linked, frozenset[str]]]:
    for part in PARTS:
        for row in questions(family, part):
            yield reader.link(row.question, given=row.given), named_in(row.cypher_nodes, schema, same)


def _encoder(said: Said) -> QuestionEncoder | None:
    """An encoder trained on these questions, which takes about half an hour on a slow core; it is kept."""
    files = ensure_models(read_environment().cache).onnx
    if files is None:
        raise ModelUnavailableError("expected MiniLM's files, found none; run `kg setup`")
    learned = fingerprint(said, files)
    file = KEPT / f"{learned[:16]}.safetensors"
    if not file.exists():
        progress = ConsoleProgress(Console(stderr=True))
        with progress.task("training an encoder", total=steps_of(len(said)), unit="steps") as task:
            found = train_encoder(said, files, done=task.advance)
        if found is None:
            return None
        save_encoder(found, file, learned=learned)
    return load_encoder(file, files, learned=learned)


def main() -> None:
    """Score the held parts of the families whose errors nobody read."""
    with benchmark("pole_evidence") as record, graph("pole", LOADERS["pole"]) as connection:
        schema, way = infer_schema(connection), Way(one=True)
        values = ValueTable(read_values(connection, schema))
        plain = SemanticReader(schema, values, spoken(), way=way)
        evidence = learned(plain, schema, without=LEFT_OUT)
        taught = SemanticReader(schema, values, spoken(), way=way, evidence=evidence)
        gated = Gated(connection, schema)
        for family in LEFT_OUT:
            rows = tuple(questions(family, "held"))
            for name, reader in (("plain", plain), ("taught", taught)):
                asked, right = score(gated, reader, rows, given=True)
                share, note = 100 * right.total() / asked.total(), f"n={asked.total()}, gold entities"
                record.add(f"{family}_held_{name}", share, "%", note=note)
        report_refused(record, gated.refused)


if __name__ == "__main__":
    main()
