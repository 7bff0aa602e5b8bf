"""The commands `init`, `backup` and `restore`."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import UNSET

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import A_FILE
from ledger.cli.progress import progress_bar
from ledger.cli.state import CliState, command
from ledger.log.answers import BackupAnswer, InitAnswer, RestoreAnswer
from ledger.log.stores import file_of, grants_needed
from ledger.text.catalogue import label
from ledger.text.files import backup_text, drill_text, restored_text


@command()
@click.option("--handles", is_flag=True, help="Record players under handles, so that their names can be erased.")
def init(state: CliState, handles: bool) -> None:
    """Create an empty ledger.

    With --handles, entries have a random handle (p-7k3m9q2d) in place of each name of a player or recorder. Type names
    as usual. Text shows the names; JSON, SQL and exports show the handles. `trickledger players NAME --forget` erases a
    name.
    """
    with api.create(state.ledger, handles=handles):
        pass
    lines = [label(state.lang, "file.ledger_made", path=state.ledger)]
    if needed := grants_needed(state.ledger):
        lines.append(label(state.lang, "file.grants"))
    for role, statements in needed.items():
        lines += ["", f"-- {role}", *(f"{statement};" for statement in statements)]
    state.print(InitAnswer(ledger=str(state.ledger)), lines)


@command()
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace TARGET if it exists.")
@click.option(
    "--keep",
    type=WholeNumber(1, 36_500),
    metavar="DAYS",
    help="Then delete this ledger's backups there that are more than DAYS days old.",
)
@click.option(
    "--drill",
    "is_drill",
    is_flag=True,
    help="Practise: back up and restore in a temporary folder and report the result.",
)
def backup(state: CliState, target: Path | None, overwrite: bool, keep: int | None, is_drill: bool) -> None:
    """Copy the ledger to TARGET, even while others write to it, and check the copy.

    TARGET is a file or a folder; default: next to the ledger, named by date and time (UTC). The copy gets its name only
    after each digest and entry was checked.

    --keep deletes backups by the date in their names, but none that has an entry which the new one lacks. Names that
    were erased from the ledger are then in no backup that is older.

    \b
    Example:
      trickledger backup /media/stick
      trickledger backup /media/stick --keep 30
    """
    if is_drill:
        if target is not None or overwrite or keep is not None:
            raise wrong_use("drill_alone")
        with progress_bar(state.lang) as report:
            done = api.drill(state.ledger, progress=report)
        state.print(done, drill_text(done, state.lang))
        return
    ledger = file_of(state.ledger)
    place = ledger.parent if target is None else target
    if not place.is_dir() and not place.parent.is_dir():
        raise wrong_use("no_folder", file=place.parent)
    with progress_bar(state.lang) as report:
        copied = api.backup(ledger, place, overwrite=overwrite, keep_days=keep, progress=report)
    deleted = UNSET if keep is None else tuple(map(str, copied.deleted))
    answer = BackupAnswer(backup=str(copied.path), entries=copied.entries, digest=copied.digest, deleted=deleted)
    state.print(answer, backup_text(ledger, copied, state.lang))


@command()
@click.argument("backup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", required=False, type=A_FILE)
@click.option("--overwrite", is_flag=True, help="Replace an existing ledger.")
def restore(state: CliState, backup: Path, target: Path | None, overwrite: bool) -> None:
    """Create a ledger from BACKUP and check it; BACKUP itself is not changed.

    TARGET is the file to create; default: the path of the ledger (--ledger). An existing ledger is replaced only with
    --overwrite.

    Example: trickledger --ledger restored.ledger restore /media/stick/club-2026-01-05-183000.ledger
    """
    with progress_bar(state.lang) as report:
        copied = api.restore(backup, target or file_of(state.ledger), overwrite=overwrite, progress=report)
    answer = RestoreAnswer(ledger=str(copied.path), entries=copied.entries, digest=copied.digest)
    state.print(answer, [restored_text(backup, copied, state.lang)])
