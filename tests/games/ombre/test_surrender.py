"""Surrender and defence (OMB-6.22 to 6.32) and their faults (OMB-11.30, 11.39, 11.40)."""

from ledger.events import CardPlayed
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of

CARD = "HA"  # the fourth trick's, of seat 0


def surrendered(winners="000", **options):
    return with_winners(winners, **options).said(0, "surrender")


def played_on(before, after, defender=1):
    """The deal of `with_winners(before + after)` with a surrender after the first tricks."""
    record = with_winners(before + after)
    place = len(record.entries) - 3 * len(after)
    rest = [event for _, event in record.entries[place:]]
    del record.entries[place:]
    record.said(0, "surrender")
    if defender == 2:
        record.said(1, "decline_defence")
    assert all(isinstance(event, CardPlayed) for event in rest)
    return record.said(defender, "defend").add(*rest)


# --- 11.40 illegal_defence --------------------------------------------------------------------------------------------


test_each_case_of_the_file = cases_of("ombre/surrender.txt", Record, played_on, surrendered, with_winners)
