"""Hands that were not written down: what cards prove later, and what cannot be known (OMB-11.34 to 11.37, 11.51)."""

from ledger.events import Announced, CardPlayed
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


def playing(hands=None, call="solo", trump="S", **options):
    """Seat 0 plays a Solo in spades; seats 1 and 2 have exchanged nothing."""
    record = Record(**options).start(2).dealt(hands or {}).won_by(0, call)
    if call == "vuelta":
        record.turned("S7").exchanged(0, 0)
    else:
        record.trump(0, trump)
    return record.exchanged(1, 0).exchanged(2, 0)


def without_cards(winners, **options):
    """The record of `with_winners`, but nobody wrote down the hands."""
    record = with_winners(winners, **options)
    record.entries = without_hands(record.entries)
    return record


def defended_by(defender, winners, **options):
    """An Entrada surrendered before the first trick and defended, without hands, that seat 0 throws in."""
    record = without_cards(winners, **options)
    first = next(place for place, (_, event) in enumerate(record.entries) if isinstance(event, CardPlayed))
    said = [Announced(seat=0, what="surrender")]
    said += [Announced(seat=1, what="decline_defence")] if defender == 2 else []
    said += [Announced(seat=defender, what="defend")]
    events = [event for _, event in record.entries]
    record.entries = list(enumerate([*events[:first], *said, *events[first:]], start=1))
    return record.said(0, "throw_in")


test_each_case_of_the_file = cases_of(
    "ombre/unknown_hands.txt", Record, defended_by, playing, with_winners, without_cards
)
