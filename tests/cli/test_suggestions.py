"""After a slip of the pen every name that a command asks for is suggested: tables, sessions, players, questions."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import CommandLine


@pytest.fixture
def evening(club: CommandLine) -> CommandLine:
    """The small club's ledger with a session, a saved question, and keys to sign with."""
    session = {"type": "session_opened", "title": "Opening night", "date": "2026-01-30"}
    club.ok("import", "-", stdin=json.dumps({"stream": "session/opening-night", "event": session}).encode())
    club.ok("players", "Belinda", "--name", "Arabella Fermor")
    club.ok("query", "FROM deals LIMIT 1", "--save", "first-deal")
    club.ok("checkpoint", "--make-key", "club.example")
    club.ok("checkpoint")
    return club


SLIPS = [
    (("score", "ombre-revok"), "there is no table ombre-revok; perhaps ombre-revoke"),
    (("audit", "revoke"), "there is no table revoke; perhaps ombre-revoke"),
    (("replay", "ombrerevoke"), "there is no table ombrerevoke; perhaps ombre-revoke"),
    (("correct", "ombre-rvoke", "strike", "--last", "--reason", "x"), "no table ombre-rvoke; perhaps ombre-revoke"),
    (("dispute", "ombre-rvoke"), "there is no table ombre-rvoke; perhaps ombre-revoke"),
    (("ruling", "ombre-rvoke", "stands", "x", "--deal", 1), "no table ombre-rvoke; perhaps ombre-revoke"),
    (("export", "--bare", "--table", "ombre-rvoke"), "there is no table ombre-rvoke; perhaps ombre-revoke"),
    (("receipt", "ombre-rvoke", "--deal", 1), "there is no table ombre-rvoke; perhaps ombre-revoke"),
    (("report", "opening-nite"), "there is no session opening-nite; perhaps opening-night"),
    (("session", "close", "openingnight"), "there is no session openingnight; perhaps opening-night"),
    (("stats", "standings", "--session", "opening"), "there is no session opening; perhaps opening-night"),
    (("players", "Belind", "--name", "x"), "the record has no player Belind; perhaps Belinda"),
    (("players", "Belind", "--forget"), "no name is shown for Belind; perhaps Belinda"),
    (("stats", "standings", "--player", "Belnda"), "there is no player Belnda; perhaps Arabella Fermor"),
    (("stats", "standing"), "there is no statistic standing; perhaps standings"),
    (("plot", "standing"), "there is no plot standing; perhaps standings"),
    (("query", "first-dael"), "; perhaps first-deal"),
    (("rules", "OMB-6.88"), "did you mean "),
]


@pytest.mark.parametrize(("words", "told"), SLIPS, ids=lambda value: " ".join(map(str, value))[:40])
def test_what_is_meant_is_suggested(evening: CommandLine, words: tuple[object, ...], told: str) -> None:
    refused = evening.run(*words)
    assert refused.exit_code == 2
    assert told in refused.stderr


def test_programs_are_told_all_statistics_and_the_tables_that_are_near(evening: CommandLine) -> None:
    def known(*words: object) -> list[str]:
        told = json.loads(evening.run(*words, "--format", "json").stderr)
        return list(told["error"]["known"])

    assert known("score", "ombre-revok") == ["ombre-revoke"]
    assert known("score", "nothing-like-it") == ["t", "ombre-revoke"]
    assert {"standings", "contracts"} <= set(known("stats", "standing"))
    assert known("query", "first-dael") == ["first-deal"]
