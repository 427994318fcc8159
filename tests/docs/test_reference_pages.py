"""The reference pages say what the code says."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import BaseModel

from api.app import create_app
from cypher.shapes import SHAPES
from kg.settings import Environment, Settings, read_environment
from schemas import errors
from schemas.questions import Outcome

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def script(name: str) -> ModuleType:
    """A module of ``scripts/``, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


PAGES = script("reference_pages").PAGES
LICENCES = script("licences")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_is_what_the_code_makes(name: str) -> None:
    written = (REFERENCE / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), "run `python scripts/reference_pages.py`"


def test_every_setting_stands_in_the_page() -> None:
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")

    def keys(model: type[BaseModel], prefix: str) -> list[str]:
        found = []
        for name, info in model.model_fields.items():
            kinds = [info.annotation, *getattr(info.annotation, "__args__", ())]
            inner = next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None)
            key = prefix + (info.alias or name)
            found += keys(inner, f"{key}.") if inner else [key]
        return found

    assert [k for k in keys(Settings, "") if f"| `{k}` |" not in page] == []


def test_every_environment_variable_stands_in_the_page() -> None:
    asked: list[str] = []

    class Asked(dict[str, str]):
        def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
            asked.append(key)
            return default

    assert isinstance(read_environment(Asked()), Environment)
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    assert [name for name in set(asked) - {"HOME"} if name not in page] == []


def test_every_error_outcome_path_and_shape_stands_in_its_page() -> None:
    page = {p.name: p.read_text(encoding="utf-8") for p in REFERENCE.glob("*.md")}
    kinds = [k for k, v in vars(errors).items() if isinstance(v, type) and not k.startswith("_")]
    assert [k for k in kinds if f"`{k}`" not in page["errors.md"]] == []
    assert [o for o in Outcome if f"| `{o.value}` |" not in page["question-shapes.md"]] == []
    assert [s.name for s in SHAPES if f"| `{s.name}` |" not in page["question-shapes.md"]] == []
    paths = create_app().openapi()["paths"]
    assert [p for p in paths if p not in page["api.md"]] == []


def shapes_in_code() -> set[str]:
    """Texts that the code gives as the name of a shape: to ``form``, to makers of builders, in answers."""
    found = set()
    for file in (ROOT / "cypher").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="form"), args=[given, *_]):
                    found |= texts(given)
                case ast.Call(func=ast.Name(id="dated" | "dated_entities"), args=[_, given]):
                    found |= texts(given)
                case ast.Assign(targets=[ast.Name(id="name")], value=given) if "shapes" in file.name:
                    found |= texts(given)
                case ast.AnnAssign(target=ast.Name(id="SHAPE"), value=ast.expr() as given):
                    found |= texts(given)
                case ast.keyword(arg="shape", value=given):
                    found |= texts(given)
                case ast.Dict(keys=keys, values=values):
                    pairs = zip(keys, values, strict=True)
                    found |= {
                        t for k, v in pairs if k is not None and texts(k) == {"shape"} for t in texts(v)
                    }
    return found - {""}


def texts(given: ast.expr) -> set[str]:
    """The texts that an expression can be."""
    if isinstance(given, ast.IfExp):
        return texts(given.body) | texts(given.orelse)
    return {given.value} if isinstance(given, ast.Constant) and isinstance(given.value, str) else set()


def test_every_name_that_an_answer_gives_as_its_shape_is_explained() -> None:
    listed = script("reference_pages").ANSWER_SHAPES
    assert {"related", "limits", "general", "composed", "newest", "model"} <= shapes_in_code()
    assert shapes_in_code() == set(listed)


def test_every_locked_package_has_its_licence() -> None:
    page = (REFERENCE / "licences.md").read_text(encoding="utf-8")
    rows = dict(line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| "))
    names = LICENCES.locked_names((ROOT / "requirements" / "run.txt").read_text(encoding="utf-8"))
    assert sorted(set(rows) - {"package"}) == list(names), "run `make pages`"
    known = {n: LICENCES.licence_of(n) for n in names}
    differing = {n: v for n, v in known.items() if v != LICENCES.ELSEWHERE and rows[n] != v}
    assert differing == {}, "run `make pages`"


def test_copyleft_is_named_in_the_text() -> None:
    page = (REFERENCE / "licences.md").read_text(encoding="utf-8")
    text, _, table = page.partition("## Packages")
    strong = [
        line.split(" | ")[0].strip("| ")
        for line in table.splitlines()
        if "GPL" in line or "General P" in line
    ]
    assert strong
    assert [name for name in strong if name not in text] == []
