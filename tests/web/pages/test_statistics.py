"""The pages of statistics: their figures are those of the API, and faults are shown at their fields."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
import pytest

import ledger
from ledger.events import Event, RulingGiven, SessionOpened, TableClosed
from ledger.history import Filters
from ledger.log import LogStore
from ledger.plots.figures import plots
from ledger.text.cards import signed_amount
from tests.covering import IS_SOAK, sample, wider_in_soak
from tests.history.helpers import table_events
from tests.patience import PATIENCE_S
from tests.web.club import REPLAYS
from tests.web.pages.visitor import elements_of
from tests.web.serving import DIRECTOR, RECORDER, Served, ledger_of, ledger_with, record, serving

RECORDS: Final = (
    "ombre/03-solo-vole.toml", "ombre/23e-spadille-forced.toml", "kop/match-official.toml",
    "quadrille/match-of-four-deals.toml", "couillon/30-match-basic4-bars.toml",
)  # fmt: skip
NAMES: Final = [name for name in ledger.statistics() if name != "league"]
HOSTILE: Final = ("' OR 1=1 --", "'); DROP TABLE deals; --", "$player", "\x00", "%27", "<script>alert(1)</script>")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = ledger_of(tmp_path_factory.mktemp("statistics"), *(REPLAYS / one for one in RECORDS))
    with ledger.open(path) as store:
        store.hide_player("Dan")
    with serving(path) as one:
        yield one


class Cells:
    """The rows of the table of an answer, and all links."""

    def __init__(self, text: str) -> None:
        elements = elements_of(text)
        cells = [(one.within("tr"), one.text) for one in elements if one.tag == "td"]
        self.links = [one.attributes["href"] for one in elements if one.tag == "a" and "href" in one.attributes]
        self.rows = [[text for row, text in cells if row is each] for each in elements if each.tag == "tr"]


def show(club: Served, at: str, **how: Any) -> httpx.Response:
    return club.get(at, is_page=True, headers={"accept": "text/html"}, **how)


def figures(text: str) -> list[float]:
    """Return the numbers in a text, of which an interval has two; rules, days and cards are no numbers."""
    numbers = re.findall(r"(?<![\w.♠♥♦♣\ufe0e-])−?\d+(?:\.\d+)?(?![\w-])", text)
    return [float(one.replace("−", "-")) for one in numbers]


def is_number(value: object) -> bool:
    """Return whether a value is shown as a number; so are the names of seasons."""
    is_figure = isinstance(value, int | float) and not isinstance(value, bool)
    return is_figure or (isinstance(value, str) and value.isdecimal())


@pytest.mark.parametrize("name", sample(NAMES, 9))
def test_a_page_has_the_figures_of_the_api_with_every_filter(club: Served, name: str) -> None:
    takes = ledger.statistics()[name].parameters
    for filters in ({}, {"player": "Ada", "since": "2020-01-01", "min_deals": "1", "seat": "0"}):
        query = urlencode({key: value for key, value in filters.items() if key in takes})
        rows = club.ok(f"/statistics/{name}?{query}")["rows"][:50]
        answer = show(club, f"/statistics/{name}?{query}")
        assert answer.status_code == 200
        cells = [" ".join(row) for row in Cells(answer.text).rows if row]
        assert len(cells) == len(rows)
        for row, shown in zip(rows, cells, strict=True):
            numbers = [one for one in row.values() if is_number(one)]
            assert sorted(figures(shown)) == sorted(map(float, numbers)), shown


@pytest.mark.parametrize("name", sample(NAMES, 5))
def test_the_sql_of_a_page_gives_its_rows(club: Served, name: str) -> None:
    takes = ledger.statistics()[name].parameters
    query = urlencode({key: value for key, value in {"game": "kop", "player": "Ben"}.items() if key in takes})
    text = show(club, f"/statistics/{name}?{query}&lang=en").text
    sql = re.search(r'<textarea id="sql".*?>(.*?)</textarea>', text, re.DOTALL)
    if sql is None:
        assert "No deal matches" in text
        return
    answer = club.post("/query", {"sql": unescape(sql[1])}, who=DIRECTOR)
    assert answer.status_code == 200
    if name not in ("ratings", "rating-history"):
        assert answer.json() == club.ok(f"/statistics/{name}?{query}", who=DIRECTOR)["rows"]


def test_all_links_of_the_pages_open(club: Served) -> None:
    listed = Cells(show(club, "/statistics").text).links
    assert {f"/statistics/{name}" for name in NAMES} <= set(listed)
    followed = {*listed, *Cells(show(club, "/statistics/swings?sort=amount").text).links}
    followed |= set(Cells(show(club, "/statistics/contracts?game=kop&until=2000-01-01").text).links)
    pages = (one for one in followed if one.startswith("/") and "/api/" not in one)
    for at in sorted(one for one in pages if not one.startswith("/plots/")):  # a test below opens them
        assert club.get(at, is_page=True, headers={"accept": "text/html, */*;q=0.8"}).status_code == 200, at


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_the_same_address_is_a_file(club: Served, ending: str) -> None:
    media = {"json": "application/json", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}[ending]
    by_api = club.get("/statistics/roles?game=kop", headers={"accept": media})
    by_page = club.get(f"/statistics/roles.{ending}?game=kop&player=&sort=-deals", is_page=True)
    assert (by_page.status_code, by_page.headers["content-type"]) == (200, media)
    assert by_page.content == by_api.content


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_wrong_filters_are_named_at_their_fields_and_all_stay(club: Served, lang: str) -> None:
    query = "player=Nobody&game=kop&season=x&min_deals=0&since=2026-13-01&compare=seat%3D9&lang=" + lang
    answer = show(club, f"/statistics/roles?{query}")
    assert answer.status_code == 422
    for name in ("player", "season", "min_deals", "since", "compare"):
        assert f'href="#{name}"' in answer.text and f'id="{name}-wrong"' in answer.text, name
    assert 'id="game-wrong"' not in answer.text and '<option value="kop" selected>' in answer.text
    assert 'value="2026-13-01"' in answer.text and "<table" not in answer.text


def test_an_empty_answer_names_the_filter_that_leaves_nothing(club: Served) -> None:
    text = show(club, "/statistics/contracts?game=kop&until=2000-01-01&place=").text
    (link,) = [one for one in Cells(text).links if one == "/statistics/contracts?game=kop"]
    assert "without “Until”: 9 deals" in text
    assert len(Cells(show(club, link).text).rows) > 1


def test_rows_are_sorted_and_paged_by_the_address(club: Served) -> None:
    first = Cells(show(club, "/statistics/placings?sort=-points").text)
    points = [figures(row[7])[0] for row in first.rows if row]
    assert points == sorted(points, reverse=True)
    assert "/statistics/placings?sort=points" in first.links
    course = Cells(show(club, "/statistics/course?page=2").text)
    assert "/statistics/course?page=1" in course.links and len(course.rows) > 1


def test_hidden_people_have_initials_and_no_link(club: Served) -> None:
    for query in ("", "?player=D.", "?compare=player%3DBen"):
        at = f"/statistics/standings{query}"
        shown, seen_by_director = show(club, at), show(club, at.replace("D.", "Dan"), who=DIRECTOR)
        assert "D." in shown.text and not re.search(r"\bDan\b", shown.text), at
        assert "/players/Dan" in seen_by_director.text
    assert show(club, "/statistics/standings?player=Dan").status_code == 422


def test_the_page_of_a_player_has_the_figures_of_the_statistics(club: Served) -> None:
    query = "player=Ada&game=quadrille"
    text = show(club, "/players/Ada?season=&game=quadrille").text
    by_page = [figures(" ".join(row)) for row in Cells(text).rows if row]
    columns = {"standings": "points", "roles": "deals", "head-to-head": "tables", "cumulative": "gained"}
    for name, column in columns.items():
        for row in club.ok(f"/statistics/{name}?{query}")["rows"]:
            assert any(row[column] in one for one in by_page), (name, row)
    (points,) = [row["points"] for row in club.ok(f"/statistics/standings?{query}")["rows"]]
    assert 'at the end"' in text and f">{signed_amount(points)}</text>" in text
    links = Cells(text).links
    assert "/t/quadrille-match-of-four-deals/1" in links
    for at in links:
        if at.startswith("/") and "/api/" not in at:
            assert show(club, at).status_code == 200, at


def test_the_page_of_each_player_follows_every_change(tmp_path: Path) -> None:
    """Also a change that leaves the last entries of the player's tables as they are."""
    names, seen_at_each = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Fay"), ("Ann", "Fay")
    streams: dict[str, list[Event]] = {"session/s": [SessionOpened(title="S", date="2025-12-30")]}
    streams |= {f"t{one}": table_events(f"t{one}", 2, session="s", names=names[one:], closed=one > 0) for one in (0, 3)}
    by = ledger.Recording(by="x")
    changes: tuple[Callable[[LogStore], object], ...] = (
        lambda store: None,
        lambda store: record(store, "t1", *table_events("t1", 3, session="s", names=names[2:])),
        lambda store: record(store, "t0", RulingGiven(deal=1, text="so be it", kind="void")),
        lambda store: record(store, "t0", TableClosed()),
        lambda store: ledger.amend_session(store, "s", date="2026-02-01", reason="a slip", recording=by),
        lambda store: store.link_player("Fay", "Ann"),
    )
    seen = set()
    with serving(ledger_with(tmp_path, streams)) as served, ledger.open(served.ledger) as store:
        for change in changes:
            change(store)
            served.run(_taken_in(served, store))
            served.level()
            pages = [show(served, f"/players/{name}").text for name in seen_at_each]
            served.service.answers.forget()
            served.service.history._answers.forget()
            assert pages == [show(served, f"/players/{name}").text for name in seen_at_each]
            seen.add(pages[0])
    assert len(seen) == len(changes)


async def _taken_in(served: Served, store: LogStore) -> None:
    last, persons = store.head().position, store.people().persons()
    async with asyncio.timeout(PATIENCE_S):
        while served.service.visible.head.position < last or served.service.visible.persons != persons:
            await asyncio.sleep(0.01)


def test_a_part_of_a_name_is_enough_for_a_search(club: Served) -> None:
    assert "/players/Ada" in Cells(show(club, "/players?q=AD").text).links
    assert "No player matches." in show(club, "/players?q=zz&lang=en").text
    names = [row[0] for row in Cells(show(club, "/players").text).rows if row]
    assert len(names) == len(club.ok("/players"))


def test_a_hidden_player_has_no_page_and_no_name(club: Served) -> None:
    for at in ("/players", "/players?q=Dan", "/players/Ada?season="):
        assert not re.search(r"\bDan\b", show(club, at).text.replace("q=Dan", "").replace('value="Dan"', "")), at
    assert "D." in show(club, "/players").text
    assert "Dan" in show(club, "/players", who=RECORDER).text
    assert "/players/Dan" in show(club, "/players", who=DIRECTOR).text
    for name in ("Dan", "D.", "Nobody"):
        assert show(club, f"/players/{name}").status_code == 404, name
    assert show(club, "/players/Dan", who=DIRECTOR).status_code == 200


@pytest.mark.parametrize("query", ["season=x", "game=whist", "season=%27&game=%24game"])
def test_a_wrong_season_or_game_is_named_at_its_field(club: Served, query: str) -> None:
    answer = show(club, f"/players/Ada?{query}")
    name = query.partition("=")[0]
    assert answer.status_code == 422 and f'id="{name}-wrong"' in answer.text and f'href="#{name}"' in answer.text


@wider_in_soak
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_filters_reach_no_sql(club: Served, text: str) -> None:
    """Each filter gets half of the texts, in a soak run all."""
    names = (*ledger.statistics()["standings"].parameters, "group_by")
    for name in names if IS_SOAK else names[HOSTILE.index(text) % 2 :: 2]:
        answer = show(club, f"/statistics/standings?{name}={quote(text)}")
        assert answer.status_code == 422, name
        assert "<script>alert" not in answer.text and 'id="sql"' not in answer.text
    assert show(club, f"/statistics/standings?sort={quote(text)}").status_code == 200
    assert club.ok("/statistics/standings")["rows"]


@pytest.mark.parametrize("filters", ["status = 'complete'", "status = 'complete' AND game = 'kop'"])
def test_facets_count_complete_deals(club: Served, filters: str) -> None:
    sql = f"SELECT unnest(players) AS player, count(*) AS deals FROM deals WHERE {filters} GROUP BY 1"
    counts = {row["player"]: row["deals"] for row in club.post("/query", {"sql": sql}, who=DIRECTOR).json()}
    at = "/statistics/trumps?game=kop&lang=en" if "kop" in filters else "/statistics/trumps?player=Ben&lang=en"
    choices = re.findall(r'<option value="([^"]*)"[^>]*>\1 \((\d+)\)</option>', show(club, at, who=DIRECTOR).text)
    assert {name: int(count) for name, count in choices if name in counts} == counts


def test_options_narrow_a_game(club: Served) -> None:
    assert ">Kop (9)</option>" in show(club, "/statistics/contracts?player=Ada&lang=en").text
    assert ">Kop (0)</option>" in show(club, "/statistics/contracts?game=kop&until=2000-01-01&lang=en").text
    assert '<option value="all_pass=spadille_forced">' in show(club, "/statistics/contracts?game=ombre").text
    answer = ledger.stats(club.ledger, "contracts", Filters(game="ombre", option={"all_pass": "spadille_forced"}))
    text = show(club, "/statistics/contracts?game=ombre&option=all_pass%3Dspadille_forced&option=").text
    assert len([row for row in Cells(text).rows if row]) == len(answer.answer.rows) > 0
    assert 'name="option" value="all_pass=spadille_forced" checked' in text


def test_a_plot_has_a_picture_and_its_figures(club: Served) -> None:
    listed = [one for one in Cells(show(club, "/statistics").text).links if one.startswith("/plots/")]
    assert len(listed) == len(plots()) - 1  # the year of a player is on the player's page
    for at in listed:
        answer = show(club, f"{at}?game=quadrille")
        assert answer.status_code == 200 and "<td" in answer.text, at
    text = show(club, "/plots/calendar?game=kop&lang=en").text
    (picture,) = re.findall(r'<img class="picture" src="/api/v1([^"]*)"', text)
    assert club.get(unescape(picture)).status_code == 200
    assert show(club, "/plots/calendar?season=x&seat=1").status_code == 422
    assert show(club, "/plots/year").status_code == 404
