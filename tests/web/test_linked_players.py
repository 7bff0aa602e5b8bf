"""Display names, linked spellings, and hidden persons, while the ledger is served."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ledger
from tests.patience import PATIENCE_S
from tests.web.serving import DIRECTOR, RECORDER, VIEWER, Served, ledger_with, serving

DEAL = {"type": "deal_started", "deal": 1, "dealer": 2}
RESULT = {
    "type": "result_recorded",
    "outcome": {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]},
}
STANDINGS = "/statistics/standings"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    tables = {"t": ["Ann", "Ben", "Cleo"], "u": ["Anne", "Ben", "Dora"]}
    opened = {name: {"type": "table_opened", "game": "ombre", "players": players} for name, players in tables.items()}
    path = ledger_with(tmp_path, {name: [event, DEAL, RESULT] for name, event in opened.items()})
    ledger.name_player(path, "Ann", "Anna Kowalska")
    with serving(path) as one:
        assert one.service.history.is_level_with(one.service.visible.head.position, within_s=PATIENCE_S)
        yield one


def level(served: Served) -> None:
    """Wait until the read model knows the current names and links."""
    visible = served.service.visible
    assert served.service.history.is_level_with(visible.head.position, visible.persons, within_s=PATIENCE_S)


def tables(served: Served, who: Any = VIEWER) -> dict[str, int]:
    return {row["player"]: row["tables"] for row in served.get(STANDINGS, who=who).json()["rows"]}


def test_a_link_is_followed_at_once_and_taken_back(served: Served) -> None:
    before = served.get(STANDINGS)
    answer = served.ask("PUT", "/players/Anne/link", json={"person": "Ann"}, who=DIRECTOR)
    assert (answer.status_code, answer.json()) == (200, {"player": "Anne", "person": "Ann"})
    level(served)
    linked = served.get(STANDINGS)
    assert linked.headers["etag"] != before.headers["etag"]
    assert tables(served) == {"Ann": 2, "Ben": 2, "Cleo": 1, "Dora": 1}
    (row,) = [row for row in served.ok("/players") if row["player"] == "Ann"]
    assert (row["tables"], row["spellings"], row["name"]) == (2, ["Anne"], "Anna Kowalska")
    assert len(served.ok("/players/Anne")["sat_at"]) == 2
    assert served.ask("DELETE", "/players/Anne/link", who=DIRECTOR).status_code == 204
    level(served)
    assert served.get(STANDINGS).json() == before.json()


def test_a_link_of_another_process_is_noticed(served: Served) -> None:
    before = served.service.visible.names
    ledger.link_players(served.ledger, "Anne", "Ann")

    async def seen() -> None:
        while served.service.visible.names == before:
            await asyncio.sleep(0.02)

    served.run(asyncio.wait_for(seen(), PATIENCE_S))
    level(served)
    assert tables(served)["Ann"] == 2


def test_who_is_hidden_has_initials_for_all_but_the_director(served: Served) -> None:
    before = served.get(STANDINGS, who=VIEWER)
    assert served.ask("PUT", "/players/Ann/hidden", who=DIRECTOR).status_code == 204
    assert tables(served) == tables(served, RECORDER) == {"A. K.": 1, "Anne": 1, "Ben": 2, "Cleo": 1, "Dora": 1}
    assert "Ann" in tables(served, DIRECTOR)
    tags = {served.get(STANDINGS, who=who).headers["etag"] for who in (VIEWER, DIRECTOR)}
    assert len({before.headers["etag"], *tags}) == 3
    assert served.ok("/tables/t/score")["players"][0] == "Ann"
    assert served.ask("DELETE", "/players/Ann/hidden", who=DIRECTOR).status_code == 204
    assert served.get(STANDINGS, who=VIEWER).json() == before.json()


def test_whom_others_do_not_see_they_find_by_initials_alone(served: Served) -> None:
    served.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    (row,) = served.ok(f"{STANDINGS}?player=A. K.")["rows"]
    assert row["player"] == "A. K."
    for name in ("Ann", "Anna Kowalska"):
        detail = served.problem(f"{STANDINGS}?player={name}", 404, "not_found")["detail"]
        assert detail.count("Ann") == (2 if name == "Ann" else 1) or "Anne" in detail
        assert "Kowalska" not in detail.replace(name, "")
        served.problem(f"/players/{name}", 404, "not_found")
        assert len(served.get(f"{STANDINGS}?player={name}", who=DIRECTOR).json()["rows"]) == 1
    page = served.ok("/players/A. K.")
    assert (page["player"], page["name"], page["tables"]) == ("A. K.", None, 1)


def test_lists_of_players_name_them_to_who_records(served: Served) -> None:
    served.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    seen = {row["player"]: row for row in served.ok("/players")}
    assert (seen["A. K."]["hidden"], seen["A. K."]["name"], "Ann" in seen) == (True, None, False)
    assert list(seen) == sorted(seen)
    (row,) = [row for row in served.get("/players", who=RECORDER).json() if row["hidden"]]
    assert (row["player"], row["name"]) == ("Ann", "Anna Kowalska")


def test_plots_and_standings_of_an_evening_say_initials_too(served: Served) -> None:
    served.ask("PUT", "/players/Ann/hidden", who=DIRECTOR)
    text = served.get("/plots/standings.json", who=VIEWER).text
    assert ("A. K." in text, "Kowalska" in text) == (True, False)
    assert "Kowalska" in served.get("/plots/standings.json", who=DIRECTOR).text


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


def test_what_another_process_names_is_seen(playing: Served) -> None:
    before = playing.get("/tables/open/score").headers["etag"]
    ledger.name_player(playing.ledger, "Ann", "Annie")

    async def seen() -> None:
        while (await playing.request("GET", "/tables/open/score")).headers["etag"] == before:
            await asyncio.sleep(0.02)

    playing.run(asyncio.wait_for(seen(), PATIENCE_S))
