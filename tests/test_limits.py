"""Limits on all outside input: the limit is accepted, one more is rejected with its size and the limit."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ledger import limits
from ledger.errors import MalformedError
from ledger.events import Noted
from ledger.log import MemoryStore
from ledger.recording.files import import_path
from ledger.recording.importing import ImportAs, import_content
from tests.cli.commands import FIRST_DEAL, OPENED, lines
from tests.contracts.log_builders import batch

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "limits.md"
CONSTANTS = {name: value for name, value in vars(limits).items() if isinstance(value, int)}


def recorded(content: bytes, recorded_by: str = "test") -> MemoryStore:
    store = MemoryStore()
    import_content(store, content, "file", ImportAs(by=recorded_by))
    return store


def refusal(content: bytes) -> str:
    """Return the message of the error, after checking that nothing was recorded."""
    store = MemoryStore()
    with pytest.raises(MalformedError) as refused:
        import_content(store, content, "file", ImportAs(by="test"))
    assert store.head().position == 0
    return str(refused.value)


def note(text: str) -> dict[str, Any]:
    return {"type": "noted", "text": text}


def test_every_limit_is_documented_with_its_value() -> None:
    words = PAGE.read_text(encoding="utf-8")
    rows = [row for row in words.splitlines() if row.startswith("| ")]
    for name, value in CONSTANTS.items():
        assert any(f"`{name}`" in row and f" {value:,} " in row for row in rows), f"{name} {value:,}"
    assert len(rows) - 1 == len(CONSTANTS)


def padded(size: int) -> bytes:
    """Return a bare line of this size, with blanks between its members."""
    line = lines(OPENED).rstrip()
    return line[:-1] + b" " * (size - len(line)) + line[-1:]


@pytest.mark.parametrize(("before", "end"), [(b"", b"\n"), (b"\n" * 999_990, b"\r\n"), (b"", b"")], ids=range(3))
def test_a_line(before: bytes, end: bytes) -> None:
    assert recorded(before + padded(limits.LINE_BYTES) + end).head().position == 1
    number = before.count(b"\n") + 1
    assert (
        refusal(before + padded(limits.LINE_BYTES + 1) + end)
        == f"file, line {number}: the line is too long: 1,000,001 bytes; expected at most 1,000,000 bytes"
    )


def test_a_line_much_too_long_is_measured_and_not_stored() -> None:
    content = padded(limits.LINE_BYTES * 7) + b"\n" + lines(OPENED)
    assert refusal(content) == "file, line 1: the line is too long: 7,000,000 bytes; expected at most 1,000,000 bytes"


def test_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    content = lines(OPENED, FIRST_DEAL)
    path = tmp_path / "file"
    path.write_bytes(content)
    monkeypatch.setattr(limits, "FILE_BYTES", len(content))
    store = MemoryStore()
    assert import_path(store, path, ImportAs(by="test")).events == 2
    path.write_bytes(content + b"\n")
    message = f"the file is too large: {len(content) + 1} bytes; expected at most {len(content)} bytes"
    with pytest.raises(MalformedError, match=message):
        import_path(store, path, ImportAs(by="test"))
    assert refusal(content + b"\n") == f"file: {message}"  # as through a pipe, whose size is unknown before its end


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(limits.FILE_BYTES + 1)  # a hole that takes no disk space
    with pytest.raises(
        MalformedError, match=r"the file is too large: 4,000,000,001 bytes; expected at most 4,000,000,000"
    ):
        import_path(MemoryStore(), path, ImportAs(by="test"))


@pytest.mark.parametrize("letter", ["#", "花", "𝄞"], ids=["1 byte", "3 bytes", "4 bytes"])
def test_a_hand_record(letter: str) -> None:
    record = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n#'
    padding = letter * (limits.HAND_RECORD_CHARS - len(record))
    assert recorded((record + padding).encode()).head().position == 1
    message = "file: the hand record is too long: 1,000,001 characters; expected at most 1,000,000 characters"
    assert refusal((record + padding + letter).encode()) == message
    assert "the hand record is too long" in refusal((record + padding * 2).encode()), (
        "in the middle of a character, too"
    )


@pytest.mark.parametrize(
    ("game", "players", "option"),
    [("ombre", 3, "ante"), ("quadrille", 4, "vole_stake"), ("couillon", 4, "deal_limit"), ("kop", 4, "match_deals")],
)
def test_numbers_of_options(game: str, players: int, option: str) -> None:
    def opened(number: int) -> bytes:
        names = ["Ann", "Ben", "Cleo", "Dan"][:players]
        return lines({"type": "table_opened", "game": game, "players": names, "options": {option: number}})

    assert recorded(opened(limits.OPTION_NUMBER)).head().position == 1
    assert option in refusal(opened(limits.OPTION_NUMBER + 4))


def test_lines_may_be_longer_than_a_hand_record() -> None:
    note_of_text = note("n" * limits.TEXT_CHARS)
    content = lines(OPENED, FIRST_DEAL, *[note_of_text] * 500)
    assert len(content) > 5 * limits.HAND_RECORD_CHARS
    assert recorded(content).head().position == 502


def test_deals_of_a_hand_record() -> None:
    head = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n'
    deals = '[[deal]]\ndealer = "Ann"\n' + "[[deal]]\n" * (limits.HAND_RECORD_DEALS - 1)
    assert "deal: too long, 10,001 items: " in refusal((head + deals + "[[deal]]\n").encode())
    message = refusal((head + deals + "[expect]\ntotals = 1\n").encode())
    assert "totals" in message, "ten thousand are read, and the next fault is found"


def deal_with(field: str, value: str) -> bytes:
    head = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n[[deal]]\ndealer = "Ann"\n'
    return f"{head}{field} = {value}\n".encode()


@pytest.mark.parametrize(("field", "value", "limit", "unit"), [
    ("play", lambda size: json.dumps([""] * size), limits.HAND_RECORD_LINES, "items"),
    ("calls", lambda size: json.dumps("#" * size), limits.TEXT_CHARS, "characters"),
    ("stock", lambda size: json.dumps("S" * size), limits.CARDS_CHARS, "characters"),
])  # fmt: skip
def test_fields_of_a_deal_in_a_hand_record(field: str, value: Callable[[int], str], limit: int, unit: str) -> None:
    message = refusal(deal_with(field, value(limit + 1)))
    assert f"line 6: deal 1, {field}: too long, {limit + 1:,} {unit}: " in message
    assert message.endswith(f"; expected at most {limit:,} {unit}")
    try:
        recorded(deal_with(field, value(limit)))
    except MalformedError as error:
        assert "too long" not in str(error)  # short enough to be read, but no calls or cards


def test_events_recorded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVENTS_PER_APPEND", 4)
    notes = [note("n")] * 2
    assert recorded(lines(OPENED, FIRST_DEAL, *notes)).head().position == 4
    message = "too many events to be recorded together: 5 events; expected at most 4 events"
    assert refusal(lines(OPENED, FIRST_DEAL, *notes, note("n"))) == f"file, line 5: {message}"
    store = MemoryStore()
    store.append_all([batch(*[Noted(text="n")] * 2)] * 2, recorded_by="test")
    with pytest.raises(MalformedError, match=message):
        store.append_all([batch(*[Noted(text="n")] * 2), batch(*[Noted(text="n")] * 3)], recorded_by="test")
    assert store.head().position == 4


def test_tables_of_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAMS_PER_FILE", 3)
    tables = [lines(OPENED, table=f"t{number}") for number in range(4)]
    assert recorded(b"".join(tables[:3])).head().position == 3
    message = "too many tables and sessions in one file: 4 streams; expected at most 3 streams"
    assert refusal(b"".join(tables)) == f"file, line 4: {message}"


def test_deals_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DEALS_PER_TABLE", 2)
    deals = [{**FIRST_DEAL, "deal": number} for number in (1, 2, 3)]
    assert recorded(lines(OPENED, *deals[:2])).head().position == 3
    assert "too many deals at one table: 3 deals; expected at most 2 deals" in refusal(lines(OPENED, *deals))


def test_events_of_a_correction() -> None:
    def corrected(number: int) -> dict[str, Any]:
        return {
            "type": "corrected", "version": 3, "action": "replace", "events": [note("n")] * number, "reason": "r",
        }  # fmt: skip

    before = (OPENED, FIRST_DEAL, note("n"))
    assert recorded(lines(*before, corrected(limits.CORRECTION_EVENTS))).head().position == 4
    message = "file, line 4: too many events in one correction: 1,001 events; expected at most 1,000 events"
    assert refusal(lines(*before, corrected(limits.CORRECTION_EVENTS + 1))) == message


def players(name: str) -> list[dict[str, Any]]:
    return [{**OPENED, "players": [name, "Ben", "Cleo"]}]


def notes(text: str) -> list[dict[str, Any]]:
    return [OPENED, note(text)]


@pytest.mark.parametrize(
    ("events", "limit", "field"),
    [(players, limits.NAME_CHARS, "event.players[0]"), (notes, limits.TEXT_CHARS, "event.text")],
)
@pytest.mark.parametrize("letter", ["a", "花"])
def test_names_and_texts(events: Callable[[str], list[dict[str, Any]]], limit: int, field: str, letter: str) -> None:
    assert recorded(lines(*events(letter * limit))).head().position == len(events(""))
    message = refusal(lines(*events(letter * (limit + 1))))
    assert f"{field}: too long, {limit + 1:,} characters: " in message
    assert message.endswith(f"; expected at most {limit:,} characters")
    assert len(message) < 500, "the offending text is shown in part"


def test_a_name_must_have_a_character() -> None:
    message = "event.players[0]: too short, 0 characters: ''; expected at least 1 character"
    assert message in refusal(lines(*players("")))


def test_the_recorders_name() -> None:
    assert recorded(lines(OPENED), recorded_by="r" * limits.NAME_CHARS).head().position == 1
    with pytest.raises(MalformedError, match="name is too long: 201 characters; expected at most 200 char"):
        recorded(lines(OPENED), recorded_by="r" * (limits.NAME_CHARS + 1))


def test_a_slug() -> None:
    assert recorded(lines(OPENED, table="t" * limits.SLUG_CHARS)).head().position == 1
    assert "1 to 64 characters" in refusal(lines(OPENED, table="t" * (limits.SLUG_CHARS + 1)))


def test_a_file_is_read_as_it_comes() -> None:
    """Check that a file larger than memory can be read, as only a few blocks are held at once."""

    class Slow(BytesIO):
        largest = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None and size >= 0, "never all of it"
            self.largest = max(self.largest, size)
            return super().read(size)

    file = Slow((b" " * 900_000 + b"\n") * 10 + lines(OPENED))
    import_content(MemoryStore(), file, "file", ImportAs(by="test"))
    assert file.largest < len(file.getvalue()) / 2
