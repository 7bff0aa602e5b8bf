"""`replay --seat` takes the name of a player: what he could know, wherever he sits."""

from __future__ import annotations

import json

import pytest

import ledger
from ledger.errors import NotFoundError
from tests.cli.commands import FIRST_DEAL, OPENED, REVOKE, CommandLine, lines
from tests.covering import covering
from tests.japanese import assert_told_in_japanese

TABLE = "ombre-revoke"
WAYS = [(), ("--step", 9), ("--all-steps",), ("--format", "json"), ("--all-steps", "--format", "json")]


def with_the_revoke(cli: CommandLine) -> None:
    cli.ok("init")
    cli.ok("import", REVOKE)


@pytest.fixture
def club(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(with_the_revoke)


@pytest.mark.parametrize(("words", "name"), covering(WAYS, ("Baron", "baron", "Bar")))
def test_a_name_is_the_seat_of_that_player(club: CommandLine, name: str, words: tuple[object, ...]) -> None:
    assert club.ok("replay", TABLE, "--seat", name, *words) == club.ok("replay", TABLE, "--seat", 1, *words)


def test_a_name_is_looked_for_at_all_tables(club: CommandLine) -> None:
    assert club.ok("replay", "--all", "--seat", "Baron") == club.ok("replay", "--all", "--seat", 1)
    club.ok("import", "-", stdin=lines(OPENED, FIRST_DEAL))
    refused = club.refused(2, "replay", "--all", "--seat", "Baron")
    assert "deal 1 has no player Baron; it has Ann, Ben, Cleo" in refused


def test_a_player_who_sat_down_later_is_found_where_he_sits(club: CommandLine) -> None:
    seated = {"type": "player_seated", "seat": 2, "player": "Dora"}
    voided = {"type": "deal_voided", "reason": "dropped"}
    second = {"type": "deal_started", "deal": 2, "dealer": 0}
    club.ok("import", "-", stdin=lines(OPENED, FIRST_DEAL, voided, seated, second))
    assert club.ok("replay", "t", "--deal", 2, "--seat", "Dora") == club.ok("replay", "t", "--deal", 2, "--seat", 2)
    refused = club.run("replay", "t", "--deal", 1, "--seat", "Dora")
    assert (refused.exit_code, refused.stderr) == (2, "trickledger: deal 1 has no player Dora; it has Ann, Ben, Cleo\n")


def test_the_name_that_is_shown_and_that_of_the_record_are_the_same_player(club: CommandLine) -> None:
    club.ok("players", "Baron", "--name", "Arabella")
    for words in ((), ("--format", "json")):
        shown, recorded = (club.ok("replay", TABLE, "--seat", name, *words) for name in ("Arabella", "Baron"))
        assert shown == recorded == club.ok("replay", TABLE, "--seat", 1, *words)


def test_a_seat_that_there_is_not_is_told_as_ever(club: CommandLine) -> None:
    for seat in (3, 10**30):
        assert "deal 1 has seats 0 to 2, not " in club.run("replay", TABLE, "--seat", seat).stderr


def test_a_name_of_several_or_of_nobody_is_told(club: CommandLine) -> None:
    with ledger.open(club.ledger) as store:
        for name, told in (
            ("B", "B fits several players of deal 1: Belinda, Baron"),
            ("Nobody", "deal 1 has no player Nobody; it has Belinda, Baron, Clarissa"),
        ):
            with pytest.raises(NotFoundError) as refused:
                ledger.replay(store, TABLE, seat=name)
            assert str(refused.value) == told
            assert_told_in_japanese(refused.value.said, name, "Belinda", "Baron", "Clarissa")
            with pytest.raises(NotFoundError):
                list(ledger.replay_all(store, TABLE, seat=name))


def test_programs_are_told_who_there_is(club: CommandLine) -> None:
    refused = club.run("replay", TABLE, "--seat", "Nobody", "--format", "json")
    assert json.loads(refused.stderr)["error"]["known"] == ["Belinda", "Baron", "Clarissa"]
