"""Every recorded deal of the project can be tapped by a recorder who sees no hand.

The table of docs/how-to/recording.md compares the effort of a deal on a phone, at the terminal and in a hand record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec import structs

from ledger import events as ev
from ledger.log import MemoryStore, NewEntry
from ledger.recording.board.keyboard import Board, Key, Keyboard, board_of, keyboard_of
from ledger.recording.board.offers import Offer, Offers, offers_in, vocabulary
from ledger.recording.hand.record_writer import TableToWrite, write_hand_record
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import Situation, machine_now, situation_in
from ledger.table.fold import TableFold
from tests.covering import IS_SOAK, wider_in_soak
from tests.hand_records import RECORDS, REPLAYS, record_in, table_events
from tests.recording.typed.scripts import Scribe, without_hands


def taps_of(path: Path) -> list[Tapped]:
    return list(tapped(table_events(record_in(path))))


@wider_in_soak
def test_each_act_is_offered_when_it_comes_and_nearly_all_are_one_tap() -> None:
    acts = [one for path in RECORDS[:: 1 if IS_SOAK else 24] for one in taps_of(path)]
    acts = [one for one in acts if not isinstance(one.event, WRITTEN)]
    assert [one.event for one in acts if not one.taps] == []
    assert len(acts) > 200 and max(one.taps for one in acts) <= 3
    assert sum(one.taps > 1 for one in acts) < len(acts) / 100


def test_a_card_that_shows_a_revoke_is_marked() -> None:
    taps = taps_of(REPLAYS / "ombre/revoke-found-later.toml")
    odd = [one for one in taps if one.key is not None and one.key.fit == "odd"]
    assert all(isinstance(one.event, ev.CardPlayed) for one in odd)
    assert {one.key.why.rule for one in odd if one.key is not None and one.key.why is not None} == {"OMB-6.5"}


def test_an_act_that_is_odd_only_at_this_moment_takes_one_more_tap() -> None:
    taps_by_type = {type(one.event): one.taps for one in taps_of(REPLAYS / "quadrille/27-audited-record.toml")}
    assert taps_by_type[ev.TrumpNamed] == 2


def page_after(name: str, acts: int) -> Shown:
    """Return the page after so many acts of a recorded table."""
    opened, *events = table_events(record_in(REPLAYS / name))
    assert isinstance(opened, ev.TableOpened)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    live.record([NewEntry(event) for event in events[:acts]], by="Ann", as_played=True)
    return shown(live.settled_as_seen)


def test_a_call_that_has_to_name_a_card_is_offered_with_each_card_that_it_may_name() -> None:
    said = [one.act for row in page_after("kop/20-kontra-on-the-own-wesele.toml", 2).offers.said for one in row.offers]
    named = {(act.call, act.card) for act in said if isinstance(act, ev.BidMade)}
    assert {card for call, card in named if call == "wesele"} == {"CJ", "DJ", "HJ", "SJ"}
    assert {card for call, card in named if call != "wesele"} == {None}


@pytest.mark.parametrize("record", [
    "ombre/rape-of-the-lock.toml",
    "quadrille/01-alliance-won.toml",
    "couillon/31-match-mit4-points.toml",
    "kop/20-kontra-on-the-own-wesele.toml",
])  # fmt: skip
def test_suits_are_offered_in_the_order_of_the_keyboard(record: str) -> None:
    """Trumps, and the jack of a wesele."""
    events = table_events(record_in(REPLAYS / record))
    before = next((place for place, one in enumerate(events, -1) if isinstance(one, ev.TrumpNamed)), 2)
    page = page_after(record, before)
    offered = [offer.act for offer in (*page.offers.calls, *(one for row in page.offers.said for one in row.offers))]
    suits = [act.suit if isinstance(act, ev.TrumpNamed) else (getattr(act, "card", None) or "")[:1] for act in offered]
    in_vocabulary = [row.act.suit for row in vocabulary(page.now) if isinstance(row.act, ev.TrumpNamed)]
    assert "".join(dict.fromkeys(suits)) == "SHDC"
    assert "".join(in_vocabulary) == ("" if record.startswith("kop") else "SHDC")


def test_who_can_have_taken_a_trick_with_an_unknown_card_is_offered_and_no_card() -> None:
    page = page_after("ombre/rape-of-the-lock-as-told.toml", 36)
    assert {offer.act for offer in page.offers.gathered} == {ev.TrickGathered(seat=1), ev.TrickGathered(seat=2)}
    assert page.keys is None


DOCS = Path(__file__).parents[3] / "docs" / "how-to" / "recording.md"

DEALS = {
    "kop": "kop/04-kontra-re-losers-have-25",
    "baska": "kop/16-grand-du-lost-after-rekontra",
    "ombre": "ombre/rape-of-the-lock",
    "quadrille": "quadrille/01-alliance-won",
    "couillon, four players": "couillon/31-match-mit4-points",
    "couillon, six players": "couillon/32-match-six24-points",
    "couillon, eight players": "couillon/37-match-eight32-points",
}


def first_played(record: str) -> list[ev.Event]:
    """Return the opening of a table without its session, and its first played deal."""
    opened, *events = without_hands(table_events(record_in(REPLAYS / f"{record}.toml")))
    deals: list[list[ev.Event]] = []
    for event in events:
        if isinstance(event, ev.DealStarted):
            deals.append([])
        if deals:
            deals[-1].append(event)
    return [
        structs.replace(opened, session=None),
        *next(deal for deal in deals if sum(isinstance(event, ev.CardPlayed) for event in deal) > 3),
    ]


def taps(events: list[ev.Event]) -> int:
    """Return the number of taps of the deal, including the one that starts it."""
    return sum(one.taps for one in tapped(events))


def keystrokes(events: list[ev.Event]) -> int:
    """Return the number of keystrokes at the terminal, including each Enter."""
    opened, *acts = events
    assert isinstance(opened, ev.TableOpened)
    scribe = Scribe(opened)
    for act in acts:
        scribe.type(act)
    return sum(len(line) + 1 for line in scribe.script())


def characters(events: list[ev.Event]) -> int:
    """Return the number of characters of the deal in a hand record, from its line `[[deal]]` on."""
    text = write_hand_record(TableToWrite(slug="t", reading=list(enumerate(events, 1)))).text
    return len(text[text.index("[[deal]]") :])


def rows() -> list[str]:
    lines = []
    for name, record in DEALS.items():
        events = first_played(record)
        acts = sum(1 for event in events[1:] if not isinstance(event, ev.CardsDealt))
        assert taps(events) <= len(events) - 1
        lines.append(f"| {name} | {acts} | {taps(events)} | {keystrokes(events)} | {characters(events)} |")
    return lines


def test_the_table_of_the_page_is_what_deals_take() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert [row for row in rows() if row not in page] == []


WRITTEN: Final = (
    ev.CardsDealt,
    ev.ResultRecorded,
    ev.ScoreClaimed,
    ev.Noted,
    ev.DealVoided,
    ev.PlayerSeated,
    ev.TableClosed,
)
"""Events that have a page of their own or are typed."""

NOT_OF_RECORDERS: Final = (ev.RulingGiven, ev.Corrected)

_CARDS: Final = {"play": ev.CardPlayed, "turn": ev.CardTurned, "call": ev.PartnerCalled}


class Shown(NamedTuple):
    """The offers of the page at one moment."""

    now: Situation
    board: Board
    offers: Offers
    keys: Keyboard | None


class Tapped(NamedTuple):
    """An act and its number of taps; no taps if the page does not offer it. `key`: the key of its card."""

    event: ev.Event
    taps: int
    key: Key | None = None


def shown(fold: TableFold) -> Shown:
    now = situation_in(fold, fold.players)
    deal = fold.deals[-1].number if fold.deals else 1
    board = board_of(now, "t", len(fold.recorded), deal, None)
    return Shown(now, board, offers_in(now, machine_now(fold)), keyboard_of(now, fold.options))


def tapped(events: Sequence[ev.Event]) -> Iterator[Tapped]:
    """Yield the acts of a recorded table as taps of a recorder who sees no hand; the final passes are one tap."""
    opened, *acts = events
    assert isinstance(opened, ev.TableOpened)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    left = [event for event in acts if not isinstance(event, NOT_OF_RECORDERS)]
    while left:
        event = left.pop(0)
        taken = [event]
        if isinstance(event, WRITTEN):
            yield Tapped(event, 0)
        elif isinstance(event, ev.DealStarted):
            yield Tapped(event, 1)
        else:
            page = shown(live.settled_as_seen)
            run = page.offers.all_pass
            more = list(run.events[1:]) if run is not None and run.events[0] == event else []
            if more and left[: len(more)] == more:
                taken += more
                del left[: len(more)]
                yield Tapped(event, 1)
            else:
                yield _reached(event, page)
        for one in taken:
            live.record([NewEntry(one)], by="Ann", as_played=True)


def _reached(event: ev.Event, page: Shown) -> Tapped:
    is_exchange = isinstance(event, ev.CardsExchanged)  # one tap records it without cards
    tapped_event = ev.CardsExchanged(seat=event.seat, count=event.count) if is_exchange else event
    if tapped_event in [one.act for one in _offered(page.offers)]:
        return Tapped(event, 1)
    if tapped_event in [one.act for row in page.offers.seldom for one in row.offers]:
        return Tapped(event, 2)
    card = getattr(event, "card", None)
    keys = page.keys
    if keys is not None and isinstance(event, _CARDS[keys.purpose]) and card is not None:
        plate = 0 if isinstance(event, ev.CardTurned) or getattr(event, "seat", None) == keys.seat else 1
        if card == "??":
            return Tapped(event, 1 + plate)
        key = next(key for suit in keys.suits for key in suit if key.card == card)
        return Tapped(event, (0 if key.by is not None else 2 if key.fit == "odd" else 1) + plate, key)
    if _without_seat(tapped_event) in [_without_seat(one.act) for row in vocabulary(page.now) for one in row.offers]:
        plate = 0 if getattr(event, "seat", None) == page.board.turn else 1
        return Tapped(event, 2 + plate)
    return Tapped(event, 0)


def _offered(offers: Offers) -> Iterator[Offer]:
    yield from (*offers.calls, *(one for row in offers.said for one in row.offers), *offers.gathered)
    yield from () if offers.exchange is None else offers.exchange.counts
    yield from () if offers.none_called is None else (offers.none_called,)


def _without_seat(event: ev.Event) -> ev.Event:
    if isinstance(event, ev.Announced):
        return structs.replace(event, seat=None)
    return structs.replace(event, seat=0) if isinstance(event, ev.BidMade) or hasattr(event, "seat") else event
