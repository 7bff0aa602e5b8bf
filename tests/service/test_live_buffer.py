"""The pieces for listeners, from the buffer and from the ledger: every entry once, as visible at that moment."""

from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.log.base import Row
from ledger.log.memory import MemoryStore
from ledger.service import live_buffer
from ledger.service.live_buffer import Follower, LiveBuffer, Opening, backfill, opened_meanwhile
from ledger.service.states import Published
from ledger.service.visibility import View, VisibleHead, visible_head
from tests.web.serving import OMBRE, record

NOTE: Final = {"type": "noted", "text": "a glass fell"}
OPENED: Final = {"type": "hands_opened", "deal": 1}


class Names:
    """A format that writes only positions and openings."""

    def entry(self, position: int, envelope: bytes) -> bytes:
        return b"%d " % position

    def opened(self, table: str, deal: int) -> bytes:
        return b"%b/%d " % (table.encode(), deal)


NAMES: Final = Names()


class Whole(Names):
    def entry(self, position: int, envelope: bytes) -> bytes:
        return envelope


def follower(*streams: str, view: View = View(), form: Any = NAMES) -> Follower:  # noqa: B008 - a frozen Struct
    return Follower(view, frozenset(streams) if streams else None, form)


class Publishing:
    """A ledger, and a buffer that receives its entries."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.buffer = LiveBuffer(visible_head(self.store))

    def publish(self, stream: str, *events: Any, by: str = "recorder-1") -> None:
        before = self.buffer.visible
        record(self.store, stream, *events, by=by)
        rows = list(self.store.read(before.head.position))
        now = visible_head(self.store)
        self.buffer.take(Published(rows=rows, visible=now, opened=_opened(before, now)))

    def content(self, after: int, who: Follower) -> bytes:
        """Return everything after a position, as a stream reads it."""
        written = b""
        while after < self.buffer.visible.head.position:
            piece = self.piece(after, who)
            assert piece.until > after
            written += piece.content
            after = piece.until
        return written

    def piece(self, after: int, who: Follower) -> live_buffer.Piece:
        if after >= self.buffer.begins:
            return self.buffer.piece_after(after, who)
        return backfill(self.store, self.buffer.visible, after, who, self.buffer.openings(after))


def _opened(before: VisibleHead, now: VisibleHead) -> list[tuple[str, int]]:
    return [
        (stream.partition("/")[2], hidden.deal)
        for stream, hidden in before.hidden.items()
        if now.hidden.get(stream) != hidden
    ]


@pytest.fixture
def publishing() -> Publishing:
    return Publishing()


def test_published_entries_are_sent_behind_any_position(publishing: Publishing) -> None:
    publishing.publish("one", *OMBRE)
    publishing.publish("two", OMBRE[0])
    assert publishing.content(0, follower()) == b"1 2 3 4 5 "
    assert publishing.content(3, follower()) == b"4 5 "
    assert publishing.content(5, follower()) == b""
    assert publishing.content(0, follower("table/two")) == b"5 "
    assert publishing.content(0, follower(view=View(tables=("one",)))) == b"1 2 3 4 "


def test_an_entry_is_encoded_once_for_all_equal_views(publishing: Publishing, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []

    def counted(row: Row) -> bytes:
        encoded.append(row.position)
        return b""

    monkeypatch.setattr(live_buffer, "seen_envelope", counted)
    publishing.publish("one", *OMBRE)
    viewers = [follower(view=View(writer=f"phone-{number}")) for number in range(100)]
    bound = [follower(view=View(writer=f"pad-{number}", tables=("one",))) for number in range(100)]
    for who in [*viewers, *bound]:
        assert publishing.content(0, who) == b"1 2 3 4 "
    assert encoded == [1, 2, 3, 4]
    publishing.content(0, follower(view=View(hands=True)))
    publishing.content(0, follower(view=View(writer="recorder-1")))
    assert encoded == [1, 2, 3, 4] * 3


def test_an_entry_is_sent_as_it_may_be_seen_at_that_moment(publishing: Publishing) -> None:
    publishing.publish("one", *OMBRE)
    publishing.publish("two", *OMBRE)
    who = follower(form=Whole())
    assert publishing.content(0, who).count(b"??") == 80
    publishing.publish("one", OPENED)
    content = publishing.content(0, who)
    assert content.count(b"??") == 40
    assert content.count(b'"digest":null') == 4  # from the deal on that is still open
    publishing.publish("two", OPENED)
    assert b"null" not in publishing.content(0, who)


def test_an_opened_deal_is_sent_behind_the_entry_that_opened_it(publishing: Publishing) -> None:
    publishing.publish("one", *OMBRE)
    publishing.publish("two", *OMBRE)
    publishing.publish("one", OPENED, NOTE)
    publishing.publish("two", OPENED)
    assert publishing.content(7, follower()) == b"8 9 10 one/1 11 two/1 "
    assert publishing.content(7, follower("table/two")) == b"8 11 two/1 "
    assert publishing.buffer.openings(9) == [Opening(10, "one", 1), Opening(11, "two", 1)]
    assert publishing.buffer.openings(10) == [Opening(11, "two", 1)]


@pytest.mark.parametrize("entries", [1, 512])
def test_an_opened_deal_is_noticed_later(publishing: Publishing, monkeypatch: pytest.MonkeyPatch, entries: int) -> None:
    monkeypatch.setattr(live_buffer, "ENTRIES", entries)
    publishing.publish("one", *OMBRE)
    publishing.publish("two", *OMBRE)
    publishing.publish("one", OPENED)
    publishing.publish("two", NOTE)
    openings = [opened_meanwhile(publishing.store, publishing.buffer.visible, since, follower()) for since in (9, 10)]
    assert openings == [[Opening(9, "one", 1)], []]


def test_a_bounded_number_of_entries_is_buffered(publishing: Publishing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_buffer, "ROWS", 10)
    publishing.publish("one", *OMBRE)
    for _ in range(5):
        publishing.publish("one", *[NOTE] * 7)
    assert (publishing.buffer.begins, len(publishing.buffer._buffered)) == (29, 10)
    monkeypatch.setattr(live_buffer, "ROWS_BYTES", 1_000)
    publishing.publish("one", {"type": "noted", "text": "x" * 900})
    assert publishing.buffer.begins == 38
    publishing.publish("one", {"type": "noted", "text": "x" * 1_000})
    assert publishing.buffer.begins == 41
    assert publishing.content(0, follower()).split() == [b"%d" % position for position in range(1, 42)]


def test_pieces_end_with_the_entry_that_fills_them(publishing: Publishing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_buffer, "PIECE_BYTES", 5)
    publishing.publish("one", *OMBRE, *[NOTE] * 6)
    assert publishing.buffer.piece_after(0, follower()) == live_buffer.Piece(3, b"1 2 3 ")
    assert publishing.buffer.piece_after(3, follower()) == live_buffer.Piece(6, b"4 5 6 ")
    assert publishing.buffer.piece_after(0, follower("table/two")) == live_buffer.Piece(10, b"")


def test_openings_are_forgotten_in_order(publishing: Publishing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_buffer, "_OPENINGS", 1)
    publishing.publish("one", *OMBRE)
    assert publishing.buffer.knows_openings_from == 0
    publishing.publish("one", OPENED)
    assert publishing.buffer.knows_openings_from == 0
    publishing.publish("two", *OMBRE)
    publishing.publish("two", OPENED)
    assert publishing.buffer.knows_openings_from == 5


STREAMS: Final = ("session/s", "session/t", "session/u")
PUBLISHED: Final = st.lists(st.lists(st.sampled_from(STREAMS), min_size=1, max_size=9), max_size=12)


@given(PUBLISHED, st.integers(1, 12), st.integers(1, 12), st.integers(1, 60), st.data())
def test_a_listener_taking_pieces_between_publications_gets_every_entry_once(
    published: Sequence[Sequence[str]], rows: int, entries: int, piece_bytes: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(live_buffer, "ROWS", rows)
        patched.setattr(live_buffer, "PIECE_BYTES", piece_bytes)
        patched.setattr(live_buffer, "ENTRIES", entries)
        publishing = Publishing()
        for stream in STREAMS:
            publishing.publish(stream, {"type": "session_opened", "title": stream, "date": "2026-03-01"})
        whole, some = follower(), follower("session/s", "session/u")
        heard = {whole: b"", some: b""}
        at = {whole: 0, some: 0}

        def take(who: Follower) -> None:
            if at[who] < publishing.buffer.visible.head.position:
                piece = publishing.piece(at[who], who)
                at[who] = piece.until
                heard[who] += piece.content

        for group in published:
            for stream in group:
                publishing.publish(stream, NOTE)
            for who in data.draw(st.lists(st.sampled_from([whole, some]), max_size=3)):
                take(who)
        for who in heard:
            while at[who] < publishing.buffer.visible.head.position:
                take(who)
        everything = list(publishing.store.read())
        assert heard[whole].split() == [b"%d" % row.position for row in everything]
        assert heard[some].split() == [b"%d" % row.position for row in everything if some.follows(row.stream)]
