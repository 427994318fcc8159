"""Other spellings of phrases, and tables that fit a terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from cypher.spelling import spellings
from kg.show import GAP, layout, print_answer
from schemas.graphs import Origin, Status
from schemas.ids import DocumentKey, StatementId
from schemas.questions import Answer, Citation, Outcome


@pytest.mark.parametrize(
    ("phrase", "spelling"),
    [
        ("Δm_s", "Delta m_s"),
        ("ΔΓ_s", "Delta Gamma_s"),
        ("sin 2β", "sin 2beta"),
        ("mass of the Lambda_b0", "mass of Lambda_b0"),
        ("lifetime of the Bs", "lifetime of B_s0"),
        ("BR(Bs → μ+μ-)", "BR(B_s0 -> mu+ mu-)"),
        ("branching fraction of Bs -> mu mu", "branching fraction of B_s0 -> mu mu"),
        (r"$\phi_s$", "phi_s"),
    ],
)
def test_spellings(phrase: str, spelling: str) -> None:
    assert spelling in spellings(phrase)


@given(st.text(max_size=60))
def test_a_phrase_is_never_its_own_spelling(phrase: str) -> None:
    found = spellings(phrase)
    assert phrase not in found
    assert len(set(found)) == len(found) <= 3


COLUMNS = st.lists(
    st.tuples(st.text("abc ", min_size=1, max_size=12), st.integers(0, 120)), min_size=1, max_size=9
)


@given(COLUMNS, st.integers(20, 160))
def test_a_layout_fits_and_shows_the_first_column(columns: list[tuple[str, int]], width: int) -> None:
    names, cells = [n for n, _ in columns], [["x" * k for _, k in columns]]
    found = layout(names, cells, width)
    assert found.columns[0] == 0
    assert len(found.columns) + len(found.left_out) == len(names)
    sizes = {i: found.widths.get(i, max(len(names[i]), columns[i][1])) for i in found.columns}
    assert len(found.columns) == 1 or sum(sizes.values()) + GAP * (len(sizes) - 1) <= width


@pytest.mark.parametrize("width", [80, 100])
def test_an_answer_on_a_terminal(width: int) -> None:
    citation = Citation(
        number=1,
        statement=StatementId("s1"),
        type="determines",
        document=DocumentKey("inspire:1"),
        inspire="1",
        quote="PDG listing: phi_s: 0.1",
        origin=Origin.PDG_TABLES,
        status=Status.DRAFT,
    )
    answer = Answer(
        outcome=Outcome.ANSWERED,
        question="phi_s",
        text="1 value of phi_s: 0.1 ±0.1 rad [1].",
        columns=("paper", "year", "value text", "value", "unit", "title", "experiment", "inspire id"),
        rows=(("DOE 2022C", None, "0.1 +-0.1", 0.1, "rad", "A measurement " * 8, "LHCb", "1"),),
        citations=(citation,),
    )
    out = io.StringIO()
    print_answer(answer, Console(file=out, width=width, color_system=None))
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert "0.1 ±0.1" in text
    assert "not known" in text
    assert text.count("PDG listing") == 1
    assert "--json shows all columns" in text
