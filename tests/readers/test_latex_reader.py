"""The LaTeX reader on small sources written for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extraction.readers import read_document
from extraction.readers.latex import read_latex
from schemas.documents import Block, BlockKind, Document
from schemas.errors import ReadError

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
"""


def read(tmp_path: Path, body: str, *, preamble: str = "", name: str = "paper.tex") -> Document:
    path = tmp_path / name
    path.write_text(f"{PREAMBLE}{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    return read_latex(path, root=tmp_path)


def texts(document: Document, kind: BlockKind) -> list[str]:
    return [b.text for b in document.blocks if b.kind is kind]


def table(document: Document) -> Block:
    return next(b for b in document.blocks if b.kind is BlockKind.TABLE)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"B^0 \to K^{*0}\mu^+\mu^-", "B^0 → K^{*0} μ^+ μ^-"),
        (r"\Lambda_b^0\to pK^-", "Λ_b^0 → pK^-"),
        (r"\sqrt{s}=13\,\mathrm{TeV}", "√s = 13 TeV"),
        (r"203.5\pm1.0\pm1.3", "203.5 ± 1.0 ± 1.3"),
        (r"(-0.89\pm0.32)\times10^{-2}", "(-0.89 ± 0.32)×10^{-2}"),
        (r"0.66~^{+~0.11}_{-~0.07}", "0.66^{+0.11}_{-0.07}"),
        (r"112^{+13}_{-10}", "112^{+13}_{-10}"),
        (r"8{,}000", "8,000"),
        (r"[0.52,0.89]", "[0.52, 0.89]"),
        (r"\frac{\tau_{H_c}}{\tau_{D^+}}", "τ_{H_c}/τ_{D^+}"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\overline{B}{}^0_s", "B̄^0_s"),
        (r"\bar{D}^{*0}", "D̄^{*0}"),
        (r"\Delta m_s", "Δm_s"),
        (r"2\sigma", "2σ"),
        (r"K\pi", "K π"),
        (r"J/\psi(2S)", "J/ψ(2S)"),
        (r"\mathcal{B}(B\to X)", "ℬ(B → X)"),
        (r"\sin^2\theta_W", "sin^2 θ_W"),
        (r"\mathrm{Te\kern -0.1em V}", "TeV"),
        (r"90^\circ", "90°"),
        (r"\left.\frac{1}{2}\right|", "1/2|"),
        (r"x \in \{1, 2\}", "x ∈ {1, 2}"),
        (r"p_{\rm T}>1", "p_T > 1"),
        (r"\text{for } x<1", "for x < 1"),
    ],
)
def test_formulas_read_well(tmp_path: Path, formula: str, expected: str) -> None:
    assert texts(read(tmp_path, f"${formula}$"), BlockKind.PARAGRAPH) == [expected]


def test_macros_are_expanded_at_their_place_of_use(tmp_path: Path) -> None:
    preamble = r"""\usepackage{xspace}
\newcommand{\decay}[2]{\ensuremath{#1\!\to #2}\xspace}
\def\Bd{{\ensuremath{B^0}}\xspace}
\newcommand{\unit}[1][GeV]{\,#1}
\def\Y#1S{\ensuremath{\Upsilon{(#1S)}}\xspace}
\DeclareMathOperator{\rank}{rank}
\providecommand{\Bd}{wrong}
"""
    document = read(
        tmp_path,
        "One\n\n" + r"The \decay{\Bd}{K\pi} and \Bd at 3\unit, 4\unit[TeV], \Y1S, $\rank A$." + "\n",
        preamble=preamble,
    )
    assert texts(document, BlockKind.PARAGRAPH)[1] == "The B^0 → K π and B^0 at 3 GeV, 4 TeV, Υ(1S), rank A."
    block = document.blocks[1]
    assert document.source_map.locate(block.text.index("Υ") + block.start).line == 13


def test_conditionals_choose_a_branch(tmp_path: Path) -> None:
    body = r"""\newif\ifdraft \drafttrue
\ifdraft draft\else final\fi, %
\draftfalse \ifdraft draft\else final\fi, %
\iffalse never \ifdraft x\fi \else always\fi, %
\newboolean{up}\setboolean{up}{true}\ifthenelse{\boolean{up}}{up}{down}
\ifthenelse{\equal{a}{b}}{same}{different}
\ifthenelse{\NOT \equal{a}{b}}{yes}{no}"""
    assert texts(read(tmp_path, body), BlockKind.PARAGRAPH) == ["draft, final, always, up different yes"]


def test_sections_lists_and_what_is_left_out(tmp_path: Path) -> None:
    body = r"""\title{On \emph{mixing}} \author{Jane Doe} \maketitle
\begin{abstract} Short. \end{abstract}
\section{Introduction}\label{sec:intro}
Text %
 goes on~\cite{a,b}. See Ref.~\cite{Doe:2020} and Fig.~\ref{fig:x}.
\subsection*{Details} % a comment
\begin{itemize}\item First\footnote{A note.} item. \item[Second] item. \end{itemize}
\begin{equation}\label{eq:one} a = b \end{equation}
where \verb|x_y| stands.
\section*{Acknowledgements} We thank everyone.
\appendix
\section{More} Still here.
\begin{thebibliography}{9} \bibitem{a} Gone. \end{thebibliography}"""
    document = read(tmp_path, body)
    assert document.title == "On mixing"
    assert document.abstract == "Short."
    assert [(s.title, s.level, s.parent) for s in document.sections[1:]] == [
        ("Introduction", 1, 0),
        ("Details", 2, 1),
        ("More", 1, 0),
    ]
    assert texts(document, BlockKind.PARAGRAPH) == [
        "Text goes on. See Ref. [Doe:2020] and Fig. [fig:x].",
        "where x_y stands.",
        "Still here.",
    ]
    assert texts(document, BlockKind.LIST_ITEM) == ["First item.", "Second: item."]
    assert texts(document, BlockKind.FOOTNOTE) == ["A note."]
    assert [(b.text, b.label) for b in document.blocks if b.kind is BlockKind.EQUATION] == [
        ("a = b", "eq:one")
    ]
    assert all(word not in document.text for word in ("Doe}", "Jane", "thank", "Gone"))


def test_tables_have_cells_headers_and_spans(tmp_path: Path) -> None:
    body = r"""\begin{table}\caption{Uncertainties (in \%).}
\begin{tabular}{l|cc}
\hline\hline
 & \multicolumn{2}{c}{$B^0\to K\pi$} \\ \cline{2-3}
Source & 2011 & 2012 \\
\\[-2.5ex]
\hline
\multirow{2}{*}{Fit} & 1.0 & 2.0 \\
 & 1.5 & -- \\
Trigger & $0.5\pm0.1$ & 3 \\ \hline
\end{tabular}\label{tab:syst}\end{table}"""
    document = read(tmp_path, body)
    block = table(document)
    assert block.label == "tab:syst"
    assert block.text.split("\n") == [
        " | B^0 → K π",
        "Source | 2011 | 2012",
        "Fit | 1.0 | 2.0",
        "Fit | 1.5 | –",
        "Trigger | 0.5 ± 0.1 | 3",
    ]
    assert [(c.row, c.column, c.span, c.header) for c in block.cells][:5] == [
        (0, 0, 1, True),
        (0, 1, 2, True),
        (1, 0, 1, True),
        (1, 1, 1, True),
        (1, 2, 1, True),
    ]
    assert not any(c.header for c in block.cells if c.row >= 2)
    caption = next(b for b in document.blocks if b.kind is BlockKind.CAPTION)
    assert (caption.text, caption.label) == ("Uncertainties (in %).", "tab:syst")
    row = next(c for c in block.cells if c.text == "Trigger")
    assert document.source_map.locate(row.start).line == 13


def test_units_and_numbers(tmp_path: Path) -> None:
    preamble = (
        "\\DeclareSIUnit{\\clight}{c}\n\\DeclareSIUnit\\MeVcc{\\mega\\electronvolt\\per\\clight\\squared}\n"
    )
    body = r"""\SI{5.3(1)}{\MeVcc}, \SI{3}{\per\femto\barn}, \num{1.2 +- 0.1e-3}, \SI{7}{\percent}, \ang{90},
\SI{5}{GeV/c}, \texorpdfstring{$B^0$}{B0}.

\begin{tabular}{lS} {\multirow{2}{*}{Fit}} & 1.5e6 \\ & -2.1 +- 0.3 \\ \end{tabular}"""
    document = read(tmp_path, body, preamble=preamble)
    assert texts(document, BlockKind.PARAGRAPH) == [
        "5.3(1) MeV/c^2, 3 /fb, (1.2 ± 0.1)×10^{-3}, 7%, 90°, 5 GeV/c, B^0."
    ]
    assert table(document).text == "Fit | 1.5×10^6\nFit | -2.1 ± 0.3"


def test_deluxetable(tmp_path: Path) -> None:
    body = r"""\begin{deluxetable}{lc}\tablecaption{Stars}
\tablehead{\colhead{Name} & \colhead{Mass}}
\startdata
A & 1.0 \\
B & 2.0
\enddata
\tablenotetext{a}{In solar masses.}
\tablecomments{From a catalogue.}
\end{deluxetable}"""
    document = read(tmp_path, body)
    assert table(document).text == "Name | Mass\nA | 1.0\nB | 2.0"
    assert [c.text for c in table(document).cells if c.header] == ["Name", "Mass"]
    assert texts(document, BlockKind.CAPTION) == ["Stars"]
    assert texts(document, BlockKind.FOOTNOTE) == ["In solar masses.", "From a catalogue."]


def test_included_files_keep_their_lines(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.tex").write_text("\n\nFrom part one.\n", encoding="utf-8")
    document = read(tmp_path, "Before.\n\n\\input{parts/one}\n\nAfter.")
    assert texts(document, BlockKind.PARAGRAPH) == ["Before.", "From part one.", "After."]
    locations = [document.source_map.locate(b.start) for b in document.blocks]
    assert [(x.file, x.line) for x in locations] == [("paper.tex", 4), ("parts/one.tex", 3), ("paper.tex", 8)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("body", "line", "word"),
    [
        (r"\input{absent}", 4, "absent"),
        (r"\input{../secret}", 4, "outside"),
        (r"\input{/etc/passwd}", 4, "relative"),
        (r"\input{paper}", 4, "themselves"),
        ("text\n\\textbf{open", 5, ""),
        ("\\footnote{open\n\nand on", 4, "closing brace"),
        ("a\n\\begin{equation} x", 5, "\\end{equation}"),
        ("\\begin{itemize}\n\\item a", 4, "\\end{itemize}"),
        ("\\begin{figure}\n\\begin{center} x \\end{figure}", 5, "\\end{center}"),
        ("a\n$x = 1\n\nb", 5, "formula"),
        ("\\iftrue a", None, ""),
        ("\\iffalse a", 4, "\\fi"),
        (r"\def\a{\a}\a", 4, "itself"),
        (r"\def\a#1{\a{#1#1}}\a{x}", 4, "itself"),
        (r"\def\a{\b\b}\def\b{\c\c}\def\c{\a\a}\a", 4, "itself"),
        ("{" * 500 + "x" + "}" * 500, 4, "nested"),
        (r"\begin{verbatim} x", 4, "verbatim"),
    ],
)
def test_bad_sources_are_refused_with_their_line(
    tmp_path: Path, body: str, line: int | None, word: str
) -> None:
    (tmp_path.parent / "secret.tex").write_text("secret", encoding="utf-8")
    if not word:
        assert read(tmp_path, body).text
        return
    with pytest.raises(ReadError) as caught:
        read(tmp_path, body)
    assert (caught.value.file, caught.value.line) == ("paper.tex", line)
    assert word in str(caught.value)


def test_symbolic_links_do_not_lead_out(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "outside.tex").write_text("secret", encoding="utf-8")
    (inside / "link.tex").symlink_to(tmp_path / "outside.tex")
    with pytest.raises(ReadError, match="outside"):
        read(inside, r"\input{link}")


def test_missing_inputs_may_be_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_text("\\documentclass{a}\\begin{document}Is \\input{out/n.txt} cm.\\end{document}")
    document = read_latex(path, root=tmp_path, missing_inputs_ok=True)
    assert document.text == "Is [missing file out/n.txt] cm."


@pytest.mark.parametrize(
    ("name", "body", "key"),
    [
        ("1705.05802.tex", "x", "1705.05802"),
        ("lhcb-1705.05802.tex", "x", "1705.05802"),
        ("arXiv-2104.04421v2.tex", "x", "2104.04421"),
        ("p.tex", "arXiv:2001.12345v3 [hep-ex] x", "2001.12345"),
        ("p.tex", "compare arXiv:2001.12345 of others", "p.tex"),
        ("p.tex", r"\doi{10.1103/PhysRevD.100.032001} x", "doi:10.1103/physrevd.100.032001"),
    ],
)
def test_keys(tmp_path: Path, name: str, body: str, key: str) -> None:
    assert read(tmp_path, body, name=name).key == key


def test_experiment_is_stated_not_guessed(tmp_path: Path) -> None:
    assert read(tmp_path, "\\title{A}\nThe LHCb collaboration\n\nText").experiment == "LHCb"
    assert read(tmp_path, "\\title{A}\nWe compare with LHCb.").experiment == ""


def test_title_page_gives_title_and_abstract_only(tmp_path: Path) -> None:
    body = r"""\begin{titlepage}\centerline{CERN}
{\bfseries\huge \begin{center} Measurement of $\tau$ \end{center}}
\begin{center} The LHCb collaboration\footnote{Authors} \end{center}
\begin{abstract} We measure. \end{abstract}
\end{titlepage}
Body."""
    document = read(tmp_path, body)
    assert (document.title, document.abstract, document.experiment) == (
        "Measurement of τ",
        "We measure.",
        "LHCb",
    )
    assert texts(document, BlockKind.PARAGRAPH) == ["Body."]


def test_same_bytes_same_version(tmp_path: Path) -> None:
    assert read(tmp_path, "Some $x^2$.").version == read(tmp_path, "Some $x^2$.").version


PIECES = r"""\begin{table} \end{table} \begin{tabular}{cc} \end{tabular} & \\ $ $$ { } \def\a#1{ #1 \a [ ] ^ _
\newcommand{\b}[2][x]{ \b \frac \sqrt \left \multicolumn{2}{c}{ \caption{ \footnote{ \section{ \item
\begin{itemize} \end{itemize} \[ \] \iffalse \else \fi % x 1.5 ~ \pm \cite{k} \'e \let\c=\d \kern-1em
\SI{1e3}{\giga\electronvolt} \verb|a| \label{l} \begin{equation} \end{equation} \xspace \bar \text{ \hline
\begin{cases} \end{cases} \csname \input{z} \multirow{3}{*}{ \title{ \begin{abstract} \end{abstract} \par
\begin{longtable}{l} \end{longtable} \begin{figure} \end{figure} \binom \mathcal \ensuremath{ \"o"""
SNIPPETS = st.lists(st.sampled_from([*PIECES.split(), " ", "\n", "\n\n"]), max_size=40)


@given(source=st.one_of(st.text(max_size=200), SNIPPETS.map("".join)))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_source_reads_or_is_refused(tmp_path: Path, source: str) -> None:
    path = tmp_path / "any.tex"
    path.write_bytes(f"\\begin{{document}}{source}\\end{{document}}".encode("utf-8", "replace"))
    try:
        document = read_document(path, root=tmp_path)
    except ReadError as e:
        named = str(e).startswith("any.tex")
    else:
        named = True
        assert document.text.strip()
        assert all(document.source_map.locate(b.start).line >= 1 for b in document.blocks)
    assert named


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"K^0_\text{S}", "K^0_S"),
        (r"B^0_\ensuremath{s}", "B^0_s"),
        (r"\overline \ensuremath{p}", "p̄"),
        (r"m_\mathrm{miss}", "m_{miss}"),
    ],
)
def test_a_script_without_braces_holds_the_group_of_its_command(
    tmp_path: Path, source: str, text: str
) -> None:
    path = tmp_path / "main.tex"
    path.write_text(rf"\documentclass{{article}}\begin{{document}}Here ${source}$.\end{{document}}", "utf-8")
    assert read_latex(path, root=tmp_path).blocks[-1].text == f"Here {text}."


def test_a_command_that_nobody_defines_stays_in_a_formula(tmp_path: Path) -> None:
    body = r"The mode $\Lambda_b^0\to pK^-\lostone$ and $\displaystyle x\xspace$."
    assert read(tmp_path, body).blocks[-1].text == "The mode Λ_b^0 → pK^- \\lostone and x."


def test_a_decay_with_a_command_that_nobody_defines_is_not_read_without_it(tmp_path: Path) -> None:
    from schemas.language.notation import parse_decay

    text = read(tmp_path, r"$\Lambda_b^0\to pK^-\lostone$").blocks[-1].text
    assert parse_decay(text) is None


def test_a_decay_in_a_sentence_is_not_found_without_its_undefined_product(tmp_path: Path) -> None:
    from schemas.language.notation import find_decays

    text = read(tmp_path, r"We see $B^0\to K^+\lostone$, $D^0\to K^-\pi^+\lostone$ and $D^0\to K^-\pi^+$.")
    found = [decay.name for _, _, decay in find_decays(text.blocks[-1].text)]
    assert found == ["D0 -> K- pi+"]


def test_a_charge_spelled_by_a_word_of_a_class_file_that_is_missing_is_that_charge(tmp_path: Path) -> None:
    assert read(tmp_path, r"$B^{\zero}_s \to D^-_s\pi^+$").blocks[-1].text == "B^0_s → D^-_s π^+"
