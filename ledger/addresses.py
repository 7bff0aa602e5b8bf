"""The addresses of this machine, and sockets bound to them."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

USUAL_PORT: Final = 8750
"""The default port of the service."""

ANYWHERE: Final = "0.0.0.0"
"""The host that means all IPv4 addresses of this machine."""

_OUTSIDE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Documentation addresses (RFC 5737, RFC 3849): looking up the route to them sends nothing."""


def addresses_of(host: str) -> Iterator[tuple[socket.AddressFamily, str]]:
    """Yield the addresses of a host; `::` means all addresses of both kinds. Raise `OSError` if it is unknown."""
    if host == "::":
        yield socket.AF_INET, ANYWHERE
        yield socket.AF_INET6, "::"
        return
    resolved = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    yield from dict.fromkeys((family, str(address[0])) for family, _, _, _, address in resolved)


def bound_socket(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    """Return a socket bound to this address, which does not listen yet. Raise `OSError` if that is impossible."""
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # otherwise 127.0.0.1 arrives as ::ffff:127.0.0.1
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made


def lan_addresses() -> list[str]:
    """Return the addresses of this machine in the network, IPv4 first; none without a network."""
    addresses = []
    for family, nobody in _OUTSIDE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((nobody, 9))
            addresses.append(str(probe.getsockname()[0]))
    return [address for address in addresses if not ipaddress.ip_address(address).is_loopback]


def service_url(address: str, port: int, *, is_tls: bool) -> str:
    """Return the URL of a service at this address and port."""
    scheme, usual = ("https", 443) if is_tls else ("http", 80)
    shown = f"[{address}]" if ":" in address else address
    return f"{scheme}://{shown}/" if port == usual else f"{scheme}://{shown}:{port}/"
