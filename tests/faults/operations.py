"""The operations on a ledger that run while system calls fail, and what must hold after each. This is no test itself.

Run as `python -m tests.faults.operations`, it is the fork server in which they run.
"""

import os
import shutil
import sys
import tempfile
from contextlib import redirect_stdout, suppress
from functools import cache, cached_property
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from ledger.cli import main
from ledger.errors import LedgerError
from ledger.history.model import schema
from ledger.log import Batch, Row, SqliteStore
from ledger.log.proof_files import read_checkpoint, read_public_key, read_receipt, read_secret_key
from ledger.log.verify import verify
from ledger.recording.hand.record import read_hand_record
from ledger.witness.folder import WitnessFolder
from ledger.witness.request import CheckpointRequest
from tests.contracts.log_builders import RECORDER, an_id, batch, remark
from tests.faults.fork_server import serve
from tests.faults.strace import ROOT, Runner, RunResult, SystemCall

LEDGER: Final = "club.ledger"
BACKUP: Final = "backup.ledger"
RESTORED: Final = "restored.ledger"
SECRET_KEY: Final = "club.key"
PUBLIC_KEY: Final = "club.pub"
CHECKPOINT: Final = "club.checkpoint"
RECEIPT: Final = "deal.receipt"
EVENING: Final = "evening.ndjson"
FIRST_EVENING: Final = "revoke.toml"
SECOND_EVENING: Final = "15b-defended-codille-estuches.toml"

BATCH_SIZES: Final = (1, 40, 1, 7)
"""The numbers of entries in the batches that `append` records."""

_DISK_FAILED: Final = (2, 4, 5)
"""Exit statuses after a disk failure (contract 7); 2 for a file named on the command line."""

_LEFT_OVER: Final = ("-wal", ".draft")


class Operation:
    """An operation on a ledger in a folder. `before`: the ledger's content."""

    name: str
    makes: str | None = None
    """The file that the operation makes unless it exists."""
    words: tuple[str, ...]
    """The words of the command; `{}` is the folder."""

    def __init__(self, runner: Runner, template: Path) -> None:
        self.runner = runner
        self.template = template
        self.before = rows_of(template / LEDGER)

    def prepare(self, folder: Path) -> None:
        """Make the folder with everything that the operation needs."""
        shutil.copytree(self.template, folder)

    @cached_property
    def calls(self) -> list[SystemCall]:
        """The system calls of the operation when none fails."""
        folder = self.template.with_name(f"calls of {self.name}")
        self.prepare(folder)
        return self.runner.calls(self.name, folder)

    @classmethod
    def perform(cls, folder: Path) -> None:
        """Perform the operation as a separate program."""
        if cls.makes is None or not (folder / cls.makes).exists():
            trickledger(folder, *(word.format(folder) for word in cls.words))

    def check(self, folder: Path, result: RunResult) -> None:
        """Check what this operation promises after any failure."""
        assert self.makes is None or (folder / self.makes).exists() or result.status

    def check_all(self, folder: Path, result: RunResult) -> None:
        """Check that nothing is damaged or partial, that errors are our own, and that a repetition completes the
        operation.
        """
        if not result.was_killed:
            assert result.status in (0, *_DISK_FAILED), result
            assert "Traceback" not in result.err, result.err
            assert result.status == 0 or result.err.startswith(("trickledger: ", '{"error":')), result
        self.check_ledger(folder)
        self.check(folder, result)
        again = self.runner.run(self.name, folder)
        assert again.status == 0, again
        self.check_ledger(folder)
        self.check(folder, again)
        assert not [file.name for file in folder.iterdir() if file.name.endswith(_LEFT_OVER)]

    def check_ledger(self, folder: Path) -> None:
        report = verify(folder / LEDGER)
        assert report.damage is None, report.damage
        assert rows_of(folder / LEDGER)[: len(self.before)] == self.before

    def added(self, folder: Path) -> list[str]:
        return [row.id for row in rows_of(folder / LEDGER)[len(self.before) :]]


class Create(Operation):
    name = "create"
    makes = LEDGER
    words = ("init",)

    def prepare(self, folder: Path) -> None:
        folder.mkdir()
        self.before = []

    def check_ledger(self, folder: Path) -> None:
        if (folder / LEDGER).exists():
            super().check_ledger(folder)


class Append(Operation):
    """An append that prints a line for each acknowledged batch."""

    name = "append"

    @classmethod
    def perform(cls, folder: Path) -> None:
        with SqliteStore(folder / LEDGER) as store:
            for wanted in _batches():
                store.append(wanted, recorded_by=RECORDER)
                os.write(1, b"recorded\n")

    def check(self, folder: Path, result: RunResult) -> None:
        batches = [[entry.id for entry in batch.entries] for batch in _batches()]
        whole = [list(chain(*batches[:count])) for count in range(len(batches) + 1)]
        added = self.added(folder)
        assert added in whole, "a batch is there in part"
        acknowledged = result.out.count(b"\n")
        assert whole.index(added) >= acknowledged, "an acknowledged batch is lost"
        assert acknowledged == len(batches) or result.status


class Import(Operation):
    name = "import"
    words = ("import", f"{{}}/{EVENING}")

    def prepare(self, folder: Path) -> None:
        super().prepare(folder)
        (folder / EVENING).write_bytes(evening(SECOND_EVENING))

    def check(self, folder: Path, result: RunResult) -> None:
        wanted = [msgspec.json.decode(line)["id"] for line in evening(SECOND_EVENING).splitlines()]
        added = self.added(folder)
        assert added in ([], wanted), "the file is there in part"
        assert added == wanted or result.status, "an acknowledged import is lost"
        if f"Nothing of {folder / EVENING} was recorded." in result.err:
            assert added == [], "recorded, though the message says that it was not"


class FollowUpOperation(Operation):
    first: tuple[str, ...]

    def __init__(self, runner: Runner, template: Path) -> None:
        further = template.with_name(f"before {self.name}")
        shutil.copytree(template, further)
        (further / EVENING).write_bytes(evening(SECOND_EVENING))
        for name in self.first:
            assert runner.run(name, further).status == 0
        super().__init__(runner, further)


class BackUp(Operation):
    name = "back up"
    makes = BACKUP
    words = ("backup", f"{{}}/{BACKUP}")

    def check(self, folder: Path, result: RunResult) -> None:
        self.check_copy(folder / BACKUP, result)
        assert self.added(folder) == []

    def check_copy(self, copy: Path, result: RunResult) -> None:
        assert copy.exists() or result.status
        if copy.exists():
            assert verify(copy).damage is None
            assert rows_of(copy) == self.before


class Restore(FollowUpOperation, BackUp):
    name = "restore"
    makes = RESTORED
    words = ("restore", f"{{}}/{BACKUP}", f"{{}}/{RESTORED}")
    first = (BackUp.name,)

    def check(self, folder: Path, result: RunResult) -> None:
        super().check(folder, result)
        self.check_copy(folder / RESTORED, result)


class MakeKeys(Operation):
    name = "make keys"
    makes = PUBLIC_KEY
    words = ("checkpoint", "--make-key", "club.example/ledger")

    def check(self, folder: Path, result: RunResult) -> None:
        super().check(folder, result)
        if (folder / PUBLIC_KEY).exists():
            assert read_secret_key(folder / SECRET_KEY).public() == read_public_key(folder / PUBLIC_KEY)
        elif (folder / SECRET_KEY).exists():
            assert read_secret_key(folder / SECRET_KEY)


class Sign(FollowUpOperation):
    """The replacement of an older checkpoint after an evening was recorded."""

    name = "sign"
    words = ("checkpoint",)
    first = (MakeKeys.name, "sign", Import.name)

    def __init__(self, runner: Runner, template: Path) -> None:
        super().__init__(runner, template)
        self.older = read_checkpoint(self.template / CHECKPOINT)

    def check(self, folder: Path, result: RunResult) -> None:
        checkpoint = read_checkpoint(folder / CHECKPOINT)
        assert checkpoint.fault(read_public_key(folder / PUBLIC_KEY)) is None
        assert verify(folder / LEDGER, signed=checkpoint.tree).damage is None
        assert self.added(folder) == []
        assert checkpoint.tree.size == len(self.before) or (checkpoint == self.older and result.status)


class GiveReceipt(FollowUpOperation):
    name = "give receipt"
    makes = RECEIPT
    words = ("receipt", "ombre-revoke", "--deal", "1", "--output", f"{{}}/{RECEIPT}")
    first = (MakeKeys.name, Sign.name)

    def check(self, folder: Path, result: RunResult) -> None:
        super().check(folder, result)
        if (folder / RECEIPT).exists():
            assert read_receipt(folder / RECEIPT).fault(read_public_key(folder / PUBLIC_KEY)) is None


class MakeWitness(Operation):
    name = "make a witness"
    makes = "league/witness.pub"
    words = ("witness", "{}/league", "init", "league.example")


class CosignAsWitness(FollowUpOperation):
    """A cosignature that leaves the witness is in its store."""

    name = "cosign as a witness"
    words = ("witness", "{}/league", "cosign", "{}/c.request", "-o", "{}/c.cosignature", "--overwrite")
    first = (MakeKeys.name, Sign.name, MakeWitness.name)

    def __init__(self, runner: Runner, template: Path) -> None:
        super().__init__(runner, template)
        WitnessFolder(self.template / "league").add_club(read_public_key(self.template / PUBLIC_KEY))
        request = CheckpointRequest(0, (), read_checkpoint(self.template / CHECKPOINT))
        (self.template / "c.request").write_bytes(request.content())

    def check(self, folder: Path, result: RunResult) -> None:
        (club,) = WitnessFolder(folder / "league").statuses()
        assert club.entries == len(self.before) or (result.status and not (folder / "c.cosignature").exists())


class CatchUp(Operation):
    name = "catch up from nothing"
    words = ("stats", "standings", "--format", "json")

    def __init__(self, runner: Runner, template: Path) -> None:
        super().__init__(runner, template)
        folder = template.with_name(f"{template.name} answer")
        self.prepare(folder)
        self.answer = runner.run(self.name, folder).out
        assert self.answer

    def check(self, folder: Path, result: RunResult) -> None:
        assert result.out == self.answer or result.status
        assert self.added(folder) == []


class CatchUpAgain(FollowUpOperation, CatchUp):
    """The update of the read model after another evening."""

    name = "catch up further"
    first = (CatchUp.name, Import.name)


OPERATIONS: Final = (
    Append,
    Create,
    Import,
    BackUp,
    Restore,
    MakeKeys,
    Sign,
    GiveReceipt,
    CatchUp,
    CatchUpAgain,
    MakeWitness,
    CosignAsWitness,
)


def make_template(runner: Runner, folder: Path) -> Path:
    """Make the ledger with one evening from which all operations start."""
    folder.mkdir()
    assert runner.run(Create.name, folder).status == 0
    (folder / EVENING).write_bytes(evening(FIRST_EVENING))
    assert runner.run(Import.name, folder).status == 0
    return folder


def rows_of(ledger: Path) -> list[Row]:
    with SqliteStore(ledger) as store:
        return list(store.read())


def trickledger(folder: Path, *words: str) -> None:
    main(["--ledger", str(folder / LEDGER), *words], prog_name="trickledger")


@cache
def evening(name: str) -> bytes:
    """Return a hand record as bare events with ids, so that it can be sent again."""
    text = (ROOT / "replays" / "ombre" / name).read_text(encoding="utf-8")
    first = 1_000 if name == FIRST_EVENING else 2_000
    events = enumerate(read_hand_record(text, name).events, first)
    return msgspec.json.Encoder().encode_lines(
        [{"stream": stream, "id": an_id(number), "event": event} for number, (stream, event, _) in events]
    )


def _batches() -> list[Batch]:
    batches, first = [], 10_000
    for size in BATCH_SIZES:
        numbers = range(first, first + size)
        batches.append(batch(*(remark(str(number)) for number in numbers), stream="table/remarks", ids=list(numbers)))
        first += size
    return batches


def _perform(name: str, folder: str) -> None:
    try:
        next(kind for kind in OPERATIONS if kind.name == name).perform(Path(folder))
    except LedgerError as error:
        print(f"trickledger: {error}", file=sys.stderr)
        sys.exit(error.exit_status)


def _warm_up() -> None:
    """Read the program's own files once, so that no child has to: this makes a run four times as fast.

    DuckDB is only imported: its threads would not be in a child.
    """
    import ledger.api.history
    import ledger.cli.stats  # noqa: F401

    with tempfile.TemporaryDirectory() as name, redirect_stdout(StringIO()):
        folder = Path(name)
        (folder / EVENING).write_bytes(evening(SECOND_EVENING))
        for kind in (Create, Import, BackUp, MakeKeys, Sign, GiveReceipt):
            with suppress(SystemExit):
                kind.perform(folder)


if __name__ == "__main__":
    schema._comments = lambda connection, statements: ()  # type: ignore[assignment]  # they take the most time
    _warm_up()
    serve(_perform)
