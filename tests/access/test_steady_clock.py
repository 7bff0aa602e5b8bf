"""The clock by which tokens and sessions end: it goes on whatever is done to that of the machine."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.access.steady_clock import SteadyClock
from tests.contracts.access_store import EVENING, HandClock


@settings(max_examples=max(1, settings().max_examples // 3))
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0, 1e5)), max_size=20))
def test_it_never_goes_back_and_never_slower_than_time(turns: list[tuple[float, float]]) -> None:
    """Between two questions somebody turns the clock by so many seconds, and so many seconds pass."""
    hand = HandClock()
    steady = SteadyClock(hand, hand.elapsed_s)
    told = steady.now()
    for turned_s, passed_s in turns:
        hand.moment += timedelta(seconds=turned_s)
        hand.let_pass(seconds=passed_s)
        now = steady.now()
        assert now - told >= timedelta(seconds=passed_s) - timedelta(milliseconds=1)
        assert now >= hand.moment
        told = now


def test_it_goes_on_from_what_another_process_has_seen() -> None:
    hand = HandClock()
    steady = SteadyClock(hand, hand.elapsed_s)
    later = EVENING + timedelta(hours=2)
    assert steady.now(later) == later
    hand.let_pass(minutes=5)
    assert steady.now() == later + timedelta(minutes=5)
