"""The PDG listings as a structured source: counts and traps against the tables themselves, by SQL."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import schemas
from extraction.readers.pdg import PdgSource, pdg_citation, read_pdg
from extraction.readers.pdg_tables import default_database
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.errors import ReadError, SchemaError, UsageError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Origin, Record, Statement
from schemas.ids import content_hash

Pair = tuple[Document, DocumentGraph]


@pytest.fixture(scope="module")
def schema() -> GraphSchema:
    path = Path(schemas.__file__).parent / "catalog" / "particle_physics.yaml"
    types = path.read_text(encoding="utf-8").split("\nrules:")[0]  # the rules are for texts
    return GraphSchema.model_validate(yaml.safe_load(types))


@pytest.fixture(scope="module")
def source(schema: GraphSchema) -> PdgSource:
    return read_pdg(schema, experiment="lhcb")


@pytest.fixture(scope="module")
def pairs(source: PdgSource) -> list[Pair]:
    return list(source)


@pytest.fixture(scope="module")
def sql() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(f"file:{default_database()}?mode=ro", uri=True)
    yield db
    db.close()


def statements(pairs: list[Pair], kind: str) -> list[Statement]:
    return [s for _, g in pairs for s in g.statements if s.type == kind]


def paper(pairs: list[Pair], document_id: str) -> Pair:
    return next((d, g) for d, g in pairs for r in g.records if r.attributes.get("document_id") == document_id)


def determined(pair: Pair, pdgid: str) -> list[Statement]:
    records = {r.id: r for r in pair[1].records}
    return [
        s
        for s in pair[1].statements
        if s.type == "determines" and records[s.object].attributes["pdgid"] == pdgid
    ]


def test_lhcb_counts(source: PdgSource, pairs: list[Pair], sql: sqlite3.Connection) -> None:
    papers = [(d, g) for d, g in pairs if d.kind is DocumentKind.PDG_PAPER]
    particles = [d for d, _ in pairs if d.kind is DocumentKind.PDG_PARTICLE]
    assert len(papers) == 629
    assert len(source) == len(pairs) == len(papers) + len(particles)
    assert sum(b.kind is BlockKind.PARAGRAPH for d, _ in papers for b in d.blocks) == 2972
    assert len(statements(pairs, "determines")) == 2980
    (concerned,) = sql.execute(
        "select count(distinct substr(pdgid, 1, 4)) from pdgmeasurement where technique = 'LHCB'"
    ).fetchone()
    assert len(particles) == concerned


def test_limits_and_superseded_measurements_by_the_tables_own_count(
    pairs: list[Pair], sql: sqlite3.Connection
) -> None:
    rows = statements(pairs, "determines")
    (replaced,) = sql.execute(
        "select count(*) from pdgmeasurement m join pdgmeasurement_values v on v.pdgmeasurement_id = m.id"
        " where m.technique = 'LHCB' and m.comment like '%Repl. by%'"
    ).fetchone()
    assert sum("superseded_by" in s.attributes for s in rows) == replaced == 379
    limits = sql.execute(
        "select v.limit_type, count(*) from pdgmeasurement m join pdgmeasurement_values v"
        " on v.pdgmeasurement_id = m.id where m.technique = 'LHCB' and v.limit_type is not null group by 1"
    )
    words = {"U": "upper", "L": "lower", "R": "range", "X": "excluded range"}
    assert Counter(s.attributes["limit"] for s in rows if "limit" in s.attributes) == {
        words[code]: count for code, count in limits
    }
    ids = {d for (d,) in sql.execute("select trim(document_id) from pdgreference")}
    assert {s.attributes["superseded_by"] for s in rows if "superseded_by" in s.attributes} <= ids


def test_numbers_are_those_of_the_tables(pairs: list[Pair], sql: sqlite3.Connection) -> None:
    ours = Counter(
        (s.attributes["value"], s.attributes.get("stat_plus"), s.attributes.get("syst_minus"))
        for s in statements(pairs, "determines")
        if "stat_plus" in s.attributes and "value" in s.attributes
    )
    theirs = Counter(
        sql.execute(
            "select v.value, v.stat_error_positive, v.syst_error_negative from pdgmeasurement m"
            " join pdgmeasurement_values v on v.pdgmeasurement_id = m.id where m.technique = 'LHCB'"
            " and v.stat_error_positive is not null and v.syst_error_positive is not null"
        ).fetchall()
    )
    assert sum(theirs.values()) >= 2152
    assert theirs - ours == Counter()


def test_evidence_is_in_the_text_and_ends_exist(pairs: list[Pair]) -> None:
    for document, graph in pairs:
        assert graph.version == document.version
        items: list[Record | Statement] = [*graph.records, *graph.statements]
        for item in items:
            assert item.evidence
            assert item.origin is Origin.PDG_TABLES
            assert item.extractor == "pdg/2"
            for e in item.evidence:
                assert document.text[e.start : e.end] == e.quote
                assert e.quote


def test_records_and_attributes_fit_the_schema(pairs: list[Pair], schema: GraphSchema) -> None:
    allowed: dict[str, dict[str, tuple[str, ...]]] = {
        t.name: {a.name: a.enum for a in t.attributes} for t in (*schema.entities, *schema.relations)
    }
    ends = {r.name: (r.subjects, r.objects) for r in schema.relations}
    for _, graph in pairs:
        types = {r.id: r.type for r in graph.records}
        for item in (*graph.records, *graph.statements):
            for name, value in item.attributes.items():
                enum = allowed[item.type][name]
                assert not enum or value in enum
        for s in graph.statements:
            assert types[s.subject] in ends[s.type][0]
            assert types[s.object] in ends[s.type][1]


def test_iterating_twice_gives_equal_documents_and_graphs(source: PdgSource, pairs: list[Pair]) -> None:
    again = [content_hash(d.model_dump(mode="json"), g.model_dump(mode="json")) for d, g in source]
    assert again == [content_hash(d.model_dump(mode="json"), g.model_dump(mode="json")) for d, g in pairs]


def test_keys_are_unique_and_every_document_is_attributed(pairs: list[Pair]) -> None:
    keys = [d.key for d, _ in pairs]
    assert len(set(keys)) == len(keys)
    line = f"Data: {pdg_citation()} — CC BY 4.0"
    for document, _ in pairs:
        assert document.attribution == line
        assert document.licence == "CC BY 4.0"
    assert "<" not in pdg_citation()
    assert "Particle Data Group" in pdg_citation()


def test_an_article_and_its_erratum_are_two_documents(pairs: list[Pair]) -> None:
    article, erratum = paper(pairs, "AAIJ 2015AE"), paper(pairs, "AAIJ 2018AO")
    assert article[0].key == "inspire:1355377"
    assert erratum[0].key == "doi:10.1007/JHEP09(2018)145"
    assert "inspire_id" not in erratum[1].records[0].attributes


def test_document_ids_are_trimmed(pairs: list[Pair]) -> None:
    ids = [str(r.attributes["document_id"]) for _, g in pairs for r in g.records if r.type == "paper"]
    assert len(ids) == 629
    assert all(i == i.strip() for i in ids)


def test_several_value_rows_of_one_measurement(pairs: list[Pair]) -> None:
    lines = [
        b
        for d, _ in pairs
        if d.kind is DocumentKind.PDG_PAPER
        for b in d.blocks
        if b.kind is BlockKind.PARAGRAPH and "\n" in b.text
    ]
    assert len(lines) == 8
    columns = Counter(s.attributes["column"] for s in statements(pairs, "determines"))
    assert columns["VALUE"] == 2953
    assert columns["p-value"] == 11


def test_three_errors_are_parsed_from_the_text(pairs: list[Pair]) -> None:
    rows = [
        s
        for s in statements(pairs, "determines")
        if len(re.findall(r"\+ ?- ?\d|\+ ?\d[\d.]*-\d", str(s.attributes.get("value_text", "")))) >= 3
    ]
    assert len(rows) >= 71
    missing = [s for s in rows if not {"stat_plus", "syst_plus"} <= set(s.attributes)]
    assert len(missing) == 1
    assert "i(24" in str(missing[0].attributes["value_text"])  # a complex number stays as printed
    (known,) = {
        (s.attributes["stat_plus"], round(float(s.attributes["syst_plus"]), 6))
        for s in rows
        if s.attributes["value_text"] == "0.817 +-0.042 +-0.006 +-0.073"
    }
    assert known == (0.042, 0.073246)


def test_asymmetric_errors(pairs: list[Pair]) -> None:
    rows = [s.attributes for s in statements(pairs, "determines")]
    assert any(
        a.get("value_text") == "354 +-75 +140-181"
        and (a["stat_plus"], a["stat_minus"], a["syst_plus"], a["syst_minus"]) == (75, 75, 140, 181)
        for a in rows
    )


def test_observables_are_named_by_what_they_measure(pairs: list[Pair]) -> None:
    records = {
        str(r.attributes["pdgid"]): r
        for d, g in pairs
        if d.key == "pdg:S086"
        for r in g.records
        if r.type == "observable"
    }
    assert records["S086T"].name == "B_s0 mean life"
    assert {"B_s0 MEAN LIFE", "B_s0 lifetime", "tau(B_s0)"} <= set(records["S086T"].aliases)
    assert records["S086T"].attributes["kind"] == "lifetime"
    assert records["S086T"].attributes["pdg_value"] == 1.515e-12
    assert records["S086T"].attributes["pdg_value_kind"] == "evaluation"
    assert records["S086T"].attributes.get("average") is None
    assert records["S086P49"].name == "BR(B_s0 -> D_s- mu+ nu_mu)"
    assert records["S086R6"].name == "BR(B_s0 -> J/psi(1S) phi(1020))"
    assert "BR(B_s0 -> J/psi phi)" in records["S086R6"].aliases
    assert records["S086R6"].attributes["kind"] == "branching fraction"
    assert records["S086P51"].attributes["kind"] == "branching ratio"
    assert "average" in records["S086R6"].attributes


def test_names_are_unique_per_quantity(pairs: list[Pair]) -> None:
    names: dict[str, set[str]] = {}
    for _, graph in pairs:
        for r in graph.records:
            if r.type == "observable":
                names.setdefault(r.name, set()).add(str(r.attributes["pdgid"]))
    assert {n: ids for n, ids in names.items() if len(ids) > 1} == {}


def test_decays_resolve_aliases_and_repeat_products(pairs: list[Pair]) -> None:
    decays = {str(r.attributes["pdgid"]): r for _, g in pairs for r in g.records if r.type == "decay"}
    by_name = {r.name: r for r in decays.values()}
    assert by_name["B_s0 -> J/psi(1S) phi(1020)"].attributes["children"] == ("J/psi(1S)", "phi(1020)")
    assert by_name["B_s0 -> phi(1020) phi(1020)"].attributes["children"] == ("phi(1020)", "phi(1020)")
    assert by_name["B_s0 -> D_s- pi+ pi+ pi-"].attributes["parent"] == "B_s0"
    assert "B_s0 -> Ds- pi+ pi+ pi-" not in by_name


def test_observables_are_linked_to_their_decays(pairs: list[Pair], sql: sqlite3.Connection) -> None:
    graph = next(g for d, g in pairs if d.key == "pdg:S086")
    attributes = {r.id: r.attributes for r in graph.records}
    ours = {
        (attributes[s.subject]["pdgid"], attributes[s.object]["pdgid"])
        for s in graph.statements
        if s.type == "measured_with"
    }
    theirs = set(sql.execute("select target, source from pdgid_map where target like 'S086%'"))
    assert ("S086P71", "S086.175") in ours
    assert len(ours) >= 0.97 * len(theirs)  # two modes of one name share a record
    assert not any(
        s.type == "measured_with" for d, g in pairs if d.kind is DocumentKind.PDG_PAPER for s in g.statements
    )


def test_footnotes_give_sources_of_uncertainty(pairs: list[Pair]) -> None:
    document, graph = paper(pairs, "AAIJ 2023Z")
    names = {r.id: r for r in graph.records}
    affects = [s for s in graph.statements if s.type == "affects"]
    assert {names[s.subject].name for s in affects} == {"amplitude model"}
    sized = [s for s in affects if s.attributes.get("magnitude") == 0.073]
    assert sized
    assert sized[0].attributes["magnitude_text"] == "±0.073"
    assert sized[0].evidence[0].quote.startswith("last uncertainty is due to")
    assert len(document.blocks) > 2
    (method,) = {r.name for _, g in pairs for r in g.records if r.type == "method"}
    assert method == "difference between alternative parameterisations"


@pytest.mark.parametrize("name", ["LHCb", "LHCB", "lhcb"])
def test_experiments_are_found_by_name_and_code(schema: GraphSchema, name: str) -> None:
    assert len(read_pdg(schema, experiment=name)) == 629 + 183


def test_an_unknown_experiment_lists_near_names(schema: GraphSchema) -> None:
    with pytest.raises(UsageError, match=r"did you mean.*LHCb"):
        read_pdg(schema, experiment="LHCbb")


def test_a_missing_or_foreign_database_is_an_error(schema: GraphSchema, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="found no file"):
        read_pdg(schema, database=tmp_path / "none.sqlite")
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\0 and then nothing of use" * 50)
    with pytest.raises(ReadError, match=r"schema 0\.3"):
        read_pdg(schema, database=broken)


def test_a_schema_without_the_types_is_refused(schema: GraphSchema) -> None:
    small = schema.model_copy(update={"relations": schema.relations[:1]})
    with pytest.raises(SchemaError, match="measured_with"):
        read_pdg(small)


def test_the_whole_listing_has_every_paper(schema: GraphSchema, sql: sqlite3.Connection) -> None:
    source = read_pdg(schema)
    counts: Counter[str] = Counter()
    for document, graph in source:
        counts[document.kind.value] += 1
        counts.update(s.type for s in graph.statements)
    (papers,) = sql.execute("select count(*) from pdgreference").fetchone()
    (values,) = sql.execute("select count(*) from pdgmeasurement_values").fetchone()
    assert counts["pdg-paper"] == papers == 14_594
    assert counts["pdg-paper"] + counts["pdg-particle"] == len(source)
    assert counts["pdg-particle"] >= 450
    assert counts["determines"] == values


def test_a_heading_that_repeats_anothers_is_corrected_by_its_decay_modes(pairs: list[Pair]) -> None:
    masses = {
        r.attributes["pdgid"]: (r.name, r.attributes["particle"])
        for _, graph in pairs
        for r in graph.records
        if r.type == "observable" and r.attributes.get("pdgid") in {"B185M", "B205M"}
    }
    assert masses == {
        "B185M": ("P_c_cbar(4312)+ mass", "P_c_cbar(4312)+"),
        "B205M": ("P_c_cbar_s(4459)0 mass", "P_c_cbar_s(4459)0"),
    }
