"""The page of proofs: what it offers verifies by the commands that it shows."""

import html
import re
import shlex
from pathlib import Path

import pytest

import ledger
from ledger.log.paths import secret_key_of
from ledger.service.running import Settings
from tests.cli.commands import REVOKE, CommandLine
from tests.hand_records import record_in, table_events
from tests.web.pages.forms import answer_to, shown, text_of
from tests.web.serving import OMBRE, VIEWER, ledger_of, ledger_with, serving

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
