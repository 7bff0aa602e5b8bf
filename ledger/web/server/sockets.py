"""Listening sockets, the names of the service, and the number of connections that the system has files for."""

from __future__ import annotations

import errno
import ipaddress
import resource
import socket
import ssl
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from ledger.addresses import addresses_of, bound_socket, lan_addresses, service_url
from ledger.errors import UsageError
from ledger.web.catalogue import phrase

_BACKLOG: Final = 1024
_UNTAKEN_MS: Final = 60_000
MOST_CONNECTIONS: Final = 10_000
"""The most connections; each may hold a hundred kilobytes that the client has not taken."""

_LEDGER_FILES: Final = 48
_LEDGER_FILES_MOST: Final = 256
"""The number of files reserved for the ledger, its read model, queries and pictures."""


class Listening(Struct, frozen=True, kw_only=True):
    """The listening sockets of the service and of its metrics."""

    sockets: Sequence[socket.socket]
    tls: ssl.SSLContext | None = None
    metrics_sockets: Sequence[socket.socket] = ()

    def close(self) -> None:
        """Close all sockets."""
        for one in (*self.sockets, *self.metrics_sockets):
            one.close()


def listening_at(host: str, port: int, metrics_port: int | None, tls: ssl.SSLContext | None) -> Listening:
    """Return the sockets for a host and its ports. Raise as `listening_sockets`."""
    served = Listening(sockets=listening_sockets(host, port), tls=tls)
    if metrics_port is None:
        return served
    try:
        metrics = listening_sockets("127.0.0.1", metrics_port, option="--metrics-port")
    except UsageError:
        served.close()
        raise
    return structs.replace(served, metrics_sockets=metrics)


def listening_sockets(host: str, port: int, *, option: str = "--port") -> list[socket.socket]:
    """Return sockets at all addresses of a host; `::` is all addresses of both kinds, port 0 any free port.

    Raise `UsageError` if the host is unknown or not ours, or the port is taken.
    """
    bound: list[socket.socket] = []
    try:
        for family, address in addresses_of(host):
            bound.append(_listening(family, address, port))
            port = port or bound[0].getsockname()[1]
    except OSError as error:
        for one in bound:
            one.close()
        raise _refused(error, host, port, option) from None
    return bound


def room_for_connections() -> int:
    """Return the most connections, after raising the limit of open files as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(8, min(MOST_CONNECTIONS, soft - min(max(_LEDGER_FILES, soft // 4), _LEDGER_FILES_MOST)))


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return a TLS context (1.2 or newer) for a certificate chain and its key, in PEM without a passphrase.

    Raise `UsageError`, or `OSError` for a file that cannot be read.
    """
    for path in (certificate, key):
        path.open("rb").close()  # OpenSSL's error for a missing file does not name it

    def refuse_passphrase() -> str:
        raise UsageError("usage", phrase("tls.passphrase", file=key), where="--tls-key")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key, password=refuse_passphrase)
    except ssl.SSLError as error:
        is_other = error.reason == "KEY_VALUES_MISMATCH"
        reason = (
            phrase("tls.other_key", file=key, other=certificate)
            if is_other
            else phrase("tls.no_pem", file=certificate, other=key)
        )
        raise UsageError("usage", reason, where="--tls-key" if is_other else "--tls-cert") from None
    return context


def set_up_connection(connection: socket.socket) -> None:
    """Set a socket to send at once, and let the system close what nobody takes: a phone that leaves says no goodbye."""
    connection.setblocking(False)
    with suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNTAKEN_MS)


def _listening(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = bound_socket(family, address, port)
    try:
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def _refused(error: OSError, host: str, port: int, option: str) -> UsageError:
    match error:
        case socket.gaierror():
            return UsageError("usage", phrase("listen.unknown_host", text=host), where="--host")
        case OSError(errno=errno.EADDRINUSE):
            return UsageError("usage", phrase("listen.port_taken", text=port), where=option)
        case OSError(errno=errno.EACCES):
            return UsageError("usage", phrase("listen.port_forbidden", text=port), where=option)
        case OSError(errno=errno.EADDRNOTAVAIL):
            return UsageError("usage", phrase("listen.foreign_host", text=host), where="--host")
    raise error


def own_names(host: str, also: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the host names of the service, except addresses and `localhost`. `host`: where it listens; `also`: the
    names of `--allow-host`.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return tuple(sorted({name, short, f"{short}.local", host.lower(), *map(str.lower, also)} - {""}))


def url_here(listening: Listening) -> str:
    """Return the URL of the service on this machine."""
    address, port = listening.sockets[0].getsockname()[:2]
    return service_url("127.0.0.1" if _is_any(address) else address, port, is_tls=listening.tls is not None)


def url_for_others(listening: Listening) -> str | None:
    """Return the URL of the service for others in the network; None if they cannot reach it."""
    for one in listening.sockets:
        address, port = one.getsockname()[:2]
        reached = next(iter(lan_addresses()), None) if _is_any(address) else address
        if reached is not None and not ipaddress.ip_address(reached).is_loopback:
            return service_url(reached, port, is_tls=listening.tls is not None)
    return None


def _is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified
