"""Lines of a running program: each is recorded by itself and answered once it is on disk."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.api import ImportOptions, Recording, import_file
from ledger.errors import LedgerError, MalformedError, UnreadableError
from ledger.limits import LINE_BYTES
from ledger.log.base import Acknowledgement, Batch, LogStore
from ledger.log.memory import MemoryStore
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, ImportReport, import_content
from ledger.recording.streaming_import import LineReceipt, LineRefused
from tests.japanese import assert_speaks_japanese

ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"


def line(event: dict[str, object], table: str = "t", **more: str) -> bytes:
    return json.dumps({"stream": f"table/{table}", "event": event, **more}).encode() + b"\n"


A_TABLE = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
OPENED = line(A_TABLE)
STARTED = line({"type": "deal_started", "deal": 1, "dealer": 2})
OUT_OF_TURN = line({"type": "bid_made", "seat": 1, "call": "pass"})
MALFORMED = line({"type": "bid_made", "seat": 7, "call": "pass"})
REMARK = line({"type": "noted", "text": "rain"}, id=ID)


class Following:
    """A callback that collects the answers and the errors."""

    def __init__(self) -> None:
        self.answers: list[LineReceipt | LineRefused] = []
        self.errors: list[LedgerError | None] = []

    def __call__(self, answer: LineReceipt | LineRefused, error: LedgerError | None) -> None:
        self.answers.append(answer)
        self.errors.append(error)

    def types(self) -> list[type]:
        return [type(answer) for answer in self.answers]

    def refusals(self) -> list[LineRefused]:
        return [answer for answer in self.answers if isinstance(answer, LineRefused)]


def follow(store: LogStore, lines: Sequence[bytes], strict: bool = False) -> tuple[ImportReport, Following]:
    received = Following()
    file = io.BytesIO(b"".join(lines))
    report = import_file(store, file, Recording(by="program"), ImportOptions(strict=strict), follow=received)
    return report, received


def test_each_line_gets_the_receipt_of_its_entry(store: MemoryStore) -> None:
    report, received = follow(store, [OPENED, b"\n", STARTED])
    rows = list(store.read())
    assert received.answers == [
        LineReceipt(line=1, stream="table/t", version=1, position=1, id=rows[0].id, already_recorded=False),
        LineReceipt(line=3, stream="table/t", version=2, position=2, id=rows[1].id, already_recorded=False),
    ]
    assert (report.form, report.tables, report.deals, report.events) == ("bare events", 1, 1, 2)
    assert {row.recorded_by for row in rows} == {"program"}


def test_it_is_in_the_ledger_before_it_is_answered_and_before_the_next_line_has_come(store: MemoryStore) -> None:
    heads: list[int] = []

    class Sender(io.RawIOBase):
        """A program that sends each line after the answer to the one before."""

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1) -> bytes:
            sent = len(heads)
            return [OPENED, STARTED, OUT_OF_TURN, b""][sent]

    import_file(store, Sender(), Recording(by="x"), follow=lambda answer, error: heads.append(store.head().position))  # type: ignore[arg-type]
    assert heads == [1, 2, 3]


def test_a_refused_line_stops_nothing_and_is_answered_by_its_error(store: MemoryStore) -> None:
    report, received = follow(store, [OPENED, STARTED, MALFORMED, b"hello\n", OUT_OF_TURN])
    assert received.types() == [LineReceipt, LineReceipt, LineRefused, LineRefused, LineReceipt]
    first, second = received.refusals()
    assert (first.line, first.error.code, first.error.line, first.error.where) == (3, "malformed", 3, "seat")
    assert (second.line, second.error.code) == (4, "not_json")
    assert [error.exit_status for error in received.errors if error is not None] == [3, 3]
    assert (report.events, report.findings) == (3, 1)


def test_a_line_sent_again_gets_its_first_receipt(store: MemoryStore) -> None:
    _, received = follow(store, [OPENED, REMARK, STARTED, REMARK])
    _, first, _, again = received.answers
    assert isinstance(first, LineReceipt) and isinstance(again, LineReceipt)
    assert (again.position, again.version, again.id, again.already_recorded) == (2, 2, ID, True)
    assert not first.already_recorded
    assert store.head().position == 3


def test_a_line_that_opened_the_table_may_be_sent_again(store: MemoryStore) -> None:
    report, _ = follow(store, [line(A_TABLE, id=ID)] * 2)
    assert (report.events, report.already_recorded) == (1, 1)


def test_strict_refuses_a_line_against_the_rules_and_goes_on(store: MemoryStore) -> None:
    lawful = OUT_OF_TURN.replace(b'"seat": 1', b'"seat": 0')
    report, received = follow(store, [OPENED, STARTED, OUT_OF_TURN, lawful], strict=True)
    (refused,) = received.refusals()
    assert (refused.error.code, refused.error.finding, refused.error.line) == ("against_rules", "OMB-11.15", 3)
    assert report.events == 3
    assert report.findings == 0


def test_lines_of_several_tables_may_take_turns(store: MemoryStore) -> None:
    _, received = follow(store, [OPENED, OPENED.replace(b"table/t", b"table/u"), STARTED])
    assert [answer.version for answer in received.answers if isinstance(answer, LineReceipt)] == [1, 1, 2]


def test_what_others_record_meanwhile_is_seen(store: MemoryStore) -> None:
    """Another program starts the deal between two lines."""
    received = Following()

    def answered(answer: LineReceipt | LineRefused, error: LedgerError | None) -> None:
        received(answer, error)
        if len(received.answers) == 2:
            import_content(store, STARTED, "another", ImportAs(by="somebody else"))

    lines = b"".join([OPENED, REMARK, STARTED, OUT_OF_TURN])
    import_file(store, io.BytesIO(lines), Recording(by="x"), follow=answered)
    assert received.types() == [LineReceipt, LineReceipt, LineRefused, LineReceipt]
    assert [row.recorded_by for row in store.read()] == ["x", "x", "somebody else", "x"]


def test_a_line_beyond_the_limit_is_refused_and_the_next_one_taken(store: MemoryStore) -> None:
    long = b'{"stream": "' + b"x" * (3 * LINE_BYTES) + b'"}\n'
    _, received = follow(store, [OPENED, long, STARTED])
    (refused,) = received.refusals()
    assert (refused.error.code, refused.error.limit) == ("too_large", LINE_BYTES)
    assert f"{len(long) - 1:,}" in refused.error.message
    assert store.head().position == 2


def test_a_last_line_without_its_end_is_taken_too(store: MemoryStore) -> None:
    report, _ = follow(store, [b"\xef\xbb\xbf" + OPENED, STARTED.rstrip()])
    assert report.events == 2


def test_a_ledger_that_cannot_be_written_any_more_ends_it() -> None:
    class Full(MemoryStore):
        def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
            if self.head().position:
                raise UnreadableError("no_space", "the disk is full")
            return super().append_all(batches, recorded_by=recorded_by)

    received = Following()
    with pytest.raises(UnreadableError):
        import_file(Full(), io.BytesIO(OPENED + STARTED + STARTED), Recording(by="x"), follow=received)
    assert len(received.answers) == 1


def test_an_hour_of_lines_makes_the_ledger_that_one_file_makes(store: MemoryStore) -> None:
    source = MemoryStore()
    import_content(source, Path("replays/ombre/revoke.toml").read_bytes(), "revoke.toml", ImportAs(by="x"))
    report, received = follow(store, [bare + b"\n" for bare in export_lines(source, bare=True)])
    assert not any(received.errors)
    assert [row.payload for row in store.read()] == [row.payload for row in source.read()]
    assert report.findings == 1


OTHERS = "following lines cannot be combined with other options"


@pytest.mark.parametrize(("arguments", "complaint"), [
    ({"follow": Following(), "file": "lines.ndjson"}, OTHERS),
    ({"follow": Following(), "options": ImportOptions(correct=True, reason="x")}, OTHERS),
    ({"follow": Following(), "recording": Recording(by="x", dry_run=True)}, OTHERS),
    ({"options": ImportOptions(correct=True)}, "corrections without a reason"),
    ({"options": ImportOptions(correct=True, reason=" ")}, "corrections without a reason"),
    ({"options": ImportOptions(reason="misread")}, "a reason without `correct`"),
])  # fmt: skip
def test_what_does_not_go_together_is_refused(store: MemoryStore, arguments: dict[str, object], complaint: str) -> None:
    """Only lines of an open file can be followed; corrections need a reason."""
    with pytest.raises(MalformedError, match=complaint) as refused:
        import_file(store, **{"file": io.BytesIO(OPENED), "recording": Recording(by="x"), **arguments})  # type: ignore[arg-type]
    assert_speaks_japanese(refused.value, "correct")
    assert store.head().position == 0
