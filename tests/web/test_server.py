"""The server process: shutdown, log contents, metrics, and TLS."""

import signal
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ledger.errors import UsageError
from ledger.web.server.protocol import Limits
from ledger.web.server.sockets import listening_sockets, tls_context
from tests.patience import wait_until
from tests.web.lists import rows_of
from tests.web.served import all_of, heard, problem, served

STREAM = b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"
AN_HOUR_S = 3_600
"""A grace period so long that waiting for it would fail the test."""

SLOW = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"


def test_what_is_not_due_holds_up_the_end_for_less_than_a_second() -> None:
    assert Limits().ending_s < 0.5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_end_comes_at_once_with_every_stream_notified_and_every_answer_given(number: int) -> None:
    with served(grace_s=AN_HOUR_S) as service:
        streams = [service.connect(STREAM) for _ in range(50)]
        assert all(b"200 OK" in stream.recv(65536) for stream in streams)
        requests = [service.connect(SLOW) for _ in range(20)]
        resting = service.connect(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        assert heard(resting)
        log = service.end(number)
        assert service.process.exitcode == 0
        assert all(all_of(stream).endswith(b"event: closing\n\n\r\n0\r\n\r\n") for stream in streams)
        assert all(b"here" in all_of(one) for one in requests)
        assert resting.recv(1) == b""
        assert log == ["closing", "drained"]


def test_half_a_body_does_not_hold_up_the_end() -> None:
    with served(grace_s=AN_HOUR_S) as service, service.connect() as client:
        client.sendall(b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
        assert b"here" in service.get("/a")
        service.end()
        answer = all_of(client)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: " in answer
        assert problem(answer)["code"] == "closing"


def test_a_reader_that_takes_nothing_does_not_hold_up_the_end() -> None:
    flood = b"GET /flood HTTP/1.1\r\nHost: x\r\n\r\n"
    with served(grace_s=AN_HOUR_S) as service, service.connect(flood, room_bytes=4096) as client:
        assert client.recv(100)
        service.end()


def test_a_request_that_outlasts_the_grace_period_is_answered_closing() -> None:
    with served(grace_s=0.1) as service, service.connect(b"GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert b"here" in service.get("/a")
        service.end()
        assert problem(all_of(client))["code"] == "closing"


def test_a_second_signal_ends_it_at_once() -> None:
    with served(grace_s=AN_HOUR_S) as service, service.connect(b"GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n"):
        assert b"here" in service.get("/a")
        service.process.terminate()
        wait_until(lambda: service.events() == ["closing"])
        service.end()
        assert service.process.exitcode == -signal.SIGTERM


def test_the_metrics_are_for_nobody_who_calls_us_by_another_name() -> None:
    with served() as service, socket.create_connection(("127.0.0.1", service.metrics_port)) as client:
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert all_of(client).startswith(b"HTTP/1.1 421 ")


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(pem_of(key, serialization.NoEncryption()))
    (folder / "locked.pem").write_bytes(pem_of(key, serialization.BestAvailableEncryption(b"word")))
    (folder / "other.pem").write_bytes(pem_of(ec.generate_private_key(ec.SECP256R1()), serialization.NoEncryption()))
    (folder / "none.pem").write_text("none")
    return folder / "cert.pem", folder / "key.pem"


def pem_of(key: ec.EllipticCurvePrivateKey, secured: serialization.KeySerializationEncryption) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secured)


def test_over_tls_the_service_answers_and_ends_alike(certified: tuple[Path, Path]) -> None:
    trusting = ssl.create_default_context(cafile=str(certified[0]))
    with served(tls=certified, grace_s=AN_HOUR_S) as service:
        with trusting.wrap_socket(service.connect(), server_hostname="localhost") as client:
            client.sendall(b"GET /scheme HTTP/1.1\r\nHost: localhost\r\n\r\n")
            received = b""
            while b"https" not in received:
                more = client.recv(65536)
                assert more
                received += more
        stream = trusting.wrap_socket(service.connect(), server_hostname="localhost")
        stream.sendall(STREAM)
        assert b"200 OK" in stream.recv(65536)
        service.end()
        assert b"closing" in all_of(stream)
        stream.close()


def test_handshakes_that_are_never_made_take_no_place(certified: tuple[Path, Path]) -> None:
    trusting = ssl.create_default_context(cafile=str(certified[0]))
    with served(tls=certified, files=128) as service:
        for _ in range(300):
            service.connect()
        with trusting.wrap_socket(service.connect(), server_hostname="localhost") as client:
            client.sendall(b"GET /opened?/proc/self/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert b"here" in all_of(client)


def test_a_handshake_has_its_deadline(certified: tuple[Path, Path]) -> None:
    with served(tls=certified, handshake_s=0.3) as service, service.connect(b"\x16\x03") as client:
        assert client.recv(1) == b""


@pytest.mark.parametrize(("key", "where", "reason"), rows_of("keys"))
def test_a_key_that_does_not_do_is_named(certified: tuple[Path, Path], key: str, where: str, reason: str) -> None:
    certificate, path = certified[0], certified[0].with_name(key)
    with pytest.raises(UsageError) as refused:
        tls_context(certificate, path)
    assert refused.value.message() == reason.format(key=path, certificate=certificate)
    assert refused.value.values["where"] == where


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        tls_context(tmp_path / "cert.pem", tmp_path / "key.pem")
    assert missing.value.filename == str(tmp_path / "cert.pem")


def test_a_port_that_is_taken_is_named() -> None:
    (first,) = listening_sockets("127.0.0.1", 0)
    port = first.getsockname()[1]
    with first, pytest.raises(UsageError, match=f"another program uses port {port}"):
        listening_sockets("127.0.0.1", port)


def test_a_host_that_is_not_ours_is_named() -> None:
    with pytest.raises(UsageError, match=r"192\.0\.2\.1 is not an address of this machine"):
        listening_sockets("192.0.2.1", 0)
    with pytest.raises(UsageError, match=r"there is no host nowhere\.invalid"):
        listening_sockets("nowhere.invalid", 0)


def test_all_addresses_share_one_port() -> None:
    sockets = listening_sockets("::", 0)
    try:
        assert [one.family for one in sockets] == [socket.AF_INET, socket.AF_INET6]
        assert len({one.getsockname()[1] for one in sockets}) == 1
    finally:
        for one in sockets:
            one.close()
