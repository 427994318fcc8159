"""Commands that run servers and prepare them: neo4j, serve, setup, demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from kg import demo as demonstration
from kg.commands.common import JsonOption, WorkspaceOption, out, print_json, say, workspace_root
from kg.neo4j_server import ManagedNeo4j, ServerStatus
from kg.settings import read_environment
from kg.setup import prepare
from kg.workspace import Workspace

app = typer.Typer()
neo4j = typer.Typer(no_args_is_help=True, help="The managed Neo4j of a workspace.")
app.add_typer(neo4j, name="neo4j", rich_help_panel="Serve")

Port = Annotated[int | None, typer.Option(min=1, max=65535, help="A free one when left out.")]


def managed(option: Path | None) -> ManagedNeo4j:
    """The managed server of a workspace, started or not."""
    workspace = Workspace(workspace_root(option))
    store = workspace.settings.store
    return ManagedNeo4j(
        workspace.neo4j_home,
        cache=read_environment().cache,
        heap=store.heap,
        page_cache=store.page_cache,
        jit=store.jit,
    )


@neo4j.command()
def start(workspace: WorkspaceOption = None, bolt_port: Port = None, http_port: Port = None) -> None:
    """Start it, or say where it runs already."""
    endpoint = managed(workspace).start(bolt_port=bolt_port, http_port=http_port, note=say)
    out().print(f"{endpoint.uri}\nBrowser: {endpoint.browser_url}", highlight=False)


@neo4j.command()
def stop(workspace: WorkspaceOption = None) -> None:
    """Stop it cleanly."""
    out().print("stopped" if managed(workspace).stop() else "it was not running")


@neo4j.command(name="status")
def neo4j_status(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Whether it runs, where, and what it uses. Exit status 1 when it does not run."""
    status = managed(workspace).status()
    if as_json:
        print_json(_plain(status))
    else:
        table = Table(box=None, show_header=False)
        for name, value in _plain(status).items():
            shown = "; ".join(map(str, value)) if isinstance(value, list) else value
            table.add_row(name, str(shown) if shown not in (None, "") else "-")
        out().print(table)
    raise typer.Exit(0 if status.state == "running" else 1)


@neo4j.command()
def url(workspace: WorkspaceOption = None) -> None:
    """Print the Bolt address; nothing else."""
    endpoint = managed(workspace).status().endpoint
    if endpoint is None:
        say("the managed Neo4j is not running; start it with `kg neo4j start`")
        raise typer.Exit(1)
    typer.echo(endpoint.uri)


def _plain(status: ServerStatus) -> dict[str, object]:
    endpoint = status.endpoint
    return {
        "state": status.state,
        "uri": endpoint.uri if endpoint else "",
        "browser": endpoint.browser_url if endpoint else "",
        "username": endpoint.username if endpoint else "",
        "version": status.version,
        "pid": status.pid,
        "memory_mb": round(status.rss_bytes / 1e6) if status.rss_bytes else None,
        "data": str(status.data),
        "log": str(status.log),
        "notes": list(status.notes),
    }


@app.command(rich_help_panel="Serve")
def serve(
    workspace: WorkspaceOption = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; loopback unless a proxy authenticates.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
) -> None:
    """Serve the HTTP API until Ctrl-C."""

    def listening() -> None:
        say(f"serving on http://{host}:{port}; OpenAPI at /openapi.json, Ctrl-C to stop")

    root = Workspace(workspace_root(workspace)).root
    demonstration.serve(root, host=host, port=port, listening=listening)


@app.command(rich_help_panel="Serve")
def setup() -> None:
    """Download and check what is needed: Neo4j's jars and the embedding model. Leaves nothing running."""
    prepare(read_environment().cache, archive=True, note=say)


@app.command(rich_help_panel="Serve")
def demo(
    workspace: Annotated[Path, typer.Option("--workspace", "-w", help="Where to build it.")] = Path(
        "demo-workspace"
    ),
    stop: Annotated[bool, typer.Option("--stop", help="Stop what the demo left running.")] = False,
    port: Annotated[int | None, typer.Option(help="Port of the API; a free one when left out.")] = None,
) -> None:
    """Build the LHCb graph, ask five questions, and leave Neo4j and the API running."""
    if stop:
        demonstration.stop(workspace, note=say)
    else:
        demonstration.run(workspace, port=port)
