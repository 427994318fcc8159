"""Words of English that several readers need stand in one place."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from cypher import unsupported, word_lists, words
from cypher.answers import plain_words
from cypher.general import english
from cypher.semantics import belonging, day_times, narrower, unheard

CYPHER = Path(__file__).resolve().parents[2] / "cypher"
HOME = "word_lists.py"
LONG = 6
"""Words from which on a list is told as one; shorter ones may be the same by chance."""
BY_CHANCE = [
    ["gate/expressions.py", "generation/bounds.py", "generation/numbers.py"],
    ["chart/verbs.py", "numbered.py"],
]
"""Signs of comparisons; prepositions of a day, and prepositions behind a count."""

APART = {"occasions.py", "particle_phrases.py"}
"""How often something happens, and what is spelled out of a decay: fewer words, and words beside them."""


def lists() -> dict[frozenset[str], list[str]]:
    """The modules of each list of words, where it stands written out."""
    found: dict[frozenset[str], list[str]] = defaultdict(list)
    for path in sorted(CYPHER.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                texts = (c.value for c in ast.walk(node.value) if isinstance(c, ast.Constant))
                known = frozenset(t for t in texts if isinstance(t, str))
                if len(known) >= LONG:
                    found[known].append(path.relative_to(CYPHER).as_posix().removeprefix("semantics/"))
    return found


def test_no_list_stands_in_two_modules() -> None:
    assert [places for places in lists().values() if len(places) > 1] == BY_CHANCE


def test_numbers_in_letters_stand_in_one_module() -> None:
    numbers = set(word_lists.numbers_up_to(12))
    spelled = {place for known, places in lists().items() if len(known & numbers) > 3 for place in places}
    assert spelled - {HOME} == APART


def test_numbers_have_one_meaning() -> None:
    known = word_lists.NUMBERS
    for taken, most in ((words.NUMBERS, 10), (english.NUMBERS, 20), (plain_words.SPELLED, 12)):
        own = {w: n for w, n in taken.items() if w not in ("dozen", "zero")}
        assert own == {w: n for w, n in known.items() if n <= most}
    assert list(english.BODIES.values()) == [2, 3, 4, 5, 6, 7, 8]
    assert max(day_times._HOURS.values()) == 12


def test_what_readers_add_is_all_in_which_they_differ() -> None:
    pointing = english.POINTERS ^ unsupported._POINTERS
    assert pointing == {"such", "that", "those", "its"}
    asking = belonging._ASKING ^ narrower._ASKING
    assert asking == {"who", "find", "count"}
    more = unheard._QUESTIONS - word_lists.ASKERS
    assert more == {"list", "name"}
    sizes = {p for p, cue in words.CUES.items() if cue is words.Cue.SIZE}
    assert set(english.LARGEST) - sizes == {("maximum",), ("maximal",), ("longest",), ("heaviest",), ("top",)}
    first = {p for p, cue in words.CUES.items() if cue is words.Cue.OLDEST}
    assert set(english.EARLIEST) - first == {("very", "first")}
