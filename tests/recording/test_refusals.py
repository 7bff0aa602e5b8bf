"""What cannot be an entry: each file with the exact message that refuses it, and a ledger that stays as it was."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content
from tests.recording.refused import not_japanese, refusal

OPENED = b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}'
COUILLON = b'{"stream":"table/t","event":{"type":"table_opened","game":"couillon","players":["A","B","C","D"]}}'
LINES = {
    "OPENED": OPENED,
    "COUILLON": COUILLON,
    "KOP": COUILLON.replace(b"couillon", b"kop"),
    "DEALT": b'{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2}}',
    "SESSION": b'{"stream":"session/s","event":{"type":"session_opened","title":"Spring","date":"2026-03-20"}}',
    "DEEP": b'{"stream":"table/t","event":{"type":"noted","text":"x"},"id":' + b"[" * 5000,
}
"""The lines that have a name in the table."""


def content_of(lines: Iterable[str]) -> bytes:
    """The import, as the head of the table says how it is written down."""
    return b"\n".join(LINES[line] if line in LINES else bytes_of(line) for line in lines)


def bytes_of(line: str) -> bytes:
    return re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes.fromhex(byte[1].decode()), line.encode())


REFUSALS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))


def test_what_cannot_be_an_entry_is_refused_with_place_text_and_expectation_in_both_languages() -> None:
    store = MemoryStore()
    import_content(store, OPENED.replace(b"table/t", b"table/other"), "before", recorded_by="test")
    before = [row.line() for row in store.read()]
    messages, english = {}, {}
    for name, row in REFUSALS.items():
        content = content_of(row["lines"])
        error = refusal(lambda content=content: import_content(store, content, "evening.ndjson", recorded_by="test"))
        messages[name], english[name] = str(error), not_japanese(error)
        assert [row.line() for row in store.read()] == before, name
    assert messages == {name: row["message"] for name, row in REFUSALS.items()}
    assert {name: words for name, words in english.items() if words} == {}


def test_the_table_of_refusals_is_long_enough_to_mean_something() -> None:
    assert len(REFUSALS) >= 90
