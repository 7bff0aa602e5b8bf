"""Short builders of events, batches and ids for the tests of the log."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ledger.events import CardPlayed, Event, Noted
from ledger.log import Batch, ExpectedVersion, NewEntry

RECORDER = "recorder-1"
TYPED = ("table/", "session/", "any", "trickledger checkpoint --make-key")
"""Words in errors of the log that are English in every language."""
FIRST_MOMENT = datetime(2026, 1, 5, 18, 30, tzinfo=UTC)


class TickingClock:
    """A clock that starts at 18:30 and moves on by a second at each reading."""

    def __init__(self) -> None:
        self._moments: Iterator[datetime] = (FIRST_MOMENT + timedelta(seconds=n) for n in range(1_000_000))

    def __call__(self) -> datetime:
        return next(self._moments)


def an_id(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


def play(card: str = "SA", seat: int = 0) -> Event:
    return CardPlayed(seat=seat, card=card)


def remark(text: str) -> Event:
    return Noted(text=text)


def batch(
    *events: Event,
    stream: str = "table/ombre-1",
    expected: ExpectedVersion = "any",
    ids: list[int] | None = None,
    happened_at: str | None = None,
) -> Batch:
    """Return a batch of these events; `ids` are numbers for `an_id`, one for each event."""
    names = [None] * len(events) if ids is None else [an_id(number) for number in ids]
    entries = (NewEntry(event, name, happened_at) for event, name in zip(events, names, strict=True))
    return Batch(stream, expected, tuple(entries))
