"""The result form of a game without one of its own: a question for each field of the outcome."""

from __future__ import annotations

from ledger.games.kernel.protocol import Game
from ledger.recording.forms import option_fields, result_form, table_forms
from ledger.text.site.recorder.score_sheet import result_form_view

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")


def test_a_result_form_has_a_question_for_each_field(whist: Game) -> None:
    answers = {"tricks.0": "8", "tricks.1": "5", "trump": "H"}
    form = result_form(whist, answers, whist.make_options({}, 4), 4, 3)
    assert form.outcome == {"tricks": [8, 5], "trump": "H"}
    assert whist.check_outcome(dict(form.outcome), whist.make_options({}, 4), 4, 3).result == "SEATS_0_2"


def test_optional_fields_may_be_omitted(whist: Game) -> None:
    form = result_form(whist, {"tricks.0": "8", "tricks.1": "5"}, whist.make_options({}, 4), 4, 3)
    assert form.outcome == {"tricks": [8, 5]}


def test_the_questions_are_the_fields_as_they_are_recorded(whist: Game) -> None:
    form = result_form(whist, {}, whist.make_options({}, 4), 4, 3)
    shown = result_form_view(form, whist, PLAYERS, "en", {})
    assert [one.said for one in shown.questions] == ["tricks.0", "tricks.1", "trump", "result"]
    assert shown.questions[2].choices[-1].said == "not known"


def test_a_table_is_opened_in_its_one_form(whist: Game) -> None:
    (form,) = table_forms(whist)
    assert (form.seats, form.form, form.options) == (4, None, {})
    assert all(one.default is not None or not one.choices for one in option_fields(whist, form))
