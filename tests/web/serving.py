"""A ledger served in this process, without a socket.

    with serving(ledger_of(tmp_path, REVOKE)) as served:
        answer = served.get("/tables/ombre-revoke/score", who=VIEWER)

Endless streams cannot be read so: an answer is returned when it is complete.
"""

import asyncio
import json
import sys
import tomllib
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, TypeVar
from unittest.mock import patch

import httpx
import msgspec

import ledger
from ledger.access.base import Denial
from ledger.access.grants import Grant
from ledger.access.service import AccessStore
from ledger.events import Event
from ledger.log.base import Batch, LogStore, NewEntry, Row
from ledger.service.running import Service, Settings
from ledger.streams import TABLE
from ledger.web.app import App
from ledger.web.http.access_log import AccessLog
from ledger.web.http.routing import PREFIX
from tests.patience import PATIENCE_S
from tests.web.conforming import assert_conforms
from tests.web.in_process import InProcess
from tests.web.late_history import LateHistory
from tests.web.roles import ADMIN, BY_ROLE, DIRECTOR, NOBODY, RECORDER, SEER, VIEWER  # noqa: F401 - for all who serve

HOME: Final = "http://127.0.0.1"

Result = TypeVar("Result")


class Secrets(Protocol):
    """An access store whose secrets the tests have."""

    def secret_of(self, grant: Grant) -> str: ...


class Access:
    """An access store for tests: a secret has the rights that it was issued for."""

    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}

    def secret_of(self, grant: Grant) -> str:
        secret = f"secret-{grant.recorded_by}-{hash(grant):x}"
        self._grants[secret] = grant
        return secret

    def grant_of(self, token: str) -> Grant | Denial:
        return self._grants.get(token, "unknown")

    def clock_ahead(self) -> None:
        pass

    def close(self) -> None:
        pass


def a_service(path: Path, settings: Settings, access: AccessStore) -> Service:
    """Return a service that builds its read model at the first query."""
    with patch("ledger.service.running.ServedHistory", LateHistory):
        return Service(path, settings, access)


def faults_alone(event: str, **values: Any) -> None:
    """Write faults of the service to pytest's output, and no requests."""
    if event == "fault":
        print(json.dumps(values), file=sys.stderr)


class Served:
    """A service and its clients. Every answer is checked for what all answers have in common."""

    def __init__(
        self, service: Service, runner: asyncio.Runner, access: Secrets, log: Callable[[Service], AccessLog]
    ) -> None:
        self.service = service
        self._runner = runner
        self._access = access
        self.app = App(service, log(service))
        self._transport = InProcess(self.app)
        self.client = httpx.AsyncClient(transport=self._transport, base_url=HOME)
        """A client that keeps cookies as a browser does; `request` keeps none, and is faster."""

    @property
    def ledger(self) -> Path:
        return self.service.ledger

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in the loop of the service. `Runner.run` would set two handlers of signals each time."""
        return self._runner.get_loop().run_until_complete(work)

    async def request(
        self,
        method: str,
        path: str,
        *,
        who: Grant | None = VIEWER,
        headers: Mapping[str, str] | None = None,
        is_page: bool = False,
        **sent: Any,
    ) -> httpx.Response:
        """Send one request, for tests that send several at once. `path`: below `/api/v1` unless it is of a page."""
        fields = dict(headers or {})
        if who is not None:
            fields["authorization"] = f"Bearer {self._access.secret_of(who)}"
        url = HOME + (path if is_page else PREFIX + path)
        request = httpx.Request(method, url, headers={"accept": "*/*", **fields}, **sent)
        answer = await self._transport.handle_async_request(request)
        answer.request = request
        await answer.aread()
        if not is_page:
            assert_as_all_are(answer)
        return answer

    def ask(self, method: str, path: str, **how: Any) -> httpx.Response:
        return self.run(self.request(method, path, **how))

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self.ask("GET", path, **how)

    def head(self, path: str, **how: Any) -> httpx.Response:
        return self.ask("HEAD", path, **how)

    def post(self, path: str, body: Any = None, **how: Any) -> httpx.Response:
        """Send a body as JSON; other bodies by `content`."""
        return self.ask("POST", path, **({} if body is None else {"json": body}), **how)

    def ok(self, path: str, **how: Any) -> Any:
        """Return the answer to a read as JSON; it must have succeeded."""
        answer = self.get(path, **how)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def problem(self, path: str, status: int, code: str, *, method: str = "GET", **how: Any) -> dict[str, Any]:
        """Return the problem that a request ends in."""
        answer = self.ask(method, path, **how)
        assert (answer.status_code, answer.json().get("code")) == (status, code), answer.text
        body: dict[str, Any] = answer.json()
        return body

    def record(self, stream: str, *events: Event, by: str = "another-process") -> None:
        """Record as another process would, and wait until the service has taken it in."""
        with ledger.open(self.ledger) as store:
            record(store, stream, *events, by=by)
            last = store.head().position
        self.run(self._level_with(last))

    def level(self) -> None:
        """Wait until the read model has everything."""
        visible, history = self.service.visible, self.service.history
        history.wake(visible)
        assert history.is_level_with(visible.head.position, visible.persons, within_s=PATIENCE_S), history.failure

    async def _level_with(self, position: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.service.visible.head.position < position:
                await asyncio.sleep(0.01)


def assert_as_all_are(answer: httpx.Response) -> None:
    """Check what every answer of the service has in common, and its OpenAPI description."""
    assert_conforms(answer)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["vary"] == "Accept, Accept-Language, Authorization, Cookie"
    if answer.request.method == "HEAD" or answer.status_code in (204, 304):
        assert answer.content == b""
    if answer.status_code >= 400 and answer.request.method != "HEAD":
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["type"] == f"/problems/{problem['code']}"
        assert problem["instance"] == answer.request.url.path
        assert problem["title"] and problem["detail"]


@contextmanager
def serving(
    path: Path,
    settings: Settings | None = None,
    tokens: AccessStore | None = None,
    *,
    access: Secrets | None = None,
    log: Callable[[Service], AccessLog] = lambda service: AccessLog(faults_alone),
) -> Iterator[Served]:
    """Serve a ledger, by default only to grants. `tokens`: issued meanwhile; `access`: real tokens of the clients."""
    access = Access() if access is None else access
    service = a_service(path, settings or Settings(loopback=False), tokens or access)

    with asyncio.Runner() as runner:
        runner.run(service.start())
        served = Served(service, runner, access, log)
        try:
            yield served
        finally:
            runner.run(served.client.aclose())
            runner.run(service.stop())


def ledger_of(folder: Path, *hand_records: Path, name: str = "club.ledger") -> Path:
    """Return a new ledger with these hand records."""
    contents = tuple((one, one.read_bytes()) for one in hand_records)
    return _copied(_files_with(contents), folder / name)


def ledger_with(
    folder: Path,
    streams: Mapping[str, Sequence[Event | Mapping[str, Any]]],
    *hand_records: Path,
    by: str = "recorder-1",
) -> Path:
    """Return a new ledger with hand records, then entries of streams (tables also by slug); made once, and copied."""
    return _copied(_files_recorded(msgspec.json.encode(streams), by, hand_records), folder / "club.ledger")


def copy_of(folder: Path, make: Callable[[LogStore], None], *hand_records: Path) -> Path:
    """Return a ledger with these hand records and the entries of `make`; it is made once per worker, and copied."""
    return _copied(_files_made(make, hand_records), folder / "club.ledger")


def _copied(files: Mapping[str, bytes], path: Path) -> Path:
    for ending, content in files.items():
        path.with_name(f"{path.name}{ending}").write_bytes(content)
    return path


@cache
def _files_with(hand_records: tuple[tuple[Path, bytes], ...]) -> Mapping[str, bytes]:
    """Return the files of a ledger with these hand records, by the suffix of their names."""
    with TemporaryDirectory() as folder:
        with ledger.create(Path(folder, "made")) as store:
            for path, _ in hand_records:
                ledger.import_file(store, path, ledger.Recording(by="recorder-1"))
        return _files_of(Path(folder, "made"))


@cache
def _files_made(make: Callable[[LogStore], None], hand_records: tuple[Path, ...]) -> Mapping[str, bytes]:
    with TemporaryDirectory() as folder:
        path = ledger_of(Path(folder), *hand_records)
        with ledger.open(path) as store:
            make(store)
        return _files_of(path)


@cache
def _files_recorded(streams: bytes, by: str, hand_records: tuple[Path, ...]) -> Mapping[str, bytes]:
    with TemporaryDirectory() as folder:
        path = ledger_of(Path(folder), *hand_records)
        with ledger.open(path) as store:
            for stream, events in msgspec.json.decode(streams).items():
                record(store, stream, *events, by=by)
        return _files_of(path)


def _files_of(path: Path) -> Mapping[str, bytes]:
    return {file.name.removeprefix(path.name): file.read_bytes() for file in path.parent.iterdir()}


def record(store: LogStore, stream: str, *events: Event | Mapping[str, Any], by: str = "recorder-1") -> None:
    """Append entries to a stream; for a table its slug suffices."""
    full = stream if "/" in stream else TABLE.stream(stream)
    entries = tuple(
        NewEntry(msgspec.convert(event, Event) if isinstance(event, Mapping) else event)  # type: ignore[arg-type]
        for event in events
    )
    store.append(Batch(full, "any", entries), recorded_by=by)


def stored_rows(path: Path, stream: str) -> Sequence[Row]:
    """Return the rows of a stream."""
    with ledger.open(path, access="read") as store:
        return store.read_stream(stream)


def stored_events(path: Path, stream: str) -> list[Event]:
    """Return the events of a stream."""
    return [row.event() for row in stored_rows(path, stream)]


def lines_of(answer: httpx.Response) -> list[Any]:
    """Return the parsed lines of NDJSON."""
    return [json.loads(line) for line in answer.text.splitlines() if line]


def encoded(value: object) -> Any:
    """Return a Struct of the API as JSON, to be compared with an answer."""
    return json.loads(msgspec.json.encode(value))


def pages_of(served: Served, path: str, **how: Any) -> Iterator[Any]:
    """Yield the pages of a list, as JSON, following its links."""
    while path:
        answer = served.get(path, **how)
        yield answer.json()
        path = links_of(answer).get("next", "").removeprefix(PREFIX)


def links_of(answer: httpx.Response) -> dict[str, str]:
    """Return the addresses of a `Link` header by relation; the first of several."""
    links: dict[str, str] = {}
    for one in answer.headers.get_list("link", split_commas=True):
        address, _, parameters = one.strip().partition(">")
        relation = parameters.partition("rel=")[2].strip('"').partition('"')[0]
        links.setdefault(relation, address.removeprefix("<"))
    return links


OMBRE: Final[Sequence[Mapping[str, Any]]] = tuple(
    tomllib.loads(Path(__file__).with_name("open_deal.toml").read_text(encoding="utf-8"))["entries"]
)
"""A table whose first deal is open, hands and all."""
