"""Sources that came without the collaboration's file of symbols."""

from pathlib import Path

import pytest

from extraction.readers.latex import read_latex
from schemas.errors import ReadError

BODY = (
    r"The \decay{\Lb}{\Lc(\decay{}{p\Km\pip})\mun\neumb} decay uses 9\invfb at $\sqs=13\tev$ with \pt above "
    r"2\gevc, and $\decay{\B}{\D\pi}$ for \B mesons; $1.2\pm0.1\stat$."
)


def _read(folder: Path, source: str, *, missing_ok: bool = True) -> str:
    path = folder / "paper.tex"
    path.write_text(source, encoding="utf-8")
    return read_latex(path, root=folder, missing_inputs_ok=missing_ok).text


def test_the_template_is_known_where_its_file_is_missing(tmp_path: Path) -> None:
    source = rf"\documentclass{{article}}\input{{lhcb-symbols-def}}\begin{{document}}{BODY}\end{{document}}"
    text = _read(tmp_path, source)
    assert "Λ_b^0 → Λ_c^+(→ p K^- π^+) μ^- ν̄_μ decay uses 9 fb^{-1} at √s = 13 TeV" in text
    assert "p_T above 2 GeV/c, and B → D π for B mesons; 1.2 ± 0.1(stat)" in text
    assert "missing file" not in text


def test_the_documents_own_definitions_come_first(tmp_path: Path) -> None:
    own = r"\newcommand{\Lb}{\ensuremath{\Lambda_b}\xspace}\def\pt{p_t}"
    head = rf"\documentclass{{article}}\input{{lhcb-symbols-def}}{own}"
    source = rf"{head}\begin{{document}}\Lb $\pt$\end{{document}}"
    assert _read(tmp_path, source) == "Λ_b p_t"


def test_a_fragment_without_a_preamble_knows_the_template(tmp_path: Path) -> None:
    assert (
        _read(tmp_path, r"The decay $\Bd\to\Kp\pim$ of a \Bd meson.")
        == "The decay B^0 → K^+ π^- of a B^0 meson."
    )


def test_bars_of_other_packages_are_bars(tmp_path: Path) -> None:
    body = r"The $\overbar{B}{}^0$ and $\widebar{D}$ mesons."
    source = rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}"
    assert _read(tmp_path, source) == "The B̄^0 and D̄ mesons."


def test_other_documents_do_not_know_it(tmp_path: Path) -> None:
    source = r"\documentclass{article}\begin{document}A \Bd meson.\end{document}"
    assert "B^0" not in _read(tmp_path, source)


def test_a_missing_file_is_still_an_error_unless_allowed(tmp_path: Path) -> None:
    source = r"\documentclass{article}\input{lhcb-symbols-def}\begin{document}\Bd\end{document}"
    with pytest.raises(ReadError, match="lhcb-symbols-def"):
        _read(tmp_path, source, missing_ok=False)


def test_a_source_that_writes_decays_and_defines_none_came_without_it(tmp_path: Path) -> None:
    own = r"\newcommand{\LcTopKK}{\ensuremath{\decay{\Lc}{\proton\Km\Kp}}}"
    source = rf"\documentclass{{article}}{own}\begin{{document}}From \LcTopKK{{}} and \Bd.\end{{document}}"
    assert _read(tmp_path, source) == "From Λ_c^+ → p K^- K^+ and B^0."


def test_a_part_that_is_put_in_may_be_the_first_to_write_decays(tmp_path: Path) -> None:
    (tmp_path / "part.tex").write_text(r"\decay{\Dz}{\Km\pip}", encoding="utf-8")
    source = r"\documentclass{article}\begin{document}\input{part}\end{document}"
    assert _read(tmp_path, source) == "D^0 → K^- π^+"


def test_an_own_decay_is_not_the_templates(tmp_path: Path) -> None:
    own = r"\newcommand{\decay}[1]{decay #1}"
    source = rf"\documentclass{{article}}{own}\begin{{document}}\decay{{constant}} \Bd\end{{document}}"
    assert _read(tmp_path, source).startswith("decay constant")
    assert "B^0" not in _read(tmp_path, source)
