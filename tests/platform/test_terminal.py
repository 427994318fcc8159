"""Nothing that is printed steers the terminal of whoever reads it."""

from __future__ import annotations

import io
import json

import pytest
from rich.table import Table
from rich.text import Text

from kg.commands.common import out, print_json
from kg.show import print_answer
from kg.terminal import PlainConsole
from schemas.questions import Answer, Outcome

BAD = "seen\x1b[2J\x1b]0;owned\x07 by\x9b31m\x00 \u202eemosn"


def test_texts_and_tables_are_printed_without_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(BAD, box=None)
    table.add_row(Text(BAD))
    out().print(table)
    out().print(BAD, soft_wrap=True)
    answer = Answer(outcome=Outcome.UNANSWERABLE, question=BAD, text=BAD, suggestions=(BAD,))
    print_answer(answer, out())
    printed = capsys.readouterr().out
    assert printed.count("seen[2J]0;owned by31m emosn") == 5
    assert {c for c in printed if not c.isprintable()} == {"\n"}


def test_colours_of_the_console_are_kept() -> None:
    written = io.StringIO()
    PlainConsole(file=written, force_terminal=True, color_system="standard").print(Text("no\x1b[0m", "red"))
    assert written.getvalue() == "\x1b[31mno[0m\x1b[0m\n"


def test_json_means_the_same_and_steers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"note": BAD})
    printed = capsys.readouterr().out
    assert {c for c in printed if not c.isprintable()} == {"\n"}
    assert json.loads(printed) == {"note": BAD}
