"""What a seat had seen of the pack: what fell, what it held and put aside; and what was out for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.cards import UNKNOWN
from ledger.table.fold import DealRecord, TableFold
from ledger.table.seen import Seen, SuitSeen, seen_by
from ledger.table.steps import ReplayStep, replay_steps
from tests.covering import sample
from tests.hand_records import REPLAYS, fold_of, record_in

RECORDS = sorted(path for game in ("ombre", "quadrille", "couillon", "kop") for path in (REPLAYS / game).glob("*.toml"))


def seen_at(fold: TableFold, step: int, seat: int, deal: int = 1) -> Seen:
    return seen_by(fold, fold.deal(deal), list(replay_steps(fold, deal, seat))[: step + 1], seat)


def trumps_of(seen: Seen) -> SuitSeen:
    return next(one for one in seen.suits if one.suit is None)


@pytest.fixture(scope="module")
def revoke() -> TableFold:
    return fold_of(record_in(REPLAYS / "ombre/revoke.toml"))


def test_trumps_are_one_suit_with_the_black_aces(revoke: TableFold) -> None:
    trumps = trumps_of(seen_at(revoke, 23, seat=1))
    assert trumps.fallen == ["CA", "S7", "S5"]
    assert trumps.unseen == ["SK", "SQ", "SJ", "S6", "S4", "S3"]


def test_the_own_discards_are_seen_and_those_of_others_are_not(revoke: TableFold) -> None:
    seen = seen_at(revoke, 23, seat=1)
    assert seen.put_aside == ["HA", "H3", "DA"]
    out = {card for one in seen.suits for card in one.unseen}
    assert not out & set(seen.put_aside)
    assert seen.is_aside_hidden and seen.is_stock_hidden and seen.others == [0, 2]


def test_there_are_no_trumps_before_the_play(revoke: TableFold) -> None:
    assert [one.suit for one in seen_at(revoke, 2, seat=1).suits] == ["S", "H", "D", "C"]
    assert seen_at(revoke, 0, seat=1).suits == []


def test_all_trumps_may_have_been_seen() -> None:
    """Declarer holds or has seen them all before the last card of this deal falls."""
    fold = fold_of(record_in(REPLAYS / "kop/04-kontra-re-losers-have-25.toml"))
    last = len(list(replay_steps(fold, 1))) - 1
    assert trumps_of(seen_at(fold, last, seat=0)).unseen == []
    assert len(trumps_of(seen_at(fold, last, seat=0)).fallen) == 12  # KOP-2.7


@pytest.mark.parametrize("path", sample(RECORDS, 12), ids=lambda path: path.stem)
def test_every_card_of_the_pack_has_been_seen_or_not(path: Path) -> None:
    fold = fold_of(record_in(path))
    pack = fold.game.pack if fold.game.pack_of is None else fold.game.pack_of(fold.options)
    for record in fold.deals[:2]:
        for seat in range(len(record.players)):
            steps = list(replay_steps(fold, record.number, seat))
            for last in range(len(steps))[:: max(1, len(steps) // 5)]:
                _assert_accounted(fold, record, steps[: last + 1], seat, pack)


def _assert_accounted(
    fold: TableFold, record: DealRecord, steps: Sequence[ReplayStep], seat: int, pack: frozenset[str]
) -> None:
    seen = seen_by(fold, record, steps, seat)
    told = [*seen.held, *seen.put_aside, *seen.shown, *(card for one in seen.suits for card in one.fallen)]
    assert UNKNOWN not in told
    out = [card for one in seen.suits for card in one.unseen]
    assert not set(out) & set(told)
    assert set(out) | set(told) == pack if seen.is_whole else not out


def test_who_has_not_all_his_cards_recorded_is_told_of_none_that_he_had_not_seen() -> None:
    fold = fold_of(record_in(REPLAYS / "ombre/revoke-found-later.toml"))
    seen = seen_at(fold, len(list(replay_steps(fold, 1))) // 2, seat=1)
    assert not seen.is_whole and not any(one.unseen for one in seen.suits)
    assert any(one.fallen for one in seen.suits)
