"""Of several rows that fit one event only the first is reported (OMB-11.2), and how the rows meet each other."""

import pytest

from tests.games.ombre.tables import Record, in_play, with_winners


def asked():
    return with_winners("000").said(0, "surrender")


@pytest.mark.parametrize(
    ("record", "codes"),
    [
        (asked().calls("1 pass"), ["11.13"]),  # before 11.30
        (asked().trump(0, "H"), ["11.20"]),
        (asked().turned("CA"), ["11.20"]),
        (asked().said(1, "yield_exchange"), ["11.23"]),
        (asked().exchanged(1), ["11.24"]),
        (asked().gathered(1), ["11.30"]),  # before 11.38
        (asked().said(2, "surrender"), ["11.30"]),  # before 11.39
        (asked().said(2, "defend"), ["11.40"]),  # an answer, though by the wrong seat
        (with_winners("").played(1, "SA"), ["11.32"]),  # before 11.35
        (with_winners("").trick(0, "HK").played(2, "SA"), ["11.33"]),
        (Record().start(2).dealt().calls("2 pass", "2 solo"), ["11.15", "11.15"]),
        (Record().start(2).dealt().calls("0 pass", "0 solo"), ["11.14"]),  # before 11.15
    ],
)
def test_only_the_first_row_that_fits_is_reported(record, codes):
    assert record.codes() == codes


def test_a_revoke_with_a_card_of_another_hand_is_only_a_card_not_held():
    assert in_play("S", {0: "HK", 1: "HQ", 2: "DK"}, avoid={1: "H"}).trick(0, "HK DK").codes() == ["11.35"]


def test_void_events_change_nothing_whatever_they_are():
    record = asked()
    before = record.state()
    record.calls("1 solo").trump(1, "H").said(1, "yield_exchange").exchanged(2, 3).said(2, "decline_defence")
    after = record.state()
    assert (after.turn, after.trump, after.hands, after.legal) == (
        before.turn,
        before.trump,
        before.hands,
        before.legal,
    )
    assert len(record.findings()) == 5


@pytest.mark.parametrize(
    "fatal",
    [
        lambda: Record().start(2).dealt({0: "SA"}),
        lambda: Record().start(2).dealt().trump(0, "S"),
        lambda: Record().start(2).dealt().won_by(0).exchanged(0, 1),
        lambda: asked().played(0, "SA"),
    ],
)
def test_after_a_fatal_row_nothing_more_of_the_deal_is_audited(fatal):
    record = fatal()
    codes = record.codes()
    assert len(codes) == 1
    record.calls("0 solo").trump(1, "H").played(2, "SA").gathered(1).said(0, "stop").said(2, "defend").voided()
    assert record.codes() == codes
    assert record.start(2).codes() == codes  # dealt again by the same seat


def test_after_a_fatal_row_the_next_deal_is_audited_again():
    assert Record().start(2).dealt({0: "SA"}).start().dealt().calls("0 pass").codes() == ["11.10", "11.15"]
