"""Names that identify no concept by themselves merge across documents only where descriptions agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from canonicalize.explain import Explainer
from canonicalize.normal_forms import normal_forms
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Constraints
from schemas.schema_files import load_schema

KIND = EntityType(
    name="cause",
    label="Cause",
    canonicalization=Canonicalization(
        threshold=0.6, fillers=("effect", "uncertainty"), generic=("other", "background", "fit model")
    ),
)
SCHEMA = GraphSchema(name="toy", version="1", entities=(KIND,), relations=())


def table(rows: Sequence[tuple[str, str, str]]) -> RecordColumns:
    """Rows of document, name and description, numbered in order."""
    return RecordColumns(
        type="cause",
        ids=tuple(RecordId(f"r{n}") for n in range(len(rows))),
        documents=tuple(DocumentKey(row[0]) for row in rows),
        names=tuple(row[1] for row in rows),
        descriptions=tuple(row[2] for row in rows),
        aliases=((),) * len(rows),
        keys=((),) * len(rows),
    )


def groups(rows: Sequence[tuple[str, str, str]]) -> int:
    return len(resolve([table(rows)], SCHEMA).groups)


@pytest.mark.parametrize("name", ["other", "Background", "the fit model", "Effects", "other uncertainties"])
def test_a_generic_name_joins_no_two_documents(name: str) -> None:
    assert groups([("a", name, ""), ("b", name, "")]) == 2
    assert groups([("a", name, "size of the tracker"), ("b", name, "age of the magnet")]) == 2


def test_a_specific_name_still_does() -> None:
    assert groups([("a", "cosmic background", ""), ("b", "Cosmic backgrounds", "")]) == 1


def test_long_descriptions_with_many_words_in_common_join_one_generic_name() -> None:
    left = "Choice of functions for signal and background, tested with alternative polynomials in the window."
    right = "Alternative functions of background and signal in a wider window: polynomials or exponentials."
    other = "The gains of photomultipliers drift with temperature, which was monitored by lasers each hour."
    assert groups([("a", "fit model", left), ("b", "fit model", right)]) == 1
    assert groups([("a", "fit model", left), ("b", "fit model", other)]) == 2
    assert groups([("a", "fit model", left), ("b", "other", right)]) == 2


def test_a_third_description_joins_two_of_one_name_that_agree_with_it() -> None:
    left = "Alternative polynomials, exponentials, tails, widths and plateaus; also resolution."
    right = "Kernels, splines, templates, histograms, sidebands and thresholds; also occupancy."
    both = (
        "Alternative polynomials, exponentials, tails, widths and plateaus; kernels, splines, templates,"
        " histograms, sidebands and thresholds."
    )
    ends = [("a", "fit model", left), ("b", "fit model", right)]
    assert groups(ends) == 2
    assert groups([*ends, ("c", "fit model", both)]) == 1
    assert groups([*ends, ("c", "other", both)]) == 3


def test_the_explanation_sees_the_third_description_too() -> None:
    rows = [
        (
            "a",
            "fit model",
            "Alternative polynomials, exponentials, tails, widths and plateaus; also resolution.",
        ),
        (
            "b",
            "fit model",
            "Kernels, splines, templates, histograms, sidebands and thresholds; also occupancy.",
        ),
        (
            "c",
            "fit model",
            "Alternative polynomials, exponentials, tails, widths and plateaus; kernels, splines, templates,"
            " histograms, sidebands and thresholds.",
        ),
    ]
    apart = {RecordId(f"r{n}"): EntityId(f"r{n}") for n in range(3)}
    explainer = Explainer(table(rows), SCHEMA, Constraints(), apart)
    assert explainer.explain(RecordId("r0"), RecordId("r1")).verdict == "left_apart"


def test_one_document_means_one_thing_by_a_generic_name() -> None:
    assert groups([("a", "other", ""), ("a", "Other", "")]) == 1


def test_agreeing_descriptions_join_what_the_name_does_not() -> None:
    told = "muons from cosmic rays in the calorimeter"
    assert groups([("a", "background", told), ("b", "Background", told)]) == 1
    nearly = "muons from cosmic rays seen in the calorimeter"
    assert groups([("a", "background", told), ("b", "Background", nearly)]) == 1


def test_fillers_are_generic_only_where_a_type_declares_generic_names() -> None:
    plain = KIND.model_copy(update={"canonicalization": Canonicalization(fillers=("effect",))})
    assert not normal_forms(SCHEMA, plain).is_generic("effect")
    assert normal_forms(SCHEMA, KIND).is_generic("effect")


def test_the_reason_is_told() -> None:
    rows = table([("a", "other", ""), ("b", "other", "")])
    found = resolve([rows], SCHEMA)
    entities = {record: group.id for group in found.groups for record in group.records}
    told = Explainer(rows, SCHEMA, Constraints(), entities).explain(RecordId("r0"), RecordId("r1"))
    assert told.verdict == "generic"
    assert "whatever its score, unless the descriptions agree, and neither has one" in told.words


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [("muons", "", "only one has one"), ("muons", "calorimeter cells", "they do not")],
)
def test_the_reason_says_which_descriptions_there_are(left: str, right: str, said: str) -> None:
    rows = table([("a", "other", left), ("b", "other", right)])
    entities = {record: EntityId(record) for record in rows.ids}
    told = Explainer(rows, SCHEMA, Constraints(), entities).explain(RecordId("r0"), RecordId("r1"))
    assert told.words.endswith(f"agree, and {said}.")


@pytest.mark.parametrize(
    ("name", "generic"),
    [
        ("Others", True),
        ("mass fit model", True),
        ("Branching fractions", True),
        ("combinatorial background", False),
        ("tracking efficiency", False),
        ("momentum scale", False),
    ],
)
def test_the_shipped_schema_knows_what_a_source_does_not_tell(name: str, *, generic: bool) -> None:
    schema = load_schema("particle_physics")
    names = normal_forms(schema, schema.entity("uncertainty_source"))
    assert names.is_generic(names.form(name)) == generic


def test_a_hundred_thousand_records_of_one_generic_name_stay_apart_in_bounded_memory() -> None:
    count = 100_000
    rows = [(f"d{n:06}", "other", "") for n in range(count)]
    near = [("near0", "cosmic background", ""), ("near1", "cosmic backgrounds", "")]
    found = resolve([table([*rows, *near])], SCHEMA)
    assert len(found.groups) == count + 1
    assert sum(found.blocked_total.values()) < count
