"""Findings: their order, their place, their words (contract 5)."""

from ledger.table.audit import audit_answer, code_order
from tests.games.ombre.tables import Record, in_play, with_winners


def test_a_record_without_fault_has_no_finding():
    assert with_winners("000101220").start().result().closed().findings() == []


def test_findings_are_ordered_by_deal_then_version_then_code():
    record = with_winners("00").calls("1 pass").trump(0, "H").start(1).calls("0 pass")
    found = [(finding.deal, finding.version, finding.code) for finding in record.findings()]
    assert found == sorted(found, key=lambda item: (item[0], item[1], code_order(item[2])))
    assert [finding.deal for finding in record.findings()] == [1, 1, 1, 2, 2]


def test_codes_are_ordered_as_in_the_rulebook():
    assert code_order("OMB-11.9") < code_order("OMB-11.10")


def test_a_revoke_that_shows_later_stands_at_the_card_that_was_the_revoke():
    record = Record().start(2).dealt().won_by(0, "solo").trump(0, "S").exchanged(1, 0).exchanged(2, 0)
    record.trick(0, "HK DK H2")
    revoke = record.version - 1
    record.trick(0, "CK H3 CQ")
    assert record.finding() == ("11.37", revoke, 1, ["H3"])


def test_a_finding_names_the_player_and_the_card():
    record = in_play("S", {0: "HK", 1: "HJ DK"}, avoid={1: "H"}).trick(0, "HK DK")
    (finding,) = record.findings()
    assert finding.message == "Baron played ♦K and did not follow suit, though able to"
    (in_japanese,) = audit_answer("test", record.fold(), "ja").findings
    assert in_japanese.message == "Baronが♦Kを出し、出せるのにフォローしなかった"


def test_a_finding_names_who_sat_there_then():
    from ledger.events import PlayerSeated

    record = Record().start(2).dealt().calls("1 pass").voided().add(PlayerSeated(seat=1, player="Thalestris"))
    assert record.start(2).calls("1 pass").findings()[0].message.startswith("Baron")
    assert record.findings()[2].message.startswith("Thalestris")


def test_remarks_are_never_interpreted():
    from ledger.events import Noted

    record = with_winners("00").add(Noted(text="seat 1 revoked", seat=1))
    assert record.findings() == []


def test_two_faults_of_one_event_are_reported_only_where_the_rulebook_says_so():
    assert Record().start(2).dealt().calls("2 entrada_favour").codes() == ["11.15"]


def test_a_deal_left_unfinished_is_a_warning():
    """The record lacks something, nobody has sinned (contract 5)."""
    (found,) = with_winners("0001").closed().findings()
    assert (found.code, found.severity) == ("OMB-11.43", "warning")
