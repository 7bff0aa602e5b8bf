"""How often a peer may try: a sliding minute. Pure: the moment is passed in, in seconds of a monotonic clock.

It is kept in memory: somebody who makes the service start anew could do worse than guess.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from ipaddress import AddressValueError, IPv6Address, IPv6Network
from typing import Final

WINDOW_S: Final = 60.0

PEERS_MAX: Final = 10_000
"""So many peers are remembered; who has not tried for the longest is forgotten first."""

_IPV6_NETWORK_BITS: Final = 64
"""What one household has of addresses: whoever has one of them has all."""


class Limiter:
    """At most so many attempts a peer within a minute, and so many of all peers together."""

    def __init__(self, *, a_peer: int, in_all: int | None = None, peers_max: int = PEERS_MAX) -> None:
        self._a_peer = a_peer
        self._in_all = in_all
        self._peers_max = peers_max
        self._by_peer: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque()

    def attempt(self, peer: str, now_s: float) -> float:
        """0 where the peer may try, and the attempt is counted; else after how many seconds he may."""
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
        """The peer's last attempt, which was made at this moment, was none that counts: he did not guess."""
        own = self._by_peer.get(peer)
        if own and now_s in own:
            own.remove(now_s)
            if not own:
                del self._by_peer[peer]
        if now_s in self._all:
            self._all.remove(now_s)


def sign_in_limiter() -> Limiter:
    """Whatever is presented at sign-in (http.md, section 6)."""
    return Limiter(a_peer=10)


def wrong_code_limiter() -> Limiter:
    """Wrong codes of tables; a right one is to be taken back."""
    return Limiter(a_peer=10, in_all=100)


def peer_of(address: str) -> str:
    """Who is counted as one: an IPv4 address, or the /64 network of an IPv6 one; any other text as it is."""
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
