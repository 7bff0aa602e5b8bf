"""What is tried out, on a copy of a deal or by asking, leaves the deal itself as it was and says what would come.

Each record is of one deal, and its first two entries open the table and start the deal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.table.fold import TableFold
from tests.builders import Record
from tests.games.couillon.tables import HANDS, STOCK
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import ALONE, CICHA_PLAY, FOUR_QUEENS, ORDINARY, ORDINARY_PLAY, free
from tests.games.kop.tables import Table as Kop
from tests.games.ombre.tables import HANDS as OMBRE_HANDS
from tests.games.ombre.tables import STOCK as OMBRE_STOCK
from tests.games.ombre.tables import Record as Ombre
from tests.games.ombre.tables import with_winners
from tests.games.quadrille.tables import at_play, dealt, with_six

pytestmark = pytest.mark.compiled


def couillon_known():
    table = Couillon(concession="rest").start(3).dealt(HANDS, STOCK).turned("HJ").calls("0 pass", "1 take")
    return table.trick(0, "SA SK SQ SJ").gathered(1).trick(0, "DK CA DJ DA").said(2, "concede")


def couillon_hidden():
    table = Couillon().start(3).dealt().turned("HJ").calls("0 take")
    return table.trick(0, "SA DQ SQ SJ").trick(0, "DK SK DJ ??").gathered(0).trick(0, "HA HK")


def couillon_early():
    table = Couillon().start(3).turned("HJ").passed_out().turned("CJ")
    return table.dealt(HANDS, STOCK).trick(0, "SA SK SQ SJ")


def couillon_doubtful():
    table = Couillon("mit4").start(2).trump(3, "D").dealt().said(1, "mit").said(0, "kontra").said(3, "re")
    return table.trick(3, "HA ?? H9 HQ").gathered(1).trick(3, "S9 SQ SJ ST").trick(0, "SA SK")


def couillon_twice():
    table = Couillon().start(3).dealt(HANDS, STOCK)
    return table.add(table.entries[-1][1]).turned("HJ").calls("0 take").trick(0, "SA SK")


def kop_known():
    table = Kop(concessions=True).deal_out(ORDINARY).calls("0 kontra", "1 re", "2 grand", "3 pass", "0 pass")
    return table.calls("1 pass").tricks(ORDINARY_PLAY[:2]).gathered(1).conceded(1, 2).played(2, "DA")


def kop_hidden():
    table = Kop().start(3).calls("0 wesele", "1 pass", "2 kontra", "3 pass", "0 pass", "1 pass")
    return table.tricks([*CICHA_PLAY[:3], (0, "CQ ?? CT DA")])


def kop_misplayed():
    return free().calls("2 kontra").said(0, "ask").played(0, "DT").trick(1, "DQ HJ").played(3, "HA").played(3, "HA")


def kop_stopped():
    return Kop().deal_out(ALONE).contract(0, "zolo_du").trick(0, "CJ SQ HQ HJ").said(None, "stop").played(1, "CT")


def kop_won_at_once():
    return Kop("baska").deal_out(FOUR_QUEENS).calls("0 baska").said(0, "show_baska").played(0, "CQ")


def kop_revoked():
    return Kop().start(3).passed_out().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ").gathered(0)


def ombre_defended():
    return with_winners("000").said(0, "surrender").said(1, "decline_defence").said(2, "defend").trick(0, "HA H2 H3")


def ombre_hidden():
    record = Ombre().start(2).dealt().won_by(0, "solo").trump(0, "S").exchanged(1, 2).exchanged(2, 0)
    return record.trick(0, "HK DK H2").gathered(0).trick(0, "HQ ?? H4")


def ombre_out_of_turn():
    record = Ombre().start(2).dealt(OMBRE_HANDS, OMBRE_STOCK).calls("1 solo").won_by(0).trump(0, "S")
    return record.exchanged(2, 0).exchanged(0).exchanged(1).played(1, "C7").trick(0, "SA SQ")


def quadrille_out_of_turn():
    table = dealt().calls("1 solo").bid_won_by(0).trump(0, "S").called(0, "HK").called(0, "DK")
    return table.trick(0, "HK DK").played(1, "HQ")


def quadrille_claimed():
    table = with_six("0000", call="solo", claims=True).said(1, "claim_ombre").said(0, "claim_accept")
    return table.said(2, "claim_refuse").said(3, "claim_accept")


def quadrille_hidden():
    return (
        at_play("S", {}, call="alliance", called="CK")
        .trick(0, "C2 C4 CK C7")
        .said(2, "reveal_partner")
        .trick(2, "HK DK")
    )


def deal_at(record: Record, version: int) -> Any:
    """The deal as it was after that entry."""
    return TableFold(record.entries[:version]).deals[0].machine


def answers_of(deal: Any) -> tuple[Any, ...]:
    """All that can be asked of a deal."""
    views = [deal.view(seat) for seat in (None, 0, 1, 2, 3)]
    assert (views[0].legal, views[0].turn) == (deal.legal(), deal.turn())
    return views, deal.legal(), deal.turn(), deal.status, deal.outcome(), list(deal.late_violations())


RECORDS = [
    *(couillon_known, couillon_hidden, couillon_early, couillon_doubtful, couillon_twice),
    *(kop_known, kop_hidden, kop_misplayed, kop_stopped, kop_won_at_once, kop_revoked),
    *(ombre_defended, ombre_hidden, ombre_out_of_turn),
    *(quadrille_claimed, quadrille_hidden, quadrille_out_of_turn),
]
EACH = pytest.mark.parametrize("made", RECORDS)


@EACH
def test_what_is_played_on_a_copy_leaves_the_deal_as_it_was(made: Callable[[], Record]) -> None:
    record = made()
    deal, entries = deal_at(record, 2), record.entries[2:]
    for place, (version, event) in enumerate(entries):
        before = answers_of(deal)
        copy = deal.copy()
        for later_version, later in entries[place:]:
            copy.apply(later, later_version)
        copy.leave(99, None)
        assert answers_of(deal) == before
        deal.apply(event, version)


@EACH
def test_a_copy_comes_to_what_the_deal_comes_to(made: Callable[[], Record]) -> None:
    record = made()
    whole = answers_of(record.machine())
    for place in range(2, len(record.entries)):
        copy = deal_at(record, place).copy()
        for version, event in record.entries[place:]:
            copy.apply(event, version)
        assert answers_of(copy) == whole


@EACH
def test_what_an_event_would_break_is_what_it_breaks(made: Callable[[], Record]) -> None:
    record = made()
    deal = deal_at(record, 2)
    for version, event in record.entries[2:]:
        before = answers_of(deal)
        found_ahead = deal.check(event)
        assert {found.version for found in found_ahead} <= {0}  # it stands nowhere yet
        asked = [(found.code, found.seat, found.legal) for found in found_ahead]
        assert answers_of(deal) == before
        assert asked == [(found.code, found.seat, found.legal) for found in deal.apply(event, version)]
