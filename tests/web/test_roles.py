"""Every route by every role, as in roles.txt. A route without a line in it fails."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.routing import ROUTES, Route
from tests.web.attacking import Clients, clients_by_role, filled
from tests.web.serving import OMBRE, ledger_with

WHO: Final = ("nobody", "viewer", "recorder", "director", "admin", "bound", "seated", "opener", "loopback", "public")
"""`bound`: a recorder of the table `ours`; `seated`: a viewer bound to a seat of it; `opener`: a recorder who may open
tables; `loopback`: a client on this machine; `public`: a client without a token at a public service.
"""


ROLES: Final = Path(__file__).with_name("roles.txt").read_text(encoding="utf-8")
EVENING: Final = {"type": "session_opened", "title": "Evening", "date": "2026-01-05"}
EXPECTED: Final = {
    (method, path): tuple(map(int, statuses))
    for method, path, *statuses in map(str.split, re.findall(r"^[A-Z].*", ROLES, re.MULTILINE))
}


def body_of(key: tuple[str, str], who: str) -> bytes:
    """Return a body for routes where the role alone does not decide."""
    id, slug = str(uuid4()), f"of-{who}"
    sent: dict[tuple[str, str], Any] = {
        ("POST", "/streams/{kind}/{slug}/entries"): {"entries": [{"id": id, "event": {"type": "noted", "text": "x"}}]},
        ("POST", "/tables"): {"id": id, "slug": slug, "event": OMBRE[0]},
        ("POST", "/sessions"): {"id": id, "slug": slug, "event": EVENING},
        ("POST", "/tables/{table}/disputes"): {"id": id, "deal": 1, "text": "x"},
        ("POST", "/batches"): {
            "batches": [{"stream": "table/ours", "entries": [{"id": id, "event": {"type": "noted", "text": "x"}}]}]
        },
    }  # fmt: skip
    return json.dumps(sent.get(key, {})).encode()


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
    statuses = tuple(status_for(clients, who, method, path) for who in WHO)
    assert dict(zip(WHO, statuses, strict=True)) == dict(zip(WHO, EXPECTED[method, path], strict=True))


def test_the_table_names_no_route_that_is_not_there() -> None:
    assert set(EXPECTED) <= {(one.method, one.path) for one in ROUTES}


def test_nobody_is_let_in_but_where_everybody_is() -> None:
    """The list of public routes, word for word."""
    assert {one.path for one in ROUTES if one.who == "none"} == {
        "/", "/openapi.json", "/health", "/ready", "/rules", "/rules/{rule}", "/sign-in",
    }  # fmt: skip


def test_no_route_can_be_declared_without_saying_who_may_ask() -> None:
    said = {"method": "GET", "path": "/x", "handler": print, "summary": ""}
    with pytest.raises(TypeError):
        Route(**said)  # type: ignore[arg-type]


def test_a_role_that_there_is_not_lets_nobody_in(clients: Clients) -> None:
    paths = ("/admin", "/tokens/x/y", "/debug", "/metrics")
    assert {status_for(clients, who, "GET", path) for who in WHO for path in paths} == {404}


def test_revoking_needs_an_admin_even_of_ones_own_token(clients: Clients) -> None:
    service, how = clients["director"]
    assert service.ask("DELETE", "/tokens/director", **how).status == 403
    assert service.get("/me", **how).status == 200


def test_nobody_gives_out_more_than_he_has(clients: Clients) -> None:
    wanted = {"id": "more", "role": "admin", "hands": True}
    for who in WHO:
        service, how = clients[who]
        expected = {"nobody": 401, "admin": 201, "loopback": 201}.get(who, 403)
        assert service.post("/tokens", {**wanted, "id": f"more-{who}"}, **how).status == expected
