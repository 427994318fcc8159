"""What settling the mentions of GLiNER takes is forecast, and asked of several documents at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extraction.gliner import GlinerExtractor
from kg import build
from kg.adapters.chat_usage import PastChat
from kg.adapters.forecast_chat import ForecastChat
from kg.adapters.openai_chat import ChatSettings, OpenAIChat
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.forecast import Asking, forecast_extraction
from kg.progress import SilentProgress
from kg.steps.recipe import Recipe
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.graphs import DocumentGraph
from schemas.model_output import LabelledSpan, LabelledText
from schemas.ports import Chat

SETTINGS = """schema = "biomedical"
[extraction]
rules = false
gliner = "some-model"
[chat]
base_url = "http://127.0.0.1:9/v1"
model = "m"
concurrency = 3
"""


class Unsure:
    """Labels the first word of each text, and is not sure of it."""

    model_id, relates = "unsure@0", False

    def label(
        self, texts: Sequence[str], labels: Sequence[str], *, relations: Sequence[str] = (), threshold: float
    ) -> tuple[LabelledText, ...]:
        """One span a text."""
        assert (relations, threshold) == ((), 0.3)
        return tuple(
            LabelledText(spans=(LabelledSpan(start=0, end=len(t.split()[0]), label=labels[0], score=0.4),))
            for t in texts
        )


def none_fits(request: ScriptedRequest) -> ScriptedReply:
    """Names no type for any expression."""
    assert "items" in request.body["response_format"]["json_schema"]["schema"]["properties"]
    return ScriptedReply('{"items": []}')


def test_settling_is_forecast(tmp_path: Path) -> None:
    root, notes = tmp_path / "ws", tmp_path / "notes"
    notes.mkdir()
    for name in ("aspirin treats fever", "ibuprofen treats pain", "insulin treats diabetes"):
        (notes / f"{name.split()[0]}.md").write_text(f"# A note\n\n{name} .\n", encoding="utf-8")
    workspace = Workspace.create(root, schema="biomedical")
    with open_platform(workspace, SilentProgress()) as platform:
        build.add(platform, [str(notes)])

    def recipe(chat: Chat) -> Recipe:
        return Recipe(workspace.schema, (GlinerExtractor(Unsure(), chat=chat),))

    with ScriptedChatServer(none_fits) as server:
        settings = ChatSettings(base_url=server.base_url, model="m", price_prompt=1.0, concurrency=1)
        stand_in = ForecastChat("m", PastChat(tmp_path / "none.db"))
        asking = Asking(stand_in, settings, {})
        told = forecast_extraction(workspace, recipe(stand_in), asking, progress=SilentProgress())
        assert server.requests == ()
        with OpenAIChat(settings) as chat:
            graphs = [
                recipe(chat).extract(workspace.read_document(stored)) for stored in workspace.documents()
            ]
    assert all(isinstance(graph, DocumentGraph) for graph in graphs)
    assert [(r.purpose, r.depends_on_replies) for r in told.rows] == [("extract/settle/1", 0)]
    assert told.calls == len(server.requests) == 3
    assert told.cost > 0


def test_documents_that_wait_for_settling_wait_together(tmp_path: Path) -> None:
    workspace = Workspace.create(tmp_path / "ws", schema="biomedical")
    settings = workspace.root / "kg.toml"
    for text, concurrency in (
        (SETTINGS, 6),
        (SETTINGS.replace("[chat]", "[extraction.models]\nsettle = false\n[chat]"), 1),
        (SETTINGS.replace('gliner = "some-model"', 'describe = "chat"'), 6),
        (SETTINGS.replace('gliner = "some-model"\n', ""), 1),
    ):
        settings.write_text(text, encoding="utf-8")
        with open_platform(Workspace(workspace.root), SilentProgress()) as platform:
            assert platform.chat_concurrency() == concurrency
