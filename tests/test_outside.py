"""Outside files are read in one place, never beyond their limit and never from endless devices."""

import ast
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

import ledger
from ledger import limits
from ledger.errors import LedgerError, MalformedError, UsageError
from ledger.history.questions.league import read_league_rules
from ledger.history.questions.saved import SavedQuestions
from ledger.log import MemoryStore
from ledger.log.proof_files import read_checkpoint, read_public_key, read_receipt, read_secret_key
from ledger.recording.files import import_path
from ledger.recording.importing import ImportAs
from ledger.recording.seasons.members import read_members
from tests.web.lists import lines_in

ROOT: Final = Path(ledger.__file__).parent
READING: Final = frozenset(("open", "read_text", "read_bytes", "fdopen", "mmap", "memmap"))
READ_ELSEWHERE: Final = {line.split()[0] for line in lines_in(Path(__file__).with_name("outside.txt"))}
"""The other modules that open files."""


def read_saved_question(path: Path) -> str:
    return SavedQuestions(path.with_name("club.ledger")).sql("one")


def import_one(path: Path) -> object:
    return import_path(MemoryStore(), path, ImportAs(by="test"))


READERS: Final[dict[str, tuple[Callable[[Path], object], int, str]]] = {
    "a private key": (read_secret_key, limits.KEY_BYTES, "the key file is too large"),
    "a public key": (read_public_key, limits.KEY_BYTES, "the key file is too large"),
    "a receipt": (read_receipt, limits.RECEIPT_BYTES, "the file of the receipt or checkpoint is too large"),
    "a checkpoint": (read_checkpoint, limits.RECEIPT_BYTES, "the file of the receipt or checkpoint is too large"),
    "rules of a league": (read_league_rules, limits.LEAGUE_RULES_CHARS, "the file of league rules is too long"),
    "players": (partial(read_members, chance=Random("1")), limits.PLAYERS_CHARS, "the list of players is too long"),
    "a saved query": (read_saved_question, limits.QUERY_CHARS, "the saved query is too long"),
    "a file to import": (import_one, limits.HAND_RECORD_CHARS, "the hand record is too long"),
}
EACH = pytest.mark.parametrize(("read", "most", "message"), READERS.values(), ids=READERS)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the path from which all readers read."""
    folder = tmp_path / "club.ledger.queries"
    folder.mkdir()
    (folder / "club.ledger.queries").symlink_to(folder)
    return folder / "one.sql"


@EACH
def test_a_file_is_refused_above_limit(place: Path, read: Callable[[Path], object], most: int, message: str) -> None:
    place.write_bytes(b"#" * most)
    try:
        read(place)
    except LedgerError as error:
        assert "too l" not in str(error)  # small enough to be read, but not valid
    place.write_bytes(b"#" * (most + 1))
    with pytest.raises(MalformedError, match=f"{message}: {most + 1:,} .*; expected at most {most:,} ") as refused:
        read(place)
    assert (refused.value.code, refused.value.limit) == ("too_large", most)


@EACH
def test_devices_and_folders_are_refused(place: Path, read: Callable[[Path], object], most: int, message: str) -> None:
    for make in (lambda: place.symlink_to("/dev/zero"), lambda: os.mkfifo(place)):
        make()
        with pytest.raises(UsageError, match=r"one\.sql is a device or a pipe, and not a file") as refused:
            read(place)
        assert (refused.value.code, refused.value.exit_status) == ("file", 2)
        place.unlink()
        if read is import_one:
            break  # lines may come through a pipe
    place.mkdir()
    with pytest.raises(IsADirectoryError):
        read(place)


@pytest.mark.parametrize("name", ["a public key", "a saved query"])
def test_a_system_file_without_a_size_is_bounded_too(place: Path, name: str) -> None:
    read, *_ = READERS[name]
    place.symlink_to(f"/proc/{os.getpid()}/pagemap")  # gigabytes, reported as size 0
    with pytest.raises((LedgerError, OSError)):
        read(place)


def test_files_are_opened_in_named_modules_alone() -> None:
    modules = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if next(opening_in(path), None)}
    assert modules == READ_ELSEWHERE


def test_another_way_to_read_a_file_is_detected(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text(
        "a = open('x').read()\nb = Path('x').read_text()\nc = Path.read_bytes\nd = io.open\ne = x.opened()\n"
    )
    assert sorted(opening_in(code)) == [1, 2, 3, 4]


def opening_in(path: Path) -> Iterator[int]:
    """Yield the lines that open a file or pass on a way to open one."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if any(name in text for name in READING) else ():
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) if name in READING:
                yield node.lineno
