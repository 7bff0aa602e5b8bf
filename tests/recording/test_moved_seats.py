"""The seats of cards after a corrected one follow from it, if they were only inferred."""

from collections.abc import Iterable
from contextlib import suppress

import pytest

from ledger.errors import ConflictError, MalformedError
from ledger.events import CardPlayed, Corrected, HandsOpened
from ledger.log.memory import MemoryStore
from ledger.recording.adding import Recording, add_events
from ledger.recording.correcting import EntryReference, correction
from ledger.recording.hand.record import read_hand_record
from ledger.recording.moved_seats import with_moved_seats
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from tests.hand_records import table_events
from tests.recording.slip_makers import FILE, GAMES, drawn, recorded
from tests.recording.test_slips import KOP, RECORD, is_the_true_deal, slip_in


def errors(fold: TableFold) -> int:
    return sum(violation.severity != "info" for deal in fold.deals for violation in deal.violations)


def corrected(fold: TableFold, card: int, words: str) -> list[Corrected]:
    """Return the corrections of the card at that place in the deal."""
    version = [version for version, event in fold.entries if isinstance(event, CardPlayed)][card]
    return with_moved_seats(
        fold, correction(fold, EntryReference(version=version).place(fold), "replace", words, "misread")
    )


def after(store: MemoryStore, table: str, events: list[Corrected]) -> TableFold:
    fold = fold_table(store, table)
    entries = [*fold.recorded, *enumerate(events, len(fold.recorded) + 1)]
    return TableFold(corrected_reading(entries), entries)


WRONG = KOP.replace("DT DQ HT HA", "DT DQ HT DA")
"""A deal in which Dan's ace of hearts was typed as that of diamonds, so that Cleo wins the trick and leads."""


def test_the_cards_after_it_go_to_those_who_are_then_in_turn() -> None:
    store = recorded(WRONG)
    assert errors(fold_table(store, "slip")) > 5
    events = corrected(fold_table(store, "slip"), 3, "HA")
    assert len(events) > 1
    now = after(store, "slip", events)
    assert errors(now) == 0
    read = [entry for entry in now.entries if not isinstance(entry[1], HandsOpened)]  # the slip left it without a score
    assert read == fold_table(recorded(KOP), "slip").entries


def test_with_one_reason_and_no_other_card() -> None:
    store = recorded(WRONG)
    first, *moved = corrected(fold_table(store, "slip"), 3, "HA")
    assert {event.reason for event in (first, *moved)} == {"misread"}
    was = dict(fold_table(store, "slip").recorded)
    for event in moved:
        (now,) = event.events or ()
        assert isinstance(now, CardPlayed)
        assert now.card == was[event.version].card  # type: ignore[union-attr]
        assert event.version > first.version


def test_a_card_that_leaves_the_winner_takes_nothing_with_it() -> None:
    store = recorded(KOP)
    assert len(corrected(fold_table(store, "slip"), 12, "SQ")) == 1


def test_a_seat_given_by_name_stays() -> None:
    """A card out of turn was entered with a name."""
    store = recorded(RECORD.replace("CA C4 C3", "Baron: CA C4 C3"))
    now = after(store, "evening", corrected(fold_table(store, "evening"), 0, "S7"))
    assert [cards(event for _, event in fold.entries)[3].seat for fold in (fold_table(store, "evening"), now)] == [1, 1]


def cards(events: Iterable[object]) -> list[CardPlayed]:
    return [event for event in events if isinstance(event, CardPlayed)]


def test_of_the_slips_of_one_card_all_are_mended_by_one_correction() -> None:
    """The deal is recorded with a typo, then the card is corrected."""
    tried = 0
    for game in GAMES:
        for number in range(2):
            made = drawn("another card", game, number)
            assert made is not None
            slip = slip_in(made.text)
            if slip is None or not is_the_true_deal(made, slip):
                continue
            with suppress(MalformedError):  # nobody is due after it, so that it cannot be recorded as typed
                typed, true = cards(table_events(read_hand_record(made.text, FILE))), cards(made.deal.acts)
                wrong = [at for at, (one, other) in enumerate(zip(typed, true, strict=True)) if one.card != other.card]
                if len(wrong) == 1:
                    store = recorded(made.text)
                    now = after(store, "slip", corrected(fold_table(store, "slip"), wrong[0], true[wrong[0]].card))
                    assert cards(event for _, event in now.entries) == true
                    tried += 1
    assert tried > 4


def test_they_are_recorded_together_or_not_at_all() -> None:
    store = recorded(WRONG)
    head = store.head().position
    before = len(store.read_stream("table/slip"))
    events = corrected(fold_table(store, "slip"), 3, "HA")
    with pytest.raises(ConflictError):
        add_events(store, "slip", lambda fold: events, Recording(by="me", expected_version=before - 1))
    assert store.head().position == head
    added = add_events(store, "slip", lambda fold: events, Recording(by="me", expected_version=before))
    assert (added.event, *added.more) == tuple(events)
    assert store.head().position == head + len(events)


def test_the_same_id_records_them_once() -> None:
    store = recorded(WRONG)
    again = Recording(by="me", id="0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23")
    first, second = (add_events(store, "slip", lambda fold: corrected(fold, 3, "HA"), again) for _ in range(2))
    assert first.more
    assert (second.already_recorded, second.more, second.version) == (True, first.more, first.version)
    assert store.head().position == first.position + len(first.more)  # type: ignore[operator]
