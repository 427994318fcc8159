"""Short forms of names, and names whose case tells them apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.incremental import add, remove, start
from canonicalize.normal_forms import normal_forms
from canonicalize.resolve import resolve
from canonicalize.short_forms import MOST, short_form_keys, words_of
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId


def schema(**rules) -> GraphSchema:
    kind = EntityType(
        name="person", label="Person", canonicalization=Canonicalization(threshold=0.9, **rules)
    )
    return GraphSchema(name="toy", version="1", entities=(kind,), relations=())


def table(names: dict[str, str]) -> RecordColumns:
    """Each record is of the document that its id begins with."""
    return RecordColumns(
        type="person",
        ids=tuple(RecordId(r) for r in names),
        documents=tuple(DocumentKey(r[0]) for r in names),
        names=tuple(names.values()),
        descriptions=("",) * len(names),
        aliases=((),) * len(names),
        keys=((),) * len(names),
    )


def parts(names: dict[str, str], **rules) -> set[frozenset[str]]:
    found = resolve([table(names)], schema(**rules))
    return {frozenset(names[r] for r in group.records) for group in found.groups}


def related(short: str, *others: str) -> list[bool]:
    first, *rest = short_form_keys([[short], *([other] for other in others)])
    return [bool(first & keys) for keys in rest]


def related_in_case(short: str, *others: str) -> list[bool]:
    first, *rest = short_form_keys([[short], *([other] for other in others)], cased=True)
    return [bool(first & keys) for keys in rest]


def test_the_two_halves_of_a_name_stand_for_it() -> None:
    names = {
        "a1": "Noor Halvorsen",
        "b1": "Halvorsen",
        "c1": "Noor",
        "d1": "the Halvorsen",
        "e1": "Ida Brandt",
    }
    assert parts(names, short_forms=True) == {frozenset(list(names.values())[:4]), frozenset({"Ida Brandt"})}
    assert frozenset({"Noor", "Noor Halvorsen"}) not in parts(names)


def test_a_name_that_two_things_have_stands_for_none() -> None:
    assert related("halvorsen", "noor halvorsen", "halvorsen bridge") == [False, False]
    assert related("halvorsen", "noor halvorsen", "noor i. halvorsen") == [True, True]


@pytest.mark.parametrize("longer", ["halvorsen 7", "bridge of halvorsen", "bridge (halvorsen)", "halvorsens"])
def test_numbers_and_what_follows_a_head_make_another_name(longer: str) -> None:
    assert related("halvorsen", longer) == [False]


def test_a_common_noun_stands_for_no_proper_one() -> None:
    assert related_in_case("seal", "John Seal", "grey seal") == [False, True]
    assert related_in_case("Seal", "John Seal", "grey seal") == [True, False]
    assert related("seal", "john seal", "grey seal") == [False, False]


def test_the_case_of_a_determiner_tells_nothing() -> None:
    assert related_in_case("The Halvorsen", "Noor Halvorsen") == [True]
    assert related_in_case("the seals", "The grey seal") == [True]


def test_common_nouns_alone_have_a_plural() -> None:
    assert related_in_case("seals", "grey seal", "grey seals") == [True, True]
    assert related_in_case("Halvorsens", "Noor Halvorsen") == [False]
    assert related_in_case("seals", "grey seal", "old seal") == [False, False]


def test_initials_stand_for_the_one_name_that_has_them() -> None:
    assert related("n.p.v.", "new port of varna", "north plains vault") == [False, False]
    assert related("npv", "new port of varna", "the new port of varna", "npv fund") == [True, True, False]
    assert related("npov", "new port of varna") == [True]
    assert related("np", "new port") == [False]


def test_a_common_word_tells_nothing() -> None:
    many = [f"halvorsen noor x{i}" for i in range(MOST + 1)]
    assert not any(related("halvorsen", *many))
    assert not any(related("", "halvorsen"))


def test_one_document_never_has_two_names_joined_by_a_short_form() -> None:
    assert len(parts({"a1": "Noor Halvorsen", "a2": "Halvorsen"}, short_forms=True)) == 2


@given(st.lists(st.text("ab c.'(", max_size=9), max_size=8))
@settings(max_examples=50, deadline=None)
def test_keys_do_not_depend_on_the_order_of_units(forms: list[str]) -> None:
    straight = short_form_keys([[form] for form in forms])
    turned = short_form_keys([[form] for form in reversed(forms)])
    assert straight == tuple(reversed(turned))
    assert all(
        (words_of(form).key in keys) == bool(words_of(form).all)
        for form, keys in zip(forms, straight, strict=True)
    )


def home(state) -> dict[str, str]:
    return {str(r): str(e) for r, e in state.entity_of().items()}


def test_a_new_document_can_make_a_short_form_ambiguous_and_its_removal_clear_again() -> None:
    rules = schema(short_forms=True)
    names = {"a1": "Noor Halvorsen", "b1": "Halvorsen", "c1": "Ida Brandt", "d1": "Brandt"}
    _, state = start([table(names)], rules)
    assert home(state)["a1"] == home(state)["b1"]
    add(state, [table({"e1": "Halvorsen Bridge"})])
    assert len({home(state)[r] for r in ("a1", "b1", "e1")}) == 3
    assert home(state)["c1"] == home(state)["d1"]
    remove(state, ["e"])
    assert home(state)["a1"] == home(state)["b1"]


def test_documents_one_by_one_respect_the_case_of_names_elsewhere() -> None:
    rules = schema(short_forms=True, vetoes=("case",))
    names = {"a1": "John Seal", "b1": "grey seals", "c1": "Ida Brandt", "d1": "seal", "e1": "Seal"}
    _, state = start([table({"a1": names["a1"], "b1": names["b1"], "c1": names["c1"]})], rules)
    for record in ("d1", "e1"):
        add(state, [table({record: names[record]})])
    homes = home(state)
    assert homes["d1"] == homes["b1"] != homes["a1"] == homes["e1"]
    whole = resolve([table(names)], rules)
    assert {frozenset(map(str, g.records)) for g in whole.groups} == _groups(homes)


def test_a_name_elsewhere_keeps_a_short_form_ambiguous() -> None:
    """The entity of the other Halvorsen is not resolved again, and is known all the same."""
    rules = schema(short_forms=True)
    names = {"a1": "Halvorsen Bridge", "b1": "Noor Halvorsen", "c1": "Noor"}
    _, state = start([table(names)], rules)
    add(
        state,
        [
            table({"d1": "Ida Noor"}),
        ],
    )
    add(state, [table({"e1": "Halvorsen"})])
    whole = resolve([table({**names, "d1": "Ida Noor", "e1": "Halvorsen"})], rules)
    assert {frozenset(map(str, g.records)) for g in whole.groups} == _groups(home(state))


def _groups(homes: dict[str, str]) -> set[frozenset[str]]:
    return {frozenset(r for r, e in homes.items() if e == entity) for entity in homes.values()}


@given(
    spelled=st.lists(
        st.sampled_from(
            [
                "noor",
                "noor brandt",
                "brandt",
                "ida brandt",
                "the noor",
                "noor 5",
                "ida",
                "lnb",
                "lind noor brandt",
                "Noor",
                "Ida Brandt",
                "idas",
            ]
        ),
        min_size=2,
        max_size=9,
    )
)
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("vetoes", [(), ("case",)])
def test_documents_one_by_one_give_the_partition_of_a_full_run(spelled: list[str], vetoes) -> None:
    rules = schema(short_forms=True, vetoes=vetoes)
    names = {f"{chr(97 + at)}1": name for at, name in enumerate(spelled)}
    first, *rest = names.items()
    _, state = start([table(dict([first]))], rules)
    for record, name in rest:
        add(state, [table({record: name})])
    whole = resolve([table(names)], rules)
    assert {frozenset(map(str, g.records)) for g in whole.groups} == _groups(home(state))


def test_a_word_written_small_is_not_the_proper_noun() -> None:
    names = {"a1": "march", "b1": "March", "c1": "March", "d1": "MARCH", "e1": "The march", "f1": "the march"}
    assert parts(names, vetoes=("case",)) == {
        frozenset({"march"}),
        frozenset({"March", "MARCH"}),
        frozenset({"The march", "the march"}),
    }
    assert len(parts(names)) < 3
    veto = normal_forms(schema(vetoes=("case",)), schema(vetoes=("case",)).entity("person")).veto
    assert (veto("march", "March"), veto("march", "marches")) == ("case", None)
