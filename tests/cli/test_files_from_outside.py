"""What a command reads has an end: a device has none, and what comes on standard input is bounded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ledger import limits
from tests.cli.commands import CommandLine, environment


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "--receipt", "/dev/zero", "--key", "club.pub"],
        ["verify", "--key", "/dev/zero", "--receipt", "x"],
        ["verify", "--consistent-with", "/dev/zero", "--key", "/dev/zero"],
        ["checkpoint", "--key", "/dev/zero"],
        ["receipt", "t", "--deal", 1, "--checkpoint", "/dev/zero"],
        ["stats", "league", "--rules", "/dev/zero"],
        ["import", "/dev/zero"],
    ],
    ids=lambda words: " ".join(map(str, words[:2])),
)
def test_a_command_reads_no_device(cli: CommandLine, words: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(cli.folder)
    cli.ok("checkpoint", "--make-key", "club.example/ledger")
    refused = cli.refused(2, *words)
    assert refused.splitlines()[0] == "trickledger: /dev/zero is a device or a pipe, and not a file"


def test_what_the_shell_has_opened_is_read(cli: CommandLine) -> None:
    simulated = 'trickledger() { "$PYTHON" -m ledger "$@"; }; trickledger simulate ombre --deals 1'
    for how in ("import /dev/stdin", "import -", "import /proc/self/fd/0"):
        asked = ["bash", "-c", f'{simulated} --slug "s{len(how)}" | trickledger --ledger club.ledger {how}']
        done = subprocess.run(
            asked, cwd=cli.folder, env=environment(PYTHON=sys.executable), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), how


def test_what_a_correction_reads_is_bounded(club: CommandLine) -> None:
    words = ["correct", "t", "replace", "-", "--version", 3, "--reason", "typo"]
    assert club.refused(3, *words, stdin=b" " * (limits.LINE_BYTES + 1)) == (
        "trickledger: standard input: too long for one correction: 1,000,001 bytes; expected at most 1,000,000 bytes\n"
    )


def test_no_receipt_is_made_that_nobody_could_read(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    club.ok("checkpoint", "--make-key", "club.example/ledger")
    club.ok("checkpoint")
    monkeypatch.setattr(limits, "RECEIPT_BYTES", 1_000)
    refused = club.refused(3, "receipt", "ombre-revoke", "--deal", 1, "-o", club.folder / "r")
    assert "too large a receipt: " in refused
    assert not (club.folder / "r").exists()


def test_a_question_that_never_ends_is_not_waited_for(club: CommandLine) -> None:
    """Neither on one line nor on many is more of it kept than a question may have."""
    for line in (b"SELECT 1 ", b"SELECT 1\n"):
        refused = club.refused(2, "query", "--shell", stdin=line * (limits.QUERY_CHARS // 5))
        assert "characters; at most 100,000 are taken" in refused
