"""Requests at the limits of HTTP, and answers that must match their tags and headers exactly."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import ledger
from ledger.access.grants import Grant
from ledger.service import running
from ledger.service.query_cache import QueryCache
from ledger.service.running import Service, Settings
from ledger.service.visibility import VisibleHead, visible_head
from ledger.web.api import exports
from tests.patience import PATIENCE_S
from tests.web.in_process import scope_of
from tests.web.serving import HOME, OMBRE, SEER, Served, ledger_of, ledger_with, record, serving

OPENED = OMBRE[0]
BOUND = Grant(token="bound-1", role="director", tables=("one",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return ledger_with(tmp_path, {"one": OMBRE, "two": [OPENED]})


@pytest.fixture
def served(path: Path) -> Iterator[Served]:
    with serving(path) as service:
        yield service


@pytest.mark.parametrize("known", ["*", '"1-1"'])
def test_a_stream_that_somebody_may_not_see_is_not_there_whatever_he_knows(served: Served, known: str) -> None:
    seen = served.get("/streams/table/two/entries", who=SEER).headers["etag"]
    for tag in (known, seen, seen.replace("all", "seen")):
        served.problem("/streams/table/two/entries", 404, "not_found", who=BOUND, headers={"if-none-match": tag})
        served.problem("/streams/table/none/entries", 404, "not_found", who=BOUND, headers={"if-none-match": tag})


def test_a_slash_in_a_name_is_part_of_the_name(tmp_path: Path) -> None:
    with serving(ledger_with(tmp_path, {"one": [{**OPENED, "players": ["Ann/Anne", "Ben", "Cleo"]}]})) as served:
        assert served.ok("/tables/one")["players"][0] == "Ann/Anne"
        assert served.ok("/tables/%6Fne")["table"] == "one"


def test_tags_say_what_the_answers_rest_on_from_the_first_one_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process records while the service is starting."""

    def meanwhile(store: Any, *given: Any) -> VisibleHead:
        with ledger.open(path) as other:
            record(other, "one", {"type": "noted", "text": "tea"})
            record(other, "three", OPENED)
        return visible_head(store, *given)

    monkeypatch.setattr(running, "visible_head", meanwhile)
    with serving(path) as served:
        assert served.get("/tables/one").headers["etag"].startswith('"5-0.')
        assert served.service.versions["table/three"] == 1


def test_what_the_read_model_answers_is_of_the_position_that_its_tag_names(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two steps of a catch-up, earlier answers are still cached."""
    monkeypatch.setattr(QueryCache, "forget", lambda self: None)
    served.run(level(served.service))
    before = served.get("/sessions", who=SEER)
    served.record("session/spring", {"type": "session_opened", "title": "Spring", "date": "2026-03-01"})
    served.run(level(served.service))
    after = served.get("/sessions", who=SEER)
    assert after.headers["etag"] != before.headers["etag"]
    assert [one["session"] for one in after.json()] == ["spring"]


async def level(service: Service) -> None:
    assert await asyncio.to_thread(service.history.is_level_with, service.visible.head.position, within_s=PATIENCE_S)


def test_an_export_that_is_broken_off_does_not_look_whole(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PIECE_BYTES", 1)
    headers = {"authorization": f"Bearer {served._access.secret_of(SEER)}"}
    export = httpx.Request("GET", f"{HOME}/api/v1/export", headers=headers)
    sent: list[dict[str, Any]] = []

    async def broken_off() -> None:
        has_begun = asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message)
            if message.get("body"):
                has_begun.set()
                await asyncio.sleep(60)

        async def receive() -> Any:
            return {"type": "http.request"}

        task = asyncio.create_task(served.app(scope_of(export), receive, send))
        await asyncio.wait_for(has_begun.wait(), PATIENCE_S)
        task.cancel()
        await asyncio.wait([task])

    served.run(broken_off())
    assert len(sent) == 2
    assert sent[-1]["more_body"]


def test_a_request_that_stops_short_is_answered_and_no_longer_counted(served: Served) -> None:
    """A future cannot hold `StopIteration`."""

    def stops() -> None:
        next(iter(()))

    with pytest.raises(RuntimeError):
        served.run(asyncio.wait_for(served.service.run_in_thread(stops), PATIENCE_S))


def test_a_case_as_of_an_entry_of_another_table_is_readable_without_access_to_that_table(tmp_path: Path) -> None:
    disputed = [*OMBRE, {"type": "dispute_raised", "deal": 1, "text": "who led?"}]
    path = ledger_with(tmp_path, {"one": disputed, "two": [OPENED], "table/one": [{"type": "noted", "text": "tea"}]})
    with serving(path) as served:
        request = served.request("GET", "/tables/one/disputes/5/case?as_of=6", who=BOUND)
        assert served.run(asyncio.wait_for(request, PATIENCE_S)).status_code == 200


def test_readers_of_a_ledger_that_took_the_place_of_another_let_go_of_the_first(served: Served) -> None:
    service = served.service
    for _ in range(8):
        served.run(service.run_in_thread(service.store))
    opened = len(service._stores)
    for _ in range(5):
        service.writer.reopened += 1
        for _ in range(8):
            served.run(service.run_in_thread(service.store))
    assert len(service._stores) <= opened + running.READERS


def test_tables_are_cached_by_how_long_they_are(tmp_path: Path) -> None:
    with serving(ledger_with(tmp_path, {"one": [OPENED, *[{"type": "noted", "text": "tea"}] * 999]})) as served:
        for position in range(850, 1_000):
            served.ok(f"/tables/one/score?as_of={position}")
        entries = sum(len(read.fold.recorded) for _, read in served.service.folds._answers.values())
        assert 0 < entries <= running.FOLDED_ENTRIES
        assert len(served.service.folds) < 150


def test_each_watcher_of_a_public_service_has_requests_of_his_own(path: Path) -> None:
    with serving(path, Settings(loopback=False, public=True)) as served:
        served.app._in_flight["public"] = 32
        assert served.get("/tables", who=None).status_code == 200


def test_the_root_answers_with_its_slash_and_without(tmp_path: Path) -> None:
    with serving(ledger_of(tmp_path)) as served:
        assert served.ok("") == served.ok("/")
