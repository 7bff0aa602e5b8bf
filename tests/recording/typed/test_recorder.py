"""A recorder at a table: undoing, refusals, and entries of others meanwhile."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rich.cells import cell_len

from ledger.errors import AgainstRulesError, ConflictError, MalformedError
from ledger.events import BidMade, CardPlayed, CardsDealt, Corrected, Event, TableOpened
from ledger.games import registered_games
from ledger.i18n import LANGUAGES
from ledger.log import Acknowledgement, Batch, LogStore, MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.simulate import simulate_table
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import ActRecorded, ActRefused, DealEnded, Notice, OthersRecorded
from ledger.text.cards import hand_text
from ledger.text.recorder import RecorderView, table_text
from tests.recording.typed.scripts import recorder_at

OPENED = TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan"))
HANDS = "h Ada: sqcjdtca / Ben: dqhjdjst / Cleo: hthqsjda / Dan: hacqctsa"
DEAL = ("", "pppp", "dtdqhtha", "sacjsthq", "dacqsqhj", "ctcadjsj")


class Sitting:
    """A recorder with all its notices."""

    def __init__(self, store: LogStore | None = None, *lines: str, **how: Any) -> None:
        self.store = MemoryStore() if store is None else store
        self.notices: list[Notice] = []
        live = LiveTable.open(self.store, "t", OPENED, by="Ann")
        self.recorder: Recorder = recorder_at(live, self.notices.append, **how)
        self.type(*lines)

    def type(self, *lines: str) -> list[Notice]:
        before = len(self.notices)
        for line in lines:
            self.recorder.look()
            self.recorder.type(line)
        return self.notices[before:]

    def events(self) -> list[Event]:
        return [event for _, event in self.recorder.live.fold.entries]


def refusal(notice: Notice) -> ActRefused:
    assert isinstance(notice, ActRefused)
    return notice


def test_the_end_of_a_deal_is_announced_with_its_last_card_and_trick() -> None:
    *_, last, ended = Sitting(None, *DEAL[:-1]).type(DEAL[-1])
    assert isinstance(last, ActRecorded) and last.trick is not None
    assert (last.version, last.event, last.trick[0], last.trick[1].winner) == (23, CardPlayed(seat=2, card="SJ"), 4, 2)
    assert ended == DealEnded(1)


def test_nothing_of_others_is_undone_unseen() -> None:
    sitting = Sitting(None, "", "pp")
    sitting.store.append(Batch("table/t", 5, (NewEntry(BidMade(seat=2, call="pass")),)), recorded_by="Bob")
    sitting.recorder.type("u")  # typed at the prompt shown before Bob recorded
    others, refused = sitting.notices[-2:]
    assert isinstance(others, OthersRecorded) and [row.recorded_by for row in others.rows] == ["Bob"]
    assert refusal(refused).error.code == "wrong_version"
    assert sitting.events()[-1] == BidMade(seat=2, call="pass")


def test_an_act_typed_before_others_were_seen_is_not_recorded() -> None:
    sitting = Sitting(None, "", "p")
    sitting.store.append(Batch("table/t", 4, (NewEntry(BidMade(seat=1, call="pass")),)), recorded_by="Bob")
    sitting.recorder.type("k p")
    assert isinstance(sitting.notices[-2], OthersRecorded)
    assert (refusal(sitting.notices[-1]).error.code, refusal(sitting.notices[-1]).left) == ("wrong_version", "p")
    assert [type(notice) for notice in sitting.type("k")] == [ActRecorded]
    assert sitting.events()[-1] == BidMade(seat=2, call="kontra")


def test_what_was_refused_is_recorded_as_it_was_played_and_the_line_goes_on() -> None:
    sitting = Sitting(None, "", HANDS, "pppp", "dt")
    (refused,) = sitting.type("st ht")
    assert isinstance(refusal(refused).error, AgainstRulesError)
    assert (refusal(refused).left, refusal(refused).can_insist) == ("ht", True)
    recorded, *_ = sitting.type("!")
    assert isinstance(recorded, ActRecorded) and [violation.code for violation in recorded.violations] == ["KOP-11.44"]
    assert sitting.events()[-2:] == [CardPlayed(seat=1, card="ST"), CardPlayed(seat=2, card="HT")]


def test_only_what_was_refused_just_before_can_be_insisted_on() -> None:
    sitting = Sitting(None, "", HANDS, "pppp", "dt", "st", "dq")
    assert isinstance(refusal(sitting.type("!")[0]).error, MalformedError)
    assert sitting.events()[-1] == CardPlayed(seat=1, card="DQ")


class LateStore:
    """A store that is locked once, or that records once and fails before it answers."""

    def __init__(self, inner: LogStore) -> None:
        self._inner = inner
        self.fails: Callable[[Sequence[Batch], str], list[Acknowledgement]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        fails, self.fails = self.fails, None
        return (
            self._inner.append_all(batches, recorded_by=recorded_by) if fails is None else fails(batches, recorded_by)
        )

    def lock(self, batches: Sequence[Batch], recorded_by: str) -> list[Acknowledgement]:
        raise ConflictError("locked", "locked")

    def record_unanswered(self, batches: Sequence[Batch], recorded_by: str) -> list[Acknowledgement]:
        self._inner.append_all(batches, recorded_by=recorded_by)
        raise ConflictError("busy", "nobody answers")


@pytest.mark.parametrize("failure", ["lock", "record_unanswered"])
def test_an_act_that_could_not_be_written_is_retried_by_enter_and_recorded_once(failure: str) -> None:
    store: Any = LateStore(MemoryStore())
    sitting = Sitting(store, "", "p")
    store.fails = getattr(store, failure)
    sitting.type("k p")
    sitting.recorder.type("")
    assert sitting.events()[3:] == [
        BidMade(seat=0, call="pass"), BidMade(seat=1, call="kontra"), BidMade(seat=2, call="pass"),
    ]  # fmt: skip


def test_hands_first_are_dealt_and_later_correct_what_was_not_known() -> None:
    first = Sitting(None, "", HANDS)
    later = Sitting(None, "", "pppp", HANDS)
    dealt = [event for event in first.events() if isinstance(event, CardsDealt)]
    assert [event for event in later.events() if isinstance(event, CardsDealt)] == dealt
    assert isinstance(later.recorder.live.entries[-1][1], Corrected)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["ombre", "quadrille", "couillon", "kop", "baska"])
def test_all_hands_fit_in_80_columns(game: str, lang: str) -> None:
    players = ("花子さんと太郎さんの長い名前のともだち", "Wilhelmina van der Zwanenburg", "Zoë", "健")[
        : 3 if game == "ombre" else 4
    ]
    opened, started, dealt, *_ = simulate_table(registered_games()[game], players, {}, 1, 3, "t", closed=False)
    assert isinstance(opened, TableOpened) and isinstance(dealt, CardsDealt)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    live.record([NewEntry(started), NewEntry(dealt)], by="Ann")
    lines = list(table_text(RecorderView(live, lang, False, {})))
    hands = [line for line in lines if any(hand_text(hand or ()) in line for hand in dealt.hands)]
    assert sum(line.count(hand_text(hand or ())) for line in hands for hand in dealt.hands) == len(players)
    assert max(map(cell_len, hands)) <= 80
