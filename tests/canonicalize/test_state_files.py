"""A saved state continues as the one in memory would."""

from __future__ import annotations

import numpy as np
import pytest

from canonicalize.incremental import add, remove, start
from canonicalize.state_files import append, bases_of, discard, load, save
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import DataError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(
            name="source",
            label="Source",
            attributes=(AttributeType(name="pdgid"),),
            canonicalization=Canonicalization(threshold=0.7, identity=("pdgid",)),
        ),
        EntityType(
            name="paper", label="Paper", canonicalization=Canonicalization(similarity=False, identity=())
        ),
    ),
    relations=(),
)


def table(kind: str, rows, *, dimension: int = 0) -> RecordColumns:
    vectors = np.tile(np.eye(1, dimension or 1, dtype=np.float32), (len(rows), 1)) if dimension else None
    return RecordColumns(
        type=kind,
        ids=tuple(RecordId(r[0]) for r in rows),
        documents=tuple(DocumentKey(r[0][0]) for r in rows),
        names=tuple(r[1] for r in rows),
        descriptions=("",) * len(rows),
        aliases=tuple(("alias " + r[0],) for r in rows),
        keys=tuple(("pdgid=7",) if "mass" in r[1] else () for r in rows),
        vectors=vectors,
        attributes={"year": tuple(len(r[0]) for r in rows)},
    )


def corpus() -> list[RecordColumns]:
    sources = [
        ("a1", "limited simulation sample size"),
        ("b1", "tracking efficiency"),
        ("b2", "mass of the muon"),
    ]
    return [table("source", sources, dimension=3), table("paper", [("ap", "One"), ("bp", "Two")])]


def test_a_loaded_state_goes_on_like_the_one_that_was_saved(tmp_path) -> None:
    _, state = start(corpus(), SCHEMA)
    new = table("source", [("c1", "simulation sample size"), ("c2", "muon mass"), ("c3", "zyx")], dimension=3)
    add(state, [new, table("paper", [("cp", "one")])])
    save(state, tmp_path / "state")
    again = load(tmp_path / "state", SCHEMA)
    assert again.entity_of() == state.entity_of()
    more = table("source", [("d1", "zyx"), ("d2", "Limited simulation sample sizes")], dimension=3)
    for each in (state, again):
        add(each, [more])
        remove(each, ["c"])
    assert again.entity_of() == state.entity_of()
    assert again.redirects == state.redirects
    assert state.entity_of()[RecordId("d2")] == "a1"
    save(again, tmp_path / "state")
    assert load(tmp_path / "state", SCHEMA).entity_of() == state.entity_of()
    assert {p.name for p in tmp_path.iterdir()} == {"state"}


def test_no_state_a_damaged_one_and_that_of_another_schema_are_refused(tmp_path) -> None:
    with pytest.raises(DataError, match="resolve in full again"):
        load(tmp_path / "none", SCHEMA)
    _, state = start(corpus(), SCHEMA)
    folder = tmp_path / "state"
    save(state, folder)
    with pytest.raises(DataError, match="other rules"):
        load(folder, SCHEMA.model_copy(update={"version": "2"}))
    np.save(folder / "source" / "vectors.npy", np.zeros((1, 3), dtype=np.float32))
    with pytest.raises(DataError, match=r"source/vectors\.npy missing or changed"):
        load(folder, SCHEMA)
    save(state, folder)
    (folder / "source" / "records.json").write_bytes(b"{")
    with pytest.raises(DataError, match="resolve in full again"):
        load(folder, SCHEMA)
    save(state, folder, basis="what is kept with it")
    assert list(bases_of(folder)) == [(0, "what is kept with it")]
    header = folder / "state.json"
    header.write_text(header.read_text("utf-8").replace('"format":3', '"format":2'), encoding="utf-8")
    for read in (lambda path: list(bases_of(path)), lambda path: load(path, SCHEMA)):
        with pytest.raises(DataError, match="format 2 where 3 was expected"):
            read(folder)
    discard(folder)
    assert not list(tmp_path.iterdir())


def test_changes_are_kept_beside_the_state_and_load_as_it_was_in_memory(tmp_path) -> None:
    folder = tmp_path / "state"
    _, first = start(corpus(), SCHEMA)
    save(first, folder, basis="none")
    state = load(folder, SCHEMA)
    steps = [
        lambda: add(state, [table("source", [("c1", "zyx"), ("c2", "Tracking efficiency")], dimension=3)]),
        lambda: add(state, [table("source", [("d1", "simulation sample size")], dimension=3)]),
        lambda: remove(state, ["b"]),
        lambda: add(state, [table("source", [("b1", "tracking efficiency")], dimension=3)]),
    ]
    known = [state.entity_of()]
    for number, step in enumerate(steps, start=1):
        step()
        append(state, folder, basis=str(number))
        known.append(state.entity_of())
        again = load(folder, SCHEMA)
        for kind, other in zip(state.types.values(), again.types.values(), strict=True):
            assert (kind.unit_of, kind.rank, kind.by_form) == (other.unit_of, other.rank, other.by_form)
            assert {e: u for e, u in kind.units_of.items() if u} == other.units_of
        assert again.redirects == state.redirects
    assert list(bases_of(folder)) == [(4, "4"), (3, "3"), (2, "2"), (1, "1"), (0, "none")]
    assert [load(folder, SCHEMA, changes=n).entity_of() for n in range(5)] == known
    late = load(folder, SCHEMA, changes=2)
    more = [table("source", [("e1", "zyx")], dimension=3)]
    add(late, more)
    append(late, folder, basis="other")
    assert [basis for _, basis in bases_of(folder)] == ["other", "2", "1", "none"]
    assert load(folder, SCHEMA).entity_of() == late.entity_of()
    with pytest.raises(DataError, match="save it whole"):
        append(first, folder)


def test_a_damaged_change_or_one_of_another_state_is_refused(tmp_path) -> None:
    folder = tmp_path / "state"
    save(start(corpus(), SCHEMA)[1], folder)
    state = load(folder, SCHEMA)
    add(state, [table("source", [("c1", "zyx")], dimension=3)])
    append(state, folder)
    path = folder / "changes" / "000001.change"
    written = path.read_bytes()
    path.write_bytes(written[:-1])
    for read in (lambda: load(folder, SCHEMA), lambda: list(bases_of(folder))):
        with pytest.raises(DataError, match=r"changes/000001\.change missing or changed"):
            read()
    save(start(corpus(), SCHEMA)[1], folder, basis="another")
    assert not path.exists()
    path.parent.mkdir()
    path.write_bytes(written)
    with pytest.raises(DataError, match="a change of another state"):
        load(folder, SCHEMA)
