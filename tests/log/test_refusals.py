"""What the log refuses, it refuses in Japanese, too: in English is only what was sent, and what is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import DealStarted, Noted
from ledger.log import MemoryStore
from ledger.log.admission import canonical_id, checked_time, recorder_name
from ledger.log.base import Batch, NewEntry
from ledger.log.checkpoint import Checkpoint
from ledger.log.display_names import checked_display_name
from ledger.log.proof_files import read_checkpoint
from ledger.log.receipt import DealReceipt, ProvenEntry
from ledger.log.signed_note import Note, PublicKey, SecretKey, checked_name, sign
from ledger.log.stores import file_of
from tests.contracts.log_builders import RECORDER, play
from tests.japanese import assert_speaks_japanese
from tests.log.proof_builders import KEY, OTHER_KEY, club, signed

TYPED = ("table/", "session/", "any", "trickledger checkpoint --make-key")
FIRST = b"trickledger-receipt@v1\n"
STORE = club(1)
ROWS = list(STORE.read())
LINE = ROWS[0].line()
NOTE = b"\n" + str(signed(STORE)).encode()


def appended(*entries: NewEntry, stream: str = "table/a", version: Any = "any") -> Callable[[], object]:
    return lambda: MemoryStore().append(Batch(stream, version, entries), recorded_by=RECORDER)


def received(changes: dict[str, Any], until: int = 1) -> Callable[[], object]:
    """An export of so many entries, the last of them changed."""
    envelopes = [row.envelope() for row in ROWS[:until]]
    envelopes[-1] = structs.replace(envelopes[-1], **changes)
    return lambda: MemoryStore().append_envelopes(envelopes)


def parsed(*lines: bytes) -> Callable[[], object]:
    return lambda: DealReceipt.parse(FIRST + b"".join(line + b"\n" for line in lines) + NOTE)


def note(text: str) -> bytes:
    return str(sign(text, KEY)).encode()


REFUSALS: dict[str, Callable[[], object]] = {
    "id": lambda: canonical_id("twelve"),
    "time": lambda: checked_time("yesterday"),
    "recorder": lambda: recorder_name(""),
    "long recorder": lambda: recorder_name("x" * 201),
    "shown name": lambda: checked_display_name("\n"),
    "store": lambda: file_of("postgresql://club"),
    "no entries": appended(),
    "stream": appended(NewEntry(play()), stream="desk/a"),
    "version": appended(NewEntry(play()), version=-1),
    "no event": appended(NewEntry(Noted(text=object()))),  # type: ignore[arg-type]
    "event of another kind": appended(NewEntry(DealStarted(deal=0, dealer=0))),
    "altered": received({"recorded_by": "x"}),
    "no entry": received({"recorded_by": 5}),
    "id of an entry": received({"id": "twelve"}),
    "time of an entry": received({"recorded_at": "2026-13-45T99:99:99.000000Z"}),
    "public key": lambda: PublicKey.parse("club"),
    "private key": lambda: SecretKey.parse("club"),
    "name of a key": lambda: checked_name("two words"),
    "bytes as a note": lambda: Note.parse(b"\xff"),
    "controls in a note": lambda: Note.parse(b"\x01"),
    "no note": lambda: Note.parse(b"Dear Sir"),
    "no signature": lambda: Note.parse(b"text\n\nsigned\n"),
    "no checkpoint": lambda: Checkpoint.parse(note("club\n")),
    "no size": lambda: Checkpoint.parse(note("club\nmany\nAAAA\n")),
    "no root": lambda: Checkpoint.parse(note("club\n3\nAAAA\n")),
    "no receipt": lambda: DealReceipt.parse(b"Dear Sir"),
    "receipt cut off": lambda: DealReceipt.parse(FIRST),
    "receipt without entries": parsed(),
    "no entry in a receipt": parsed(b"{}"),
    "no JSON in a receipt": parsed(b"{1}"),
    "another form in a receipt": parsed(LINE.replace(b":1,", b": 1,", 1)),
    "no hash": parsed(LINE, b"AAAA"),
    "another order": parsed(LINE, LINE),
    "another table": parsed(LINE, next(row for row in ROWS if row.stream != ROWS[0].stream).line()),
    "no proof": lambda: ProvenEntry.parse(b"\xff"),
}


def test_a_refusal_speaks_japanese() -> None:
    for refusing in REFUSALS.values():
        with pytest.raises(MalformedError) as refused:
            refusing()
        assert_speaks_japanese(refused.value, *TYPED)


def test_a_checkpoint_of_another_is_refused_in_japanese(tmp_path: Path) -> None:
    path = tmp_path / "a.checkpoint"
    path.write_bytes(NOTE[1:])
    assert read_checkpoint(path, KEY.public()) == read_checkpoint(path)
    told = r"a\.checkpoint: the checkpoint cannot be relied on: it is not signed with"
    with pytest.raises(MalformedError, match=told) as refused:
        read_checkpoint(path, OTHER_KEY.public())
    assert_speaks_japanese(refused.value)
