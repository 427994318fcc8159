"""GLiNER and REBEL through the real libraries, with tiny models from a folder and no network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from extraction.gliner import GlinerExtractor, GlinerSettings
from extraction.triplets import Triplet, read_triplets
from kg.adapters.gliner_model import GlinerModel
from kg.adapters.rebel_model import RebelModel
from schemas.documents import Document
from schemas.errors import ModelUnavailableError
from schemas.schema_files import load_schema

LABELS = ("drug", "disease", "symptom")
TEXT = "aspirin treats fever in patients and flu causes cough ."


def test_spans_lie_in_their_text_and_a_batch_changes_nothing(gliner_folder: Path) -> None:
    model = GlinerModel(str(gliner_folder), device="cpu", batch_size=2)
    texts = [TEXT, "", "flu causes headache .", "   "]
    found = model.label(texts, LABELS, threshold=0.3)
    assert [bool(f.spans) for f in found] == [True, False, True, False]
    for text, labelled in zip(texts, found, strict=True):
        last = 0
        for span in labelled.spans:
            assert 0.3 <= span.score <= 1
            assert span.label in LABELS
            assert last <= span.start < span.end <= len(text)
            assert text[span.start : span.end].strip() == text[span.start : span.end]
            last = span.end
    assert model.label(texts, LABELS, threshold=0.3) == found
    assert (
        GlinerModel(str(gliner_folder), device="cpu", batch_size=8).label(texts, LABELS, threshold=0.3)
        == found
    )
    assert not model.relates


def test_a_text_beyond_the_window_is_read_to_its_end(gliner_folder: Path) -> None:
    long = " ".join([TEXT] * 12)
    spans = GlinerModel(str(gliner_folder), device="cpu").label([long], LABELS, threshold=0.3)[0].spans
    assert spans[-1].end > len(long) - len(TEXT)
    assert all(not long[s.start : s.end].startswith(" ") for s in spans)


def test_labels_that_leave_no_room_are_refused(gliner_folder: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="smaller schema"):
        GlinerModel(str(gliner_folder), device="cpu").label([TEXT], ["drug"] * 80, threshold=0.3)


def test_a_relation_model_gives_relations_between_its_spans(relation_folder: Path) -> None:
    model = GlinerModel(str(relation_folder), device="cpu")
    assert model.relates
    found = model.label([TEXT], LABELS, relations=("treats", "causes"), threshold=0.01)[0]
    places = {(s.start, s.end) for s in found.spans}
    assert found.relations
    assert {r.head for r in found.relations} | {r.tail for r in found.relations} <= places
    assert {r.label for r in found.relations} <= {"treats", "causes"}


def test_a_relation_model_in_the_extractor(
    relation_folder: Path, document_of: Callable[..., Document]
) -> None:
    extractor = GlinerExtractor(
        GlinerModel(str(relation_folder), device="cpu"), GlinerSettings(sure=0.01, unsure=0.01, relation=0.01)
    )
    found = extractor.extract(document_of(TEXT), load_schema("biomedical"))
    assert found.records
    assert found.statements or {r.code for r in found.rejections} <= {"wrong_end", "same_entity"}
    assert found.statements or found.rejections


def test_the_id_names_the_weights(gliner_folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(gliner_folder, tmp_path / "tiny")
    first = GlinerModel(str(gliner_folder)).model_id
    assert first.startswith("tiny@")
    assert GlinerModel(str(copy)).model_id == first
    config = json.loads((copy / "gliner_config.json").read_text(encoding="utf-8"))
    (copy / "gliner_config.json").write_text(json.dumps(config | {"max_width": 3}), encoding="utf-8")
    assert GlinerModel(str(copy)).model_id != first


def test_rebel_writes_the_triplet_it_was_taught(rebel_folder: Path) -> None:
    model = RebelModel(str(rebel_folder), device="cpu", max_tokens=16)
    written = model.write(["aspirin treats fever .", ""])
    assert read_triplets(written[0].text) == ((Triplet("aspirin", "treats", "fever"),), ())
    assert 0.5 < written[0].confidence <= 1
    assert written[1].text == ""
    assert model.write(["aspirin treats fever ."])[0] == written[0]
    assert model.model_id.startswith("tiny@")


def test_rebel_reads_a_long_text_in_halves(rebel_folder: Path) -> None:
    model = RebelModel(str(rebel_folder), device="cpu", max_tokens=16)
    written = model.write([" ".join(["aspirin treats fever ."] * 40)])[0]
    assert written.text.count("<triplet>") > 1


@pytest.mark.parametrize("kind", [GlinerModel, RebelModel])
def test_a_folder_without_a_model_says_so(
    kind: type[GlinerModel] | type[RebelModel], tmp_path: Path, torch: object
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailableError, match="holds no files"):
        _ = kind(str(tmp_path / "empty")).model_id
    (tmp_path / "gliner_config.json").write_text("{}", encoding="utf-8")
    model = kind(str(tmp_path), device="cpu")
    ask = (
        partial(model.label, labels=LABELS, threshold=0.3) if isinstance(model, GlinerModel) else model.write
    )
    with pytest.raises(ModelUnavailableError, match="cannot load the"):
        ask([TEXT])


@pytest.mark.parametrize("kind", [GlinerModel, RebelModel])
def test_a_name_that_is_not_cached_is_not_fetched(
    kind: type[GlinerModel] | type[RebelModel], torch: object
) -> None:
    with pytest.raises(ModelUnavailableError, match="not in the local hub cache"):
        _ = kind("nobody/no-such-model").model_id


def test_a_model_that_breaks_off_fails_its_document_and_not_the_run(
    rebel_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = RebelModel(str(rebel_folder), device="cpu", max_tokens=16)
    model.write([TEXT])

    def out_of_memory(**asked: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(model._model, "generate", out_of_memory)
    with pytest.raises(ModelUnavailableError, match="out of memory; when memory ran out, lower"):
        model.write([TEXT])
