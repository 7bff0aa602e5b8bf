"""Single cards in the read model: their holder, origin and fate, and their value in the deal."""

from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from ledger.events import CardPlayed, CardsDealt, CardsExchanged, DealStarted, DealVoided, Event, TrumpNamed
from tests.history.helpers import Model, select, table_events
from tests.history.naive_cards import Fact, Held, cards_held, hands_after_exchange
from tests.history.season import DealFacts, Season

_COLUMNS = "seat, card, player, origin, fate, trick, is_trump, is_matador, rank, points"


def _model_of(*events: Event) -> Model:
    """Return the read model of one table, `t`."""
    model = Model()
    model.record("table/t", *events)
    return model


def _first(events: list[Event], kind: type[Any]) -> Any:
    return next(one for one in events if isinstance(one, kind))


def _place(events: list[Event], kind: type[Any]) -> int:
    return events.index(_first(events, kind))


def _aside(events: list[Event]) -> set[tuple[int, str]]:
    """Return seats and the cards that they put aside."""
    return {(one.seat, card) for one in events if isinstance(one, CardsExchanged) for card in one.discarded or ()}


@pytest.fixture(scope="module")
def dealt(season: Season) -> dict[tuple[str, int], DealFacts]:
    deals = {(deal.table.name, deal.record.number): deal for deal in season.deals if deal.of(CardsDealt)}
    assert {deal.table.game for deal in deals.values()} == {"ombre", "quadrille", "couillon", "kop", "baska"}
    assert len(deals) < len(season.deals), "some are known by their results alone"
    return deals


def test_every_card_has_its_recorded_holder(dealt: dict[tuple[str, int], DealFacts], season_path: Path) -> None:
    held: dict[tuple[str, int], dict[tuple[int, str], Held]] = defaultdict(dict)
    for table, number, seat, card, *others in select(
        season_path, f"SELECT table_name, deal, {_COLUMNS} FROM cards_held"
    ):
        assert (seat, card) not in held[table, number]
        held[table, number][seat, card] = Held(*others[:4], Fact(*others[4:]))
    assert held.keys() == dealt.keys()
    for known, deal in dealt.items():
        assert held[known] == cards_held(deal), known


def test_an_exchanged_hand_is_later_played_or_held(dealt: dict[tuple[str, int], DealFacts], season_path: Path) -> None:
    columns = "table_name, deal, seat, player, cards, card_count"
    hands = select(season_path, f"SELECT {columns} FROM hands_after_exchange")
    seats = [(*known, seat) for known, deal in dealt.items() for seat in range(len(deal.players))]
    assert sorted((table, number, seat) for table, number, seat, *_ in hands) == sorted(seats)
    for table, number, seat, player, cards, count in hands:
        deal = dealt[table, number]
        hand = hands_after_exchange(deal)[seat]
        assert (player, set(cards.split()), count) == (deal.players[seat], hand, len(hand))
        laid = [card for one in deal.view.tricks for at, card in zip(one.seats, one.cards, strict=True) if at == seat]
        assert cards.split()[: len(laid)] == laid


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


def test_answers_from_a_poorer_record_are_true() -> None:
    model, events = Model(), table_events(deals=4)
    rows: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = defaultdict(dict)
    model.record("table/whole", *events)
    for number, forget in enumerate(_FORGETTING):
        model.record(f"table/poor-{number}", *forget(events))
    for table, *row in model.select(f"SELECT table_name, deal, {_COLUMNS} FROM cards_held"):
        rows[table][tuple(row[:3])] = tuple(row[3:])
    whole = rows.pop("whole")
    assert len(rows) == len(_FORGETTING)
    for table, poor in rows.items():
        assert poor != whole
        for card, values in poor.items():
            assert all(value in (None, true) for value, true in zip(values, whole[card], strict=True)), (table, card)


def test_from_the_play_alone_it_is_known_what_was_played_but_not_how_it_came() -> None:
    events = table_events(deals=1)
    model = _model_of(*_hands_forgotten(events))
    plays = {(one.seat, one.card) for one in events if isinstance(one, CardPlayed)}
    sql = "SELECT seat, card FROM cards_held WHERE fate = 'played'"
    assert set(model.select(sql)) == plays
    assert set(model.select(f"{sql} AND origin IS NULL AND rank IS NOT NULL")) == plays
    aside = model.select("SELECT seat, card FROM cards_held WHERE fate = 'put_aside' AND origin = 'dealt'")
    assert set(aside) == _aside(events) and aside


def test_what_was_dealt_and_never_seen_again_was_put_aside() -> None:
    events = table_events(deals=1)
    model = _model_of(*_discards_forgotten(events))
    aside = model.select("SELECT seat, card FROM cards_held WHERE fate = 'put_aside'")
    assert set(aside) == _aside(events) and aside


def test_a_card_that_is_not_known_is_in_the_hand_but_has_no_row() -> None:
    events = table_events(deals=1)
    at, dealt = _place(events, CardPlayed), _place(events, CardsDealt)
    events[at] = first = structs.replace(events[at], card="??")
    events[dealt] = CardsDealt(hands=(None, None, None))
    model = _model_of(*events)
    ((cards, count),) = model.select("SELECT cards, card_count FROM hands_after_exchange WHERE seat = $1", first.seat)
    assert (cards.split()[0], count) == ("??", 9)
    assert model.select("FROM cards_held WHERE card = '??'") == []


def test_before_the_play_nobody_knows_what_a_card_is_worth() -> None:
    events = table_events(deals=1, closed=False)
    model = _model_of(*events[: _place(events, TrumpNamed)], DealVoided(reason="the lamp went out"))
    held = model.select("SELECT origin, fate, is_trump, rank FROM cards_held")
    assert set(held) == {("dealt", "kept", None, None)}
    after = "SELECT seat, card_count FROM hands_after_exchange ORDER BY seat"
    assert model.select(after) == model.select("SELECT seat, card_count FROM hands ORDER BY seat")


def test_a_card_that_another_was_dealt_came_nobody_knows_how() -> None:
    events = table_events(deals=1)
    first = _first(events, CardPlayed)
    stolen = _first(events, CardsDealt).hands[(first.seat + 1) % 3][0]
    events[events.index(first)] = structs.replace(first, card=stolen)
    sql = "SELECT origin, fate FROM cards_held WHERE seat = $1 AND card = $2"
    assert _model_of(*events).select(sql, first.seat, stolen) == [(None, "played")]


def test_a_card_that_counts_for_nothing_stays_in_the_hand_until_it_is_played() -> None:
    events = table_events(deals=1)
    first, _, _, *others = [one for one in events if isinstance(one, CardPlayed)]
    later = next(one for one in others if one.seat == first.seat)
    events.insert(events.index(first) + 1, later)
    model = _model_of(*events)
    assert model.select("SELECT count(*) FROM plays WHERE trick IS NULL") == [(1,)]
    sql = "SELECT fate, trick FROM cards_held WHERE seat = $1 AND card = $2"
    assert model.select(sql, first.seat, later.card) == [("played", 2)]
    assert model.select("SELECT DISTINCT card_count FROM hands_after_exchange") == [(9,)]


@pytest.mark.parametrize("exchanged", [0, None], ids=["none", "not at all"])
def test_who_has_not_exchanged_has_drawn_nothing(exchanged: int | None) -> None:
    model = _model_of(*(
        structs.replace(one, count=0, discarded=()) if isinstance(one, CardsExchanged) else one
        for one in table_events(deals=1)
        if exchanged is not None or not isinstance(one, CardsExchanged)
    ))  # fmt: skip
    assert model.select("SELECT * FROM cards_held WHERE origin = 'drawn' OR fate = 'put_aside'") == []
    assert model.select("SELECT * FROM cards_held WHERE origin IS NULL AND fate = 'played'")


def test_recorded_draws_count_though_no_hand_is_known() -> None:
    events = table_events(deals=1)
    stock = list(_first(events, CardsDealt).stock)
    drawn: set[tuple[int, str]] = set()
    for place, one in enumerate(events):
        if isinstance(one, CardsExchanged):
            taken, stock = stock[: one.count], stock[one.count :]
            events[place] = structs.replace(one, drawn=tuple(taken))
            drawn |= {(one.seat, card) for card in taken}
    model = _model_of(*_hands_forgotten(events))
    assert set(model.select("SELECT seat, card FROM cards_held WHERE origin = 'drawn'")) == drawn and drawn


def test_an_exchange_of_a_seat_that_sits_out_brings_it_no_card() -> None:
    events = table_events(deals=1, seats=4)
    dealer, stock = _first(events, DealStarted).dealer, _first(events, CardsDealt).stock
    last = max(place for place, one in enumerate(events) if isinstance(one, CardsExchanged))
    events.insert(last + 1, CardsExchanged(seat=dealer, count=1, drawn=stock[-1:]))
    model = _model_of(*events)
    assert model.select("SELECT count(*) FROM exchanges WHERE seat = $1", dealer) == [(1,)]
    assert model.select("FROM cards_held WHERE seat = $1", dealer) == []
    assert model.select("SELECT card_count FROM hands_after_exchange WHERE seat = $1", dealer) == [(0,)]


def test_nobody_was_dealt_what_is_put_aside_from_another_hand() -> None:
    events = table_events(deals=1)
    exchange = next(one for one in events if isinstance(one, CardsExchanged) and one.count)
    stolen = _first(events, CardsDealt).hands[(exchange.seat + 1) % 3][0]
    events[events.index(exchange)] = structs.replace(exchange, discarded=(stolen, *exchange.discarded[1:]))
    sql = "SELECT origin FROM cards_held WHERE seat = $1 AND card = $2"
    assert _model_of(*events).select(sql, exchange.seat, stolen) == [(None,)]
