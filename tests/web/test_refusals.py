"""Requests of refusals.txt and exchanges.txt with their answers, and every route by every role, as in roles.txt."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx
import msgspec
import pytest
from msgspec import to_builtins

from ledger.access.grants import Grant
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.routing import ROUTES
from tests.contracts.log_builders import an_id
from tests.table.test_hiding import WHOLE
from tests.web.attacking import Clients, clients_by_role, filled
from tests.web.lists import lines_in, section
from tests.web.serving import ADMIN, DIRECTOR, NOBODY, OMBRE, RECORDER, SEER, VIEWER, Served, ledger_with

WHO: Final = {
    "nobody": NOBODY,
    "viewer": VIEWER,
    "recorder": RECORDER,
    "director": DIRECTOR,
    "seer": SEER,
    "admin": ADMIN,
    **msgspec.toml.decode(Path(__file__).with_name("clients.toml").read_bytes(), type=dict[str, Grant]),
}
DEFAULTS: Final = {
    "corrections": {"id": an_id(1), "action": "strike", "reason": "misread"},
    "disputes": {"id": an_id(1), "deal": 1},
    "rulings": {"id": an_id(1), "deal": 1},
}
"""The members that every body of such a request has."""


class Refusal(NamedTuple):
    who: str
    method: str
    path: str
    body: dict[str, Any] | None
    status: int
    code: str
    part: str


def refusals() -> Iterator[Refusal]:
    entries: dict[str, str] = {}
    section = ""
    for line in Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[entries]" and line:
            name, event = line.split(maxsplit=1)
            entries[name] = f'{{"id": "{an_id(100 + len(entries))}", "event": {event}}}'
        elif section and line:
            yield from refusals_of(line, entries)


def refusals_of(line: str, entries: dict[str, str]) -> Iterator[Refusal]:
    request, _, refused = line.rpartition(" | ")
    who, method, path, *text = request.split(" ", 3)
    status, code, *part = refused.split(" ", 2)
    body = None
    if text:
        text = [re.sub(r"\.\.\.<([\w-]+)>", lambda match: entries[match[1]].strip("{}") + "}", text[0])]
        body = json.loads(re.sub(r"<([\w-]+)>", lambda match: entries[match[1]], text[0]))
        body = {**DEFAULTS.get(path.rpartition("/")[2], {}), **body}
    for one in expanded(path):
        yield Refusal(who, method, one, body, int(status), code, "".join(part))


def expanded(path: str) -> list[str]:
    before, brace, rest = path.partition("{")
    if not brace:
        return [path]
    choices, _, after = rest.partition("}")
    return [before + choice + end for choice in choices.split(",") for end in expanded(after)]


@pytest.mark.parametrize("refusal", [*refusals()], ids=lambda one: f"{one.who} {one.method} {one.path} {one.code}")
def test_what_is_refused_is_a_problem_and_records_nothing(served: Served, refusal: Refusal) -> None:
    before = served.service.visible
    sent = {} if refusal.body is None else {"json": refusal.body}
    answer = served.ask(refusal.method, refusal.path, who=WHO[refusal.who], **sent)
    assert (answer.status_code, answer.json()["code"]) == (refusal.status, refusal.code), answer.text
    assert refusal.part in answer.text
    after = served.service.visible
    assert (after.head, after.names, after.persons) == (before.head, before.names, before.persons)
    assert served.service.hub.listening == 0


FILE: Final = Path(__file__).with_name("exchanges.txt")
EVENTS: Final = dict(line.split(maxsplit=1) for line in section(FILE, "events")) | {
    f"{game}-{number}": json.dumps(to_builtins(event))
    for game, events in (("ombre", OMBRE), ("kop", WHOLE))
    for number, event in enumerate(events, 1)
}


def exchanges() -> dict[str, list[str]]:
    by_title: dict[str, list[str]] = {}
    for line in lines_in(FILE):
        if line.startswith("== "):
            by_title[line.removeprefix("== ")] = lines = []
        elif line.startswith("after "):
            lines += by_title[line.removeprefix("after ")]
        elif by_title:
            lines.append(line)
    return by_title


EXCHANGES: Final = exchanges()


@pytest.mark.parametrize("title", EXCHANGES)
def test_an_exchange_takes_its_course(own: Served, title: str) -> None:
    answers: list[httpx.Response] = []
    for line in EXCHANGES[title]:
        request, _, expected = line.rpartition(" | ")
        status, _, content = expected.partition(" ")
        code, _, pattern = content.partition(" ") if content[:1].isalpha() else ("", "", content)
        again = re.fullmatch(r"again (\d+)", request)
        answer = sent(own, EXCHANGES[title][int(again[1]) - 1].rpartition(" | ")[0] if again else request)
        assert (answer.status_code, answer.json().get("code", "") if code else "") == (int(status), code), (
            f"{line}\n{answer.text}"
        )
        if again and answer.status_code == 200:
            assert answer.json() == {**answers[int(again[1]) - 1].json(), "already_recorded": True}, line
        if pattern.startswith('"'):
            assert json.loads(pattern) in answer.text, f"{line}\n{answer.text}"
        elif pattern:
            assert_contains(answer.json(), json.loads(in_full(pattern)), line)
        answers.append(answer)


def sent(served: Served, request: str) -> httpx.Response:
    who, method, path, *rest = request.split(" ", 3)
    text, headers, body = "".join(rest), {}, None
    if text.startswith("{"):
        text = re.sub(r"<(\d+) ([\w-]+)>", lambda entry: f'{{"id": {entry[1]}, "event": {EVENTS[entry[2]]}}}', text)
        body, end = json.JSONDecoder().raw_decode(in_full(text))
        body, text = {**DEFAULTS.get(path.rpartition("/")[2], {}), **body}, in_full(text)[end:]
    if text:
        name, _, value = text.strip().partition(":")
        headers[name.lower()] = value.strip()
    return served.ask(method, path, who=WHO[who], headers=headers, **({} if body is None else {"json": body}))


def in_full(text: str) -> str:
    """Return JSON with its events and ids in full."""
    text = re.sub(r"<([\w-]+)>", lambda name: EVENTS[name[1]], text)
    return re.sub(r'("id": )(\d+)', lambda id: f'{id[1]}"{an_id(int(id[2]))}"', text)


def assert_contains(answer: Any, pattern: Any, line: str) -> None:
    """Check that an answer has all members of a pattern; its lists have as many items, or go on after `"..."`."""
    if isinstance(pattern, dict):
        for name, value in pattern.items():
            assert name in answer, f"{line}\n{answer}"
            assert_contains(answer[name], value, line)
    elif isinstance(pattern, list):
        items = pattern[:-1] if pattern[-1:] == ["..."] else pattern
        assert len(answer) == len(pattern) or (items != pattern and len(answer) >= len(items)), f"{line}\n{answer}"
        for one, other in zip(answer, items, strict=False):
            assert_contains(one, other, line)
    else:
        assert answer == pattern, f"{line}\n{answer}"


ROLES: Final = ("nobody", "viewer", "recorder", "director", "admin", "bound", "seated", "opener", "loopback", "public")
"""`bound`, `seated`: at the table `ours`; `opener`: may open tables; `public`: nobody, at a public service."""


STATUSES: Final = Path(__file__).with_name("roles.txt").read_text(encoding="utf-8")
EXPECTED: Final = {
    (method, path): tuple(map(int, statuses))
    for method, path, *statuses in map(str.split, re.findall(r"^[A-Z].*", STATUSES, re.MULTILINE))
}

BODIES: Final = {
    (method, path): body
    for method, path, body in (line.split(" ", 2) for line in lines_in(Path(__file__).with_name("roles_bodies.txt")))
}


def body_of(key: tuple[str, str], who: str) -> bytes:
    """Return a body for routes where the role alone does not decide."""
    body = BODIES.get(key, "{}").replace("OPENED", json.dumps(OMBRE[0]))
    return body.replace("ID", str(uuid4())).replace("SLUG", f"of-{who}").encode()


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    paths = (ledger_with(tmp_path_factory.mktemp(name), {"ours": OMBRE}) for name in ("club", "public"))
    with clients_by_role(*paths) as one:
        yield one


def status_for(clients: Clients, who: str, method: str, path: str) -> int:
    key = (method, path)
    path = filled(path, "nothing-of-that-name")
    service, how = clients[who]
    method = "HEAD" if path == "/live" else method  # it would not end
    return service.ask(method, path, ("content-type", "application/json"), content=body_of(key, who), **how).status


@pytest.mark.parametrize(("method", "path"), sorted({(one.method, one.path) for one in ROUTES}))
def test_each_role_is_let_in_where_it_may(clients: Clients, method: str, path: str) -> None:
    assert (method, path) in EXPECTED, "a new route needs a line in the table"
    statuses = tuple(status_for(clients, who, method, path) for who in ROLES)
    assert dict(zip(ROLES, statuses, strict=True)) == dict(zip(ROLES, EXPECTED[method, path], strict=True))


def test_the_table_names_no_route_that_is_not_there() -> None:
    assert set(EXPECTED) <= {(one.method, one.path) for one in ROUTES}


def test_nobody_is_let_in_but_where_everybody_is() -> None:
    """The list of public routes, word for word."""
    assert {one.path for one in ROUTES if one.who == "none"} == {
        "/", "/openapi.json", "/health", "/ready", "/rules", "/rules/{rule}", "/sign-in",
    }  # fmt: skip


def test_a_role_that_there_is_not_lets_nobody_in(clients: Clients) -> None:
    paths = ("/admin", "/tokens/x/y", "/debug", "/metrics")
    assert {status_for(clients, who, "GET", path) for who in ROLES for path in paths} == {404}


def test_revoking_needs_an_admin_even_of_ones_own_token(clients: Clients) -> None:
    service, how = clients["director"]
    assert service.ask("DELETE", "/tokens/director", **how).status == 403
    assert service.get("/me", **how).status == 200


def test_nobody_gives_out_more_than_he_has(clients: Clients) -> None:
    wanted = {"id": "more", "role": "admin", "hands": True}
    for who in ROLES:
        service, how = clients[who]
        expected = {"nobody": 401, "admin": 201, "loopback": 201}.get(who, 403)
        assert service.post("/tokens", {**wanted, "id": f"more-{who}"}, **how).status == expected
