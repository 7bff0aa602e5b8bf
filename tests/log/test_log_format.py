"""The page on the log's format is right: its verifier, run by Node as it stands there, agrees with ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.events import Noted, TableOpened, encode_event
from ledger.log import MemoryStore
from ledger.log.sqlite_file import APPLICATION_ID, FORMAT_VERSION
from tests.contracts.log_builders import batch, play, remark
from tests.log.verifiers import page, run_verifier

PAGE = "log-format.md"
Verify = Callable[[list[bytes]], tuple[int, str]]


@pytest.fixture
def lines() -> list[bytes]:
    """An export of six entries of two tables, with what JSON has to escape, and what it need not."""
    store = MemoryStore()
    opened = TableOpened(game="ombre", players=("Zoë", "花子", "𝄞"), options={"stake": 5, "note": "a\u2028b/\x7f"})
    store.append(batch(opened, remark('"quoted" \\ \n\t\b\x01'), play("SA")), recorded_by='Zoë "the pen"')
    happened = batch(play("SK"), stream="table/b", happened_at="2014-03-01T06:12:00.000000Z")
    store.append(happened, recorded_by="recorder-1")
    store.append(batch(play("SQ"), remark("end")), recorded_by="\x01")
    return [row.line() for row in store.read()]


@pytest.fixture
def verify(tmp_path: Path, ci_requires: Callable[[str], str]) -> Verify:
    """The page's verifier: its exit status and what it says of these lines."""
    node = ci_requires("node")
    return lambda lines: run_verifier(PAGE, node, tmp_path, {"club.ndjson": b"".join(line + b"\n" for line in lines)})


def test_the_verifier_agrees_with_a_sound_export(lines: list[bytes], verify: Verify) -> None:
    digest = lines[-1][-66:-2].decode()
    assert verify(lines) == (0, f"sound: 6 entries, last digest {digest}")
    assert verify([]) == (0, f"sound: 0 entries, last digest {'00' * 32}")


def test_the_verifier_names_the_first_bad_position(lines: list[bytes], verify: Verify) -> None:
    unfit = "the digest does not fit"
    assert verify([*lines[:2], lines[2].replace(b"SA", b"HA"), *lines[3:]]) == (1, f"position 3: {unfit}")
    assert verify([*lines[:4], lines[4].replace(b":", b": ")]) == (1, "position 5: not an entry")
    assert verify([lines[0], *lines[2:]]) == (1, "position 2: an entry is missing; the next one has position 3")
    assert verify([*lines[:5], lines[5][:-66] + b"0" * 64 + b'"}']) == (1, f"position 6: {unfit}")


def test_texts_are_escaped_as_the_page_says() -> None:
    """Python's own JSON writer follows the same rules: it escapes control characters, quotes and backslashes."""
    text = "".join(map(chr, range(0x100))) + "\u2028\u2029\ufeff\uffff花𝄞"
    expected = json.dumps({"type": "noted", "text": text}, ensure_ascii=False, separators=(",", ":"))
    assert encode_event(Noted(text=text)) == expected.encode()


def test_the_page_names_the_file_as_it_is() -> None:
    assert f"`application_id` 0x{APPLICATION_ID:X}, `user_version` {FORMAT_VERSION}" in page(PAGE)
