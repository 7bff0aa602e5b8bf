"""What is said of a revoke: when it was established, what was kept back, which tricks it touched."""

from __future__ import annotations

import pytest

from ledger.events import CardPlayed, Noted
from ledger.games import OURS
from ledger.games.kernel.protocol import Game
from ledger.table.fold import TableFold
from ledger.table.revokes import Revoke, Withheld, revokes_of
from tests.games.ombre.tables import Record, in_play
from tests.hand_records import REPLAYS, fold_of, record_in


def the_revoke(record: Record) -> Revoke:
    fold = record.fold()
    (found,) = revokes_of(fold, fold.deals[-1])
    return found


def played(path: str) -> tuple[TableFold, list[Revoke]]:
    fold = fold_of(record_in(REPLAYS / path))
    return fold, revokes_of(fold, fold.deals[0])


def revoked() -> Record:
    """The Baron holds HQ and plays DK on HK."""
    made = in_play("S", {0: "HK SA C7", 1: "HQ DK D6", 2: "H2 D2 C5"}, avoid={1: "HC", 2: "H"})
    return made.played(0, "HK").played(1, "DK").played(2, "H2")


def test_it_is_not_established_before_the_trick_is_turned() -> None:
    for record in (revoked(), revoked().add(Noted(text="a glass fell over"))):
        found = the_revoke(record)
        assert (found.trick, found.established, found.established_by) == (1, None, None)


def test_gathering_the_trick_establishes_it() -> None:
    record = revoked().gathered(0)
    found = the_revoke(record)
    assert (found.established, found.established_by) == (record.version, "gathered")


def test_the_next_lead_establishes_it() -> None:
    record = revoked().played(0, "C7")
    found = the_revoke(record)
    assert (found.established, found.established_by) == (record.version, "next_lead")
    assert the_revoke(record.played(1, "D6")).established == record.version - 1


def test_the_card_kept_back_is_followed_to_where_it_falls() -> None:
    record = revoked()
    assert the_revoke(record).withheld == [Withheld(card="HQ", would_win=0, trick=None, version=None)]
    record.played(0, "C7").played(1, "HQ")
    found = the_revoke(record)
    assert found.withheld == [Withheld(card="HQ", would_win=0, trick=2, version=record.version)]
    assert found.touched == [2]


def test_who_would_have_won_is_told_with_the_others_cards_as_they_were() -> None:
    made = in_play("S", {0: "HQ SA", 1: "HK DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})
    made.played(0, "HQ").played(1, "DK").played(2, "H2")
    found = the_revoke(made)
    assert (found.winner, found.withheld[0].would_win) == (0, 1)


def test_a_card_taken_back_by_correction_is_no_revoke() -> None:
    record = revoked()
    record.corrected(record.version - 1, "replace", CardPlayed(seat=1, card="HQ"))
    fold = record.fold()
    assert revokes_of(fold, fold.deals[0]) == []


def test_a_revoke_from_an_unknown_hand_names_the_card_that_shows_it() -> None:
    _, (found,) = played("ombre/revoke-found-later.toml")
    assert (found.version, found.trick, found.shown) == (25, 5, 27)
    assert [(one.card, one.trick) for one in found.withheld] == [("C2", 6), ("C7", 7), ("CK", 9), ("CQ", 8)]
    assert found.touched == [6, 7, 8, 9]


def test_the_tricks_won_from_there_on_are_counted() -> None:
    _, (found,) = played("ombre/revoke.toml")
    assert (found.trick, found.won_after) == (5, [2, 2, 1])


@pytest.mark.parametrize("path", ["quadrille/27-audited-record.toml", "kop/22-two-irregularities.toml"])
def test_other_games_name_their_own_irregularities(path: str) -> None:
    fold, (found,) = played(path)
    assert found.code in fold.game.revokes
    assert found.established_by == "next_lead"
    assert found.withheld


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_every_game_names_its_revokes_and_the_rules_of_following(game: Game) -> None:
    assert game.revokes
    assert game.following
