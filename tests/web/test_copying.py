"""A ledger is copied from a running service: with which token, and what a broken or lying service comes to."""

from pathlib import Path
from socket import create_server
from threading import Thread
from typing import Final

import pytest

import ledger
from ledger.access.base import NewToken
from ledger.access.stores import open_access
from ledger.errors import LedgerError
from ledger.log import http_source
from ledger.log.http_source import HttpSource
from tests.cli.commands import CommandLine
from tests.contracts.scripts import scripts
from tests.japanese import assert_has_japanese
from tests.patience import wait_until
from tests.web.club import OPEN, club_of
from tests.web.served import running
from tests.web.serving import record

TYPED: Final = ("TRICKLEDGER_TOKEN", "trickledger", "token add ID --role director --hands", "verify")
TOKENS: Final = {
    "all": NewToken(id="all", role="director", hands=True),
    "viewer": NewToken(id="viewer", role="viewer", hands=True),
    "blind": NewToken(id="blind", role="director"),
    "bound": NewToken(id="bound", role="director", hands=True, tables=("ombre-revoke",)),
}


def test_a_service_is_copied_with_the_right_token_and_the_copy_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copy from a club with an open deal, on which all digests after it depend."""
    monkeypatch.setattr(http_source, "ENTRIES", 70)
    cli, target = CommandLine(tmp_path), tmp_path / "copy.ledger"
    with running(club_of(tmp_path), "--no-loopback") as service:
        with open_access(service.ledger) as access:
            secrets = {id: access.add_token(rights).secret for id, rights in TOKENS.items()}
        for secret, complaint in (("", "needs a valid token"), ("viewer", "needs the role director and"),
                                  ("blind", "and the right to see hands"), ("bound", "at all tables")):  # fmt: skip
            monkeypatch.setenv("TRICKLEDGER_TOKEN", secrets.get(secret, ""))
            assert complaint in cli.refused(4 if secret == "blind" else 5, "copy", service.address, target)
            assert not target.exists()
        monkeypatch.setenv("TRICKLEDGER_TOKEN", secrets["all"])
        assert "\nDisplay names, links and hidden players were not" in cli.ok("copy", service.address, target)
        with ledger.open(service.ledger) as store:
            record(store, OPEN, {"type": "noted", "text": "later"})
            last = store.head()
        wait_until(lambda: HttpSource(service.address, secrets["all"]).head() == last)
        assert cli.json("copy", service.address, target)["added"] == 1
    assert cli.ok("--ledger", target, "export") == cli.ok("export")


SCRIPTS: Final = scripts(Path(__file__).with_name("copying.txt"))


@pytest.mark.parametrize("title", SCRIPTS)
def test_a_service_that_fails_makes_no_copy(tmp_path: Path, title: str) -> None:
    *answers, expected = SCRIPTS[title]
    code, _, message = expected.partition(": ")

    def answer() -> None:
        for one in answers:
            with server.accept()[0] as connection:
                connection.recv(10_000)
                connection.sendall(one.encode().decode("unicode_escape").encode())

    with create_server(("127.0.0.1", 0)) as server, pytest.raises(LedgerError) as refusal:
        Thread(target=answer, daemon=True).start()
        ledger.copy(f"http://127.0.0.1:{server.getsockname()[1]}/club/", tmp_path / "copy.ledger")
    assert refusal.value.code == code and message in str(refusal.value)
    if code != "malformed":
        assert_has_japanese(refusal.value.said, *TYPED)
    assert not (tmp_path / "copy.ledger").exists()
