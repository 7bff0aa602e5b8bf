"""The token file while the service has it open, and for users with restricted permissions."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from tests.cli.commands import CommandLine
from tests.permissions import bound, permitting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.ledger.access"


TAKE_IDS = """
import sys
from pathlib import Path
from ledger.access.base import NewToken
from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from ledger.errors import ConflictError
taken = 0
print("ready", flush=True)
sys.stdin.readline()
with AccessStore(SqliteRepository(Path(sys.argv[1]), "a-ledger")) as access:
    for number in range(40):
        try:
            access.add_token(NewToken(id=f"t-{number}", role="viewer"))
            taken += 1
        except ConflictError as refused:
            assert refused.code == "exists", refused
print(taken)
"""


def test_two_processes_that_give_out_the_same_ids_give_out_each_once(path: Path) -> None:
    """Either of them may create the file."""
    command = [sys.executable, "-c", TAKE_IDS, str(path)]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [int(process.communicate()[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(outputs) == 40
    with AccessStore(SqliteRepository(path, "a-ledger")) as access:
        assert len({facts.id for facts in access.tokens()}) == 40


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    made = CommandLine(tmp_path)
    made.ok("init")
    made.ok("token", "add", "ann", "--role", "viewer")
    return made


def test_who_may_not_write_there_can_list_and_not_give_out(cli: CommandLine) -> None:
    tokens = cli.folder / "club.ledger.access"
    before = tokens.read_bytes()
    with permitting(tokens, 0o400), permitting(cli.folder, 0o500):
        assert "ann" in bound(cli.ledger, "token", "list").stdout
        refused = bound(cli.ledger, "token", "revoke", "ann")
        assert refused.returncode == 4
        assert "cannot be read or written" in refused.stderr
        assert "nothing was changed" in refused.stderr
    assert tokens.read_bytes() == before


def test_a_file_that_may_not_be_made_is_reported(cli: CommandLine) -> None:
    (cli.folder / "club.ledger.access").unlink()
    with permitting(cli.folder, 0o500):
        refused = bound(cli.ledger, "token", "add", "ben", "--role", "viewer")
    assert refused.returncode == 5
    assert "the token file" in refused.stderr
    assert not (cli.folder / "club.ledger.access").exists()


def test_tokens_that_may_not_be_read_are_reported(cli: CommandLine) -> None:
    with permitting(cli.folder / "club.ledger.access", 0o000):
        refused = bound(cli.ledger, "token", "list", "--format", "json")
    assert refused.returncode == 5
    assert '"code":"forbidden"' in refused.stderr
