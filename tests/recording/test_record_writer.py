"""A table, or one deal of it, as a hand record: an import makes the same table, and anything lost is listed."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from msgspec import structs

import ledger
from ledger import events as ev
from ledger.cards import UNKNOWN
from ledger.errors import MalformedError, NotFoundError
from ledger.games import registered_games
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.recording.hand.layout import lay_out
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.record_writer import TableToWrite, WrittenRecord, write_hand_record
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.contracts.any_record import read
from tests.contracts.strategies import DeclaredTables
from tests.covering import examples
from tests.hand_records import REPLAYS, record_in, some_records, table_events

GAMES = sorted(registered_games())
OPENED = ev.TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
START = ev.DealStarted(deal=1, dealer=2)


def entries_of(events: Sequence[ev.Event]) -> list[Entry]:
    return list(enumerate(events, start=1))


def written(events: Sequence[ev.Event], **table: object) -> WrittenRecord:
    return write_hand_record(TableToWrite(slug="t", reading=entries_of(events), **table))


def read_again(record: WrittenRecord) -> list[ev.Event]:
    return table_events(read_hand_record(record.text, "t.toml"))


def answers(events: Sequence[ev.Event]) -> tuple[object, object]:
    """Return score and findings without versions: a moved note moves the entries after it."""
    fold = TableFold(entries_of(events))
    findings = [structs.replace(finding, version=1) for finding in audit_answer("t", fold).findings]
    return score_answer("t", fold), sorted(findings, key=repr)


def assert_same_table(events: Sequence[ev.Event]) -> None:
    record = written(events)
    assert record.left_out == ()
    again = read_again(record)
    assert answers(again) == answers(events)
    assert written(again).text == record.text


@pytest.mark.parametrize("path", some_records(3))
def test_every_recorded_game_is_written_so_that_it_is_read_as_the_same_events(path):
    events = table_events(record_in(path))
    record = written(events)
    assert record.left_out == ()
    assert read_again(record) == events
    assert lay_out(record.text, "t.toml") == record.text


def of_any_game(test):
    """Draw a few tables of each game for the test."""
    return pytest.mark.parametrize("game", GAMES)(examples(5)(given(data=st.data())(test)))


def lawful(game, data, deals=2, closed=True) -> list[ev.Event]:
    return [event for _, event in data.draw(DeclaredTables(game).lawful_tables(deals=deals, closed=closed))]


@of_any_game
def test_a_simulated_table_of_any_form_comes_back_the_same(game, data):
    assert_same_table(lawful(game, data, deals=3, closed=data.draw(st.booleans())))


@of_any_game
def test_so_does_one_with_hands_and_cards_that_nobody_wrote_down(game, data):
    chance, share = data.draw(st.randoms(use_true_random=False)), data.draw(st.sampled_from((0, 0.1)))
    has_hands = share > 0 and data.draw(st.booleans())

    def as_written(event: ev.Event) -> ev.Event:
        if type(event) is ev.CardsDealt and not has_hands:
            return ev.CardsDealt(hands=tuple(() if hand == () else None for hand in event.hands))
        return (
            structs.replace(event, card=UNKNOWN) if type(event) is ev.CardPlayed and chance.random() < share else event
        )

    assert_same_table(list(map(as_written, lawful(game, data))))


@of_any_game
def test_so_does_one_known_by_its_results_and_score_sheets(game, data):
    table = lawful(game, data, deals=3)
    fold = TableFold(entries_of(table))
    events: list[ev.Event] = [table[0]]
    for record in fold.deals:
        outcome = score_answer("t", fold).deals[record.number - 1].outcome
        events += [
            ev.DealStarted(deal=record.number, dealer=record.dealer),
            ev.Noted(text='a "note"\n# of \\ two lines'),
        ]
        sheet = ev.ScoreClaimed(
            deltas=tuple(record.settlement.deltas), pool=record.settlement.pool_after, totals=tuple(record.totals_after)
        )
        events[-1:-1] = (
            [ev.ResultRecorded(outcome=outcome), sheet] if outcome else [ev.DealVoided(reason="a card lay open")]
        )
    events = [event for event in events if type(event) is not ev.DealVoided] if data.draw(st.booleans()) else events
    record = written(events)
    assert answers(read_again(record)) == answers(events)


ROWS = tomllib.loads(Path(__file__).with_name("written.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_comes_back_of_a_table_and_what_does_not_is_said(row):
    events = [ev.decode_event(event.encode()) for event in row["events"]]
    record = written(events)
    assert [ev.encode_event(event).decode() for event in read_again(record)] == row.get("back", row["events"])
    assert [words for words in row.get("holds", []) if words not in record.text] == []
    assert [str(item.what) for item in record.left_out] == row.get("left_out", [])
    if not record.left_out:
        assert_same_table(events)


def test_moments_are_written_as_the_clock_of_the_session_showed_them():
    session = ev.SessionOpened(title="An evening", date="2026-03-20", zone="Asia/Tokyo")
    opened = structs.replace(OPENED, session="spring")
    moments = dict.fromkeys((2, 3), "2026-03-20T11:00:00.000000Z")
    record = written([opened, START, ev.DealVoided(reason="")], session=session, zone="Asia/Tokyo", moments=moments)
    assert "when = 2026-03-20T20:00:00+09:00" in record.text
    events = read_hand_record(record.text, "t.toml").events
    assert [moment for _, _, moment in events] == [None, None, *moments.values()]
    assert events[0][1] == session
    assert record.left_out == ()


def test_corrections_and_moments_of_single_entries_are_counted():
    events = [OPENED, START, ev.Noted(text="")]
    record = written(events, corrections=2, moments={3: "2026-03-20T11:00:00.000000Z"})
    assert [str(item.what) for item in record.left_out] == [
        "the entries as they were before their corrections, and the reasons (2 corrections)",
        "when 1 entry was made; a hand record has one moment for each deal",
    ]


def test_players_of_the_same_name_make_no_hand_record():
    said = r"^the table t cannot be written as a hand record: t\.toml, line 3: two players of the same name"
    with pytest.raises(MalformedError, match=said):
        written([structs.replace(OPENED, players=("Ann", "ann", "Cleo"))])


@of_any_game
def test_of_any_record_whatever_is_not_said_is_named(game, data):
    """Acts of anybody in any order: the same table comes back, or the loss is listed."""
    tables = DeclaredTables(game)
    opened = data.draw(tables.openings)
    any_events = tables.any_events(opened).filter(lambda event: type(event) is not ev.TableClosed)
    drawn = data.draw(st.lists(any_events, max_size=25))
    try:
        events = [event for _, event in read([opened, START, *drawn]).entries]
        record = written(events)
    except MalformedError:
        reject()
    if not record.left_out:
        assert answers(read_again(record)) == answers(events)


ME = ledger.Recording(by="me")


def imported(folder: Path, file: Path, name: str = "club") -> LogStore:
    store = ledger.create(folder / f"{name}.ledger")
    ledger.import_file(store, file, ME)
    return store


def states(store: LogStore, table: str, deal: int) -> list[dict[str, Any]]:
    states_of_deal = [msgspec.to_builtins(state) for state in ledger.replay_all(store, table, deal)]
    return [{**state, "deal": 1} for state in states_of_deal]


@pytest.mark.parametrize("file", [
    "kop/match-official.toml",
    "couillon/31-match-mit4-points.toml",
    "ombre/22-end-of-the-match.toml",
    "session/opening-night-2.toml",
])  # fmt: skip
def test_each_deal_of_a_match_is_written_alone(file: str, tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / file) as store:
        (table,) = ledger.tables(store)
        for number in range(1, table.deals + 1):
            record = tmp_path / f"{number}.toml"
            record.write_text(ledger.export_hand_record(store, table.table, number).text)
            with imported(tmp_path, record, str(number)) as again:
                assert states(again, table.table, 1) == states(store, table.table, number)


def test_those_who_sat_there_then_are_its_players(tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / "ombre" / "revoke.toml") as store:
        more = (ev.PlayerSeated(seat=1, player="Sir Plume"), ev.DealStarted(deal=2, dealer=0))
        store.append(Batch("table/ombre-revoke", "any", tuple(map(NewEntry, more))), recorded_by="me")
        first, second = (ledger.export_hand_record(store, "ombre-revoke", deal).text for deal in (1, 2))
    assert 'players = ["Belinda", "Baron", "Clarissa"]' in first
    assert 'players = ["Belinda", "Sir Plume", "Clarissa"]' in second


def test_a_table_that_was_read_is_written_in_its_reading(tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / "ombre" / "revoke.toml") as store:
        as_written = ledger.export_hand_record(store, "ombre-revoke", 1).text
        ledger.correct(store, "ombre-revoke", "strike", version=4, reason="he said nothing", recording=ME)
        (read,) = ledger.read_tables(store, "ombre-revoke", as_recorded=True)
        assert ledger.export_hand_record(store, read, 1).text == as_written
        assert ledger.export_hand_record(store, "ombre-revoke", 1).text != as_written


def test_a_deal_that_there_is_not_is_named(tmp_path: Path) -> None:
    revoke = REPLAYS / "ombre" / "revoke.toml"
    with imported(tmp_path, revoke) as store, pytest.raises(NotFoundError, match="no deal 2"):
        ledger.export_hand_record(store, "ombre-revoke", 2)
