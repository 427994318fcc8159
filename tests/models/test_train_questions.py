"""An encoder trained from the command line on questions to a real Neo4j, and asked with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema
from kg.cli import app
from kg.commands.schema_infer import Form, schema_text
from kg.model_files import ModelFiles
from kg.neo4j_server import Neo4jEndpoint
from kg.settings import read_environment
from kg.train_questions import open_encoder
from schemas.errors import UsageError, WorkspaceError
from schemas.store_schema import StoreLabel, StoreSchema

FLEET = """
CREATE (a:Ship {name: 'Alma'}), (b:Ship {name: 'Bris'}), (p:Port {name: 'Skagen'}), (q:Port {name: 'Dragor'}),
       (a)-[:MOORED_AT]->(p), (b)-[:BUILT_AT]->(p), (b)-[:MOORED_AT]->(q), (a)-[:BUILT_AT]->(q)
"""
WORDINGS = {
    "MOORED_AT": ("Which ships lie in {}?", "ships that rest in {}", "What ships are tied up in {}?"),
    "BUILT_AT": ("Which ships hail from {}?", "ships that come from {}", "What ships are out of {}?"),
}


@pytest.fixture(scope="module")
def fleet(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(FLEET)
        yield connection


@pytest.fixture
def store(
    fleet: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The options that name the store and its examples."""
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_endpoint.password)
    schema, examples = tmp_path / "fleet.yaml", tmp_path / "examples.jsonl"
    schema.write_text(schema_text(infer_schema(fleet), Form.YAML), encoding="utf-8")
    lines = [
        {
            "question": said.format(port),
            "cypher": f"MATCH (s:Ship)-[:{kind}]->(p:Port {{name: '{port}'}}) RETURN s.name",
        }
        for kind, wordings in WORDINGS.items()
        for said in wordings
        for port in ("Skagen", "Dragor")
    ]
    examples.write_text("\n".join(map(json.dumps, 4 * lines)), encoding="utf-8")
    return [
        *("--store", neo4j_endpoint.uri, "--store-schema", str(schema)),
        *("--store-examples", str(examples), "--store-user", neo4j_endpoint.username),
    ]


def test_an_encoder_is_trained_and_asked_with(
    store: list[str], model_files: ModelFiles, tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="the extra [models] is not installed")
    pytest.importorskip("onnx", reason="the extra [models] is not installed")
    assert model_files.onnx is not None
    runner, file = CliRunner(), tmp_path / "fleet.safetensors"
    trained = runner.invoke(app, ["train", "questions", *store, "--to", str(file), "--json"])
    assert trained.exit_code == 0, trained.output
    assert json.loads(trained.stdout) == {"file": str(file), "questions": 48, "elements": 2}
    asked = runner.invoke(
        app, ["ask", *store, "--store-encoder", str(file), "--json", "Ships that hail from Skagen"]
    )
    assert asked.exit_code == 0, asked.output
    answer = json.loads(asked.stdout)
    assert answer["rows"] == [["Bris"]]
    assert "BUILT_AT" in answer["cypher"]
    other = StoreSchema(labels=(StoreLabel(name="Film"),))
    with pytest.raises(UsageError, match="encoder of this store"):
        open_encoder(file, other, cache=read_environment().cache)


def test_what_is_no_encoder_is_said(store: list[str], model_files: ModelFiles, tmp_path: Path) -> None:
    assert model_files.onnx is not None
    file = tmp_path / "none.safetensors"
    file.write_text("no encoder", encoding="utf-8")
    asked = CliRunner().invoke(app, ["ask", *store, "--store-encoder", str(file), "Ships of Skagen"])
    assert asked.exit_code != 0
    assert "kg train questions" in str(asked.exception)
    alone = [option for option in store if "examples" not in option]
    asked = CliRunner().invoke(app, ["ask", *alone, "--store-encoder", str(file), "Ships of Skagen"])
    assert "--store-examples with --store-encoder" in str(asked.exception)


def test_too_few_examples_teach_nothing(store: list[str], model_files: ModelFiles, tmp_path: Path) -> None:
    assert model_files.onnx is not None
    examples = Path(store[store.index("--store-examples") + 1])
    examples.write_text("\n".join(examples.read_text("utf-8").splitlines()[:6]), encoding="utf-8")
    file = tmp_path / "fleet.safetensors"
    trained = CliRunner().invoke(app, ["train", "questions", *store, "--to", str(file)])
    assert "6 that teach nothing" in str(trained.exception)
    assert not file.exists()


@pytest.mark.parametrize("place", ["", "file/below.safetensors"])
def test_where_nothing_can_be_written_nothing_is_trained(
    store: list[str], model_files: ModelFiles, tmp_path: Path, place: str
) -> None:
    assert model_files.onnx is not None
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    trained = CliRunner().invoke(app, ["train", "questions", *store, "--to", str(tmp_path / place)])
    assert isinstance(trained.exception, WorkspaceError)
    assert "training" not in trained.output
