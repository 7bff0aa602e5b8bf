"""`correct` where what is typed is no text, and the id of another table; the rest is in `transcripts/correct.txt`."""

from __future__ import annotations

import json

from tests.cli.commands import CommandLine


def test_what_is_no_text_is_refused(club: CommandLine) -> None:
    answered = club.refused(3, "correct", "t", "replace", "-", "--last", "--reason", "x", stdin=b"\xff")
    assert answered == "trickledger: standard input: not UTF-8; expected text in UTF-8\n"


def test_the_id_of_another_table_is_a_conflict(cli: CommandLine, club: CommandLine) -> None:
    event = {"stream": "table/later", "event": {"type": "table_opened", "game": "ombre", "players": ["A", "B", "C"]}}
    first = club.entries()[0]["id"]
    cli.ok("import", "-", stdin=json.dumps(event).encode())
    note = '{"type": "noted", "text": "x"}'
    answered = club.refused(4, "correct", "later", "insert_after", note, "--last", "--reason", "x", "--id", first)
    assert f"the id {first} is used for something else: version 1 of table/t" in answered
