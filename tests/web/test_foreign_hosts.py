"""Clients on this machine and pretenders, and the addresses that the service reports for itself."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import HTTPConnection

from ledger.service.running import Settings
from ledger.web.http.auth import peer_of
from ledger.web.server import sockets
from ledger.web.server.sockets import Listening, own_names, url_for_others, url_here
from tests.covering import covering
from tests.web.attacking import HOME, PHONE, Attacked, attacked
from tests.web.lists import rows_of, section
from tests.web.serving import ledger_of

OWN_NAMES = ("card-box", "card-box.local")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    """The service of `serve --host 0.0.0.0`: clients on this machine need no token."""
    with attacked(ledger_of(tmp_path), Settings(hosts=OWN_NAMES)) as one:
        yield one


@pytest.mark.parametrize(("settings", "target", "headers", "how", "expected"), rows_of("clients and pretenders"))
def test_a_client_is_let_in_by_its_address_and_the_host_it_asks_for(
    tmp_path: Path, settings: dict[str, Any], target: str, headers: list[list[str]], how: dict[str, str], expected: Any
) -> None:
    """Any name can point here; only a literal loopback address cannot. `expected`: a status, a code, or the token."""
    with attacked(ledger_of(tmp_path), msgspec.convert(settings, Settings)) as service:
        reply = service.get(target, *((name, value) for name, value in headers), **how)
    assert expected in (reply.status, reply.code, "loopback" if b'"token":"loopback"' in reply.body else None)


@pytest.mark.parametrize("host", ["", " ", *section("hostile_addresses.txt", "hosts")])
def test_a_name_that_is_not_ours_is_no_name_of_ours(service: Attacked, host: str) -> None:
    """A page of a foreign name that points here could read everything with the rights of its user."""
    for peer in (HOME, PHONE):
        for target in ("/me", "/health", "/tables", "/nothing"):
            assert service.get(target, host=host, peer=peer).code == "misdirected"
    assert service.get("/me", host=host, token=service.token("the-admin", "admin")).status == 421
    assert service.browse("/", host=host).status == 421


@pytest.mark.parametrize("header", section("hostile_addresses.txt", "headers of proxies"))
def test_who_comes_through_a_proxy_is_not_at_the_machine(service: Attacked, header: str) -> None:
    for value in ("127.0.0.1", "for=127.0.0.1", ""):
        assert service.get("/me", (header, value), peer=HOME).code == "unauthenticated"


ORIGINS = (
        "http://evil.example", "null", "", "http://127.0.0.1:8080", "http://127.0.0.1.evil.example", "127.0.0.1",
        "file://", "http://127.0.0.1@evil.example", "://", "http://", "chrome-extension://abc", "http://127.0.0.1/",
)  # fmt: skip


@pytest.mark.parametrize(("method", "origin"), covering(("GET", "POST", "DELETE", "PUT", "HEAD"), ORIGINS))
def test_no_foreign_page_has_the_rights_of_this_machines_user(service: Attacked, method: str, origin: str) -> None:
    target = {"POST": "/tokens", "DELETE": "/tokens/x", "PUT": "/queries/x"}.get(method, "/tokens")
    reply = service.ask(method, target, ("origin", origin), ("content-type", "application/json"), peer=HOME)
    assert reply.status == 403
    assert method == "HEAD" or reply.code == "csrf"


@pytest.mark.parametrize(("site", "mode"), covering(("cross-site", "same-site"), ("no-cors", "cors", "websocket")))
def test_foreign_pages_without_an_origin_are_known_by_fetch_metadata(service: Attacked, site: str, mode: str) -> None:
    """Browsers send no `Origin` with pictures and scripts of other sites."""
    headers = (("sec-fetch-site", site), ("sec-fetch-mode", mode))
    assert service.get("/tables", *headers, peer=HOME).code == "csrf"
    assert service.get("/tables", ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", mode), peer=HOME).status == 200


@pytest.mark.parametrize(
    ("site", "mode", "way"), covering(("cross-site", "same-site"), ("navigate", "no-cors"), ("json", "form"))
)
def test_a_foreign_form_without_an_origin_changes_nothing(service: Attacked, site: str, mode: str, way: str) -> None:
    """Some browsers send a form from elsewhere without `Origin`; on this machine nobody needs a token."""
    headers = (("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", "document"))
    if way == "json":
        reply = service.post("/tokens", {"id": "evil", "role": "admin"}, *headers, peer=HOME)
        assert reply.code == "csrf"
    else:
        sent = ("content-type", "application/x-www-form-urlencoded")
        reply = service.ask("POST", "/settings", sent, *headers, content=b"lang=ja", is_page=True, peer=HOME)
        assert reply.status == 403
    assert service.access.tokens() == []


class Bound:
    def __init__(self, address: str, port: int = 8750) -> None:
        self._name = (address, port)

    def getsockname(self) -> tuple[str, int]:
        return self._name


def listening(*sockets: Bound, is_tls: bool = False) -> Listening:
    return Listening(sockets=sockets, tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if is_tls else None)  # type: ignore[arg-type]


@pytest.fixture
def in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "lan_addresses", lambda: ["192.168.1.5", "2001:db8::5"])


@pytest.mark.parametrize(("address", "here", "others"), rows_of("addresses"))
def test_the_addresses_are_those_listened_at(in_a_network: None, address: str, here: str, others: str | None) -> None:
    at = listening(Bound(address))
    assert (url_here(at), url_for_others(at)) == (here, others)


def test_a_default_port_is_not_shown(in_a_network: None) -> None:
    assert url_here(listening(Bound("0.0.0.0", 443), is_tls=True)) == "https://127.0.0.1/"
    assert url_here(listening(Bound("0.0.0.0", 80))) == "http://127.0.0.1/"
    assert url_here(listening(Bound("0.0.0.0", 443))) == "http://127.0.0.1:443/"


def test_without_a_network_nobody_else_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "lan_addresses", list)
    assert url_for_others(listening(Bound("0.0.0.0"))) is None


def test_a_machine_is_called_by_its_name_and_those_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Card-Box.club.example")
    names = own_names("0.0.0.0", ("Cards.Example",))
    assert {"card-box", "card-box.local", "card-box.club.example", "cards.example"} <= set(names)


@pytest.mark.parametrize(("proxy", "address", "expected"), rows_of("peers behind a proxy"))
def test_who_asks_is_whom_a_proxy_on_this_machine_names_last(proxy: bool, address: str, expected: str) -> None:
    """Other machines in the network could forge the header."""
    headers = [(b"x-forwarded-for", b"203.0.113.9, 198.51.100.7")]
    connection = HTTPConnection({"type": "http", "client": (address, 5000), "headers": headers})
    assert peer_of(Settings(proxy=proxy), connection) == expected
