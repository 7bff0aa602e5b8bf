"""Every command's JSON answer, over the records of all games, fits its schema."""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import click
import pytest

from ledger.cli import main
from ledger.history import statistics
from ledger.plots.figures import plots
from ledger.schemas import ANSWERS, VEGA_LITE, schema_texts
from tests.cli.commands import REVOKE, ROOT, CommandLine, signed_club
from tests.contracts.scripts import scripts
from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.quick_plots import undrawn
from tests.schemas.checks import assert_fits

ANSWER_KINDS: Final = sorted((command, way) for command, ways in ANSWERS.items() for way in ways)
REPLAYS: Final = ROOT / "replays"
NAMED: Final = (
    *("couillon/01-third-player-takes", "kop/match-official", "ombre/revoke", "quadrille/01-alliance-won"),
    "session/opening-night-1",
)
RECORDS: Final = sorted({*sorted(REPLAYS.glob("*/*.toml"))[::32], *(REPLAYS / f"{name}.toml" for name in NAMED)})
"""Some records of each game, with the disputed tables and the evening; test_answers.py checks all."""
SCRIPTS: Final = scripts(Path(__file__).with_name("commands.txt"))
RULES: Final = 'title = "Club league"\npoints = [3, 2, 1]\n'
QUARRELS: Final = {
    "ombre-revoke": ("adjust", "--deltas", "1,-1,0"),
    "kop-match-official": ("replace", "--deltas", "1,-1,0,0"),
    "couillon-01-third-player-takes": ("stands",),
    "quadrille-example-01-alliance-won": ("void",),
}
"""One table of each rulebook, with a ruling on its first deal."""


class Club:
    """A ledger with all records, and its answers by command and way of asking."""

    def __init__(self, folder: Path) -> None:
        self.cli = CommandLine(folder)
        self.answers: dict[tuple[str, str], list[Any]] = defaultdict(list)

    def ask(self, way: str, command: str, *words: object, stdin: bytes = b"", statuses: tuple[int, ...] = (0,)) -> Any:
        """Run a command and return the last JSON value it prints; `way` as in `ANSWERS`."""
        form = ("--format", "json") if takes_json(command) else ()
        answered = self.cli.run(command, *words, *form, stdin=stdin)
        assert answered.exit_code in statuses, (command, words, answered.stderr)
        values = list(values_in(answered.stdout))
        assert values, (command, words)
        self.answers[command, way] += values
        return values[-1]

    def run(self, part: str) -> None:
        """Run the commands in a part of commands.txt."""
        for line in SCRIPTS[part]:
            command_line, _, statuses = line.partition(" => ")
            way, command, *words = shlex.split(command_line if command_line.startswith("[") else f"[] {command_line}")
            here = [word.replace("FOLDER", str(self.cli.folder)) for word in words]
            self.ask(way[1:-1], command, *here, statuses=tuple(map(int, statuses.split())) or (0,))


def takes_json(command: str) -> bool:
    return any(
        isinstance(option.type, click.Choice) and "json" in option.type.choices
        for option in main.commands[command].params
    )


def values_in(text: str) -> Iterator[Any]:
    """Yield the JSON values, each of which ends its line; an empty line is no value."""
    place, decoder = 0, json.JSONDecoder()
    while place < len(text):
        value, place = decoder.raw_decode(text, place)
        yield value
        place += 1  # the line feed


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    made = Club(tmp_path_factory.mktemp("club"))
    record(made)
    quarrel(made)
    close(made)
    made.run("look up")
    made.run("give out")
    prove(made)
    made.cli.file("league.toml", RULES.encode())
    with patch("ledger.plots.export.svg", undrawn):
        made.run("ask the history")
    for name in statistics():
        made.ask("--explain", "stats", name, "--explain")
    made.ask("--shell", "query", "--shell", stdin=b"SELECT 2::HUGEINT ** 100 AS n; SELECT 1 AS x WHERE false;")
    made.ask("", "plot", next(iter(plots())))
    return made


def record(club: Club) -> None:
    club.ask("", "init")
    club.ask("", "import", *RECORDS)
    club.ask("", "check", RECORDS[0], statuses=(0, 1))
    club.ask("", "check", REVOKE, statuses=(0, 1))
    differing = club.cli.file("other.toml", REVOKE.read_bytes().replace(b"CA H2", b"CA D4"))
    club.ask("", "compare", "ombre-revoke", differing)
    club.ask("", "compare", RECORDS[0], RECORDS[-1])
    for game in ("ombre", "quadrille", "couillon", "kop", "baska"):
        club.ask("", "simulate", game, "--deals", 2, "--slug", f"simulated-{game}")
    club.ask("", "import", "-", stdin=b"no event", statuses=(3, 4))
    club.ask("", "import", "--dry-run", *RECORDS)
    remark = b'{"stream": "table/ombre-revoke", "event": {"type": "noted", "text": "a remark"}}'
    club.ask("--follow", "import", "--follow", "-", stdin=remark + b"\nno event", statuses=(3,))
    club.cli.ok("players", "Belinda", "--name", "Arabella Fermor")
    club.ask("", "players")


def quarrel(club: Club) -> None:
    club.ask("", "tables")
    for table, (kind, *words) in QUARRELS.items():
        raised = club.ask("TEXT", "dispute", table, "was that so?", "--deal", 1)
        club.ask("", "ruling", table, kind, "so it was", "--deal", 1, "--dispute", raised["version"], *words)
        club.ask("", "correct", table, "strike", "--last", "--reason", "too rash", "--confirm")
        club.ask("", "correct", table, "strike", "--deal", 1, "--step", 3, "--reason", "if it were so", "--dry-run")
        club.ask("TABLE", "dispute", table)
        club.ask("", "dispute")
        club.ask("--case-sheet", "dispute", table, "--case-sheet", raised["version"])
        club.ask("--diff", "replay", table, "--deal", 1, "--diff")
        club.ask("", "replay", table, "--deal", 1, "--all-steps", "--seat", 0)


def close(club: Club) -> None:
    club.run("close")
    for table in QUARRELS:
        club.ask("", "note", table, "the lamp went out", "--deal", 1, "--step", 3, "--seat", 1)
        club.ask("", "close", table, "--reason", "no light")
    club.ask("", "open-hands", "--dry-run")


def watch_over(all_games: Club) -> None:
    """Let a witness cosign another club, at which no deal is open."""
    club = Club(all_games.cli.folder / "other")
    club.cli.folder.mkdir()
    club.cli.made_by(signed_club)
    club.answers = all_games.answers
    signed = (club.cli.folder / "club.checkpoint").read_bytes()
    club.cli.file("c.evidence", b"trickledger-evidence@v1\n\n%b--\n%b" % (signed, signed))
    club.run("watch over")


def prove(club: Club) -> None:
    cli, folder = club.cli, club.cli.folder
    club.ask("--make-key", "checkpoint", "--make-key", "club.example/ledger")
    cli.ok("checkpoint", "--make-key", "other.example/ledger", "--key", folder / "other.key")
    signed = club.ask("", "checkpoint")["checkpoint"]
    club.ask("--cosign", "checkpoint", "--cosign", folder / "other.key")
    receipt = club.ask("", "receipt", "ombre-revoke", "--deal", 1, "--output", folder / "r.receipt")["receipt"]
    club.ask("", "verify")
    watch_over(club)
    club.ask("", "stats", "standings")
    club.ask("--history", "verify", "--history")
    witness = ("--witness", folder / "other.pub")
    club.ask("", "verify", "--consistent-with", signed, *witness)
    club.ask("--receipt", "verify", "--receipt", receipt, "--key", folder / "club.pub", *witness)
    club.ask("--receipt", "verify", "--receipt", receipt, "--key", folder / "other.pub", statuses=(1,))
    copy = Path(club.ask("", "backup", folder / "copy.ledger")["backup"])
    club.ask("--drill", "backup", "--drill")
    club.ask("", "restore", copy, folder / "restored.ledger")
    club.ask("", "copy", cli.ledger, folder / "followed.ledger")
    with patch("ledger.api.proofs.sleep", side_effect=KeyboardInterrupt):
        club.ask("--follow", "copy", cli.ledger, folder / "followed.ledger", "--follow")
    whole = cli.ledger
    cli.ledger = cli.file("cut.ledger", copy.read_bytes()[:100_000])
    club.ask("", "verify", statuses=(1,))
    cli.ledger = folder / "restored.ledger"
    cli.record({"type": "noted", "text": "more"}, table="ombre-revoke")
    cli.ok("restore", copy, cli.ledger, "--overwrite")
    assert club.ask("", "verify")["rollbacks"]
    cli.ledger = whole


def test_every_command_that_takes_json_has_a_schema() -> None:
    assert {command for command in main.commands if takes_json(command)} <= ANSWERS.keys()


def test_every_named_command_option_and_schema_exists() -> None:
    schemas = schema_texts().keys()
    for command, way in ANSWER_KINDS:
        params = main.commands[command].params
        known = {name for param in params for name in (*param.opts, *param.human_readable_name.split("|"))}
        assert way in {"", *known}, (command, way)
        assert ANSWERS[command][way] == VEGA_LITE or f"{ANSWERS[command][way]}.json" in schemas, (command, way)


def test_every_answer_fits_its_schema(club: Club) -> None:
    url = ("checkpoint", "--witness-url")  # answers like --add-cosignature: tests/witness/test_http.py has a service
    assert [kind for kind in ANSWER_KINDS if not club.answers[kind]] == [url], "not asked"
    for command, way in ANSWER_KINDS:
        answers, name = club.answers[command, way], ANSWERS[command][way]
        for answer in answers[:: 1 + len(answers) // 100]:  # test_answers.py checks every line of an export
            if name == VEGA_LITE:
                assert answer["$schema"].startswith(VEGA_LITE)
            else:
                assert_fits(name, answer)


def test_a_receipt_that_proves_nothing_names_nothing(club: Club) -> None:
    proven, damaged = club.answers["verify", "--receipt"]
    assert damaged.keys() == {"proven", "damage"}
    assert proven.keys() > damaged.keys()
