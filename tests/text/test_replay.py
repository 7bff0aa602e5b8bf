"""A deal and its score as people read them: nothing that decides is left out, and who sat there is named.

A seat is told no more than it could know.
"""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, result

QUADRILLE = "quadrille-example-06-partner-reveals-himself-and-stop"
DEFENDED = "ombre-example-12a-defended-won"
UPCARD = "couillon-07-bottom-card-decides"
WESELE = (
    {"type": "table_opened", "game": "kop", "players": ["Ada", "Ben", "Cleo", "Dan"]},
    {"type": "deal_started", "deal": 1, "dealer": 3},
    {"type": "bid_made", "seat": 0, "call": "wesele", "card": "SJ"},
)


def test_the_story_names_the_card_called_and_the_partner(examples: CommandLine) -> None:
    told = examples.ok("replay", QUADRILLE)

    assert "called     Cleo calls ♣K" in told
    assert "Cleo plays alliance, trumps ♦, Ada is the partner" in told


def test_a_state_tells_a_seat_the_card_called_but_not_who_holds_it(examples: CommandLine) -> None:
    as_opponent = examples.ok("replay", QUADRILLE, "--step", 12, "--seat", 1)
    as_partner = examples.ok("replay", QUADRILLE, "--step", 12, "--seat", 0)

    assert "called     Cleo calls ♣K" in as_opponent
    assert "is the partner" not in as_opponent
    assert "Ada is the partner" in as_partner


def test_a_state_tells_what_was_announced_so_far(examples: CommandLine) -> None:
    told = examples.ok("replay", DEFENDED, "--step", 22)
    before = examples.ok("replay", DEFENDED, "--step", 17)

    assert "Ada says surrender\n           Ben says defend\n" in told
    assert "surrender" not in before


def test_the_cards_turned_up_are_told(examples: CommandLine) -> None:
    for words in ((), ("--step", 12), ("--seat", 0)):
        told = examples.ok("replay", UPCARD, *words)
        assert "turned     ♠9\nturned     ♣J\n" in told, words


def test_the_card_points_that_decide_are_told(examples: CommandLine) -> None:
    assert "points     Cleo 51, Dan 53" in examples.ok("replay", "kop-example-01-exactly-53")


def test_the_jack_named_with_a_wesele_is_told(cli: CommandLine) -> None:
    cli.record(*WESELE)

    assert "Ada wesele ♠J" in cli.ok("replay", "t")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seat", 3], f"{DEFENDED}: deal 1 has seats 0 to 2, not 3"),
        (["--all-steps", "--seat", 3], f"{DEFENDED}: deal 1 has seats 0 to 2, not 3"),
        (["--step", 30], f"{UPCARD}: deal 1 has steps 0 to 1, not 30"),
        (["--deal", 1, "--step", 30], f"{UPCARD}: deal 1 has steps 0 to 1, not 30"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_one_of_all_tables_lacks_is_said_before_any_is_shown(
    examples: CommandLine, words: list[object], told: str, form: str
) -> None:
    answered = examples.run("replay", "--all", *words, "--format", form)
    assert (answered.exit_code, answered.stdout) == (2, "")
    said = json.loads(answered.stderr)["error"]["message"] if form == "json" else answered.stderr
    assert said == (told if form == "json" else f"trickledger: {told}\n")


def test_what_all_tables_have_is_shown_of_each_deal_as_a_line(examples: CommandLine) -> None:
    shown = examples.ok("replay", "--all", "--step", 1, "--seat", 2, "--format", "json").splitlines()
    deals = [
        len(table["deals"]) for table in map(json.loads, examples.ok("score", "--all", "--format", "json").splitlines())
    ]
    assert [json.loads(line)["step"] for line in shown] == [1] * sum(deals)
    assert "one deal a line" in " ".join(examples.ok("replay", "--help").split())


SECOND_DEAL = {"type": "deal_started", "deal": 2, "dealer": 0}


def seated(seat: int, player: str) -> dict[str, object]:
    return {"type": "player_seated", "seat": seat, "player": player}


def test_each_deal_names_who_sat_there_in_it(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(0, "Zed"), SECOND_DEAL, result(5, 2, 2))

    first, second = cli.ok("score", "t").split("deal 2, ")

    assert "pool → Ann " in first
    assert "Zed" not in first.split("\n", 1)[1]
    assert second.startswith("Zed deals")
    assert "pool → Zed " in second


def test_the_sheet_is_headed_by_who_sat_down_first_and_says_who_came_later(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(0, "Zed"), SECOND_DEAL, result(5, 2, 2))

    sheet = cli.ok("score", "t").split("\n\n")[-4].splitlines()

    assert sheet[0].split() == ["deal", "Ann", "Ben", "Cleo", "pool"]
    assert [line.split()[0] for line in sheet] == ["deal", "1", "Zed", "2", "total"]
    assert sheet[2].split() == ["Zed", "from", "deal", "2", "on"]
    assert sheet[2].index("Zed") == sheet[0].index("Ann")


def test_who_sat_down_after_the_last_deal_is_named_below_it(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(1, "Zed"))

    rows = [line.split() for line in cli.ok("score", "t").splitlines()]

    assert ["Zed", "from", "now", "on"] in rows


def test_a_sheet_on_which_nothing_was_counted_has_no_totals(cli: CommandLine) -> None:
    cli.record(OPENED)
    assert "total" not in cli.ok("score", "t")
    cli.record(FIRST_DEAL)  # its ante is counted at once
    assert "total" in cli.ok("score", "t")
