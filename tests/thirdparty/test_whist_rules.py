"""Whist by its rulebook: the worked examples and every row of section 11."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.events import CardPlayed, DealStarted
from ledger.games.kernel.protocol import Game
from ledger.recording.forms import option_fields, result_form, table_forms
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.text.site.recorder.score_sheet import result_form_view
from tests import builders
from tests.builders import NAMES
from tests.games.scripted import cases_of
from tests.games.test_section_11 import rows
from tests.hand_records import fold_of, record_in, table_events
from tests.test_replays import assert_deal, assert_table
from tests.thirdparty.conftest import WHIST

HANDS = (
    "SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3 D2",
    "HA HK HQ HJ HT H9 H8 H7 H6 H5 H4 H3 H2",
    "DA DK DQ DJ DT D9 D8 D7 D6 D5 D4 D3 S2",
    "CA CK CQ CJ CT C9 C8 C7 C6 C5 C4 C3 C2",
)
"""Each suit in one hand, except S2 and D2. The dealer is seat 3 and turns up C2."""

pytestmark = pytest.mark.usefixtures("whist")


class Record(builders.Record):
    """The record of one Whist table; options are keywords."""

    def __init__(self, **options: Any) -> None:
        super().__init__("whist", NAMES, options)


def in_play(hands: Sequence[str | None] = HANDS, turned: str = "C2") -> Record:
    return Record().start(3).dealt(hands).turned(turned)


class TestGame:
    def test_the_evening_comes_to_what_it_says(self) -> None:
        record = record_in(WHIST / "evening.toml")
        fold = fold_of(record)
        for expected in record.expectations.deals:
            assert_deal(fold, expected)
        assert record.expectations.table is not None
        assert_table(fold, record.expectations.table)

    @pytest.mark.parametrize("outcome", [
        {"tricks": [7, 7]},
        {"tricks": [9, 4], "result": "SEATS_1_3"},
        {"trump": "S"},
        {"tricks": [13, 0], "trump": "X"},
    ])  # fmt: skip
    def test_a_result_that_cannot_be_is_refused(self, whist: Game, outcome: dict[str, Any]) -> None:
        with pytest.raises(MalformedError):
            whist.check_outcome(outcome, whist.make_options({}, 4), 4, 0)


class TestSection11:  # section 11
    def test_a_card_after_the_last_trick_is_a_finding_and_changes_nothing(self) -> None:
        events = table_events(record_in(WHIST / "evening.toml"))
        second = next(place for place, event in enumerate(events) if type(event) is DealStarted and event.deal == 2)
        fold = TableFold(list(enumerate([*events[:second], CardPlayed(seat=0, card="SA")], 1)))
        assert [finding.code for finding in audit_answer("t", fold).findings] == ["WHI-11.20"]
        assert fold.deals[0].outcome.tricks == (9, 4)

    def test_every_row_of_section_11_is_in_the_code_with_its_severity(self, whist: Game) -> None:
        from trickledger_whist.irregularities import IRREGULARITIES

        assert {row.name: (code, *row.severities) for code, row in rows(whist.package).items()} == IRREGULARITIES


test_each_case_of_the_file = cases_of("../thirdparty/whist.txt", Record, in_play)

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
