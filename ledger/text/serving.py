"""What is said when the service begins: what is served, to whom, where it is reached, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ledger.text.tokens import clock_ahead_text
from ledger.text.words import label


class Start(Struct, frozen=True, kw_only=True):
    """`here`: the address for this machine, `phone` that for others in the network, where they reach it.

    `clock_ahead`: the moment that ends of tokens are counted from, where the clock is behind it.
    """

    ledger: Path
    entries: int
    here: str
    phone: str | None
    metrics: str | None = None
    needs_no_token: bool
    is_public: bool
    is_read_only: bool
    is_behind_proxy: bool
    clock_ahead: str | None = None


def start_text(start: Start, lang: str) -> Iterator[str]:
    """The lines but the last; a QR code of `phone` may follow."""

    def say(key: str, /, **values: object) -> str:
        return label(lang, f"serve.{key}", **values)

    yield say("served", file=start.ledger, count=f"{start.entries:,}")
    yield say("here", url=start.here)
    if start.is_behind_proxy:
        yield say("proxy")
    elif start.phone is None:
        yield say("here_alone")
    else:
        yield say("phone", url=start.phone)
    if start.metrics is not None:
        yield say("metrics", url=start.metrics)
    if start.needs_no_token:
        yield say("no_token")
    yield say("public" if start.is_public else "token")
    if start.clock_ahead is not None:
        yield clock_ahead_text(start.clock_ahead, lang)
    if start.is_read_only:
        yield say("read_only")


def how_to_end(lang: str) -> str:
    return label(lang, "serve.end")
