"""HTTP as archives ask for it: paced, one connection, named, retried with patience, bounded."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urljoin, urlsplit

from pydantic import Field, field_validator

from kg.adapters.retry import LONGEST_RETRY_AFTER, delay, retry_after
from schemas.errors import FetchError, TransientServiceError
from schemas.ids import content_hash
from schemas.model import Frozen

if TYPE_CHECKING:
    import requests

_log = logging.getLogger(__name__)
MEGABYTE: Final = 2**20
METADATA_BYTES: Final = 32 * MEGABYTE
"""Largest reply with metadata."""
REDIRECTS: Final = 5
GIVE_UP_AFTER: Final = 3
"""Requests in a row that failed with all their retries; after them the server is left alone."""
_TRANSIENT: Final = frozenset({408, 425, 429})
_EXCERPT: Final = 200
_CHUNK: Final = 65_536


class FetchSettings(Frozen):
    """Where papers are fetched from, how patiently, and how large they may be."""

    arxiv: str = "https://export.arxiv.org"
    """Has ``/api/query``, ``/e-print/ID`` and ``/pdf/ID``."""
    arxiv_oai: str = "https://oaipmh.arxiv.org/oai"
    """OAI-PMH address of arXiv, which tells the licence of a paper; empty to go without licences."""
    inspire: str = "https://inspirehep.net"
    """Has ``/api/literature``."""
    contact: str = Field("", max_length=200, pattern=r"^[!-~]*$")
    """Your e-mail address for the User-Agent, so that an archive can reach you before it blocks you."""
    timeout: float = Field(30.0, gt=0, le=600)
    """Seconds to wait for a connection, and for each next part of a reply."""
    download_seconds: float = Field(900.0, gt=0, le=7_200)
    """Seconds for one whole reply."""
    max_retries: int = Field(4, ge=0, le=10)
    max_source_mb: int = Field(50, ge=1, le=1_024)
    """Largest source or PDF as it is fetched, in MB (2^20 bytes)."""
    max_unpacked_mb: int = Field(200, ge=1, le=8_192)
    """Largest sum of the unpacked files of one source, in MB."""

    @field_validator("arxiv", "arxiv_oai", "inspire")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("expected http://host or https://host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user, password, query or fragment")
        return value.rstrip("/")

    @property
    def user_agent(self) -> str:
        """How the program names itself."""
        name = f"corpusgraph/{version('corpusgraph')}"
        return f"{name} (mailto:{self.contact})" if self.contact else name


@dataclass(frozen=True, slots=True)
class Timing:
    """A monotonic clock in seconds and the way to wait; tests give their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Pace:
    """At most ``requests`` begin in any ``seconds``; for one thread.

    >>> waited = []
    >>> pace = Pace(1, 3.0, Timing(clock=lambda: sum(waited), sleep=waited.append))
    >>> pace.wait(), pace.wait(), waited
    (None, None, [3.0])
    """

    def __init__(self, requests: int, seconds: float, timing: Timing) -> None:
        self.seconds, self._timing = seconds, timing
        self._begun: deque[float] = deque(maxlen=requests)

    def wait(self) -> None:
        """Return when the next request may begin."""
        if len(self._begun) == self._begun.maxlen:
            left = self._begun[0] + self.seconds - self._timing.clock()
            if left > 0:
                self._timing.sleep(left)
        self._begun.append(self._timing.clock())


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply with status 200."""

    url: str
    content: bytes
    content_type: str


class PoliteHttp:
    """GET requests to one archive, one at a time over one connection; close it with ``with``.

    Retried are 408, 425, 429 and 5xx, waiting as long as ``Retry-After`` says (at most
    ``LONGEST_RETRY_AFTER``; a server that asks for more is left alone), timeouts, dropped connections
    and replies that end early, at most ``max_retries`` times with doubling delays of at least the
    pace's window; then ``TransientServiceError``. A server that has never answered, or that fails
    ``GIVE_UP_AFTER`` requests in a row, is not asked again. Every other status, a reply that is too large
    and a redirect to another site is a ``FetchError``. Redirects count as requests.
    """

    def __init__(self, name: str, pace: Pace, settings: FetchSettings, timing: Timing) -> None:
        self._name, self._pace, self._settings, self._timing = name, pace, settings, timing
        self._session: requests.Session | None = None
        self._answered = False
        self._failed = 0
        self._given_up = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._session is not None:
            self._session.close()

    def get(
        self, url: str, *, params: Mapping[str, str] | None = None, max_bytes: int = METADATA_BYTES
    ) -> Reply:
        """The reply to one GET request; errors as of the class."""
        if self._given_up:
            raise TransientServiceError(f"{self._given_up} (not asked again in this run)")
        address, left = url, dict(params or {})
        for _ in range(REDIRECTS + 1):
            reply = self._patiently(address, left, max_bytes)
            if isinstance(reply, Reply):
                self._failed = 0
                return reply
            address, left = self._allowed(address, reply), {}
        raise FetchError(f"{url}: expected a reply, found more than {REDIRECTS} redirects; try again later")

    def _patiently(self, url: str, params: Mapping[str, str], max_bytes: int) -> Reply | str:
        seed = content_hash(url, dict(params))
        for attempt in range(self._settings.max_retries + 1):
            self._pace.wait()
            try:
                return self._once(url, params, max_bytes)
            except TransientServiceError as e:
                asked = e.retry_after
                too_long = asked is not None and asked > LONGEST_RETRY_AFTER
                if too_long or attempt == self._settings.max_retries:
                    self._failed += 1
                    if too_long or self._failed >= GIVE_UP_AFTER or not self._answered:
                        self._given_up = str(e)
                    raise
                _log.info("retry %d: %s", attempt + 1, e)
                self._timing.sleep(max(delay(attempt, asked, seed), self._pace.seconds))
        raise AssertionError("the last attempt returns or raises")

    def _once(self, url: str, params: Mapping[str, str], max_bytes: int) -> Reply | str:
        """The reply, or the address to which it redirects."""
        import requests

        settings, began = self._settings, self._timing.clock()
        try:
            with self._open().get(
                url, params=params, stream=True, timeout=settings.timeout, allow_redirects=False
            ) as response:
                self._answered = True
                if response.is_redirect:
                    return str(response.headers["location"])
                if response.status_code != 200:
                    raise self._refusal(url, response)
                content = self._body(url, response, began, max_bytes)
                return Reply(url, content, response.headers.get("content-type", ""))
        except requests.exceptions.ConnectTimeout as e:
            raise TransientServiceError(self._unreachable(url, f"no answer in {settings.timeout:g} s")) from e
        except requests.exceptions.RequestException as e:
            raise TransientServiceError(self._unreachable(url, _cause(e))) from e

    def _body(self, url: str, response: requests.Response, began: float, max_bytes: int) -> bytes:
        declared = response.headers.get("content-length", "")
        content = bytearray()
        too_large = declared.isdecimal() and int(declared) > max_bytes
        for chunk in () if too_large else response.iter_content(_CHUNK):
            content += chunk
            if len(content) > max_bytes:
                too_large = True
                break
            if self._timing.clock() - began > self._settings.download_seconds:
                raise FetchError(
                    f"{url}: expected a reply within {self._settings.download_seconds:g} s, found one that "
                    "goes on; raise download_seconds under [fetch] in kg.toml or try again later"
                )
        if too_large:
            raise FetchError(
                f"{url}: expected at most {max_bytes / MEGABYTE:g} MB, found more; raise max_source_mb "
                "under [fetch] in kg.toml if it is to be read"
            )
        return bytes(content)

    def _refusal(self, url: str, response: requests.Response) -> TransientServiceError | FetchError:
        status = response.status_code
        if status not in _TRANSIENT and status < 500:
            said = " ".join(next(response.iter_content(4_096), b"").decode("utf-8", "replace").split())
            return FetchError(f"{url}: {self._name} replied {status}: {said[:_EXCERPT]}", status=status)
        asked = retry_after(response.headers.get("retry-after", ""))
        wait = f", asking to wait {asked:g} s" if asked is not None else ""
        what = "too many requests" if status == 429 else "it is overloaded or down"
        return TransientServiceError(
            f"{url}: {self._name} replied {status} ({what}){wait}; run the same command again later, "
            "what was fetched is kept",
            retry_after=asked,
        )

    def _unreachable(self, url: str, cause: str) -> str:
        return (
            f"{url}: {self._name} cannot be reached ({cause}); check the network and the proxy, or name "
            "another address under [fetch] in kg.toml; what was fetched is kept"
        )

    def _allowed(self, url: str, location: str) -> str:
        """The address of a redirect: the same site, and never from https to http."""
        target = urljoin(url, location)
        old, new = urlsplit(url), urlsplit(target)
        same = _site(old.hostname or "") == _site(new.hostname or "")
        if not same or new.scheme not in {"https", old.scheme}:
            raise FetchError(f"{url}: expected a reply from the same site, found a redirect to {target}")
        return target

    def _open(self) -> requests.Session:
        import requests

        if self._session is None:
            session = requests.Session()
            session.headers.update(
                {"user-agent": self._settings.user_agent, "accept": "*/*", "accept-encoding": "identity"}
            )
            session.auth = _no_credentials
            self._session = session
        return self._session


def _no_credentials(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps the library from sending what a netrc file holds."""
    return request


def _site(host: str) -> str:
    """The last two labels of a host name, or the whole address.

    >>> _site("export.arxiv.org"), _site("127.0.0.1")
    ('arxiv.org', '127.0.0.1')
    """
    return host if host.replace(".", "").isdecimal() or ":" in host else ".".join(host.split(".")[-2:])


def _cause(error: BaseException) -> str:
    """The innermost reason of a chain of wrapped errors, on one line."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return " ".join(str(error).split())[:_EXCERPT] or type(error).__name__
