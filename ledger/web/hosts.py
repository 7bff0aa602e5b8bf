"""By which names the service may be called (`Host`), and where others reach it. A page of somebody else whose name was
made to point to this machine (DNS rebinding) calls it by a name that is not ours.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from msgspec import Struct

_LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_ANY: Final = frozenset(("0.0.0.0", "::"))
_OUTSIDE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody (RFC 5737, RFC 3849): asking for the way there sends nothing."""


class Hosts(Struct, frozen=True):
    names: frozenset[str]

    def allow(self, called: str | None, own_address: str | None) -> bool:
        """Whether a request that names this host (`host_named`) is for us; `own_address`: where it has come in."""
        return called is not None and (called in self.names or called == own_address)


def allowed_hosts(host: str, extra: Iterable[str] = ()) -> Hosts:
    """The names of this machine and of what it listens at, and those that `--allow-host` adds."""
    name = socket.gethostname().lower()
    own = {*_LOOPBACK_NAMES, name, name.partition(".")[0], f"{name.partition('.')[0]}.local", *lan_addresses()}
    listening = () if host in _ANY else (host.lower(),)
    return Hosts(frozenset((*own, *listening, *(one.lower().strip("[]") for one in extra))) - {""})


def host_named(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The host of the `Host` header in lower case, without port and brackets; None unless there is exactly one."""
    named = [value for name, value in headers if name == b"host"]
    if len(named) != 1:
        return None
    host = named[0].decode("latin-1").lower()
    name, _, port = host.rpartition(":")
    if host.startswith("["):
        inner, closing, rest = host[1:].partition("]")
        return inner if closing and (not rest or _is_port(rest.removeprefix(":"))) else None
    if not name:
        return host.rstrip(".") or None
    return name.rstrip(".") if _is_port(port) and ":" not in name else None


def lan_addresses() -> list[str]:
    """Addresses at which others in the network reach this machine, IPv4 first; none without a network."""
    found = []
    for family, nobody in _OUTSIDE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nobody, 9))
            found.append(str(asking.getsockname()[0]))
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


def url(host: str, port: int, *, is_tls: bool) -> str:
    scheme, usual = ("https", 443) if is_tls else ("http", 80)
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}/" if port == usual else f"{scheme}://{shown}:{port}/"


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) < 65_536
