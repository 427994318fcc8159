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


MARK = "_by_guard"
"""What the gate sets on a query that passed it."""
BEHIND_THE_BACK = frozenset({MARK, "__pydantic_private__", "__setattr__", "__setstate__"})
"""Names by which the mark, or a frozen field of a query that has it, can be set."""
COPIES = frozenset({"model_copy", "__replace__", "replace"})


@cache
def everything() -> tuple[tuple[Path, ast.Module], ...]:
    """The shipped modules, and those of the benchmarks and the scripts."""
    paths = (path for folder in ("benchmarks", "scripts") for path in sorted((ROOT / folder).rglob("*.py")))
    return modules() + tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


@cache
def givers_of_checked_queries() -> dict[str, frozenset[int]]:
    """Functions that return a ``CheckedQuery`` (-1), or a tuple with one, and where in the tuple."""
    found: dict[str, frozenset[int]] = {}
    for _, tree in everything():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
                found[node.name] = found.get(node.name, frozenset()) | _places(node.returns)
    return {name: places for name, places in found.items() if places}


def _places(returned: ast.expr) -> frozenset[int]:
    if isinstance(returned, ast.Subscript) and isinstance(returned.slice, ast.Tuple):
        return frozenset(i for i, part in enumerate(returned.slice.elts) if _says(part, {"CheckedQuery"}))
    return frozenset({-1} if _says(returned, {"CheckedQuery"}) else ())


def _says(annotation: ast.expr, names: set[str]) -> bool:
    return bool(names & set(re.findall(r"\w+", ast.unparse(annotation))))


def _name(node: ast.expr | None) -> str:
    """The name at the end: of ``a.b.c`` it is "c"."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def makers_of_checked_queries(tree: ast.Module) -> list[int]:
    """Lines that make, copy with changes or mark a ``CheckedQuery``, by whatever name it was imported."""
    nodes = list(ast.walk(tree))
    names = {"CheckedQuery"} | {
        alias.asname
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "CheckedQuery" and alias.asname
    }
    names |= {
        _name(target)
        for node in nodes
        if isinstance(node, ast.Assign) and _name(node.value) in names
        for target in node.targets
    }
    held = _held(nodes, names)
    return [
        node.lineno
        for node in nodes
        if (isinstance(node, ast.Call) and (_makes(node, names, held) or _sets(node)))
        or (isinstance(node, ast.Attribute) and node.attr in BEHIND_THE_BACK)
        or (isinstance(node, ast.Constant) and node.value in {*BEHIND_THE_BACK, "CheckedQuery"})
    ]


def _held(nodes: list[ast.AST], names: set[str]) -> set[str]:
    """Names of variables and fields that hold one: by their annotation, or by what they are given."""
    held: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.arg) and node.annotation is not None and _says(node.annotation, names):
            held.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and _says(node.annotation, names):
            held.add(_name(node.target))
        elif isinstance(node, ast.Assign | ast.NamedExpr):
            places = _given(node.value)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                parts = target.elts if isinstance(target, ast.Tuple) else []
                held |= {_name(part) for i, part in enumerate(parts) if i in places}
                held |= {_name(target)} if -1 in places else set()
    return held - {""}


def _given(value: ast.expr | None) -> frozenset[int]:
    """Where in the value of a call a ``CheckedQuery`` is."""
    name = _name(value.func) if isinstance(value, ast.Call) else ""
    return givers_of_checked_queries().get(name, frozenset())


def _makes(call: ast.Call, names: set[str], held: set[str]) -> bool:
    function = call.func
    last, owner = _name(function), function.value if isinstance(function, ast.Attribute) else None
    if last in names or _name(owner) in names:
        return True
    if last == "__class__":
        return _name(owner) in held
    if isinstance(function, ast.Call) and _name(function.func) == "type":
        return any(_name(a) in held for a in function.args)
    if last == "replace":
        owner = call.args[0] if call.args else None
    elif last not in COPIES:
        return False
    known = held if last == "replace" else {*held, "query"}
    return -1 in _given(owner) or _name(owner) in known


def _sets(call: ast.Call) -> bool:
    """Whether an attribute is set by a name that the code does not show."""
    return _name(call.func) == "setattr" and not (
        len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
    )


def test_only_the_guard_makes_checked_queries() -> None:
    makers = {str(path.relative_to(ROOT)): makers_of_checked_queries(tree) for path, tree in everything()}
    found = {path: lines for path, lines in makers.items() if lines}
    assert set(found) == {"cypher/guard.py", "schemas/questions.py"}
    assert len(found["cypher/guard.py"]) == 2, "makes it and marks it, once each"
    owner = next(tree for path, tree in modules() if path.name == "questions.py" and "schemas" in path.parts)
    [cls] = (n for n in owner.body if isinstance(n, ast.ClassDef) and n.name == "CheckedQuery")
    inside = range(cls.lineno, (cls.end_lineno or cls.lineno) + 1)
    assert [line for line in found["schemas/questions.py"] if line not in inside] == []


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
        "setattr(made, '_by_guard', True)",
        "setattr(made, name, True)",
        "object.__setattr__(made, '_by_guard', True)",
        "object.__setattr__(made, 'text', 'x')",
        "made.__pydantic_private__ = {}",
        "made.__pydantic_private__['_by' + '_guard'] = True",
        "vars(made)['__pydantic_private__']['x'] = 1",
        "made.__setstate__({})",
        "getattr(questions, 'CheckedQuery')(text='x')",
        "found = check_text('RETURN 1', schema)\nfound.model_copy(update={'text': 'x'})",
        "found, other = check_text('RETURN 1', schema), 1\ncheck_text('').model_copy(update={'text': 'x'})",
        "self.last = guard.check_text('RETURN 1', schema)\nself.last.model_copy(update={'text': 'x'})",
        "if found := check_text('RETURN 1', schema): found.model_copy(update={'text': 'x'})",
        "def f(q: CheckedQuery): return copy.replace(q, text='x')",
        "def f(q: CheckedQuery): return type(q)(text='x')",
        "def f(q: CheckedQuery): return q.__class__(text='x')",
    ],
)
def test_every_way_to_make_a_checked_query_is_seen(text: str) -> None:
    assert makers_of_checked_queries(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "answer.model_copy(update={'text': 'x'})",
        "text.replace('a', 'b')",
        "replace(form, shape='x')",
        "def f(q: CheckedQuery) -> bool: return q.passed",
        "def f(q: CheckedQuery): return run(q.text)",
        "found = check_text('RETURN 1', schema)\nrun(found)",
        "type(answer)(text='x')",
    ],
)
def test_what_makes_none_is_left_alone(text: str) -> None:
    assert makers_of_checked_queries(ast.parse(text)) == []


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
