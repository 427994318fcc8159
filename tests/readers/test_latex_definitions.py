"""Definitions in every form, also those that a command of the document's own makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.readers.latex import read_latex

BODY = r"\ensuremath{D\to K\pi}\xspace"


def _read(folder: Path, preamble: str, body: str = r"From \own decays.") -> str:
    path = folder / "paper.tex"
    source = rf"\documentclass{{article}}{preamble}\begin{{document}}{body}\end{{document}}"
    path.write_text(source, encoding="utf-8")
    return read_latex(path, root=folder).text


@pytest.mark.parametrize(
    "preamble",
    [
        rf"\newcommand\own{{{BODY}}}",
        rf"\renewrobustcmd*{{\own}}{{{BODY}}}",
        rf"\NewExpandableDocumentCommand{{\own}}{{}}{{{BODY}}}",
        rf"\expandafter\newcommand\csname own\endcsname{{{BODY}}}",
        rf"\expandafter\def\csname own\endcsname{{{BODY}}}",
        rf"\csdef{{own}}{{{BODY}}}",
        rf"\makeatletter\@namedef{{own}}{{{BODY}}}\makeatother",
        rf"\newcommandx{{\own}}{{{BODY}}}",
        rf"\newcommand{{\make}}[2]{{\newcommand{{#1}}{{#2}}}}\make{{\own}}{{{BODY}}}",
        r"\newcommand{\make}[3]{\def#1{\ensuremath{#2\to#3}\xspace}}\make{\own}{D}{K\pi}",
        rf"\newcommand{{\by}}[2]{{\expandafter\newcommand\csname #1\endcsname{{#2}}}}\by{{own}}{{{BODY}}}",
        rf"\newcommand{{\a}}[2]{{\def#1{{#2}}}}\newcommand{{\make}}[2]{{\a{{#1}}{{#2}}}}\make{{\own}}{{{BODY}}}",
        r"\newcommand{\own}{\ifmmode D\to K\pi\else$D\to K\pi$\fi\xspace}",
    ],
)
def test_a_command_is_known_however_it_is_defined(tmp_path: Path, preamble: str) -> None:
    assert _read(tmp_path, preamble) == "From D → K π decays."


def test_defaults_of_several_arguments(tmp_path: Path) -> None:
    preamble = r"\newcommandx{\own}[3][1=a, 3=c]{#1-#2-#3}"
    assert _read(tmp_path, preamble, r"\own{x}; \own[u]{x}[w]") == "a-x-c; u-x-w"


def test_a_title_of_own_commands_stays_in_the_front_matter(tmp_path: Path) -> None:
    preamble = rf"\newcommand{{\own}}{{{BODY}}}\title{{Search for \own}}"
    assert "Search for D → K π" in _read(tmp_path, preamble, r"\maketitle Text.")


def test_commands_that_use_one_another_end(tmp_path: Path) -> None:
    preamble = r"\newcommand{\one}{\two}\newcommand{\two}{\one}\one"
    assert _read(tmp_path, preamble, "Text.") == "Text."


def test_what_text_gets_where_formulas_get_nothing(tmp_path: Path) -> None:
    assert _read(tmp_path, r"\newcommand{\own}{\ifmmode\else plain\fi\xspace}") == "From plain decays."
