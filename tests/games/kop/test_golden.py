"""Every worked example and every contract of every form has a recorded deal under `replays/kop/`."""

import re

import pytest

from ledger.games.kop.auction import BASKA_BIDS, KOP_BIDS
from tests.hand_records import REPLAYS, fold_of, record_in

RECORDS = sorted((REPLAYS / "kop").glob("*.toml"))
UNBID = ("normal", "cicha")


def folds():
    for path in RECORDS:
        yield fold_of(record_in(path))


def test_every_example_of_the_rulebook_has_a_record():
    found = [re.match(r"# Kop rulebook, example (\d+)", path.read_text(encoding="utf-8")) for path in RECORDS]
    assert sorted(int(match[1]) for match in found if match) == list(range(1, 23))


@pytest.mark.parametrize(
    ("game", "order", "contracts"),
    [
        ("kop", "official", {*UNBID, *KOP_BIDS}),
        ("kop", "free", {*UNBID, *KOP_BIDS}),
        ("baska", "official", {*UNBID, *BASKA_BIDS}),
    ],
)
def test_a_whole_match_of_every_form_shows_every_contract(game, order, contracts):
    matches = [
        fold
        for fold in folds()
        if (fold.game.name, fold.options.auction_order) == (game, order) and fold.options.match_length
    ]
    assert matches
    assert {deal.outcome.contract for fold in matches for deal in fold.deals} == contracts
    assert all(fold.match.is_over and len(fold.deals) == fold.options.match_length for fold in matches)
