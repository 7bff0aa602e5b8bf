"""No answer and no stream for a client without `hands` depends on a hidden card: two ledgers, the same bytes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from ledger import api
from ledger.errors import LedgerError
from ledger.events import Noted
from ledger.log import LogStore, MemoryStore
from ledger.log.base import EMPTY, Head, Row
from ledger.log.bulk import BulkReader
from ledger.recording.adding import Recording
from ledger.service.live_buffer import Follower, LiveBuffer, backfill, opened_meanwhile
from ledger.service.states import Published
from ledger.service.visibility import HiddenFrom, RedactedStore, View, VisibleHead, seen_envelope, visible_head
from ledger.table.hiding import hidden_in
from ledger.web.api.live import JsonLines, ServerSentEvents
from tests.service.two_worlds import CHANGES, GAMES, GAMES_AND_CHANGES, STREAM, Change, TwoWorlds, two_worlds

DRY: Final = Recording(by="phone", dry_run=True)
NOTED: Final = (Noted(text="he holds the ace"),)
VIEWS: Final = (View(), View(writer="phone/Ann"), View(writer="desk"))

some = settings(max_examples=max(1, settings().max_examples // 10))
"""An example makes some twenty queries of two ledgers."""

Question = Callable[[LogStore], object]


def encoded_answer(question: Question, store: LogStore) -> bytes:
    try:
        answer = question(store)
        return json.encode(answer if not isinstance(answer, Iterable) or isinstance(answer, dict) else list(answer))
    except LedgerError as error:
        return repr((type(error), error.code, str(error))).encode()


def seen(store: MemoryStore, view: View) -> RedactedStore:
    return RedactedStore(store, visible_head(store), view)


def questions(store: LogStore) -> dict[str, Question]:
    """Return every reading function, in every reading, for each deal, dispute and position."""
    head = store.head().position
    fold = next(api.read_tables(store, "t")).fold
    disputes = [dispute.version for dispute in api.disputes(store, "t")]
    by_name: dict[str, Question] = {
        "tables": api.tables,
        "players": api.players,
        "streams": lambda store: store.streams(),
        "head": lambda store: store.head().digest.hex(),
        "entries": lambda store: [seen_envelope(row).decode() for row in store.read()],
        "entries of the stream": lambda store: [row.envelope() for row in store.read_stream(STREAM)],
        "bulk": lambda store: [line.decode() for line in BulkReader(store).lines(0, head)],
        "disputes": lambda store: api.disputes(store, "t"),
        "hand record": lambda store: api.export_hand_record(store, "t").text,
        "picture": lambda store: api.table_picture(store, "t", lang="ja"),
        "compared": lambda store: api.compare("t", "t", store=store, lang="ja"),
        "note": lambda store: api.note(store, "t", "x", recording=DRY).answer(),
        "dispute": lambda store: api.dispute(store, "t", "x", deal=1, recording=DRY).answer(),
        "put in": lambda store: api.correct(store, "t", "insert_after", NOTED, reason="x", recording=DRY).answer(),
        "strike": lambda store: api.correct(store, "t", "strike", reason="x", recording=DRY).answer(),
        "rule": lambda store: api.ruling(store, "t", "void", "x", deal=1, recording=DRY).answer(),
        "close": lambda store: api.close_table(store, "t", recording=DRY).answer(),
    }
    for way in ({}, {"as_recorded": True}, {"without_rulings": True}, {"as_of": head - 1}, {"as_of": head - 5}):
        reading: dict[str, Any] = way
        by_name[f"score {way}"] = lambda store, reading=reading: [api.score(store, "t", lang="ja", **reading)]
        if "without_rulings" not in way:
            by_name[f"audit {way}"] = lambda store, reading=reading: [api.audit(store, "t", lang="ja", **reading)]
            by_name[f"replay {way}"] = lambda store, reading=reading: api.replay_all(store, "t", **reading)
            by_name[f"seat {way}"] = lambda store, reading=reading: api.replay_all(store, "t", seat=0, **reading)
    if fold.deals:
        by_name["replay in seat 1"] = lambda store: [api.replay(store, "t", seat=1)]
    for record in fold.deals:
        by_name[f"readings {record.number}"] = lambda store, n=record.number: api.readings(store, "t", n)
    for version in disputes:
        by_name[f"case {version}"] = lambda store, version=version: api.case_sheet(store, "t", version)
        by_name[f"page {version}"] = lambda store, version=version: api.case_page(api.case_sheet(store, "t", version))
    return by_name


def check(worlds: TwoWorlds, view: View) -> None:
    one, other = (seen(store, view) for store in (worlds.first, worlds.second))
    by_name = questions(one)
    assert by_name.keys() == questions(other).keys()
    for name, question in by_name.items():
        assert encoded_answer(question, one) == encoded_answer(question, other), name


def check_open(worlds: TwoWorlds | None, view: View) -> None:
    """Check the answers while the deal is open, which it is in both ledgers or in neither."""
    if worlds is None:
        return
    one, other = (hidden_in([(row.version, row.event()) for row in store.read_stream(STREAM)]) for store in worlds[:2])
    assert one == other
    if one is not None:
        check(worlds, view)


@pytest.mark.parametrize(("game", "change"), GAMES_AND_CHANGES)
@some
@given(seed=st.integers(0, 10**6), view=st.sampled_from(VIEWS))
def test_two_hidden_cards_exchanged_change_no_answer(game: str, change: Change | None, seed: int, view: View) -> None:
    check_open(two_worlds(game, seed, change), view)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=max(1, settings().max_examples // 20))
@given(seed=st.integers(0, 10**6), seat=st.integers(0, 2))
def test_nor_for_who_sees_the_hand_of_another_seat(game: str, seed: int, seat: int) -> None:
    check_open(two_worlds(game, seed, CHANGES[seed % 2], but=seat), View(writer="phone", seat=("t", seat)))


FOLLOWERS: Final = (View(), View(writer="phone"), View(writer="desk"), View(tables=("t",)))
FORMS: Final = (ServerSentEvents(), JsonLines())


def visible_at(rows: Sequence[Row]) -> VisibleHead:
    table = [row for row in rows if row.stream == STREAM]
    hidden = hidden_in([(row.version, row.event()) for row in table]) if table else None
    known = {} if hidden is None else {STREAM: HiddenFrom.of(hidden, table[hidden.version - 1].position)}
    return VisibleHead(head=Head(rows[-1].position, rows[-1].digest) if rows else EMPTY, hidden=known)


def streamed(store: LogStore, cuts: Sequence[int], follower: Follower) -> Iterator[bytes]:
    rows = list(store.read())
    buffer = LiveBuffer(visible_at([]))
    begun = 0
    for cut in (*cuts, len(rows)):
        before, now = buffer.visible, visible_at(rows[:cut])
        opened = [("t", one.deal) for name, one in before.hidden.items() if now.hidden.get(name) != one]
        buffer.take(Published(rows=rows[begun:cut], visible=now, opened=opened))
        yield buffer.piece_after(begun, follower).content
        yield buffer.piece_after(0, follower).content
        yield backfill(store, now, begun, follower).content
        yield repr(opened_meanwhile(store, now, begun + 1, follower)).encode()
        begun = cut


def is_hidden(store: MemoryStore) -> bool:
    return bool(visible_at(list(store.read())).hidden)


@pytest.mark.parametrize("game", GAMES)
@some
@given(
    seed=st.integers(0, 10**6),
    view=st.sampled_from(FOLLOWERS),
    form=st.sampled_from(FORMS),
    change=st.sampled_from(CHANGES),
)
def test_two_hidden_cards_exchanged_change_no_stream(
    game: str, seed: int, view: View, form: ServerSentEvents | JsonLines, change: Change | None
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
