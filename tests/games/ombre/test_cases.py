"""Cases of Ombre's rulebook; each test reads a text file that states its subject."""

from itertools import product
from pathlib import Path

import pytest
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import Announced, CardPlayed, Noted
from ledger.games.ombre import make_options
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.pack import active_seats, defended_result, is_decided, neighbours, played_result
from ledger.games.ombre.scoring import payment_lines
from tests.builders import cards
from tests.games.masked import without_hands
from tests.games.ombre.tables import HANDS, STOCK, Record, auctioned, bidding, exchanging, in_play, with_winners
from tests.games.scripted import cases_of
from tests.web.lists import lines_in


def deal_of(hands, stock=STOCK, players=3, dealer=2):
    return Record(players).start(dealer).dealt(hands, stock)


def test_the_table_has_three_or_four_players_and_the_fourth_one_deals_and_sits_out():
    assert [active_seats(3, dealer=1), active_seats(4, dealer=1)] == [(2, 0, 1), (2, 3, 0)]
    assert neighbours(active_seats(4, dealer=2), 1) == (3, 0)  # example 18 e
    assert neighbours(active_seats(3, dealer=2), 2) == (0, 1)
    for players in (2, 5):
        with pytest.raises(MalformedError, match="3 or 4 names"):
            make_options({}, players)


def dealt(**options):
    return Record(**options).start(2).dealt(HANDS, STOCK)


def passed_out():
    return dealt().passed_out()


ANY = "any"


def may_play(trump: str, led: str, hand: str) -> str:
    """Return the cards that a seat may play with these cards and no others of those suits, or `any`."""
    suits = "".join({led[0], trump, "S" if led == "SA" else "", "C" if led == "CA" else ""})
    record = in_play(trump, {0: led, 1: hand}, avoid={1: suits}).played(0, led)
    legal = set(record.legal["card_played"])
    held = set(record.state().hands[1])
    if legal == held:
        return ANY
    assert legal <= set(cards(hand)), "a card that was only added to fill the hand"
    return " ".join(card for card in cards(hand) if card in legal)


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("duties.txt")))
def test_example_19_and_the_duties(line):
    lead, hand, allowed, *_ = line.split(" | ")
    assert may_play(*lead.split(), hand) == allowed


def test_basto_alone_is_exempt_when_a_small_trump_is_led():
    assert may_play("H", "H3", "CA SK") == ANY


PASSED_HANDS = {0: "S2 SK SQ CK HK HQ D7 D6 H3", 1: "SJ S7 DK DQ DJ C7 C3 H2 HA", 2: "SA CJ C4 H7 H5 D5 D4 D2 C2"}
PASSED_STOCK = "CA D3 C6 S5 S4 S6 S3 C5 H6 H4 CQ HJ DA"


def all_passed(hands=PASSED_HANDS, stock=PASSED_STOCK):
    record = Record(all_pass="spadille_forced").start(dealer=2).dealt(hands, stock)
    return record.calls("0 pass", "1 pass", "2 pass")


def with_spadille_in_the_stock():
    return all_passed({**PASSED_HANDS, 2: PASSED_HANDS[2].replace("SA", "CA")}, PASSED_STOCK.replace("CA", "SA"))


def test_a_remark_is_not_the_last_event_of_a_deal():
    record = with_winners("0001")
    last = record.version
    assert record.add(Noted(text="the lamp went out")).start().finding()[1] == last


def test_void_events_change_nothing_whatever_they_are():
    record = surrendered()
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


CARD = "HA"  # the fourth trick's, of seat 0


def surrendered(winners="000", **options):
    return with_winners(winners, **options).said(0, "surrender")


def played_on(before, after, defender=1):
    """Return the deal of `with_winners(before + after)` with a defended surrender after the first tricks."""
    record = with_winners(before + after)
    place = len(record.entries) - 3 * len(after)
    rest = [event for _, event in record.entries[place:]]
    del record.entries[place:]
    record.said(0, "surrender")
    if defender == 2:
        record.said(1, "decline_defence")
    assert all(isinstance(event, CardPlayed) for event in rest)
    return record.said(defender, "defend").add(*rest)


def five_tricks_of_seat_1():
    record = playing().trick(0, "H6 HK H2")
    for trick in ["SA C2 S3", "S2 C3 S4", "CA C4 S5", "SK C5 S6"]:
        record.trick(1, trick)
    return record


def left_after(tricks):
    """Return a deal with so many unrecorded tricks, won by seat 0 except the last, whose winner is unknown."""
    record = playing()
    for _ in range(tricks - 1):
        record.trick(0, "?? ?? ??").gathered(0)
    return record.trick(0, "?? ?? ??").start()


def playing(hands=None, call="solo", trump="S", **options):
    """Seat 0 plays a Solo in spades; seats 1 and 2 have exchanged nothing."""
    record = Record(**options).start(2).dealt(hands or {}).won_by(0, call)
    if call == "vuelta":
        record.turned("S7").exchanged(0, 0)
    else:
        record.trump(0, trump)
    return record.exchanged(1, 0).exchanged(2, 0)


def without_cards(winners, **options):
    """Return the record of `with_winners` with unknown hands."""
    record = with_winners(winners, **options)
    record.entries = without_hands(record.entries)
    return record


def defended_by(defender, winners, **options):
    """Return an Entrada with unknown hands that was surrendered before the first trick, defended, and then thrown in by
    seat 0.
    """
    record = without_cards(winners, **options)
    first = next(place for place, (_, event) in enumerate(record.entries) if isinstance(event, CardPlayed))
    said = [Announced(seat=0, what="surrender")]
    said += [Announced(seat=1, what="decline_defence")] if defender == 2 else []
    said += [Announced(seat=defender, what="defend")]
    events = [event for _, event in record.entries]
    record.entries = list(enumerate([*events[:first], *said, *events[first:]], start=1))
    return record.said(0, "throw_in")


OPTIONS = {field.encode_name for field in structs.fields(OmbreOptions)}

# A Vuelta, won 5-2-2: the pool of 5 and 2 from each; seat 2 dealt.
RIGHT = {"deltas": [9, -2, -7], "pool": 0, "totals": [9, -2, -7]}


def won(**options):
    return with_winners("000101220", call="vuelta", **options)


def stopped(**options):
    return with_winners("00000", **options).said(0, "stop")


def known(**facts):
    """Return a deal known only by its result: an Entrada in hearts won 5-2-2, changed by `facts`, which may include
    options.
    """
    options = {name: facts.pop(name) for name in facts.keys() & OPTIONS}
    outcome = {"ombre": 0, "contract": "entrada", "trump": "H", "tricks": [5, 2, 2], **facts}
    return Record(**options).start(2).result(**outcome)


def test_the_computed_amounts_are_carried_on():
    record = won().claimed(deltas=[100, -50, -50], pool=0)
    assert record.score().totals == [9, -2, -7]
    assert record.deal().claimed.deltas == (100, -50, -50)


def without_last_trick():
    """Return a record with its sheet but without the last three cards, the card played before them, and these cards."""
    record = won()
    played = [entry for entry in record.entries if isinstance(entry[1], CardPlayed)]
    record.entries = [entry for entry in record.entries if entry not in played[-3:]]
    return record.claimed(**RIGHT), played[-4], [card for _, card in played[-3:]]


def test_a_correction_that_puts_the_last_cards_before_the_sheet_leaves_no_warning():
    record, (version, card), lacking = without_last_trick()
    assert record.finding() == ("11.43", record.version, None, None)
    corrected = record.corrected(version, "replace", card, *lacking)
    assert (corrected.codes(), corrected.deal().deltas) == ([], [9, -2, -7])


def test_a_correction_that_takes_a_card_away_before_the_sheet_brings_the_warning():
    record = won().claimed(**RIGHT)
    sheet = record.version
    last = max(version for version, event in record.entries if isinstance(event, CardPlayed))
    assert record.corrected(last, "strike").finding() == ("11.43", sheet, None, None)


def test_decided_means_that_every_sharing_pays_the_same():
    """Compare with brute force over the payments, for every state of an undefended deal."""
    options = OmbreOptions()

    def payments(tricks, primeras):
        result = played_result(*tricks, primeras)
        outcome = OmbreOutcome(
            result=result, ombre=0, contract="entrada", trump="S", tricks=tricks, estuches=3, primeras=primeras
        )
        return result, tuple((one.source, one.target, one.amount) for one in payment_lines(outcome, options, 3, 2, 5))

    for ombre, first, second in product(range(10), repeat=3):
        played = ombre + first + second
        if not 0 < played < 9:
            continue
        for primeras in {ombre == played >= 5, ombre >= 5}:
            left = 9 - played
            shares = [(a, b, left - a - b) for a in range(left + 1) for b in range(left + 1 - a)]
            ends = set()
            for a, b, c in shares:
                # An Ombre who wins all tricks wins the first five.
                gets_five = primeras or (ombre == played and played + a >= 5)
                ways = {gets_five, primeras} if ombre == played < 5 else {gets_five}
                for way in ways:
                    if way or (ombre + a, b + c) != (9, 0):
                        ends.add(payments((ombre + a, first + b, second + c), way))
            decided = is_decided(ombre, first, second, primeras=primeras, defender=None)
            assert decided == (len(ends) == 1), (ombre, first, second, primeras)


def test_a_defended_deal_is_decided_when_its_result_is():
    for ombre, defender, third in product(range(10), repeat=3):
        played = ombre + defender + third
        if not 0 < played < 9:
            continue
        left = 9 - played
        results = {
            defended_result(defender + b, ombre + a, third + left - a - b)
            for a in range(left + 1)
            for b in range(left + 1 - a)
        }
        assert is_decided(ombre, defender, third, primeras=False, defender=1) == (len(results) == 1)


test_auction = cases_of("ombre/auction.txt", Record, bidding)
test_auction_faults = cases_of("ombre/auction_faults.txt", Record, bidding)
test_dealing = cases_of("ombre/dealing.txt", Record, deal_of)
test_exchange = cases_of("ombre/exchange.txt", Record, exchanging)
test_findings_in_words = cases_of(
    "ombre/findings_in_words.txt", Record, auctioned, dealt, exchanging, passed_out, with_winners
)
test_first_five = cases_of("ombre/first_five.txt", with_winners)
test_following = cases_of("ombre/following.txt", in_play)
test_forced_spadille = cases_of("ombre/forced_spadille.txt", Record, all_passed, with_spadille_in_the_stock)
test_match = cases_of("ombre/match.txt", Record, with_winners)
test_precedence = cases_of("ombre/precedence.txt", Record, surrendered, in_play)
test_surrender = cases_of("ombre/surrender.txt", Record, played_on, surrendered, with_winners)
test_trump = cases_of("ombre/trump.txt", Record, auctioned)
test_unknown_cards = cases_of(
    "ombre/unknown_cards.txt", Record, five_tricks_of_seat_1, left_after, playing, with_winners
)
test_unknown_hands = cases_of("ombre/unknown_hands.txt", Record, defended_by, playing, with_winners, without_cards)
test_score_sheet = cases_of("ombre/score_sheet.txt", Record, known, stopped, with_winners, won)
test_throwing_in = cases_of("ombre/throwing_in.txt", Record, with_winners)
