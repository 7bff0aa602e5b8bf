"""No stream tells two ledgers apart that are so by hidden cards alone, however it comes by its entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.log import LogStore, MemoryStore
from ledger.log.base import EMPTY, Head, Row
from ledger.service.acts import Published
from ledger.service.horizon import HiddenFrom, Horizon
from ledger.service.older import opened_meanwhile, told_from
from ledger.service.ring import Follower, Ring
from ledger.service.views import View
from ledger.table.hiding import hidden_in
from ledger.web.streaming import Lines, ServerSentEvents
from tests.service.two_worlds import GAMES, STREAM, Change, against_the_rules, dealt_anew, disturbed, two_worlds

VIEWS: Final = (View(), View(writer="phone"), View(writer="desk"), View(tables=("t",)))
FORMS: Final = (ServerSentEvents(), Lines())

some = settings(max_examples=max(1, settings().max_examples // 10))


def horizon_at(rows: Sequence[Row]) -> Horizon:
    table = [row for row in rows if row.stream == STREAM]
    hidden = hidden_in([(row.version, row.event()) for row in table]) if table else None
    known = {} if hidden is None else {STREAM: HiddenFrom.of(hidden, table[hidden.version - 1].position)}
    return Horizon(head=_head(rows), hidden=known)


def _head(rows: Sequence[Row]) -> Head:
    return Head(rows[-1].position, rows[-1].digest) if rows else EMPTY


def streamed(store: LogStore, cuts: Sequence[int], follower: Follower) -> Iterator[bytes]:
    """What somebody hears who is told as it is recorded, who comes late, and who comes back."""
    rows = list(store.read())
    ring = Ring(horizon_at([]))
    begun = 0
    for cut in (*cuts, len(rows)):
        before, now = ring.horizon, horizon_at(rows[:cut])
        opened = [("t", one.deal) for name, one in before.hidden.items() if now.hidden.get(name) != one]
        ring.take(Published(rows=rows[begun:cut], horizon=now, opened=opened))
        yield ring.told(begun, follower).piece
        yield ring.told(0, follower).piece
        yield told_from(store, now, begun, follower).piece
        yield repr(opened_meanwhile(store, now, begun + 1, follower)).encode()
        begun = cut


def is_hidden(store: MemoryStore) -> bool:
    return bool(horizon_at(list(store.read())).hidden)


@pytest.mark.parametrize("game", GAMES)
@some
@given(
    seed=st.integers(0, 10**6),
    view=st.sampled_from(VIEWS),
    form=st.sampled_from(FORMS),
    change=st.sampled_from((None, disturbed, dealt_anew, against_the_rules)),
)
def test_two_hidden_cards_exchanged_change_no_stream(
    game: str, seed: int, view: View, form: ServerSentEvents | Lines, change: Change | None
) -> None:
    worlds = two_worlds(game, seed, change)
    if worlds is None or not is_hidden(worlds.first):
        return
    entries = worlds.first.head().position
    cuts = sorted(Random(seed).sample(range(1, entries), min(4, entries - 1)))
    who = Follower(view, None, form)
    one, other = (list(streamed(store, cuts, who)) for store in (worlds.first, worlds.second))
    assert one == other
    whole = Follower(View(hands=True), None, form)
    assert list(streamed(worlds.first, cuts, whole)) != list(streamed(worlds.second, cuts, whole))
