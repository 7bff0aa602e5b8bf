"""How long a connection may take for what, and how much it may send before there is a request (docs/serving.md)."""

from __future__ import annotations

from msgspec import Struct


class Bounds(Struct, frozen=True, kw_only=True):
    """The defaults are those of the HTTP contract, section 6; tests have less time."""

    header_bytes: int = 16 * 1024
    """Request line and headers together."""

    pipelined: int = 32
    """Requests that wait on one connection because the one before them is being answered."""

    headers_s: float = 10
    """From the first byte of a request, or from the connection, until the headers are there."""

    body_s: float = 10
    """From the headers until the body is there, whatever the pace; time in which the service itself does not read is
    not counted.
    """

    idle_s: int = 75
    """Between an answer and the next request."""

    stalled_s: float = 60
    """Whoever takes nothing of what is sent for so long is not there any more."""

    handshake_s: float = 10
    linger_s: float = 1
    """How long what else comes is thrown away after a refusal, which is to be read before the connection ends."""

    look_s: float = 0.5
    """Between two looks at all connections: a bound is kept to within so much."""

    grace_s: float = 5
    """For the answers that are due when the service ends."""

    ending_s: float = 0.2
    """For a body that is not whole, or a reader that takes nothing, when the service ends."""
