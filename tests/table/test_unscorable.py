"""The reasons why a deal is not scored, and the kinds of ruling that can settle it (contract 5)."""

import pytest

from ledger.table.audit import audit_answer
from ledger.table.score import score_answer, why_unscorable
from ledger.text.audit import audit_text
from ledger.text.catalogue import wording_for
from ledger.text.replay import story
from ledger.text.score import score_text, unscorable_text
from tests.builders import Record
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import Table as Kop
from tests.games.kop.tables import ordinary
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record as Ombre
from tests.games.ombre.tables import with_winners
from tests.games.quadrille.tables import at_play, with_six

BY_PAYMENTS = "accept (its score sheet), replace, void"


def lacking(record: Record, lang: str = "en", deal: int = 1) -> str | None:
    fold = record.fold()
    return unscorable_text(fold, fold.deal(deal), wording_for(fold.game, lang))


def hidden_throw_in() -> Record:
    record = Ombre().start(2).dealt().won_by(0).trump(0, "S").exchanged(0, 0).exchanged(1, 0).exchanged(2, 0)
    for trick in ("HK HQ HJ", "DK DQ DJ", "CK CQ CJ"):
        record.trick(0, trick)
    record.trick(0, "H2 HA H3").trick(1, "D2 D3 DA").trick(0, "C7 C6 C5")
    return record.said(0, "throw_in")


@pytest.mark.parametrize(
    ("record", "missing", "rulings"),
    [
        (with_winners("0001").closed(), "the rest of the deal", BY_PAYMENTS),
        (hidden_throw_in(), "which top trumps the Ombre held", BY_PAYMENTS),
        (Ombre().start(2).dealt({0: "SA"}), "a legal act in place of entry 3 (OMB-11.10)", BY_PAYMENTS),
        (at_play().trick(0, "HK HA"), "a legal act in place of entry {} (QUA-11.30)", BY_PAYMENTS),
        (Couillon().start(3).dealt().closed(), "the rest of the deal", "accept (its score sheet), award, void"),
        (
            Couillon().start(3).dealt({0: "SA HA DA CA S9"}).closed(),
            "a legal act in place of entry 3 (COU-11.15); the rest of the deal",
            "accept (its score sheet), award, void",
        ),
        (ordinary().closed(), "the rest of the deal", BY_PAYMENTS),
    ],
)
def test_it_is_said_what_is_missing_and_what_can_settle_it(record: Record, missing: str, rulings: str) -> None:
    text = f"missing: {missing.format(record.version)}. Rulings that can settle it: {rulings}"
    assert lacking(record) == text


def untold(record: Record) -> list[str]:
    fold = record.fold()
    facts, why = fold.deal(1).machine.untold(), why_unscorable(fold, fold.deal(1))
    assert why is not None and len(why.untold) == len(facts)
    return [fact.key for fact in facts]


def test_quadrille_names_the_fact_that_the_record_lacks() -> None:
    """Stopped after six tricks; the Ombre's side may have been dealt the matadors (QUA-7.5)."""
    record = with_six(call="solo")
    record.entries = without_hands(record.entries)
    assert untold(record.said(0, "premiers_stop")) == ["untold_matadors"]


def test_kop_names_the_cards_that_leave_nothing_to_score() -> None:
    assert untold(ordinary().played(0, "HA").played(0, "HA").closed()) == ["untold_cards"]


@pytest.mark.parametrize(
    ("first", "second", "third", "missing"),
    [
        ("DT ? HT HA", "SA CJ ST HQ", "DA CQ ? HJ", ["untold_sides"]),  # the queens that make the sides
        ("DT DQ HT ?", "SA CJ ? HQ", "DA CQ SQ HJ", ["untold_points"]),  # an ace and a ten, taken by either side
        ("DT DQ HT HA", "SA CJ ST HQ", "DA CQ SQ HJ", []),
    ],
)
def test_kop_names_what_cards_that_nobody_saw_leave_open(
    first: str, second: str, third: str, missing: list[str]
) -> None:
    record = Kop().deal_out({}).calls("0 pass", "1 pass", "2 pass", "3 pass")
    fold = record.tricks([(0, first), (3, second), (2, third), (3, "CT CA DJ SJ")]).fold()
    assert [fact.key for fact in fold.deal(1).machine.untold()] == missing
    assert Kop().deal_out({}).fold().deal(1).machine.untold() == []  # it goes on


def test_it_is_said_in_japanese() -> None:
    text = "不足:オンブルがどの上位の切札を持っていたか。決着できる裁定:得点表の承認、差し替え、無効"
    assert lacking(hidden_throw_in(), "ja") == text


def test_a_deal_that_is_scored_or_goes_on_lacks_nothing() -> None:
    assert lacking(with_winners("000101220")) is None
    assert lacking(with_winners("0001")) is None
    assert lacking(Kop().start(0)) is None


def test_a_deal_after_the_end_of_the_match_needs_no_ruling() -> None:
    record = Ombre(match_deals=1).start(2).result().start().dealt({0: "SA"}).closed()
    assert lacking(record, deal=2) == "it came after the end of the match and does not count"


def test_a_deal_that_a_ruling_has_settled_lacks_nothing() -> None:
    assert lacking(with_winners("0001").closed().ruled("replace", deltas=[0, 0, -5], pool=5)) is None


def test_score_audit_and_replay_say_it() -> None:
    fold = with_winners("0001").closed().fold()
    line = f"missing: the rest of the deal. Rulings that can settle it: {BY_PAYMENTS}"
    assert f"  {line}" in "\n".join(map(str, score_text(score_answer("t", fold), fold, "en")))
    assert f"  deal 1 is unscorable; {line}" in list(audit_text(audit_answer("t", fold), fold, "en"))
    assert list(story("t", fold, 1, None, "en"))[-1].strip() == line
