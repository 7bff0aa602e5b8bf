"""Sessions and players as lists, from the read model; display names, linked spellings, and hidden persons."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from ledger.events import DealVoided, HandsOpened, SessionOpened
from ledger.service.running import Settings
from ledger.service.visibility import VisibleHead
from ledger.web.api import people
from tests.patience import PATIENCE_S
from tests.web.serving import DIRECTOR, OMBRE, RECORDER, VIEWER, Served, ledger_of, ledger_with, serving

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
        made.level()
        yield made


def test_a_session_comes_with_its_tables_without_their_open_deals(served: Served) -> None:
    body = served.ok("/sessions/spring")
    more = {"session": "spring", "place": None, "zone": None, "closed": False, "tables": 1}
    assert body["session"] == {"title": "Spring evening", "date": "2026-04-01", "club": "Old Pips", **more}
    assert [(table["table"], table["deals"]) for table in body["tables"]] == [("open-one", 0)]
    assert served.ok("/tables/open-one/score")["deals"][0]["status"] == "open"


def test_standings_of_a_session_are_the_statistic(served: Served) -> None:
    session = next(one for one in served.ok("/sessions") if one["session"] != "spring")["session"]
    statistic = served.ok(f"/sessions/{session}/standings")
    assert (statistic["name"], statistic["digest"]) == ("session-standings", None)  # an open deal is before the head
    answer = ledger.stats(served.ledger, "session-standings", ledger.Filters(session=session))
    place, points = answer.answer.columns.index("place"), answer.answer.columns.index("points")
    assert [(row["place"], row["points"]) for row in statistic["rows"]] == [
        (row[place], row[points]) for row in answer.answer.rows
    ]


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
        club.level()
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
        made.level()
        rows = made.post("/query", {"sql": "SELECT status FROM deals"}, who=DIRECTOR).json()
        assert rows == [{"status": "voided"}]


def test_a_session_missing_from_the_read_model_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


DEAL = {"type": "deal_started", "deal": 1, "dealer": 2}
RESULT = {"type": "result_recorded", "outcome": {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}}
STANDINGS = "/statistics/standings"


@pytest.fixture
def linked(tmp_path: Path) -> Iterator[Served]:
    tables = {"t": ["Ann", "Ben", "Cleo"], "u": ["Anne", "Ben", "Dora"]}
    opened = {name: {"type": "table_opened", "game": "ombre", "players": players} for name, players in tables.items()}
    path = ledger_with(tmp_path, {name: [event, DEAL, RESULT] for name, event in opened.items()})
    ledger.name_player(path, "Ann", "Anna Kowalska")
    with serving(path) as one:
        one.level()
        yield one


def tables(linked: Served, who: Any = VIEWER) -> dict[str, int]:
    return {row["player"]: row["tables"] for row in linked.get(STANDINGS, who=who).json()["rows"]}


def test_a_link_is_followed_at_once_and_taken_back(linked: Served) -> None:
    before = linked.get(STANDINGS)
    answer = linked.ask("PUT", "/players/Anne/link", json={"person": "Ann"}, who=DIRECTOR)
    assert (answer.status_code, answer.json()) == (200, {"player": "Anne", "person": "Ann"})
    linked.level()
    after = linked.get(STANDINGS)
    assert after.headers["etag"] != before.headers["etag"]
    assert tables(linked) == {"Ann": 2, "Ben": 2, "Cleo": 1, "Dora": 1}
    (row,) = [row for row in linked.ok("/players") if row["player"] == "Ann"]
    assert (row["tables"], row["spellings"], row["name"]) == (2, ["Anne"], "Anna Kowalska")
    assert len(linked.ok("/players/Anne")["sat_at"]) == 2
    assert linked.ask("DELETE", "/players/Anne/link", who=DIRECTOR).status_code == 204
    linked.level()
    assert linked.get(STANDINGS).json() == before.json()


def test_a_link_of_another_process_is_noticed(linked: Served) -> None:
    before = linked.service.visible.names
    ledger.link_players(linked.ledger, "Anne", "Ann")

    async def seen() -> None:
        while linked.service.visible.names == before:
            await asyncio.sleep(0.02)

    linked.run(asyncio.wait_for(seen(), PATIENCE_S))
    linked.level()
    assert tables(linked)["Ann"] == 2


def test_who_is_hidden_has_initials_for_all_but_the_director(linked: Served) -> None:
    before = linked.get(STANDINGS, who=VIEWER)
    assert linked.ask("PUT", "/players/Ann/hidden", who=DIRECTOR).status_code == 204
    assert tables(linked) == tables(linked, RECORDER) == {"A. K.": 1, "Anne": 1, "Ben": 2, "Cleo": 1, "Dora": 1}
    assert "Ann" in tables(linked, DIRECTOR)
    tags = {linked.get(STANDINGS, who=who).headers["etag"] for who in (VIEWER, DIRECTOR)}
    assert len({before.headers["etag"], *tags}) == 3
    assert linked.ok("/tables/t/score")["players"][0] == "Ann"
    assert linked.ask("DELETE", "/players/Ann/hidden", who=DIRECTOR).status_code == 204
    assert linked.get(STANDINGS, who=VIEWER).json() == before.json()


def test_whom_others_do_not_see_they_find_by_initials_alone(linked: Served) -> None:
    linked.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    (row,) = linked.ok(f"{STANDINGS}?player=A. K.")["rows"]
    assert row["player"] == "A. K."
    for name in ("Ann", "Anna Kowalska"):
        detail = linked.problem(f"{STANDINGS}?player={name}", 404, "not_found")["detail"]
        assert detail.count("Ann") == (2 if name == "Ann" else 1) or "Anne" in detail
        assert "Kowalska" not in detail.replace(name, "")
        linked.problem(f"/players/{name}", 404, "not_found")
        assert len(linked.get(f"{STANDINGS}?player={name}", who=DIRECTOR).json()["rows"]) == 1
    page = linked.ok("/players/A. K.")
    assert (page["player"], page["name"], page["tables"]) == ("A. K.", None, 1)


def test_lists_of_players_name_them_to_who_records(linked: Served) -> None:
    linked.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    seen = {row["player"]: row for row in linked.ok("/players")}
    assert (seen["A. K."]["hidden"], seen["A. K."]["name"], "Ann" in seen) == (True, None, False)
    assert list(seen) == sorted(seen)
    (row,) = [row for row in linked.get("/players", who=RECORDER).json() if row["hidden"]]
    assert (row["player"], row["name"]) == ("Ann", "Anna Kowalska")


def test_plots_and_standings_of_an_evening_say_initials_too(linked: Served) -> None:
    linked.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    text = linked.get("/plots/standings.json", who=VIEWER).text
    assert ("A. K." in text, "Kowalska" in text) == (True, False)
    assert "Kowalska" in linked.get("/plots/standings.json", who=DIRECTOR).text


def names_of(playing: Served) -> dict[str, str]:
    with ledger.open(playing.ledger, access="read") as store:
        return store.display_names()


def test_a_name_is_shown_until_it_is_erased(playing: Served) -> None:
    before = playing.get("/tables/open/score").headers["etag"]
    answer = playing.ask("PUT", "/players/Ann/name", json={"name": "Annie"}, who=DIRECTOR)
    assert (answer.status_code, answer.json()) == (200, {"player": "Ann", "name": "Annie"})
    assert names_of(playing) == {"Ann": "Annie"}
    shown = playing.get("/tables/open/score").headers["etag"]
    assert shown != before
    assert playing.ask("DELETE", "/players/Ann/name", who=DIRECTOR).status_code == 204
    assert names_of(playing) == {}
    assert playing.get("/tables/open/score").headers["etag"] not in (before, shown)


def test_an_erased_name_is_in_no_file(playing: Served) -> None:
    playing.ask("PUT", "/players/Ann/name", json={"name": "Wilhelmina"}, who=DIRECTOR)
    playing.get("/tables/open/score")
    playing.ask("DELETE", "/players/Ann/name", who=DIRECTOR)
    for file in playing.ledger.parent.glob("club.ledger*"):
        assert b"Wilhelmina" not in file.read_bytes(), file


def test_a_name_is_erased_while_others_read(playing: Served) -> None:
    playing.ask("PUT", "/players/Ann/name", json={"name": "Annie"}, who=DIRECTOR)

    async def meanwhile() -> list[int]:
        reads = [playing.request("GET", f"/tables/open/score?as_of={at % 4 + 1}") for at in range(20)]
        erased = playing.request("DELETE", "/players/Ann/name", who=DIRECTOR)
        return [answer.status_code for answer in await asyncio.gather(erased, *reads)]

    assert playing.run(meanwhile()) == [204, *[200] * 20]
