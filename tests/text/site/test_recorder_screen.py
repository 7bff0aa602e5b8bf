"""Check the recorder's screen of every recorded deal, at its end and on the way, in both languages."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from ledger import events as ev
from ledger.i18n import LANGUAGES
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.table.repository import TableAsRead
from ledger.text.site.cards import Preferences
from ledger.text.site.frame import Frame, page_of
from ledger.text.site.recorder.acts import Signed, act_formatter_of, deal_history
from ledger.text.site.recorder.screen import Recorder, Screen, screen_of, unchecked_acts
from tests.covering import sample
from tests.hand_records import REPLAYS, record_in, table_events

RECORDS = sorted(REPLAYS.rglob("*.toml"))


def signatures(live: LiveTable) -> dict[int, Signed]:
    return {row.version: Signed(row.recorded_by, row.recorded_at) for row in live.recorded_since(0)}


def screen(live: LiveTable, lang: str = "en", by: str = "Ann", *, is_director: bool = False) -> Screen:
    who = Recorder(by=by, is_director=is_director, lang=lang)
    return screen_of(TableAsRead(live.slug, live.settled_as_seen), live.version, signatures(live), who)


def table_of(record: str) -> tuple[LiveTable, Sequence[ev.Event]]:
    """Open the table of a record, and return it with the events that follow."""
    opened, *events = table_events(record_in(REPLAYS / f"{record}.toml"))
    return LiveTable.open(MemoryStore(), "t", opened, by="Ann"), events  # type: ignore[arg-type]


def recorded(record: str, most: int | None = None, kinds: tuple[type, ...] = ()) -> LiveTable:
    """Return a table with the first events of a deal recorded, or only those of these kinds."""
    live, events = table_of(record)
    chosen = [event for event in events[:most] if not kinds or isinstance(event, kinds)]
    live.record([NewEntry(event) for event in chosen], by="Ann", as_played=True)
    return live


@pytest.mark.parametrize("path", sample(RECORDS, 12), ids=lambda path: path.stem)
def test_every_deal_ends_with_each_players_own_sign(path: Path) -> None:
    live, events = table_of(str(path.relative_to(REPLAYS).with_suffix("")))
    for place, event in enumerate(events):
        live.record([NewEntry(event)], by="Ann", as_played=True)
        deals = live.settled.deals
        if place % 17 and (not deals or deals[-1].machine.status == "open"):
            continue
        for lang in LANGUAGES:
            shown = screen(live, lang)
            assert shown.prompt.text
            if shown.ended is not None and deals[-1].settlement is not None and live.hidden is None:
                assert [one.amount for one in shown.ended.shares] == deals[-1].settlement.deltas


def test_the_run_of_passes_is_taken_back_at_once_and_by_its_own_recorder_alone() -> None:
    live, events = table_of("kop/01-exactly-53")
    live.record([NewEntry(event) for event in events[:2]], by="Ann", as_played=True)
    live.record([NewEntry(event) for event in events[2:6]], by="phone/Zoe")
    undo = screen(live, by="phone/Zoe").undo
    assert undo is not None and (undo.versions, undo.act_text) == ("7 6 5 4", "Pass × 4")
    assert screen(live, by="Ann").undo is None
    assert screen(live, by="Ann", is_director=True).undo is not None


def test_what_is_no_act_of_a_player_is_taken_back_by_its_name() -> None:
    live = recorded("kop/01-exactly-53", kinds=(ev.DealStarted,))
    undo = screen(live, by="Ann").undo
    assert undo is not None and undo.act_text == "start of deal 1"
    for event, act_text in (
        (ev.DealVoided(reason="a card face up"), "void deal"),
        (ev.TableClosed(), "closing of the table"),
    ):
        live.record([NewEntry(event)], by="Ann", as_played=True)
        undo = screen(live, by="Ann", is_director=True).undo
        assert undo is not None and undo.act_text == act_text


def test_what_was_taken_back_of_a_deal_is_listed_as_struck() -> None:
    live = recorded("kop/04-kontra-re-losers-have-25", 9)
    live.record([NewEntry(ev.Corrected(version=10, action="strike", reason="misread"))], by="Ann")
    acts = deal_history(live.fold, signatures(live), "Ann", act_formatter_of(live.fold, "en"), is_director=False)
    assert [(act.version, act.act_text, act.is_struck, act.back) for act in acts[:3]] == [
        (10, "Ada: ♥J", True, ""), (9, "Ben: Pass", False, "9"), (8, "Ada: Pass", False, "9 8"),
    ]  # fmt: skip


ROWS = tomllib.loads(Path(__file__).with_name("recorder_screen.toml").read_text(encoding="utf-8"))
COSTLY = ROWS.pop("costly")


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_the_screen_shows(row: dict[str, Any]) -> None:
    shown = screen(recorded(row["record"], row.get("most")), row.get("lang", "en"))
    assert {path: value_at(shown, path.split(".")) for path in row["shows"]} == row["shows"]


def value_at(value: Any, names: list[str]) -> Any:
    for place, name in enumerate(names):
        if name == "*":
            return [value_at(item, names[place + 1 :]) for item in value]
        value = value[int(name)] if name.isdigit() else getattr(value, name)
    return value


def test_an_unseen_card_belongs_to_the_seat_lit_at_the_tap() -> None:
    unseen = screen(recorded("kop/04-kontra-re-losers-have-25", kinds=(ev.DealStarted, ev.BidMade))).unseen
    assert unseen is not None
    assert msgspec.json.decode(unseen.acts) == [{"type": "card_played", "seat": None, "card": "??"}]
    assert unseen.act_text.startswith("{name}: ")


def test_an_announcement_of_several_seats_shows_its_stake_once() -> None:
    live = recorded("kop/19-free-auction-fifth-doubling", 4)
    notes = {row.said: row.note for row in screen(live).said}
    assert notes["Zolo"] == "alone, stake 5"


def test_the_next_deal_shows_who_cuts_and_leads() -> None:
    live = recorded("kop/01-exactly-53")
    shown, players = screen(live), live.settled.players
    dealer = players.index(shown.next_dealer)
    cuts, leads = (players[(dealer + step) % 4] for step in (3, 1))
    assert shown.next_roles == f"{cuts} cuts, {leads} leads"


def test_a_deal_that_is_left_is_followed_by_one_of_the_next_dealer() -> None:
    live, events = table_of("quadrille/match-of-four-deals")
    second = next(place for place, event in enumerate(events) if isinstance(event, ev.DealStarted) and event.deal == 2)
    live.record([NewEntry(event) for event in events[: second + 1]], by="Ann", as_played=True)
    started = events[second]
    assert isinstance(started, ev.DealStarted)
    shown = screen(live).next_anyway
    assert shown is not None
    due = (started.dealer + 1) % 4
    assert msgspec.json.decode(shown.acts) == [{"type": "deal_started", "deal": 3, "dealer": due}]
    board = msgspec.json.decode(str(screen(live).board))
    assert (board["next_deal"], board["next_dealer"]) == (3, due)


def test_exchange_counts_are_shown_while_others_exchange() -> None:
    _, events = table_of("ombre/rape-of-the-lock")
    place, event = next((place, one) for place, one in enumerate(events, 1) if isinstance(one, ev.CardsExchanged))
    live = recorded("ombre/rape-of-the-lock", place)
    notes = {one.name: one.notes for one in screen(live).table.plates}
    assert sum("exchanged" in note for of_one in notes.values() for note in of_one) == 1
    (name,) = (name for name, of_one in notes.items() if any("exchanged" in note for note in of_one))
    assert notes[name][-1] == f"exchanged {event.count}"


@pytest.mark.parametrize(("record", "lies_until"), [
    ("ombre/18d-turned-card-drawn-by-the-next", ev.CardsExchanged),
    ("couillon/31-match-mit4-points", ev.CardPlayed),
    ("couillon/01-third-player-takes", None),
])  # fmt: skip
@pytest.mark.parametrize("has_hands", [True, False])
def test_the_upcard_lies_on_the_table_until_it_is_taken(record: str, lies_until: type | None, has_hands: bool) -> None:
    """In forehand's hand it lies until the first card is played; one that nobody gets lies to the end."""
    live, events = table_of(record)
    turned, gone = None, False
    for event in events[: next((at for at, one in enumerate(events) if at and isinstance(one, ev.DealStarted)), None)]:
        if has_hands or not isinstance(event, ev.CardsDealt):
            live.record([NewEntry(event)], by="Ann", as_played=True)
        turned = event.card if isinstance(event, ev.CardTurned) else turned
        is_drawn = not isinstance(event, ev.CardsExchanged) or event.count > 0
        gone = gone or (lies_until is not None and isinstance(event, lies_until) and is_drawn)
        assert screen(live).table.turned == (None if gone or screen(live).stage == "between" else turned), event
    assert turned is not None


@pytest.mark.parametrize(("record", "acts", "act", "missing"), COSTLY)
def test_an_act_that_would_leave_the_deal_unscorable_says_so(record: str, acts: int, act: str, missing: str) -> None:
    """`acts`: the number of recorded acts; -1: all until the deal lacks only one. No hands are recorded."""
    live, events = table_of(record)
    events = [one for one in events if not isinstance(one, ev.CardsDealt)]
    costs: list[str] = []
    has_ended = False
    for event in events[: acts if acts > 0 else None]:
        live.record([NewEntry(event)], by="Ann", as_played=True)
        shown = screen(live)
        if has_ended := shown.ended is not None:
            break
        rows = {row.said: row for row in (*shown.said, *shown.seldom)}
        offered = {"next deal": shown.next_anyway, "not seen": shown.unseen, **rows}.get(act)
        costs.append("" if offered is None else offered.cost)
    assert has_ended == (acts < 0)
    assert max(costs, key=len) == f"The deal will then have no score; missing: {missing}."
    assert ("" in costs) == (act != "next deal")


@pytest.mark.parametrize("path", sample(RECORDS, 12), ids=lambda path: path.stem)
def test_what_is_said_of_a_score_comes_true(path: Path) -> None:
    live, events = table_of(str(path.relative_to(REPLAYS).with_suffix("")))
    for event in [one for one in events if not isinstance(one, ev.CardsDealt)][:40]:
        live.record([NewEntry(event)], by="Ann", as_played=True)
        shown = screen(live)
        if shown.ended is not None or not live.fold.deals:
            continue
        costs = [(button.acts, row.cost) for row in (*shown.said, *shown.seldom) for button in row.buttons]
        costs += [] if shown.next_anyway is None else [(shown.next_anyway.acts, shown.next_anyway.cost)]
        for acts, cost in costs:
            after = live.preview(msgspec.json.decode(acts, type=list[ev.Event])).settled_as_seen
            number = live.fold.deals[-1].number
            if cost:
                assert after.deal(number).status == "unscorable", (event, acts)


def test_a_key_shows_its_letter_and_is_called_by_its_card() -> None:
    live, _ = table_of("ombre/02-vuelta-stopped")
    frame = Frame(preferences=Preferences(letters="fr"), path="/record/t", club="club")
    read = TableAsRead(live.slug, live.settled_as_seen)
    page = page_of("recorder/unchecked.html", frame, unchecked=unchecked_acts(read, "en"))
    key = re.search(r'<button class="key kH" id="key-HK".*?</button>', page)
    assert key is not None
    button = ElementTree.fromstring(key[0])
    assert (button.get("name"), button.get("value"), button.get("aria-label")) == ("card", "HK", "king of hearts")
    assert [part.tag for part in button] == ["b", "svg"]
    assert button.findtext("b") == "R"
    assert button[1].get("aria-hidden") == "true"
