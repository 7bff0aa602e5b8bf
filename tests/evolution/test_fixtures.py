"""Every later version reads the files of the clubs of earlier versions, and answers as those versions did."""

import hashlib
import json
import re
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args

import pytest

from ledger.cards import SYMBOLS
from ledger.events import Event
from tests.cli.commands import CommandLine
from tests.cli.transcripts import Transcript, play, transcripts
from tests.evolution import clubs
from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here

COMMANDS = [command for club in clubs.CLUBS for command in clubs.recorded_commands(club)]
each_club = pytest.mark.parametrize("club", clubs.CLUBS, ids=lambda club: club.version)


@pytest.fixture(scope="module")
def shared_folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return one folder a club for all tests that only read."""
    folder = tmp_path_factory.mktemp("shared")
    return {club.version: club.unpack(folder / club.version) for club in clubs.CLUBS}


def is_wording(path: tuple[str, ...]) -> bool:
    """Return whether a member of an answer holds the program's wording and not the record's."""
    *_, parent, key = ("", *path)
    return key in ("message", "rule_text") or (key == "text" and parent in ("lines", "why"))


def assert_holds(old: Any, new: Any, club: clubs.Club, path: tuple[str, ...] = ()) -> None:
    """Assert that every member of the old answer is in the new one with the same value; wordings may differ."""
    where = ".".join(path)
    if isinstance(old, dict):
        assert isinstance(new, dict) and old.keys() <= new.keys(), where
        for key, value in old.items():
            assert_holds(value, new[key], club, (*path, key))
    elif path[-2:] in club.shrunk or path[-1:] in club.shrunk:
        assert set(new) <= set(old), where
    elif isinstance(old, list):
        assert isinstance(new, list) and len(new) == len(old), where
        for one, other in zip(old, new, strict=True):
            assert_holds(one, other, club, path)
    elif old is not None and is_wording(path):
        assert isinstance(new, str) and new, where
    elif path and path[-1] in club.recomputed:
        assert new is None or isinstance(new, float), where
    elif isinstance(old, float):
        assert new == pytest.approx(old), where
    else:
        assert (type(new), new) == (type(old), old), where


MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{6}Z")
"""A moment as 0.1.0 wrote it; later versions write it to the minute."""

NAMES = ("Zoë Ångström", "花子", "Lucía", "Belinda O’Hara", "Anna Nowak", "Ada", "Ben", "Cleo")


def facts(text: str) -> set[str]:
    """Return the facts in a text, however it is worded: rules, cards, numbers and names."""
    text = with_signs(MOMENT.sub(r"\1 \2 UTC", text))
    return set(re.findall(rf"[A-Z]{{3}}-\d+\.\d+|[♠♥♦♣]\w+|[+-]?\d+|p\d\d|{'|'.join(NAMES)}", text))


_CODE = re.compile(r"\b([SHDC])([AKQJT2-9]?)\b")


def with_signs(sentence: str) -> str:
    """Replace card and suit codes by signs: `Baron played H2` becomes `Baron played ♥2`."""
    return _CODE.sub(lambda code: SYMBOLS[code[1]] + code[2].replace("T", "10"), sentence)


def corrected_answer(command: clubs.RecordedCommand) -> list[Any]:
    """Return the old answer with its wrong rows corrected."""
    answer = clubs.documents(command.file, command.answer)
    if command.file not in command.club.corrected:
        return answer
    rows, now = answer[0]["rows"], command.club.corrected[command.file]
    if "instead" in now:
        assert rows != now["instead"], command.file
        rows[:] = now["instead"]
    for change in now.get("rows", []):
        if change.get("is_new"):
            rows.insert(change["row"], change["now"])
            continue
        (row,) = [row for row in rows if change["of"].items() <= row.items()]
        if change.get("is_gone"):
            rows.remove(row)
        else:
            assert all(row[key] != value for key, value in change["now"].items()), change
            row.update(change["now"])
    for column in reversed(now.get("order", [])):
        rows.sort(key=itemgetter(column.removeprefix("-")), reverse=column.startswith("-"))
    return answer


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_later_version_answers_as_the_earlier_did(
    command: clubs.RecordedCommand, shared_folders: dict[str, Path]
) -> None:
    with clubs.inside(shared_folders[command.club.version]):
        result = clubs.run(command.words)
    assert result.exit_code == command.status, result.stderr
    if command.file.endswith(".txt"):
        gone = set(command.club.corrected.get(command.file, {}).get("gone", ()))
        assert sorted(facts(command.answer) - facts(result.stdout)) == sorted(gone), result.stdout
    else:
        assert_holds(corrected_answer(command), clubs.documents(command.file, result.stdout), command.club)


@each_club
def test_every_recorded_answer_has_its_command(club: clubs.Club) -> None:
    recorded = {path.name for path in (club.folder / "answers").iterdir()} - {"commands.tsv"}
    assert recorded == {command.file for command in clubs.recorded_commands(club)}


@each_club
def test_the_folder_is_as_its_version_left_it(club: clubs.Club) -> None:
    """Check that the fixture is unchanged: an answer that no longer fits is a fault of the program."""
    digest = hashlib.sha256()
    for path in sorted(path for path in club.folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(club.folder).as_posix()} {len(content)}\n".encode() + content)
    assert digest.hexdigest() == club.folder_digest


def test_a_changed_value_a_lost_member_and_a_lost_row_are_seen() -> None:
    row = {"player": "p01", "points": 3, "text": "his words"}
    assert_holds({"rows": [row]}, {"rows": [row | {"since": None}], "more": 1}, clubs.CLUB_0_2_0)
    lost = {"player": "p01", "text": "his words"}
    for rows in ([row | {"points": 4}], [lost], [row | {"text": "other words"}], []):
        with pytest.raises(AssertionError):
            assert_holds({"rows": [row]}, {"rows": rows}, clubs.CLUB_0_2_0)
    assert_holds({"lines": [{"text": "the ante"}]}, {"lines": [{"text": "the ante of the dealer"}]}, clubs.CLUB_0_2_0)


@each_club
def test_the_export_is_the_same_to_the_byte(club: clubs.Club, shared_folders: dict[str, Path]) -> None:
    with clubs.inside(shared_folders[club.version]):
        assert clubs.ok("export") == club.exported


def test_the_club_of_0_2_0_has_every_event_and_every_game() -> None:
    events = [json.loads(line)["event"] for line in clubs.CLUB_0_2_0.exported.splitlines()]
    assert {event["type"] for event in events} == {str(kind.__struct_config__.tag) for kind in get_args(Event)}
    games = {event["game"] for event in events if event["type"] == "table_opened"}
    assert games == {"ombre", "quadrille", "couillon", "kop", "baska"}


def club_transcripts() -> Iterator[tuple[clubs.Club, Transcript]]:
    for club in clubs.CLUBS:
        file = Path(__file__).with_name(f"club_{club.version.replace('.', '_')}.txt")
        yield from ((club, transcript) for transcript in transcripts(file))


@pytest.mark.parametrize(
    ("club", "transcript"), [*club_transcripts()], ids=lambda it: it.version if isinstance(it, clubs.Club) else it.name
)
def test_the_files_of_the_club_work_as_before(club: clubs.Club, transcript: Transcript, tmp_path: Path) -> None:
    with clubs.inside(club.unpack(tmp_path / "club")) as folder:
        cli = CommandLine(folder)
        cli.ledger = Path("club.ledger")
        play(cli, transcript)


@each_club
def test_the_read_model_is_brought_up_to_the_ledger_without_loss(club: clubs.Club, tmp_path: Path) -> None:
    with clubs.inside(club.unpack(tmp_path / "club")) as folder:
        brought_up = dump()
        assert brought_up["log_position"] == club.entries
        assert dump() == brought_up
        (folder / clubs.READ_MODEL).unlink()
        assert dump() == brought_up


def dump() -> dict[str, Any]:
    """Return the position and digest of the read model, its sizes and its points."""
    tables = ("deals", "disputes", "entries", "findings", "points", "rulings", "score_lines", "seats")
    counts = ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in tables)
    (row,) = json.loads(clubs.ok("query --format json", f"SELECT log_position, digest, {counts} FROM meta"))
    return {**row, "standings": clubs.points()}
