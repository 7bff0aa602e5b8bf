"""`export`, whole or in part, and `simulate`: lines that `import` accepts. `demo`: everything together."""

import json
import re
from pathlib import Path

import click
import pytest

from ledger import limits
from ledger.cli.demo import _Show
from ledger.text.demo import typed_command
from tests.cli.commands import REVOKED, ROOT, CommandLine
from tests.covering import IS_SOAK
from tests.log.damages import alter

pytestmark = [pytest.mark.soak] if IS_SOAK else []
"""A soak run repeats these with more records, steps or examples."""


@pytest.mark.parametrize(("after", "until"), [(0, 3), (3, 10), (10, 42), (42, 42)])
def test_a_part_is_these_lines_of_the_whole(club: CommandLine, after: int, until: int) -> None:
    lines = club.ok("export").splitlines()
    assert club.ok("export", "--after", after, "--until", until).splitlines() == lines[after:until]
    assert club.ok("export", "--after", after).splitlines() == lines[after:]


def test_a_part_of_a_damaged_ledger_stops_where_it_does_not_fit(club: CommandLine) -> None:
    whole = club.ok("export").splitlines()
    alter(club.ledger, "UPDATE entries SET recorded_by = 'else' WHERE position = 10")
    assert club.ok("export", "--after", 10).splitlines() == whole[10:]
    assert "position 10" in club.run("export", "--after", 5).stderr


def test_one_deal_is_a_hand_record_of_its_own(club: CommandLine) -> None:
    club.ok("import", ROOT / "replays" / "kop" / "match-official.toml")
    record = club.ok("export", "--as", "hand-record", "kop-match-official", "--deal", 2)
    assert record.count("[[deal]]") == 1
    other = club.elsewhere()
    other.ok("import", other.file("deal.toml", record.encode()))
    lines = [cli.json("score", "kop-match-official")["deals"][place]["lines"] for cli, place in ((club, 1), (other, 0))]
    assert lines[0] == lines[1]


def test_a_table_as_a_hand_record_makes_the_same_table_elsewhere(ruled: CommandLine) -> None:
    ruled.ok("import", *sorted((ROOT / "replays" / "session").glob("*.toml")))
    other = ruled.elsewhere()
    for row in ruled.json("tables"):
        record = ruled.ok("export", "--as", "hand-record", row["table"])
        other.ok("import", other.file("record.toml", record.encode()))
        with_rulings = row["table"] == REVOKED
        args = ("score", row["table"], *(["--without-rulings"] if with_rulings else []))
        assert [deal["lines"] for deal in other.json(*args)["deals"]] == [
            deal["lines"] for deal in ruled.json(*args)["deals"]
        ]


@pytest.mark.parametrize("options", [[], ["--players", 4], ["--option", "ante=10", "--option", "favourite_suit=H"]])
def test_simulated_tables_are_legal(cli: CommandLine, options: list[object]) -> None:
    output = cli.ok("simulate", "ombre", "--tables", 2, "--deals", 5, "--session", "an-evening", *options)
    cli.ok("import", "--strict", "-", stdin=output.encode())
    assert cli.run("audit", "--all").exit_code == 0
    assert {row["session"] for row in cli.json("tables")} == {"an-evening"}


PLAYERS = {"ombre": 3, "quadrille": 4, "kop": 4, "baska": 4, "couillon": 4}
PLAYERS |= {"couillon --option form=six24": 6, "couillon --option form=eight32": 8}


@pytest.mark.parametrize(("words", "players"), PLAYERS.items())
def test_as_many_play_as_the_game_is_for(cli: CommandLine, words: str, players: int) -> None:
    output = cli.ok("simulate", *words.split(), "--deals", 1)
    assert len(json.loads(output.splitlines()[0])["event"]["players"]) == players


def test_evenings_end_at_the_limit_of_an_import_and_go_on(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["simulate", "kop", "--deals", 1, "--from", "2024-01-04"]
    all_lines = cli.ok(*words, "--evenings", 3).splitlines()
    monkeypatch.setattr(limits, "EVENTS_PER_APPEND", len(all_lines) - 1)
    answered = cli.run(*words, "--evenings", 3)
    assert answered.exit_code == 0
    assert f"one import takes at most {len(all_lines) - 1} events" in answered.stderr
    assert "--from 2024-01-18 --evenings 1," in answered.stderr
    rest = cli.run(*words[:-1], "2024-01-18", "--evenings", 1)
    assert rest.stderr == ""
    assert answered.stdout.splitlines() + rest.stdout.splitlines() == all_lines


@pytest.mark.usefixtures("quick_plots")
def test_demo_shows_and_repeats_itself(bare_cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands named at its end work; the second demo only makes the ledger."""
    folder, run = tmp_path / "shown", _Show.run

    def run_if_init(show: _Show, *words: str) -> None:
        run(show, *words) if words == ("init",) else click.echo(typed_command(words))

    first = bare_cli.ok("demo", "--folder", folder)
    for command in ("init", "import", "replay", "score", "tables", "audit", "dispute", "stats", "query", "verify"):
        assert f"$ trickledger {command}" in first
    assert "Traceback" not in first
    assert (folder / "kop-night.html").exists()
    shown = CommandLine(folder)
    assert {row["game"] for row in shown.json("tables")} == {"ombre", "quadrille", "couillon", "kop"}
    *looked_at, pages = re.findall(r"(?m)^  \d\. trickledger (.*?)  ", first)
    assert (len(looked_at), pages) == (6, "serve")
    assert all(shown.ok(*words.split()) for words in looked_at)
    shown.ok("query", "SELECT 1", "--save", "one")
    monkeypatch.setattr(_Show, "run", run_if_init)
    assert bare_cli.ok("demo", "--folder", folder).count("$ trickledger") == first.count("$ trickledger")
    assert not list(folder.glob("*.queries")), "what was saved of the one before is cleared with it"
    assert shown.json("tables") == [], "the ledger is another one"
    assert not (folder / "kop-night.html").exists()
    assert not bare_cli.ledger.exists(), "the demonstration leaves the club's own ledger alone"
