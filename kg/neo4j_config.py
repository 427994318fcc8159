"""The configuration, the flags and the command line of the managed Neo4j."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kg.neo4j_runtime import Runtime
from schemas.errors import SettingsError

FOLDERS = ("conf", "data", "logs", "run", "import", "plugins", "web")
"""What a home holds. Without ``web`` the server serves no Browser."""

FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+TrustFinalNonStaticFields",
    "-XX:+DisableExplicitGC",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.tls.ephemeralDHKeySize=2048",
    "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dlog4j2.disable.jmx=true",
    "-Dlog4j.layout.jsonTemplate.maxStringLength=32768",
    "-Dfile.encoding=UTF-8",
)
"""Those of the distribution's neo4j.conf, without AlwaysPreTouch: memory is taken as it is needed."""

Jit = Literal["full", "quick"]
"""How Java compiles the server while it runs. ``quick`` stops at the first compiler: the server starts sooner
and takes less processor time in its first minutes; ``full`` is faster under lasting load."""
_QUICK_FLAGS = ("-XX:TieredStopAtLevel=1",)

_BROWSER_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:* http://localhost:* ws://localhost:*"
)
"""Browser 5.24 asks hosts outside for a font, usage reports and news; this forbids it."""

_SIZE = re.compile(r"[1-9][0-9]*[kmg]", re.IGNORECASE)
_KILOBYTES = {"k": 1, "m": 1024, "g": 1024 * 1024}

PROCEDURES = (
    "db.awaitIndexes",
    "db.create.setNodeVectorProperty",
    "db.index.fulltext.queryNodes",
    "db.index.fulltext.queryRelationships",
    "db.index.vector.queryNodes",
    "db.index.vector.queryRelationships",
    "db.labels",
    "db.relationshipTypes",
    "db.schema.nodeTypeProperties",
    "db.schema.relTypeProperties",
)
"""All procedures that the platform calls, and those that a query may call. Of others, and of functions, the
server loads none from ``plugins``; it always has its own, which the gate keeps from queries."""
TRANSACTION_SHARE, TOTAL_SHARE = 0.5, 0.7
"""Of the heap, for one transaction and for all together. ``TOTAL_SHARE`` is the server's own default.

Of what the platform asks itself, ``kg.queries.CHUNKS_WITHOUT_VECTOR`` takes most: 86 MB for 40,000 passages.
"""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the server listens, on 127.0.0.1 only."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Heap and page cache, in Java's notation: digits and k, m or g.

    The defaults suit a graph of some 100,000 nodes; give a bulk load ``heap="1g"``.

    Raises:
        SettingsError: a size is not in that notation.
    """

    heap: str = "512m"
    page_cache: str = "128m"

    def __post_init__(self) -> None:
        for name, value in (("heap", self.heap), ("page_cache", self.page_cache)):
            if not _SIZE.fullmatch(value):
                raise SettingsError(
                    f"Neo4j's {name} must be digits and k, m or g, such as 512m; found {value!r}."
                )

    def of_heap(self, share: float) -> str:
        """A share of the heap, in whole megabytes and at least one.

        >>> Memory("1g").of_heap(0.5), Memory("512m").of_heap(0.7), Memory("512k").of_heap(0.5)
        ('512m', '358m', '1m')
        """
        kilobytes = int(self.heap[:-1]) * _KILOBYTES[self.heap[-1].lower()]
        return f"{max(1, int(kilobytes * share) // 1024)}m"


def config_text(ports: Ports, memory: Memory) -> str:
    """The content of ``neo4j.conf``; unknown or wrong settings stop the start.

    No procedure or function of a plugin is loaded that the platform does not call, and a transaction that
    asks for more than its share of the heap is ended, before the heap is full for all.
    ``LOAD CSV`` can reach neither files nor the network, and the server sends no usage
    reports. Without the quiet period of the network layer a stop takes 1 s instead of 10.
    """
    bolt, http = f"127.0.0.1:{ports.bolt}", f"127.0.0.1:{ports.http}"
    settings = {
        "server.config.strict_validation.enabled": "true",
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "server.memory.heap.initial_size": memory.heap,
        "server.memory.heap.max_size": memory.heap,
        "server.memory.pagecache.size": memory.page_cache,
        "server.directories.data": "data",
        "server.directories.logs": "logs",
        "server.directories.run": "run",
        "server.directories.import": "import",
        "server.directories.plugins": "plugins",
        "db.transaction.timeout": "60s",
        "db.memory.transaction.max": memory.of_heap(TRANSACTION_SHARE),
        "dbms.memory.transaction.total.max": memory.of_heap(TOTAL_SHARE),
        "dbms.security.procedures.allowlist": ",".join(PROCEDURES),
        "dbms.security.auth_enabled": "true",
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.http_static_content_security_policy_header": _BROWSER_POLICY,
    }
    return "".join(f"{key}={value}\n" for key, value in settings.items())


def server_command(runtime: Runtime, home: Path, memory: Memory, *, jit: Jit = "full") -> list[str]:
    """The command that runs the server in the foreground."""
    return [
        *(str(runtime.java), f"-Xms{memory.heap}", f"-Xmx{memory.heap}", *FLAGS),
        *(_QUICK_FLAGS if jit == "quick" else ()),
        *runtime.options,
        *("-cp", runtime.class_path, "org.neo4j.server.CommunityEntryPoint"),
        *(f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode"),
    ]


def password_command(runtime: Runtime, password_file: Path) -> list[str]:
    """The command that sets the first password.

    It is handed over as an argument file (``@FILE``), so that it never stands in the process list.
    """
    admin = "org.neo4j.cli.AdminTool"
    return [
        *(str(runtime.java), *_QUICK_FLAGS, "-cp", runtime.class_path, admin),
        *("dbms", "set-initial-password", f"@{password_file}"),
    ]


def java_environment(home: Path) -> dict[str, str]:
    """The whole environment of both commands: nothing of the caller's leaks in."""
    return {
        "NEO4J_HOME": str(home),
        "NEO4J_CONF": str(home / "conf"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
