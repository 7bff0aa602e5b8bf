"""What a deal costs on a phone, beside the terminal and the hand record: the table of docs/recording.md, made anew."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

import ledger
from ledger.events import CardPlayed, CardsDealt, DealStarted, Event, TableOpened
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from tests.hand_records import REPLAYS, record_in, table_events
from tests.recording.board.tapping import tapped
from tests.recording.typed.scripts import Scribe, without_hands

DOCS = Path(__file__).parents[3] / "docs" / "recording.md"

DEALS = {
    "kop": "kop/04-kontra-re-losers-have-25",
    "baska": "kop/16-grand-du-lost-after-rekontra",
    "ombre": "ombre/rape-of-the-lock",
    "quadrille": "quadrille/01-alliance-won",
    "couillon, four players": "couillon/31-match-mit4-points",
    "couillon, six players": "couillon/32-match-six24-points",
    "couillon, eight players": "couillon/37-match-eight32-points",
}


def first_played(record: str) -> list[Event]:
    opened, *events = without_hands(table_events(record_in(REPLAYS / f"{record}.toml")))
    deals: list[list[Event]] = []
    for event in events:
        if isinstance(event, DealStarted):
            deals.append([])
        if deals:
            deals[-1].append(event)
    return [opened, *next(deal for deal in deals if sum(isinstance(event, CardPlayed) for event in deal) > 3)]


def taps(events: list[Event]) -> int:
    """All taps of the deal, the one that begins it among them."""
    return sum(one.taps for one in tapped(events))


def keystrokes(events: list[Event]) -> int:
    """What the terminal takes, each Enter among it."""
    opened, *acts = events
    assert isinstance(opened, TableOpened)
    scribe = Scribe(structs.replace(opened, session=None))
    for act in acts:
        scribe.type(act)
    return sum(len(line) + 1 for line in scribe.script())


def characters(events: list[Event]) -> int:
    """What stands in a hand record of the deal, from its line `[[deal]]` on."""
    opened, *acts = events
    assert isinstance(opened, TableOpened)
    store = MemoryStore()
    live = LiveTable.open(store, "t", structs.replace(opened, session=None), by="Ann")
    for act in acts:
        live.record([NewEntry(act)], by="Ann", as_played=True)
    number = live.fold.deals[-1].number
    text = ledger.export_hand_record(store, "t", number).text
    return len(text[text.index("[[deal]]") :])


def rows() -> list[str]:
    told = []
    for name, record in DEALS.items():
        events = first_played(record)
        acts = sum(1 for event in events[1:] if not isinstance(event, CardsDealt))
        assert taps(events) <= len(events) - 1
        told.append(f"| {name} | {acts} | {taps(events)} | {keystrokes(events)} | {characters(events)} |")
    return told


def test_the_table_of_the_page_is_what_deals_take() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert [row for row in rows() if row not in page] == []
