"""The read model of a service: cut before each open deal, it always equals that of a ledger without those entries."""

from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ledger.events import CardPlayed, CardsDealt, DealStarted, Event, SessionOpened
from ledger.history import catch_up
from ledger.history.model import parallel, projector
from ledger.log import Batch, LogStore, MemoryStore, NewEntry, SqliteStore
from ledger.log.bulk import Cut
from ledger.recording.adding import Recording
from ledger.recording.hands import open_hands
from ledger.streams import TABLE
from ledger.table.hiding import hidden_in
from tests.covering import examples, sample
from tests.history.helpers import Club, Model, record, select, table_events, table_rows

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
OF_POSITIONS = ("log_position", "first_position", "last_position", "last_digest")


def timeless_store() -> MemoryStore:
    """Return a ledger whose entries are all recorded at the same moment."""
    return MemoryStore(clock=lambda: NOON)


def cut_of(store: LogStore) -> Cut:
    """Return the cut that holds open deals back."""
    held_back = {}
    for head in store.streams(TABLE.prefix):
        rows = store.read_stream(head.stream)
        hidden = hidden_in([(row.version, row.event()) for row in rows])
        if hidden is not None:
            held_back[head.stream] = rows[hidden.version - 1].position
    return Cut(store.head(), held_back)


def without_held_back(store: LogStore, cut: Cut) -> MemoryStore:
    """Return the ledger without the entries held back."""
    other = timeless_store()
    for row in store.read():
        if row.position < cut.held_back.get(row.stream, row.position + 1):
            entry = NewEntry(row.event(), row.id, row.happened_at)
            other.append(Batch(row.stream, "any", (entry,)), recorded_by=row.recorded_by)
    return other


PLAYED = {"ombre": 3, "quadrille": 4, "couillon": 4, "kop": 4}


def until_open(events: list[Event], deal: int, more: int = 12) -> int:
    """Return the number of events until that deal is open, with a few cards played."""
    starts = {event.deal: place for place, event in enumerate(events) if isinstance(event, DealStarted)}
    return starts[deal] + more


def assert_as_never_recorded(store: LogStore, cut: Cut, history: Path, *, with_views: bool = False) -> None:
    """Assert that the read model is that of a ledger without the entries held back, positions and digests aside."""
    never_recorded = Model(without_held_back(store, cut))
    differences = never_recorded.differences(history, but=("meta",), without=OF_POSITIONS, with_views=with_views)
    assert differences == {}
    assert select(history, "FROM tables WHERE last_digest IS NOT NULL") == []


@examples(3, 50)
@given(seed=st.integers(0, 10_000), steps=st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_withheld_entries_leave_no_trace(tmp_path_factory: pytest.TempPathFactory, seed: int, steps: list[int]) -> None:
    history = tmp_path_factory.mktemp("history") / "stepwise.duckdb"
    store = timeless_store()
    club = Club(store, seed)
    for step in steps:
        club.do(step)
        cut = cut_of(store)
        assert catch_up(store, history, cut=cut).head.position == store.head().position
        assert_as_never_recorded(store, cut, history)
    catch_up(store, history, cut=Cut(store.head()))
    assert Model(store).differences(history, but=("meta",), without=("last_digest",)) == {}


@pytest.mark.parametrize("game", sample(list(PLAYED), 1))
def test_tables_of_each_game_side_by_side(history: Path, game: str) -> None:
    store = timeless_store()
    tables = {
        f"table/t{number}": table_events(f"t{number}", game=game, seats=PLAYED[game], seed=number)
        for number in range(2)
    }
    for step in range(0, max(map(len, tables.values())), 29):
        for stream, events in tables.items():
            if events[step : step + 29]:
                record(store, stream, *events[step : step + 29])
        cut = cut_of(store)
        catch_up(store, history, cut=cut)
        if step % 2:
            assert_as_never_recorded(store, cut, history, with_views=step == 29)
    open_hands(store, recording=Recording(by="desk"))
    catch_up(store, history, cut=cut_of(store))
    assert cut_of(store).held_back == {}
    assert Model(store).differences(history, but=("meta",), without=("last_digest",)) == {}


def test_a_table_with_an_open_first_deal_is_a_table_without_deals(history: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", *table_events()[:20])
    catch_up(store, history, cut=cut_of(store))
    assert select(history, "SELECT table_name, is_over FROM tables") == [("t", False)]
    assert select(history, "SELECT type FROM entries") == [("table_opened",)]
    assert select(history, "FROM deals") == select(history, "FROM plays") == select(history, "FROM hands") == []
    assert select(history, "SELECT log_position, digest FROM meta") == [(20, None)]
    assert select(history, "FROM held_back") == [("table/t", 2)]


def test_a_cut_that_goes_back_takes_entries_out_again(history: Path) -> None:
    store = timeless_store()
    record(store, "table/t", *table_events())
    catch_up(store, history, cut=Cut(store.head()))
    cut = Cut(store.head(), {"table/t": until_open(table_events(), 2, 1)})
    assert catch_up(store, history, cut=cut).is_rebuilt is False
    assert_as_never_recorded(store, cut, history)


def swapped(events: list[Event]) -> list[Event]:
    """Return the same table with two unplayed cards of its last deal swapped between hands."""
    at = max(place for place, event in enumerate(events) if isinstance(event, CardsDealt))
    dealt = events[at]
    assert isinstance(dealt, CardsDealt)
    seen = {event.card for event in events[at:] if isinstance(event, CardPlayed)}
    first, second = ([card for card in hand or () if card not in seen] for hand in dealt.hands[:2])
    instead = {first[0]: second[0], second[0]: first[0]}
    hands = tuple(tuple(instead.get(card, card) for card in hand or ()) for hand in dealt.hands)
    return [*events[:at], structs.replace(dealt, hands=hands, deck=None), *events[at + 1 :]]


def test_swapping_hidden_cards_changes_no_byte_of_any_table(tmp_path: Path) -> None:
    events = table_events()
    cut_at = until_open(events, 2, 3)
    results: list[tuple[dict[str, list[str]], bytes]] = []
    for name, one in {"as-dealt": events[:cut_at], "swapped": swapped(events[:cut_at])}.items():
        store = timeless_store()
        for number, event in enumerate(one):
            entry = NewEntry(event, f"019b8f00-0000-7000-8000-{number:012d}")
            store.append(Batch("table/t", "any", (entry,)), recorded_by="ann")
            if number % 40 == 0:
                catch_up(store, tmp_path / name, cut=cut_of(store))
        catch_up(store, tmp_path / name, cut=cut_of(store))
        results.append((table_rows(tmp_path / name), store.head().digest))
    (shown, digest), (shown_swapped, digest_swapped) = results
    assert digest != digest_swapped, "the cards differ"
    assert shown == shown_swapped


def test_nothing_new_to_be_seen_writes_nothing(history: Path) -> None:
    store = MemoryStore()
    events = table_events()
    record(store, "table/t", *events[:20])
    catch_up(store, history, cut=cut_of(store))
    assert catch_up(store, history, cut=cut_of(store)).new_entries == 0
    before = history.with_name(f"{history.name}.wal").exists()
    assert not before, "nothing was written"


def test_a_read_model_with_a_cut_and_one_without_are_made_anew_from_each_other(history: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", *table_events()[:20])
    assert catch_up(store, history, cut=cut_of(store)).is_rebuilt
    assert catch_up(store, history).is_rebuilt
    assert "held_back" not in table_rows(history)
    assert catch_up(store, history, cut=cut_of(store)).is_rebuilt
    assert catch_up(store, history, cut=cut_of(store)).is_rebuilt is False


def test_a_log_with_another_past_makes_it_anew_though_it_has_no_digest(history: Path) -> None:
    for slug in ("one", "two"):
        store = MemoryStore()
        record(store, f"table/{slug}", *table_events(slug)[:20])
        assert catch_up(store, history, cut=cut_of(store)).is_rebuilt
    assert select(history, "SELECT table_name FROM tables") == [("two",)]


def test_a_shorter_cut_makes_it_anew(history: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", *table_events()[:1])
    earlier = Cut(store.head())
    record(store, "table/t", *table_events()[1:20])
    catch_up(store, history, cut=cut_of(store))
    assert catch_up(store, history, cut=earlier).is_rebuilt
    assert select(history, "SELECT log_position FROM meta") == [(1,)]


def test_bulk_reading_by_several_processes_gives_the_same(
    tmp_path: Path, history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "MIN_ENTRIES", 1)
    monkeypatch.setattr(projector, "ENTRIES_AT_ONCE", 50)
    tables = {f"table/t{number}": table_events(f"t{number}", 2, session="s") for number in range(6)}
    with SqliteStore.create(tmp_path / "club.ledger", clock=timeless_store()._clock) as store:
        record(store, "session/s", SessionOpened(title="S", date="2026-01-05"))
        for number, (stream, events) in enumerate(tables.items()):
            record(store, stream, *events[: 30 + 11 * number])
        cut = cut_of(store)
        assert len(cut.held_back) > 1
        catch_up(store, history, cut=cut, workers=2)
        assert_as_never_recorded(store, cut, history)
        for number, (stream, events) in enumerate(tables.items()):
            if rest := events[30 + 11 * number :]:
                record(store, stream, *rest)
        catch_up(store, history, cut=Cut(store.head()))
        assert Model(store).differences(history, but=("meta",), without=("last_digest",)) == {}


def test_positions_rise_without_gaps_but_for_entries_held_back(history: Path) -> None:
    store = MemoryStore()
    lengths = [20, 5, 30]
    for number, length in enumerate(lengths):
        record(store, f"table/t{number}", *table_events(f"t{number}", closed=False)[:length])
    catch_up(store, history, cut=cut_of(store))
    firsts = [1, *(end + 1 for end in accumulate(lengths[:-1]))]
    assert select(history, "SELECT log_position FROM entries ORDER BY ALL") == [(first,) for first in firsts]
