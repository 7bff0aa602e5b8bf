"""The canonical form put together by hand is what msgspec writes for the envelope of the contract."""

from __future__ import annotations

import hashlib

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import Envelope, Noted, TableOpened, encode_event
from ledger.log import MemoryStore, Row
from ledger.log.chain import GENESIS, digest_after
from tests.contracts.log_builders import an_id, batch, remark

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
