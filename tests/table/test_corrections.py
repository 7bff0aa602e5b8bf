"""Corrections (contract 3): the log stays unchanged, the reading changes; comparisons of both."""

import pytest

from ledger.errors import NotFoundError
from ledger.events import CardPlayed, ResultRecorded
from ledger.table.corrections import as_recorded, corrected_reading
from ledger.table.fold import TableFold, without_rulings
from ledger.table.two_readings import compared, corrected_entries, corrected_steps, two_readings
from tests.games.ombre.tables import Record, in_play
from tests.games.scripted import cases_of


def three_hearts():
    return in_play("S", {0: "HK SA", 1: "HQ DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})


def test_without_corrections_the_reading_is_the_record():
    made = three_hearts()
    assert list(corrected_reading(made.entries)) == made.entries


test_reading = cases_of("../table/corrections.txt", Record, three_hearts)


def test_the_record_as_first_written_can_still_be_read():
    made = three_hearts().played(0, "HK").played(1, "DK")
    made.corrected(made.version, "replace", CardPlayed(seat=1, card="HQ"))
    written = made.fold(recorded=True)
    assert [violation.code for violation in written.deals[0].violations] == ["OMB-11.37"]
    assert as_recorded(made.entries) == made.entries[:-1]


WON = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}
LOST = ResultRecorded(outcome={"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [3, 5, 1]})


def revoked() -> Record:
    return three_hearts().played(0, "HK").played(1, "DK").played(2, "H2")


def mended(record: Record) -> Record:
    return record.corrected(record.version - 1, "replace", CardPlayed(seat=1, card="HQ"))


def test_both_readings_are_side_by_side_with_the_rules_each_breaks() -> None:
    record = mended(revoked())
    readings = two_readings("t", record.fold(), 1)
    differing = [entry for entry in readings.entries if entry.recorded != entry.corrected]
    (entry,) = differing
    assert (entry.version, entry.correction, entry.reason) == (record.version - 2, record.version, "misheard")
    assert [(one.step, one.event, one.broke) for one in entry.recorded] == [
        (11, CardPlayed(seat=1, card="DK"), ("OMB-11.37",))
    ]
    assert [(one.step, one.event, one.broke) for one in entry.corrected] == [(11, CardPlayed(seat=1, card="HQ"), ())]


def test_a_struck_entry_is_read_on_one_side_alone() -> None:
    record = revoked()
    place = record.version
    readings = two_readings("t", record.corrected(place, "strike").fold(), 1)
    (entry,) = [entry for entry in readings.entries if entry.version == place]
    assert (len(entry.recorded), entry.corrected) == (1, ())


def test_a_record_without_corrections_reads_the_same_on_both_sides() -> None:
    readings = two_readings("t", revoked().fold(), 1)
    assert all(entry.recorded == entry.corrected and entry.correction is None for entry in readings.entries)
    assert readings.score_recorded == readings.score_corrected


def test_a_deal_of_one_reading_alone_has_one_score() -> None:
    record = Record().start(2).result().start().result().corrected(4, "strike").corrected(5, "strike")
    readings = two_readings("t", record.fold(), 2)
    assert readings.score_recorded is not None
    assert readings.score_corrected is None
    with pytest.raises(NotFoundError, match="there is no deal 3"):
        two_readings("t", record.fold(), 3)


def test_the_totals_of_both_readings_are_returned() -> None:
    record = Record().start(2).result(**WON).corrected(3, "replace", LOST)
    readings = two_readings("t", record.fold(), 1)
    assert (readings.totals_recorded, readings.totals_corrected) == ([5, 0, -5], [-20, 20, -5])


def test_a_replay_knows_which_steps_a_correction_put_there() -> None:
    fold = mended(revoked()).fold()
    assert corrected_steps(fold, fold.deals[0]) == {11: CardPlayed(seat=1, card="HQ")}
    (seen,) = corrected_entries(fold, fold.deals[0])
    assert (seen.written, seen.read) == (CardPlayed(seat=1, card="DK"), (CardPlayed(seat=1, card="HQ"),))
    assert seen.reason == "misheard"


def test_what_is_read_as_it_was_written_is_not_marked() -> None:
    record = revoked()
    place = record.version
    fold = record.corrected(place, "replace", record.entries[place - 1][1]).fold()
    assert corrected_steps(fold, fold.deals[0]) == {}
    assert corrected_entries(fold, fold.deals[0]) == []


def folds(record: Record) -> tuple[TableFold, TableFold]:
    return record.fold(recorded=True), record.fold()


def test_a_comparison_names_the_deals_that_differ_and_the_findings_that_go_and_come() -> None:
    change = compared("t", *folds(mended(revoked())))
    (deal,) = change.deals
    assert ([finding.code for finding in deal.gone], deal.new) == (["OMB-11.37"], [])


def test_a_correction_that_reaches_into_later_deals_names_them_too() -> None:
    record = Record().start(2).result(**WON).start().result(ombre=1, contract="entrada", trump="S", tricks=[2, 5, 2])
    change = compared("t", *folds(record.corrected(3, "replace", LOST)))
    assert [deal.deal for deal in change.deals] == [1, 2]
    assert (change.totals_before, change.totals_after) == ([0, 5, -5], [-25, 30, -5])


def test_requested_deals_are_shown_though_nothing_changes() -> None:
    record = Record().start(2).result().start().result()
    assert compared("t", *folds(record)).deals == []
    assert [deal.deal for deal in compared("t", *folds(record), deals=(2,)).deals] == [2]


def test_without_rulings_the_rules_alone_decide() -> None:
    record = Record().start(2).result(**WON).ruled("adjust", deltas=[-3, 3, 0]).ruled("void")
    assert record.score().totals == [-3, 3, -5]
    assert without_rulings(record.fold()).match.totals == [5, 0, -5]


def test_what_was_ruled_on_the_corrected_reading_is_no_part_of_the_first() -> None:
    record = Record().start(2).result(**WON).ruled("adjust", deltas=[1, -1, 0]).corrected(3, "replace", LOST)
    record.ruled("replace", deltas=[-7, 7, 0])
    readings = two_readings("t", record.fold(), 1)
    assert readings.score_recorded is not None and readings.score_corrected is not None
    assert [one.version for one in readings.score_recorded.rulings] == [4]
    assert readings.score_recorded.deltas == [5, 0, -5]
    assert readings.totals_recorded == [6, -1, -5]
    assert [one.version for one in readings.score_corrected.rulings] == [4, 6]


def test_what_was_ruled_on_a_deal_that_was_never_corrected_is_in_both_readings() -> None:
    record = Record().start(2).result(**WON).corrected(3, "replace", LOST).start().result().ruled("void")
    readings = two_readings("t", record.fold(), 2)
    assert readings.score_recorded is not None
    assert [one.kind for one in readings.score_recorded.rulings] == ["void"]
