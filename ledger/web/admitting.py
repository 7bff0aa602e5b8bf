"""Who may ask: the guard of every route. Nobody is let in by a route that says nothing of it (default deny)."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final

from ledger.access.grants import Grant
from ledger.service.running import Service, Settings
from ledger.table.lookup import slug_of
from ledger.web.asking import Headers
from ledger.web.problems import web_error
from ledger.web.routes import Route

LOOPBACK: Final = Grant(token="loopback", role="admin", hands=True, may_open=True)
"""One person at the machine itself needs no token."""

PUBLIC: Final = Grant(token="public", role="viewer")
"""Everybody, where the service is run so."""

NOBODY: Final = Grant(token="", role="viewer")
"""Who asks without a token what needs none."""

_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


def check_host(settings: Settings, scope: Mapping[str, Any], headers: Headers) -> None:
    """Raises `WebError` for a host that is not this service: a foreign name may be bound to our address."""
    told = headers.all("host")
    host = _without_port(told[0]) if len(told) == 1 else None
    if host is None or not (_is_address(host) or host in ("localhost", *settings.hosts)):
        raise web_error("misdirected", "misdirected", text=(told or [""])[0][:200])


def peer_of(settings: Settings, scope: Mapping[str, Any], headers: Headers) -> str:
    """The address that a request comes from; behind a proxy the one that the proxy says it comes from."""
    client = scope.get("client") or ("unix",)
    if settings.proxy and (forwarded := headers.get("x-forwarded-for")) is not None:
        return forwarded.rpartition(",")[2].strip()[:100]
    return str(client[0])


def admitted(
    service: Service, route: Route, scope: Mapping[str, Any], headers: Headers, parameters: Mapping[str, str]
) -> Grant:
    """What whoever asks may do, if he may ask this; raises `WebError` otherwise."""
    grant = _granted(service, scope, headers)
    if route.who == "none":
        return grant or NOBODY
    if grant is None:
        raise web_error("unauthenticated", "no_token")
    check_origin(service, route, headers, grant)
    if route.who != "any" and not grant.at_least(route.who):
        raise web_error("forbidden", "role", needed=route.who, role=grant.role)
    if route.of_whole_ledger and grant.tables is not None:
        raise web_error("forbidden", "whole_ledger")
    table = parameters.get("table")
    if table is not None and not grant.sees(slug_of(table)):
        raise web_error("not_found", "no_table", text=table[:100])
    return grant


def _granted(service: Service, scope: Mapping[str, Any], headers: Headers) -> Grant | None:
    settings = service.settings
    if settings.loopback and not settings.proxy and _is_at_the_machine(scope, headers):
        return LOOPBACK
    return PUBLIC if settings.public else None


def check_origin(service: Service, route: Route, headers: Headers, grant: Grant) -> None:
    """Raises `WebError` where another site makes a browser ask: it would ask with the rights of whoever sits there."""
    origin = headers.get("origin")
    if origin is None:
        return
    host = headers.get("host") or ""
    if origin.partition("://")[2] != host:
        raise web_error("csrf", "foreign_origin", text=origin[:200])


def _is_at_the_machine(scope: Mapping[str, Any], headers: Headers) -> bool:
    """Whether a request comes from this machine itself, and from no proxy on it."""
    client = scope.get("client")
    if client is None or not _is_loopback(client[0]):
        return False
    if any(headers.get(name) is not None for name in _FORWARDED):
        return False
    host = _without_port(headers.get("host") or "")
    return host == "localhost" or _is_loopback(host)


def _is_loopback(text: str) -> bool:
    try:
        return ip_address(text.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()
