"""What is typed is read by what may come next: the same sign means another thing at another time."""

from __future__ import annotations

import pytest

from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    DealStarted,
    Event,
    PartnerCalled,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.typed.meaning import Acts, Command, Meaning, Nothing
from ledger.recording.typed.reading import completions, read_next
from ledger.recording.typed.situation import Situation, situation_of

PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
HANDS = CardsDealt(
    hands=(
        ("SQ", "CJ", "DT", "CA"),
        ("DQ", "HJ", "DJ", "ST"),
        ("HT", "HQ", "SJ", "DA"),
        ("HA", "CQ", "CT", "SA"),
    )
)
UNKNOWN = CardsDealt(hands=(None,) * 4)
DEALT = DealStarted(deal=1, dealer=3)
PASSES = [BidMade(seat=seat, call="pass") for seat in range(4)]


def at(
    game: str, *events: Event, options: dict[str, object] | None = None, players: tuple[str, ...] = PLAYERS
) -> Situation:
    opened = TableOpened(game=game, players=players, options=options or {})
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    for event in events:
        live.record([NewEntry(event)], by="Ann")
    return situation_of(live, live.fold.players)


def read(text: str, now: Situation) -> tuple[Meaning, str]:
    return read_next(text, now)


def act(text: str, now: Situation) -> Event:
    meaning, _ = read_next(text, now)
    assert isinstance(meaning, Acts), meaning
    return meaning.events[-1]


def ombre(*events: Event, options: dict[str, object] | None = None) -> Situation:
    dealt = CardsDealt(hands=(None,) * 3)
    return at("ombre", DealStarted(deal=1, dealer=2), dealt, *events, options=options, players=PLAYERS[:3])


# --- cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["dt", "DT", "d10", "td", "10d", "♦10", "♢t", "ｄ１０", "♦️10", "t", "10", "d"])
def test_a_card_of_a_known_hand_is_typed_as_short_as_it_is_clear(text: str) -> None:
    assert act(text, at("kop", DEALT, HANDS, *PASSES)) == CardPlayed(seat=0, card="DT")


def test_a_rank_that_several_cards_have_asks_for_the_suit() -> None:
    with pytest.raises(MalformedError, match=r"a beginning that fits several words: 'a'; expected ca, da, ha or sa"):
        act("a", at("kop", DEALT, UNKNOWN, *PASSES))


def test_cards_without_blanks_are_one_after_the_other() -> None:
    now = at("kop", DEALT, UNKNOWN, *PASSES)
    meaning, rest = read("dtdqhtha", now)
    assert (meaning, rest) == (Acts((CardPlayed(seat=0, card="DT"),)), "dqhtha")


def test_ranks_without_blanks_are_no_card_written_backwards() -> None:
    now = at("kop", DEALT, HANDS, *PASSES)
    assert read("qdq", now) == (Acts((CardPlayed(seat=0, card="SQ"),)), "dq")


def test_a_card_that_may_not_be_played_is_read_nevertheless() -> None:
    now = at("kop", DEALT, HANDS, *PASSES, CardPlayed(seat=0, card="DT"))
    assert act("st", now) == CardPlayed(seat=1, card="ST")


@pytest.mark.parametrize("text", ["?", "??", "？", "？？"])
def test_a_card_that_nobody_saw(text: str) -> None:
    assert act(text, at("kop", DEALT, UNKNOWN, *PASSES)) == CardPlayed(seat=0, card="??")


def test_who_plays_may_be_said() -> None:
    now = at("kop", DEALT, UNKNOWN, *PASSES)
    assert act("cleo: sa", now) == CardPlayed(seat=2, card="SA")


# --- calls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["p", "pa", "pass", "P", "パス", "ｐ"])
def test_a_call_by_as_many_letters_as_are_clear_and_in_any_language(text: str) -> None:
    assert act(text, at("kop", DEALT, UNKNOWN)) == BidMade(seat=0, call="pass")


@pytest.mark.parametrize(
    ("text", "call"), [("z", "zolo"), ("zd", "zolo_du"), ("zolo_du", "zolo_du"), ("zolod", "zolo_du")]
)
def test_of_two_calls_that_begin_alike_the_shorter_one_is_meant(text: str, call: str) -> None:
    assert act(text, at("kop", DEALT, UNKNOWN)) == BidMade(seat=0, call=call)


def test_calls_without_blanks_are_one_after_the_other() -> None:
    assert read("pppp", at("kop", DEALT, UNKNOWN)) == (Acts((PASSES[0],)), "ppp")


def test_behind_an_act_a_letter_is_as_short_as_it_is_clear() -> None:
    now = at("quadrille", DEALT, UNKNOWN)
    assert read_next("pa", now) == (Acts((PASSES[0],)), "")
    assert read_next("pa", now, is_joined=True) == (Acts((PASSES[0],)), "a")


def test_a_letter_that_several_words_begin_with_asks_for_one_more() -> None:
    now = at("couillon", DEALT, UNKNOWN, options={"form": "mit4"})
    with pytest.raises(MalformedError, match="a beginning that fits several words: 'd'; expected defer or d"):
        act("d", now)
    assert act("de", now) == BidMade(seat=0, call="defer")
    assert act("di", now) == TrumpNamed(seat=0, suit="D")


def test_a_call_names_its_card_behind_it() -> None:
    now = at("kop", DEALT, UNKNOWN, options={"announce_wesele_jack": True})
    assert read("w hj p", now) == (Acts((BidMade(seat=0, call="wesele", card="HJ"),)), " p")


def test_what_somebody_else_may_say_is_said_by_whom_that_can_be() -> None:
    now = at("couillon", DEALT, UNKNOWN, TrumpNamed(seat=0, suit="S"), options={"form": "mit4"})
    assert act("cleo: mit", now) == Announced(seat=2, what="mit")


def test_a_partner_and_none() -> None:
    calls = [BidMade(seat=0, call="alliance"), *(BidMade(seat=seat, call="pass") for seat in (1, 2, 3))]
    now = at("quadrille", DEALT, UNKNOWN, *calls, TrumpNamed(seat=0, suit="S"))
    assert act("ck", now) == PartnerCalled(seat=0, card="CK")


# --- exchanges --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "exchange"),
    [
        ("3", CardsExchanged(seat=0, count=3)),
        ("-", CardsExchanged(seat=0, count=0, discarded=())),
        ("d7d6 h3", CardsExchanged(seat=0, count=3, discarded=("D7", "D6", "H3"))),
        ("d7 > ca", CardsExchanged(seat=0, count=1, discarded=("D7",), drawn=("CA",))),
        ("2 > ca ??", CardsExchanged(seat=0, count=2, drawn=("CA", "??"))),
    ],
)
def test_an_exchange_by_its_number_or_its_cards(text: str, exchange: CardsExchanged) -> None:
    bids = [BidMade(seat=0, call="entrada"), *(BidMade(seat=seat, call="pass") for seat in (1, 2))]
    assert act(text, ombre(*bids, TrumpNamed(seat=0, suit="S"))) == exchange


def test_as_many_are_drawn_as_put_aside() -> None:
    bids = [BidMade(seat=0, call="entrada"), *(BidMade(seat=seat, call="pass") for seat in (1, 2))]
    with pytest.raises(MalformedError, match="not as many cards drawn as put aside: 'ca c2'; expected 1 after >"):
        act("d7 > ca c2", ombre(*bids, TrumpNamed(seat=0, suit="S")))


# --- Enter ------------------------------------------------------------------------------------------------------------


def test_enter_begins_the_next_deal_then_deals_unknown_cards() -> None:
    assert read("", at("kop")) == (Acts((DEALT,)), "")
    assert read("", at("kop", DEALT)) == (Acts((UNKNOWN,)), "")


def test_the_first_act_deals_cards_that_nobody_knows() -> None:
    assert read("p", at("kop", DEALT)) == (Acts((UNKNOWN, PASSES[0])), "")


def test_enter_plays_the_only_card_and_nothing_where_several_may_come() -> None:
    played = [CardPlayed(seat=0, card="DT"), CardPlayed(seat=1, card="DQ"), CardPlayed(seat=2, card="HT")]
    assert act("", at("kop", DEALT, HANDS, *PASSES, *played)) == CardPlayed(seat=3, card="HA")
    assert read("", at("kop", DEALT, HANDS, *PASSES)) == (Nothing(), "")


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("u", Command("undo")),
        ("y", Command("redo")),
        ("q", Command("leave")),
        ("/", Command("help")),
        ("help", Command("help")),
        ("!", Command("as_played")),
        ("# Ben's glass", Command("note", "Ben's glass")),
        ("＃ 落とした", Command("note", "落とした")),
        ("s 1 -1", Command("sheet", "1 -1")),
        ("x ben", Command("dealer", "ben")),
        ("w ben: Eve", Command("seat", "ben: Eve")),
        ("ben", Acts((DealStarted(deal=1, dealer=1),))),
    ],
)
def test_between_deals_a_letter_is_a_command(text: str, meaning: Meaning) -> None:
    assert read(text, at("kop"))[0] == meaning


def test_a_letter_that_may_come_is_no_command_unless_a_slash_says_so() -> None:
    now = ombre()
    assert act("so", now) == BidMade(seat=0, call="solo")
    assert read("s", now)[0] == Acts((BidMade(seat=0, call="solo"),))
    assert read("/s", now)[0] == Command("sheet")


def test_a_letter_of_many_cards_is_the_command() -> None:
    now = at("kop", DEALT, UNKNOWN, *PASSES)
    assert read("d it was a heart", now)[0] == Command("dispute", "it was a heart")
    assert read("u u", now) == (Command("undo"), " u")


def test_hands_are_told_apart_from_hearts() -> None:
    now = at("couillon", DEALT, options={"form": "mit4"})
    assert read("h Ada: sa sk", now)[0] == Command("hands", "Ada: sa sk")
    assert act("h", now) == TrumpNamed(seat=0, suit="H")


def test_as_it_was_played_may_be_said_at_once() -> None:
    now = at("kop", DEALT, HANDS, *PASSES, CardPlayed(seat=0, card="DT"))
    assert read("!st", now)[0] == Acts((CardPlayed(seat=1, card="ST"),), as_played=True)


def test_who_took_the_trick_in() -> None:
    assert act("> ben", at("kop", DEALT, UNKNOWN, *PASSES)) == TrickGathered(seat=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wurst", "nothing that may come next, and no command: 'wurst'"),
        ("/k", "no command: 'k'"),
        ("eve: p", "nothing that may come next, and no command: 'eve:'"),
        ("d2", "a card that Kop does not have: 'd2'"),
    ],
)
def test_what_means_nothing_is_named(text: str, said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        read(text, at("kop", DEALT, UNKNOWN))


def test_what_may_come_is_offered_in_full() -> None:
    assert completions(at("kop", DEALT, HANDS)) == ["kontra", "pass", "zolo", "zolo_du"]
    assert completions(at("kop")) == list(PLAYERS)
