"""The page of the service: each trouble with what to do, and a checkpoint by a button."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

import ledger
from ledger.log.paths import backup_name, checkpoint_of, secret_key_of
from ledger.service.running import Settings
from ledger.web.pages.room import disk_state
from tests.web.pages.forms import sent, shown, text_of
from tests.web.serving import ADMIN, OMBRE, Served, ledger_with, serving


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return ledger_with(tmp_path, {"ours": OMBRE, "noted": [OMBRE[0]]})


@pytest.fixture
def served(club: Path) -> Iterator[Served]:
    ledger.make_keys("club.example/ledger", secret_key_of(club), club.with_suffix(".pub"))
    with serving(club, Settings(loopback=False, secret_key=secret_key_of(club))) as one:
        yield one


def page(served: Served) -> str:
    return text_of(shown(served, "/room", who=ADMIN))


def test_troubles_come_first_with_what_to_do(served: Served) -> None:
    assert "2 things need attention" in page(served) and "trickledger backup FOLDER" in page(served)
    ledger.backup(served.ledger, served.ledger.with_name(backup_name(served.ledger, datetime.now(UTC))))
    sent(served, "/room/checkpoint", {"do": "sign"}, who=ADMIN)
    assert checkpoint_of(served.ledger).exists()
    assert "All is well" in page(served)


def test_an_old_backup_and_a_full_disk_are_troubles(served: Served) -> None:
    old = datetime.now(UTC) - timedelta(days=30)
    ledger.backup(served.ledger, served.ledger.with_name(backup_name(served.ledger, old)))
    with patch("ledger.web.pages.room.DISK_NOTE_BYTES", 10**18):
        assert "3 things need attention" in page(served) and "Free some space before the next evening" in page(served)
    assert disk_state(served.ledger).backup is not None


def test_entries_that_the_ledger_lost_are_named_with_their_file(served: Served) -> None:
    served.ledger.with_name(f"{served.ledger.name}.rescue-2026-01-05-183000").write_bytes(b"")
    assert "club.ledger.rescue-2026-01-05-183000" in page(served)


def test_without_a_key_no_checkpoint_is_made(club: Path) -> None:
    with serving(club) as served:
        assert "--make-key" in page(served)
        assert "Make a checkpoint now" not in page(served)
        sent(served, "/room/checkpoint", {"do": "sign"}, 422, who=ADMIN)
