"""The limits that the pages name are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.routes.query import CypherRequest
from api.routes.questions import AskRequest
from cypher.gate.cost import MAX_HOPS, MAX_NEIGHBOURS, MAX_RELATIONSHIPS
from cypher.gate.parts import MAX_FREE_STEPS, MAX_PARTS, UNBOUNDED
from cypher.gate.similarity import MAX_TEXTS
from cypher.gate.similarity_options import MODES
from cypher.guard import MAX_ROWS, MAX_SECONDS, check_text
from cypher.normalise import MAX_CHARACTERS
from cypher.syntax.tokens import MAX_BYTES
from schemas.questions import MAX_QUESTION
from schemas.store_schema import StoreLabel, StoreSchema

DOCS = Path(__file__).resolve().parents[2] / "docs"
HTTP_SECONDS = 60
SAFETY, CYPHER, ASK, SHAPES, API, COMMANDS = (
    "explanation/safety-of-queries.md",
    "how-to/write-your-own-cypher.md",
    "how-to/ask-and-follow-up.md",
    "reference/question-shapes.md",
    "reference/api.md",
    "reference/commands.md",
)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (SAFETY, f"more than {MAX_PARTS} parts without a condition"),
        (SAFETY, f"patterns of more than {MAX_FREE_STEPS} steps in which nothing is named"),
        (SAFETY, f"more than {MAX_RELATIONSHIPS} relationships"),
        (SAFETY, f"paths of more than {MAX_HOPS} steps"),
        (SAFETY, f"one of {UNBOUNDED} steps"),
        (SAFETY, f"at most {MAX_BYTES:,} bytes"),
        (SAFETY, f"at most {MAX_NEIGHBOURS:,} neighbours"),
        (SAFETY, f"at most {MAX_TEXTS} texts"),
        (SAFETY, f"at most {MAX_ROWS:,} rows"),
        (SAFETY, f"at most {MAX_SECONDS:g} s on the command line, {HTTP_SECONDS} s over HTTP"),
        (CYPHER, f"{MAX_SECONDS:g} s on the command line, {HTTP_SECONDS} s over HTTP"),
        (CYPHER, f"`k`, from 1 to {MAX_NEIGHBOURS:,}"),
        *((CYPHER, f"`'{mode}'`") for mode in MODES),
        (ASK, f"A question has at most {MAX_CHARACTERS} characters"),
        (ASK, f"at most {MAX_SECONDS:g} s, `timeout` over HTTP at most {HTTP_SECONDS} s"),
        (SHAPES, f"of more than {MAX_CHARACTERS} characters is `refused`"),
        (SHAPES, f"more than {MAX_QUESTION:,}."),
        (
            API,
            f"| 1 to {MAX_QUESTION:,} characters | A question in English; one of more than {MAX_CHARACTERS} ",
        ),
        (API, f"| `limit` |  | `100` | 1 to {MAX_ROWS - 1:,} | Rows to show. |"),
        (API, f"| `timeout` |  | `10.0` | above 0, at most {HTTP_SECONDS} | Seconds. |"),
        (API, "| `scope` |  | `all` | `all`, `vetted`, `published` |"),
        (COMMANDS, f"| `--timeout` |  | `10.0` | 0.1 to {MAX_SECONDS:g} | Seconds. |"),
    ],
)
def test_a_page_names_the_limit_of_the_code(page: str, said: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert " ".join(said.split()) in " ".join(text.split())


def test_the_time_limit_over_http_is_one() -> None:
    for model in (AskRequest, CypherRequest):
        assert model.model_json_schema()["properties"]["timeout"]["maximum"] == HTTP_SECONDS


def test_of_a_query_of_others_only_the_names_they_chose_are_text() -> None:
    """What SECURITY.md says of model output and analysts' queries."""
    schema = StoreSchema(labels=(StoreLabel(name="Ship"),))
    text = check_text(
        "MATCH (`my) ship`:Ship) RETURN count(`my) ship`) AS `n } m`, 'free' AS word", schema
    ).text
    assert text == "MATCH (`my) ship`:Ship) RETURN count(`my) ship`) AS `n } m`, $p0 AS word LIMIT 1001"
