"""Whist by its rulebook: the worked examples, and every row of its section 11."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import pytest

from ledger.errors import MalformedError
from ledger.events import CardPlayed, DealStarted, DealVoided, ScoreClaimed, TableClosed, TrickGathered
from ledger.games.kernel.protocol import Game
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.steps import replay_state
from tests import builders
from tests.builders import NAMES, Hands
from tests.games.section_11 import rows
from tests.hand_records import fold_of, record_in, table_events
from tests.test_replays import assert_deal, assert_table
from tests.thirdparty.conftest import WHIST

HANDS = (
    "SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3 D2",
    "HA HK HQ HJ HT H9 H8 H7 H6 H5 H4 H3 H2",
    "DA DK DQ DJ DT D9 D8 D7 D6 D5 D4 D3 S2",
    "CA CK CQ CJ CT C9 C8 C7 C6 C5 C4 C3 C2",
)
"""The dealer is seat 3 and turns up C2: each suit in one hand, but for S2 and D2."""

pytestmark = pytest.mark.usefixtures("whist")


class Record(builders.Record):
    """The record of one table of Whist; options as keywords."""

    def __init__(self, **options: Any) -> None:
        super().__init__("whist", NAMES, options)

    def start(self, dealer: int | None = 3) -> Self:
        return super().start(dealer)

    def dealt(self, hands: Hands = HANDS, stock: str | None = None, **fields: Any) -> Self:
        return super().dealt(hands, stock, **fields)

    def turned(self, card: str = "C2") -> Self:
        return super().turned(card)

    def result(self, own: int, trump: str = "S") -> Self:  # type: ignore[override]
        return super().result(tricks=[own, 13 - own], trump=trump)

    def blamed(self) -> list[tuple[str, int | None]]:
        """The numbers of all findings in section 11, with their seats."""
        return [(code, seat) for code, _, seat, _ in self.found()]


def in_play(hands: Sequence[str | None] = HANDS, turned: str = "C2") -> Record:
    return Record().start().dealt(hands).turned(turned)


UNSEEN: tuple[None, ...] = (None,) * 4


class TestGame:
    def test_the_evening_comes_to_what_it_says(self) -> None:
        record = record_in(WHIST / "evening.toml")
        fold = fold_of(record)
        for expected in record.expectations.deals:
            assert_deal(fold, expected)
        assert record.expectations.table is not None
        assert_table(fold, record.expectations.table)

    @pytest.mark.parametrize(("cards", "winner"), [("D9 DK D4 DA", 3), ("D9 DK H2 DA", 2), ("D9 H2 DK HJ", 3)])
    def test_who_wins_a_trick(self, cards: str, winner: int) -> None:  # WHI-12.1
        assert in_play(UNSEEN, "HA").trick(0, cards).fold().deals[0].machine.view().tricks[0].winner == winner

    def test_each_trick_over_six_is_a_point_for_both_seats(self) -> None:  # WHI-12.2
        assert Record().start().result(9).fold().deals[0].settlement.deltas == [3, 0, 3, 0]

    def test_the_match_is_over_when_a_side_has_enough_points(self) -> None:  # WHI-12.3
        record = Record().start().result(9).start(0).result(6).start(1).result(8)
        fold = record.fold()
        assert (fold.match.is_over, fold.match.state(), fold.match.winners()) == (True, {"points": [5, 1]}, [0, 2])
        assert not Record(game_points=6).add(*(event for _, event in record.entries[1:])).fold().match.is_over

    @pytest.mark.parametrize(
        "outcome",
        [
            {"tricks": [7, 7]},
            {"tricks": [9, 4], "result": "SEATS_1_3"},
            {"trump": "S"},
            {"tricks": [13, 0], "trump": "X"},
        ],
    )
    def test_a_result_that_cannot_be_is_refused(self, whist: Game, outcome: dict[str, Any]) -> None:
        with pytest.raises(MalformedError):
            whist.check_outcome(outcome, whist.make_options({}, 4), 4, 0)

    def test_who_holds_the_suit_led_must_follow(self) -> None:
        fold = in_play().trick(0, "D2 H2").fold()
        legal = replay_state(fold, 1).view.legal["card_played"]
        assert legal == sorted(card for card in HANDS[2].split() if card != "S2")

    def test_of_a_hand_that_was_not_recorded_everything_is_legal_that_nothing_known_forbids(self) -> None:
        fold = in_play((HANDS[0], None, None, HANDS[3])).trick(0, "D2").fold()
        assert replay_state(fold, 1).view.legal["card_played"] == sorted(f"{HANDS[1]} {HANDS[2]}".split())


FAULTS = {
    "after_match": (Record(game_points=3).start().result(9).start(0).result(9), [("11.10", None)]),
    "wrong_dealer": (Record().start().result(9).start(2).result(9), [("11.11", 2)]),
    "not the same dealer again": (
        Record().start().add(DealVoided(reason="light")).start(0).result(9),
        [("11.25", None), ("11.11", 0)],
    ),
    "a hand of twelve": (Record().start().dealt((HANDS[0][3:], *HANDS[1:])), [("11.12", 0)]),
    "a stock": (Record().start().dealt(UNSEEN, stock="SA"), [("11.12", None)]),
    "a card twice": (Record().start().dealt((HANDS[0], HANDS[0], None, None)), [("11.12", None)]),
    "dealt twice": (in_play().dealt(), [("11.12", None)]),
    "another card turned": (Record().start().dealt().turned("C3"), [("11.13", 3)]),
    "a card of another seat turned": (in_play((HANDS[0], None, None, None), "SA"), [("11.13", 3)]),
    "a second card turned": (in_play().turned("C3"), [("11.13", 3)]),
    "trump_not_turned": (Record().start().dealt().trick(0, "SA"), [("11.14", 0)]),
    "wrong first lead": (in_play().trick(1, "HA"), [("11.15", 1)]),
    "wrong later lead": (in_play().trick(0, "D2 HA DA C3").trick(0, "SA"), [("11.15", 0)]),
    "play_out_of_turn": (in_play().trick(0, "D2").trick(2, "DA"), [("11.16", 2)]),
    "two cards to a trick": (in_play().trick(0, "D2").trick(0, "SA"), [("11.16", 0)]),
    "card_played_twice": (in_play().trick(0, "D2 HA DA C3").trick(3, "CA D2"), [("11.17", 0)]),
    "card_not_held": (in_play().trick(0, "HA"), [("11.18", 0)]),
    "revoke": (in_play().trick(0, "D2 HA S2"), [("11.19", 2)]),
    "a revoke shown later": (in_play(UNSEEN).trick(0, "D2 HA S2 C3").trick(3, "C4 SA H2 D9"), [("11.19", 2)]),
    "a void, as far as later cards tell": (in_play(UNSEEN).trick(0, "D2 HA S2 C3").trick(3, "C4 SA H2 S9"), []),
    "wrong_gather": (in_play().trick(0, "D2 HA DA C3").add(TrickGathered(seat=2)), [("11.21", 2)]),
    "gathered too early": (in_play().trick(0, "D2 HA").add(TrickGathered(seat=2)), [("11.21", 2)]),
    "incomplete_play": (in_play().trick(0, "D2").add(TableClosed()), [("11.22", 0)]),
    "wrong_result": (Record().start().result(9).add(ScoreClaimed(sheet={"tricks": [8, 5]})), [("11.23", None)]),
    "wrong deltas": (Record().start().result(9).add(ScoreClaimed(deltas=(2, 0, 2, 0))), [("11.24", None)]),
    "wrong totals": (Record().start().result(9).add(ScoreClaimed(totals=(2, 0, 2, 0))), [("11.24", None)]),
    "a right sheet": (
        Record()
        .start()
        .result(9)
        .add(ScoreClaimed(deltas=(3, 0, 3, 0), totals=(3, 0, 3, 0), sheet={"tricks": [9, 4]})),
        [],
    ),
    "deal_voided": (in_play().add(DealVoided(reason="light")), [("11.25", None)]),
}


class TestSection11:  # section 11
    @pytest.mark.parametrize("fault", FAULTS)
    def test_what_is_against_the_rules_is_found(self, fault: str) -> None:
        record, expected = FAULTS[fault]
        assert record.blamed() == expected

    def test_a_card_after_the_last_trick_is_found_and_changes_nothing(self) -> None:
        events = table_events(record_in(WHIST / "evening.toml"))
        second = next(place for place, event in enumerate(events) if type(event) is DealStarted and event.deal == 2)
        fold = TableFold(list(enumerate([*events[:second], CardPlayed(seat=0, card="SA")], 1)))
        assert [finding.code for finding in audit_answer("t", fold).findings] == ["WHI-11.20"]
        assert fold.deals[0].outcome.tricks == (9, 4)

    def test_a_trick_with_an_unknown_card_belongs_to_who_gathers_it_or_leads_next(self) -> None:  # WHI-11.3
        record = in_play(UNSEEN).trick(0, "D2 ?? DA C3")
        assert record.fold().deals[0].machine.view().turn is None
        assert record.trick(1, "H2").fold().deals[0].machine.view().tricks[0].winner == 1
        gathered = in_play(UNSEEN).trick(0, "D2 ?? DA C3").add(TrickGathered(seat=3)).fold()
        assert gathered.deals[0].machine.view().tricks[0].winner == 3

    def test_every_row_of_section_11_is_in_the_code_with_its_severity(self, whist: Game) -> None:
        from trickledger_whist.irregularities import IRREGULARITIES

        assert {row.name: (code, *row.severities) for code, row in rows(whist.package).items()} == IRREGULARITIES
