"""The session report has every table, ruling and correction, and the notable deals."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from ledger import api
from ledger.events import Corrected, Noted, RulingGiven, SessionClosed, SessionOpened
from ledger.history import catch_up, open_history
from ledger.log import MemoryStore
from ledger.reports.facts import Overall, SessionReport
from ledger.reports.session_report import SHOWN_MAX, session_report
from ledger.table.repository import table_slugs
from ledger.table.score import score_answer
from ledger.text.pages import report_page
from tests.cli.commands import ROOT
from tests.history.helpers import fold_of, opened_history, record, table_events
from tests.history.season import rows
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.reports.sessions import report_of, session_with_disputes


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    return session_with_disputes()


@pytest.fixture(scope="module")
def report(store: MemoryStore, tmp_path_factory: pytest.TempPathFactory) -> SessionReport:
    return report_of(store, tmp_path_factory.mktemp("quarrels"))


def test_the_tables_of_the_session_and_no_others_have_their_totals(store: MemoryStore, report: SessionReport) -> None:
    assert [table.table for table in report.tables] == ["played", "quarrel"]
    for table in report.tables:
        answer = score_answer(table.table, fold_of(store, table.table))
        assert table.totals == answer.totals
        assert [row.score.deltas for row in table.sheet] == [deal.deltas for deal in answer.deals]


def test_results_are_the_standings_of_the_session(store: MemoryStore, report: SessionReport) -> None:
    points: dict[str, int] = {}
    for table in ("played", "quarrel"):
        answer = score_answer(table, fold_of(store, table))
        for player, total in zip(answer.players, answer.totals, strict=True):
            points[player] = points.get(player, 0) + total
    assert {one.player: one.points for one in report.standings} == points
    assert [one.points for one in report.standings] == sorted(points.values(), reverse=True)


def test_who_is_first_over_all_tables_goes_by_points_of_one_game_or_by_table_points(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "session/spring", SessionOpened(title="Spring", date="2026-03-20"))
    assert report_of(store, tmp_path).overall is None
    for number in range(2):
        record(store, f"table/t{number}", *table_events(f"t{number}", 6, session="spring", seed=number))
    report = report_of(store, tmp_path)
    first = [one for one in report.standings if one.place == 1]
    assert report.overall == Overall(measure="points", players=[one.player for one in first], points=first[0].points)
    assert "First so far: " in report_page(report)
    record(store, "table/kop", *table_events("kop", 6, game="kop", seats=4, session="spring"))
    record(store, "session/spring", SessionClosed())
    with opened_history(store) as history:
        best = [row for row in rows(history, "table-points", session="spring") if row["place"] == 1]
    players = [row["player"] for row in best]
    report = report_of(store, tmp_path)
    assert report.overall == Overall(measure="table_points", players=players, points=best[0]["table_points"])
    assert f"Overall winner: {', '.join(players)}, {best[0]['table_points']:g} table points" in report_page(report)


def test_a_ruled_deal_is_notable_and_says_why(report: SessionReport) -> None:
    (ruled,) = [deal for deal in report.notable if deal.table == "quarrel"]
    assert [reason.key for reason in ruled.reasons] == ["reason_ruled", "reason_disputed", "reason_corrected"]


def test_the_biggest_swings_are_notable_and_shown_with_their_cards(report: SessionReport) -> None:
    everything = [
        max(row.score.deltas) - min(row.score.deltas)
        for table in report.tables
        for row in table.sheet
        if row.score.status == "complete"
    ]
    swings = [why.values["points"] for deal in report.notable for why in deal.reasons if why.key == "reason_swing"]
    assert sorted(swings) == sorted(everything)[-2:]
    assert any(deal.row.last.tricks for deal in report.notable if deal.table == "played")
    assert all(deal.dealt.hands for deal in report.notable if deal.table == "played")


def reasons_in(folder: Path, replay: str) -> dict[int, list[str]]:
    """Return why the deals of a replay are notable, by deal, after putting its table into a session."""
    store = MemoryStore()
    api.import_file(store, ROOT / "replays" / replay, api.Recording(by="me"))
    (slug,) = table_slugs(store)
    opened = fold_of(store, slug).opened
    if opened.session is None:
        events = (structs.replace(opened, session="spring"),)
        record(store, f"table/{slug}", Corrected(version=1, action="replace", reason="of spring", events=events))
    report = report_of(store, folder, opened.session or "spring")
    return {deal.row.score.deal: [reason.key for reason in deal.reasons] for deal in report.notable}


@pytest.mark.parametrize(("replay", "reason", "is_there"), [
    ("ombre/revoke.toml", "reason_found", True),
    ("ombre/03-solo-vole.toml", "reason_vole", True),
    ("quadrille/11-vole-failed-with-premiers.toml", "reason_vole", True),
    ("couillon/14-all-tricks-mit-kontra-re.toml", "reason_vole", True),
    ("kop/13-zolo-du-won.toml", "reason_vole", True),
    ("ombre/06-codille-in-solo.toml", "reason_vole", False),
    ("kop/01-exactly-53.toml", "reason_vole", False),
    ("couillon/20-eight-players.toml", "reason_vole", False),
    ("couillon/34-match-six32-points.toml", "reason_vole", False),
])  # fmt: skip
def test_a_revoke_sweep_or_vole_at_stake_is_notable(tmp_path: Path, replay: str, reason: str, is_there: bool) -> None:
    reasons = reasons_in(tmp_path, replay)
    assert reasons and any(reason in keys for keys in reasons.values()) is is_there


def test_too_many_notable_deals_are_counted_and_not_drawn(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "table/long", *table_events("long", 12, session="spring", seed=4))
    rulings = [RulingGiven(deal=deal, text="as it is", kind="stands") for deal in range(1, 12)]
    record(store, "table/long", *rulings)
    report = report_of(store, tmp_path)
    assert len(report.notable) == SHOWN_MAX and report.unshown >= 3
    assert len([one for table in report.tables for one in table.rulings]) == 11


def test_the_proof_names_the_head_and_the_last_entry_of_each_table(store: MemoryStore, report: SessionReport) -> None:
    head = store.head()
    assert (report.position, report.digest) == (head.position, head.digest.hex())
    for table in report.tables:
        last = store.read_stream(f"table/{table.table}")[-1]
        assert (table.last_position, table.last_digest) == (last.position, last.digest.hex())


def test_what_was_recorded_after_the_read_model_is_not_in_the_report(tmp_path: Path) -> None:
    store = session_with_disputes()
    path = tmp_path / "h.duckdb"
    catch_up(store, path)
    before = store.head()
    record(store, "table/quarrel", Noted(text="later"), RulingGiven(deal=1, text="later", kind="stands"))
    with open_history(path) as history:
        report = session_report(store, history, "spring", {})
    assert report.position == before.position
    assert len(report.tables[1].rulings) == 2


def test_names_to_show_take_the_place_of_those_in_the_record(tmp_path: Path) -> None:
    report = report_of(session_with_disputes(), tmp_path, Cleo="Cleopatra")
    assert "Cleopatra" in report.tables[0].players and "Cleopatra" in {one.player for one in report.standings}
