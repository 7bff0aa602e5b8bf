"""Rulings over the computed score (contract 3, 5): void, replace, accept, adjust, stands; the latest decides."""

import pytest

from tests.games.ombre.tables import Record, with_winners

# A Vuelta won 5-2-2 by seat 0: deltas +9, -2, -7.
WON = [9, -2, -7]


def won(**options):
    return with_winners("000101220", call="vuelta", **options)


def unfinished():
    return with_winners("0001")


# --- void -------------------------------------------------------------------------------------------------------------


def test_a_voided_deal_leaves_its_ante_in_the_pool():
    deal = won().voided().deal()
    assert (deal.status, deal.deltas, deal.pool_after, deal.outcome) == ("voided", [0, 0, -5], 5, {})


def test_a_ruling_voids_a_deal_as_the_record_can():
    record = won().ruled("void")
    assert (record.deal().status, record.deal().deltas) == ("voided", [0, 0, -5])
    assert record.start(2).result().codes() == []  # the same dealer, no second ante
    assert record.score().totals == [0, 0, -5]


def test_a_deal_in_progress_that_a_ruling_annuls_lacks_nothing_when_the_next_one_starts():
    record = Record().start(2).calls("0 solo").ruled("void").start(2).result()
    assert record.codes() == []
    assert [deal.status for deal in record.score().deals] == ["voided", "complete"]


def test_a_deal_annulled_after_the_next_had_begun_is_not_replaced_by_it():
    record = won().start(0).result().ruled("void", deal=1)
    assert record.codes() == []
    assert [deal.deltas for deal in record.score().deals] == [[0, 0, -5], [-5, 0, 0]]


def test_a_voided_unscorable_deal_does_not_count():
    record = Record(match_deals=1).start(2).dealt({0: "SA"}).ruled("void")
    assert not record.score().match.over


# --- replace ----------------------------------------------------------------------------------------------------------


def test_a_replacing_ruling_takes_the_place_of_the_computed_amounts():
    record = won().ruled("replace", deltas=[-10, 5, 0], pool=5)
    deal = record.deal()
    assert (deal.status, deal.deltas, deal.pool_after) == ("complete", [-10, 5, 0], 5)
    assert sum(line.amount for line in deal.lines) == 10
    assert deal.outcome["result"] == "SACADA"


@pytest.mark.parametrize("ended", ["start", "closed"])
def test_a_replacing_ruling_completes_an_unscorable_deal(ended):
    record = unfinished()
    getattr(record, ended)()
    record.ruled("replace", deal=1, deltas=[0, 0, 0], pool=0)
    deal = record.deal(1)
    assert (deal.status, deal.deltas, deal.outcome) == ("complete", [0, 0, 0], {})


# --- a score sheet after a ruling (contract 5) ------------------------------------------------------------------------

REPLACED = {"deltas": [-10, 5, 0], "pool": 5}


def replaced():
    return won().ruled("replace", **REPLACED)


def test_a_sheet_that_writes_down_what_a_ruling_ordered_is_no_finding():
    record = replaced().claimed(**REPLACED, totals=[-10, 5, 0], outcome="CODILLE", bonuses=["SOLO"])
    assert record.codes() == []


@pytest.mark.parametrize("sheet", [{"deltas": WON}, {"pool": 0}, {"totals": [-10, 5, 5]}])
def test_a_sheet_that_writes_down_other_amounts_than_a_ruling_ordered_is_found(sheet):
    record = replaced().claimed(**sheet)
    assert record.finding() == ("11.47", record.version, None, None)


def test_a_sheet_before_the_ruling_is_held_to_the_rules():
    record = won().claimed(**REPLACED)
    version = record.version
    assert record.ruled("replace", **REPLACED).finding() == ("11.47", version, None, None)


def test_a_sheet_is_held_to_the_ruling_that_was_in_force_when_it_was_written():
    assert replaced().claimed(**REPLACED).ruled("replace", deltas=[0, 0, -5], pool=5).codes() == []
    assert replaced().ruled("stands").claimed(**REPLACED).codes() == ["11.47"]


def test_a_sheet_of_a_deal_that_was_annulled_when_it_was_written_is_not_compared():
    assert won().ruled("void").claimed(deltas=[1, 2, 3]).ruled("replace", **REPLACED).codes() == []


def test_a_sheet_whose_amounts_do_not_add_up_is_found_though_a_ruling_decides():
    assert replaced().claimed(deltas=[-10, 5, 0], pool=6).codes() == ["11.47", "11.48"]


# --- accept -----------------------------------------------------------------------------------------------------------


def test_an_accepted_sheet_scores_an_unscorable_deal():
    record = Record().start(2).claimed(deltas=[10, -5, -5], pool=0)
    assert record.deal().status == "unscorable"
    record.ruled("accept")
    deal = record.deal()
    assert (deal.status, deal.deltas, deal.pool_after) == ("complete", [10, -5, -5], 0)


def test_the_last_sheet_of_the_deal_is_accepted():
    record = Record().start(2).claimed(deltas=[1, 0, -1]).claimed(deltas=[10, -5, -5]).ruled("accept")
    assert record.deal().deltas == [10, -5, -5]


def test_a_scorable_deal_keeps_its_computed_amounts_though_its_sheet_is_accepted():
    assert won().claimed(deltas=[0, 0, 0], pool=0).ruled("accept").deal().deltas == WON


def test_without_a_sheet_there_is_nothing_to_accept():
    assert Record().start(2).dealt({0: "SA"}).ruled("accept").deal().status == "unscorable"


# --- the latest deciding ruling ---------------------------------------------------------------------------------------


def test_the_latest_deciding_ruling_wins():
    record = won().ruled("void").ruled("replace", deltas=[0, 0, -5], pool=5)
    assert record.deal().status == "complete"
    assert record.ruled("void").deal().status == "voided"
    assert [ruling.in_force for ruling in record.deal().rulings] == [False, False, True]


def test_stands_lets_the_computed_score_stand():
    record = won().ruled("void").ruled("stands")
    assert (record.deal().status, record.deal().deltas) == ("complete", WON)


def test_a_ruling_on_an_earlier_deal_changes_what_was_carried_on():
    record = Record().start(2).result().start().result(ombre=1, contract="entrada", trump="S", tricks=[2, 5, 2])
    assert record.deal().deltas == [-5, 10, 0]
    record.ruled("replace", deal=1, deltas=[0, 0, 0], pool=0)
    assert record.deal().deltas == [-5, 5, 0]


# --- adjust -----------------------------------------------------------------------------------------------------------


def test_an_adjustment_moves_the_totals_and_is_shown_apart():
    record = won().ruled("adjust", deltas=[-3, 3, 0])
    score = record.score()
    assert (score.deals[0].deltas, score.totals) == (WON, [6, 1, -7])
    assert score.deals[0].rulings[0].deltas == (-3, 3, 0)


def test_adjustments_add_up_and_are_all_in_force():
    record = won().ruled("adjust", deltas=[-3, 3, 0]).ruled("adjust", deltas=[-1, 0, 1]).ruled("stands")
    assert record.score().totals == [5, 1, -6]
    assert [ruling.in_force for ruling in record.deal().rulings] == [True, True, True]


def test_an_adjustment_of_the_pool_holds_from_its_place_in_the_record_on():
    record = Record().start(2).result().ruled("adjust", deltas=[-10, 0, 0], pool=10).start().result()
    deals = record.score().deals
    assert (deals[0].pool_after, deals[1].pool_before) == (5, 15)


def test_an_adjustment_in_mid_deal_follows_the_settlement():
    record = with_winners("0001")
    full = with_winners("000101220")
    rest = [event for _, event in full.entries[record.version :]]
    record.ruled("adjust", deltas=[-10, 0, 0], pool=10).add(*rest)
    deal = record.deal()
    assert deal.deltas == [5, 0, -5]  # the pool won is the five of the ante
    assert record.score().totals == [-5, 0, -5]
    assert record.score().state == {"pool": 10}


def test_an_adjustment_in_mid_deal_shows_at_once():
    assert unfinished().ruled("adjust", deltas=[-1, 1, 0]).score().totals == [-1, 1, -5]


def test_an_adjustment_names_any_deal_but_moves_at_its_own_place():
    record = Record().start(2).result().start().result().ruled("adjust", deal=1, deltas=[-9, 0, 0], pool=9)
    deals = record.score().deals
    assert (deals[1].pool_before, len(deals[0].rulings), len(deals[1].rulings)) == (5, 1, 0)
    assert record.score().state == {"pool": 19}


TEN_INTO_THE_POOL = {"deltas": [-10, 0, 0], "pool": 10}


def test_an_adjustment_before_the_closing_or_in_the_last_deal_is_shared_out():
    assert Record().start(2).result().ruled("adjust", **TEN_INTO_THE_POOL).closed().score().closing.deltas == [5, 5, 5]
    record = Record(match_deals=1).start(2).dealt().calls("0 pass").ruled("adjust", **TEN_INTO_THE_POOL)
    record.calls("1 pass", "2 pass")
    assert sum(record.score().closing.deltas) == 15
    assert record.score().state == {"pool": 0}


@pytest.mark.parametrize(
    "record",
    [Record().start(2).result().closed(), Record(match_deals=1).start(2).result()],
    ids=["closed", "match over"],
)
def test_an_adjustment_after_the_closing_leaves_the_closing_as_it_is(record):
    score = record.ruled("adjust", **TEN_INTO_THE_POOL).score()
    assert (sum(score.closing.deltas), score.state) == (5, {"pool": 10})


# --- names ------------------------------------------------------------------------------------------------------------


def test_every_line_says_what_it_is_for():
    assert all(line.text for line in won().deal().lines)


def test_a_substitute_takes_over_the_seat():
    from ledger.events import PlayerSeated

    record = won().add(PlayerSeated(seat=1, player="Thalestris"))
    assert record.score().players == ["Belinda", "Thalestris", "Sir Plume"]
