"""Settings: ``kg.toml`` of the workspace, and the one place where the environment is read."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from canonicalize.llm_judge import LlmJudgeSettings
from canonicalize.pair_judge import ACCEPT, REFUSE
from canonicalize.rounds import STOP_SHARE, RoundPolicy
from cypher.generation.settings import LlmQuerySettings
from extraction.llm import LlmSettings
from kg.adapters.embedders import EmbedderSettings
from kg.adapters.extraction_models import ExtractionModelSettings
from kg.adapters.openai_chat import ChatSettings
from kg.adapters.polite_http import FetchSettings
from kg.api_settings import ApiSettings
from kg.question_settings import QuestionSettings
from schemas.errors import SettingsError
from schemas.model import Frozen

EXAMPLE_PASSWORDS = frozenset({"changeme", "password", "neo4j", "secret", "example", "set-it"})


class StoreSettings(Frozen):
    """Which Neo4j to use; without ``uri`` the workspace's own managed one."""

    uri: str = ""
    """``neo4j://``, ``bolt://`` or with ``+s``; empty for the managed server."""
    username: str = "neo4j"
    database: str = "neo4j"
    heap: str = Field("1g", pattern=r"^\d+[mg]$")
    """Java heap of the managed server."""
    page_cache: str = Field("256m", pattern=r"^\d+[mg]$")
    jit: Literal["full", "quick"] = "full"
    """How Java compiles the managed server: with ``quick`` it starts sooner and takes less processor time in
    its first minutes; ``full`` is faster under lasting load."""


class ExtractionSettings(Frozen):
    """How documents become graphs."""

    rules: bool = True
    llm: bool = False
    """Also ask the chat model of ``[chat]``."""
    llm_settings: LlmSettings = LlmSettings()
    """How much of a document the chat model reads and writes."""
    learned: bool = False
    """Also use the model of ``kg train extractor``."""
    gliner: str = ""
    """Folder or hub name of a GLiNER model; empty for none."""
    rebel: str = ""
    """Folder or hub name of a REBEL model, which relates what the other extractors found; empty for none."""
    models: ExtractionModelSettings = ExtractionModelSettings()
    describe: Literal["off", "template", "chat"] = "off"
    """Describe records without a description: in the schema's words, or by the chat model of ``[chat]``."""
    workers: int = Field(0, ge=0, le=64)
    """Processes; 0 for one per core."""
    max_file_mb: int = Field(50, ge=1, le=1_024)
    """Largest source file that is read, unpacked, in MB (2^20 bytes)."""


class CanonicalizeSettings(Frozen):
    """Who judges whether similar names are one entity."""

    judge: Literal["threshold", "pairs", "llm"] = "threshold"
    """``threshold``: similarity decides; ``pairs``: a model of pairs, trained by ``kg train judge`` or
    shipped; ``llm``: the chat model of ``[chat]``."""
    rounds: int | None = Field(None, ge=1, le=100)
    """Most rounds of clustering and judging; by default 1 with ``threshold``, else 5."""
    stop_share: float = Field(STOP_SHARE, ge=0, le=1)
    """Another round follows while at least this share of the groups merges."""
    margin: float | None = Field(None, ge=0, le=1)
    """How far below a type's threshold clusters are put to the judge; by default 0 with ``threshold``, which
    cannot refuse, else 0.4 (by cross-validation over the labelled names)."""
    accept: float = Field(ACCEPT, ge=0, le=1)
    """With ``pairs``: average probability from which two groups are one."""
    refuse: float = Field(REFUSE, ge=0, le=1)
    """With ``pairs``: average probability from which a merge is left to reviewers."""
    llm: LlmJudgeSettings = LlmJudgeSettings()
    full_below: int = Field(5_000, ge=0)
    """With fewer records everything is resolved anew each time, which takes seconds."""
    full_share: float = Field(0.05, ge=0, le=1)
    """Above it only what changed documents touch is resolved, until more than this share of the records
    changed since everything was."""

    @property
    def policy(self) -> RoundPolicy:
        """The rounds, with the defaults of the judge."""
        plain = self.judge == "threshold"
        return RoundPolicy(
            most=self.rounds or (1 if plain else 5),
            stop_share=self.stop_share,
            margin=(0.0 if plain else 0.4) if self.margin is None else self.margin,
        )


class AnswerSettings(Frozen):
    """What the chat model of ``[chat]`` may do when a question is asked; nothing without ``[chat]``."""

    queries: bool = False
    """Let it write queries where the service's own reading abstains or is not sure."""
    prose: bool = False
    """Let it put the rows into words; every sentence is checked against the rows that it cites."""
    llm: LlmQuerySettings = LlmQuerySettings()


class CommunitySettings(Frozen):
    """How entities are grouped."""

    enabled: bool = True
    seed: int = 7
    min_component: int = Field(3, ge=1)
    """Weakly connected components with fewer entities are kept apart and not grouped."""
    resolution: float = Field(1.0, gt=0)


class Settings(Frozen):
    """Everything ``kg.toml`` may say."""

    schema_source: str = Field("particle_physics", alias="schema")
    """A catalog name, or a YAML file relative to the workspace."""
    store: StoreSettings = StoreSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    chat: ChatSettings | None = None
    canonicalize: CanonicalizeSettings = CanonicalizeSettings()
    communities: CommunitySettings = CommunitySettings()
    fetch: FetchSettings = FetchSettings()
    questions: QuestionSettings = QuestionSettings()
    answers: AnswerSettings = AnswerSettings()
    api: ApiSettings = ApiSettings()


@dataclass(frozen=True, slots=True)
class Environment:
    """What the program takes from the process environment."""

    neo4j_uri: str = ""
    neo4j_username: str = ""
    neo4j_password: str = field(default="", repr=False)
    neo4j_database: str = ""
    cache: Path = Path()
    """Per-user cache for jars and models."""
    workspace: str = ""
    chat_api_key: str = field(default="", repr=False)
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)


def read_environment(variables: Mapping[str, str] | None = None) -> Environment:
    """The environment as typed values; the only function that reads ``os.environ``.

    A relative ``XDG_CACHE_HOME`` is passed over, as its specification asks.
    """
    env = os.environ if variables is None else variables
    own, base = env.get("KG_CACHE_DIR"), Path(env.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path(env.get("HOME") or Path.home()) / ".cache"
    return Environment(
        neo4j_uri=env.get("NEO4J_URI", ""),
        neo4j_username=env.get("NEO4J_USERNAME", ""),
        neo4j_password=env.get("NEO4J_PASSWORD", ""),
        neo4j_database=env.get("NEO4J_DATABASE", ""),
        cache=Path(own) if own else base / "corpusgraph",
        workspace=env.get("KG_WORKSPACE", ""),
        chat_api_key=env.get("KG_CHAT_API_KEY", ""),
        variables=env,
    )


def hand_down_workspace(root: Path) -> None:
    """Tell an app factory, which takes no arguments, which workspace to open."""
    os.environ["KG_WORKSPACE"] = str(root)


def load_settings(path: Path) -> Settings:
    """Read and check ``kg.toml``; ``SettingsError`` names the key, what was expected and what was found."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        raise SettingsError(f"{path} does not exist; make a workspace with `kg init`") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise SettingsError(f"{path} is not valid TOML: {e}") from e
    try:
        return Settings.model_validate(data)
    except ValidationError as e:
        raise SettingsError(_fault(path, e.errors()[0])) from e


def _fault(path: Path, error: ErrorDetails) -> str:
    """File, line and key of a wrong setting, what was expected, and the key that was probably meant."""
    keys = [str(part) for part in error["loc"]]
    text = path.read_text(encoding="utf-8").splitlines()
    at = [n for n, line in enumerate(text, 1) if re.match(rf"\s*\[?(?:\w+\.)*{re.escape(keys[-1])}\b", line)]
    where = f"{path}:{at[0]}" if at else str(path)
    if error["type"] != "extra_forbidden":
        return f"{where}: {'.'.join(keys)}: {error['msg']} (found {error['input']!r})"
    known = _keys_of(Settings, keys[:-1])
    near = difflib.get_close_matches(keys[-1], known, n=1)
    meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f"{where}: {'.'.join(keys)} is no setting; {meant}"


def _keys_of(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    """Names of the settings of one table."""
    for part in path:
        kind = model.model_fields[part].annotation
        found = [t for t in (kind, *get_args(kind)) if isinstance(t, type) and issubclass(t, BaseModel)]
        model = found[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def store_target(settings: Settings, environment: Environment) -> StoreSettings:
    """The store to use: the environment wins over ``kg.toml``."""
    store = settings.store
    return store.model_copy(
        update={
            "uri": environment.neo4j_uri or store.uri,
            "username": environment.neo4j_username or store.username,
            "database": environment.neo4j_database or store.database,
        }
    )


def store_password(environment: Environment) -> str:
    """The password of an external Neo4j; refuses a missing one and the examples of manuals."""
    password = environment.neo4j_password
    if not password:
        raise SettingsError("NEO4J_PASSWORD is not set; it is needed with NEO4J_URI or store.uri in kg.toml")
    if password.lower() in EXAMPLE_PASSWORDS:
        raise SettingsError("NEO4J_PASSWORD is an example from a manual; set a password of your own")
    return password
