"""Rate limits over a sliding minute. Pure: the time is passed in, in seconds of a monotonic clock.

Attempts are kept in memory: anyone who can restart the service could do worse than guess.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from ipaddress import AddressValueError, IPv6Address, IPv6Network
from typing import Final

WINDOW_S: Final = 60.0

PEERS_MAX: Final = 10_000
"""The most peers that are remembered; the one with the oldest last attempt is forgotten first."""

_IPV6_NETWORK_BITS: Final = 64
"""The part of an IPv6 address that identifies one household, which controls all addresses within it."""


class Limiter:
    """A limit on attempts per minute, for each peer and for all peers together."""

    def __init__(self, *, a_peer: int, in_all: int | None = None, peers_max: int = PEERS_MAX) -> None:
        self._a_peer = a_peer
        self._in_all = in_all
        self._peers_max = peers_max
        self._by_peer: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque()

    def attempt(self, peer: str, now_s: float) -> float:
        """Count an attempt of a peer and return 0, or return the seconds to wait where the limit is reached."""
        own = self._by_peer.get(peer, deque())
        wait_s = max(_wait_s(own, self._a_peer, now_s), _wait_s(self._all, self._in_all, now_s))
        if wait_s > 0:
            return wait_s
        own.append(now_s)
        self._by_peer[peer] = own
        self._by_peer.move_to_end(peer)
        if len(self._by_peer) > self._peers_max:
            self._by_peer.popitem(last=False)
        if self._in_all is not None:
            self._all.append(now_s)
        return 0.0

    def take_back(self, peer: str, now_s: float) -> None:
        """Remove the attempt that the peer made at this moment; it was no guess."""
        own = self._by_peer.get(peer)
        if own and now_s in own:
            own.remove(now_s)
            if not own:
                del self._by_peer[peer]
        if now_s in self._all:
            self._all.remove(now_s)


def sign_in_limiter() -> Limiter:
    """Return the limiter of all sign-ins (http.md, section 6)."""
    return Limiter(a_peer=10)


def wrong_code_limiter() -> Limiter:
    """Return the limiter of wrong table codes; callers take right ones back."""
    return Limiter(a_peer=10, in_all=100)


def peer_of(address: str) -> str:
    """Return the unit that is limited: an IPv4 address, the /64 network of an IPv6 address, or any other text
    unchanged.
    """
    try:
        six = IPv6Address(address.partition("%")[0])
    except AddressValueError:
        return address
    if six.ipv4_mapped is not None:
        return str(six.ipv4_mapped)
    return str(IPv6Network((six, _IPV6_NETWORK_BITS), strict=False))


def _wait_s(moments: deque[float], limit: int | None, now_s: float) -> float:
    while moments and moments[0] + WINDOW_S <= now_s:
        moments.popleft()
    return moments[0] + WINDOW_S - now_s if limit is not None and len(moments) >= limit else 0.0
