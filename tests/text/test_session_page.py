"""The page of a session report has every table, ruling and correction, and needs nothing else."""

import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from ledger import events as ev
from ledger.games import game_named
from ledger.log import MemoryStore
from ledger.recording.files import import_path
from ledger.recording.importing import ImportAs
from ledger.recording.simulate import simulate_table
from ledger.reports.facts import SessionReport
from ledger.table.answers import Finding
from ledger.text.pages import report_page
from tests.cli.commands import ROOT
from tests.history.helpers import record, table_events
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.reports.sessions import HOSTILE, report_of, session_with_disputes
from tests.text.reading import Page

CASES = tomllib.loads(Path(__file__).with_name("session_page.toml").read_text(encoding="utf-8"))


def page_of(store: MemoryStore, folder: Path, lang: str = "en") -> Page:
    return Page(report_page(report_of(store, folder, lang=lang), lang=lang))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> SessionReport:
    return report_of(session_with_disputes(), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(report: SessionReport) -> Page:
    return Page(report_page(report))


DISPUTES, MISSING = CASES["disputes"], CASES["missing"]
"""The session's tables, each dispute, ruling and correction, and why a deal is notable; what a deal lacks."""


def test_the_session_is_shown_with_its_disputes_and_written_text_stays_text(page: Page) -> None:
    assert [one for one in DISPUTES if one.format(hostile=HOSTILE) not in page.text] == []
    assert "elsewhere" not in page.text
    assert "script" not in page.tags and "i" not in page.tags


def test_results_of_different_games_stand_in_tables_of_their_own(tmp_path: Path) -> None:
    store = session_with_disputes()
    kop = {"contract": "normal", "declarers": [0, 2], "doublings": 1, "card_points": [60, 44], "tricks": [2, 2]}
    opened = ev.TableOpened(game="kop", players=["Ann", "Bob", "Cleo", "Dora"], session="spring")
    assert "<h3>Ombre</h3>" not in report_page(report_of(store, tmp_path))
    record(store, "table/kop", opened, ev.DealStarted(deal=1, dealer=3), ev.ResultRecorded(outcome=kop))
    report = report_of(store, tmp_path)
    assert {one.game for one in report.standings if one.place == 1} == {"Kop", "Ombre"}
    page = report_page(report)
    assert page.index("<h3>Kop</h3>") < page.index("Dora") < page.index("<h3>Ombre</h3>")


def test_a_notable_deal_is_shown_trick_by_trick(report: SessionReport) -> None:
    played = next(deal for deal in report.notable if deal.table == "played" and deal.row.last.tricks)
    text = Page(report_page(report)).text
    for trick in played.row.last.tricks:
        names = [played.row.players[seat] for seat in trick.seats]
        assert all(name in text for name in names)


def unfinished() -> MemoryStore:
    """Make a session with a table that was closed with only the cards of its deal recorded."""
    store = MemoryStore()
    record(store, "session/spring", ev.SessionOpened(title="Spring", date="2026-03-20"))
    opened = ev.TableOpened(game="ombre", players=["Ann", "Ben", "Cleo"], session="spring")
    record(store, "table/left", opened, ev.DealStarted(deal=1, dealer=2), ev.TableClosed())
    return store


@pytest.mark.parametrize(("lang", "missing"), MISSING.items())
def test_an_unscorable_deal_names_what_is_missing_and_can_settle_it(tmp_path: Path, lang: str, missing: str) -> None:
    store = unfinished()
    assert missing in page_of(store, tmp_path, lang).text
    record(store, "table/left", ev.RulingGiven(deal=1, text="nobody pays", kind="void"))
    assert missing not in page_of(store, tmp_path, lang).text


def test_a_table_opened_in_the_closed_session_is_shown_without_a_deal(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "session/spring", ev.SessionOpened(title="Spring", date="2026-03-20"), ev.SessionClosed())
    record(store, "table/late", *table_events("late", 1, session="spring"))
    report = report_page(report_of(store, tmp_path))
    assert "<li>SESSION-CLOSED the table was opened in the session spring, which was already closed</li>" in report


def test_a_call_names_its_card(tmp_path: Path) -> None:
    store = MemoryStore()
    import_path(store, ROOT / "replays" / "kop" / "20-kontra-on-the-own-wesele.toml", ImportAs(by="test"))
    text = Page(report_page(report_of(store, tmp_path, "kop-examples"))).text
    assert "calls: Cleo wesele ♥J, Cleo kontra, Ben re" in text


def test_the_notable_deals_that_are_not_drawn_are_counted(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "table/long", *table_events("long", 12, session="spring", seed=4))
    record(store, "table/long", *(ev.RulingGiven(deal=deal, text="as it is", kind="stands") for deal in range(1, 12)))
    report = report_of(store, tmp_path)
    assert f"{report.unshown} more deals" in Page(report_page(report)).text


def test_the_proof_names_the_head_and_the_last_entry_of_each_table(tmp_path: Path) -> None:
    store = session_with_disputes()
    text, head = page_of(store, tmp_path).text, store.head()
    assert f"The ledger as of entry {head.position}." in text and head.digest.hex() in text
    for table in ("played", "quarrel"):
        assert store.read_stream(f"table/{table}")[-1].digest.hex() in text


def test_names_to_show_take_the_place_of_those_in_the_record(tmp_path: Path) -> None:
    text = Page(report_page(report_of(session_with_disputes(), tmp_path, Cleo="Cleopatra"))).text
    assert "Cleopatra" in text and "Cleo " not in text


def test_the_page_in_japanese_has_no_english_heading(tmp_path: Path) -> None:
    text = page_of(session_with_disputes(), tmp_path, lang="ja").text
    for heading in ("結果", "卓", "注目のディール", "裁定、異議、訂正", "この報告の根拠"):
        assert heading in text
    for heading in ("Results", "Notable deals", "Rulings", "What this report is based on"):
        assert heading not in text


def test_a_corrected_ruling_says_so_and_a_struck_one_is_still_shown(tmp_path: Path) -> None:
    store = session_with_disputes()
    upheld = ev.RulingGiven(deal=1, text="nothing changes", kind="stands", dispute=4)
    other = ev.RulingGiven(deal=1, text="the sheet was lost", kind="replace", deltas=(-6, 3, 3))
    for version, events in ((5, None), (7, (other,))):
        action = "replace" if events else "strike"
        record(store, "table/quarrel", ev.Corrected(version=version, action=action, reason="typo", events=events))
    text = page_of(store, tmp_path).text
    assert re.search(r"corrected by entry 10 \(.+?, .+? UTC\S*\): typo; before: ruling, deal 1, replace 愛子 -10", text)
    assert f"struck: entry 5, ruling, deal 1, stands (dispute of entry 4): {upheld.text}" in text


@pytest.mark.parametrize(("game", "places"), CASES["places"].items())
def test_the_next_seat_is_on_the_side_to_which_the_game_goes(tmp_path: Path, game: str, places: list[str]) -> None:
    store = MemoryStore()
    players = ("Ada", "Ben", "Cleo", "Dan")[: len(places)]
    events = simulate_table(game_named(game), players, {}, 1, 1, "seats", session="seats")
    record(store, "table/seats", *events, ev.RulingGiven(deal=1, text="so", kind="stands"))
    page = report_page(report_of(store, tmp_path, "seats"))
    assert re.findall(r'<div class="(\w+)"><strong>(\w+)</strong>', page) == list(zip(places, players, strict=True))


def test_hands_that_nobody_wrote_down_are_no_empty_boxes(tmp_path: Path) -> None:
    store = MemoryStore()
    opened = ev.TableOpened(game="ombre", players=("Ada", "Ben", "Cleo"), session="seats")
    record(
        store, "table/seats", opened, ev.DealStarted(deal=1, dealer=0), ev.RulingGiven(deal=1, text="so", kind="stands")
    )
    page = report_page(report_of(store, tmp_path, "seats"))
    assert "seats · Ombre · deal 1" in page and 'class="seats' not in page and "dealer Ada" in page


def test_a_card_is_written_alike_in_hands_and_tricks(report: SessionReport) -> None:
    page = report_page(report)
    hands = re.findall(r"</strong><br>(.*?)</div>", page)
    assert hands and all(re.fullmatch(r"([♠♥♦♣](10|[2-9AKQJ]) ?)+", hand) for hand in hands)
    laid = re.findall(r'<span class="card">(.*?)</span>', page)
    assert laid and all(re.fullmatch(r"[♠♥♦♣](10|[2-9AKQJ])", card) for card in laid)


def test_results_are_shown_in_words_and_not_in_those_of_the_record(report: SessionReport) -> None:
    recorded = {row.result for table in report.tables for row in table.sheet if row.result}
    assert any(word.isupper() for word in recorded)
    text = Page(report_page(report)).text
    assert not any(word in text for word in recorded if word.isupper())
    assert any(word.lower().replace("_", " ") in text for word in recorded)


def test_several_breaches_of_one_rule_are_shown_under_one_code(report: SessionReport) -> None:
    values = {"rule": "OMB-6.1", "severity": "error", "seat": 0, "legal": None}
    finding = Finding(code="OMB-11.1", deal=1, version=2, message="a diamond was held", **values)
    others = (
        replace(finding, deal=2, message="a heart was held"),
        replace(finding, code="OMB-11.2", message="dealt twice"),
    )
    tables = [replace(report.tables[0], findings=[finding, *others]), *report.tables[1:]]
    page = report_page(replace(report, tables=tables, notable=[]))
    assert page.count("OMB-11.1") == 1 and page.count("OMB-11.2") == 1
    assert "deal 1: a diamond was held" in page and "deal 2: a heart was held" in page
