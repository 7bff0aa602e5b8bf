"""An earlier act of the deal is changed in place; the effect is shown before it is recorded."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.events import (
    BidMade,
    CardPlayed,
    CardsExchanged,
    Corrected,
    Event,
    Noted,
    PartnerCalled,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.recording.board.keyboard import pack_at
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import corrected_reading
from ledger.text.cards import card_text
from tests.contracts.game_tables import NAMES
from tests.hand_records import REPLAYS
from tests.web.pages.forms import hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, RECORDER, Served, ledger_of, ledger_with, serving, stored_events

SEATS = {"ombre": 3, "quadrille": 4, "couillon": 4, "kop": 4, "baska": 4}
GAMES = pytest.mark.parametrize("table", SEATS, indirect=True)
DEAL = "/record/t/deal"


class Row(NamedTuple):
    what: str
    before: str
    after: str


class Table(NamedTuple):
    """A table `t` in the middle of its first deal. `plays`: the versions of its cards."""

    served: Served
    events: Sequence[Event]
    plays: Sequence[int]

    def card(self, version: int) -> CardPlayed:
        event = self.events[version - 1]
        assert isinstance(event, CardPlayed)
        return event

    def stored(self) -> Sequence[Event]:
        return stored_events(self.served.ledger, "table/t")

    def read_at(self, version: int) -> list[Event]:
        return [event for at, event in corrected_reading(enumerate(self.stored(), 1)) if at == version]

    def unplayed(self) -> str:
        played = {self.card(version).card for version in self.plays}
        opened = self.events[0]
        assert isinstance(opened, TableOpened)
        game = game_named(opened.game)
        pack = pack_at(game, game.make_options(opened.options, len(opened.players)))
        return next(card for cards in pack for card in cards if card not in played)


@cache
def some_play(game: str) -> tuple[Event, ...]:
    events = simulate_table(game_named(game), NAMES[: SEATS[game]], {}, 1, 7, "t", closed=False)
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    return tuple(events[: plays[6] + 1])


def at(game: str) -> pytest.MarkDecorator:
    """Mark a test of another game than Kop."""
    return pytest.mark.parametrize("table", [game], indirect=True)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    events = some_play(getattr(request, "param", "kop"))
    plays = [version for version, event in enumerate(events, 1) if isinstance(event, CardPlayed)]
    with serving(ledger_with(tmp_path, {"t": events})) as served:
        yield Table(served, events, plays)


def rows(page: str) -> list[Row]:
    rows_shown = re.findall(
        r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td><span[^>]*>→ </span>(.*?)</td></tr>', page
    )
    return [Row(*(text_of(cell).strip() for cell in row)) for row in rows_shown]


def buttons(page: str, name: str) -> dict[str, str]:
    """Return the values of choice buttons by their labels; the chosen one has an empty value."""
    matches = re.findall(
        rf'<button[^>]* name="{name}" value="([^"]*)"[^>]*?aria-pressed="(\w+)"[^>]*>(.*?)</button>', page
    )
    values = {text_of(label).strip(): html.unescape(value) for value, _, label in matches}
    return values | dict.fromkeys(
        [""], next((html.unescape(one) for one, pressed, _ in matches if pressed == "true"), "")
    )


def preview(table: Table, version: int, chosen: Mapping[str, str]) -> str:
    answer = table.served.ask(
        "GET", f"{DEAL}/{version}", who=RECORDER, is_page=True, params=chosen, headers={"accept": "text/html"}
    )
    assert answer.status_code == 200, answer.text
    return answer.text


def recorded_as(table: Table, version: int, chosen: Mapping[str, str]) -> str:
    """Record the previewed change and return the next page."""
    page = preview(table, version, chosen)
    fields = {name: hidden_in(page, name) for name in ("version", "ids")}
    assert led_to(sent(table.served, f"{DEAL}/{version}", {**chosen, **fields})) == DEAL
    return page


@GAMES
def test_a_card_is_replaced_in_place(table: Table) -> None:
    version, card = table.plays[1], table.unplayed()
    was = table.card(version)
    page = recorded_as(table, version, {"card": card})
    name = NAMES[was.seat]
    assert rows(page)[0] == Row(name, card_text(was.card), card_text(card))
    assert table.read_at(version) == [CardPlayed(seat=was.seat, card=card)]
    correction = table.stored()[len(table.events)]
    assert isinstance(correction, Corrected)
    assert (correction.action, correction.reason) == ("replace", "it was another card")
    assert f"{name}: {card_text(card)} entry {version}" in text_of(shown(table.served, DEAL))


@GAMES
def test_a_wrong_call_is_replaced_by_another(table: Table) -> None:
    version = next(at for at, event in enumerate(table.events, 1) if isinstance(event, BidMade))
    words = buttons(preview(table, version, {}), "word")
    was = words.pop("")
    label, word = next((label, value) for label, value in words.items() if value != was and '"bid_made"' in value)
    page = recorded_as(table, version, {"word": word})
    assert rows(page)[0].after == label
    (now,) = table.read_at(version)
    before = table.events[version - 1]
    assert isinstance(now, BidMade) and isinstance(before, BidMade)
    assert now.seat == before.seat and now.call != before.call


@GAMES
def test_two_cards_change_places(table: Table) -> None:
    version, other = table.plays[1], table.plays[4]
    cards = table.card(version).card, table.card(other).card
    page = recorded_as(table, version, {"card": cards[1]})
    assert rows(page)[0] == Row(NAMES[table.card(version).seat], *map(card_text, cards))
    now = [table.read_at(at)[0] for at in (version, other)]
    assert [event.card for event in now if isinstance(event, CardPlayed)] == [cards[1], cards[0]]


@GAMES
def test_striking_in_the_middle_names_who_would_then_have_played(table: Table) -> None:
    version = table.plays[1]
    assert f'href="{DEAL}/{version}?do=strike"' in shown(table.served, DEAL)
    page = recorded_as(table, version, {"do": "strike"})
    assert table.read_at(version) == []
    moved = []
    for at in table.plays[2:]:
        was, (now,) = table.card(at), table.read_at(at)
        assert isinstance(now, CardPlayed)
        if now.seat != was.seat:
            moved.append(Row(card_text(was.card), NAMES[was.seat], NAMES[now.seat]))
    assert moved
    assert rows(page)[1 : len(moved) + 1] == moved
    assert "Later cards would belong to other players." in text_of(page)


def test_the_exchange_moves_the_later_cards_of_its_trick(table: Table) -> None:
    page = preview(table, table.plays[1], {"card": table.card(table.plays[4]).card})
    assert Row("entry 15", "Dan: ♥A", "Cleo: ♣J") in rows(page), "who then leads played the other of the two"
    assert Row("♦A", "Ann", "Dan") in rows(page)
    assert Row("trick 1 goes to", "Dan", "Cleo") in rows(page)
    assert rows(page)[-1] == Row("next to act", "Cleo", "Ben")


@at("quadrille")
def test_where_nothing_moves_one_sentence_says_so(table: Table) -> None:
    page = preview(table, table.plays[1], {"card": table.card(table.plays[4]).card})
    assert "Nothing else changes." in text_of(page)
    page = preview(table, table.plays[1], {"do": "strike"})
    assert "Nothing else changes." not in text_of(page)


@at("ombre")
def test_a_rule_that_is_broken_then_is_named(table: Table) -> None:
    page = preview(table, table.plays[1], {"card": table.card(table.plays[4]).card})
    assert "New: Cleo played ♣J and did not follow suit, though able to" in text_of(page)
    assert '(<a href="/rules/ombre#OMB-6.7">OMB-6.7</a>)' in page
    seen = shown(table.served, f"{DEAL}/{table.plays[1]}?do=strike")
    assert "New: Ann did not follow suit; later cards show that Ann could have" in text_of(seen)


def test_a_card_that_was_recorded_twice_is_put_right_the_second_time(table: Table) -> None:
    again, card = table.card(table.plays[0]).card, table.unplayed()
    table.served.record("table/t", CardPlayed(seat=2, card=again), by=RECORDER.recorded_by)
    version = len(table.events) + 1
    assert rows(preview(table, version, {"card": again})) == []
    page = recorded_as(table, version, {"card": card})
    assert rows(page)[0] == Row("Cleo", card_text(again), card_text(card))
    assert f"No longer: Cleo played {card_text(again)}" in text_of(page)
    assert table.read_at(table.plays[0]) == [table.card(table.plays[0])]


def test_it_was_the_card_of_somebody_else(table: Table) -> None:
    version = table.plays[6]
    was = table.card(version)
    seat = (was.seat + 1) % 4
    page = recorded_as(table, version, {"seat": str(seat)})
    assert rows(page)[0] == Row(card_text(was.card), NAMES[was.seat], NAMES[seat])
    assert table.read_at(version) == [CardPlayed(seat=seat, card=was.card)]


def test_the_chosen_name_stays_while_a_card_is_chosen(table: Table) -> None:
    version, card = table.plays[6], table.unplayed()
    page = preview(table, version, {"seat": "1", "card": card})
    assert buttons(page, "seat")[""] == "1"
    assert f'name="card" value="{card}" aria-pressed="true"' in page
    assert page.count('<input type="hidden" name="seat" value="1">') == 2, "of the keyboard and of what is recorded"


@at("ombre")
def test_a_miscounted_exchange_is_counted_anew(table: Table) -> None:
    version = next(at for at, event in enumerate(table.events, 1) if isinstance(event, CardsExchanged))
    words = buttons(preview(table, version, {}), "word")
    page = recorded_as(table, version, {"word": words["3"]})
    assert rows(page)[0] == Row("Cleo", "exchanged 9", "exchanged 3")
    assert table.read_at(version) == [CardsExchanged(seat=2, count=3)]


@at("quadrille")
def test_trumps_and_the_called_card_are_put_right(table: Table) -> None:
    named = next(at for at, event in enumerate(table.events, 1) if isinstance(event, TrumpNamed))
    words = buttons(preview(table, named, {}), "word")
    recorded_as(table, named, {"word": words["♦"]})
    assert table.read_at(named) == [TrumpNamed(seat=1, suit="D")]
    recorded_as(table, named + 1, {"card": "HK"})
    assert table.read_at(named + 1) == [PartnerCalled(seat=1, card="HK")]
    words = buttons(preview(table, named + 1, {}), "word")
    recorded_as(table, named + 1, {"word": words["No card"]})
    assert table.read_at(named + 1) == [PartnerCalled(seat=1, card=None)]


def test_who_took_a_trick_is_put_right(table: Table) -> None:
    table.served.record("table/t", TrickGathered(seat=0), by=RECORDER.recorded_by)
    version = len(table.stored())
    recorded_as(table, version, {"seat": "2"})
    assert table.read_at(version) == [TrickGathered(seat=2)]


def test_the_last_act_is_undone_at_once_and_read_again_at_once(table: Table) -> None:
    last = len(table.events)
    assert f'name="strike" value="{last}"' in shown(table.served, DEAL)
    assert f'name="strike" value="{last - 1}"' not in shown(table.served, DEAL)
    assert f'name="strike" value="{last} {last - 1} {last - 2}">Undo back to here (3 acts)' in shown(table.served, DEAL)
    form = {"version": str(last), "ids": hidden_in(shown(table.served, DEAL), "ids"), "strike": str(last)}
    assert {led_to(sent(table.served, DEAL, form)) for _ in range(2)} == {DEAL}, "sent twice"
    assert f'name="restore" value="{last}"' in shown(table.served, DEAL)


def test_reading_again_in_the_middle_shows_first_what_it_moves(table: Table) -> None:
    version = table.plays[1]
    struck = rows(recorded_as(table, version, {"do": "strike"}))
    assert f'href="{DEAL}/{version}?do=restore"' in shown(table.served, DEAL)
    restored = rows(recorded_as(table, version, {"do": "restore"}))
    assert restored == [Row(one.what, one.after, one.before) for one in struck]
    assert [table.read_at(at)[0] for at in table.plays] == [table.card(at) for at in table.plays]


def test_an_act_of_somebody_else_is_neither_offered_nor_changed(table: Table) -> None:
    card = CardPlayed(seat=2, card=table.unplayed())
    table.served.record("table/t", card, by="another-phone")
    version = len(table.events) + 1
    assert f"{DEAL}/{version}" not in shown(table.served, DEAL)
    shown(table.served, f"{DEAL}/{version}", 403)
    sent(table.served, f"{DEAL}/{version}", {"version": str(version), "card": table.card(table.plays[0]).card}, 403)
    shown(table.served, f"{DEAL}/{version}", who=DIRECTOR)
    own = shown(table.served, f"{DEAL}/{table.plays[1]}")
    assert card.card not in buttons(own, "card").values(), "no exchange with a card of another phone"
    assert rows(shown(table.served, f"{DEAL}/{table.plays[1]}?card={card.card}")) == []
    assert table.stored() == [*table.events, card]


def test_what_others_recorded_meanwhile_is_seen_first(table: Table) -> None:
    version, chosen = table.plays[1], {"card": table.unplayed()}
    page = preview(table, version, chosen)
    table.served.record("table/t", Noted(text="x"))
    fields = {name: hidden_in(page, name) for name in ("version", "ids")}
    again = sent(table.served, f"{DEAL}/{version}", {**chosen, **fields}, 422).text
    assert "Somebody else has recorded an act at this table in the meantime." in text_of(again)
    assert rows(again) == rows(page)
    assert hidden_in(again, "version") == str(len(table.events) + 1)
    assert not any(isinstance(event, Corrected) for event in table.stored())


def test_a_form_that_is_sent_twice_records_once(table: Table) -> None:
    version, chosen = table.plays[1], {"card": table.unplayed()}
    page = preview(table, version, chosen)
    fields = {**chosen, **{name: hidden_in(page, name) for name in ("version", "ids")}}
    sent(table.served, f"{DEAL}/{version}", fields)
    stored = table.stored()
    sent(table.served, f"{DEAL}/{version}", fields)
    assert table.stored() == stored


def test_what_is_no_choice_records_nothing(table: Table) -> None:
    version, last = table.plays[1], str(len(table.events))
    for chosen in ({"card": "S2"}, {"card": "<b>"}, {"seat": "9"}, {"word": '{"type":"table_closed"}'}, {}):
        assert rows(preview(table, version, chosen)) == []
        sent(table.served, f"{DEAL}/{version}", {**chosen, "version": last})
    for at, do in ((version, "restore"), (3, "")):
        assert led_to(sent(table.served, f"{DEAL}/{at}", {"version": last, "do": do})) == DEAL
    assert led_to(sent(table.served, f"{DEAL}/1", {"version": last, "do": "strike"}, who=DIRECTOR)) == DEAL
    shown(table.served, f"{DEAL}/999", 404)
    shown(table.served, f"{DEAL}/x", 404)
    assert table.stored() == list(table.events)


def test_the_result_of_a_deal_that_is_over_is_shown_as_it_would_be(tmp_path: Path) -> None:
    record = REPLAYS / "kop" / "04-kontra-re-losers-have-25.toml"
    with serving(ledger_of(tmp_path, record)) as served:
        (slug,) = [one["table"] for one in served.ok("/tables")]
        events = stored_events(served.ledger, f"table/{slug}")
        first = next(at for at, event in enumerate(events, 1) if isinstance(event, CardPlayed))
        page = shown(served, f"/record/{slug}/deal/{first}?do=strike", who=DIRECTOR)
        result_rows = rows(page)
        assert any(row.what.startswith("result of deal 1") for row in result_rows)
        assert any(", deal 1" in row.what for row in result_rows)


def test_what_would_be_refused_is_refused_before_it_is_sent(table: Table) -> None:
    """The start of a deal that has gone on cannot be struck alone."""
    assert f"{DEAL}/2" not in shown(table.served, DEAL)
    page = preview(table, 2, {"do": "strike"})
    assert "no deal has been started" in text_of(page)
    assert '<form method="post"' not in page
    last = str(len(table.events))
    again = sent(table.served, f"{DEAL}/2", {"version": last, "do": "strike"}, 422).text
    assert "no deal has been started" in text_of(again)


def test_striking_a_note_changes_nothing_else(table: Table) -> None:
    table.served.record("table/t", Noted(text="x"), CardPlayed(seat=2, card=table.unplayed()), by=RECORDER.token)
    page = recorded_as(table, len(table.events) + 1, {"do": "strike"})
    assert (rows(page), "Nothing else changes." in text_of(page)) == ([], True)


@at("ombre")
def test_names_are_those_that_are_shown(table: Table) -> None:
    answer = table.served.ask("PUT", "/players/Cleo/name", who=DIRECTOR, json={"name": "Zoe"})
    assert answer.status_code in (200, 204), answer.text
    page = preview(table, table.plays[1], {"card": table.card(table.plays[4]).card})
    assert rows(page)[0].what == "Zoe"
    assert "New: Zoe played ♣J and did not follow suit" in text_of(page)
    assert "Cleo" not in page


def test_the_page_is_in_japanese(table: Table) -> None:
    page = text_of(shown(table.served, f"{DEAL}/{table.plays[1]}?do=strike&lang=ja"))
    assert "この後のカードは、出したプレイヤーが変わります。" in page
