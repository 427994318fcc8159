"""Rules about the code itself: what is shipped, who reads the environment, how errors are handled."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from schemas import errors

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
LIMIT = 400
"""Lines of a module."""
HEAVY = (
    "torch",
    "transformers",
    "gliner",
    "sentence_transformers",
    "neo4j",
    "openai",
    "fastapi",
    "sklearn",
    "igraph",
)


@cache
def modules() -> tuple[tuple[Path, ast.Module], ...]:
    """Every shipped module, parsed once for all tests."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def test_the_packages_on_disk_are_those_linted_and_shipped() -> None:
    on_disk = {p.parent.name for p in ROOT.glob("*/py.typed")}
    assert on_disk == set(PACKAGES) == set(PROJECT["tool"]["importlinter"]["root_packages"])


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_loads_nothing_heavy(package: str) -> None:
    code = f"import sys, {package}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        str(path.relative_to(ROOT))
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    }
    assert readers == {"kg/settings.py"}


def test_only_the_terminal_makes_consoles() -> None:
    """What it makes leaves control characters out of all that is printed."""
    makers = {
        str(path.relative_to(ROOT))
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Console"
    }
    assert makers == set()


def test_no_broad_handler_swallows() -> None:
    swallowing = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})
        )
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]
    assert swallowing == []


def test_modules_are_of_readable_size() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path, _ in modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LIMIT
    }
    assert long == {}


def makers_of_checked_queries(tree: ast.Module) -> list[int]:
    """Lines that make, copy with changes or mark a ``CheckedQuery``, by whatever name it was imported."""
    names = {"CheckedQuery"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "CheckedQuery" and alias.asname
    }
    names |= {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.value).split(".")[-1] in names
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    held = {
        node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.arg | ast.AnnAssign)
        and node.annotation is not None
        and names & set(re.findall(r"\w+", ast.unparse(node.annotation)))
    }
    found = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _makes(node, names, held)
    ]
    return found + [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "_by_guard" and isinstance(node.ctx, ast.Store)
    ]


def _makes(call: ast.Call, names: set[str], held: set[str]) -> bool:
    *owner, last = ast.unparse(call.func).split(".")
    if last in names or (owner and owner[-1] in names):
        return True
    return last in {"model_copy", "__replace__"} and bool(owner) and owner[-1] in {*held, "query"}


def test_only_the_guard_makes_checked_queries() -> None:
    makers = {str(path.relative_to(ROOT)) for path, tree in modules() if makers_of_checked_queries(tree)}
    assert makers == {"cypher/guard.py", "schemas/questions.py"}


@pytest.mark.parametrize(
    "text",
    [
        "from schemas.questions import CheckedQuery\nCheckedQuery(text='x')",
        "from schemas.questions import CheckedQuery as C\nC(text='x')",
        "from schemas.questions import CheckedQuery as C\nC.model_construct(text='x')",
        "import schemas.questions as q\nq.CheckedQuery(text='x')",
        "import schemas.questions as q\nq.CheckedQuery.model_validate({})",
        "import schemas.questions as q\nC = q.CheckedQuery\nC(text='x')",
        "def f(checked: CheckedQuery): return checked.model_copy(update={'text': 'x'})",
        "def f(q: CheckedQuery | None): return q.model_copy(update={'text': 'x'})",
        "report.query.model_copy(update={'text': 'x'})",
        "made._by_guard = True",
    ],
)
def test_every_way_to_make_a_checked_query_is_seen(text: str) -> None:
    assert makers_of_checked_queries(ast.parse(text))


def test_only_adapters_send_text_to_a_server() -> None:
    """Elsewhere a query of people or models is a ``CheckedQuery``, or text of our own given to ``read``."""
    senders = {
        str(path.relative_to(ROOT))
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith((".read_with", "tx.run", "session.run", ".execute_query"))
    }
    outside = {s for s in senders if not s.startswith("kg/adapters/")}
    assert outside == {"kg/neo4j_server.py"}


def test_the_error_tree_is_drawn_as_it_is() -> None:
    drawn: dict[str, str] = {}
    stack: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        name = line.lstrip(" │├└─").split(" ")[0]
        if not hasattr(errors, name):
            continue
        depth = len(line) - len(line.lstrip(" │├└─"))
        while stack and stack[-1][0] >= depth:
            stack.pop()
        drawn[name] = stack[-1][1] if stack else "Exception"
        stack.append((depth, name))
    real = {
        cls.__name__: next(b.__name__ for b in cls.__mro__[1:] if not b.__name__.startswith("_"))
        for cls in vars(errors).values()
        if isinstance(cls, type)
        and issubclass(cls, errors.CorpusGraphError)
        and not cls.__name__.startswith("_")
    }
    assert drawn == real


def test_no_lock_names_a_host() -> None:
    locks = [*(ROOT / "requirements").glob("*.txt"), *ROOT.rglob("*.lock")]
    own = [p for p in locks if ".venv" not in p.parts]
    assert len(own) >= 6
    assert [str(p) for p in own if "://" in p.read_text(encoding="utf-8")] == []
