"""The entry from which a table is hidden while its last deal is open, and the hidden parts of its entries."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.events import (
    CardsDealt,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    HandsOpened,
    Noted,
    ResultRecorded,
    RulingGiven,
    TableClosed,
    TableOpened,
    decode_event,
    encode_event,
)
from ledger.recording.live.running import RunningTable
from ledger.table.corrections import Signature
from ledger.table.fold import TableFold
from ledger.table.hiding import hidden_deals_in, hidden_in
from ledger.table.redaction import Hidden, redacted, redacted_entries
from tests.games.kop.tables import ORDINARY_PLAY, ordinary

OPENED = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
WHOLE = tuple(event for _, event in ordinary().tricks(ORDINARY_PLAY).entries[1:])
"""A deal from version 2 to 23: its start, the cards dealt, four passes, sixteen cards played."""
DEALT, PASSES, LAST_CARD = WHOLE[1], WHOLE[2:6], WHOLE[-1]
RESULT = ResultRecorded(outcome={"contract": "normal", "declarers": [0, 1], "card_points": [61, 43], "tricks": [2, 2]})


def start(deal: int) -> DealStarted:
    return DealStarted(deal=deal, dealer=(deal + 2) % 4)


def strike(version: int) -> Corrected:
    return Corrected(version=version, action="strike", reason="x")


def put_in(version: int, *events: Event) -> Corrected:
    return Corrected(version=version, action="insert_after", events=events, reason="x")


def hidden_after(*events: Event) -> Hidden | None:
    """Return what is hidden after these entries of a table, computed both entry by entry and at once."""
    running = RunningTable([(1, OPENED)], {})
    for event in events:
        running.take(event, Signature("Ann"))
        assert hidden_in(running.entries) == running.hidden
    return running.hidden


def of_deal(number: int, version: int) -> Hidden:
    return Hidden(version, version, number)


def test_nothing_is_hidden_before_a_deal() -> None:
    assert hidden_after() is hidden_after(Noted(text="a quiet evening")) is None


def test_a_deal_is_hidden_from_its_start_on_while_it_is_open() -> None:
    assert {hidden_after(*WHOLE[:length]) for length in range(1, len(WHOLE))} == {of_deal(1, 2)}


def test_it_is_shown_at_its_last_card() -> None:
    assert hidden_after(*WHOLE) is None


VOIDED = (*WHOLE[:4], DealVoided(reason="misdealt"))
ENDED = {
    "voided": VOIDED,
    "closed over": (*WHOLE[:4], TableClosed()),
    "voided and closed": (*VOIDED, TableClosed()),
    "left": (*WHOLE[:4], start(2)),
    "left for one that is only a result": (*WHOLE[:4], start(2), RESULT),
    "closed and opened again": (*WHOLE[:6], TableClosed(), strike(8)),
    "struck for a result": (start(1), DEALT, strike(3), strike(2), start(1), RESULT),
}


@pytest.mark.parametrize("events", ENDED.values(), ids=ENDED)
def test_a_deal_that_ends_before_its_last_card_stays_hidden(events: Sequence[Event]) -> None:
    assert hidden_after(*events) == of_deal(1, 2)


@pytest.mark.parametrize("events", ENDED.values(), ids=ENDED)
def test_it_is_shown_when_a_later_deal_is_played_out(events: Sequence[Event]) -> None:
    if isinstance(events[-1], TableClosed):
        events = (*events, strike(len(events) + 1))
    number = 1 + max(event.deal for event in events if isinstance(event, DealStarted))
    assert hidden_after(*events, start(number), *WHOLE[1:-1]) == of_deal(1, 2)
    assert hidden_after(*events, start(number), *WHOLE[1:]) is None


@pytest.mark.parametrize("events", ENDED.values(), ids=ENDED)
def test_it_is_shown_by_intent(events: Sequence[Event]) -> None:
    started = [at for at, event in enumerate(events, 2) if isinstance(event, DealStarted) and event.deal == 2]
    assert hidden_after(*events, HandsOpened(deal=1)) == (
        of_deal(2, started[0]) if started and events[-1] != RESULT else None
    )


def test_what_was_shown_by_intent_stays_shown() -> None:
    opened = (*VOIDED, HandsOpened(deal=1))
    assert hidden_after(*opened, strike(7)) is hidden_after(*opened, strike(6)) is None
    assert hidden_after(*opened, start(2)) == of_deal(2, 8)


def test_the_hands_of_one_deal_are_shown_while_the_next_stays_hidden() -> None:
    two = (*VOIDED, start(2), DEALT)
    assert hidden_after(*two, HandsOpened(deal=1)) == of_deal(2, 7)
    assert hidden_after(*two, HandsOpened(deal=2)) is None


def test_a_struck_deal_is_shown_with_those_before_it_where_none_is_read_behind_it() -> None:
    struck = (*WHOLE, start(2), DEALT, strike(25), strike(24))
    assert hidden_after(*struck, HandsOpened(deal=2)) is hidden_after(*struck, HandsOpened(deal=1)) is None
    assert hidden_after(*struck, start(2), HandsOpened(deal=1)) == of_deal(2, 24)


@pytest.mark.parametrize("end", [RESULT, DealVoided(reason="misdealt"), start(2), TableClosed()])
def test_a_deal_without_cards_that_are_hidden_hides_nothing_once_it_is_over(end: Event) -> None:
    assert hidden_after(start(1), end) == (of_deal(2, 3) if isinstance(end, DealStarted) else None)


def test_nothing_is_shown_by_a_result_behind_a_deal_that_hides_cards() -> None:
    """It may be invented: void, record a result, read, strike all three."""
    assert hidden_after(*VOIDED, start(2), RESULT, start(3), RESULT, TableClosed()) == of_deal(1, 2)


def test_a_deal_that_ended_is_named_where_it_waits() -> None:
    def waiting(*events: Event) -> list[int]:
        running = RunningTable([(1, OPENED)], {})
        for event in events:
            running.take(event, Signature("Ann"))
        numbers = [one.deal for one in running.to_open()]
        assert hidden_deals_in(running.entries) == numbers
        return numbers

    assert waiting(*WHOLE[:4]) == waiting(*WHOLE) == waiting() == []
    assert waiting(*VOIDED) == waiting(*VOIDED, start(2)) == waiting(*WHOLE[:4], TableClosed()) == [1]
    assert waiting(*VOIDED, start(2), TableClosed()) == waiting(*VOIDED, start(2), RESULT) == [1, 2]
    assert waiting(start(1), DEALT, strike(3), strike(2)) == [1]


def test_a_ruling_opens_nothing() -> None:
    assert hidden_after(*WHOLE[:4], RulingGiven(deal=1, text="x", kind="void")) == of_deal(1, 2)


def test_a_deal_that_cannot_be_scored_any_more_goes_on_being_hidden() -> None:
    """Whether it was halted may depend on the cards."""
    opened = TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
    halted = [opened, DealStarted(deal=1, dealer=2), CardsDealt(hands=(("SA", "SA"), None, None))]
    entries = list(enumerate(halted, 1))
    assert TableFold(entries, goes_on=True).deals[0].machine.status == "unscorable"
    assert hidden_in(entries) == RunningTable(entries, {}).hidden == of_deal(1, 2)
    assert hidden_in([*entries, (4, DealStarted(deal=2, dealer=0))]) == of_deal(1, 2)


@pytest.mark.parametrize("corrected", [[strike(23)], [strike(at) for at in range(23, 5, -1)], [strike(3)]])
def test_what_was_open_to_all_stays_open_whatever_is_corrected(corrected: Sequence[Event]) -> None:
    assert hidden_after(*WHOLE, *corrected) is None


def test_the_cards_of_a_struck_deal_stay_hidden() -> None:
    struck = (start(1), DEALT, strike(3), strike(2))
    assert hidden_after(*struck) == of_deal(1, 2)
    assert hidden_after(*struck, Noted(text="x")) == of_deal(1, 2)
    assert hidden_after(*struck, start(1)) == of_deal(1, 2)
    assert hidden_after(*struck, *WHOLE[:-1]) == of_deal(1, 2)


def test_the_cards_of_a_struck_deal_open_with_the_deal_that_was_dealt_instead() -> None:
    struck = (start(1), DEALT, strike(3), strike(2))
    assert hidden_after(*struck, *WHOLE) is None


def test_a_second_deal_that_is_struck_does_not_hide_the_first_nor_open() -> None:
    second = (*WHOLE, start(2), DEALT)
    assert hidden_after(*second, strike(25), strike(24)) == of_deal(2, 24)
    assert hidden_after(*second, strike(25), strike(24), Noted(text="x"), start(2)) == of_deal(2, 24)


def test_a_deal_dealt_anew_after_one_that_was_open_is_hidden() -> None:
    undone = [strike(at) for at in range(23, 1, -1)]
    assert hidden_after(*WHOLE, *undone) is None
    assert hidden_after(*WHOLE, *undone, start(1)) == of_deal(1, 46)


def test_a_deal_that_a_correction_puts_in_is_hidden_from_that_correction_on() -> None:
    """Everybody has seen the entries between its place and the correction."""
    hidden = hidden_after(*WHOLE, Noted(text="x"), put_in(23, start(2), DEALT))
    assert hidden == Hidden(version=25, place=23, deal=2)


def test_a_start_that_is_put_in_earlier_keeps_what_was_hidden() -> None:
    assert hidden_after(*WHOLE, start(2), DEALT, strike(25), strike(24), put_in(23, start(2), DEALT)) == Hidden(
        version=24, place=23, deal=2
    )


def test_a_correction_of_the_open_deal_changes_nothing() -> None:
    assert hidden_after(*WHOLE[:5], strike(5), strike(3)) == of_deal(1, 2)


def test_a_correction_may_complete_a_deal() -> None:
    assert hidden_after(*WHOLE[:-1]) == of_deal(1, 2)
    assert hidden_after(*WHOLE[:-1], put_in(22, LAST_CARD)) is None


# Redaction


DATA = tomllib.loads(Path(__file__).with_name("hiding.toml").read_text(encoding="utf-8"))


def shown(event: str) -> str:
    """Return what is shown of an event of a hidden deal."""
    return encode_event(redacted((4, decode_event(event.encode())), Hidden(3, 3, 1))).decode()


@pytest.mark.parametrize(("event", "seen"), DATA["redacted"].items())
def test_hidden_cards_are_counted_but_not_named(event: str, seen: str) -> None:
    assert shown(event) == seen


@pytest.mark.parametrize("event", DATA["shown"]["events"])
def test_what_everybody_saw_stays(event: str) -> None:
    assert shown(event) == event


def test_only_the_open_deal_is_redacted_and_what_corrects_it() -> None:
    dealt = CardsDealt(hands=(("SA", "S7"), None, None))
    of_first = Corrected(version=3, action="replace", events=(dealt,), reason="x")
    of_open = Corrected(version=5, action="replace", events=(dealt,), reason="x")
    entries = [
        (2, DealStarted(deal=1, dealer=0)),
        (3, dealt),
        (4, DealStarted(deal=2, dealer=1)),
        (5, dealt),
        (6, of_first),
        (7, of_open),
    ]
    seen = dict(redacted_entries(entries, Hidden(4, 4, 2)))
    assert (seen[3], seen[6]) == (dealt, of_first)
    assert seen[5] == CardsDealt(hands=(("??", "??"), None, None))
    assert seen[7] == Corrected(version=5, action="replace", events=(seen[5],), reason="??")
