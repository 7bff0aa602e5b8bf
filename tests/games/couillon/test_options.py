"""The options: defaults by form, invalid combinations, and the reach of simulated tables (COU section 9)."""

import tomllib
from pathlib import Path

import pytest

from ledger.games.couillon import GAME
from ledger.games.couillon.options import make_options
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from tests.games.couillon.strategies import FORMS, players_of
from tests.games.couillon.tables import NAMES, PLAYERS

OF_FORMS = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))["of_forms"]


@pytest.mark.parametrize(("raw", "players", "pack", "hand", "stock", "points", "mit"), OF_FORMS)
def test_the_form_fixes_players_pack_hand_and_scoring(raw, players, pack, hand, stock, points, mit):
    options = make_options(raw, players)
    shape = options.form
    assert (shape.players, shape.pack.bit_count(), shape.hand, shape.stock) == (players, pack, hand, stock)
    assert (options.is_on_points, options.has_mit) == (points, mit)


def test_an_option_that_does_not_concern_the_form_is_ignored():
    assert make_options({"start_points": 20, "six32_procedure": "upcard"}, 4).form.stock == 8


@pytest.mark.parametrize(("form", "seating"), [("basic4", "draw"), ("mit4", "jacks"), ("six24", "agreed")])
def test_the_seating_method_is_recorded_only(form, seating):
    assert make_options({"form": form}, PLAYERS[form]).seating == seating
    assert make_options({"form": form, "seating_method": "draw"}, PLAYERS[form]).seating == "draw"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(map(str, form.values())))
def test_simulated_tables_show_everything_that_a_form_has(form):
    wanted = {"WIN", "ALL_TRICKS", "DRAW", "turned", "made", "conceded", "plain"}
    if make_options(form, players_of(form)).has_mit:
        wanted |= {"mit", "kontra", "re"}
    seen = set()
    for seed in range(60):
        if wanted <= seen:
            break
        events = simulate_table(GAME, NAMES[: players_of(form)], {**form, "concession": "rest"}, 6, seed, "all")
        for record in TableFold(list(enumerate(events, start=1))).deals:
            summary = GAME.summarise(record.outcome)
            seen |= {summary.contract, summary.result, "turned" if summary.declarer is None else "made"}
            if record.machine.play.conceded_by is not None:
                seen.add("conceded")
    assert seen == wanted


def test_a_summary_says_who_made_trumps_and_if_they_won():
    def summary(**facts):
        return GAME.summarise(GAME.check_outcome({"card_points": [20, 8], "tricks": [3, 1], **facts}, options, 4, 3))

    options = make_options({}, 4)
    assert (summary(maker=2).won, summary(maker=1).won, summary().won) == (True, False, None)
    assert (summary(maker=2, trump="C").declarer, summary(maker=2, trump="C").trump) == (2, "C")
    assert summary(card_points=[12, 12], maker=2).won is None
