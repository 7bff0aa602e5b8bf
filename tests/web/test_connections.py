"""Limits on a connection: slow, incomplete, large and malformed requests, and readers that do not read."""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic, sleep

import pytest

from tests.patience import PATIENCE_S, Stopwatch, wait_until
from tests.web.lists import section
from tests.web.served import Served, all_of, heard, problem, served

HEADERS_S = 0.4
BODY_S = 0.6
IDLE_S = 1
STALLED_S = 0.5
LOOK_S = 0.05
PIPELINED = 32
FLOOD_BYTES = 100_000_000
EARLY_S = 0.01
"""A timer of the event loop may end this much early: it counts whole milliseconds from a time read once a round."""
LATE_S = 5
"""The latest time with these limits; with the default ones a service would be later on any machine."""


def malformed(name: str) -> list[bytes]:
    lines = section("malformed_requests.txt", name)
    return [line.encode().decode("unicode_escape").encode("latin-1") for line in lines]


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with served(
        headers_s=HEADERS_S,
        body_s=BODY_S,
        look_s=LOOK_S,
        idle_s=IDLE_S,
        stalled_s=STALLED_S,
        linger_s=0.3,
        header_bytes=4096,
    ) as running:
        yield running


def dripped(service: Served, first: bytes, drop: bytes, least_s: float) -> tuple[float, bytes]:
    """Send a drop every 50 ms; return how long the service listened, and the answer."""
    begun, watch = monotonic(), Stopwatch(service.process.pid)
    with service.connect(first) as client:
        client.settimeout(0.05)
        while monotonic() - begun < PATIENCE_S:
            with suppress(TimeoutError):
                received = client.recv(65536)
                assert monotonic() - begun >= least_s - EARLY_S
                took_s = watch.seconds
                client.settimeout(PATIENCE_S)
                return took_s, received + all_of(client)
            client.sendall(drop)
    raise AssertionError("listened to for ever")


def in_time(attempt: Callable[[], bool], bound_s: float) -> None:
    """Return the answer; retry if this machine took longer than the service allows."""

    def has_succeeded() -> bool:
        begun = monotonic()
        if attempt():
            return True
        assert monotonic() - begun >= bound_s
        return False

    wait_until(has_succeeded)


@pytest.mark.parametrize("first", [b"GET /", b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: y"], ids=["line", "header"])
def test_headers_that_come_byte_by_byte_are_cut_off_at_their_deadline(service: Served, first: bytes) -> None:
    took_s, answer = dripped(service, first, b"x", HEADERS_S)
    assert took_s < HEADERS_S + LATE_S
    assert problem(answer)["code"] == "request_timeout"
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_body_sent_byte_by_byte_is_cut_off_and_its_route_notified(service: Served) -> None:
    begun = b"POST /body?secret HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    took_s, answer = dripped(service, begun, b"x", BODY_S)
    assert took_s < BODY_S + LATE_S
    refusal = problem(answer)
    assert (refusal["code"], refusal["status"], refusal["instance"]) == ("request_timeout", 408, "/body")


def test_a_body_in_time_is_read_at_any_pace(service: Served) -> None:
    head = b"POST /body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"

    def is_read() -> bool:
        with service.connect(head) as client, suppress(ConnectionError):
            for _ in range(5):
                sleep(0.02)
                client.sendall(b"x")
            return all_of(client).endswith(b"\r\n\r\n5")
        return False

    in_time(is_read, BODY_S)


def test_a_connection_on_which_nothing_comes_ends_without_a_word(service: Served) -> None:
    watch = Stopwatch(service.process.pid)
    assert service.ask(b"") == b""
    assert watch.seconds < HEADERS_S + LATE_S


def test_a_connection_that_rests_between_requests_ends_after_its_time(service: Served) -> None:
    def is_answered_again() -> bool:
        with service.connect(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n") as client, suppress(ConnectionError):
            assert heard(client)
            sleep(0.7 * IDLE_S)
            begun = monotonic()
            client.sendall(b"GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            if heard(client):
                watch = Stopwatch(service.process.pid)
                assert client.recv(65536) == b""
                assert monotonic() - begun >= IDLE_S - EARLY_S
                assert watch.seconds < IDLE_S + LATE_S
                return True
        return False

    in_time(is_answered_again, IDLE_S)


def test_headers_of_the_next_request_have_their_deadline_too(service: Served) -> None:
    with service.connect(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert heard(client)
        client.sendall(b"GET /b HT")
        assert problem(all_of(client))["code"] == "request_timeout"


def test_a_half_closed_request_is_answered_if_it_is_whole_and_ends_at_once_if_not(service: Served) -> None:
    for sent in (
        b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
    ):
        with service.connect(sent) as client:
            watch = Stopwatch(service.process.pid)
            client.shutdown(socket.SHUT_WR)
            answer = all_of(client)
            assert b"here" in answer if b"slow" in sent else (answer == b"" and watch.seconds < LATE_S)


@pytest.mark.parametrize("large", [
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(500)) + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100_000,
    b"GET /" + b"y" * 100_000,
    b"GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 5000 + b"\r\n\r\n",
], ids=["many", "endless header", "endless line", "pipelined"])  # fmt: skip
def test_headers_beyond_the_limit_are_refused(service: Served, large: bytes) -> None:
    answer = service.ask(large)
    *_, last = answer.rpartition(b"HTTP/1.1 431 ")
    assert problem(last)["limit"] == 4096


def test_headers_within_the_limit_are_read(service: Served) -> None:
    assert b" 200 OK" in service.get("/a", "X: " + "y" * 3900)


def test_requests_that_are_sent_without_waiting_for_answers_are_so_many_at_most(service: Served) -> None:
    answer = service.ask(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n" * 1000)
    assert answer.count(b"HTTP/1.1 200 ") == 1 + PIPELINED
    *_, last = answer.rpartition(b"HTTP/1.1 429 ")
    assert (problem(last)["code"], problem(last)["limit"]) == ("too_many_requests", PIPELINED)


@pytest.mark.parametrize("sent", malformed("no HTTP"))
def test_what_is_no_http_is_refused_as_a_problem(service: Served, sent: bytes) -> None:
    answer = service.ask(sent)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert problem(answer)["type"] == "/problems/not_http"


def test_a_refusal_is_in_the_requested_language(service: Served) -> None:
    answer = service.ask(b"GET / HTTP/1.1\r\nAccept-Language: fr, ja-JP;q=0.8\r\nHost: x\r\nX : y\r\n\r\n")
    assert problem(answer)["title"] == "HTTPではありません"


def test_a_reader_that_takes_nothing_is_let_go(service: Served) -> None:
    with service.connect(b"GET /flood HTTP/1.1\r\nHost: x\r\n\r\n", room_bytes=4096) as client:
        wait_until(lambda: not service.holds(client))
        assert len(all_of(client)) < FLOOD_BYTES


def test_a_reader_that_takes_little_but_steadily_stays(service: Served) -> None:
    def stays() -> bool:
        with service.connect(b"GET /flood HTTP/1.1\r\nHost: x\r\n\r\n", room_bytes=4096) as client:
            begun = taken = monotonic()
            while taken < begun + 3 * STALLED_S:
                sleep(0.02)
                assert client.recv(500_000)
                before, taken = taken, monotonic()
                if not service.holds(client):
                    assert taken - before >= STALLED_S / 2, "it was let go although it took something"
                    return False
        return True

    wait_until(stays)


def test_a_fault_of_the_app_is_a_problem_that_quotes_nothing(service: Served) -> None:
    answer = service.get("/fails")
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert problem(answer)["code"] == "internal"
    assert b"secret" not in answer


def status(service: Served, *lines: bytes) -> bytes:
    return service.ask(b"\r\n".join((*lines, b"Connection: close", b"", b""))).partition(b"\r\n")[0]


@pytest.mark.parametrize("target", malformed("targets with another host"))
def test_a_target_with_a_host_of_its_own_is_no_request_of_ours(service: Served, target: bytes) -> None:
    """Readers of the target and of `Host` would disagree."""
    assert status(service, b"GET " + target + b" HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 400")


def test_a_target_may_name_the_same_host_again(service: Served) -> None:
    assert status(service, b"GET http://127.0.0.1/a HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 200")
    assert status(service, b"GET /a?b=c://d HTTP/1.1", b"Host: 127.0.0.1").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("target", [b"evil.example:443", b"*", b"//", b"/\xff", b"/a b", b"/\x00", b"\\", b""])
def test_a_target_that_is_no_path_is_refused_or_a_path(service: Served, target: bytes) -> None:
    for method in (b"GET", b"CONNECT", b"OPTIONS"):
        assert status(service, method + b" " + target + b" HTTP/1.1", b"Host: 127.0.0.1")[:9] == b"HTTP/1.1 "


@pytest.mark.parametrize("headers", malformed("headers that contradict each other"))
def test_lengths_and_lines_that_contradict_each_other_end_the_connection(service: Served, headers: bytes) -> None:
    """A proxy that reads them differently would take the rest for another client's request."""
    answer = service.ask(b"\r\n".join((b"POST /body HTTP/1.1", b"Host: 127.0.0.1", headers, b"", b"x")))
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_an_upgrade_is_not_taken(service: Served) -> None:
    for protocol in (b"websocket", b"h2c"):
        answered = status(
            service, b"GET /a HTTP/1.1", b"Host: 127.0.0.1", b"Upgrade: " + protocol, b"Connection: Upgrade"
        )
        assert not answered.startswith(b"HTTP/1.1 101")


def test_waiting_connections_take_no_file_from_the_ledger() -> None:
    """Three times as many as the limit of open files; the ledger really opens its file."""
    with served(files=128) as service:
        crowd = [service.connect() for _ in range(400)]
        for number in range(20):
            assert b"here" in service.get("/opened?/proc/self/status")
            crowd[number].close()


def test_who_showed_a_token_is_let_go_last() -> None:
    with served(files=128) as service, service.connect(b"GET /token HTTP/1.1\r\nHost: x\r\n\r\n") as known:
        assert heard(known)
        with service.connect(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n") as unknown:
            assert heard(unknown)
            crowd = [service.connect() for _ in range(400)]
            wait_until(lambda: is_ended(crowd[0]) and is_ended(unknown))
            known.sendall(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            assert heard(known)


def is_ended(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True
    except BlockingIOError:
        return False
    finally:
        client.settimeout(PATIENCE_S)
