"""Requests at the limits of HTTP, answers that match their tags, our replacements of Starlette, and reserved names."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from itertools import chain, permutations, zip_longest
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message

import ledger
from ledger.access.grants import Grant
from ledger.recording.new_names import RESERVED_SLUGS
from ledger.service import running
from ledger.service.query_cache import QueryCache
from ledger.service.running import Settings
from ledger.service.visibility import VisibleHead, visible_head
from ledger.text.site import files
from ledger.web import (
    handlers,  # noqa: F401 - it declares the routes
    pages,
)
from ledger.web.api import exports
from ledger.web.http.response import Response, StreamResponse
from ledger.web.http.routing import PAGES, ROUTES
from tests.patience import PATIENCE_S
from tests.web.in_process import scope_of
from tests.web.lists import rows_of
from tests.web.serving import DIRECTOR, HOME, OMBRE, SEER, Served, ledger_with, record, serving

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


def test_answers_of_the_read_model_are_as_of_their_tag(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the two steps of a catch-up, earlier answers are still cached."""
    monkeypatch.setattr(QueryCache, "forget", lambda self: None)
    served.level()
    before = served.get("/sessions", who=SEER)
    served.record("session/spring", {"type": "session_opened", "title": "Spring", "date": "2026-03-01"})
    served.level()
    after = served.get("/sessions", who=SEER)
    assert after.headers["etag"] != before.headers["etag"]
    assert [one["session"] for one in after.json()] == ["spring"]


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


TEMPLATES = Path(files.__file__).parent / "templates"


@pytest.mark.parametrize(("path", "methods"), rows_of("methods of a path"))
def test_allow_names_all_methods_of_a_path(tmp_path: Path, path: str, methods: str) -> None:
    with serving(ledger_with(tmp_path, {"one": OMBRE})) as served:
        assert served.ask("PATCH", path, who=DIRECTOR).headers["allow"] == methods


def test_a_response_that_is_sent_with_other_headers_stays_as_it_is() -> None:
    response = Response({"a": 1}, headers={"link": "</x>"})
    sent = response.with_headers({"link": "</y>", "etag": '"1"'}, ["a=b; Path=/"])
    assert dict(response.headers) == {"link": "</x>", "content-type": "application/json", "content-length": "7"}
    assert dict(sent.headers) == {**response.headers, "etag": '"1"', "set-cookie": "a=b; Path=/"}
    assert sent.body == b'{"a":1}'


def test_the_content_type_is_sent_as_it_is_named() -> None:
    assert Response(b"", media_type="text/csv").headers["content-type"] == "text/csv"
    assert "content-type" not in Response(status_code=204).headers


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stream_that_nobody_takes_is_let_go(method: str) -> None:
    async def pieces(ended: list[bool]) -> AsyncIterator[bytes]:
        try:
            yield b"one"
            yield b"two"
        finally:
            ended.append(True)

    async def never() -> Any:
        raise AssertionError("only the stream itself may read")

    async def send(message: Message) -> None:
        if message.get("body"):
            raise ConnectionResetError

    async def work() -> list[bool]:
        ended: list[bool] = []
        stream = pieces(ended)
        await anext(stream)
        response = StreamResponse(stream, {}, "text/plain")
        await asyncio.gather(response({"type": "http", "method": method}, never, send), return_exceptions=True)
        return [*ended]  # the end of the loop closes all that is left

    assert asyncio.run(work()) == [True]


def test_a_template_is_named_after_the_page_that_shows_it() -> None:
    """Parts are in folders, or included by other templates only."""
    shown = {
        (module.stem, name)
        for module in Path(pages.__file__).parent.glob("*.py")
        for name in re.findall(r'"([a-z_/]+)\.html"', module.read_text(encoding="utf-8"))
    }
    assert shown
    assert [(page, name) for page, name in sorted(shown) if "/" not in name and not name.startswith(page)] == []
    assert [name for _, name in sorted(shown) if not (TEMPLATES / f"{name}.html").is_file()] == []


NUMBERS = {"deal", "step", "version"}
"""Parameters that are numbers, and so are no words."""


def _pattern_of(path: str) -> re.Pattern[str]:
    """Return the pattern of paths that have the same address as this one for some parameters."""
    parts = re.split(r"\{(\w+)\}", path)
    names = [r"\{\w+\}" if name in NUMBERS else rf"(?P<{name}>[^/]+)" for name in parts[1::2]]
    return re.compile("".join(chain(*zip_longest(map(re.escape, parts[::2]), names, fillvalue=""))))


def test_no_stream_and_no_player_has_the_address_of_another_page() -> None:
    words = {
        (name, word)
        for routes in (ROUTES, PAGES)
        for path, other in permutations({one.path for one in routes}, 2)
        if (match := _pattern_of(path).fullmatch(other)) is not None
        for name, word in match.groupdict().items()
        if "{" not in word
    }
    assert words == {("table", slug) for slug in RESERVED_SLUGS}
