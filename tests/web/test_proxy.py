"""Who asks, where a proxy may stand between: only one that is there, and is on this machine, is believed."""

from __future__ import annotations

from ledger.service.running import Settings
from ledger.web.admitting import peer_of
from ledger.web.asking import Headers

FORWARDED = Headers([(b"x-forwarded-for", b"203.0.113.9, 198.51.100.7")])


def peer(settings: Settings, address: str) -> str:
    return peer_of(settings, {"client": (address, 5000)}, FORWARDED)


def test_behind_a_proxy_it_is_who_the_proxy_names_last() -> None:
    assert peer(Settings(proxy=True), "127.0.0.1") == "198.51.100.7"
    assert peer(Settings(proxy=True), "::1") == "198.51.100.7"


def test_nobody_in_the_network_forges_where_he_comes_from() -> None:
    assert peer(Settings(proxy=True), "192.168.1.20") == "192.168.1.20"


def test_without_a_proxy_no_header_is_believed() -> None:
    assert peer(Settings(), "127.0.0.1") == "127.0.0.1"
