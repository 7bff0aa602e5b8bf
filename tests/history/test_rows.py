"""The rows of the read model agree with replay, score and audit; payments and findings have codes for any language."""

import importlib
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import json

import ledger
from ledger import events as ev
from ledger.games import Game, game_named
from ledger.history import Filters, catch_up, statistics
from ledger.history.questions.statements import filled_sql
from ledger.i18n import Words, sentence
from ledger.log import MemoryStore
from ledger.table.answers import ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.repository import fold_table
from ledger.table.score import score_answer
from tests.contracts.scripts import scripts
from tests.covering import sample
from tests.history.helpers import NAMES, Club, Model, fold_of, opening, select, table_events


@pytest.fixture
def model() -> Model:
    return Model()


STATISTICS = statistics()
CASES = scripts(Path(__file__).with_name("rows.txt"))


@pytest.mark.parametrize("title", CASES)
def test_rows_made_of_entries(model: Model, title: str) -> None:
    rows: list[Any] = []
    for line in CASES[title]:
        if line.startswith("["):
            assert rows.pop(0) == json.decode(line)
            continue
        assert rows == []
        name, _, rest = line.partition(" ")
        if name == "SELECT" or name in STATISTICS:
            sql = line if name == "SELECT" else filled_sql(STATISTICS[name], Filters(**json.decode(rest or "{}")))
            rows = json.decode(json.encode(model.select(sql)))
        else:
            model.record(name, opening() if rest == "opened" else json.decode(rest, type=ev.Event))
    assert rows == []


@pytest.mark.parametrize("seed", sample(range(58), 4))
def test_deals_totals_findings_and_tricks_are_those_of_score_audit_and_replay(model: Model, seed: int) -> None:
    for table in Club(model.store, seed).do(30).tables:
        fold = fold_of(model.store, table)
        assert_scored(model, table, score_answer(table, fold))
        answer = audit_answer(table, fold)
        rows = of_table(model, table, "deal, version, code, message, legal", "findings")
        expected = [(one.deal, one.version, one.code, one.message, one.legal) for one in answer.findings]
        assert sorted(map(str, rows)) == sorted(map(str, expected))
        assert_replayed(model, table, {deal.number: deal.machine.view() for deal in fold.deals})


def of_table(model: Model, table: str, columns: str, source: str, order: str = "ALL") -> list[tuple[Any, ...]]:
    return model.select(f"SELECT {columns} FROM {source} WHERE table_name = $1 ORDER BY {order}", table)


def assert_scored(model: Model, table: str, answer: ScoreAnswer) -> None:
    deals = of_table(model, table, "deal, dealer, status, outcome, pool_before, pool_after", "deals", "deal")
    assert deals == [
        (d.deal, d.dealer, d.status, json.encode(d.outcome).decode(), d.pool_before, d.pool_after) for d in answer.deals
    ]
    totals = of_table(model, table, "DISTINCT seat, sum(amount) OVER (PARTITION BY seat)", "points")
    assert ([total for _, total in totals] or [0] * len(answer.players)) == answer.totals
    deltas = of_table(model, table, "delta", "deal_scores", "deal, seat")
    assert [delta for (delta,) in deltas] == [delta for deal in answer.deals for delta in deal.deltas]
    lines = [(deal.deal, line) for deal in answer.deals for line in deal.lines]
    lines += [(None, line) for line in (answer.closing.lines if answer.closing else [])]
    columns = "deal, rule, payer, payee, amount, explanation"
    assert of_table(model, table, columns, "score_lines", "deal NULLS LAST, line") == [
        (
            deal,
            line.rule,
            *(p if isinstance(p, int) else None for p in (line.source, line.target)),
            line.amount,
            line.text,
        )
        for deal, line in lines
    ]


def assert_replayed(model: Model, table: str, views: dict[int, Any]) -> None:
    tricks = [(deal, number, trick) for deal, view in views.items() for number, trick in enumerate(view.tricks, 1)]
    assert of_table(model, table, "deal, trick, leader, cards, winner", "tricks") == [
        (deal, number, trick.leader, " ".join(trick.cards), trick.winner) for deal, number, trick in tricks
    ]
    in_tricks, order = "(FROM plays WHERE trick IS NOT NULL)", "deal, trick, place_in_trick"
    assert of_table(model, table, "deal, trick, seat, card, trick_winner", in_tricks, order) == [
        (deal, number, seat, card, trick.winner)
        for deal, number, trick in tricks
        for seat, card in zip(trick.seats, trick.cards, strict=True)
    ]


def test_each_card_played_leads_to_its_entry(model: Model) -> None:
    model.record("table/other", opening())
    model.record("table/t", *table_events())
    plays = model.select(
        "SELECT version, log_position, seat, card FROM plays JOIN entries USING (table_name, version) ORDER BY ALL"
    )
    rows = model.store.read_stream("table/t")
    assert plays == [
        (row.version, row.position, event.seat, event.card)
        for row in rows
        if isinstance(event := row.event(), ev.CardPlayed)
    ]


def test_a_card_out_of_turn_that_counts_for_nothing_is_in_no_trick(model: Model) -> None:
    events = table_events(deals=1)
    first = next(place for place, event in enumerate(events) if isinstance(event, ev.CardPlayed))
    played = events[first]
    assert isinstance(played, ev.CardPlayed)
    events.insert(first + 1, ev.CardPlayed(seat=played.seat, card="??"))
    model.record("table/t", *events)
    assert model.select("SELECT number, card FROM plays WHERE trick IS NULL") == [(2, "??")]
    seats = [event.seat for event in events if isinstance(event, ev.CardPlayed)]
    counts = [seats.count(seat) for seat in range(3)]
    assert model.select("SELECT card_count, play_counts FROM deals") == [(len(seats), counts)]


def test_a_substitute_gets_the_points_of_the_deals_that_were_theirs(model: Model) -> None:
    events = table_events(deals=2)
    second = [place for place, event in enumerate(events) if isinstance(event, ev.DealStarted)][1]
    events.insert(second, ev.PlayerSeated(seat=0, player="Zoe"))
    model.record("table/t", *events)
    assert model.select("SELECT player, first_deal, last_deal, is_seated FROM seats WHERE seat = 0") == [
        ("Ann", 1, 1, False),
        ("Zoe", 2, 2, True),
    ]
    assert model.select("SELECT player FROM deal_scores WHERE seat = 0 ORDER BY deal") == [("Ann",), ("Zoe",)]
    assert model.select("SELECT player FROM points WHERE seat = 0 AND cause = 'closing'") in ([("Zoe",)], [])


def test_an_adjustment_during_a_deal_counts_as_score_counts_it(model: Model) -> None:
    events = table_events(deals=1, closed=False)
    adjustment = ev.RulingGiven(deal=1, text="late", kind="adjust", deltas=(-2, 1, 1))
    for part in ([*events[:-5], adjustment], events[-5:]):
        model.record("table/t", *part)
        totals = model.select("SELECT sum(amount) FROM points GROUP BY seat ORDER BY seat")
        assert [total for (total,) in totals] == score_answer("t", fold_of(model.store, "t")).totals
        assert model.select("SELECT amount FROM points WHERE cause = 'adjust' ORDER BY seat") == [(-2,), (1,), (1,)]
    assert model.select("SELECT kind, deltas, is_in_force FROM rulings") == [("adjust", [-2, 1, 1], True)]


def test_what_is_corrected_shows_in_the_rows(model: Model) -> None:
    events = table_events(deals=1, closed=False)
    model.record("table/t", *events)
    model.catch_up()
    last = len(events)
    model.record("table/t", ev.Corrected(version=last, action="strike", reason="never played"))
    fold = fold_of(model.store, "t")
    assert model.select("SELECT status FROM deals") == [(fold.deals[0].status,)] != [("complete",)]


@pytest.mark.parametrize("game", ["quadrille", "couillon", "kop", "baska"])
def test_the_deals_of_every_game_are_those_of_replay_and_score(model: Model, game: str) -> None:
    model.record("table/t", *table_events(deals=6, game=game, seats=4, seed=3))
    fold = fold_of(model.store, "t")
    assert_scored(model, "t", score_answer("t", fold))
    views = {deal.number: deal.machine.view() for deal in fold.deals}
    assert_replayed(model, "t", views)
    assert of_table(model, "t", "deal, declarer, partner, trump, contract", "deals") == [
        (deal, view.declarer, view.partner, view.trump, view.contract) for deal, view in views.items()
    ]
    laid = of_table(model, "t", "deal, seat, card, player", "plays", "deal, number")
    assert laid == [
        (deal, seat, card, NAMES[seat])
        for deal, view in views.items()
        for trick in view.tricks
        for seat, card in zip(trick.seats, trick.cards, strict=True)
    ]


def test_entries_are_the_log_as_it_was_written(model: Model) -> None:
    Club(model.store, 3).do(25)
    model.record("table/old", opening(), happened_at="1911-12-24T20:00:00.000000Z")
    times = ", ".join(f"strftime({name}, '%Y-%m-%dT%H:%M:%S.%fZ')" for name in ("recorded_at", "happened_at"))
    columns = f"log_position, stream, coalesce('table/' || table_name, stream), version, recorded_by, {times}"
    assert model.select(f"SELECT {columns}, type, event FROM entries ORDER BY log_position") == [
        (
            row.position, row.stream, row.stream, row.version, row.recorded_by, row.recorded_at,
            row.happened_at, json.decode(row.payload)["type"], row.payload.decode(),
        )
        for row in model.store.read()
    ]  # fmt: skip


def test_a_player_is_everyone_of_that_name(model: Model) -> None:
    model.record("table/one", *table_events("one", deals=2), happened_at="2020-01-01T20:00:00.000000Z")
    model.record("table/two", *table_events("two", deals=1, seats=4), happened_at="2021-01-01T20:00:00.000000Z")
    rows = model.select("FROM players ORDER BY player")
    assert [row[:3] for row in rows] == [("Ann", 2, 3), ("Bob", 2, 3), ("Cleo", 2, 3), ("Dirk", 1, 1)]
    assert {row[3:] for row in rows[:3]} == {(date(2020, 1, 1), date(2021, 1, 1))}


def test_the_seats_know_who_won_the_match(model: Model) -> None:
    model.record("table/t", *table_events(deals=3))
    model.record("table/open", *table_events("open", deals=3, closed=False))
    winners = score_answer("t", fold_of(model.store, "t")).match.winners
    assert model.select("SELECT seat FROM seats WHERE is_winner ORDER BY ALL") == [(seat,) for seat in winners]


CLOSED_FINDING = "SELECT deal, version, code, rule, severity, seat, player, message, values, legal FROM findings"


def test_a_table_opened_in_a_closed_session_is_a_finding_of_no_deal(model: Model) -> None:
    model.record("session/spring", ev.SessionOpened(title="Spring", date="2026-03-01"), ev.SessionClosed())
    model.record("table/late", *table_events("late", 1, session="spring", closed=False))
    (row,) = model.select(f"{CLOSED_FINDING} WHERE code = 'SESSION-CLOSED'")
    message = "the table was opened in the session spring, which was already closed"
    code, values = "SESSION-CLOSED", '{"session":"spring"}'
    assert row == (None, 1, code, code, "warning", None, None, message, values, None)
    assert audit_answer("late", fold_table(model.store, "late")).findings[0].message == message


REPLAYS: Final = sorted((Path(__file__).parents[2] / "replays").rglob("*.toml"))
PLAYERS: Final = "(SELECT players FROM deals d WHERE d.table_name = s.table_name AND d.deal = s.deal)"
SEATED: Final = "(SELECT list(player ORDER BY seat) FROM seats WHERE is_seated AND seats.table_name = s.table_name)"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the read model of every recorded table."""
    store = MemoryStore()
    for path in REPLAYS:
        ledger.import_file(store, path, recording=ledger.Recording(by="recorder-1"))
    path = tmp_path_factory.mktemp("sentences") / "club.history.duckdb"
    catch_up(store, path)
    return path


def test_code_and_values_make_the_sentence_of_a_payment(history: Path) -> None:
    rows = select(
        history,
        f"SELECT game, code, values, explanation, coalesce({PLAYERS}, {SEATED})"
        " FROM score_lines s JOIN tables USING (table_name)",
    )
    assert len({game for game, *_ in rows}) == 5
    for game, code, values, explanation, players in rows:
        assert_says(game_named(game), Words(code, words_in(json.decode(values or "{}"))), players, explanation)


def test_code_and_values_make_the_sentence_of_a_finding(history: Path) -> None:
    rows = select(
        history,
        f"SELECT game, code, severity, values, message, {PLAYERS} FROM findings s JOIN tables USING (table_name)",
    )
    assert len({code for _, code, *_ in rows}) > 10
    for game, code, severity, values, message, players in rows:
        words = Words(key_of(game_named(game), code, severity), words_in(json.decode(values)))
        assert_says(game_named(game), words, players, message)


def assert_says(game: Game, words: Words, players: list[str], english: str) -> None:
    assert sentence(game.package, words, players) == english
    assert sentence(game.package, words, players, "ja") != english


def key_of(game: Game, code: str, severity: str) -> str:
    """Return the key of the sentence of an irregularity: each severity has one."""
    irregularities = importlib.import_module(f"{game.package}.irregularities").IRREGULARITIES
    (key,) = [name for name, code_and_severity in irregularities.items() if code_and_severity == (code, severity)]
    return str(key)


def words_in(value: Any) -> Any:
    """Return values from JSON, with the sentences among them as `Words`."""
    if isinstance(value, dict):
        inner = {name: words_in(one) for name, one in value.items()}
        return Words(inner["key"], inner["values"]) if inner.keys() == {"key", "values"} else inner
    return [words_in(one) for one in value] if isinstance(value, list) else value
