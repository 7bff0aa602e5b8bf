"""The pages of the service and of proofs: each trouble with what to do, and files that verify by the shown commands."""

import html
import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

import ledger
from ledger.log.paths import backup_name, checkpoint_of, secret_key_of
from ledger.service.running import Settings
from ledger.web.pages.room import disk_state
from tests.cli.commands import REVOKE, CommandLine
from tests.hand_records import record_in, table_events
from tests.web.pages.forms import answer_to, sent, shown, text_of
from tests.web.serving import ADMIN, OMBRE, VIEWER, Served, ledger_of, ledger_with, serving


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


ANY = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
"""What a browser accepts that follows a link."""


def test_the_files_and_commands_of_the_page_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = ledger_of(tmp_path, REVOKE)
    ledger.make_keys("club.example/ledger", secret_key_of(club), tmp_path / "club.pub")
    home = tmp_path / "home"
    home.mkdir()
    with serving(club, Settings(loopback=False, secret_key=secret_key_of(club))) as served:
        page = shown(served, "/proof", who=VIEWER)
        for address, name in re.findall(r'href="([^"]+)" download="([^"]+)"', page):
            (home / name).write_bytes(answer_to(served, "GET", address, VIEWER, headers=ANY).content)
    ledger.backup(club, home / "COPY.ledger")
    monkeypatch.chdir(home)
    commands = [shlex.split(html.unescape(one)) for one in re.findall(r"<code>(trickledger .*?)</code>", page)]
    assert len(commands) == 2
    for _, *words in commands:
        assert CommandLine(home).run(*words).exit_code == 0, words
    assert {one.name for one in home.iterdir()} >= {"club.checkpoint", "ombre-revoke-1.receipt"}


def test_without_a_key_the_page_offers_nothing_and_says_so(tmp_path: Path) -> None:
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        page = shown(served, "/proof", who=VIEWER)
        assert "signs nothing yet" in text_of(page) and "download=" not in page


def test_only_deals_that_proofs_reach_have_a_receipt(tmp_path: Path) -> None:
    """Proofs end before the hidden cards of the open deal, and so before the table that was recorded later."""
    club = ledger_with(tmp_path, {"open": OMBRE, "late": table_events(record_in(REVOKE))}, REVOKE)
    ledger.make_keys("club.example/ledger", secret_key_of(club), tmp_path / "club.pub")
    with serving(club, Settings(loopback=False, secret_key=secret_key_of(club))) as served:
        page = shown(served, "/proof", who=VIEWER)
        links = re.findall(r'href="(/api/v1/proof/receipts/[^"]+)"', page)
        assert links == ["/api/v1/proof/receipts/ombre-revoke/1"]
        assert answer_to(served, "GET", links[0], VIEWER, headers=ANY).status_code == 200
        assert "not yet covered" in text_of(page)
