"""The reasons why a deal is not scored, and the kinds of ruling that can settle it (contract 5)."""

import pytest

from ledger.table.audit import audit_answer
from ledger.table.score import score_answer, why_unscorable
from ledger.text.audit import audit_text
from ledger.text.replay import story
from ledger.text.score import score_text
from tests.builders import Record
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import Table as Kop
from tests.games.kop.tables import ordinary
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record as Ombre
from tests.games.ombre.tables import with_winners
from tests.games.quadrille.tables import at_play, with_six
from tests.games.scripted import cases_of

test_unscorable = cases_of("../table/unscorable.txt", Ombre, Couillon, at_play, ordinary, with_winners)


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


def test_score_audit_and_replay_say_it() -> None:
    fold = with_winners("0001").closed().fold()
    line = "missing: the rest of the deal. Rulings that can settle it: accept (its score sheet), replace, void"
    assert f"  {line}" in "\n".join(map(str, score_text(score_answer("t", fold), fold, "en")))
    assert f"  deal 1 is unscorable; {line}" in list(audit_text(audit_answer("t", fold), fold, "en"))
    assert list(story("t", fold, 1, None, "en"))[-1].strip() == line
