"""INSPIRE: papers found by its search, over its REST API.

There is no client worth depending on: the one published wrapper of this API (``pyinspirehep``) is of March
2022 and has neither pacing nor timeouts, and what is needed is one address with paging. Terms: 15
requests in 5 seconds for one address; a blocked request counts too (github.com/inspirehep/rest-api-doc,
doi:10.5281/zenodo.5788550).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kg.adapters.arxiv_source import parse_arxiv_id
from kg.adapters.polite_http import FetchSettings, Pace, PoliteHttp, Timing
from schemas.errors import FetchError, UsageError
from schemas.model import Frozen

REQUESTS: Final = 15
SECONDS: Final = 5.0
PAGE: Final = 50
"""Papers asked for at once."""
REACHABLE: Final = 10_000
"""Papers of one query that the API gives out at most."""
FIELDS: Final = "control_number,titles,arxiv_eprints,dois,collaborations,earliest_date"
_YEAR: Final = re.compile(r"\d{4}(?=-|$)")


class InspirePaper(Frozen):
    """What INSPIRE says about a paper; empty where it says nothing."""

    id: str
    """Number of the literature record."""
    title: str = ""
    arxiv: str = ""
    """Without version; empty for a paper that is not on arXiv."""
    doi: str = ""
    collaboration: str = ""
    """The first one named."""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class InspirePage:
    """Papers of one page of a search."""

    total: int
    """Papers that the query has in all."""
    papers: tuple[InspirePaper, ...]


def inspire_query(text: str) -> str:
    """The query for what follows ``inspire:``: a bare number is a literature record.

    >>> inspire_query("1857623"), inspire_query(" collaboration:LHCb ")
    ('recid:1857623', 'collaboration:LHCb')
    """
    query = text.strip()
    if not query:
        raise UsageError("expected inspire:QUERY or inspire:NUMBER, found nothing after `inspire:`")
    return f"recid:{query}" if query.isdecimal() else query


class InspireSource:
    """The literature search of INSPIRE, or of a server with the same addresses."""

    def __init__(self, settings: FetchSettings, timing: Timing) -> None:
        self._base = settings.inspire
        self.http = PoliteHttp("INSPIRE", Pace(REQUESTS, SECONDS, timing), settings, timing)

    def pages(self, query: str, *, limit: int) -> Iterator[InspirePage]:
        """Pages of a search, newest paper first, until ``limit`` papers are given.

        ``FetchError`` when nothing fits the query (its ``status`` is 404), and when the reply is none of
        INSPIRE's.
        """
        size, given, number = min(PAGE, limit), 0, 1
        while given < limit:
            page = self._page(query, size, number)
            if not page.total:
                raise FetchError(
                    f"expected papers for the query {query!r}, found none on INSPIRE; check its syntax there",
                    status=404,
                )
            if not page.papers:
                raise FetchError(
                    f"{self._base}: expected {min(page.total, limit)} papers for {query!r}, found an "
                    f"empty page after {given}; run the same command again"
                )
            yield InspirePage(page.total, page.papers[: limit - given])
            given, number = given + len(page.papers), number + 1
            if given >= min(page.total, REACHABLE):
                return

    def _page(self, query: str, size: int, number: int) -> InspirePage:
        reply = self.http.get(
            f"{self._base}/api/literature",
            params={
                "q": query,
                "size": str(size),
                "page": str(number),
                "sort": "mostrecent",
                "fields": FIELDS,
            },
        )
        try:
            hits = json.loads(reply.content)["hits"]
            papers = tuple(_paper(hit["metadata"]) for hit in hits["hits"])
            return InspirePage(int(hits["total"]), papers)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as e:
            raise FetchError(
                f"{reply.url}: expected search results of INSPIRE as JSON, found something else ({e!r}); "
                "check inspire under [fetch] in kg.toml"
            ) from e


def _paper(metadata: dict[str, Any]) -> InspirePaper:
    year = _YEAR.match(str(metadata.get("earliest_date", "")))
    return InspirePaper(
        id=str(int(metadata["control_number"])),
        title=" ".join(_first(metadata, "titles", "title").split()),
        arxiv=_arxiv(_first(metadata, "arxiv_eprints", "value")),
        doi=_first(metadata, "dois", "value").lower(),
        collaboration=_first(metadata, "collaborations", "value"),
        year=int(year.group()) if year else None,
    )


def _first(metadata: dict[str, Any], field: str, key: str) -> str:
    """A value of the first entry of a list, empty without one."""
    entries = metadata.get(field) or [{}]
    return str(entries[0].get(key, ""))


def _arxiv(value: str) -> str:
    """The number without version; empty for what is no arXiv number: the paper then counts as having none."""
    try:
        return parse_arxiv_id(value).id
    except UsageError:
        return ""
