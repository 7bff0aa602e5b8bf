"""A ledger in a view: hidden contents are in no row, and nothing after the visible head is read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import json

from ledger import events
from ledger.events import CardsDealt, DealStarted, Event, Noted, SessionOpened, TableOpened
from ledger.log import Batch, MemoryStore, NewEntry, stores
from ledger.log.base import Row
from ledger.log.bulk import BulkReader
from ledger.service.visibility import HiddenFrom, RedactedStore, View, VisibleHead, seen_envelope, visible_head
from tests.contracts.log_builders import TickingClock, an_id
from tests.web.lists import lines_in

OPENED = TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
DEALT = CardsDealt(hands=(("SA", "S7"), ("H5", "H4"), None), stock=("DK",), deck=None)
SEEN = CardsDealt(hands=(("??", "??"), ("??", "??"), None), stock=("??",))
EXCHANGED = events.CardsExchanged(seat=1, count=1, discarded=("H5",), drawn=("DK",))
T, U = "table/t", "table/u"
TEXTS = [json.decode(line, type=Event) for line in lines_in(Path(__file__).with_name("texts_of_an_open_deal.txt"))]


class Club:
    """A ledger with an open deal at the table t, recorded with the tokens desk and phone."""

    def __init__(self) -> None:
        self.store = MemoryStore(clock=TickingClock())
        self.add(T, "desk", OPENED, DealStarted(deal=1, dealer=2), DEALT)

    def add(self, stream: str, by: str, *events: Event, first_id: int | None = None) -> None:
        ids = [None] * len(events) if first_id is None else [an_id(first_id + at) for at in range(len(events))]
        self.store.append(Batch(stream, "any", tuple(map(NewEntry, events, ids))), recorded_by=by)

    def seen(self, **view: object) -> RedactedStore:
        return RedactedStore(self.store, visible_head(self.store), View(**view))

    def events(self, **view: object) -> list[Event]:
        return [row.event() for row in self.seen(**view).read_stream(T)]


@pytest.fixture
def club() -> Club:
    return Club()


WAYS: list[Callable[[RedactedStore], Iterator[Row]]] = [
    lambda seen: seen.read(),
    lambda seen: iter(seen.read_stream(T)),
    lambda seen: iter(seen.known_ids([row.id for row in seen.read()]).values()),
]


@pytest.mark.parametrize("way", WAYS)
def test_hidden_cards_are_in_no_row(club: Club, way: Callable[[RedactedStore], Iterator[Row]]) -> None:
    dealt = [row for row in way(club.seen(writer="desk")) if b"cards_dealt" in row.payload]
    assert [(row.event(), row.digest) for row in dealt] == [(SEEN, b"")]
    whole = [row for row in way(club.seen(hands=True, writer="desk")) if b"cards_dealt" in row.payload]
    assert [row.event() for row in whole] == [DEALT]
    assert whole[0].digest != b""


def test_the_digest_is_null_from_the_first_hidden_entry_on_at_every_table(club: Club) -> None:
    club.add(U, "desk", OPENED)
    seen = club.seen()
    envelopes = [json.decode(seen_envelope(row)) for row in seen.read()]
    whole = [json.decode(row.line()) for row in club.store.read()]
    assert [envelope["digest"] for envelope in envelopes] == [whole[0]["digest"], None, None, None]
    assert [list(envelope) for envelope in envelopes] == [list(envelope) for envelope in whole]
    assert (seen.head().position, seen.head().digest) == (4, b"")
    assert visible_head(club.store).reaches == 1


def test_all_may_be_seen_once_the_deal_is_open(club: Club) -> None:
    club.add(T, "desk", events.TableClosed(), events.HandsOpened(deal=1))
    assert list(club.seen().read()) == list(club.store.read())
    assert club.seen().head() == club.store.head()
    assert visible_head(club.store) == VisibleHead(club.store.head(), {})


def test_rows_before_what_is_hidden_are_those_of_the_ledger(club: Club) -> None:
    assert next(club.seen().read()) is next(club.store.read())


@pytest.mark.parametrize(
    ("event", "shown"), list(zip(TEXTS[::2], TEXTS[1::2], strict=True)), ids=lambda event: type(event).__name__
)
def test_texts_on_an_open_deal_are_for_their_writer_and_who_sees_hands(club: Club, event: Event, shown: Event) -> None:
    club.add(T, "phone/Ann", event)
    for other in ("", "desk", "phone", "phone/Ann 2", "phone/"):
        assert club.events(writer=other)[-1] == shown
    assert club.events(hands=True)[-1] == event
    own = club.events(writer="phone/Ann")[-1]
    for field in ("text", "reason"):
        assert getattr(own, field, None) == getattr(event, field, None)


def test_nobody_is_the_writer_of_what_has_no_token(club: Club) -> None:
    club.add(T, "/Ann", Noted(text="he holds SA"))
    assert club.events(writer="")[-1] == Noted(text="??")


def test_texts_before_the_open_deal_and_of_sessions_are_for_all(club: Club) -> None:
    club.add("session/s", "desk", SessionOpened(title="Spring", date="2026-03-01"), Noted(text="rain"))
    assert [row.event() for row in club.seen().read_stream("session/s")][-1] == Noted(text="rain")


def test_a_seat_sees_its_own_hand_and_exchange_and_no_other(club: Club) -> None:
    club.add(T, "desk", EXCHANGED)
    assert club.events(seat=("t", 1))[2:] == [
        CardsDealt(hands=(("??", "??"), ("H5", "H4"), None), stock=("??",)),
        EXCHANGED,
    ]
    assert club.events(seat=("t", 0))[3] == events.CardsExchanged(seat=1, count=1, discarded=("??",), drawn=("??",))
    assert club.events(seat=("u", 1))[2] == SEEN


def test_an_id_of_a_hidden_entry_is_known_to_its_writer(club: Club) -> None:
    club.add(T, "phone/Ann", EXCHANGED, first_id=7)
    assert list(club.seen(writer="phone/Ann").known_ids([an_id(7)])) == [an_id(7)]
    for other in ("desk", "phone", "phone/Ben"):
        assert club.seen(writer=other).known_ids([an_id(7)]) == {}
    assert club.seen(hands=True, writer="desk").known_ids([an_id(7)]) == {}


def test_what_was_recorded_since_is_not_read(club: Club) -> None:
    club.add(T, "desk", events.TableClosed())
    seen = club.seen()
    before = [*seen.read()], seen.read_stream(T), seen.streams(), seen.head()
    club.add(T, "desk", Noted(text="x"), first_id=9)
    club.add(U, "desk", OPENED, DealStarted(deal=1, dealer=2), DEALT)
    assert ([*seen.read()], seen.read_stream(T), seen.streams(), seen.head()) == before
    assert [head.stream for head in seen.streams()] == [T]
    assert seen.known_ids([an_id(9)]) == {}
    assert list(seen.read(until=99)) == before[0]


def test_no_other_way_leads_to_the_ledger(club: Club) -> None:
    seen = club.seen()
    assert seen.address is None
    assert type(stores.bulk_reader(seen)) is BulkReader
    for write in (
        lambda: seen.append(Batch(T, "any", (NewEntry(events.TableClosed()),)), recorded_by="desk"),
        lambda: seen.append_group(()),
        lambda: seen.append_prepared((), recorded_by="desk"),
        lambda: seen.append_envelopes(()),
        lambda: seen.set_display_name("Ann", "Anna"),
    ):
        with pytest.raises(NotImplementedError):
            write()


def test_display_names_and_the_identity_are_those_of_the_ledger(club: Club) -> None:
    club.store.set_display_name("Ann", "Anna")
    assert club.seen().display_names() == {"Ann": "Anna"}
    assert club.seen().ledger_id == club.store.ledger_id


def test_the_visible_head_names_the_tables_whose_deals_are_open(club: Club) -> None:
    club.add(U, "desk", OPENED)
    assert visible_head(club.store).hidden == {T: HiddenFrom(version=2, place=2, deal=1, position=2)}


def test_a_deal_that_a_correction_put_in_is_hidden_at_its_place(club: Club) -> None:
    club.add(U, "desk", OPENED, Noted(text="welcome"))
    started = DealStarted(deal=1, dealer=2)
    club.add(U, "desk", events.Corrected(version=1, action="insert_after", events=(started, DEALT), reason="late"))
    visible = visible_head(club.store)
    assert visible.hidden[U] == HiddenFrom(version=3, position=6, deal=1, place=1)
    rows = RedactedStore(club.store, visible, View()).read_stream(U)
    assert [rows[1].event(), rows[2].event()] == [
        Noted(text="welcome"),
        events.Corrected(version=1, action="insert_after", events=(started, SEEN), reason="??"),
    ]
