"""Authentication and authorisation of every route. A route that declares no role admits nobody (default deny)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from typing import Final

from msgspec import Struct
from starlette.requests import HTTPConnection

from ledger.access.base import Denial, Session
from ledger.access.grants import Grant
from ledger.access.tokens import is_same
from ledger.errors import LedgerError
from ledger.service.running import Service, Settings
from ledger.web.catalogue import phrase
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.routing import Route

LOOPBACK: Final = Grant(token="loopback", role="admin", hands=True, may_open=True)
"""The rights of a client on this machine, which needs no token."""

PUBLIC: Final = Grant(token="public", role="viewer")
"""The rights of everybody on a public service."""

NOBODY: Final = Grant(token="", role="viewer")
"""The rights of a client without a token on routes that need none."""

CSRF_HEADER: Final = "x-csrf-token"


class Admitted(Struct, frozen=True):
    """The rights of a client and, for a signed-in browser, the CSRF token of its pages."""

    grant: Grant
    csrf: str | None = None


_FORWARDED: Final = ("forwarded", "x-real-ip", "via")
_FORWARDED_ALSO: Final = "x-forwarded-"
"""The prefix of headers that proxies add about themselves and their clients."""


def check_host(settings: Settings, connection: HTTPConnection) -> None:
    """Raise `WebError` for a host that is not this service: a foreign name may point to our address."""
    hosts = connection.headers.getlist("host")
    here = str((connection.scope.get("server") or ("",))[0])
    if len(hosts) != 1 or not _is_ours(hosts[0], here, settings.hosts):
        raise web_error("misdirected", "misdirected", text=(hosts or [""])[0][:200])


@lru_cache(maxsize=256)
def _is_ours(named: str, here: str, hosts: tuple[str, ...]) -> bool:
    """Return whether a request to the address `here` may name this host."""
    host = _without_port(named)
    return host in hosts or _unbracketed(host) == here or (_is_loopback(here) and _is_literal_loopback(host))


def peer_of(settings: Settings, connection: HTTPConnection) -> str:
    """Return the address of the client; behind a proxy, which is on this machine, the forwarded one."""
    if _is_by_proxy(settings, connection) and (forwarded := connection.headers.getlist("x-forwarded-for")):
        return forwarded[-1].rpartition(",")[2].strip()[:100]  # the client may have sent the earlier values
    return _address_of(connection)


def _is_by_proxy(settings: Settings, connection: HTTPConnection) -> bool:
    """Return whether a request comes from the declared proxy, whose headers can be trusted."""
    return settings.proxy and _is_loopback(_address_of(connection))


def _address_of(connection: HTTPConnection) -> str:
    return str((connection.scope.get("client") or ("unix",))[0])


def admitted(service: Service, route: Route, connection: HTTPConnection) -> Admitted:
    """Return the rights of the client if the route admits it. Raise `WebError` otherwise."""
    check_origin(connection, route.method)
    who = _identified(service, connection)
    if route.who == "none":
        return who if isinstance(who, Admitted) else Admitted(NOBODY)
    if who is None:
        raise web_error("unauthenticated", "no_token")
    if not isinstance(who, Admitted):
        raise Denied(who)
    if who.csrf is not None and route.method != "GET" and not route.is_page:
        check_csrf(who.csrf, connection, connection.headers.get(CSRF_HEADER))
    grant = who.grant
    if not _has_role(service, route, grant):
        raise web_error("forbidden", "role", needed=route.who, role=grant.role)
    if route.of_whole_ledger and grant.tables is not None:
        raise web_error("forbidden", "whole_ledger")
    return who


def admits(service: Service, route: Route, grant: Grant) -> bool:
    """Return whether a route admits a client with these rights; its `guard` may still refuse."""
    if route.who == "none":
        return True
    is_whole = grant.tables is None or not route.of_whole_ledger
    return grant is not NOBODY and is_whole and _has_role(service, route, grant)


def _has_role(service: Service, route: Route, grant: Grant) -> bool:
    is_open = route.or_viewers and service.settings.viewers_query
    return is_open or route.who == "none" or route.who == "any" or grant.at_least(route.who)


def known(service: Service, connection: HTTPConnection) -> Admitted | None:
    """Return the rights of a refused client, for its page; None if they cannot be determined."""
    with suppress(LedgerError):
        who = _identified(service, connection)
        return who if isinstance(who, Admitted) else None
    return None


class Denied(WebError):
    """The refusal of a secret, with its reason."""

    def __init__(self, denial: Denial) -> None:
        code, key = _DENIALS[denial]
        super().__init__(code, phrase(key))
        self.denial = denial


_DENIALS: Final[Mapping[Denial, tuple[str, str]]] = {
    "unknown": ("unauthenticated", "wrong_token"),
    "expired": ("unauthenticated", "expired_token"),
    "revoked": ("gone", "revoked"),
}


def _identified(service: Service, connection: HTTPConnection) -> Admitted | Denial | None:
    """Return the rights by token, by session cookie, by being on this machine, or of a public service."""
    settings = service.settings
    authorization = connection.headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        granted = service.access.grant_of(token.strip()) if scheme.lower() == "bearer" else "unknown"
        return Admitted(granted) if isinstance(granted, Grant) else granted
    denial: Denial | None = None
    secret = cookie_of(connection, cookie_name(is_https(settings, connection)))
    if secret is not None:
        session = service.access.session_of(secret)
        if isinstance(session, Session):
            return Admitted(session.grant, session.csrf)
        denial = session
    if settings.loopback and not settings.proxy and _is_at_the_machine(connection):
        return Admitted(LOOPBACK)
    return Admitted(PUBLIC) if settings.public else denial


def cookie_name(is_secure: bool) -> str:
    """Return the name of the session cookie. Browsers accept the prefix only on https."""
    return "__Host-trickledger" if is_secure else "trickledger"


def is_https(settings: Settings, connection: HTTPConnection) -> bool:
    """Return whether the client speaks https, with us or with the proxy before us."""
    if settings.is_https or not _is_by_proxy(settings, connection):
        return settings.is_https
    return connection.headers.getlist("x-forwarded-proto")[-1:] == ["https"]


def is_trusted_origin(settings: Settings, connection: HTTPConnection) -> bool:
    """Return whether browsers treat the page as a secure context: on https, or on this machine."""
    return is_https(settings, connection) or _is_named_loopback(connection.headers.get("host", ""))


def cookie_of(connection: HTTPConnection, name: str) -> str | None:
    """Return the value of a cookie; None if there is none, or more than one of that name.

    Starlette takes the last of several: another host of the same site could set one over ours.
    """
    values = [
        value
        for header in connection.headers.getlist("cookie")
        for key, _, value in (part.strip().partition("=") for part in header.split(";"))
        if key == name
    ]
    return values[0] if len(values) == 1 else None


def check_origin(connection: HTTPConnection, method: str) -> None:
    """Raise `WebError` for a request that another site makes a browser send with the rights of its user.

    For pictures, scripts and some forms browsers send no origin, but mark them as cross-site. Links from other sites
    may be followed; their forms send nothing.
    """
    origin = connection.headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != (connection.headers.get("host") or "").lower():
        raise web_error("csrf", "foreign_origin", text=origin[:200])
    site = connection.headers.get("sec-fetch-site")
    if site in ("cross-site", "same-site"):
        is_link = method == "GET" and connection.headers.get("sec-fetch-mode") == "navigate"
        if not is_link:
            raise web_error("csrf", "foreign_origin", text=site)


def check_csrf(csrf: str, connection: HTTPConnection, sent: str | None) -> None:
    """Raise `WebError` unless the request has the session's CSRF token.

    A browser sends its cookie with requests of any page; only our pages know the token. Scripts send it in a header,
    forms in a field.
    """
    if connection.headers.get("origin") is None or sent is None or not is_same(sent, csrf):
        raise web_error("csrf", "no_csrf")


def _is_at_the_machine(connection: HTTPConnection) -> bool:
    """Return whether a request comes from this machine itself, and not through a proxy on it."""
    client = connection.scope.get("client")
    if client is None or not _is_loopback(client[0]):
        return False
    if any(name in _FORWARDED or name.startswith(_FORWARDED_ALSO) for name in connection.headers):
        return False
    return _is_named_loopback(connection.headers.get("host", ""))


@lru_cache(maxsize=256)
def _is_named_loopback(host: str) -> bool:
    """Return whether a `Host` header names this machine by a loopback address or `localhost`."""
    return _is_literal_loopback(_without_port(host))


def _is_literal_loopback(host: str) -> bool:
    return host == "localhost" or _is_loopback(_unbracketed(host))  # browsers never look localhost up


@lru_cache(maxsize=1024)
def _is_loopback(text: str) -> bool:
    try:
        return ip_address(text).is_loopback
    except ValueError:
        return False


def _unbracketed(host: str) -> str:
    """Return the address without the brackets of IPv6."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()
