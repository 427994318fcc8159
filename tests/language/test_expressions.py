"""Expressions of schemas on RE2 give what Python's own engine gives, in linear time."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.language.expressions import ExpressionError, expression, greek_as_written, in_all_scripts

SOURCES = (
    "a",
    "ab?",
    "a|ab|b",
    r"\w{1,2}",
    r"\W",
    r"[^\s\d]b?",
    r"\d+",
    "β|βa",
    r"(?:a|\))+",
    r"(?P<name>a)b?",
    "x{0,3}",
    "[]a]",
    r"[\]β-δ]",
)
TEXTS = st.text(alphabet="abx βγé٣_-()].\u00a0\U0001d4b3", max_size=14)


@given(st.sampled_from(SOURCES), TEXTS)
def test_matches_are_those_of_python(source: str, text: str) -> None:
    here = [m.span() for m in expression(source).finditer(text) if m.end() > m.start()]
    # Python may match again, empty, right behind a match: only what has characters is compared.
    assert here == [m.span() for m in re.finditer(source, text) if m.end() > m.start()]
    assert expression(source).fullmatch(text) == (re.fullmatch(source, text) is not None)


@given(st.sampled_from(SOURCES), TEXTS, st.booleans())
def test_borders_are_those_of_lookaround(source: str, text: str, case_sensitive: bool) -> None:
    flags = 0 if case_sensitive else re.IGNORECASE
    found = expression(source, bordered=True, case_sensitive=case_sensitive).finditer(text)
    python = re.finditer(rf"(?<!\w)(?:{source})(?!\w)", text, flags)
    assert [m.span() for m in found if m.end() > m.start()] == [
        m.span() for m in python if m.end() > m.start()
    ]


@given(st.sampled_from(SOURCES), TEXTS)
def test_what_follows_is_that_of_lookahead(source: str, text: str) -> None:
    found = expression(source, bordered=True, followed_by=r" ?\(").finditer(text)
    python = re.finditer(rf"(?<!\w)(?:(?:{source})(?= ?\())(?!\w)", text)
    assert [m.span() for m in found if m.end() > m.start()] == [
        m.span() for m in python if m.end() > m.start()
    ]


def test_the_next_name_may_begin_where_one_ends() -> None:
    names = expression(r"(?:^|[^\w:])(?P<name>\w:\w)(?:$|[^\w:])")
    found = names.finditer("a:b c:d e:f:g é:h", until="name")
    assert [m.groupdict()["name"] for m in found] == ["a:b", "c:d", "é:h"]


def test_groups_have_places_in_code_points() -> None:
    found = expression(r"m\((?P<particle>[^()]{1,9})\)|n(?P<other>x)?").search("τ 𝒳 m(B⁰)")
    assert found is not None
    assert found.span("particle") == (6, 8)
    assert found.span("other") == (-1, -1)
    assert found.groupdict() == {"particle": "B⁰", "other": None}


@pytest.mark.parametrize("source", ["(a*)*$", "(?:a|aa)+b", "(a|a)*c", "(.*)*x", "(?:a{0,30}){0,30}d"])
def test_what_would_backtrack_for_ever_ends(source: str) -> None:
    assert list(expression(source, bordered=True).finditer("a" * 20_000 + " !")) is not None


@pytest.mark.parametrize(
    "source", ["a(?=b)", "(?<!a)b", r"(a)\1", "a++", "(?P<x>a", "a{2000}", "[a", r"[\W]", "\ud800", "(?>a)"]
)
def test_what_the_engine_cannot_do_is_refused(source: str) -> None:
    with pytest.raises(ExpressionError):
        expression(source)


@given(st.text(alphabet="\\[]^wWsd:al()a-", max_size=12))
def test_writing_classes_out_keeps_what_python_accepts(source: str) -> None:
    try:
        written = in_all_scripts(source)
    except ExpressionError:
        return
    assert in_all_scripts(written.replace("\\s", "")) == written.replace("\\s", "")


def test_a_lone_surrogate_in_a_text_moves_nothing() -> None:
    found = expression("b").search("\ud800b")
    assert found is not None
    assert found.span() == (1, 2)


@pytest.mark.parametrize(
    ("source", "found", "kept"),
    [
        ("gammas?", "angle gamma", "Gamma"),
        ("Gamma", "the Gamma", "gamma"),
        ("weak phase γ", "Weak Phase γ", "weak phase Γ"),
        ("Delta m", "Delta M", "delta m"),
    ],
)
def test_a_greek_letter_keeps_its_case(source: str, found: str, kept: str) -> None:
    made = expression(greek_as_written(source), case_sensitive=False, bordered=True)
    assert made.search(found) is not None
    assert made.search(kept) is None


@pytest.mark.parametrize(
    "source", [r"[φϕ]_s", r"(?P<phi>x)", r"\gamma", "track efficienc", "gammatone", "mu"]
)
def test_what_is_no_letter_of_its_own_stays(source: str) -> None:
    assert greek_as_written(source) == source


@given(st.sampled_from(("gamma", "(?:γ|gamma) x?", r"[^γ]gamma", "phi_s")))
def test_binding_letters_leaves_case_sensitive_matches(source: str) -> None:
    text = "gamma γ x phi_s Gamma Γ"
    assert [m.span() for m in expression(source).finditer(text)] == [
        m.span() for m in expression(greek_as_written(source)).finditer(text)
    ]


@pytest.mark.parametrize("bordered", [True, False])
def test_an_expression_goes_to_another_process(bordered: bool) -> None:
    made = expression("phi_s|K0", bordered=bordered)
    assert made.search("the phi_s here") is not None
    again = pickle.loads(pickle.dumps(made))
    assert again.source == made.source
    assert [m.span() for m in again.finditer("phi_s phi_s")] == [(0, 5), (6, 11)]
