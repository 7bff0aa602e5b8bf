"""`trickledger serve` as a process: its output, what its log contains and omits, and how it ends."""

import http.client
import json
import os
import pty
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from threading import Thread
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest

import ledger
from ledger.addresses import lan_addresses
from ledger.cli.demo import DEMO_FOLDER, demo_ledger
from ledger.log.append_rules import new_id
from ledger.reports.doctor import check_port
from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, contents, small_club
from tests.cli.terminal import Terminal
from tests.patience import PATIENCE_S, wait_until

API = "/api/v1"
AS_MEASURED = re.compile(r"^(trickledger_\w+(?:\{.*\})?) (\S+)$", re.MULTILINE)


class Serving:
    """A running service; `said`: its output up to the line on how to stop it."""

    def __init__(self, process: subprocess.Popen[bytes], said: list[str]) -> None:
        self.process = process
        self.said = said

    @property
    def port(self) -> int:
        match = re.search(r":(\d+)/$", self.said[1])
        assert match
        return int(match[1])

    def get(self, path: str, port: int | None = None, **headers: str) -> tuple[int, bytes]:
        with closing(connected(port or self.port)) as connection:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def end(self) -> list[dict[str, Any]]:
        """Stop the service and return its log."""
        self.process.send_signal(signal.SIGINT)
        _, log = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0
        return [json.loads(line) for line in log.splitlines()]


@contextmanager
def serving(club: CommandLine, *words: object, lang: str = "en", stdout: int = subprocess.PIPE) -> Iterator[Serving]:
    process = club.started("--lang", lang, "serve", "--port", 0, *words, stdin=subprocess.DEVNULL, stdout=stdout)
    said = []
    try:
        while process.stdout is not None and (line := process.stdout.readline().decode()):
            said.append(line.rstrip("\n"))
            if "Ctrl-C" in line:
                break
        yield Serving(process, said)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


class Served(NamedTuple):
    """A service from its start to its end: its output, its answers, its metrics, what listeners received, its log."""

    said: list[str]
    statuses: dict[str, int]
    metrics: dict[str, str]
    heard: list[bytes]
    log: list[dict[str, Any]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """Start a service, send requests, listen, and end it."""
    club = CommandLine(tmp_path_factory.mktemp("served")).made_by(small_club)
    dealt = {"type": "cards_dealt", "hands": [["SA"], None, None]}
    club.record(OPENED, FIRST_DEAL, dealt, {"type": "deal_voided", "reason": "x"}, table="old")
    listening = f"GET {API}/live?streams=table/t HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
    secret: dict[str, Any] = {"Cookie": "session=trk_hidden", "Authorization": "Bearer trk_hidden"}
    with serving(club, "--metrics-port", 0, "--allow-host", "club.example") as service, ExitStack() as opened:
        statuses = {
            "score": service.get(f"{API}/tables/ombre-revoke/score?lang=en")[0],
            "a secret as a table": service.get(f"{API}/tables/trk_hidden/score?reading=trk_hidden", **secret)[0],
            "a secret as a path": service.get("/trk_hidden", **secret)[0],
            **{host: service.get(f"{API}/health", Host=host)[0] for host in ("club.example", "evil.example")},
        }
        port = re.fullmatch(r"  for Prometheus   http://127\.0\.0\.1:(\d+)/metrics", service.said[3])
        assert port
        metrics = service.get("/metrics", int(port[1]))[1].decode()
        listeners = [
            opened.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE_S))
            for _ in range(50)
        ]
        for listener in listeners:
            listener.sendall(listening.encode())
            assert b"200 OK" in listener.recv(65536)
        log = service.end()
        heard = [opened.enter_context(listener.makefile("rb")).read() for listener in listeners]
        said = [line.replace(str(club.ledger), "LEDGER") for line in service.said]
    return Served(said, statuses, dict(AS_MEASURED.findall(metrics)), heard, log)


def test_it_says_what_is_served_where_and_to_whom(served: Served) -> None:
    assert [re.sub(r":\d+/", ":PORT/", line) for line in served.said] == [
        "Serving LEDGER (46 entries).",
        "  on this machine  http://127.0.0.1:PORT/",
        "Only this machine can reach it; for phones in the network add --host 0.0.0.0.",
        "  for Prometheus   http://127.0.0.1:PORT/metrics",
        "On this machine nobody needs a token.",
        "Elsewhere everybody needs a token.",
        "Hands of ended deals are still hidden from phones and viewers: old (deal 1). "
        "Show them with: trickledger open-hands",
        "Ctrl-C stops it.",
    ]


def test_other_host_names_are_not_answered(served: Served) -> None:
    assert (served.statuses["club.example"], served.statuses["evil.example"]) == (200, 421)


def test_the_log_has_a_line_for_each_request_and_no_secret(served: Served) -> None:
    assert served.statuses["score"] == 200
    ended = [line["event"] for line in served.log]
    assert ended[0] == "started" and ended[-1] == "stopped"
    assert ended[1:-1] == ["request"] * (len(served.statuses) + len(served.heard))
    entry = served.log[1]
    assert {name: entry[name] for name in ("method", "route", "status", "token")} == {
        "method": "GET",
        "route": "/tables/{table}/score",
        "status": 200,
        "token": "loopback",
    }
    assert entry["ms"] > 0
    assert entry["bytes"] > 100
    assert datetime.fromisoformat(entry["at"]).tzinfo == UTC
    assert "hidden" not in str(served.log)


def test_the_end_is_announced_to_all_who_listen(served: Served) -> None:
    assert [b"event: closing\n" in messages for messages in served.heard] == [True] * 50


def test_the_metrics_count_requests_and_describe_the_ledger(served: Served) -> None:
    counted = 'trickledger_requests_total{method="GET",route="%s",status="%d"}'
    assert served.metrics[counted % ("/health", 200)] == "1.0"
    assert served.metrics[counted % ("/tables/{table}/score", served.statuses["a secret as a table"])] == "1.0"
    assert served.metrics['trickledger_answer_seconds_count{route="/health"}'] == "1.0"
    assert served.metrics["trickledger_entries"] == "46.0"
    assert {"trickledger_writer_queue", "trickledger_listeners", "trickledger_folds_kept"} < served.metrics.keys()


def test_the_end_leaves_no_act_recorded_without_its_answer(club: CommandLine) -> None:
    with serving(club) as service:
        acknowledged: list[str] = []
        refused: list[int] = []
        writers = [Thread(target=note_on, args=(service.port, acknowledged, refused)) for _ in range(8)]
        for writer in writers:
            writer.start()
        wait_until(lambda: len(acknowledged) > 50)
        service.process.send_signal(signal.SIGTERM)
        service.process.communicate(timeout=PATIENCE_S)
        assert service.process.returncode == 0
        for writer in writers:
            writer.join()
    with ledger.open(club.ledger) as store:
        recorded = [row.id for row in store.read(42)]
    assert sorted(recorded) == sorted(acknowledged)
    assert set(refused) <= {503}


def connected(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)


def record_a_note(connection: http.client.HTTPConnection, id: str) -> int:
    """Record a note and return the status of the answer."""
    note = {"entries": [{"id": id, "event": {"type": "noted", "text": "still at it"}}]}
    sent_as = {"Content-Type": "application/json"}
    connection.request("POST", f"{API}/streams/table/t/entries", json.dumps(note), sent_as)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def note_on(port: int, acknowledged: list[str], refused: list[int]) -> None:
    """Record one note after another until one is rejected or the connection ends."""
    connection = connected(port)
    with suppress(ConnectionError, http.client.HTTPException):
        while not refused:
            id = new_id()
            status = record_a_note(connection, id)
            if status == 201:
                acknowledged.append(id)
            else:
                refused.append(status)
    connection.close()


def test_everybody_may_look_on_where_it_is_public_and_nobody_record_where_it_is_for_reading(club: CommandLine) -> None:
    with serving(club, "--public", "--no-loopback", lang="ja") as service:
        assert service.said[2:] == [
            "ほかからは接続できません。同じネットワークのスマートフォンから使うには --host 0.0.0.0 を付けてください。",
            "だれでもトークンなしで閲覧できます(--public)。",
            "Ctrl-Cで終了します。",
        ]
        assert service.get(f"{API}/tables/t/score")[0] == 200
        with closing(connected(service.port)) as connection:
            assert record_a_note(connection, new_id()) == 403
    with serving(club, "--read-only", lang="ja") as service, closing(connected(service.port)) as connection:
        assert "記録はできません(--read-only)。" in service.said
        assert record_a_note(connection, new_id()) == 503


def test_in_a_network_it_shows_its_address_and_without_loopback_a_token_is_needed_here_too(club: CommandLine) -> None:
    """The address is shown as a QR code, too, for phones."""
    addresses = lan_addresses()
    if not addresses:
        pytest.skip("LEFT OUT: this machine is in no network")
    ours, theirs = pty.openpty()
    with serving(club, "--host", "0.0.0.0", "--no-loopback", stdout=theirs) as service:
        os.close(theirs)
        shown = b""
        while b"Ctrl-C" not in shown:
            shown += os.read(ours, 65536)
        os.close(ours)
        address = re.search(rf"(?m)^  from a phone     http://{re.escape(addresses[0])}:(\d+)/\r?$", shown.decode())
        assert address
        assert service.get(f"{API}/tables/ombre-revoke/score", int(address[1]))[0] == 401
        service.end()
    assert shown.count("▀".encode()) > 100


def test_without_a_ledger_nothing_is_served(bare_cli: CommandLine) -> None:
    bare_cli.refused(5, "serve", "--port", 0)
    assert not any(bare_cli.folder.iterdir())


QUESTION = "Make one, in which names can be erased later? [y/N]"


@pytest.mark.parametrize(("words", "typed", "has_question"), [((), b"\n", True), (("--read-only",), b"y\n", False)])
def test_no_ledger_is_made_unless_somebody_at_a_terminal_agrees(
    bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], typed: bytes, has_question: bool
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)
    monkeypatch.setattr("ledger.api.create", Mock(side_effect=AssertionError("a ledger is made, and would be served")))
    answered = bare_cli.run("serve", "--port", 0, *words, stdin=typed)
    assert (answered.exit_code, QUESTION in answered.output) == (5, has_question)
    assert "there is no ledger at" in answered.stderr
    assert not bare_cli.ledger.exists()


def test_a_terminal_asks_before_a_ledger_with_handles_is_made(bare_cli: CommandLine) -> None:
    with Terminal("--ledger", bare_cli.ledger, "serve", "--port", 0, folder=bare_cli.folder) as terminal:
        terminal.type("y\n")
        terminal.wait_for("Ctrl-C")
    assert QUESTION in terminal.text()
    with ledger.open(bare_cli.ledger) as store:
        assert store.has_handles


def test_a_missing_demonstration_is_made_and_served(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second start would serve the same one."""
    monkeypatch.chdir(bare_cli.folder)
    with serving(bare_cli, "--demo", "--club", "Thursday Card Club") as service:
        page = service.get(service.said[1].split()[-1].partition(str(service.port))[2])[1].decode()
        tour = re.findall(r'<a href="([^"]+)"><b>\d\. ', page)
        assert [service.get(address)[0] for address in tour] == [200] * 7
        (port,) = check_port(service.port)
    assert port.status == "ok" and "already running" in str(port.what)
    assert "Thursday Card Club" in page and "/t/rape-of-the-lock/1/35" in page
    made = contents(bare_cli.folder / "trickledger-demo")
    assert "club.ledger" in made and not any("being-made" in name for name in made)
    assert demo_ledger(DEMO_FOLDER, "en").read_bytes() == made["club.ledger"]
    assert contents(bare_cli.folder / "trickledger-demo") == made


def test_no_demonstration_is_made_in_anothers_folder(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bare_cli.folder)
    place = bare_cli.folder / "trickledger-demo"
    place.mkdir()
    (place / "mine.txt").write_text("mine")
    bare_cli.refused(4, "serve", "--demo", "--port", 0)
    assert [path.name for path in place.iterdir()] == ["mine.txt"]
