"""The canonical form and the digests match docs/reference/log-format.md, whose verifier is run by Node unchanged."""

import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import Envelope, Noted, TableOpened, encode_event
from ledger.log import MemoryStore, Row
from ledger.log.chain import GENESIS, digest_after
from ledger.log.sqlite_file import APPLICATION_ID, FORMAT_VERSION
from tests.contracts.log_builders import an_id, batch, play, remark

PAGE = "log-format.md"
Verify = Callable[[list[bytes]], tuple[int, str]]


@pytest.fixture
def lines() -> list[bytes]:
    """Return an export of six entries of two tables, with characters that JSON must escape, and others."""
    store = MemoryStore()
    opened = TableOpened(game="ombre", players=("Zoë", "花子", "𝄞"), options={"stake": 5, "note": "a\u2028b/\x7f"})
    store.append(batch(opened, remark('"quoted" \\ \n\t\b\x01'), play("SA")), recorded_by='Zoë "the pen"')
    happened = batch(play("SK"), stream="table/b", happened_at="2014-03-01T06:12:00.000000Z")
    store.append(happened, recorded_by="recorder-1")
    store.append(batch(play("SQ"), remark("end")), recorded_by="\x01")
    return [row.line() for row in store.read()]


@pytest.fixture
def verify(tmp_path: Path, ci_requires: Callable[[str], str]) -> Verify:
    """Run the page's verifier on these lines; return its exit status and output."""
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


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=8,
)
events = st.builds(Noted, text=texts) | st.builds(
    TableOpened,
    game=st.just("ombre"),
    players=st.lists(texts, max_size=4).map(tuple),
    options=st.dictionaries(texts, json_values, max_size=3),
)


@given(
    position=st.integers(1, 2**63 - 1),
    version=st.integers(1, 2**63 - 1),
    recorded_by=texts,
    happened_at=st.none() | st.just("2014-03-01T06:12:00.000000Z"),
    event=events,
    digest=st.binary(min_size=32, max_size=32),
)
def test_the_line_of_a_row_is_the_encoding_of_its_envelope(
    position: int, version: int, recorded_by: str, happened_at: str | None, event: Noted, digest: bytes
) -> None:
    moment = "2026-01-05T18:30:00.000000Z"
    payload = encode_event(event)
    row = Row(position, "table/a", version, an_id(1), moment, recorded_by, happened_at, payload, digest)
    line = msgspec.json.encode(row.envelope())
    assert row.line() == line
    assert row.canonical() == line[: line.rindex(b',"digest":')] + b"}"
    assert msgspec.json.decode(line, type=Envelope) == row.envelope()


def test_the_digest_covers_the_digest_before_and_the_entry() -> None:
    store = MemoryStore()
    store.append(batch(remark("one"), remark("two")), recorded_by="Zoë")
    first, second = store.read()
    assert first.digest == hashlib.sha256(bytes(32) + first.canonical()).digest()
    assert second.digest == hashlib.sha256(first.digest + second.canonical()).digest()
    assert digest_after(GENESIS, first.canonical()) == first.digest


@settings(max_examples=25)
@given(st.lists(events, min_size=1, max_size=3))
def test_what_is_recorded_reads_back_to_the_same_bytes(recorded: list[Noted]) -> None:
    store = MemoryStore()
    store.append(batch(*recorded), recorded_by="recorder-1")
    assert [encode_event(row.event()) for row in store.read()] == [row.payload for row in store.read()]


DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    (path,) = DOCS.rglob(name)
    return path.read_text(encoding="utf-8")


def code_in(name: str) -> str:
    """Return the only JavaScript program on a page."""
    (code,) = re.findall(r"^```js\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)
    return code


def run_verifier(name: str, node: str, folder: Path, files: Mapping[str, bytes]) -> tuple[int, str]:
    """Run a page's program on these files; return its exit status and output."""
    (folder / "verify.mjs").write_text(code_in(name), encoding="utf-8")
    for file, content in files.items():
        (folder / file).write_bytes(content)
    answer = subprocess.run([node, "verify.mjs", *files], cwd=folder, capture_output=True, text=True, check=False)
    assert answer.stderr == ""
    return answer.returncode, answer.stdout.strip()
