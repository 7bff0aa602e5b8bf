"""The rows of the read model say what replay, score and audit say."""

from __future__ import annotations

from datetime import date
from itertools import chain
from pathlib import Path

import pytest
from msgspec import json, structs

from ledger.events import (
    CardPlayed,
    CardsDealt,
    Corrected,
    DealStarted,
    DisputeRaised,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    SessionClosed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from ledger.games import game_named
from ledger.history import catch_up
from ledger.log import MemoryStore
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.lookup import fold_table
from ledger.table.score import score_answer
from tests.bare_history import bare_history  # noqa: F401 - pytest finds it here
from tests.history.helpers import NAMES, Club, fold_of, opening, record, select, table_events


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "club.history.duckdb"


@pytest.mark.parametrize("seed", range(6))
def test_deals_and_totals_are_those_of_score(store: MemoryStore, history: Path, seed: int) -> None:
    club = Club(store, seed)
    for _ in range(25):
        club.do_something()
    catch_up(store, history)
    for table in club.tables:
        fold = fold_of(store, table)
        answer = score_answer(table, fold)
        deals = select(
            history,
            "SELECT deal, dealer, status, outcome, pool_before, pool_after FROM deals"
            " WHERE table_name = $1 ORDER BY deal",
            table,
        )
        assert deals == [
            (d.deal, d.dealer, d.status, json.encode(d.outcome).decode(), d.pool_before, d.pool_after)
            for d in answer.deals
        ]
        points = select(
            history, "SELECT sum(amount) FROM points WHERE table_name = $1 GROUP BY seat ORDER BY seat", table
        )
        assert ([amount for (amount,) in points] or [0] * len(fold.players)) == answer.totals
        deltas = select(history, "SELECT delta FROM deal_scores WHERE table_name = $1 ORDER BY deal, seat", table)
        assert [delta for (delta,) in deltas] == [delta for deal in answer.deals for delta in deal.deltas]
        lines = select(
            history,
            "SELECT deal, rule, payer, payee, amount, explanation FROM score_lines WHERE table_name = $1"
            " ORDER BY deal NULLS LAST, line",
            table,
        )
        closing = answer.closing.lines if answer.closing else []
        expected = [(deal.deal, line) for deal in answer.deals for line in deal.lines]
        expected += [(None, line) for line in closing]  # type: ignore[misc]
        assert lines == [
            (deal, line.rule, *(None if p == "pool" else p for p in (line.source, line.target)), line.amount, line.text)
            for deal, line in expected
        ]


@pytest.mark.parametrize("seed", range(6))
def test_findings_and_tricks_are_those_of_audit_and_replay(store: MemoryStore, history: Path, seed: int) -> None:
    club = Club(store, seed)
    for _ in range(25):
        club.do_something()
    catch_up(store, history)
    for table in club.tables:
        fold = fold_of(store, table)
        findings = select(
            history, "SELECT deal, version, code, message, legal FROM findings WHERE table_name = $1", table
        )
        expected = [(f.deal, f.version, f.code, f.message, f.legal) for f in audit_answer(table, fold).findings]
        assert sorted(map(str, findings)) == sorted(map(str, expected))
        views = [(record.number, record.machine.view()) for record in fold.deals]
        tricks = select(
            history, "SELECT deal, trick, leader, cards, winner FROM tricks WHERE table_name = $1 ORDER BY ALL", table
        )
        assert tricks == [
            (deal, number, trick.leader, " ".join(trick.cards), trick.winner)
            for deal, view in views
            for number, trick in enumerate(view.tricks, 1)
        ]
        laid = select(
            history,
            "SELECT deal, trick, seat, card, trick_winner FROM plays WHERE table_name = $1 AND trick IS NOT NULL"
            " ORDER BY deal, trick, place_in_trick",
            table,
        )
        assert laid == [
            (deal, number, seat, card, trick.winner)
            for deal, view in views
            for number, trick in enumerate(view.tricks, 1)
            for seat, card in zip(trick.seats, trick.cards, strict=True)
        ]


def test_each_card_played_leads_to_its_entry(store: MemoryStore, history: Path) -> None:
    record(store, "table/other", opening())
    record(store, "table/t", *table_events())
    catch_up(store, history)
    plays = select(
        history,
        "SELECT version, log_position, seat, card FROM plays JOIN entries USING (table_name, version) ORDER BY ALL",
    )
    rows = store.read_stream("table/t")
    assert plays == [
        (row.version, row.position, event.seat, event.card)
        for row in rows
        if isinstance(event := row.event(), CardPlayed)
    ]


def test_a_card_out_of_turn_that_counts_for_nothing_is_in_no_trick(store: MemoryStore, history: Path) -> None:
    events = table_events(deals=1)
    first = next(place for place, event in enumerate(events) if isinstance(event, CardPlayed))
    played = events[first]
    assert isinstance(played, CardPlayed)
    events.insert(first + 1, CardPlayed(seat=played.seat, card="??"))
    record(store, "table/t", *events)
    catch_up(store, history)
    assert select(history, "SELECT number, card FROM plays WHERE trick IS NULL") == [(2, "??")]
    assert select(history, "SELECT card_count FROM deals") == [(sum(isinstance(e, CardPlayed) for e in events),)]
    played = [event.seat for event in events if isinstance(event, CardPlayed)]
    counts = [played.count(seat) for seat in range(3)]
    assert select(history, "SELECT play_counts FROM deals") == [(counts,)]


def test_a_substitute_gets_the_points_of_the_deals_that_were_theirs(store: MemoryStore, history: Path) -> None:
    events = table_events(deals=2)
    second = [place for place, event in enumerate(events) if isinstance(event, DealStarted)][1]
    events.insert(second, PlayerSeated(seat=0, player="Zoe"))
    record(store, "table/t", *events)
    catch_up(store, history)
    assert select(history, "SELECT player, first_deal, last_deal, is_seated FROM seats WHERE seat = 0") == [
        ("Ann", 1, 1, False),
        ("Zoe", 2, 2, True),
    ]
    assert select(history, "SELECT player FROM deal_scores WHERE seat = 0 ORDER BY deal") == [("Ann",), ("Zoe",)]
    assert select(history, "SELECT player FROM points WHERE seat = 0 AND cause = 'closing'") in ([("Zoe",)], [])


def test_an_adjustment_during_a_deal_counts_as_score_counts_it(store: MemoryStore, history: Path) -> None:
    events = table_events(deals=1, closed=False)
    adjustment = RulingGiven(deal=1, text="late", kind="adjust", deltas=(-2, 1, 1))
    for part in ([*events[:-5], adjustment], events[-5:]):
        record(store, "table/t", *part)
        catch_up(store, history)
        totals = select(history, "SELECT sum(amount) FROM points GROUP BY seat ORDER BY seat")
        assert [total for (total,) in totals] == score_answer("t", fold_of(store, "t")).totals
        assert select(history, "SELECT amount FROM points WHERE cause = 'adjust' ORDER BY seat") == [(-2,), (1,), (1,)]
    assert select(history, "SELECT kind, deltas, is_in_force FROM rulings") == [("adjust", [-2, 1, 1], True)]


def test_only_the_last_deciding_ruling_of_a_deal_is_in_force(store: MemoryStore, history: Path) -> None:
    rulings = [RulingGiven(deal=1, text="no", kind="void"), RulingGiven(deal=1, text="yes", kind="stands")]
    record(store, "table/t", *table_events(deals=1, closed=False), *rulings)
    catch_up(store, history)
    assert select(history, "SELECT kind, is_in_force FROM rulings ORDER BY number") == [
        ("void", False),
        ("stands", True),
    ]


def test_a_deal_known_by_its_result_has_its_contract_and_declarer(store: MemoryStore, history: Path) -> None:
    outcome = {"ombre": 1, "contract": "solo", "trump": "H", "tricks": [2, 5, 2], "estuches": 3}
    record(store, "table/t", opening(), DealStarted(deal=1, dealer=0), ResultRecorded(outcome=outcome))
    catch_up(store, history)
    columns = "contract, declarer, declarer_player, trump, result, declarer_won"
    assert select(history, f"SELECT {columns} FROM deals") == [("solo", 1, "Bob", "H", "SACADA", True)]


def test_of_two_declarers_known_by_a_result_none_is_made_the_bidder(store: MemoryStore, history: Path) -> None:
    wesele = {"contract": "wesele", "declarers": [2, 0], "card_points": [60, 44], "tricks": [2, 2]}
    zolo = {"contract": "zolo", "declarers": [3], "card_points": [104, 0], "tricks": [4, 0]}
    told = [(DealStarted(deal=n, dealer=0), ResultRecorded(outcome=one)) for n, one in enumerate((wesele, zolo), 1)]
    record(store, "table/t", TableOpened(game="kop", players=NAMES[:4], options={}), *told[0], *told[1])
    catch_up(store, history)
    columns = "declarer, declarer_player, partner, declarers, declarer_players, declarer_won"
    assert select(history, f"SELECT {columns} FROM deals ORDER BY deal") == [
        (None, None, None, [0, 2], ["Ann", "Cleo"], True),
        (3, "Dirk", None, [3], ["Dirk"], True),
    ]


def test_what_was_not_recorded_of_a_deal_is_null_and_not_zero(store: MemoryStore, history: Path) -> None:
    outcome = {"ombre": 1, "contract": "solo", "trump": "H", "tricks": [2, 5, 2], "estuches": 3}
    ruling = RulingGiven(deal=2, text="the sheet was lost", kind="replace", deltas=(2, -1, -1), pool=0)
    dealt = CardsDealt(hands=(None, None, None))
    known_by_result = (DealStarted(deal=1, dealer=0), ResultRecorded(outcome=outcome))
    told_by_ruling = (DealStarted(deal=2, dealer=1), ruling)
    record(store, "table/t", opening(), *known_by_result, *told_by_ruling, DealStarted(deal=3, dealer=2), dealt)
    catch_up(store, history)
    assert select(history, "SELECT deal, call_count, card_count, play_counts FROM deals ORDER BY deal") == [
        (1, None, None, None),
        (2, None, None, None),
        (3, 0, 0, [0, 0, 0]),
    ]


def test_the_day_is_the_sessions_else_when_it_happened_else_when_it_was_recorded(
    store: MemoryStore, history: Path
) -> None:
    record(store, "table/late", opening(session="s"), DealStarted(deal=1, dealer=0))
    record(store, "table/old", opening(), DealStarted(deal=1, dealer=0), happened_at="1911-12-24T20:00:00.000000Z")
    catch_up(store, history)
    record(store, "session/s", SessionOpened(title="S", date="2020-02-29"))
    catch_up(store, history)
    assert select(history, "SELECT table_name, played_on FROM deals ORDER BY ALL") == [
        ("late", date(2020, 2, 29)),
        ("old", date(1911, 12, 24)),
    ]
    correction = Corrected(
        version=1, action="replace", reason="wrong", events=(SessionOpened(title="S", date="2020-03-01"),)
    )
    record(store, "session/s", correction)
    catch_up(store, history)
    assert select(history, "SELECT played_on FROM deals WHERE table_name = 'late'") == [(date(2020, 3, 1),)]


def test_texts_come_through_unharmed(store: MemoryStore, history: Path) -> None:
    names = ('"quoted"', "tab\tand\nline", "鈴木 ☂")
    record(store, "table/t", opening(players=names), DealStarted(deal=1, dealer=0), TableClosed())
    catch_up(store, history)
    assert {name for (name,) in select(history, "SELECT player FROM players")} == set(names)


def test_what_is_corrected_shows_in_the_rows(store: MemoryStore, history: Path) -> None:
    events = table_events(deals=1, closed=False)
    record(store, "table/t", *events)
    catch_up(store, history)
    last = len(events)
    record(store, "table/t", Corrected(version=last, action="strike", reason="never played"))
    catch_up(store, history)
    fold = fold_of(store, "t")
    assert select(history, "SELECT status FROM deals") == [(fold.deals[0].status,)] != [("complete",)]


@pytest.mark.parametrize(("game", "seats"), [("quadrille", 4), ("couillon", 4), ("kop", 4), ("baska", 4)])
def test_the_deals_of_every_game_are_those_of_replay_and_score(
    store: MemoryStore, history: Path, game: str, seats: int
) -> None:
    record(store, "table/t", *simulate_table(game_named(game), NAMES[:seats], {}, 6, 3, "t"))
    catch_up(store, history)
    fold = fold_of(store, "t")
    answer = score_answer("t", fold)
    for dealt, score in zip(fold.deals, answer.deals, strict=True):
        view = dealt.machine.view()
        [found] = select(
            history,
            "SELECT declarer, partner, trump, contract, status FROM deals WHERE deal = $1",
            dealt.number,
        )
        assert found == (view.declarer, view.partner, view.trump, view.contract, score.status)
        laid = select(
            history, "SELECT trick, seat, card, player FROM plays WHERE deal = $1 ORDER BY number", dealt.number
        )
        assert laid == [
            (number, seat, card, NAMES[seat])
            for number, trick in enumerate(view.tricks, 1)
            for seat, card in zip(trick.seats, trick.cards, strict=True)
        ]
        lines = select(
            history,
            "SELECT rule, payer, payee, amount, explanation FROM score_lines WHERE deal = $1 ORDER BY line",
            dealt.number,
        )
        assert lines == [
            (
                line.rule,
                *(p if isinstance(p, int) else None for p in (line.source, line.target)),
                line.amount,
                line.text,
            )
            for line in score.lines
        ]
        deltas = select(history, "SELECT delta FROM deal_scores WHERE deal = $1 ORDER BY seat", dealt.number)
        assert [delta for (delta,) in deltas] == score.deltas


def test_entries_are_the_log_as_it_was_written(store: MemoryStore, history: Path) -> None:
    club = Club(store, 3)
    for _ in range(25):
        club.do_something()
    record(store, "table/old", opening(), happened_at="1911-12-24T20:00:00.000000Z")
    catch_up(store, history)
    found = select(
        history,
        "SELECT log_position, stream, coalesce('table/' || table_name, stream), version, recorded_by,"
        " strftime(recorded_at, '%Y-%m-%dT%H:%M:%S.%fZ'), strftime(happened_at, '%Y-%m-%dT%H:%M:%S.%fZ'), type, event"
        " FROM entries ORDER BY log_position",
    )
    assert found == [
        (
            row.position, row.stream, row.stream, row.version, row.recorded_by, row.recorded_at,
            row.happened_at, json.decode(row.payload)["type"], row.payload.decode(),
        )
        for row in store.read()
    ]  # fmt: skip


def test_hands_are_those_that_were_dealt(store: MemoryStore, history: Path) -> None:
    first = CardsDealt(hands=(("SA", "??"), None, ()), stock=("H7", "D2"))
    events = [opening(), DealStarted(deal=1, dealer=0), first, CardsDealt(hands=((), (), ()))]
    record(store, "table/t", *events, DealStarted(deal=2, dealer=1))
    catch_up(store, history)
    assert select(history, "SELECT deal, seat, player, cards, card_count FROM hands ORDER BY seat") == [
        (1, 0, "Ann", "SA ??", 2),
        (1, 1, "Bob", None, None),
        (1, 2, "Cleo", "", 0),
    ]
    assert select(history, "SELECT deal, stock FROM deals ORDER BY deal") == [(1, "H7 D2"), (2, None)]


def test_the_called_card_is_that_of_its_deal(store: MemoryStore, history: Path) -> None:
    called = [PartnerCalled(seat=1, card="HK"), PartnerCalled(seat=1, card=None), None]
    deals = [[DealStarted(deal=number, dealer=0), *([call] if call else [])] for number, call in enumerate(called, 1)]
    record(store, "table/q", opening(game="quadrille", players=NAMES[:4]), *chain(*deals))
    catch_up(store, history)
    found = select(history, "SELECT deal, called_card FROM deals ORDER BY deal")
    assert found == [(1, "HK"), (2, "none"), (3, None)]


def test_a_dispute_names_the_ruling_that_decides_it(store: MemoryStore, history: Path) -> None:
    raised = [DisputeRaised(deal=1, text="revoke?", seat=2, version=3), DisputeRaised(deal=1, text="which trump?")]
    record(store, "table/t", opening(), DealStarted(deal=1, dealer=0), *raised)
    record(store, "table/t", RulingGiven(deal=1, text="none", kind="stands", dispute=3))
    catch_up(store, history)
    columns = "number, seat, player, explanation, about_version, ruling_version, version"
    assert select(history, f"SELECT {columns} FROM disputes ORDER BY number") == [
        (1, 2, "Cleo", "revoke?", 3, 5, 3),
        (2, None, None, "which trump?", None, None, 4),
    ]
    record(store, "table/t", Corrected(version=4, action="strike", reason="nobody asked"))
    catch_up(store, history)
    assert select(history, "SELECT number FROM disputes") == [(1,)]


def test_the_last_correction_of_an_entry_is_in_force(store: MemoryStore, history: Path) -> None:
    record(store, "table/t", opening(), DealStarted(deal=1, dealer=0))
    record(store, "session/s", SessionOpened(title="S", date="2026-01-05"))
    instead = Corrected(version=2, action="replace", events=(DealStarted(deal=1, dealer=1),), reason="misread")
    record(store, "table/t", instead, Corrected(version=2, action="strike", reason="no deal"))
    record(store, "session/s", Corrected(version=1, action="replace", events=(opening_of("T"),), reason="title"))
    catch_up(store, history)
    columns = "stream, table_name, corrected_version, action, events, reason, is_in_force, recorded_by, version"
    deal = '[{"type":"deal_started","deal":1,"dealer":1}]'
    title = '[{"type":"session_opened","title":"T","date":"2026-01-05"}]'
    assert select(history, f"SELECT {columns} FROM corrections ORDER BY stream, version") == [
        ("session/s", None, 1, "replace", title, "title", True, "recorder-1", 2),
        ("table/t", "t", 2, "replace", deal, "misread", False, "recorder-1", 3),
        ("table/t", "t", 2, "strike", None, "no deal", True, "recorder-1", 4),
    ]


def opening_of(title: str) -> SessionOpened:
    return SessionOpened(title=title, date="2026-01-05")


def test_a_player_is_everyone_of_that_name(store: MemoryStore, history: Path) -> None:
    record(store, "table/one", *table_events("one", deals=2), happened_at="2020-01-01T20:00:00.000000Z")
    record(store, "table/two", *table_events("two", deals=1, seats=4), happened_at="2021-01-01T20:00:00.000000Z")
    catch_up(store, history)
    found = select(history, "FROM players ORDER BY player")
    assert [row[:3] for row in found] == [("Ann", 2, 3), ("Bob", 2, 3), ("Cleo", 2, 3), ("Dirk", 1, 1)]
    assert {row[3:] for row in found[:3]} == {(date(2020, 1, 1), date(2021, 1, 1))}


def test_the_seats_know_who_won_the_match(store: MemoryStore, history: Path) -> None:
    record(store, "table/t", *table_events(deals=3))
    record(store, "table/open", *table_events("open", deals=3, closed=False))
    catch_up(store, history)
    winners = score_answer("t", fold_of(store, "t")).match.winners
    assert select(history, "SELECT seat FROM seats WHERE is_winner ORDER BY ALL") == [(seat,) for seat in winners]


# --- a session that was closed, and what was corrected of a director's ------------------------------------------------

CLOSED_FINDING = "SELECT deal, version, code, rule, severity, seat, player, message, values, legal FROM findings"


def opened_in_closed_session(store: MemoryStore) -> None:
    record(store, "session/spring", SessionOpened(title="Spring", date="2026-03-01"), SessionClosed())
    record(store, "table/late", *table_events("late", 1, session="spring", closed=False))


def test_a_table_opened_in_a_closed_session_is_a_finding_of_no_deal(store: MemoryStore, history: Path) -> None:
    opened_in_closed_session(store)
    catch_up(store, history)
    (found,) = select(history, f"{CLOSED_FINDING} WHERE code = 'SESSION-CLOSED'")
    told = "the table was opened in the session spring, which had been closed"
    assert found == (
        None,
        1,
        "SESSION-CLOSED",
        "SESSION-CLOSED",
        "warning",
        None,
        None,
        told,
        '{"session":"spring"}',
        None,
    )
    assert audit_answer("late", fold_table(store, "late")).findings[0].message == told


def test_that_finding_stays_one_while_the_table_goes_on_and_goes_once_the_closing_is_struck(
    store: MemoryStore, history: Path
) -> None:
    opened_in_closed_session(store)
    count = "SELECT count(*) FROM findings WHERE code = 'SESSION-CLOSED'"
    catch_up(store, history)
    record(store, "table/late", DealStarted(deal=2, dealer=0))
    catch_up(store, history)
    assert select(history, count) == [(1,)]
    record(store, "table/late", DealStarted(deal=3, dealer=1))
    catch_up(store, history)
    assert select(history, count) == [(1,)]
    record(store, "session/spring", Corrected(version=2, action="strike", reason="too early"))
    catch_up(store, history)
    assert select(history, count) == [(0,)]


def test_a_corrected_dispute_or_ruling_names_its_corrections(store: MemoryStore, history: Path) -> None:
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}
    fine = RulingGiven(deal=1, text="a fine", kind="adjust", deltas=(-5, 5, 0))
    record(
        store,
        "table/t",
        opening(),
        DealStarted(deal=1, dealer=2),
        ResultRecorded(outcome=outcome),
        DisputeRaised(deal=1, text="the columms differ"),
        fine,
        RulingGiven(deal=1, text="nothing changes", kind="stands"),
        Corrected(
            version=4, action="replace", reason="typo", events=(DisputeRaised(deal=1, text="the columns differ"),)
        ),
        Corrected(version=5, action="replace", reason="less", events=(structs.replace(fine, deltas=(-4, 4, 0)),)),
        Corrected(version=5, action="replace", reason="more", events=(structs.replace(fine, deltas=(-6, 6, 0)),)),
    )
    catch_up(store, history)
    assert select(history, "SELECT version, corrected_by FROM disputes") == [(4, [7])]
    assert select(history, "SELECT version, corrected_by FROM rulings ORDER BY version") == [(5, [8, 9]), (6, None)]


def test_every_option_of_a_table_is_told_the_default_where_nobody_named_it(store: MemoryStore, history: Path) -> None:
    """Whoever asks for the tables that play so finds also those where it goes without saying."""
    for table, given in (("plain", {}), ("dear", {"ante": 2})):
        record(store, f"table/{table}", *simulate_table(game_named("quadrille"), NAMES[:4], given, 1, 7, table))
    catch_up(store, history)
    told = "SELECT table_name, (options ->> 'ante')::INTEGER, options ->> 'ante_by' FROM tables ORDER BY ALL"
    assert select(history, told) == [("dear", 2, "each"), ("plain", 1, "each")]
