"""Terms that are looked for together are found as if each were looked for alone."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.rules_compile import compile_rules
from extraction.rules_terms import CompiledTerm, Form, Terms
from schemas.language.expressions import Sieve
from schemas.schema_files import load_schema

RULES = compile_rules(load_schema("particle_physics"))
GROUPS = (*(g.terms for g in RULES.gazetteers), *(m.terms for m in RULES.measurements))
PIECES = (
    *("track", "tracking", "Reconstruction", "efficiency", "efficiencies", "mass", "m_{B_s}", "the ", "of "),
    *(" ", "-", "τ", "Γ_s", "γ", "ς", "ſ", "K", "R_K*0", "BR", "A_{CP}", "İ", "lifetime", "S-wave", "é"),
)


@pytest.mark.parametrize("terms", GROUPS)
@settings(max_examples=60, deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40))
def test_the_sieve_loses_no_match(terms: Terms, text: str) -> None:
    alone = [
        (term.name, match.span())
        for term in terms
        for form in term.forms
        for match in form.pattern.finditer(text)
    ]
    assert [(term.name, match.span()) for match, term in terms.finds(text)] == alone


def test_joined_terms_are_found_in_their_order_and_travel_to_other_processes() -> None:
    own = Terms([CompiledTerm("mine", {}, (Form("X_1"),))])
    joined = Terms.joined((own, GROUPS[0], Terms([])))
    text = "X_1 and the track reconstruction efficiency"
    found = [term.name for _, term in joined.finds(text)]
    assert found[0] == "mine"
    assert len(found) > 1
    again = pickle.loads(pickle.dumps(joined))
    assert [term.name for _, term in again.finds(text)] == found
    assert len(joined) == 1 + len(GROUPS[0])


def test_an_expression_without_a_fixed_piece_may_always_match() -> None:
    assert Sieve([("[a-z]+", True), ("mass", True)]).possible("42") == [0]


def test_a_changed_copy_of_a_schema_has_its_own_fingerprint() -> None:
    schema = load_schema("logbook")
    first = schema.fingerprint
    other = schema.model_copy(update={"description": "another"})
    assert other.fingerprint != first
    assert schema.model_copy().fingerprint == first
    assert "fingerprint" not in schema.model_dump()
