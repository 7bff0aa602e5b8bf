"""Every deal that was ever recorded here can be tapped while it goes on, by somebody who sees no hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.events import BidMade, CardPlayed, TableOpened, TrickGathered, TrumpNamed
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from tests.hand_records import RECORDS, REPLAYS, record_in, some_records, table_events
from tests.recording.board.tapping import WRITTEN, Shown, Tapped, shown, tapped


def taps_of(path: Path) -> list[Tapped]:
    return list(tapped(table_events(record_in(path))))


@pytest.mark.parametrize("path", some_records(2))
def test_each_act_is_offered_when_it_comes(path: Path) -> None:
    found = [one for one in taps_of(path) if not isinstance(one.event, WRITTEN)]
    assert [one.event for one in found if not one.taps] == []
    assert max((one.taps for one in found), default=0) <= 3


def test_nearly_all_acts_are_one_tap() -> None:
    taps = [one.taps for path in RECORDS[::16] for one in taps_of(path) if one.taps]
    assert len(taps) > 350
    assert sum(count > 1 for count in taps) < len(taps) / 100


def test_a_card_that_shows_a_revoke_is_told_apart() -> None:
    told = taps_of(REPLAYS / "ombre/revoke-found-later.toml")
    odd = [one for one in told if one.key is not None and one.key.fit == "odd"]
    assert all(isinstance(one.event, CardPlayed) for one in odd)
    assert {one.key.why.rule for one in odd if one.key is not None and one.key.why is not None} == {"OMB-6.5"}


def test_what_only_a_wrong_moment_makes_odd_is_found_behind_one_more_tap() -> None:
    told = {type(one.event): one.taps for one in taps_of(REPLAYS / "quadrille/27-audited-record.toml")}
    assert told[TrumpNamed] == 2


def page_after(name: str, acts: int) -> Shown:
    """What the page offers after so many acts of a recorded table."""
    opened, *events = table_events(record_in(REPLAYS / name))
    assert isinstance(opened, TableOpened)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    live.record([NewEntry(event) for event in events[:acts]], by="Ann", as_played=True)
    return shown(live.standing_as_seen)


def test_a_call_that_has_to_name_a_card_is_offered_with_each_card_that_it_may_name() -> None:
    said = [one.act for row in page_after("kop/20-kontra-on-the-own-wesele.toml", 2).offers.said for one in row.offers]
    named = {(act.call, act.card) for act in said if isinstance(act, BidMade)}
    assert {card for call, card in named if call == "wesele"} == {"CJ", "DJ", "HJ", "SJ"}
    assert {card for call, card in named if call != "wesele"} == {None}


def test_who_can_have_taken_a_trick_with_an_unknown_card_is_offered_and_no_card() -> None:
    page = page_after("ombre/rape-of-the-lock-as-told.toml", 36)
    assert {offer.act for offer in page.offers.gathered} == {TrickGathered(seat=1), TrickGathered(seat=2)}
    assert page.keys is None
