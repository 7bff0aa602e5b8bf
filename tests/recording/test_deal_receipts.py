"""Receipts of deals: the entries that they contain, and the checkpoint that they rest on."""

import pytest

from ledger.errors import ConflictError, NotFoundError
from ledger.events import CardPlayed, DealStarted, Noted, PlayerSeated, TableOpened
from ledger.log import MemoryStore
from ledger.log.receipt import DealReceipt
from ledger.recording.deal_receipts import deal_receipt
from tests.contracts.log_builders import RECORDER, batch, play, remark
from tests.log.proof_builders import KEY, club, correct, play_evening, rewritten, signed


def receipt(store: MemoryStore, deal: int, table: str = "club") -> DealReceipt:
    return deal_receipt(store, table, deal, signed(store))


def versions(store: MemoryStore, deal: int) -> list[int]:
    return [entry.envelope.version for entry in receipt(store, deal).entries]


def test_a_receipt_holds_the_opening_who_sat_down_before_the_deal_and_what_was_said_of_it_later() -> None:
    assert versions(club(), 1) == [1, 2, 3, 4, 5]
    assert versions(club(), 2) == [1, 5, 6, 7, 8, 9, 11, 13]
    assert versions(club(), 3) == [1, 5, 10, 11, 12, 13, 14]


def test_corrections_of_its_entries_belong_to_a_receipt_and_those_of_others_do_not() -> None:
    store = club()
    correct(store, 7, CardPlayed(seat=2, card="H6"))
    correct(store, 3, action="strike")
    correct(store, 1, TableOpened(game="ombre", players=("Zoë", "Hanako", "Baron")))
    store.append(batch(Noted(text="he said H6", version=15)), recorded_by=RECORDER)
    store.append(batch(Noted(text="he said H6", version=15), stream="table/club"), recorded_by=RECORDER)
    assert versions(store, 2) == [1, 5, 6, 7, 8, 9, 11, 13, 15, 17, 18]


def test_a_correction_that_seats_somebody_before_the_deal_belongs_to_it() -> None:
    store = club()
    correct(store, 4, PlayerSeated(seat=0, player="Hanneke"), action="insert_after")
    assert 15 in versions(store, 3)


def test_a_deal_that_a_correction_took_away_still_has_its_receipt() -> None:
    """A struck deal may be the very thing to prove."""
    store = club()
    for version in (12, 11, 10):
        correct(store, version, action="strike")
    assert versions(store, 3) == [1, 5, 10, 11, 12, 13, 14, 15, 16, 17]


def test_a_deal_that_a_correction_put_in_has_a_receipt() -> None:
    store = club()
    correct(store, 14, DealStarted(deal=4, dealer=0), action="insert_after")
    assert versions(store, 4) == [1, 5, 14, 15]


def test_two_deals_that_one_correction_put_in_have_a_receipt_each() -> None:
    store = club()
    correct(store, 14, DealStarted(deal=4, dealer=0), DealStarted(deal=5, dealer=1), action="insert_after")
    assert versions(store, 4) == versions(store, 5) == [1, 5, 14, 15]


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


def test_growth_is_not_claimed_where_there_was_none() -> None:
    store = club(2)
    for other in (signed(club()).tree, signed(club(3)).tree):
        with pytest.raises(ConflictError, match="the checkpoint of 34 entries does not continue the one of"):
            deal_receipt(store, "club", 1, signed(store), other)
