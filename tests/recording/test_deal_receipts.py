"""Receipts of deals: the entries that they contain, and the checkpoint that they rest on."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import ConflictError, NotFoundError
from ledger.events import CardPlayed, Noted, TableOpened, decode_event
from ledger.log import MemoryStore
from ledger.log.receipt import DealReceipt
from ledger.recording.deal_receipts import deal_receipt
from ledger.text.verification import proof_text
from tests.contracts.log_builders import RECORDER, batch, play, remark
from tests.log.proof_builders import KEY, club, correct, play_evening, rewritten, signed


def receipt(store: MemoryStore, deal: int, table: str = "club") -> DealReceipt:
    return deal_receipt(store, table, deal, signed(store))


def versions(store: MemoryStore, deal: int) -> list[int]:
    return [entry.envelope.version for entry in receipt(store, deal).entries]


HELD = tomllib.loads(Path(__file__).with_name("deal_receipts.toml").read_text(encoding="utf-8"))

SHOWN = HELD.pop("shown")


@pytest.mark.parametrize("row", HELD.values(), ids=HELD)
def test_a_receipt_holds_the_entries_of_its_deal(row: dict[str, Any]) -> None:
    store = club()
    for correction in row.get("corrections", ()):
        version, action, *events = correction
        correct(store, version, *(decode_event(event.encode()) for event in events), action=action)
    for stream in row.get("noted", ()):
        store.append(batch(Noted(text="he said H6", version=15), stream=stream), recorded_by=RECORDER)
    assert {deal: versions(store, int(deal)) for deal in row["held"]} == row["held"]


def test_a_receipt_of_every_deal_of_every_evening_proves_its_entries() -> None:
    store = club(4)
    checkpoint = signed(store)
    for table in ("club", "club-2", "club-3", "club-4"):
        for deal in (1, 2, 3):
            made = deal_receipt(store, f"table/{table}", deal, checkpoint)
            assert made.fault(KEY.public()) is None
            assert {entry.envelope.stream for entry in made.entries} == {f"table/{table}"}


def test_a_receipt_may_rest_on_an_older_checkpoint_and_does_not_look_beyond_it() -> None:
    store = club()
    checkpoint = signed(store)
    before = deal_receipt(store, "club", 2, checkpoint)
    play_evening(store, 1)
    correct(store, 7, CardPlayed(seat=2, card="H6"))
    assert deal_receipt(store, "club", 2, checkpoint) == before
    assert 15 in versions(store, 2)


def test_what_the_checkpoint_does_not_cover_has_no_receipt() -> None:
    store = club()
    checkpoint = signed(store)
    play_evening(store, 1)
    with pytest.raises(
        NotFoundError, match="the checkpoint of 17 entries does not contain the table club-2; make a new checkpoint"
    ):
        deal_receipt(store, "club-2", 1, checkpoint)
    with pytest.raises(NotFoundError, match="there is no table nowhere; the ledger has club, other, club-2"):
        deal_receipt(store, "nowhere", 1, checkpoint)
    with pytest.raises(NotFoundError, match="the checkpoint of 17 entries does not contain deal 4 of the table club"):
        deal_receipt(store, "club", 4, checkpoint)


def test_a_table_without_any_deal_has_no_receipt() -> None:
    store = MemoryStore()
    store.append(batch(TableOpened(game="ombre", players=("Zoë", "Hanako", "Baron"))), recorded_by=RECORDER)
    with pytest.raises(NotFoundError, match="does not contain deal 1"):
        receipt(store, 1, "ombre-1")


def test_a_ledger_that_is_not_the_one_that_was_signed_gives_no_receipt() -> None:
    checkpoint = signed(club())
    with pytest.raises(ConflictError, match="does not continue the checkpoint for 17 entries: it was rewritten"):
        deal_receipt(rewritten(club(), 9, recorded_by="somebody"), "club", 1, checkpoint)
    small = MemoryStore()
    small.append(batch(play(), remark("all")), recorded_by=RECORDER)
    with pytest.raises(ConflictError, match="the ledger has 2 entries, but the checkpoint is for 17 entries"):
        deal_receipt(small, "club", 1, checkpoint)


def test_a_receipt_is_shown_with_those_who_played_then_and_when_it_happened() -> None:
    store, moment = MemoryStore(), "2026-01-05T18:30:00.000000Z"
    events = [decode_event(event.encode()) for event in SHOWN.values()]
    store.append(batch(*events, happened_at=moment), recorded_by=RECORDER)
    text = list(proof_text(receipt(store, 1, "ombre-1"), KEY.public(), None, None, (), "en", "Asia/Tokyo"))
    happened = " (happened 2026-01-06 03:30 UTC+09:00)"
    assert text[4:-1] == [f"{version:5}  {line}{happened}" for version, line in enumerate(SHOWN, 1)]


def test_growth_is_not_claimed_where_there_was_none() -> None:
    store = club(2)
    for other in (signed(club()).tree, signed(club(3)).tree):
        with pytest.raises(ConflictError, match="the checkpoint of 34 entries does not continue the one of"):
            deal_receipt(store, "club", 1, signed(store), other)
