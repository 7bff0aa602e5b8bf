"""The cards known to a seat; the facts of a revoke: when it was established, which tricks it affected."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.cards import UNKNOWN
from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.table.fold import DealRecord, TableFold
from ledger.table.revokes import Revoke, revokes_of
from ledger.table.seat_knowledge import SeatKnowledge, SuitSeen, seen_by
from ledger.table.steps import ReplayStep, replay_steps
from tests.covering import sample
from tests.games.ombre.tables import Record, in_play
from tests.games.scripted import cases_of
from tests.hand_records import REPLAYS, fold_of, record_in

RECORDS = sorted(path for game in ("ombre", "quadrille", "couillon", "kop") for path in (REPLAYS / game).glob("*.toml"))


def seen_at(fold: TableFold, step: int, seat: int, deal: int = 1) -> SeatKnowledge:
    return seen_by(fold, fold.deal(deal), list(replay_steps(fold, deal, seat))[: step + 1], seat)


def trumps_of(seen: SeatKnowledge) -> SuitSeen:
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
    """The declarer holds or has seen all of them before the last card of this deal is played."""
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
    known = [*seen.held, *seen.put_aside, *seen.shown, *(card for one in seen.suits for card in one.fallen)]
    assert UNKNOWN not in known
    out = [card for one in seen.suits for card in one.unseen]
    assert not set(out) & set(known)
    assert set(out) | set(known) == pack if seen.is_whole else not out


def test_a_seat_with_unrecorded_cards_gets_no_unseen_cards() -> None:
    fold = fold_of(record_in(REPLAYS / "ombre/revoke-found-later.toml"))
    seen = seen_at(fold, len(list(replay_steps(fold, 1))) // 2, seat=1)
    assert not seen.is_whole and not any(one.unseen for one in seen.suits)
    assert any(one.fallen for one in seen.suits)


def played(path: str) -> tuple[TableFold, list[Revoke]]:
    fold = fold_of(record_in(REPLAYS / path))
    return fold, revokes_of(fold, fold.deals[0])


def revoked() -> Record:
    """Return a deal in which the Baron holds HQ and plays DK on HK."""
    made = in_play("S", {0: "HK SA C7", 1: "HQ DK D6", 2: "H2 D2 C5"}, avoid={1: "HC", 2: "H"})
    return made.played(0, "HK").played(1, "DK").played(2, "H2")


test_revokes = cases_of("../table/revokes.txt", in_play, revoked)


def test_a_revoke_from_an_unknown_hand_names_the_card_that_shows_it() -> None:
    _, (revoke,) = played("ombre/revoke-found-later.toml")
    assert (revoke.version, revoke.trick, revoke.shown) == (25, 5, 27)
    assert [(one.card, one.trick) for one in revoke.withheld] == [("C2", 6), ("C7", 7), ("CK", 9), ("CQ", 8)]
    assert revoke.touched == [6, 7, 8, 9]


def test_the_tricks_won_from_there_on_are_counted() -> None:
    _, (revoke,) = played("ombre/revoke.toml")
    assert (revoke.trick, revoke.won_after) == (5, [2, 2, 1])


@pytest.mark.parametrize("path", ["quadrille/27-audited-record.toml", "kop/22-two-irregularities.toml"])
def test_other_games_name_their_own_irregularities(path: str) -> None:
    fold, (revoke,) = played(path)
    assert revoke.code in fold.game.revokes
    assert revoke.established_by == "next_lead"
    assert revoke.withheld


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_every_game_names_its_revokes_and_the_rules_of_following(game: Game) -> None:
    assert game.revokes
    assert game.following
