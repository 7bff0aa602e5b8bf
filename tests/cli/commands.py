"""Running commands in tests: in this process, or in one of their own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from typing import Any, Self

from click.testing import CliRunner, Result

from ledger.cli import main
from tests.covering import IS_SOAK
from tests.log.damages import swap_cards

ROOT = Path(__file__).parent.parent.parent
REVOKE = ROOT / "replays" / "ombre" / "revoke.toml"
_ALL_RECORDS = sorted((ROOT / "replays").rglob("*.toml"))
_ALWAYS = ("02-vuelta-stopped", "baska", "match", "rape-of-the-lock", "06-partner", "opening-night")
RECORDS = [
    path
    for place, path in enumerate(_ALL_RECORDS)
    if IS_SOAK or place % 9 == 0 or path == REVOKE or any(part in path.stem for part in _ALWAYS)
]
"""Hand records of all games: in a soak run all of the project, otherwise some."""
REVOKED = "ombre-revoke"
"""The table of the hand record with a revoke, and a dispute and a ruling about it."""
RAISE = ("dispute", REVOKED, "the Baron had a diamond", "--deal", 1, "--step", 24, "--player", "Belinda")
FINE = ("ruling", REVOKED, "adjust", "a fine", "--deal", 1, "--deltas", "Belinda +10, Baron -10", "--dispute", 39)

OPENED = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
FIRST_DEAL = {"type": "deal_started", "deal": 1, "dealer": 2}


def result(*tricks: int) -> dict[str, Any]:
    """Return the event with the result of an entrada that Ann played in spades."""
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": list(tricks)}
    return {"type": "result_recorded", "outcome": outcome}


def lines(*events: dict[str, Any], table: str = "t") -> bytes:
    """Return the events of a table as lines of a bare import."""
    return b"".join(json.dumps({"stream": f"table/{table}", "event": event}).encode() + b"\n" for event in events)


class CommandLine:
    """The command `trickledger` with a ledger of its own; every call asserts that no traceback is shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "club.ledger"

    def run(self, *words: object, lang: str = "en", stdin: bytes = b"") -> Result:
        answered = CliRunner().invoke(
            main, ["--ledger", str(self.ledger), "--lang", lang, *map(str, words)], input=stdin, prog_name="trickledger"
        )
        if answered.exception is not None and not isinstance(answered.exception, SystemExit):
            raise answered.exception
        return answered

    def ok(self, *words: object, lang: str = "en", stdin: bytes = b"") -> str:
        """Return standard output. Assert that the command succeeds."""
        answered = self.run(*words, lang=lang, stdin=stdin)
        assert answered.exit_code == 0, answered.stderr
        return answered.stdout

    def json(self, *words: object, lang: str = "en") -> Any:
        return json.loads(self.run(*words, "--format", "json", lang=lang).stdout)

    def refused(self, status: int, *words: object, lang: str = "en", stdin: bytes = b"") -> str:
        """Return standard error of a command that ends with this status and prints no answer."""
        answered = self.run(*words, lang=lang, stdin=stdin)
        assert (answered.exit_code, answered.stdout) == (status, ""), answered.output
        return answered.stderr

    def started(
        self, *words: object, stdin: Any = PIPE, stdout: Any = PIPE, stderr: Any = PIPE, **variables: str
    ) -> subprocess.Popen[bytes]:
        """Start the command in a process of its own; a test ends it, or waits for its end."""
        command = [sys.executable, "-m", "ledger", "--ledger", str(self.ledger), *map(str, words)]
        return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env=environment(**variables))

    def made_by(self, build: Callable[["CommandLine"], None]) -> Self:
        """Copy into this folder what `build` makes in an empty one; it runs once per worker."""
        shutil.copytree(_folder_made_by(build).name, self.folder, symlinks=True, dirs_exist_ok=True)
        return self

    def elsewhere(self, name: str = "other") -> "CommandLine":
        """Return a command line at an empty ledger in another folder."""
        (self.folder / name).mkdir()
        return CommandLine(self.folder / name).made_by(empty_ledger)

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.ok("export").splitlines()]

    def last_event(self) -> dict[str, Any]:
        event: dict[str, Any] = self.entries()[-1]["event"]
        return event

    def record(self, *events: dict[str, Any], table: str = "t") -> None:
        self.ok("import", "-", stdin=lines(*events, table=table))

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path


@cache
def _folder_made_by(build: Callable[[CommandLine], None]) -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    build(CommandLine(Path(folder.name)))
    return folder


def no_ledger(cli: CommandLine) -> None:
    """Make nothing."""


def empty_ledger(cli: CommandLine) -> None:
    cli.ok("init")


def revoke_alone(cli: CommandLine) -> None:
    empty_ledger(cli)
    cli.ok("import", REVOKE)


def examples(cli: CommandLine) -> None:
    """Make the tables of four records: a called king, a surrender, cards turned up, card points."""
    empty_ledger(cli)
    names = "quadrille/06-partner-reveals-himself-and-stop ombre/12a-defended-won couillon/07-bottom-card-decides"
    for name in (*names.split(), "kop/01-exactly-53"):
        cli.ok("import", ROOT / "replays" / f"{name}.toml")


def small_club(cli: CommandLine) -> None:
    """Make the table `t` (a won game, later corrected to a codille) and the table with the revoke.

    Positions 1 to 3: the table as first written, 4: its correction, 5 to 42: the revoke.
    """
    empty_ledger(cli)
    reason = "the columns of the sheet were read the wrong way"
    corrected = {"type": "corrected", "version": 3, "action": "replace", "events": [result(3, 5, 1)], "reason": reason}
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2))
    cli.record(corrected)  # at a later moment
    cli.ok("import", REVOKE)


def swapped_club(cli: CommandLine) -> None:
    """Make the small club, with the first two cards of the revoke's table swapped in its file."""
    small_club(cli)
    swap_cards(cli.ledger, REVOKED)


def signed_club(cli: CommandLine) -> None:
    """Make the small club with its keys and a checkpoint of all 42 entries."""
    small_club(cli)
    cli.ok("checkpoint", "--make-key", "club.example/ledger")
    cli.ok("checkpoint")


def ruled_club(cli: CommandLine) -> None:
    """Make the small club with the revoke in dispute (entry 39) and fined (entry 40)."""
    small_club(cli)
    cli.ok(*RAISE, "--by", "director")
    cli.ok(*FINE, "--rule", "6.5", "--by", "director")


def named_club(cli: CommandLine) -> None:
    """Make the small club, where Ann (table `t`) and the Baron (who revoked) have names to show."""
    small_club(cli)
    cli.ok("players", "Ann", "--name", "Wisława Szymborska")
    cli.ok("players", "Baron", "--name", "Lord Petre")


def misspelled_club(cli: CommandLine) -> None:
    """Make the small club, and a table at which Ann is written Anne."""
    small_club(cli)
    cli.record({**OPENED, "players": ["Anne", "Ben", "Cleo"]}, FIRST_DEAL, result(5, 2, 2), table="u")


def abandoned_table(cli: CommandLine) -> None:
    """Make a table that was closed when only the beginning of its deal was recorded, and a dispute about it."""
    empty_ledger(cli)
    cli.record(OPENED, FIRST_DEAL, {"type": "table_closed"}, table="left")
    cli.ok("dispute", "left", "--deal", 1, "the rest was lost")


def witnessed(cli: CommandLine) -> None:
    """Make a ledger with a signed checkpoint, and the keys of three witnesses."""
    revoke_alone(cli)
    cli.ok("checkpoint", "--make-key", "club.example/ledger")
    for name in ("ann", "ben", "cleo"):
        cli.ok("checkpoint", "--make-key", f"{name}.example", "--key", cli.folder / f"{name}.key")
    cli.ok("checkpoint")


def rivals(cli: CommandLine) -> None:
    """Make the ledger of `witnessed`, and in the folder `other` one of as many entries, signed with the same key."""
    witnessed(cli)
    other = cli.elsewhere()
    notes = [{"type": "noted", "text": str(number)} for number in range(len(cli.entries()) - 2)]
    other.record(OPENED, FIRST_DEAL, *notes)
    for name in ("club.key", "club.pub"):
        shutil.copyfile(cli.folder / name, other.folder / name)
    other.ok("checkpoint")


def two_tables(cli: CommandLine) -> None:
    """Make a ledger of two tables; `old.ledger` is a copy from between the two."""
    revoke_alone(cli)
    cli.ok("backup", cli.folder / "old.ledger")
    cli.record(OPENED, {"type": "noted", "text": "late"})


def signed_tables(cli: CommandLine) -> None:
    """Make the two tables with a checkpoint of all entries and without a `.seen`, as version 0.1.0 left them."""
    two_tables(cli)
    cli.ok("checkpoint", "--make-key", "club.example/ledger")
    cli.ok("checkpoint")
    (cli.folder / "club.ledger.seen").unlink()


def roll_back(cli: CommandLine) -> None:
    for name in ("club.ledger-wal", "club.ledger-shm"):
        (cli.folder / name).unlink(missing_ok=True)
    shutil.copyfile(cli.folder / "old.ledger", cli.ledger)


def rolled_back(cli: CommandLine) -> None:
    two_tables(cli)
    roll_back(cli)


def rolled_back_signed(cli: CommandLine) -> None:
    signed_tables(cli)
    roll_back(cli)


def quarrels(cli: CommandLine) -> None:
    """Make a ledger of hand records, with a dispute, a ruling and a correction in Japanese, and tokens."""
    empty_ledger(cli)
    cli.ok("import", *RECORDS)
    cli.ok("dispute", REVOKED, "異議の本文", "--deal", 1, "--step", 24, "--player", "Belinda", "--by", "記録者")
    fine = ("--deltas", "Belinda +10, Baron -10", "--rule", "6.5", "--by", "記録者")
    cli.ok("ruling", REVOKED, "adjust", "裁定の本文", "--deal", 1, *fine)
    cli.ok("correct", REVOKED, "replace", "D4", "--deal", 1, "--step", 24, "--reason", "読み違い", "--by", "記録者")
    rights = ("--table", REVOKED, "--seat", 1, "--hands", "--may-open")
    cli.ok("token", "add", "table-3", "--role", "recorder", *rights, "--expires", "90d")
    cli.ok("token", "add", "friends-of-ours", "--role", "director")
    cli.ok("token", "code", "--table", REVOKED, "--until", "4h")


def process(
    *words: object, folder: Path, stdin: Any = DEVNULL, stdout: Any = PIPE, stderr: Any = PIPE, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "ledger", *map(str, words)],
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        check=False,
        env=environment(**variables),
        timeout=60,
    )


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **variables}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file below the folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
