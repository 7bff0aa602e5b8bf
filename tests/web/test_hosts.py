"""The addresses that the service reports for itself and for its clients."""

from __future__ import annotations

import socket
import ssl

import pytest
from starlette.requests import HTTPConnection

from ledger.service.running import Settings
from ledger.web.http.auth import peer_of
from ledger.web.server import sockets
from ledger.web.server.sockets import Listening, own_names, url_for_others, url_here


class Bound:
    """A socket as far as its address."""

    def __init__(self, address: str, port: int = 8750) -> None:
        self._name = (address, port)

    def getsockname(self) -> tuple[str, int]:
        return self._name


def listening(*sockets: Bound, is_tls: bool = False) -> Listening:
    return Listening(sockets=sockets, tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if is_tls else None)  # type: ignore[arg-type]


@pytest.fixture
def in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "lan_addresses", lambda: ["192.168.1.5", "2001:db8::5"])


@pytest.mark.parametrize(
    ("address", "here", "others"),
    [
        ("127.0.0.1", "http://127.0.0.1:8750/", None),
        ("::1", "http://[::1]:8750/", None),
        ("0.0.0.0", "http://127.0.0.1:8750/", "http://192.168.1.5:8750/"),
        ("192.168.1.9", "http://192.168.1.9:8750/", "http://192.168.1.9:8750/"),
    ],
)
def test_the_addresses_are_those_of_what_is_listened_at(
    in_a_network: None, address: str, here: str, others: str | None
) -> None:
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


@pytest.mark.parametrize(
    ("proxy", "address", "expected"),
    [
        (True, "127.0.0.1", "198.51.100.7"),
        (True, "::1", "198.51.100.7"),
        (True, "192.168.1.20", "192.168.1.20"),
        (False, "127.0.0.1", "127.0.0.1"),
    ],
)
def test_who_asks_is_whom_a_proxy_on_this_machine_names_last(proxy: bool, address: str, expected: str) -> None:
    """Other machines in the network could forge the header."""
    headers = [(b"x-forwarded-for", b"203.0.113.9, 198.51.100.7")]
    connection = HTTPConnection({"type": "http", "client": (address, 5000), "headers": headers})
    assert peer_of(Settings(proxy=proxy), connection) == expected
