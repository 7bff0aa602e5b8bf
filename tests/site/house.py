"""Make a club with a table in every state that a page can show: finished deals, and deals stopped at the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import structs

import ledger
from ledger import events
from ledger.events import CardsDealt, DealStarted, Event, Noted, TableOpened
from tests.hand_records import REPLAYS, record_in, table_events
from tests.web.lists import lines_in
from tests.web.serving import ledger_of, record

LONG_NAMES: Final = ("Maria Aleksandra Zawadzka-Wiśniewska", "松平アレクサンドラ花子", "Bartholomäus")
_TABLES: Final = [line.split() for line in lines_in(Path(__file__).with_suffix(".txt"))]

_EVENINGS: Final[Mapping[str, Sequence[Event]]] = {
    "session/not-begun": [events.SessionOpened(title="Not begun", date="2026-01-11")],
    "session/corrected": [events.SessionOpened(title="Corrected", date="2026-01-10", place="Back room")],
    "corrected-1": [
        TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"), session="corrected"),
        DealStarted(deal=1, dealer=2),
        events.ResultRecorded(outcome={"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}),
        events.TableClosed(),
    ],
}
"""Evenings without a table, and with a ruling after the end."""


def house_of(folder: Path) -> Path:
    """Make a new ledger with all these tables."""
    ended = [REPLAYS / one[0] for one in _TABLES if len(one) == 1]
    path = ledger_of(folder, *ended, name="house.ledger")
    with ledger.open(path) as store:
        for slug, *cut in (one for one in _TABLES if len(one) > 1):
            record(store, slug, *_events(*cut), by="recorder-1")
        record(store, "ombre-revoke", events.DisputeRaised(deal=1, text="the Baron had a diamond"), by="recorder-1")
        for stream, entries in _EVENINGS.items():
            record(store, stream, *entries, by="recorder-1")
        record(store, "session/corrected", events.SessionClosed(), by="director-1")
        ruling = events.RulingGiven(deal=1, kind="adjust", deltas=(-5, 5, 0), text="by OMB-6.5 the sheet counts")
        record(store, "corrected-1", ruling, events.DisputeRaised(deal=1, text="against the ruling"), by="director-1")
    ledger.add_token(path, "corner-screen", role="viewer")
    return path


def _events(replay: str, kind: str, most: str, *how: str) -> Iterator[Event]:
    """Return the beginning of a deal until so many acts of that kind are recorded."""
    opening, *events = table_events(record_in(REPLAYS / replay))
    assert isinstance(opening, TableOpened)
    opened = structs.replace(opening, session=None, players=LONG_NAMES if "long" in how else opening.players)
    count = 0
    for event in (opened, *events):
        if isinstance(event, Noted) or (isinstance(event, CardsDealt) and "hands" not in how):
            continue
        yield event
        count += _kind(event) == kind
        if count == int(most):
            return
    raise AssertionError(f"{replay} has no {most} {kind}")


def _kind(event: Any) -> str:
    return str(event.__struct_config__.tag)
