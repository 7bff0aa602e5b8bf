"""Sessions and players as lists, from the read model of the service."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from ledger.events import DealVoided, HandsOpened, SessionOpened
from ledger.service.running import Settings
from ledger.service.visibility import VisibleHead
from ledger.web.api import people
from tests.web.serving import DIRECTOR, OMBRE, VIEWER, Served, ledger_of, ledger_with, pages_of, serving

REPLAYS = Path("replays")
BOUND = Grant(token="table-1", role="recorder", tables=("ombre-revoke",))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    opened = {"type": "session_opened", "title": "Spring evening", "date": "2026-04-01", "club": "Old Pips"}
    streams = {"session/spring": [opened], "open-one": [{**OMBRE[0], "session": "spring"}, *OMBRE[1:]]}
    hand_records = sorted(REPLAYS.glob("ombre/*.toml"))[:6]
    path = ledger_with(tmp_path_factory.mktemp("people"), streams, *hand_records)
    with ledger.open(path) as store:
        store.set_display_name("Ann", "Ann Smith")
        ledger.open_hands(store, recording=ledger.Recording(by="recorder-1"))
    with serving(path) as made:
        assert made.service.history.is_level_with(made.service.visible.head.position, within_s=60)
        yield made


def test_a_session_comes_with_its_tables(served: Served) -> None:
    body = served.ok("/sessions/spring")
    more = {"session": "spring", "place": None, "zone": None, "closed": False, "tables": 1}
    assert body["session"] == {"title": "Spring evening", "date": "2026-04-01", "club": "Old Pips", **more}
    assert [(table["table"], table["deals"]) for table in body["tables"]] == [("open-one", 0)]


def test_an_open_deal_is_no_deal_of_the_read_model(served: Served) -> None:
    assert served.ok("/tables/open-one/score")["deals"][0]["status"] == "open"
    (table,) = served.ok("/sessions/spring")["tables"]
    assert table["deals"] == 0


def test_standings_of_a_session_are_the_statistic(served: Served) -> None:
    session = next(one for one in served.ok("/sessions") if one["session"] != "spring")["session"]
    statistic = served.ok(f"/sessions/{session}/standings")
    assert (statistic["name"], statistic["digest"]) == (
        "session-standings",
        None,
    )  # an open deal is before the head
    answer = ledger.stats(served.ledger, "session-standings", ledger.Filters(session=session))
    place, points = answer.answer.columns.index("place"), answer.answer.columns.index("points")
    assert [(row["place"], row["points"]) for row in statistic["rows"]] == [
        (row[place], row[points]) for row in answer.answer.rows
    ]


def test_lists_come_in_pages(served: Served) -> None:
    everybody = [row["player"] for row in served.ok("/players")]
    assert len(everybody) > 3
    assert [row["player"] for page in pages_of(served, "/players?limit=2") for row in page] == everybody


def test_a_player_is_looked_up_by_either_name(served: Served) -> None:
    by_record, by_shown = served.ok("/players/Ann"), served.ok("/players/Ann Smith")
    assert by_record == by_shown
    assert by_record["name"] == "Ann Smith"
    assert "open-one" in {table["table"] for table in by_record["sat_at"]}


def test_statistics_are_what_the_command_answers(served: Served) -> None:
    names = [one["name"] for one in served.ok("/statistics")]
    assert names == list(ledger.statistics())
    statistic = served.ok("/statistics/standings?game=ombre")
    assert statistic["name"] == "standings"
    as_csv = served.get("/statistics/standings", headers={"accept": "text/csv"})
    assert as_csv.headers["content-type"] == "text/csv"
    assert as_csv.text.splitlines()[0].startswith("game,place,player,points")
    as_parquet = served.get("/statistics/standings", headers={"accept": "application/vnd.apache.parquet"})
    assert as_parquet.content[:4] == b"PAR1"
    assert served.ok("/statistics/standings?min_deals=1000&by=table")["rows"] == []
    seasons = served.ok("/statistics/season-standings?season_from=09-01")["rows"]
    assert {row["season"][4:5] for row in seasons} == {"/"}


def test_a_service_knows_when_the_seasons_of_its_club_begin(served: Served, tmp_path: Path) -> None:
    settings = structs.replace(served.service.settings, season_from="09-01")
    with serving(Path(shutil.copy(served.ledger, tmp_path)), settings) as club:
        assert club.service.history.is_level_with(club.service.visible.head.position, within_s=20)
        rows = club.ok("/statistics/season-standings")["rows"]
        assert rows == served.ok("/statistics/season-standings?season_from=09-01")["rows"]
        of_itself = served.get("/statistics/season-standings")
        assert rows != of_itself.json()["rows"]
        known = {"if-none-match": of_itself.headers["etag"]}
        assert club.get("/statistics/season-standings", headers=known).status_code == 200
        by_calendar = club.ok("/statistics/season-standings?season_from=01-01")["rows"]
        assert by_calendar == of_itself.json()["rows"]


def test_plots_come_as_pictures_and_as_their_specification(served: Served) -> None:
    assert served.ok("/plots/standings.json")["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert served.get("/plots/standings.svg").text.startswith("<svg")
    assert served.get("/plots/standings.png").content[:4] == b"\x89PNG"


def test_only_directors_ask_in_sql_unless_the_service_says_so(served: Served) -> None:
    question = {"sql": "SELECT count(*) AS n FROM tables"}
    assert served.post("/query", question, who=DIRECTOR).json() == [{"n": 7}]
    as_csv = served.post("/query", question, who=DIRECTOR, headers={"accept": "text/csv"})
    assert as_csv.text == "n\r\n7\r\n" or as_csv.text == "n\n7\n"


def test_an_answer_that_is_known_is_not_sent_again(served: Served) -> None:
    first = served.get("/statistics/standings")
    again = served.get("/statistics/standings", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    as_csv = served.get("/statistics/standings", headers={"if-none-match": first.headers["etag"], "accept": "text/csv"})
    assert as_csv.status_code == 200, "another form is another answer"


def test_a_deal_that_is_over_comes_into_the_read_model(tmp_path: Path) -> None:
    with serving(ledger_with(tmp_path, {"one": OMBRE})) as made:
        made.record("table/one", DealVoided(reason="misdeal"), HandsOpened(deal=1))
        assert made.service.history.is_level_with(6, within_s=60)
        rows = made.post("/query", {"sql": "SELECT status FROM deals"}, who=DIRECTOR).json()
        assert rows == [{"status": "voided"}]


def test_a_session_that_the_read_model_does_not_have_yet_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "_PATIENCE_S", 60)
    with serving(ledger_of(tmp_path)) as made:
        held_back: list[VisibleHead] = []
        history = made.service.history
        wake, is_level_with = history.wake, history.is_level_with

        def catch_up(position: int, *, within_s: float) -> bool:
            for visible in held_back:
                wake(visible)
            return is_level_with(position, within_s=within_s)

        monkeypatch.setattr(history, "wake", held_back.append)
        monkeypatch.setattr(history, "is_level_with", catch_up)
        made.record("session/spring", SessionOpened(title="Spring evening", date="2026-04-01"))
        assert made.ok("/sessions/spring")["session"]["title"] == "Spring evening"


def test_viewers_ask_in_sql_where_the_service_is_run_so(tmp_path: Path) -> None:
    with serving(ledger_of(tmp_path), Settings(loopback=False, viewers_query=True)) as made:
        assert made.post("/query", {"sql": "SELECT 1 AS one"}, who=VIEWER).json() == [{"one": 1}]
        made.problem("/queries", 403, "forbidden", who=VIEWER)
