"""Rulings on the computed score (contract 3, 5), points by player, and the reasons why a deal is not scored."""

import io
from collections import Counter
from pathlib import Path

from ledger.events import PlayerSeated
from ledger.recording.hand.checking import check_hand_record, table_from_file
from ledger.table.audit import audit_answer
from ledger.table.repository import TableAsRead
from ledger.table.score import (
    points_by_player,
    points_of,
    score_answer,
    seat_titles,
    substitutes_points,
    why_unscorable,
)
from ledger.text.audit import audit_text
from ledger.text.cards import points_text
from ledger.text.catalogue import wording_for
from ledger.text.imports import check_text
from ledger.text.replay import story
from ledger.text.score import score_text
from ledger.text.site.cards import Preferences
from ledger.text.site.recorder.deal_state import deal_result_of, final_of
from ledger.text.site.replay.table_page import table_page_of
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import ORDINARY_PLAY, bidding, ordinary
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record, with_winners
from tests.games.ombre.tables import Record as Ombre
from tests.games.quadrille.tables import at_play, with_six
from tests.games.scripted import cases_of


def won():
    """Return a Vuelta won 5-2-2 by seat 0: deltas +9, -2, -7."""
    return with_winners("000101220", call="vuelta")


def replaced():
    return won().ruled("replace", deltas=[-10, 5, 0], pool=5)


test_score = cases_of("../table/rulings.txt", Record, replaced, with_winners, won)

LOST = {"ombre": 1, "contract": "entrada", "trump": "S", "tricks": [2, 3, 4]}


def substituted() -> Record:
    """Return a table where seat 2 plays deal 1, Eve the others, and the director then moves a point in deal 1."""
    record = Record().start(2).result().add(PlayerSeated(seat=2, player="Eve")).start().result(**LOST)
    return record.ruled("adjust", deal=1, deltas=[1, 0, -1]).start().result().closed()


def test_a_deal_and_its_adjustment_count_for_those_who_played_it() -> None:
    fold = substituted().fold()
    first = list(fold.deals[0].players)
    expected: Counter[str] = Counter()
    for record in fold.deals:
        expected.update(dict(zip(record.players, record.settlement.deltas, strict=True)))
    expected.update(dict(zip(first, [1, 0, -1], strict=True)))
    expected.update(dict(zip(fold.players, [0, 0, 0] if fold.closing is None else fold.closing.deltas, strict=True)))
    points = {one.player: one.points for one in points_by_player(fold)}
    assert points == expected
    assert sum(points.values()) == sum(fold.match.totals)
    assert points_of(fold, fold.players) == [points[player] for player in fold.players]
    assert seat_titles(fold) == [first[0], first[1], f"{first[2]} → Eve"]


def test_without_a_substitution_points_are_the_totals() -> None:
    fold = Record().start(2).result().add(PlayerSeated(seat=0, player="Eve")).fold(recorded=True)
    assert len(substitutes_points(fold)) == 4
    fold = Record().add(PlayerSeated(seat=0, player="Eve")).start(2).result().fold()
    assert (substitutes_points(fold), points_of(fold, fold.players)) == ([], fold.match.totals)


def test_every_surface_shows_the_points_of_the_players() -> None:
    fold = substituted().fold()
    points = {one.player: one.points for one in points_by_player(fold)}
    text = "\n".join(part for part in score_text(score_answer("t", fold), fold, "en") if isinstance(part, str))
    page = table_page_of(TableAsRead("t", fold), Preferences(), may_record=False)
    assert page.players == seat_titles(fold)
    for player, gained in points.items():
        assert f"{player} {gained:+d}" in text
        assert f"{player} {gained:+d}".replace("-", "−") in page.points
    assert {share.name: share.total for share in final_of(TableAsRead("t", fold), "en").shares} == points
    ended = deal_result_of(fold, wording_for(fold.game, "en"))
    assert ended is not None
    assert [share.total for share in ended.shares] == points_of(fold, fold.players)


def test_check_names_who_played_each_deal() -> None:
    content = Path(__file__).with_name("substituted.toml").read_bytes()
    answer = check_hand_record(table_from_file(io.BytesIO(content), "sheet.toml"))
    first, second, totals = [line for line in check_text(answer, "en") if "Ada" in line]
    assert "Cid" in first and "Eve" not in first
    assert "Eve" in second and "Cid" not in second
    assert f"{points_text(answer.points, 'en')} (totals of the seats: " in totals


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
