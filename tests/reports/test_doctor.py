"""`doctor`: each check finds its fault, names a next step, and changes nothing."""

import json
import os
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec.structs import replace

import ledger
from ledger import extras
from ledger.access.base import TokenFacts
from ledger.errors import NotFoundError
from ledger.i18n import Phrase, in_words
from ledger.log.base import Head
from ledger.log.paths import backup_name
from ledger.reports import doctor as examination
from ledger.reports import ledger_health
from ledger.reports.doctor import Check, Status
from ledger.zones import zone_named
from tests.cli.commands import OPENED, CommandLine, contents, revoke_alone, rolled_back, swapped_club
from tests.japanese import assert_has_japanese
from tests.permissions import bound, permitting

TYPED = re.compile(r": (?:trickledger|pip) .*|\((?:例: |trickledger )[^)]*\)|trickledger|PEM|MB")
NOW = datetime(2026, 1, 9, 18, 30, tzinfo=UTC)


def only(checks: Iterator[Check]) -> Check:
    """Return the only check. Assert that anything but `ok` has a next step, and both are in Japanese, too."""
    (check,) = checks
    assert (check.next_step is None) == (check.status == "ok")
    for text in (check.what, check.next_step):
        if isinstance(text, Phrase) and text.package == "ledger.reports":
            assert_has_japanese(text, *TYPED.findall(in_words(text, "ja")))
    return check


def by_name(path: Path, **words: Any) -> dict[str, Check]:
    return {check.name: check for check in ledger.doctor(path, port=0, **words).checks}


@pytest.fixture
def club(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path).made_by(revoke_alone)


def test_an_extra_with_a_missing_module_is_noted_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "EXTRAS", {"serve": ("uvicorn",), "plots": ("altair", "no_such")})
    missing, whole = sorted(examination.check_extras(), key=lambda check: check.status)
    assert (missing.status, whole.status) == ("note", "ok")
    assert "no_such" in str(missing.next_step) and "plots" in str(missing.next_step)
    assert "serve" in str(whole.what) and "plots" not in str(whole.what)


def test_a_missing_or_lost_font_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert only(examination.check_fonts()).status == "ok"
    lost = namedtuple("Fonts", "sans_path")(lambda: tmp_path / "lost.otf")
    monkeypatch.setattr(examination, "module_of_extra", lambda extra, name: lost)
    assert only(examination.check_fonts()).status == "fault"
    monkeypatch.setattr(examination, "module_of_extra", lambda extra, name: extras.module_of_extra(extra, "no_such"))
    assert only(examination.check_fonts()).status == "note"


LATER = "2026-01-09T19:30:00.000Z"
RECORDER = TokenFacts(id="a", kind="token", role="recorder", created_at="2026-01-01T00:00:00.000Z")
USELESS = [
    *(replace(RECORDER, role="viewer"), replace(RECORDER, expires_at="2026-01-09T18:29:00.000Z")),
    replace(RECORDER, revoked_at="2026-01-02T00:00:00.000Z"),
]
EXPECTED = [
    (lambda: ledger_health.check_tokens(USELESS, NOW), "note"),
    (lambda: ledger_health.check_tokens([*USELESS, RECORDER], NOW), "ok"),
    (lambda: ledger_health.check_clock(LATER, None, NOW, "UTC"), "fault"),
    (lambda: ledger_health.check_clock(None, LATER, NOW, "UTC"), "note"),
    (lambda: ledger_health.check_clock("2026-01-09T18:30:30.000Z", None, NOW, "UTC"), "ok"),
    (lambda: examination.check_time_zone(NOW, None), "note"),
    (lambda: examination.check_time_zone(NOW.astimezone(zone_named("Asia/Tokyo")), None), "ok"),
    (lambda: examination.check_time_zone(NOW, "Asia/Tokyo"), "ok"),
    (lambda: examination.check_https(None, NOW), "note"),
]


def test_tokens_clock_zone_and_certificate_are_right_or_a_next_step_is_named() -> None:
    assert [only(check()).status for check, _ in EXPECTED] == [status for _, status in EXPECTED]
    assert "2026-01-10 03:30 (UTC+09:00)" in str(only(examination.check_time_zone(NOW, "Asia/Tokyo")).what)


def test_a_machine_without_a_network_or_zones_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "lan_addresses", lambda: ["192.168.1.5"])
    assert "https://192.168.1.5:8750/" in str(only(examination.check_address(8750, is_tls=True)).what)
    monkeypatch.setattr(examination, "lan_addresses", list)
    monkeypatch.setattr(examination, "zone_named", lambda name: None)
    assert only(examination.check_address(8750, is_tls=False)).status == "note"
    assert only(examination.check_time_zone(NOW, None)).status == "fault"


def test_a_disk_needs_space_for_an_evening_and_a_backup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "club.ledger"
    file.touch()
    for free_mb, ledger_mb, status in ((40, 0, "fault"), (490, 0, "note"), (600, 0, "ok"), (600, 50, "note")):
        usage = namedtuple("Usage", "free")(free_mb * 1_000_000)
        monkeypatch.setattr(examination.shutil, "disk_usage", lambda folder, usage=usage: usage)
        os.truncate(file, ledger_mb * 1_000_000)
        assert only(examination.check_disk(file)).status == status


def test_a_taken_or_forbidden_port_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert only(examination.check_port(other.getsockname()[1])).status == "fault"
        monkeypatch.setattr(examination, "_is_service_at", lambda port: True)
        assert only(examination.check_port(other.getsockname()[1])).status == "ok"

    def forbidden(*address: object) -> socket:
        raise PermissionError

    monkeypatch.setattr(examination, "bound_socket", forbidden)
    assert only(examination.check_port(443)).status == "fault"


def certificate(file: Path, days: int) -> Path:
    """Write a certificate that is valid from a year before `NOW` until `days` after it."""
    key, name = ed25519.Ed25519PrivateKey.generate(), x509.Name([])
    built = x509.CertificateBuilder(name, name, key.public_key(), 1, NOW - timedelta(365), NOW + timedelta(days))
    file.write_bytes(built.sign(key, None).public_bytes(serialization.Encoding.PEM))
    return file


def test_a_certificate_is_valid_long_enough_or_renewed(tmp_path: Path) -> None:
    for days, status in ((-1, "fault"), (3, "note"), (90, "ok")):
        assert only(examination.check_https(certificate(tmp_path / "c", days), NOW)).status == status
    (tmp_path / "c").write_bytes(b"-----BEGIN PRIVATE KEY-----")
    assert only(examination.check_https(tmp_path / "c", NOW)).status == "fault"


def test_a_sound_ledger_is_examined_without_a_change(club: CommandLine) -> None:
    before = contents(club.folder)
    checks = by_name(club.ledger)
    assert {name for name, check in checks.items() if check.status == "fault"} == set()
    assert {"read_model", "backup", "tokens"} <= {name for name, check in checks.items() if check.status == "note"}
    assert contents(club.folder) == before


def test_a_missing_or_foreign_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "foreign").write_text("no ledger")
    for name in ("missing", "foreign", ".", "foreign/below", "no folder/club.ledger"):
        checks = by_name(tmp_path / name)
        assert checks["ledger"].status == "fault" and checks["ledger"].next_step, name
        assert "verification" not in checks


@pytest.mark.parametrize(("make", "step"), [(swapped_club, "restore BACKUP"), (rolled_back, "--accept-rollback")])
def test_damage_and_rollback_are_faults(tmp_path: Path, make: Callable[[CommandLine], None], step: str) -> None:
    cli = CommandLine(tmp_path).made_by(make)
    check = by_name(cli.ledger)["verification"]
    assert check.status == "fault" and step in str(check.next_step)


def test_a_ledger_that_may_not_be_written_is_a_fault(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_health.os, "access", lambda path, mode: Path(path) != club.ledger)
    assert only(ledger_health.check_writing(club.ledger)).status == "fault"


def test_the_read_model_is_up_to_date_or_behind(club: CommandLine) -> None:
    club.ok("stats", "standings")
    with ledger.open(club.ledger) as store:
        assert only(ledger_health.check_read_model(store, club.ledger, "UTC")).status == "ok"
        club.record(OPENED)
        assert only(ledger_health.check_read_model(store, club.ledger, "UTC")).status == "note"


def test_the_newest_backup_is_complete_or_younger_than_a_day(club: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()

    def status(head: Head, hours: int) -> Status:
        for path in folder.iterdir():
            path.unlink()
        ledger.backup(club.ledger, folder / backup_name(club.ledger, NOW - timedelta(hours=hours)))
        (folder / "club-old.ledger").write_text("no backup of ours")
        ledger.create(folder / backup_name(club.ledger, NOW)).close()  # of another club
        return only(ledger_health.check_backup(store, club.ledger, folder, head, NOW)).status

    with ledger.open(club.ledger) as store:
        head = store.head()
        longer = Head(head.position + 1, head.digest)
        assert [status(head, 90), status(longer, 23), status(longer, 25)] == ["ok", "ok", "note"]
        (folder / backup_name(club.ledger, NOW)).write_text("damaged")
        assert only(ledger_health.check_backup(store, club.ledger, folder, head, NOW)).status == "fault"


REFUSED = NotFoundError("not_installed", examination.phrase("fonts.missing"))


@pytest.mark.parametrize("error", [OSError(5, "Input/output error", "disk"), ImportError("no DuckDB"), REFUSED])
def test_a_check_that_fails_itself_is_a_fault(error: Exception) -> None:
    def failing() -> Iterator[Check]:
        raise error
        yield

    assert only(examination.guarded("disk", failing)).status == "fault"


def test_the_exit_status_is_1_for_a_fault(club: CommandLine) -> None:
    answer = club.json("doctor", "--port", 0)
    assert answer["healthy"] and club.run("doctor", "--port", 0).exit_code == 0
    assert answer["versions"]["program"] == ledger.__version__
    assert CommandLine(club.folder / "none").run("doctor", "--port", 0, lang="ja").exit_code == 1


def test_a_folder_that_may_not_be_entered_and_damaged_tokens_are_reported(club: CommandLine) -> None:
    (club.folder / "club.ledger.access").write_bytes(b"no tokens" * 100)
    tokens, clock = (by_name(club.ledger)[name] for name in ("tokens", "clock"))
    assert (tokens.status, clock.status) == ("fault", "ok")
    with permitting(club.folder, 0o000):
        done = bound(club.ledger, "doctor", "--port", 0, "--format", "json")
    checks = {one["check"]: one["status"] for one in json.loads(done.stdout)["checks"]}
    assert (done.returncode, done.stderr, checks["ledger"]) == (1, "", "fault")
