"""Linked spellings are one person in the whole read model at once; unlinking leaves no trace."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from ledger.errors import ConflictError, LedgerError, NotFoundError
from ledger.events import DealStarted, PlayerSeated
from ledger.history import Filters, catch_up, compare, open_history, plot_queries, statistics
from ledger.history.questions.league import LeagueRules
from ledger.log import LogStore, MemoryStore
from ledger.table.people import check_link, link_rows, persons_of
from tests.covering import sample
from tests.history.helpers import (
    NAMES,
    Club,
    Model,
    assert_as_made_anew,
    fold_of,
    opening,
    record,
    select,
    table_events,
    table_rows,
)

OF_LOG = {"entries", "meta", "player_links"}
LEAGUE = LeagueRules(title="league", points=(3, 1))


def club(*spellings: str) -> MemoryStore:
    """Return a ledger with a table for each spelling of Ann's name."""
    store = MemoryStore(clock=lambda: datetime(2026, 1, 5, 18, 30, tzinfo=UTC))
    for number, spelling in enumerate(spellings):
        record(store, f"table/t{number}", *table_events(f"t{number}", 2, names=(spelling, "Bob", "Cleo"), seed=number))
    return store


def rows_of(store: LogStore, history: Path) -> dict[str, list[str]]:
    catch_up(store, history)
    return {table: rows for table, rows in table_rows(history, "last_digest").items() if table not in OF_LOG}


def all_answers(history: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the answers of every statistic and of every plot's query."""
    with open_history(history) as history:
        answers = {
            name: history.statistic(name, Filters(rules=LEAGUE if "rules" in one.parameters else None)).answer.rows
            for name, one in statistics().items()
        }
        return answers | {f"plot {name}": history.answer_to(one).answer.rows for name, one in plot_queries().items()}


def test_linked_spellings_come_to_what_one_spelling_would_have_come_to(tmp_path: Path) -> None:
    store, as_meant = club("Ann", "Anna", "Aña", "Ann"), club("Ann", "Ann", "Ann", "Ann")
    mistaken = rows_of(store, tmp_path / "club.duckdb")
    store.link_player("Aña", "Anna")
    store.link_player("Anna", "Ann")
    meant = rows_of(as_meant, tmp_path / "meant.duckdb")
    linked = rows_of(store, tmp_path / "club.duckdb")
    # The texts of findings and payments keep the recorded names.
    assert {table for table in meant if linked[table] != meant[table]} <= {"findings", "score_lines"}
    assert mistaken["deals"] != meant["deals"]
    assert all_answers(tmp_path / "club.duckdb") == all_answers(tmp_path / "meant.duckdb")


def test_the_points_of_a_person_are_those_of_all_spellings_added_by_hand() -> None:
    model = Model(store := club("Ann", "Anna", "Ann", "Aña"))
    store.link_player("Anna", "Ann")
    totals = [fold_of(store, f"t{number}").match.totals[0] for number in range(4)]
    points = "SELECT player, sum(amount), count(DISTINCT table_name) FROM points WHERE player LIKE 'A%' GROUP BY player"
    assert sorted(model.select(points)) == [("Ann", sum(totals[:3]), 3), ("Aña", totals[3], 1)]
    assert persons_of(store, store.people()) == {"Ann": 3, "Aña": 1, "Bob": 4, "Cleo": 4}
    assert model.select("SELECT * FROM player_links") == [("Anna", "Ann")]


@pytest.mark.parametrize("seed", sample(range(20), 1))
def test_linking_in_any_order_equals_a_rebuild_and_unlinking_leaves_no_trace(history: Path, seed: int) -> None:
    """Some linked players sat together here: the store accepts what `check_link` would have rejected."""
    chance, store = Random(seed), MemoryStore()
    chances = Club(store, seed)
    for step in range(4):
        chances.do(6)
        catch_up(store, history)
        if step < 3:
            with suppress(LedgerError):
                store.link_player(*chance.sample(NAMES, 2))
            catch_up(store, history)
    assert store.people().links
    assert_as_made_anew(store, history)
    for spelling in store.people().links:
        store.unlink_player(spelling)
    catch_up(store, history)
    assert_as_made_anew(store, history)


def test_a_changed_link_alone_is_noticed_and_nothing_is_made_anew(history: Path) -> None:
    store = club("Ann", "Anna")
    catch_up(store, history)
    store.link_player("Anna", "Ann")
    answer = catch_up(store, history)
    assert (answer.is_rebuilt, answer.new_entries) == (False, 0)
    assert select(history, "SELECT table_count FROM players WHERE player = 'Ann'") == [(2,)]
    assert_as_made_anew(store, history)
    store.unlink_player("Anna")
    assert compare(store, history).difference is None  # as of the links in the read model
    catch_up(store, history)
    assert select(history, "SELECT table_count FROM players WHERE player = 'Ann'") == [(1,)]


def test_a_name_that_is_shown_or_hidden_changes_no_row(history: Path) -> None:
    store = club("Ann")
    before = rows_of(store, history)
    store.set_display_name("Ann", "Annabel")
    store.hide_player("Ann")
    assert rows_of(store, history) == before


def test_two_who_sat_together_are_not_linked() -> None:
    store = club("Ann", "Anna")
    record(store, "table/both", *table_events("both", 1, names=("Ann", "Anna", "Cleo")))
    with pytest.raises(
        ConflictError, match=r"Ann and Anna sat at the table both together, so they are different persons"
    ):
        check_link(store, "Ann", "Anna")
    store.link_player("Aña", "Anna")
    with pytest.raises(NotFoundError, match="the record has no player Aña; perhaps Anna"):
        check_link(store, "Aña", "Ann")
    assert store.people().persons() == {"Aña": "Anna"}


def test_nor_are_two_whose_other_spellings_sat_together() -> None:
    store = club("Ann", "Anna", "Any")
    store.link_player("Any", "Anna")
    record(store, "table/both", *table_events("both", 1, names=("Ann", "Any", "Cleo")))
    with pytest.raises(ConflictError, match="Ann and Any sat at the table both together"):
        check_link(store, "Ann", "Anna")


def test_who_took_the_seat_of_another_spelling_may_be_the_same_person() -> None:
    model, events = Model(), table_events(deals=2)
    last = max(place for place, event in enumerate(events) if isinstance(event, DealStarted))
    model.record("table/t", *events[:last], PlayerSeated(seat=0, player="Anna"), *events[last:])
    check_link(model.store, "Anna", "Ann")
    model.store.link_player("Anna", "Ann")
    assert model.select("SELECT seat, deal_count, is_seated FROM seats WHERE player = 'Ann'") == [(0, 2, True)]


def test_two_who_sit_down_together_later_are_two_at_that_table_alone() -> None:
    model = Model(club("Ann", "Anna"))
    model.store.link_player("Anna", "Ann")
    model.catch_up()
    events = table_events("both", 2, names=("Ann", "Anna", "Cleo"))
    for part in (events[:-20], events[-20:]):
        model.record("table/both", *part)
        model.catch_up()
    assert model.select("SELECT table_name, player FROM seats WHERE player LIKE 'Ann%' ORDER BY ALL") == [
        ("both", "Ann"), ("both", "Anna"), ("t0", "Ann"), ("t1", "Ann"),
    ]  # fmt: skip
    (link,) = link_rows(model.store)
    assert (link.spelling, link.person, link.apart) == ("Anna", "Ann", ["both"])


def test_who_sits_down_at_a_table_that_goes_on_may_turn_out_to_be_another_person(history: Path) -> None:
    """The rows of earlier deals change, too."""
    store = MemoryStore()
    store.link_player("Anna", "Ann")
    events = table_events(names=("Anna", "Bob", "Cleo"), closed=False)
    last = max(place for place, event in enumerate(events) if isinstance(event, DealStarted))
    record(store, "table/t", *events[:last])
    catch_up(store, history)
    assert select(history, "SELECT count(*) FROM seats WHERE player = 'Anna'") == [(0,)]
    record(store, "table/t", PlayerSeated(seat=1, player="Ann"), *events[last:])
    catch_up(store, history)
    assert_as_made_anew(store, history)
    assert select(history, "SELECT players FROM deals WHERE deal = 1") == [(["Anna", "Bob", "Cleo"],)]


def test_nobody_is_linked_in_a_ledger_without_tables() -> None:
    store = MemoryStore()
    store.link_player("Anna", "Ann")
    record(store, "table/t", opening(players=("Ann", "Bob", "Cleo")))
    Model(store).catch_up()
    assert persons_of(store, store.people()) == {"Ann": 1, "Bob": 1, "Cleo": 1}
