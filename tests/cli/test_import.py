"""`import`: what it takes, what it says, and that a file is recorded whole or not at all."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, REVOKE, CommandLine, lines

HAND_RECORD = REVOKE.read_bytes()
BARE = lines(OPENED, FIRST_DEAL)


def export_of(cli: CommandLine) -> bytes:
    return cli.ok("export").encode()


def forms(cli: CommandLine) -> list[str]:
    return [report["form"] for report in cli.json("import", *sorted(cli.folder.glob("*.in")))]


def test_the_three_forms_are_told_apart_by_their_content(cli: CommandLine) -> None:
    other = cli.beside()
    other.record(OPENED)
    cli.file("1.in", other.ok("export").encode())  # an export only continues what it came from: it goes first
    cli.file("2.in", HAND_RECORD)
    cli.file("3.in", lines(OPENED, FIRST_DEAL, table="u"))
    assert forms(cli) == ["export", "hand record", "bare events"]


@pytest.mark.parametrize(
    ("content", "form"), [(HAND_RECORD, "hand record"), (BARE, "bare events")], ids=["hand record", "bare"]
)
@pytest.mark.parametrize(
    "dressed",
    [
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\n\n" + content,
        lambda content: content.rstrip(b"\n"),
    ],
    ids=["byte order mark", "Windows lines", "blank lines", "no last line feed"],
)
def test_editors_leave_their_marks(cli: CommandLine, content: bytes, form: str, dressed) -> None:
    answered = cli.run("import", "-", "--format", "json", stdin=dressed(content))
    assert json.loads(answered.stdout)[0]["form"] == form


def test_one_bad_file_does_not_stop_the_others_and_decides_the_exit_status(cli: CommandLine) -> None:
    good = cli.file("good.ndjson", BARE)
    bad = cli.file("bad.ndjson", lines(OPENED, FIRST_DEAL, FIRST_DEAL, table="u"))
    also_good = cli.file("also-good.toml", HAND_RECORD)
    answered = cli.run("import", good, bad, also_good)
    assert answered.exit_code == 3
    assert answered.stdout.splitlines() == [
        f"{good} (bare events): 1 table, 1 deal, 2 events recorded",
        f"{also_good} (hand record): 1 table, 1 deal, 38 events recorded; "
        "1 finding against the rules, see trickledger audit",
    ]
    assert answered.stderr == (
        f"trickledger: {bad}, line 3, table/u: deal: '1'; expected 2, the next deal of the table\n"
        f"Nothing of {bad} was recorded.\n"
    )
    assert [row["table"] for row in cli.json("tables")] == ["t", "ombre-revoke"]


def test_the_first_bad_file_decides_the_exit_status(cli: CommandLine) -> None:
    cli.ok("import", "-", stdin=lines(OPENED))
    refused = cli.file("refused.ndjson", b"hello")
    assert cli.refused(3, "import", refused, cli.file("again.ndjson", lines(OPENED))).count("Nothing of ") == 2


def test_an_export_goes_into_a_new_ledger_with_the_same_digests(club: CommandLine) -> None:
    other = club.beside()
    told = other.ok("import", "-", stdin=export_of(club))
    assert told.startswith("standard input (export): 2 tables, 2 deals, 42 events recorded")
    assert export_of(other) == export_of(club)
    assert other.json("verify") == club.json("verify")


def export_lines(cli: CommandLine) -> list[bytes]:
    return export_of(cli).splitlines(keepends=True)


def test_the_end_of_an_export_continues_a_ledger_that_has_its_beginning(club: CommandLine) -> None:
    entries = export_lines(club)
    other = club.beside()
    other.ok("import", "-", stdin=b"".join(entries[:10]))
    assert "7 events recorded" in other.ok("import", "-", stdin=b"".join(entries[10:17]))
    assert "3 events recorded before" in other.ok("import", "-", stdin=b"".join(entries[14:]))
    assert export_of(other) == export_of(club)


@pytest.mark.parametrize(
    ("kept", "complaint"),
    [
        (slice(5, None), "line 1: the ledger continues at position 1, not at 6"),
        (slice(0, None, 2), "line 2: the ledger continues at position 2, not at 3"),
        (slice(None, None, -1), "line 1: the ledger continues at position 1, not at 42"),
    ],
    ids=["without its beginning", "with gaps", "in the wrong order"],
)
def test_an_export_with_entries_missing_is_a_conflict(club: CommandLine, kept: slice, complaint: str) -> None:
    other = club.beside()
    assert complaint in other.refused(4, "import", "-", stdin=b"".join(export_lines(club)[kept]))
    assert other.json("verify")["entries"] == 0
