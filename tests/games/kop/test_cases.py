"""Cases of the rulebook of Kop, by the text file that each test names; declarations, following, and payments."""

import re
import tomllib
from importlib.resources import files
from itertools import combinations, permutations
from pathlib import Path

import msgspec
import pytest

from ledger.cards import INDEX, mask_of, texts_in
from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, DealStarted, Event, TableOpened
from ledger.games import game_named
from ledger.games.kop import BASKA, GAME
from ledger.games.kop.options import BaskaOptions, KopOptions
from ledger.games.kop.outcome import KopOutcome, checked_outcome, summarise
from ledger.games.kop.pack import PACK, SCHEMES
from ledger.games.kop.scoring import game_points, payment_lines
from ledger.recording.validator import TableValidator
from ledger.table.score import score_answer
from tests.builders import NAMES
from tests.covering import sample
from tests.games.kop import naive
from tests.games.kop.tables import ALONE, ALONE_PLAY, CICHA, ORDINARY, ORDINARY_PLAY, Table, bidding, free, ordinary
from tests.games.scripted import cases_of
from tests.web.lists import lines_in


def dealt(*hands, **fields):
    return Table().deal_out(hands or ORDINARY, **fields)


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def proven():
    """Return a deal with a revoke of seat 1, found at entry 8 when it plays HQ."""
    return hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")


@pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)])
def test_neither_nobody_nor_everybody_concedes_even_where_no_side_is_known(seats):
    table = hidden(concessions=True)
    table.add(Announced(seat=None, what="concede", seats=seats))
    assert table.finding() == ("11.50", 7, None, None)


def result_only():
    """Return a deal known only by its result."""
    return Table().start(0).result(contract="cicha", declarers=[2], card_points=[79, 25], tricks=[3, 1])


class TestPayments:
    @pytest.mark.parametrize(("points", "tricks", "doublings", "text"), [
        ([60, 44], [2, 2], 0, "ゾロ:基本点 5"),
        ([25, 79], [1, 3], 0, "ゾロ:基本点 5 × ベズ・ビエスチア 2 × デクレアラーの負け 2"),
        ([104, 0], [4, 0], 1, "ゾロ:基本点 5 × コントラ 2 × ベズ・ビトキ 3"),
    ])  # fmt: skip
    def test_in_japanese_each_factor_has_its_own_name(self, points, tricks, doublings, text):
        table = Table("baska").start(0)
        table.result(contract="zolo", declarers=[1], card_points=points, tricks=tricks, doublings=doublings)
        (deal,) = score_answer("t", table.fold(), "ja").deals
        assert {line.text for line in deal.lines} == {text}


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    table = ordinary().start(0)
    deal = table.fold().deals[0].machine
    assert (deal.view().phase, deal.status, deal.legal(), deal.turn()) == ("unscorable", "unscorable", (), None)


def test_the_jack_named_with_a_wesele_is_shown_with_the_call():
    table = Table(announce_wesele_jack=True).deal_out(CICHA).named(0, "wesele", "CJ")
    (call,) = table.state().auction
    assert (call.seat, call.call, call.card) == (0, "wesele", "CJ")
    (call,) = Table().deal_out(CICHA).calls("0 pass").state().auction
    assert call.card is None


def alone(bid="zolo_du", **options):
    return Table(**options).deal_out(ALONE).contract(0, bid)


def test_an_ordinary_game_and_cicha_look_alike_to_a_seat_without_old_queens():
    assert Table().deal_out(("CQ HQ HJ CJ", *CICHA[1:])).passed_out().state(seat=1).contract is None
    own = CICHA[1].split()
    others = [card for hand in CICHA for card in hand.split() if card not in own]
    seen = set()
    for first in list(permutations(others, 4))[::900]:
        rest = [card for card in others if card not in first]
        hands = (" ".join(first), CICHA[1], " ".join(rest[:4]), " ".join(rest[4:]))
        state = Table().deal_out(hands).passed_out().state(seat=1)
        seen.add((state.contract, state.declarer, state.partner))
    assert seen == {(None, None, None)}


def settled():
    """Return KOP-12.1: 0 and 3 win one point each."""
    return ordinary().tricks(ORDINARY_PLAY)


def solo():
    return Table().deal_out(ALONE).contract(0, "zolo_du").tricks(ALONE_PLAY)


def replaced():
    return settled().ruled("replace", deltas=[-3, 1, 1, 1])


test_auction = cases_of("kop/auction.txt", Table, bidding, free)
test_auction_faults = cases_of("kop/auction_faults.txt", Table, bidding, free, ordinary)
test_dealing = cases_of("kop/dealing.txt", Table, dealt)
test_hidden_hands = cases_of("kop/hidden_hands.txt", Table, hidden, proven)
test_in_words = cases_of("kop/in_words.txt", Table, bidding, free, ordinary, result_only)
test_phases = cases_of("kop/phases.txt", Table, bidding, free, ordinary)
test_play_faults = cases_of("kop/play_faults.txt", Table, alone, ordinary)
test_secrecy = cases_of("kop/secrecy.txt", Table, bidding)
test_sheet = cases_of("kop/sheet.txt", Table, ordinary, replaced, settled, solo)


def table_of(game="kop", /, players=NAMES, **options):
    so_far = TableValidator()
    so_far.take(TableOpened(game=game, players=players, options=options))
    so_far.take(DealStarted(deal=1, dealer=3))
    return so_far


def test_options_may_be_spelt_out_as_their_defaults():
    table_of(max_doublings=4, match_deals=None, auction_order="official")
    table_of("baska", match_deals="none", auction_order="official")


@pytest.mark.parametrize("players", [NAMES[:3], (*NAMES, "Thalestris")])
def test_four_players_sit_at_the_table(players):
    with pytest.raises(MalformedError, match="4 names"):
        table_of(players=players)


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("no_entries.txt")))
def test_foreign_events_are_rejected(line):
    event = msgspec.json.decode(line, type=Event)
    with pytest.raises(MalformedError):
        table_of().take(event)


@pytest.mark.parametrize("game", ["kop", "baska"])
def test_both_games_share_one_vocabulary_and_one_rulebook(game):
    declared = game_named(game)
    assert (declared.calls, declared.package, declared.rule_prefix) == (GAME.calls, "ledger.games.kop", "KOP")
    for call in ("grand", "baska", "d8"):
        table_of(game).take(BidMade(seat=0, call=call))


_POSITION = re.compile(r"^\| (standard|new|jacks)(?:, `(\w+)` off)? \| ([A-Z ]+) \| ([A-Z ]+) \| ([A-Z ]+) \|$")


def positions():
    text = files("ledger.games.kop").joinpath("rules.md").read_text(encoding="utf-8")
    return [match.groups() for match in map(_POSITION.match, text.splitlines()) if match]


def test_all_positions_of_the_rulebook_were_read():
    assert len(positions()) == 17


@pytest.mark.parametrize(("scheme", "off", "trick", "hand", "permitted"), positions())
def test_a_position_of_the_rulebook(scheme, off, trick, hand, permitted):
    best = INDEX[naive.best(scheme, trick.split())]
    held = mask_of(INDEX[card] for card in hand.split())
    allowed = SCHEMES[scheme].permitted(
        held, INDEX[trick.split()[0]], best, must_trump=off != "must_trump", must_beat=off != "must_beat"
    )
    assert sorted(texts_in(allowed)) == sorted(permitted.split())


@pytest.mark.parametrize("led", sample(sorted(PACK), 5))
@pytest.mark.parametrize("scheme", SCHEMES)
def test_for_every_two_cards_on_the_table_and_every_two_in_hand_engine_and_decision_table_agree(scheme, led):
    for second in sorted(PACK - {led}):
        trick = [led, second]
        best = naive.best(scheme, trick)
        for hand in combinations(sorted(PACK - set(trick)), 2):
            held = mask_of(map(INDEX.__getitem__, hand))
            allowed = SCHEMES[scheme].permitted(held, INDEX[led], INDEX[best], True, True)
            assert sorted(texts_in(allowed)) == sorted(naive.may_play(scheme, trick, list(hand))), (trick, hand)


def test_the_engine_and_the_lists_of_the_rulebook_agree_on_what_beats_what():
    for name, scheme in SCHEMES.items():
        for card, other in permutations(PACK, 2):
            assert bool(scheme.beaten_by[INDEX[other]] >> INDEX[card] & 1) == naive.beats(name, card, other)


test_following = cases_of("kop/following.txt", Table, ordinary)

PAIRS = ("normal", "wesele")
TABLE = [
    # contract, G for 1, for bez wyjścia, for bez bitki; the same lost by Baśka declarers (section 7)
    ("normal", (1, 2, 3), (2, 4, 6)),
    ("wesele", (1, 2, 3), (2, 4, 6)),
    ("cicha", (4, 8, 12), (8, 16, 24)),
    ("grand", (5, 10, 15), (10, 20, 30)),
    ("zolo", (5, 10, 15), (10, 20, 30)),
]
GAME_POINTS = tomllib.loads(Path(__file__).with_name("scoring.toml").read_text(encoding="utf-8"))["game_points"]
DEGREES = [((60, 44), (2, 2)), ((79, 25), (3, 1)), ((104, 0), (4, 0))]


def outcome_of(contract, points=(60, 44), tricks=(2, 2), doublings=0, declarers=None, options=None, **fields):
    seats = declarers or ((0, 2) if contract in PAIRS else (1,))
    outcome = KopOutcome(
        contract=contract, declarers=seats, card_points=points, tricks=tricks, doublings=doublings, **fields
    )
    return checked_outcome(outcome, options or BaskaOptions(max_doublings=8))


@pytest.mark.parametrize(("contract", "amounts", "lost_in_baska"), TABLE)
def test_base_and_bez_factors_are_those_of_the_table(contract, amounts, lost_in_baska):
    for (points, tricks), amount, lost in zip(DEGREES, amounts, lost_in_baska, strict=True):
        won = outcome_of(contract, points, tricks)
        defeat = outcome_of(contract, points[::-1], tricks[::-1])
        assert game_points(won, KopOptions()) == game_points(won, BaskaOptions()) == amount
        assert game_points(defeat, KopOptions()) == amount
        assert game_points(defeat, BaskaOptions()) == lost


@pytest.mark.parametrize(("contract", "facts", "options", "winner", "points"), GAME_POINTS)
def test_the_amount_of_a_game(contract, facts, options, winner, points):
    outcome = outcome_of(contract, **{name: tuple(values) for name, values in facts.items()})
    option_type = BaskaOptions if options.get("game") == "baska" else KopOptions
    chosen = option_type(**{name: value for name, value in options.items() if name != "game"})
    assert (outcome.winning_side, game_points(outcome, chosen)) == (winner, points)


def test_baska_is_always_won():
    outcome = outcome_of("baska", (0, 0), (0, 0))
    assert (outcome.winning_side, game_points(outcome, BaskaOptions())) == ("declarer", 10)


@pytest.mark.parametrize(("points", "side"), [((53, 51), "declarer"), ((52, 52), "defenders")])
def test_the_declarers_need_53(points, side):
    assert outcome_of("normal", points).winning_side == side


def test_doublings_double():
    for doublings in range(9):
        assert game_points(outcome_of("zolo", doublings=doublings), KopOptions()) == 5 * 2**doublings


def lines(outcome):
    return [(line.rule, line.source, line.target, line.amount) for line in payment_lines(outcome, KopOptions())]


def test_losers_and_winners_are_paired_in_rising_seat_number():
    assert lines(outcome_of("normal", declarers=(1, 2))) == [("KOP-7.13", 0, 1, 1), ("KOP-7.13", 3, 2, 1)]
    assert lines(outcome_of("normal", (44, 60), declarers=(1, 2))) == [("KOP-7.13", 1, 0, 1), ("KOP-7.13", 2, 3, 1)]


def test_a_lone_declarer_is_paid_by_each_or_pays_each():
    assert lines(outcome_of("zolo")) == [("KOP-7.15", seat, 1, 5) for seat in (0, 2, 3)]
    assert lines(outcome_of("zolo", (44, 60))) == [("KOP-7.15", 1, seat, 5) for seat in (0, 2, 3)]


def test_a_summary_names_contract_sides_and_winner():
    summary = summarise(outcome_of("wesele", declarers=(3, 1)))
    assert (summary.contract, summary.declarer, summary.partner, summary.won) == ("wesele", None, None, True)
    assert summary.played_by == (1, 3)
    assert summarise(outcome_of("zolo", (44, 60))).played_by == (1,)
    assert summarise(outcome_of("zolo", (44, 60))).won is False


class TestResultsWithoutPlay:
    def test_a_result_of_two_declarers_does_not_show_who_bid(self):
        table = Table().start(0)
        table.result(contract="wesele", declarers=[2, 0], card_points=[60, 44], tricks=[2, 2])
        view = table.machine().view()
        assert (view.declarer, view.partner, view.declarers) == (None, None, (0, 2))

    def test_a_stopped_result_needs_a_lost_trick(self):
        raw = {"contract": "zolo_du", "declarers": [1], "card_points": [27, 17], "tricks": [1, 1], "stopped": True}
        assert GAME.check_outcome(raw, KopOptions(), 4, 0).winning_side == "defenders"
        with pytest.raises(MalformedError, match="stopped"):
            GAME.check_outcome(raw | {"tricks": [1, 0], "card_points": [27, 0]}, KopOptions(), 4, 0)

    def test_a_baska_has_neither_tricks_nor_doublings(self):
        raw = {"contract": "baska", "declarers": [1]}
        assert BASKA.check_outcome(raw, BaskaOptions(), 4, 0).declarer_wins
        for changes in ({"doublings": 1}, {"tricks": [1, 0]}, {"card_points": [9, 0]}):
            with pytest.raises(MalformedError):
                BASKA.check_outcome(raw | changes, BaskaOptions(), 4, 0)


test_results = cases_of("kop/results.txt", Table)
