"""`token`: issues tokens and codes, shows each secret once, lists and revokes them."""

import re
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ledger.access.base import NewToken, OpenedSession
from ledger.access.grants import Grant
from ledger.access.stores import open_access
from ledger.access.tokens import is_code, is_token
from ledger.log.paths import access_of
from ledger.text.service import Start, start_text
from tests.cli.commands import CommandLine
from tests.schemas.checks import assert_fits

URL = ("--url", "http://192.168.1.20:8000/")


def granted(cli: CommandLine, token: str) -> object:
    with open_access(cli.ledger) as access:
        return access.grant_of(token)


def test_a_token_is_shown_once_and_grants_what_was_said(cli: CommandLine) -> None:
    output = cli.ok("token", "add", "table-3", "--role", "recorder", "--table", "ombre-1", "--seat", 2, "--may-open")
    _, secret, _ = output.splitlines()  # what is said around it is in the transcript
    assert is_token(secret)
    assert granted(cli, secret) == Grant(token="table-3", role="recorder", tables=("ombre-1",), seat=2, may_open=True)
    assert secret not in cli.ok("token", "list") + cli.ok("token", "list", "--format", "json")


def test_json_says_the_same_and_fits_its_schema(cli: CommandLine) -> None:
    issued = cli.json("token", "add", "friends", "--role", "viewer", "--hands", *URL)
    assert_fits("token-issued", issued)
    assert issued["link"] == f"http://192.168.1.20:8000/sign-in#{issued['secret']}"
    listed = cli.json("token", "list")
    assert_fits("tokens", listed)
    assert listed == [issued["token"]]


def test_a_code_has_eight_digits_and_an_hour(cli: CommandLine) -> None:
    code = cli.ok("token", "code", "--table", "a", "--table", "b", "--until", "4h").splitlines()[1]
    assert is_code(code) and re.fullmatch(r"\d{8}", code)
    with open_access(cli.ledger) as access:
        opened = access.redeem(code, "Ann")
    assert isinstance(opened, OpenedSession)
    assert opened.session.grant.recorded_by == "code-1/Ann"
    assert [one["id"] for one in cli.json("token", "list")] == ["code-1"]


def test_the_list_shows_when_a_token_was_last_used(cli: CommandLine) -> None:
    token = cli.json("token", "add", "ann", "--role", "director")["secret"]
    assert isinstance(granted(cli, token), Grant)
    _, ann = cli.ok("token", "list").splitlines()
    assert re.fullmatch(r"ann +token +director at all tables +does not expire +\d{4}-\d\d-\d\d *", ann)


def test_a_qr_code_is_shown_on_the_screen(cli: CommandLine) -> None:
    output = cli.ok("token", "add", "friends", "--role", "viewer", *URL, "--qr").splitlines()[4:]
    assert len(output) > 20
    assert set("".join(output)) == set("█▀▄ ")


@pytest.mark.parametrize(("name", "begin"), [("link.svg", b"<?xml"), ("link.PNG", b"\x89PNG\r\n")])
def test_a_qr_code_is_written_to_a_file(cli: CommandLine, name: str, begin: bytes) -> None:
    picture = cli.folder / name
    issued = cli.json("token", "add", "friends", "--role", "viewer", *URL, "--qr", picture)
    assert picture.read_bytes().startswith(begin)
    cli.refused(4, "token", "add", "others", "--role", "viewer", *URL, "--qr", picture)
    assert [one["id"] for one in cli.json("token", "list")] == ["friends"]
    cli.ok("token", "add", "others", "--role", "viewer", *URL, "--qr", picture, "--overwrite")
    assert issued["secret"].encode() not in picture.read_bytes()


def test_without_the_extra_no_token_is_lost(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert "serve" in cli.refused(2, "token", "add", "friends", "--role", "viewer", *URL, "--qr", "--format", "text")
    assert cli.json("token", "list") == []


def test_a_clock_that_jumped_ahead_is_reported_until_it_is_reset(cli: CommandLine) -> None:
    cli.ok("token", "add", "ann", "--role", "viewer")
    assert cli.run("token", "list").stderr == ""
    with open_access(cli.ledger, clock=lambda: datetime(2999, 1, 1, tzinfo=UTC)) as access:
        access.add_token(NewToken(id="ben", role="viewer"))
    said = cli.run("token", "list").stderr
    assert said.startswith("This machine's clock once showed 2999-01-01 00:00 UTC: codes and tokens that expire before")
    assert said.endswith("Set the clock right, then run trickledger token reset-clock.\n")
    refused = cli.refused(3, "token", "code", "--table", "a", "--until", "4h")
    assert "expected a moment after 2999-01-01T00:00:00.000000Z" in refused
    with open_access(cli.ledger) as access:
        assert list(start_text(start(clock_ahead=access.clock_ahead()), "en"))[-1] == said.rstrip()
    assert_fits("tokens", cli.json("token", "reset-clock"))
    output = cli.ok("token", "reset-clock")
    assert output.startswith("Tokens and codes expire by this machine's clock again, which shows 20")
    assert "ben" in output
    answered = cli.run("token", "code", "--table", "a", "--until", "4h")
    assert (answered.exit_code, answered.stderr) == (0, "")
    assert "too many" in cli.refused(2, "token", "reset-clock", "ann")


def start(**more: Any) -> Start:
    """Return the output of a service that starts."""
    return Start(
        ledger=Path("club.ledger"), entries=0, here="http://127.0.0.1:1/", phone=None, needs_no_token=True,
        is_public=False, is_read_only=False, is_behind_proxy=False, **more,
    )  # fmt: skip


def test_a_token_that_something_else_wrote_is_noticed_when_the_service_starts(cli: CommandLine) -> None:
    cli.ok("token", "add", "ann", "--role", "viewer")
    with closing(sqlite3.connect(access_of(cli.ledger))) as file, file:
        file.execute("UPDATE tokens SET facts = replace(facts, 'viewer', 'admin')")
    said = cli.refused(5, "serve", "--port", 0)
    assert "is damaged: the row of the token ann was not written by this program; move it away" in said
