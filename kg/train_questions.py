"""Trains a question encoder for any Neo4j on questions with their queries, and opens one."""

from __future__ import annotations

from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from cypher.examples import said_by
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from kg.adapters.encoder_training import steps_of
from kg.adapters.neo4j_connection import connect
from kg.adapters.question_encoder import QuestionEncoder
from kg.ask_store import Store
from kg.files import writable
from kg.model_files import EmbedderFiles, find_models
from kg.progress import ConsoleProgress
from kg.question_encoders import fingerprint, load_encoder, save_encoder, train_encoder
from kg.store_values import store_values
from schemas.errors import DataError, ModelUnavailableError, UsageError
from schemas.model import Frozen
from schemas.store_schema import StoreSchema

READING: Final = 600.0
"""Seconds in which the names of a database are read."""


class TrainedEncoder(Frozen):
    """What was learned."""

    file: str
    questions: int
    elements: int
    """Labels, types, properties and columns that the encoder tells of."""


def train_questions(store: Store, file: Path, *, cache: Path, progress: ConsoleProgress) -> TrainedEncoder:
    """Trains an encoder on the examples of a store and writes it to ``file``.

    Raises ``UsageError`` where the examples teach nothing, ``WorkspaceError`` where ``file`` cannot be
    written, ``ModelUnavailableError`` without MiniLM's files or the extra ``[models]``, and the errors of a
    store that cannot be read.
    """
    files, schema, examples = _files(cache), store.schema, store.known.examples
    _check_place(file)
    with connect(store.uri, store.user, store.password, database=store.database) as connection:
        found = store_values(connection, schema, cache / "stores", seconds=READING)
    if found.unread:
        raise UsageError(
            f"expected to read all names within {READING:g} s, found no time for {found.unread[0]}"
        )
    said = said_by(SemanticReader(schema, ValueTable(found.values), store.known.words), examples, schema)
    with progress.task("training (MiniLM is loaded first)", total=steps_of(len(said)), unit="steps") as task:
        encoder = train_encoder(said, files, done=task.advance)
    if encoder is None:
        raise UsageError(
            f"expected at least 15 examples that have something and as many that have not, found {len(said)} "
            "that teach nothing"
        )
    save_encoder(encoder, file, learned=fingerprint(said, files))
    return TrainedEncoder(file=str(file), questions=len(said), elements=len(encoder.names))


def open_encoder(file: Path, schema: StoreSchema, *, cache: Path) -> QuestionEncoder:
    """An encoder that was trained on questions to a store.

    Raises ``UsageError`` for another file, or one trained on another store; ``ModelUnavailableError``.
    """
    try:
        found = load_encoder(file, _files(cache))
    except DataError as e:
        raise UsageError(f"{e}; `kg train questions` makes one") from e
    terms = {f":{x.name}" for x in schema.labels} | {f"-{x.type}" for x in schema.relations}
    if not terms & {name.rpartition(" ")[0] for name in found.names}:
        raise UsageError(
            f"expected an encoder of this store, found in {file} one that knows none of its labels and "
            "relationship types; `kg train questions` makes one"
        )
    return found


def _check_place(file: Path) -> None:
    """Raises ``WorkspaceError`` where the file could not be written: before the training, not behind it."""
    with writable(file):
        if file.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=file.parent):
            pass


def _files(cache: Path) -> EmbedderFiles:
    found = find_models(cache)
    if found is None or found.onnx is None:
        raise ModelUnavailableError(
            f"expected MiniLM's files in {cache / 'models'}, found none; run `kg setup`"
        )
    return found.onnx
