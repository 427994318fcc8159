"""Notations of LHCb papers, with and without its macros, as written and as the LaTeX reader reads them."""

from pathlib import Path

import pytest

from extraction.readers.latex import read_latex
from extraction.readers.latex_template import template_macros
from schemas.language.macro_names import decay_of_macro
from schemas.language.notation import canonical_decay, canonical_particle, find_decays, parse_decay
from schemas.language.notation_numbers import decay_numbers, particle_numbers

LINES = Path(__file__).with_name("lhcb_notations.tsv").read_text(encoding="utf-8").splitlines()[1:]
ROWS = [(written, name) for written, name in (line.split("\t") for line in LINES)]
PREAMBLE = "\\documentclass{article}\\input{lhcb-symbols-def}\\begin{document}\n"


def _named(text: str, name: str) -> str | None:
    return canonical_decay(text) or "-" if "->" in name or name == "-" else canonical_particle(text)


def test_every_notation_has_its_canonical_name() -> None:
    assert [(w, _named(w, name)) for w, name in ROWS if _named(w, name) != name] == []


def test_the_reader_keeps_what_the_notation_says(tmp_path: Path) -> None:
    known = template_macros()
    rows = [(w, n) for w, n in ROWS if decay_of_macro(w) is None or w.strip("\\") in known]
    path = tmp_path / "paper.tex"
    body = "\n\n".join(f"${written}$" for written, _ in rows)
    path.write_text(f"{PREAMBLE}{body}\n\\end{{document}}\n", encoding="utf-8")
    blocks = read_latex(path, root=tmp_path, missing_inputs_ok=True).blocks
    assert len(blocks) == len(rows)
    read = [(name, b.text, _named(b.text, name)) for (_, name), b in zip(rows, blocks, strict=True)]
    assert [row for row in read if row[0] != row[2]] == []


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"\jpsi(\mumu)", "J/psi(1S) -> mu+ mu-"),
        (r"K^{*0}(\to K^+\pi^-)", "K*(892)0 -> K+ pi-"),
        (r"\gamma(e^+e^-)", "gamma -> e+ e-"),
        (r"K^+(\pi^+\pi^-)", None),
        (r"\pi(KK)", None),
        (r"b(s\gamma)", None),
        (r"N(K\pi)", None),
        (r"\jpsi(1S)", None),
        (r"B(\to)", None),
    ],
)
def test_products_in_a_bracket_need_a_parent_that_can_decay_to_them(written: str, name: str | None) -> None:
    assert canonical_decay(written) == name


def test_numbers_of_a_chain_are_those_of_its_first_step() -> None:
    chain = r"D^{*+}\to D^0\pi^+, D^0\to K^-\pi^+"
    assert parse_decay(chain) is None
    assert decay_numbers(chain) == decay_numbers("D*+ -> D0 pi+")
    assert decay_numbers(r"B^0\to K^{*0}\gamma\to K^+\pi^-\gamma") == decay_numbers("B0 -> K*0 gamma")
    assert decay_numbers("D+ -> K- pi+ pi+, B0 -> K+ pi-") is None


def test_no_product_is_narrowed_by_its_neighbours() -> None:
    for written in (r"W\to\mu\nu", r"W^+\to\mu^+\nu", r"B_s^0\to K^+\mu^-\nu"):
        found = decay_numbers(written)
        assert found is not None
        assert {-16, -14, -12, 12, 14, 16} in found[1]


def test_a_bar_or_a_flavour_tells_a_neutrino() -> None:
    assert particle_numbers(r"\bar\nu") == {-12, -14, -16}
    assert particle_numbers(r"\nu_\ell") == {12, 14}


def test_a_second_charge_is_read_only_where_a_macro_had_the_first() -> None:
    assert canonical_particle(r"K_1^+(1270)^+") == "K_1(1270)+"
    assert canonical_particle(r"\Omega^+_c^0") == "Omega_c0"
    assert canonical_particle("K^+^-") is None
    assert canonical_particle("K^{+-}") == "K+-"


def test_running_text_with_pairs_and_flavours() -> None:
    text = "we use B_d^0 → D_d^- D_s^+ and B^0 → K^{*0} γ_{e^+e^-} decays, J/ψ(μ^+ μ^-) aside"
    assert [d.name for _, _, d in find_decays(text)] == ["B0 -> D_s+ D-", "B0 -> K*(892)0 gamma"]


def test_a_product_far_too_light_for_its_decay_is_no_ground_state() -> None:
    assert find_decays("Λ_b^0 → Λ(→ p K^-) γ") == ()
    assert find_decays("B^0 → K^{*0} Λ(→ p K^-)") == ()
    found = find_decays("Λ_b^0 → Λ(→ p π^-) γ, B_s^0 → f_0(980)(→ K^+ K^-) J/ψ")
    assert [decay.name for _, _, decay in found] == [
        "Lambda_b0 -> Lambda gamma",
        "B_s0 -> J/psi(1S) f_0(980)",
    ]
