"""The pages of evenings: rankings equal the statistics, and later changes, ties and hidden people are shown as such."""

import asyncio
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from ledger.access.grants import Grant
from ledger.events import Corrected, DisputeRaised, RulingGiven, SessionClosed, TableClosed
from ledger.service.query_cache import AnswerCache
from ledger.text.cards import amount_text
from ledger.web.pages import evening, shown_tables
from tests.web.lists import lines_in
from tests.web.pages.forms import answer_to, shown, text_of
from tests.web.serving import DIRECTOR, VIEWER, Served, ledger_with, serving

ANY: Any = {"headers": {"accept": "text/html, */*"}}
PART: Any = {"headers": {"accept": "text/html, */*", "hx-request": "true"}}

LINES = (line.split(": ", 1) for line in lines_in(Path(__file__).with_name("evening.txt")))
STREAMS = {stream: json.loads(acts) for stream, acts in LINES}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_with(tmp_path, STREAMS)) as one:
        one.level()
        yield one


def ranking(page: str) -> list[tuple[int, str, str]]:
    """Return place, player and points of each row."""
    rows = re.findall(r'<tr data-player="([^"]*)">.*?place">(\d+).*?pts">([^<]*)<', page)
    return [(int(place), player, points.replace("−", "-")) for player, place, points in rows]


@pytest.mark.parametrize("address", ["/sessions/fri", "/sessions/fri/standings"])
def test_the_ranking_of_an_evening_is_the_statistic(served: Served, address: str) -> None:
    rows = served.ok("/sessions/fri/standings")["rows"]
    expected = [(row["place"], row["player"], amount_text(row["points"])) for row in rows]
    assert len(expected) == 6 and ranking(shown(served, address, who=VIEWER)) == expected
    points = served.ok("/statistics/table-points?session=fri")["rows"]
    by_places = [(row["place"], row["player"], f"{row['table_points']:g}") for row in points]
    assert ranking(shown(served, f"{address}?by=table_points", who=VIEWER)) == by_places


@pytest.mark.parametrize("address", ["/sessions/fri", "/sessions/fri/standings?by=table_points"])
def test_scripts_renew_the_same_ranking_without_the_frame(served: Served, address: str) -> None:
    part = shown(served, address, who=VIEWER, **PART)
    assert part.lstrip().startswith('<div id="live"') and "<html" not in part
    assert ranking(part) == ranking(shown(served, address, who=VIEWER)) != []


def test_a_ranking_is_saved_as_it_is_shown(served: Served) -> None:
    as_csv = answer_to(served, "GET", "/sessions/fri/standings.csv?by=table_points", VIEWER, **ANY).text
    as_json = answer_to(served, "GET", "/sessions/fri/standings.json?by=table_points", VIEWER, **ANY).json()
    page = ranking(shown(served, "/sessions/fri?by=table_points", who=VIEWER))
    assert as_json["rule"] == "table_points"
    rows = as_json["ranking"]
    assert [(row["place"], row["player"], f"{row['points']:g}") for row in rows] == page
    assert [(int(row["place"]), row["player"]) for row in csv.DictReader(as_csv.splitlines())] == [
        one[:2] for one in page
    ]


def test_level_players_share_their_place(served: Served) -> None:
    page = shown(served, "/sessions/fri", who=VIEWER)
    assert [one[:2] for one in ranking(page)][:2] == [(1, "Ann"), (1, "Dora")]
    text = text_of(page)
    assert "there is no tie-break" in text and "So far Ann and Dora share first place, with" in text


def test_what_changes_after_the_end_is_shown_with_its_effect(served: Served) -> None:
    ruling = RulingGiven(deal=1, kind="adjust", deltas=(-30, 30, 0), text="She had not led")
    served.record("session/fri", SessionClosed())
    served.level()
    assert "Changed after" not in shown(served, "/sessions/fri", who=VIEWER)
    before = {player: int(points) for _, player, points in ranking(shown(served, "/sessions/fri", who=VIEWER))}
    for address in ("/sessions", "/sessions?page=99"):  # a page past the end is the last one
        assert "Back room Ann and Dora +" in text_of(shown(served, address, who=VIEWER))
    served.record("table/fri-1", ruling)
    served.level()
    page = shown(served, "/sessions/fri", who=VIEWER)
    text = text_of(page).replace("−", "-")
    assert "Changed after the evening was closed" in text and "Table 1, deal 1 Ruling She had not led" in text
    assert f"Ann {before['Ann']:+d} → {before['Ann'] - 30:+d} (" in text
    assert (1, "Ben", f"{before['Ben'] + 30:+d}") in ranking(page)
    assert "The winner is Ben" in text
    assert "Back room Ben +" in text_of(shown(served, "/sessions", who=VIEWER))

    version = served.service.versions["table/fri-1"]
    served.record("table/fri-1", Corrected(version=version, action="strike", reason="of another table"))
    served.level()
    text = text_of(shown(served, "/sessions/fri", who=VIEWER)).replace("−", "-")
    assert text.index("of another table") < text.index("She had not led")
    back = f"Ann {before['Ann'] - 30:+d} → {before['Ann']:+d} ("
    assert back in text and f"Ann {before['Ann']:+d} → {before['Ann'] - 30:+d}" in text


def test_an_open_dispute_is_a_question_that_leads_a_director_to_its_case(served: Served) -> None:
    served.record("table/fri-1", DisputeRaised(deal=1, text="by OMB-6.5 it was a revoke"))
    version = served.service.versions["table/fri-1"]
    page = shown(served, "/sessions/fri", who=VIEWER)
    assert "One question is still open" in page and 'href="/rules/ombre#OMB-6.5">OMB-6.5</a> it was a revoke' in page
    assert 'href="/t/fri-1/1">Table 1, deal 1</a>' in page
    assert f'href="/t/fri-1/disputes/{version}">' in shown(served, "/sessions/fri", who=DIRECTOR)
    shown(served, f"/t/fri-1/disputes/{version}", who=DIRECTOR)


def test_points_of_different_games_are_not_added_up(tmp_path: Path) -> None:
    kop = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Hal", "Ida"], "session": "fri"}
    outcome = {"contract": "normal", "declarers": [0, 2], "doublings": 1, "card_points": [60, 44], "tricks": [2, 2]}
    won = {"type": "result_recorded", "outcome": outcome}
    streams = {**STREAMS, "fri-3": [kop, STREAMS["fri-1"][1], won, STREAMS["fri-1"][-1]]}
    with serving(ledger_with(tmp_path, streams)) as served:
        served.level()
        page = shown(served, "/sessions/fri", who=VIEWER)
        expected = served.ok("/statistics/table-points?session=fri")["rows"]
        points = [(row["place"], row["player"], f"{row['table_points']:g}") for row in expected]
        assert ranking(page) == points and "Points of different games are never added up" in page
        assert "?by=kop" in page and "?by=ombre" in page
        assert "Ann" in {one[1]: one for one in ranking(shown(served, "/sessions/fri?by=kop", who=VIEWER))}


def test_a_hidden_person_is_shown_by_initials_everywhere_on_the_page(served: Served) -> None:
    assert served.ask("PUT", "/players/Ann/hidden", who=DIRECTOR).status_code == 204
    readers = [(who, how) for who in (VIEWER, DIRECTOR) for how in (ANY, PART)] * 2

    async def all_at_once(address: str) -> list[httpx.Response]:  # some of them share an answer
        sent = (served.request("GET", address, who=who, is_page=True, **how) for who, how in readers)
        return await asyncio.gather(*sent)

    of_friday = [f"/sessions/fri{page}" for page in ("", "/standings", "/standings.csv")]
    for address in (*of_friday, "/sessions", "/standings"):
        for (who, _), answer in zip(readers, served.run(all_at_once(address)), strict=True):
            is_shown = who is DIRECTOR
            assert ("Ann" in answer.text, "A." in answer.text) == (is_shown, not is_shown), address


def test_an_evening_before_its_first_deal_says_so(served: Served) -> None:
    page = text_of(shown(served, "/sessions/none", who=VIEWER))
    assert "This evening has no table yet." in page and "To read out" not in page
    assert "No deal is finished yet." in text_of(shown(served, "/sessions/none/standings", who=VIEWER))
    shown(served, "/sessions/nowhere", 404, VIEWER)
    shown(served, "/sessions/nowhere/standings.csv", 404, VIEWER, **ANY)


def test_evenings_are_listed_with_their_winners_and_what_is_played_now(served: Served) -> None:
    page = shown(served, "/sessions", who=VIEWER)
    text = text_of(page)
    assert text.index("Nobody came") < text.index("Friday")
    assert re.search(r"Friday 2026-01-09 Back room Ann and Dora \+\d+", text)
    now = text.partition("Being played now")[2].partition("All evenings")[0]
    assert "Saturday" in now and "Table 1 Ombre, one deal" in now and "Friday" not in now
    bound = Grant(token="bound", role="viewer", tables=("fri-1",), seat=0)
    shown(served, "/sessions", 403, bound)


@pytest.mark.parametrize(
    ("address", "module", "reader"),
    [("/sessions/sat", evening, "table_report"), ("/sessions", shown_tables, "_line_of")],
)
def test_after_an_entry_only_its_table_is_read_anew(
    served: Served, monkeypatch: pytest.MonkeyPatch, address: str, module: ModuleType, reader: str
) -> None:
    served.service.folds = AnswerCache(0)  # as if there were more tables than it holds
    before = shown(served, address)
    counted = Mock(wraps=getattr(module, reader))
    monkeypatch.setattr(module, reader, counted)
    served.record("table/open", TableClosed())
    served.level()
    assert shown(served, address) != before and counted.call_count == 1


def test_the_standings_of_a_season_are_the_statistic(served: Served) -> None:
    rows = served.ok("/statistics/season-standings?season=2026&game=ombre")["rows"]
    expected = [(row["place"], row["player"], amount_text(row["points"])) for row in rows]
    assert ranking(shown(served, "/standings?by=ombre", who=VIEWER)) == expected
    two = served.ok("/statistics/season-standings?season=2026&min_deals=2")["rows"]
    fit = ranking(shown(served, "/standings?by=ombre&min_deals=2", who=VIEWER))
    assert [one[1] for one in fit] == [row["player"] for row in two] == ["Eva", "Ann"]
    page = shown(served, "/standings?min_deals=99", who=VIEWER)
    assert ranking(page) == [] and 'value="99"' in page and 'href="/standings">' in page
