"""Requests as an attacker makes them: byte for byte, from any address, to a service with real tokens.

    with attacked(ledger_of(tmp_path), Settings()) as service:
        service.ask("GET", "/tables", ("host", "evil.example"), peer="127.0.0.1")

No client library normalises the requests. Every answer is checked for what all answers have in common.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote, urlencode

from ledger.access.base import NewCode, NewToken
from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from ledger.log.base import Clock, utc_now
from ledger.log.paths import access_of
from ledger.service.running import Service, Settings
from ledger.web.app import App
from ledger.web.http.access_log import AccessLog
from ledger.web.http.routing import HTML, PREFIX
from tests.web.in_process import answer_of
from tests.web.serving import a_service

HOME: Final = "127.0.0.1"
PHONE: Final = "192.168.1.20"
"""An address in the club's network."""

_CONTROLS: Final = re.compile(rb"[\x00-\x1f\x7f]")
_SECURED: Final = ("x-content-type-options", "content-security-policy", "x-robots-tag", "referrer-policy", "vary")

_PLAIN: Final[Mapping[str, Any]] = {
    "type": "http", "http_version": "1.1", "scheme": "http", "method": "GET", "query_string": b"",
    "headers": [(b"host", HOME.encode())], "client": (HOME, 5000), "server": (HOME, 8750),
}  # fmt: skip

Result = TypeVar("Result")


class Reply(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str | None:
        """The code of the problem."""
        code: str | None = self.json["code"] if self.status >= 400 and self.body else None
        return code

    @property
    def cookie(self) -> str:
        """The cookie that a browser sends back after the answer."""
        (line,) = self.all("set-cookie")
        return line.partition(";")[0]


class Attacked:
    """A service with real tokens, and its whole log."""

    def __init__(self, service: Service, runner: asyncio.Runner, access: AccessStore) -> None:
        self.service = service
        self.access = access
        self.log: list[bytes] = []
        self._app = App(service, AccessLog(self._write))
        self._runner = runner

    def _write(self, event: str, **values: Any) -> None:
        self.log.append(json.dumps({"event": event, **values}).encode() + b"\n")

    def run(self, work: Awaitable[Result]) -> Result:
        return self._runner.get_loop().run_until_complete(work)

    def ask(self, method: str, target: str, *headers: tuple[str, str], **how: Any) -> Reply:
        return self.run(self.request(method, target, *headers, **how))

    def get(self, target: str, *headers: tuple[str, str], **how: Any) -> Reply:
        return self.ask("GET", target, *headers, **how)

    def browse(
        self, target: str, *headers: tuple[str, str], form: Mapping[str, str] | None = None, **how: Any
    ) -> Reply:
        """Request a page, or send its form; a form is sent from a page of ours unless `origin` is given."""
        if form is None:
            return self.ask("GET", target, *headers, is_page=True, **how)
        if not any(name == "origin" for name, _ in headers):
            headers = (*headers, ("origin", f"http://{how.get('host', HOME)}"))
        sent = ("content-type", "application/x-www-form-urlencoded")
        return self.ask("POST", target, sent, *headers, content=urlencode(form).encode(), is_page=True, **how)

    def post(self, target: str, body: Any, *headers: tuple[str, str], **how: Any) -> Reply:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", target, ("content-type", "application/json"), *headers, content=content, **how)

    async def request(
        self,
        method: str,
        target: str,
        *headers: tuple[str, str],
        token: str | None = None,
        cookie: str | None = None,
        csrf: str | None = None,
        host: str | None = HOME,
        peer: str = PHONE,
        here: str = HOME,
        content: bytes = b"",
        is_page: bool = False,
    ) -> Reply:
        """Send a request. `target`: below `/api/v1` unless `is_page`, percent-encoded. `csrf`: as our page sends it."""
        fields = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        if host is not None:
            fields.append((b"host", host.encode("latin-1")))
        if token is not None:
            fields.append((b"authorization", f"Bearer {token}".encode("latin-1")))
        if cookie is not None:
            fields.append((b"cookie", cookie.encode()))
        if csrf is not None:
            fields += [(b"x-csrf-token", csrf.encode()), (b"origin", f"http://{host}".encode())]
        if is_page:
            fields.append((b"accept", b"text/html,application/xhtml+xml,*/*;q=0.8"))
        path, _, query = (target if is_page else PREFIX + target).partition("?")
        scope = {
            "method": method, "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(),
            "headers": fields, "client": (peer, 5000), "server": (here, 8750),
        }  # fmt: skip
        return await self.called(scope, content)

    async def called(self, scope: Mapping[str, Any], content: bytes = b"") -> Reply:
        """Call the app as uvicorn would; by default with a plain request from this machine."""
        scope = {**_PLAIN, **scope}
        status, raw, body = await answer_of(self._app, scope, content)
        reply = Reply(status, [(name.decode(), value.decode("latin-1")) for name, value in raw], body)
        _check(reply, raw, scope["method"])
        return reply

    def token(self, id: str, role: str = "viewer", **rights: Any) -> str:
        return self.access.add_token(NewToken(id=id, role=role, **rights)).secret  # type: ignore[arg-type]

    def code(self, *tables: str, role: str = "recorder", **rights: Any) -> str:
        """Issue a code for these tables, valid for an hour."""
        until = f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%S.000000Z}"
        return self.access.add_code(NewCode(**{"tables": tables, "role": role, "until": until, **rights})).secret

    def signed_in(self, secret: str, name: str | None = None, **how: Any) -> tuple[str, str]:
        """Sign a browser in with a token or a code; return its cookie and CSRF token."""
        sent = {"code" if secret.isdecimal() else "token": secret, "name": name}
        reply = self.post("/sign-in", sent, **how)
        assert reply.status == 204, reply.body
        return reply.cookie, self.get("/me", **{**how, "cookie": reply.cookie}).json["csrf"]

    @property
    def logged(self) -> bytes:
        return b"".join(self.log)


Clients: TypeAlias = Mapping[str, tuple[Attacked, dict[str, Any]]]
"""The service and the request arguments of each kind of client."""


@contextmanager
def clients_by_role(club: Path, public: Path) -> Iterator[Clients]:
    """Yield the clients of `roles.txt` and `page_roles.txt`. `public`: an equal ledger that is served publicly."""
    in_public = Settings(public=True, loopback=False)
    with attacked(club, Settings()) as service, attacked(public, in_public) as public_service:
        of = {
            **{role: service.token(role, role) for role in ("viewer", "recorder", "director", "admin")},
            "bound": service.token("bound", "recorder", tables=("ours",)),
            "seated": service.token("seated", "viewer", tables=("ours",), seat=0),
            "opener": service.token("opener", "recorder", may_open=True),
            "other": service.token("other", "recorder", tables=("theirs",)),
        }
        yield {
            "nobody": (service, {"peer": PHONE}),
            "loopback": (service, {"peer": HOME}),
            "public": (public_service, {"peer": PHONE}),
            **{who: (service, {"token": token}) for who, token in of.items()},
        }


def filled(path: str, other: str = "x", **values: str) -> str:
    """Return the path of a route with these parameters; the others are of a table `ours`, or `other`."""
    there = {"kind": "table", "slug": "ours", "table": "ours", "deal": "1", "step": "1", "version": "1", **values}
    return re.sub(r"\{(\w+)\}", lambda parameter: there.get(parameter[1], other), path)


def _check(reply: Reply, raw: list[tuple[bytes, bytes]], method: str) -> None:
    assert not any(_CONTROLS.search(name + value) for name, value in raw), raw
    assert all(reply.header(name) for name in _SECURED)
    assert reply.status != 500, reply.body
    if reply.status >= 400 and method != "HEAD" and reply.header("content-type") != HTML:
        assert reply.header("content-type") == "application/problem+json"
        assert reply.json["status"] == reply.status
    if method == "HEAD":
        assert reply.body == b""


@contextmanager
def attacked(
    path: Path, settings: Settings | None = None, clock: Clock = utc_now, **elapsed: Any
) -> Iterator[Attacked]:
    """Serve a ledger with its own token file, by default only to tokens. `clock`, `elapsed_s`: the time of tokens."""
    access = AccessStore(SqliteRepository(access_of(path), "an-id"), clock=clock, **elapsed)
    service = a_service(path, settings or Settings(loopback=False), access)
    with asyncio.Runner() as runner:
        runner.run(service.start())
        try:
            yield Attacked(service, runner, access)
        finally:
            runner.run(service.stop())
