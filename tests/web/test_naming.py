"""The names shown for players: set and erased while the ledger is served."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from tests.patience import PATIENCE_S
from tests.web.sending import an_open_table
from tests.web.serving import DIRECTOR, Served, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(an_open_table(tmp_path)) as one:
        yield one


def names_of(served: Served) -> dict[str, str]:
    with ledger.open(served.ledger, access="read") as store:
        return store.display_names()


def test_a_name_is_shown_until_it_is_erased(served: Served) -> None:
    before = served.get("/tables/open/score").headers["etag"]
    answer = served.ask("PUT", "/players/Ann/name", json={"name": "Annie"}, who=DIRECTOR)
    assert (answer.status_code, answer.json()) == (200, {"player": "Ann", "name": "Annie"})
    assert names_of(served) == {"Ann": "Annie"}
    shown = served.get("/tables/open/score").headers["etag"]
    assert shown != before
    assert served.ask("DELETE", "/players/Ann/name", who=DIRECTOR).status_code == 204
    assert names_of(served) == {}
    assert served.get("/tables/open/score").headers["etag"] not in (before, shown)


def test_a_name_that_is_erased_stands_in_no_file(served: Served) -> None:
    served.ask("PUT", "/players/Ann/name", json={"name": "Wilhelmina"}, who=DIRECTOR)
    served.get("/tables/open/score")
    served.ask("DELETE", "/players/Ann/name", who=DIRECTOR)
    for file in served.ledger.parent.glob("club.ledger*"):
        assert b"Wilhelmina" not in file.read_bytes(), file


def test_a_name_is_erased_while_others_read(served: Served) -> None:
    served.ask("PUT", "/players/Ann/name", json={"name": "Annie"}, who=DIRECTOR)

    async def meanwhile() -> list[int]:
        reads = [served.asked("GET", f"/tables/open/score?as_of={at % 4 + 1}") for at in range(20)]
        erased = served.asked("DELETE", "/players/Ann/name", who=DIRECTOR)
        return [answer.status_code for answer in await asyncio.gather(erased, *reads)]

    assert served.run(meanwhile()) == [204, *[200] * 20]


def test_what_another_process_names_is_seen(served: Served) -> None:
    before = served.get("/tables/open/score").headers["etag"]
    ledger.name_player(served.ledger, "Ann", "Annie")

    async def seen() -> None:
        while (await served.asked("GET", "/tables/open/score")).headers["etag"] == before:
            await asyncio.sleep(0.02)

    served.run(asyncio.wait_for(seen(), PATIENCE_S))
