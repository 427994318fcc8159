"""Addresses that are none of a Neo4j are wrong usage, whatever the driver makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer.testing

from kg.adapters.neo4j_connection import connect
from kg.cli import app
from schemas.errors import SettingsError

WRONG = {
    "http://127.0.0.1:21011": "expected bolt:// or neo4j://, found http://",
    "https://db.example/browser/": "expected bolt:// or neo4j://, found https://",
    "bolt://[::1": "Invalid IPv6 URL",
    "bolt://db.example:many": "Port could not be cast",
    "bolt://db.example:99999": "Port out of range",
    "ftp://db.example": "found ftp",
    "nowhere": "found no scheme",
    "": "found no scheme",
}


@pytest.mark.parametrize(("uri", "found"), WRONG.items())
def test_a_wrong_address_is_refused_with_what_to_use(uri: str, found: str) -> None:
    with pytest.raises(SettingsError) as refused, connect(uri, "neo4j", "secret"):
        raise AssertionError("it was opened")
    told = str(refused.value)
    assert "is no Neo4j address" in told
    assert found in told
    assert "; use " in told
    assert "\n" not in told


@pytest.mark.parametrize("uri", ["http://127.0.0.1:21011", "bolt://[::1"])
def test_commands_that_take_an_address_tell_it(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "no-store-has-this-one")
    monkeypatch.chdir(tmp_path)
    schema = tmp_path / "store.yaml"
    schema.write_text("labels: [{name: Orchard}]\n", encoding="utf-8")
    for command in (
        ["schema", "infer", uri],
        ["ask", "--store", uri, "--store-schema", str(schema), "Which orchards?"],
    ):
        result = typer.testing.CliRunner().invoke(app, command)
        assert isinstance(result.exception, SettingsError), result.output
        assert "is no Neo4j address" in str(result.exception)
