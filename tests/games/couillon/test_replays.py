"""Every worked example of the rulebook has a record, and every form and scoring a whole match, with every contract."""

import re

import pytest

from ledger.games.couillon import GAME
from tests.games.couillon.strategies import FORMS, players_of, settled
from tests.hand_records import REPLAYS, fold_of, record_in

RECORDS = sorted((REPLAYS / "couillon").glob("*.toml"))
EXAMPLES = range(1, 27)


MATCHES = [fold_of(record_in(path)) for path in RECORDS if "-match-" in path.name]


def kind_of(options):
    return options.form, options.is_on_points


def test_every_example_of_the_rulebook_has_a_record():
    heads = [path.read_text(encoding="utf-8").partition("\n")[0] for path in RECORDS]
    named = {int(found[1]) for head in heads if (found := re.match(r"# Couillon rulebook, example (\d+):", head))}
    assert named == set(EXAMPLES)


@pytest.mark.parametrize("form", [form for form in FORMS if "mit_card" not in form], ids=str)
def test_every_form_and_scoring_has_a_whole_match(form):
    wanted = kind_of(settled(form))
    assert [fold for fold in MATCHES if kind_of(fold.options) == wanted and fold.match.is_decided]
    assert players_of(form) == wanted[0].players


def test_the_matches_show_every_contract_and_every_result():
    summaries = [GAME.summarise(deal.outcome) for fold in MATCHES for deal in fold.deals]
    assert {summary.contract for summary in summaries} == {"plain", "mit", "kontra", "re"}
    assert {summary.result for summary in summaries} == {"WIN", "ALL_TRICKS", "DRAW"}
    assert {summary.declarer is None for summary in summaries} == {True, False}
