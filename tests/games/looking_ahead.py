"""What is tried out, on a copy of a deal or by asking, leaves the deal itself as it was and says what would come.

Each of these takes a record of one deal, whose first two entries open the table and start the deal.
"""

from __future__ import annotations

from typing import Any

from ledger.table.fold import TableFold
from tests.builders import Record


def assert_playing_on_a_copy_leaves_the_deal_as_it_was(record: Record) -> None:
    deal, entries = deal_at(record, 2), record.entries[2:]
    for place, (version, event) in enumerate(entries):
        before = answers_of(deal)
        copy = deal.copy()
        for later_version, later in entries[place:]:
            copy.apply(later, later_version)
        copy.leave(99, None)
        assert answers_of(deal) == before
        deal.apply(event, version)


def assert_a_copy_comes_to_what_the_deal_comes_to(record: Record) -> None:
    whole = answers_of(record.machine())
    for place in range(2, len(record.entries)):
        copy = deal_at(record, place).copy()
        for version, event in record.entries[place:]:
            copy.apply(event, version)
        assert answers_of(copy) == whole


def assert_what_an_event_would_break_is_what_it_breaks(record: Record) -> None:
    deal = deal_at(record, 2)
    for version, event in record.entries[2:]:
        before = answers_of(deal)
        found_ahead = deal.check(event)
        assert {found.version for found in found_ahead} <= {0}  # it stands nowhere yet
        asked = [(found.code, found.seat, found.legal) for found in found_ahead]
        assert answers_of(deal) == before
        assert asked == [(found.code, found.seat, found.legal) for found in deal.apply(event, version)]


def deal_at(record: Record, version: int) -> Any:
    """The deal as it was after that entry."""
    return TableFold(record.entries[:version]).deals[0].machine


def answers_of(deal: Any) -> tuple[Any, ...]:
    """All that can be asked of a deal."""
    views = [deal.view(seat) for seat in (None, 0, 1, 2, 3)]
    return views, deal.legal(), deal.turn(), deal.status, deal.outcome(), list(deal.late_violations())
