"""Single cards in the read model: who held which, how it came and what became of it, and what it was in its deal."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from ledger.events import CardPlayed, CardsDealt, CardsExchanged, DealStarted, DealVoided, Event, TrumpNamed
from ledger.history import catch_up
from ledger.log import MemoryStore
from tests.history.helpers import record, select, table_events
from tests.history.naive_cards import Fact, Held, cards_held, hands_after_exchange
from tests.history.season import Season

_COLUMNS = "seat, card, player, origin, fate, trick, is_trump, is_matador, rank, points"


def _told(history: Path) -> dict[tuple[str, int], dict[tuple[int, str], Held]]:
    """By deal, then by seat and card."""
    told: dict[tuple[str, int], dict[tuple[int, str], Held]] = defaultdict(dict)
    for table, deal, seat, card, *others in select(history, f"SELECT table_name, deal, {_COLUMNS} FROM cards_held"):
        assert (seat, card) not in told[table, deal]
        told[table, deal][seat, card] = Held(*others[:4], Fact(*others[4:]))
    return told


def _history_of(folder: Path, *events: Event) -> Path:
    """The read model of one table, `t`."""
    store, history = MemoryStore(), folder / "club.history.duckdb"
    record(store, "table/t", *events)
    catch_up(store, history)
    return history


def test_every_card_of_a_season_was_held_as_its_events_tell(played: Season, history: Path) -> None:
    deals = [deal for deal in played.deals if deal.of(CardsDealt)]
    assert {deal.table.game for deal in deals} == {"ombre", "quadrille", "couillon", "kop", "baska"}
    told = _told(history)
    for deal in deals:
        assert told[deal.table.name, deal.record.number] == cards_held(deal), deal.record


def test_of_bare_results_no_card_is_told(played: Season, history: Path) -> None:
    assert [deal for deal in played.deals if not deal.of(CardsDealt)]
    for table in ("cards_held", "hands_after_exchange"):
        found = select(history, f"SELECT DISTINCT table_name, deal FROM {table}")
        known = {(deal.table.name, deal.record.number) for deal in played.deals if deal.of(CardsDealt)}
        assert set(found) == known


def test_the_hand_after_the_exchange_is_what_was_played_and_kept(played: Season, history: Path) -> None:
    found = select(history, "SELECT table_name, deal, seat, player, cards, card_count FROM hands_after_exchange")
    told = {(table, deal, seat): (player, cards.split(), count) for table, deal, seat, player, cards, count in found}
    for deal in played.deals:
        if not deal.of(CardsDealt):
            continue
        for seat, hand in enumerate(hands_after_exchange(deal)):
            player, cards, count = told[deal.table.name, deal.record.number, seat]
            assert (player, set(cards), count) == (deal.players[seat], hand, len(hand))
            laid = [
                card
                for trick in deal.view.tricks
                for at, card in zip(trick.seats, trick.cards, strict=True)
                if at == seat
            ]
            assert cards[: len(laid)] == laid


def test_the_questions_of_the_guide_are_answered(history: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    asked = [
        one
        for one in re.findall(r'^trickledger query "([^"]+)"', page, re.MULTILINE)
        if "held" in one or "hands" in one
    ]
    assert len(asked) == 3
    for question in asked:
        assert select(history, question.replace("friday-1", "t0")), question


# --- records that tell less -------------------------------------------------------------------------------------------


def _hands_forgotten(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, CardsDealt)]


def _discards_forgotten(events: list[Event]) -> list[Event]:
    return [structs.replace(one, discarded=None) if isinstance(one, CardsExchanged) else one for one in events]


def _some_plays_unseen(events: list[Event]) -> list[Event]:
    chance = Random(1)
    return [
        structs.replace(one, card="??") if isinstance(one, CardPlayed) and chance.random() < 0.1 else one
        for one in events
    ]


def _one_hand_hidden(events: list[Event]) -> list[Event]:
    return [
        structs.replace(one, hands=(one.hands[0], None, *one.hands[2:]), stock=None)
        if isinstance(one, CardsDealt)
        else one
        for one in events
    ]


_FORGETTING = [_hands_forgotten, _discards_forgotten, _some_plays_unseen, _one_hand_hidden]


@pytest.fixture(scope="module")
def poorer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[tuple[Any, ...], tuple[Any, ...]]]:
    """The rows of the same deals by table: `whole` and forgetful ones."""
    store, history = MemoryStore(), tmp_path_factory.mktemp("poorer") / "club.history.duckdb"
    events = table_events(deals=4)
    record(store, "table/whole", *events)
    for number, forget in enumerate(_FORGETTING):
        record(store, f"table/poor-{number}", *forget(events))
    catch_up(store, history)
    rows: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = defaultdict(dict)
    for table, *row in select(history, f"SELECT table_name, deal, {_COLUMNS} FROM cards_held"):
        rows[table][tuple(row[:3])] = tuple(row[3:])
    return rows


@pytest.mark.parametrize("number", range(len(_FORGETTING)))
def test_what_is_told_from_a_poorer_record_is_true(poorer: Any, number: int) -> None:
    whole, poor = poorer["whole"], poorer[f"poor-{number}"]
    assert poor != whole
    for card, told in poor.items():
        assert all(value in (None, true) for value, true in zip(told, whole[card], strict=True)), card


def test_from_the_play_alone_it_is_known_what_was_played_but_not_how_it_came(tmp_path: Path) -> None:
    events = table_events(deals=1)
    history = _history_of(tmp_path, *_hands_forgotten(events))
    plays = {(one.seat, one.card) for one in events if isinstance(one, CardPlayed)}
    asked = "SELECT seat, card FROM cards_held WHERE fate = 'played'"
    assert set(select(history, asked)) == plays
    assert set(select(history, f"{asked} AND origin IS NULL AND rank IS NOT NULL")) == plays
    aside = {(one.seat, card) for one in events if isinstance(one, CardsExchanged) for card in one.discarded or ()}
    asked = "SELECT seat, card FROM cards_held WHERE fate = 'put_aside' AND origin = 'dealt'"
    assert set(select(history, asked)) == aside and aside


def test_what_was_dealt_and_never_seen_again_was_put_aside(tmp_path: Path) -> None:
    events = table_events(deals=1)
    aside = {(one.seat, card) for one in events if isinstance(one, CardsExchanged) for card in one.discarded or ()}
    history = _history_of(tmp_path, *_discards_forgotten(events))
    assert set(select(history, "SELECT seat, card FROM cards_held WHERE fate = 'put_aside'")) == aside and aside


def test_a_card_that_is_not_known_is_in_the_hand_but_has_no_row(tmp_path: Path) -> None:
    events = table_events(deals=1)
    at = next(place for place, one in enumerate(events) if isinstance(one, CardPlayed))
    first = events[at]
    assert isinstance(first, CardPlayed)
    dealt = CardsDealt(hands=(None, None, None))
    events = [dealt if isinstance(one, CardsDealt) else one for one in events]
    events[at] = structs.replace(first, card="??")
    history = _history_of(tmp_path, *events)
    asked = "SELECT cards, card_count FROM hands_after_exchange WHERE seat = $1"
    ((cards, count),) = select(history, asked, first.seat)
    assert (cards.split()[0], count) == ("??", 9)
    assert select(history, "FROM cards_held WHERE card = '??'") == []


def test_before_the_play_nobody_knows_what_a_card_is_worth(tmp_path: Path) -> None:
    events = table_events(deals=1, closed=False)
    start = next(place for place, one in enumerate(events) if isinstance(one, TrumpNamed))
    history = _history_of(tmp_path, *events[:start], DealVoided(reason="the lamp went out"))
    assert set(select(history, "SELECT origin, fate, is_trump, rank FROM cards_held")) == {
        ("dealt", "kept", None, None)
    }
    after = "SELECT seat, card_count FROM hands_after_exchange ORDER BY seat"
    assert select(history, after) == select(history, "SELECT seat, card_count FROM hands ORDER BY seat")


def test_a_card_that_another_was_dealt_came_nobody_knows_how(tmp_path: Path) -> None:
    events = table_events(deals=1)
    dealt = next(one for one in events if isinstance(one, CardsDealt))
    at = next(place for place, one in enumerate(events) if isinstance(one, CardPlayed))
    first = events[at]
    assert isinstance(first, CardPlayed)
    other = (first.seat + 1) % 3
    stolen = (dealt.hands[other] or ())[0]
    events[at] = structs.replace(first, card=stolen)
    history = _history_of(tmp_path, *events)
    asked = "SELECT origin, fate FROM cards_held WHERE seat = $1 AND card = $2"
    assert select(history, asked, first.seat, stolen) == [(None, "played")]


def test_a_card_that_counts_for_nothing_stays_in_the_hand_until_it_is_played(tmp_path: Path) -> None:
    events = table_events(deals=1)
    places = [place for place, one in enumerate(events) if isinstance(one, CardPlayed)]
    first = events[places[0]]
    assert isinstance(first, CardPlayed)
    later = next(one for one in map(events.__getitem__, places[3:]) if one.seat == first.seat)  # type: ignore[union-attr]
    history = _history_of(tmp_path, *events[: places[0] + 1], later, *events[places[0] + 1 :])
    assert select(history, "SELECT count(*) FROM plays WHERE trick IS NULL") == [(1,)]
    assert isinstance(later, CardPlayed)
    asked = "SELECT fate, trick FROM cards_held WHERE seat = $1 AND card = $2"
    assert select(history, asked, first.seat, later.card) == [("played", 2)]
    assert select(history, "SELECT DISTINCT card_count FROM hands_after_exchange") == [(9,)]


@pytest.mark.parametrize("exchanged", [0, None], ids=["none", "not at all"])
def test_who_has_not_exchanged_has_drawn_nothing(tmp_path: Path, exchanged: int | None) -> None:
    events = [
        structs.replace(one, count=0, discarded=()) if isinstance(one, CardsExchanged) else one
        for one in table_events(deals=1)
        if exchanged is not None or not isinstance(one, CardsExchanged)
    ]
    history = _history_of(tmp_path, *events)
    assert select(history, "SELECT * FROM cards_held WHERE origin = 'drawn' OR fate = 'put_aside'") == []
    assert select(history, "SELECT * FROM cards_held WHERE origin IS NULL AND fate = 'played'")


def test_what_was_told_to_be_drawn_was_drawn_though_no_hand_is_known(tmp_path: Path) -> None:
    events = table_events(deals=1)
    stock = list(next(one for one in events if isinstance(one, CardsDealt)).stock or ())
    drawn: set[tuple[int, str]] = set()
    for place, one in enumerate(events):
        if isinstance(one, CardsExchanged):
            taken, stock = stock[: one.count], stock[one.count :]
            events[place] = structs.replace(one, drawn=tuple(taken))
            drawn |= {(one.seat, card) for card in taken}
    history = _history_of(tmp_path, *_hands_forgotten(events))
    assert set(select(history, "SELECT seat, card FROM cards_held WHERE origin = 'drawn'")) == drawn and drawn


def test_an_exchange_of_a_seat_that_sits_out_brings_it_no_card(tmp_path: Path) -> None:
    events = table_events(deals=1, seats=4)
    dealer = next(one.dealer for one in events if isinstance(one, DealStarted))
    last = max(place for place, one in enumerate(events) if isinstance(one, CardsExchanged))
    stock = next(one for one in events if isinstance(one, CardsDealt)).stock or ()
    events.insert(last + 1, CardsExchanged(seat=dealer, count=1, drawn=stock[-1:]))
    history = _history_of(tmp_path, *events)
    assert select(history, "SELECT count(*) FROM exchanges WHERE seat = $1", dealer) == [(1,)]
    assert select(history, "FROM cards_held WHERE seat = $1", dealer) == []
    assert select(history, "SELECT card_count FROM hands_after_exchange WHERE seat = $1", dealer) == [(0,)]


def test_nobody_was_dealt_what_is_put_aside_from_another_hand(tmp_path: Path) -> None:
    events = table_events(deals=1)
    dealt = next(one for one in events if isinstance(one, CardsDealt))
    at = next(place for place, one in enumerate(events) if isinstance(one, CardsExchanged) and one.count)
    exchange = events[at]
    assert isinstance(exchange, CardsExchanged) and exchange.discarded
    stolen = (dealt.hands[(exchange.seat + 1) % 3] or ())[0]
    events[at] = structs.replace(exchange, discarded=(stolen, *exchange.discarded[1:]))
    history = _history_of(tmp_path, *events)
    asked = "SELECT origin FROM cards_held WHERE seat = $1 AND card = $2"
    assert select(history, asked, exchange.seat, stolen) == [(None,)]
