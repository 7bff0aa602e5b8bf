"""The score sheet against the computed result (OMB-11.44 to 11.48): compared, never believed (contract 5)."""

from msgspec import structs

from ledger.events import CardPlayed
from ledger.games.ombre.options import OmbreOptions
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of

OPTIONS = {field.encode_name for field in structs.fields(OmbreOptions)}

# A Vuelta, won 5-2-2: the pool of 5 and 2 from each; seat 2 dealt.
RIGHT = {"deltas": [9, -2, -7], "pool": 0, "totals": [9, -2, -7]}


def won(**options):
    return with_winners("000101220", call="vuelta", **options)


def stopped(**options):
    return with_winners("00000", **options).said(0, "stop")


def known(**told):
    """A deal known by its result: an Entrada in hearts, won 5-2-2, or as it is told, under options told with it."""
    options = {name: told.pop(name) for name in told.keys() & OPTIONS}
    outcome = {"ombre": 0, "contract": "entrada", "trump": "H", "tricks": [5, 2, 2], **told}
    return Record(**options).start(2).result(**outcome)


def test_the_computed_amounts_are_carried_on():
    record = won().claimed(deltas=[100, -50, -50], pool=0)
    assert record.score().totals == [9, -2, -7]
    assert record.deal().claimed.deltas == (100, -50, -50)


def without_last_trick():
    """A record with its sheet that lacks the last three cards, the play before them, and these cards."""
    record = won()
    played = [entry for entry in record.entries if isinstance(entry[1], CardPlayed)]
    record.entries = [entry for entry in record.entries if entry not in played[-3:]]
    return record.claimed(**RIGHT), played[-4], [card for _, card in played[-3:]]


def test_a_correction_that_puts_the_last_cards_before_the_sheet_leaves_no_warning():
    record, (version, card), lacking = without_last_trick()
    assert record.finding() == ("11.43", record.version, None, None)
    corrected = record.corrected(version, "replace", card, *lacking)
    assert (corrected.codes(), corrected.deal().deltas) == ([], [9, -2, -7])


def test_a_correction_that_takes_a_card_away_before_the_sheet_brings_the_warning():
    record = won().claimed(**RIGHT)
    sheet = record.version
    last = max(version for version, event in record.entries if isinstance(event, CardPlayed))
    assert record.corrected(last, "strike").finding() == ("11.43", sheet, None, None)


test_each_case_of_the_file = cases_of("ombre/score_sheet.txt", Record, known, stopped, with_winners, won)
