"""Recorded results: what they must tell, and what contradicts itself (contract 3, OMB sections 6 and 7)."""

import pytest

from ledger.errors import MalformedError
from ledger.games.ombre import GAME, make_options

SACADA = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}


def check(outcome, players=3, dealer=2):
    return GAME.check_outcome(outcome, make_options({}, players), players, dealer)


def test_the_result_follows_and_may_be_left_out():
    assert check(SACADA).result == "SACADA"
    assert check({**SACADA, "result": "SACADA"}).result == "SACADA"


def test_nothing_at_all_means_that_all_passed():
    assert check({}).result == "ALL_PASS"
    assert check({"result": "ALL_PASS", "tricks": [0, 0, 0]}).tricks == (0, 0, 0)


def test_where_a_favourite_suit_pays_the_trump_suit_must_be_told():
    untold = {name: value for name, value in SACADA.items() if name != "trump"}
    assert check(untold).trump is None
    favourite = make_options({"favourite_suit": "S"}, 3)
    assert GAME.check_outcome(SACADA, favourite, 3, 2).trump == "S"
    assert GAME.check_outcome({}, favourite, 3, 2).result == "ALL_PASS"
    with pytest.raises(MalformedError, match=r"trump in the result is missing"):
        GAME.check_outcome(untold, favourite, 3, 2)  # OMB-7.6


def test_the_dealer_of_four_wins_no_trick():
    with pytest.raises(MalformedError, match="0 for a seat that sits out"):
        check({**SACADA, "tricks": [5, 2, 1, 1]}, players=4, dealer=3)


def test_every_option_of_the_rulebook_has_its_default():
    options = make_options({}, 3)
    assert (options.ante, options.stake_per_player, options.vuelta_points, options.solo_points) == (5, 5, 2, 5)
    assert (options.estuche_points, options.estuche_min, options.primeras_points) == (1, 3, 3)
    assert (options.vole_points, options.failed_vole_points, options.favour_points) == (25, 25, 2)
    assert options.failed_vole_keeps_pool and options.failed_vole_keeps_primeras
    assert not options.codille_takes_pool and not options.defend_takes_pool
    assert (options.solo_first_exchange_max, options.surrender_max_tricks) == (8, 3)
    assert options.exchange_yield and options.surrender_allowed and options.defend_allowed and options.throw_in_allowed
    assert (options.all_pass, options.favourite_suit, options.match_deals, options.final_pool) == (
        "redeal",
        None,
        0,
        "split",
    )


def test_a_favourite_suit_of_none_may_be_spelt_out():
    assert make_options({"favourite_suit": "none"}, 3) == make_options({}, 3)
