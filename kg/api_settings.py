"""How the HTTP API may be addressed."""

from __future__ import annotations

from pydantic import field_validator

from schemas.model import Frozen


class ApiSettings(Frozen):
    """What ``kg serve`` answers to."""

    hosts: tuple[str, ...] = ()
    """Names, without a port, by which a proxy on this machine passes requests on. Addresses and localhost
    always pass; other names are refused on loopback, as a page of another site could use them. Pages of these
    hosts may ask, on any port; those of other sites are refused (403)."""

    @field_validator("hosts")
    @classmethod
    def _lower(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(h.lower() for h in hosts)
