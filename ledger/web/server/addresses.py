"""By which names this machine is called, and where others reach it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from ledger.web.server.sockets import Listening

_OUTSIDE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody (RFC 5737, RFC 3849): asking for the way there sends nothing."""


def own_names(host: str, also: Iterable[str] = ()) -> tuple[str, ...]:
    """The names by which the service may be called, addresses and `localhost` apart; `host`: where it listens,
    `also`: what `--allow-host` adds.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return tuple(sorted({name, short, f"{short}.local", host.lower(), *map(str.lower, also)} - {""}))


def lan_addresses() -> list[str]:
    """Addresses at which others in the network reach this machine, IPv4 first; none without a network."""
    found = []
    for family, nobody in _OUTSIDE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nobody, 9))
            found.append(str(asking.getsockname()[0]))
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


def url_here(listening: Listening) -> str:
    """Where this machine itself reaches it."""
    address, port = listening.sockets[0].getsockname()[:2]
    return _url("127.0.0.1" if _is_any(address) else address, port, is_tls=listening.tls is not None)


def url_for_others(listening: Listening) -> str | None:
    """Where others in the network reach it; None where they do not."""
    for one in listening.sockets:
        address, port = one.getsockname()[:2]
        reached = next(iter(lan_addresses()), None) if _is_any(address) else address
        if reached is not None and not ipaddress.ip_address(reached).is_loopback:
            return _url(reached, port, is_tls=listening.tls is not None)
    return None


def _is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified


def _url(host: str, port: int, *, is_tls: bool) -> str:
    scheme, usual = ("https", 443) if is_tls else ("http", 80)
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}/" if port == usual else f"{scheme}://{shown}:{port}/"
