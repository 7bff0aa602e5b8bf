"""Every recorded deal of the project can be tapped by a recorder who sees no hand.

The table of docs/recording.md compares the effort of a deal on a phone, at the terminal and in a hand record.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from ledger.events import (
    BidMade,
    CardPlayed,
    CardsDealt,
    DealStarted,
    Event,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.log import MemoryStore, NewEntry
from ledger.recording.board.offers import vocabulary
from ledger.recording.hand.record_writer import TableToWrite, write_hand_record
from ledger.recording.live import LiveTable
from tests.hand_records import RECORDS, REPLAYS, record_in, some_records, table_events
from tests.recording.board.tapping import WRITTEN, Shown, Tapped, shown, tapped
from tests.recording.typed.scripts import Scribe, without_hands


def taps_of(path: Path) -> list[Tapped]:
    return list(tapped(table_events(record_in(path))))


@pytest.mark.parametrize("path", some_records(1))
def test_each_act_is_offered_when_it_comes(path: Path) -> None:
    taps = [one for one in taps_of(path) if not isinstance(one.event, WRITTEN)]
    assert [one.event for one in taps if not one.taps] == []
    assert max((one.taps for one in taps), default=0) <= 3


def test_nearly_all_acts_are_one_tap() -> None:
    taps = [one.taps for path in RECORDS[::16] for one in taps_of(path) if one.taps]
    assert len(taps) > 350
    assert sum(count > 1 for count in taps) < len(taps) / 100


def test_a_card_that_shows_a_revoke_is_marked() -> None:
    taps = taps_of(REPLAYS / "ombre/revoke-found-later.toml")
    odd = [one for one in taps if one.key is not None and one.key.fit == "odd"]
    assert all(isinstance(one.event, CardPlayed) for one in odd)
    assert {one.key.why.rule for one in odd if one.key is not None and one.key.why is not None} == {"OMB-6.5"}


def test_an_act_that_is_odd_only_at_this_moment_takes_one_more_tap() -> None:
    taps_by_type = {type(one.event): one.taps for one in taps_of(REPLAYS / "quadrille/27-audited-record.toml")}
    assert taps_by_type[TrumpNamed] == 2


def page_after(name: str, acts: int) -> Shown:
    """Return the page after so many acts of a recorded table."""
    opened, *events = table_events(record_in(REPLAYS / name))
    assert isinstance(opened, TableOpened)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    live.record([NewEntry(event) for event in events[:acts]], by="Ann", as_played=True)
    return shown(live.settled_as_seen)


def test_a_call_that_has_to_name_a_card_is_offered_with_each_card_that_it_may_name() -> None:
    said = [one.act for row in page_after("kop/20-kontra-on-the-own-wesele.toml", 2).offers.said for one in row.offers]
    named = {(act.call, act.card) for act in said if isinstance(act, BidMade)}
    assert {card for call, card in named if call == "wesele"} == {"CJ", "DJ", "HJ", "SJ"}
    assert {card for call, card in named if call != "wesele"} == {None}


@pytest.mark.parametrize(
    "record",
    [
        "ombre/rape-of-the-lock.toml",
        "quadrille/01-alliance-won.toml",
        "couillon/31-match-mit4-points.toml",
        "kop/20-kontra-on-the-own-wesele.toml",
    ],
)
def test_suits_are_offered_in_the_order_of_the_keyboard(record: str) -> None:
    """Trumps, and the jack of a wesele."""
    events = table_events(record_in(REPLAYS / record))
    before = next((place for place, one in enumerate(events, -1) if isinstance(one, TrumpNamed)), 2)
    page = page_after(record, before)
    offered = [offer.act for offer in (*page.offers.calls, *(one for row in page.offers.said for one in row.offers))]
    suits = [act.suit if isinstance(act, TrumpNamed) else (getattr(act, "card", None) or "")[:1] for act in offered]
    in_vocabulary = [row.act.suit for row in vocabulary(page.now) if isinstance(row.act, TrumpNamed)]
    assert "".join(dict.fromkeys(suits)) == "SHDC"
    assert "".join(in_vocabulary) == ("" if record.startswith("kop") else "SHDC")


def test_who_can_have_taken_a_trick_with_an_unknown_card_is_offered_and_no_card() -> None:
    page = page_after("ombre/rape-of-the-lock-as-told.toml", 36)
    assert {offer.act for offer in page.offers.gathered} == {TrickGathered(seat=1), TrickGathered(seat=2)}
    assert page.keys is None


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
    """Return the opening of a table without its session, and its first played deal."""
    opened, *events = without_hands(table_events(record_in(REPLAYS / f"{record}.toml")))
    deals: list[list[Event]] = []
    for event in events:
        if isinstance(event, DealStarted):
            deals.append([])
        if deals:
            deals[-1].append(event)
    return [
        structs.replace(opened, session=None),
        *next(deal for deal in deals if sum(isinstance(event, CardPlayed) for event in deal) > 3),
    ]


def taps(events: list[Event]) -> int:
    """Return the number of taps of the deal, including the one that starts it."""
    return sum(one.taps for one in tapped(events))


def keystrokes(events: list[Event]) -> int:
    """Return the number of keystrokes at the terminal, including each Enter."""
    opened, *acts = events
    assert isinstance(opened, TableOpened)
    scribe = Scribe(opened)
    for act in acts:
        scribe.type(act)
    return sum(len(line) + 1 for line in scribe.script())


def characters(events: list[Event]) -> int:
    """Return the number of characters of the deal in a hand record, from its line `[[deal]]` on."""
    text = write_hand_record(TableToWrite(slug="t", reading=list(enumerate(events, 1)))).text
    return len(text[text.index("[[deal]]") :])


def rows() -> list[str]:
    lines = []
    for name, record in DEALS.items():
        events = first_played(record)
        acts = sum(1 for event in events[1:] if not isinstance(event, CardsDealt))
        assert taps(events) <= len(events) - 1
        lines.append(f"| {name} | {acts} | {taps(events)} | {keystrokes(events)} | {characters(events)} |")
    return lines


def test_the_table_of_the_page_is_what_deals_take() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert [row for row in rows() if row not in page] == []
