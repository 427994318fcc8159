"""Review: edits of graph files become decisions in the log, and decisions are replayed on new runs."""

from __future__ import annotations

from collections.abc import Sequence

from kg.graph_edit import Entry, decisions_in
from kg.graph_file import read_graph_file
from kg.review_items import Conflict, Decision, replay
from kg.review_log import ReviewLog
from kg.steps.context import StepContext, StepReport
from kg.workspace import Workspace
from schemas.documents import Document
from schemas.errors import UsageError
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey


def edited_documents(workspace: Workspace) -> tuple[DocumentKey, ...]:
    """Keys of the documents whose current graph is not what the program wrote.

    Raises ``GraphFileError`` with file and line when one is no graph file any more.
    """
    paths = [workspace.root / "graphs" / f"{stored.slug}.json" for stored in workspace.documents()]
    keys = [read_graph_file(path).graph.document for path in paths if path.exists()]
    return tuple(key for key in keys if is_edited(workspace, key))


def is_edited(workspace: Workspace, key: DocumentKey) -> bool:
    """Whether a document's current graph is not what the program wrote."""
    run_id = read_graph_file(workspace.graph_path(key)).graph.run_id
    return workspace.run_path(key, run_id).exists() and workspace.is_edited(key, run_id)


MOST_UNDONE = 5
"""Most events that are named one by one."""


def turned_back(workspace: Workspace, log: ReviewLog, document: Document) -> str:
    """What to say of a graph file that holds the run without the decisions in force; empty for any other.

    Somebody put the former values back by hand, or a command ended before it took the decisions up: the file
    alone does not tell which, so nothing is decided from it.
    """
    mine = log.decisions().get(document.key, ())
    path = workspace.graph_path(document.key)
    if not mine or not path.exists() or is_edited(workspace, document.key):
        return ""
    extracted, base = current_base(workspace, log, document)
    if base == extracted or workspace.read_graph(document.key) != extracted:
        return ""
    events = [d.seq for d in reversed(mine)]
    undo = ", ".join(f"`kg undo {seq}`" for seq in events[:MOST_UNDONE])
    more = f" and {len(events) - MOST_UNDONE} more, in this order" if len(events) > MOST_UNDONE else ""
    return (
        f"graphs/{path.name} says what was before event {events[-1]}: to take what was decided back run "
        f"{undo}{more}; `kg extract` puts it into the file again"
    )


def decisions_to_accept(
    workspace: Workspace, log: ReviewLog, document: Document
) -> tuple[DocumentGraph, list[Entry]]:
    """The run behind the current graph, and the decisions that its edits amount to.

    Raises ``GraphFileError`` with file and line when an edit does not stand up.
    """
    file = read_graph_file(workspace.graph_path(document.key))
    if not workspace.run_path(document.key, file.graph.run_id).exists():
        raise file.fault(("run_id",), f"expected the id of a run of {document.key}: put it back")
    extracted, base = current_base(workspace, log, document)
    return extracted, decisions_in(file, base, document, workspace.schema)


def current_base(
    workspace: Workspace, log: ReviewLog, document: Document
) -> tuple[DocumentGraph, DocumentGraph]:
    """The run behind the current graph, and that run with the decisions in force."""
    run_id = read_graph_file(workspace.graph_path(document.key)).graph.run_id
    extracted = workspace.read_run(document.key, run_id)
    return extracted, replay(extracted, log.decisions().get(document.key, ()), document.text)[0]


def accept_edits(context: StepContext, log: ReviewLog, document: Document) -> list[Entry]:
    """Log the edits of one document's graph, all or none, and write the graph as decided.

    After a crash in between, accepting again finds the logged part done and writes the graph.
    """
    workspace = context.workspace
    if not workspace.graph_path(document.key).exists():
        raise UsageError(f"{document.key} has no graph yet; run `kg extract`")
    with context.ledger.run("accept") as run:
        extracted, entries = decisions_to_accept(workspace, log, document)
        if entries:
            log.append_many(
                [(kind, payload.model_dump(mode="json", exclude_defaults=True)) for kind, payload in entries],
                actor="kg accept",
            )
        write_decided(workspace, extracted, log.decisions().get(document.key, ()), document)
        run.counts |= {"events": len(entries)}
    return entries


def replay_decisions(context: StepContext, log: ReviewLog) -> StepReport:
    """Bring every current graph that decisions touch to what they say; conflicts are the notes.

    Graphs with edits that are not accepted yet are left alone.
    """
    workspace = context.workspace
    changed = 0
    conflicts: list[Conflict] = []
    decisions = log.decisions()
    stored = {s.slug: s for s in workspace.documents()} if decisions else {}
    for key, mine in sorted(decisions.items()):
        path = workspace.graph_path(key)
        if path.stem not in stored or not path.exists() or is_edited(workspace, key):
            continue
        document = workspace.read_document(stored[path.stem])
        extracted = workspace.read_run(key, workspace.read_graph(key).run_id)
        wrote, found = write_decided(workspace, extracted, mine, document)
        changed += wrote
        conflicts += found
    notes = tuple(f"conflict: {c.line()}" for c in conflicts)
    return StepReport("review", changed, len(decisions) - changed, notes=notes)


def write_decided(
    workspace: Workspace, extracted: DocumentGraph, decisions: Sequence[Decision], document: Document
) -> tuple[bool, tuple[Conflict, ...]]:
    """Write a run with decisions as the current graph; whether that changed it, and the conflicts."""
    graph, conflicts = replay(extracted, decisions, document.text)
    return workspace.save_reviewed(graph), conflicts
