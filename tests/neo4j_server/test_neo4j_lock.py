"""The lock: parsing, and what the committed one promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.neo4j_lock import Jar, Lock, load_lock, parse_lock
from schemas.errors import DataError

SHA = "0123456789abcdef" * 4
WORDS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}(\.[a-z0-9]{1,4})?", fullmatch=True)
JARS = st.builds(
    Jar,
    group=WORDS,
    artifact=WORDS,
    version=WORDS,
    classifier=st.just("") | WORDS,
    sha256=st.just(SHA),
    size=st.integers(0, 10**9),
)


@given(st.lists(JARS, unique_by=lambda jar: jar.coordinate))
def test_a_lock_survives_writing_and_reading(jars: list[Jar]) -> None:
    lock = Lock(("org.neo4j:neo4j:5.26.31",), tuple(sorted(jars, key=lambda jar: jar.coordinate)))
    assert parse_lock(lock.text) == lock


@pytest.mark.parametrize(
    "line",
    [
        "jar a:b:1 short 5",
        f"jar a:b {SHA} 5",
        f"jar a:b:1:c:d {SHA} 5",
        f"jar a:b:../../etc {SHA} 5",
        f"jar a:b:1 {SHA} many",
        f"jar a:b:1 {SHA.upper()} 5",
        "root a:b",
        "something else",
    ],
)
def test_a_malformed_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(DataError, match=r"neo4j\.lock:2: expected"):
        parse_lock(f"# comment\n{line}\n")


def test_the_classifier_stands_in_the_file_name() -> None:
    jar = Jar("io.netty", "epoll", "4.1", "linux-x86_64", SHA, 1)
    assert str(jar.path) == "io/netty/epoll/4.1/epoll-4.1-linux-x86_64.jar"
    assert jar.coordinate == "io.netty:epoll:4.1:linux-x86_64"


def test_the_committed_lock_names_a_whole_server() -> None:
    lock = load_lock()
    coordinates = {jar.coordinate for jar in lock.jars}
    assert lock.version.startswith("5.26.")
    assert set(lock.roots) <= coordinates
    assert len(coordinates) == len(lock.jars) == len({jar.path for jar in lock.jars}) > 200


def test_a_lock_without_the_server_has_no_version() -> None:
    with pytest.raises(DataError, match=r"org\.neo4j:neo4j"):
        _ = Lock(("a:b:1",), ()).version


def test_the_digest_changes_with_any_jar() -> None:
    jar, other = Jar("a", "b", "1", "", SHA, 1), Jar("a", "b", "1", "", SHA[::-1], 1)
    assert Lock((), (jar,)).digest != Lock((), (other,)).digest
