"""Corrections laid over the record (contract 3): the log keeps what was written, the reading changes."""

from ledger.events import BidMade, CardPlayed, DealStarted, TrickGathered
from ledger.table.corrections import as_recorded, corrected_reading
from tests.games.ombre.tables import Record, in_play

HK, HQ, H2 = (CardPlayed(seat=seat, card=card) for seat, card in ((0, "HK"), (1, "HQ"), (2, "H2")))


def record():
    return in_play("S", {0: "HK SA", 1: "HQ DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})


def test_without_corrections_the_reading_is_the_record():
    made = record()
    assert list(corrected_reading(made.entries)) == made.entries


def test_a_replaced_entry_is_read_as_the_other_events():
    made = record().add(HK).played(1, "DK").add(H2)
    assert made.codes() == ["11.37"]
    made.corrected(made.version - 1, "replace", HQ)
    assert made.codes() == []
    assert made.state().tricks[0].cards == ["HK", "HQ", "H2"]


def test_a_struck_entry_is_read_as_nothing():
    made = record().add(HK).played(0, "SA").add(HQ, H2)
    assert made.codes() == ["11.33"]
    assert made.corrected(made.version - 2, "strike").codes() == []


def test_what_was_left_out_is_put_in_behind_an_entry():
    made = record().add(HK, H2)
    assert made.codes() == ["11.33"]
    assert made.corrected(made.version - 1, "insert_after", HQ, TrickGathered(seat=0)).codes() == ["11.38"]
    assert made.corrected(made.version - 2, "insert_after", HQ).codes() == []


def test_several_events_may_take_the_place_of_one():
    made = Record().start(2).dealt().calls("0 entrada")
    made.corrected(made.version, "replace", *(BidMade(seat=seat, call="pass") for seat in range(3)))
    assert made.deal().status == "complete"


def test_a_later_correction_of_the_same_entry_wins():
    made = record().add(HK).played(1, "DK").add(H2)
    place = made.version - 1
    made.corrected(place, "replace", HQ).corrected(place, "strike")
    assert made.codes() == ["11.33"]
    made.corrected(place, "replace", HQ)
    assert made.codes() == []


def test_a_correction_put_in_carries_the_version_of_the_corrected_entry():
    made = record().add(HK).add(HQ)
    place = made.version
    made.corrected(place, "replace", CardPlayed(seat=1, card="DK"))
    assert made.finding()[:2] == ("11.37", place)


def test_versions_name_original_entries_whatever_was_corrected_before():
    made = record().add(HK).played(1, "DK").played(2, "D2")
    last = made.version
    made.corrected(last - 1, "replace", HQ).corrected(last, "replace", H2)
    assert made.codes() == []


def test_the_record_as_first_written_can_still_be_read():
    made = record().add(HK).played(1, "DK")
    made.corrected(made.version, "replace", HQ)
    written = made.fold(recorded=True)
    assert [violation.code for violation in written.deals[0].violations] == ["OMB-11.37"]
    assert as_recorded(made.entries) == made.entries[:-1]


def test_a_corrected_dealer_changes_the_ante():
    made = Record().start(2).result()
    made.corrected(2, "replace", DealStarted(deal=1, dealer=0))
    assert made.score().totals == [-5, 0, 0]


def test_a_correction_reaches_into_the_deals_that_followed():
    made = Record().start(2).result().start().result(ombre=1, contract="entrada", trump="S", tricks=[2, 5, 2])
    assert made.deal().deltas == [-5, 10, 0]
    made.corrected(2, "strike").corrected(3, "strike")
    assert made.score().totals == [-5, 5, 0]
