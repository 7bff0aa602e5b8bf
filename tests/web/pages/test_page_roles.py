"""Every page and form by every role, as in `page_roles.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from ledger.web import handlers  # noqa: F401 - each module declares its pages
from ledger.web.http.routing import PAGES
from tests.web.attacking import Clients, Reply, clients_by_role
from tests.web.pages.forms import rows_in
from tests.web.serving import OMBRE, ledger_with

WHO, *_ROWS = rows_in("page_roles.txt")
EXPECTED: Final = {(method, path): tuple(map(int, statuses)) for method, path, *statuses in _ROWS}
_THERE: Final = {
    "table": "ours", "deal": "1", "step": "2", "session": "evening", "game": "kop", "code": "gone", "made": "x",
    "dispute": "2", "name": "pages.css", "version": "4",
    "id": "opener", "player": "Ben", "rule": "KOP-6.1",
}  # fmt: skip
_SENT: Final[dict[str, dict[str, str]]] = {
    "/settings": {"language": "en", "theme": "dark", "letters": "fr"},
    "/table-cards": {"tables": "ours", "address": "http://192.168.1.20"},
    "/names/{player}": {"do": "name", "value": "Benno"},
}
_EVENING: Final = {"type": "session_opened", "title": "Evening", "date": "2026-01-05"}


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    streams = {"ours": OMBRE, "theirs": OMBRE, "session/evening": [_EVENING]}
    with clients_by_role(*(ledger_with(tmp_path_factory.mktemp(name), streams) for name in ("club", "public"))) as one:
        yield one


def reply_to(clients: Clients, who: str, method: str, path: str) -> Reply:
    service, how = clients[who]
    at = re.sub(r"\{(\w+)\}", lambda match: _THERE[match[1]], path)
    return service.browse(at, form=_SENT.get(path, {}) if method == "POST" else None, **how)


@pytest.mark.parametrize(("method", "path"), sorted({(one.method, one.path) for one in PAGES}))
def test_each_role_is_let_in_where_it_may(clients: Clients, method: str, path: str) -> None:
    assert (method, path) in EXPECTED, "a new page needs a line in the table"
    statuses = tuple(reply_to(clients, who, method, path).status for who in WHO)
    assert dict(zip(WHO, statuses, strict=True)) == dict(zip(WHO, EXPECTED[method, path], strict=True))


@pytest.mark.parametrize("who", WHO)
def test_the_menu_leads_to_no_page_that_refuses(clients: Clients, who: str) -> None:
    page = reply_to(clients, who, "GET", "/").body.decode()
    (menu,) = re.findall(r'<nav aria-label="Main">(.*?)</nav>', page, re.DOTALL)
    links = re.findall(r'href="(/[^"]*)"', menu)
    assert {"/rules", "/settings", "/sign-in"} <= set(links)
    assert {reply_to(clients, who, "GET", link.partition("?")[0]).status for link in links} <= {200, 303}


def test_the_table_names_no_page_that_is_not_there() -> None:
    assert set(EXPECTED) == {(one.method, one.path) for one in PAGES}


def test_pages_open_to_everybody_are_named() -> None:
    assert {one.path for one in PAGES if one.who == "none"} == {
        "/", "/files/{made}/{name}", "/problems/{code}", "/rules", "/rules/{game}", "/settings", "/sign-in",
        "/worker.js", "/manifest.webmanifest",
    }  # fmt: skip


def test_a_stranger_sees_nothing_of_the_record(clients: Clients) -> None:
    for path in {one.path for one in PAGES if one.method == "GET"}:
        reply = reply_to(clients, "nobody", "GET", path)
        assert not re.search(rb"Ann|Cleo|theirs|Evening", reply.body), path


def test_who_is_bound_to_a_table_sees_no_other(clients: Clients) -> None:
    for path in ("/", "/tables", "/tables?q=theirs", "/tables?q=Ann"):
        service, how = clients["bound"]
        body = service.browse(path, **how).body
        assert b'href="/t/theirs' not in body
    assert b"/t/ours" in service.browse("/tables", **how).body


def test_every_page_says_what_a_browser_may_do_with_it(clients: Clients) -> None:
    for one in PAGES:
        reply = reply_to(clients, "admin", one.method, one.path)
        policy = reply.header("content-security-policy") or ""
        if one.is_page:
            assert "script-src 'self'" in policy and "style-src 'self'" in policy, one.path
        assert "unsafe" not in policy and "*" not in policy.replace("frame-ancestors *", ""), one.path
        assert reply.header("x-content-type-options") == "nosniff"
        assert not re.search(rb"<script>| style=| on[a-z]+=", reply.body) or not one.is_page, one.path
        if one.is_page and reply.status == 200:
            assert reply.header("cache-control") in ("private, no-cache", "no-store"), one.path


def test_a_phone_finds_the_name_of_the_club_and_its_pictures(clients: Clients) -> None:
    manifest = reply_to(clients, "nobody", "GET", "/manifest.webmanifest").json
    assert (manifest["name"], manifest["start_url"]) == ("club", "/")
    service, how = clients["nobody"]
    for icon in manifest["icons"]:
        reply = service.browse(icon["src"], **how)
        assert (reply.status, reply.header("content-type")) == (200, icon["type"])
