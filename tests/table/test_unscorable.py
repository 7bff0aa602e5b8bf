"""The reasons why a deal is not scored, and the kinds of ruling that can settle it (contract 5)."""

from ledger.table.audit import audit_answer
from ledger.table.score import score_answer, why_unscorable
from ledger.text.audit import audit_text
from ledger.text.replay import story
from ledger.text.score import score_text
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import ORDINARY_PLAY, bidding, ordinary
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record as Ombre
from tests.games.ombre.tables import with_winners
from tests.games.quadrille.tables import at_play, with_six
from tests.games.scripted import cases_of

test_unscorable = cases_of("../table/unscorable.txt", Ombre, Couillon, at_play, bidding, ordinary, with_winners)


def test_quadrille_names_the_fact_that_the_record_lacks() -> None:
    """Stopped after six tricks; the Ombre's side may have been dealt the matadors (QUA-7.5)."""
    record = with_six(call="solo")
    record.entries = without_hands(record.entries)
    fold = record.said(0, "premiers_stop").fold()
    (fact,), why = fold.deal(1).machine.untold(), why_unscorable(fold, fold.deal(1))
    assert why is not None
    assert (fact.key, len(why.untold)) == ("untold_matadors", 1)


def test_a_deal_that_goes_on_or_is_scored_lacks_no_fact() -> None:
    assert bidding({}).machine().untold() == []
    assert bidding({}).passed_out().tricks(ORDINARY_PLAY).machine().untold() == []


def test_score_audit_and_replay_say_it() -> None:
    fold = with_winners("0001").closed().fold()
    line = "missing: the rest of the deal. Rulings that can settle it: accept (its score sheet), replace, void"
    assert f"  {line}" in "\n".join(map(str, score_text(score_answer("t", fold), fold, "en")))
    assert f"  deal 1 is unscorable; {line}" in list(audit_text(audit_answer("t", fold), fold, "en"))
    assert list(story("t", fold, 1, None, "en"))[-1].strip() == line
