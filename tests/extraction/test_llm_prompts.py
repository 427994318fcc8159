"""Prompts, reply schemas, passages and the parser on their own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from extraction.parse import ReplyContext, parse
from extraction.prompts.passages import select_passages
from extraction.prompts.reply_schema import describe_stage, reply_schema, stages
from extraction.prompts.templates import PROMPTS, load_examples, load_template
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import ChatError, SettingsError
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema


@pytest.fixture(scope="module")
def physics() -> GraphSchema:
    return load_schema("particle_physics")


def _tiny() -> GraphSchema:
    return GraphSchema(
        name="tiny",
        version="1",
        entities=(EntityType(name="gene", label="Gene"), EntityType(name="drug", label="Drug")),
        relations=(RelationType(name="targets", subjects=("drug",), objects=("gene",)),),
    )


def _context(schema: GraphSchema, stage: int = 0) -> ReplyContext:
    return ReplyContext("llm/1:t", stages(schema)[stage], document_name="d", document_quote="Title")


def test_stages_follow_the_relations_of_the_document(physics: GraphSchema) -> None:
    first, second = stages(physics)
    assert first.document is not None
    assert {e.name for e in first.entities} == {"observable", "decay"}
    assert {r.name for r in first.relations} == {"determines", "measured_with"}
    assert {e.name for e in second.entities} == {"uncertainty_source", "method"}
    assert {r.name for r in second.relations} == {"affects", "estimates"}


def test_a_schema_without_document_type_asks_for_all_types_twice() -> None:
    for stage in stages(_tiny()):
        assert [e.name for e in stage.entities] == ["gene", "drug"]
        assert stage.document is None
        assert json.loads(reply_schema(stage))["required"] == ["explanation", "entities", "relations"]


def test_reply_schemas_are_strict_and_ask_for_no_identifier(physics: GraphSchema) -> None:
    def check(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
            for value in node.values():
                check(value)

    for stage in stages(physics):
        schema = json.loads(reply_schema(stage))
        Draft202012Validator.check_schema(schema)
        check(schema)
        assert "inspire_id" not in reply_schema(stage) + describe_stage(stage)
        assert next(iter(schema["properties"])) == "explanation"


def test_examples_fit_their_schema_and_quote_their_text(physics: GraphSchema) -> None:
    examples = load_examples("particle_physics")
    assert [e.stage for e in examples] == ["abstract", "passages"]
    for number, example in enumerate(examples):
        stage = stages(physics)[number]
        Draft202012Validator(json.loads(reply_schema(stage))).validate(json.loads(example.reply))
        known = {ref: f"a:{ref}" for ref, _, _ in example.known}
        context = ReplyContext("x", stage, document_name="d", known=known)
        extraction = parse(example.reply, context)
        assert extraction.rejections == ()
        assert extraction.statements
        for item in (*extraction.records, *extraction.statements):
            assert item.quotes
            assert all(quote in example.text for quote in item.quotes)
    assert load_examples("unheard_of") == ()


def test_packaged_prompts_load_and_wrong_ones_are_refused() -> None:
    for name in ("abstract", "passages", "repair"):
        assert load_template(name).id == f"extract/{name}/1"
    with pytest.raises(SettingsError, match=r"no prompt abstract\.v99"):
        load_template("abstract", 99)
    with pytest.raises(SettingsError, match="placeholders problem, found none"):
        PROMPTS.parse("repair", 1, "---user---\nfix it")
    with pytest.raises(SettingsError, match="---user---"):
        PROMPTS.parse("repair", 1, "{{problem}}")


def test_values_are_never_read_as_templates() -> None:
    (message,) = load_template("repair").messages(problem="{{problem}} {{schema}}")
    assert "{{problem}} {{schema}}" in message.content


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "nothing",
        "[1]",
        "{",
        '{"a": }',
        '{"entities": null}',
        '{"entities": {"gene": {}}}',
        '{"entities": NaN}',
        "{" + '"a":[' * 100_000 + "}",
        '{"entities": {"gene": [1, 2]}}',
        '{"entities": {"person": [{"name": "x"}]}}',
    ],
)
def test_unusable_replies_are_errors(reply: str) -> None:
    with pytest.raises(ChatError):
        parse(reply, _context(_tiny()))


def test_an_empty_but_valid_reply_is_a_result() -> None:
    extraction = parse('Sure:\n```json\n{"entities": {"gene": []}}\n```', _context(_tiny()))
    assert (extraction.records, extraction.statements, extraction.rejections) == ((), (), ())


@pytest.mark.parametrize(
    ("given_value", "kept"),
    [
        ("2,5", None),
        ("2.5", 2.5),
        (3, 3.0),
        (True, None),
        ("1e999", None),
        ("nan", None),
        ([1], None),
        (None, None),
    ],
)
def test_numbers_are_read_or_refused(physics: GraphSchema, given_value: object, kept: float | None) -> None:
    item = {"subject": "document", "object": "o", "attributes": {"value": given_value}, "quotes": ["q"]}
    entities = {"observable": [{"ref": "o", "name": "mass", "quotes": ["q"]}]}
    reply = json.dumps({"document": {}, "entities": entities, "relations": {"determines": [item]}})
    extraction = parse(reply, _context(physics))
    assert extraction.statements[0].attributes.get("value") == kept
    assert len(extraction.rejections) == (kept is None and given_value is not None)


def test_half_a_surrogate_pair_is_replaced() -> None:
    reply = '{"entities": {"gene": [{"ref": "g", "name": "A\\ud800", "quotes": ["q\\udfff"]}]}}'
    (record,) = parse(reply, _context(_tiny())).records
    assert (record.name, record.quotes) == ("A?", ("q?",))


def test_refs_must_be_unique_and_known() -> None:
    genes = [{"ref": "g", "name": "A", "quotes": ["A"]}, {"ref": "g", "name": "B", "quotes": ["B"]}]
    targets = [{"subject": "z", "object": "g", "quotes": ["A"]}]
    extraction = parse(
        json.dumps({"entities": {"gene": genes}, "relations": {"targets": targets}}), _context(_tiny())
    )
    assert [r.name for r in extraction.records] == ["A"]
    assert sorted(r.code for r in extraction.rejections) == ["dangling_end", "duplicate_ref"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "document",
                    "entities",
                    "relations",
                    "gene",
                    "targets",
                    "name",
                    "ref",
                    "quotes",
                    "attributes",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_JSON)
@settings(max_examples=300, deadline=None)
def test_no_reply_breaks_the_parser(value: object) -> None:
    try:
        extraction = parse(json.dumps(value), _context(_tiny()))
    except ChatError:
        return
    refs = {r.ref for r in extraction.records}
    assert all(s.subject in refs and s.object in refs for s in extraction.statements)


def _article(paragraphs: list[tuple[str, str]]) -> Document:
    text, blocks, sections = "", [], [Section(index=0, parent=None, level=0, title="", start=0, end=0)]
    for heading, content in paragraphs:
        if sections[-1].title != heading:
            sections.append(Section(index=len(sections), parent=0, level=1, title=heading, start=0, end=0))
        end = len(text) + len(content)
        blocks.append(
            Block(kind=BlockKind.PARAGRAPH, start=len(text), end=end, text=content, section=len(sections) - 1)
        )
        text += content + "\n"
    return Document(
        key=DocumentKey("d"),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=tuple(sections),
        blocks=tuple(blocks),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


_WORDS = st.lists(st.sampled_from(["error", "mass", "fit.", "of"]), min_size=1, max_size=40).map(" ".join)


@given(
    st.lists(st.tuples(st.sampled_from(["Errors", "Fit", "Introduction"]), _WORDS), max_size=12),
    st.integers(60, 300),
    st.integers(0, 80),
)
@settings(max_examples=150, deadline=None)
def test_passages_hold_all_that_matters(paragraphs: list[tuple[str, str]], size: int, overlap: int) -> None:
    schema = _tiny().model_copy(update={"passages": ("error",)})
    document = _article(paragraphs)
    selection = select_passages(document, schema, limit=100_000, size=size, overlap=overlap)
    assert selection.left_out == 0
    covered: set[int] = set()
    for passage in selection.passages:
        assert sum(len(b.text) for b in passage.blocks) <= size
        for block in passage.blocks:
            assert document.text[block.start : block.end] == block.text
            covered.update(range(block.start, block.end))
    wanted = {
        position
        for block in document.blocks
        for position in range(block.start, block.end)
        if document.sections[block.section].title == "Errors"
        or (document.sections[block.section].title == "Fit" and "error" in block.text)
    }
    assert covered == wanted


def test_the_limit_keeps_the_best_and_counts_the_rest() -> None:
    schema = _tiny().model_copy(update={"passages": ("error",)})
    document = _article([("Fit", "an error of the fit"), ("Errors", "x" * 100), ("Errors", "y" * 50)])
    selection = select_passages(document, schema, limit=160, size=1_000, overlap=0)
    assert [b.text[0] for p in selection.passages for b in p.blocks] == ["x", "y"]
    assert selection.left_out == len("an error of the fit")
