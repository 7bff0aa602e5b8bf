"""Requests that only a socket can make, to the connections of the service: targets, hosts and lengths that disagree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.served import Served, served


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with served() as one:
        yield one


def status(service: Served, *lines: bytes) -> bytes:
    return service.ask(b"\r\n".join((*lines, b"Connection: close", b"", b""))).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    "target",
    [
        b"http://evil.example/scheme",
        b"http://evil.example:80/",
        b"HTTP://EVIL.EXAMPLE/",
        b"https://127.0.0.1@evil.example/",
    ],
)
def test_a_target_with_a_host_of_its_own_is_no_request_of_ours(service: Served, target: bytes) -> None:
    """Who reads the target says another host than who reads `Host`."""
    assert status(service, b"GET " + target + b" HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 400")


def test_a_target_may_tell_the_same_host_again(service: Served) -> None:
    assert status(service, b"GET http://127.0.0.1/a HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 200")
    assert status(service, b"GET /a?b=c://d HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("target", [b"evil.example:443", b"*", b"//", b"/\xff", b"/a b", b"/\x00", b"\\", b""])
def test_a_target_that_is_no_path_is_refused_or_a_path(service: Served, target: bytes) -> None:
    for method in (b"GET", b"CONNECT", b"OPTIONS"):
        assert status(service, method + b" " + target + b" HTTP/1.1", b"Host: 127.0.0.1")[:9] == b"HTTP/1.1 "


@pytest.mark.parametrize(
    "lines",
    [
        (b"Content-Length: 1", b"Transfer-Encoding: chunked"),
        (b"Content-Length: 1", b"Content-Length: 2"),
        (b"Content-Length: -1",),
        (b"Content-Length: +1",),
        (b"Content-Length: 1, 1",),
        (b"Content-Length : 1",),
        (b"Transfer-Encoding: chunked, identity",),
        (b"X: a\x00b",),
        (b"X: a\rb",),
        (b"X: a\nSet-Cookie: b", b" folded: c"),
        (b"a b: c",),
        (b": c",),
    ],
)
def test_lengths_and_lines_that_contradict_each_other_end_the_connection(
    service: Served, lines: tuple[bytes, ...]
) -> None:
    """A proxy that reads them otherwise would take the rest for a request of somebody else."""
    answer = service.ask(b"\r\n".join((b"POST /body HTTP/1.1", b"Host: 127.0.0.1", *lines, b"", b"x")))
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_an_upgrade_is_not_taken(service: Served) -> None:
    for protocol in (b"websocket", b"h2c"):
        told = status(service, b"GET /a HTTP/1.1", b"Host: 127.0.0.1", b"Upgrade: " + protocol, b"Connection: Upgrade")
        assert not told.startswith(b"HTTP/1.1 101")
