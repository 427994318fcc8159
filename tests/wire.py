"""A loopback address in front of a server, which can be cut, or frozen for a while."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Final, Self

JOIN_SECONDS: Final = 60.0
"""For threads to come to their end; the limit is that of a very busy machine."""


class Wire:
    """Passes bytes to a server and back, but for while ``flows`` is not set; as a block it is cut at the end.

    Whatever waited for a frozen server is still there when a test is over: its sockets would be missed by a
    later test, and its attempts to connect again would go on beneath it. So ``cut`` waits for all of them.
    """

    def __init__(self, host: str, port: int) -> None:
        self.flows = threading.Event()
        self.flows.set()
        self._target = (host, port)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._lock = threading.Lock()
        self._cut = False
        self._ends: list[socket.socket] = [self._server]
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        for thread in threading.enumerate():
            if thread.name in {"kg-connect", "kg-read", "kg-terminate"}:
                ended(thread)

    def cut(self) -> None:
        """End all connections and take no more; again does nothing."""
        with self._lock:
            self._cut = True
            ends = tuple(self._ends)
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.flows.set()
        for thread in (self._accepting, *self._threads):
            ended(thread)
        for end in ends:
            end.close()

    def drop(self) -> None:
        """End the connections that there are, and take new ones, as a server does that was started anew."""
        with self._lock:
            links = self._ends[1:]
        for end in links:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                if not self._passed_on(client):
                    client.close()

    def _passed_on(self, client: socket.socket) -> bool:
        with self._lock:
            if self._cut:
                return False
            server = socket.create_connection(self._target)
            self._ends += [client, server]
            for a, b in ((client, server), (server, client)):
                self._threads.append(threading.Thread(target=self._pump, args=(a, b), daemon=True))
                self._threads[-1].start()
            return True

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self.flows.wait()
                target.sendall(data)


def ended(thread: threading.Thread) -> None:
    """Waits for a thread to end; one that does not is an error."""
    thread.join(JOIN_SECONDS)
    if thread.is_alive():
        raise AssertionError(f"the thread {thread.name} is still there after {JOIN_SECONDS:.0f} s")
