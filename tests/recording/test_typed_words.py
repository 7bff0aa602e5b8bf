"""Words of a hand record in the width, the language and the shortness in which people type them."""

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
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    TableOpened,
)
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import word
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.vocabulary import spelt_word
from ledger.recording.hand.words import Arrow, Names, Speaker, Word, tokens

OMBRE = """
game = "ombre"
table = "evening"
players = ["Belinda", "the Baron", "Sir Plume"]
[[deal]]
dealer = "Sir Plume"
"""
KOP = """
game = "kop"
table = "evening"
players = ["花子", "太郎", "山田 次郎", "Zoë"]
[[deal]]
dealer = "Zoë"
"""
GAMES = [game_named(name) for name in ("ombre", "quadrille", "couillon", "kop", "baska")]
WORDS = [(game, said) for game in GAMES for said in sorted(game.calls | game.announcements)]


def told(text: str, *kinds: type) -> list:
    return [event for _, event, _ in read_hand_record(text, "evening.toml").events if isinstance(event, kinds)]


def meant(game: str, typed: str) -> str:
    found = game_named(game)
    answer = spelt_word(found, typed.split(), found.calls, found.announcements)
    assert answer is not None and answer[1] == len(typed.split())
    return answer[0]


# --- words of the games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "said"), WORDS, ids=[f"{game.name}-{said}" for game, said in WORDS])
def test_every_word_is_read_in_japanese_as_the_answers_write_it(game: Game, said: str) -> None:
    japanese = word(game.package, said, "ja")
    assert japanese != said
    assert spelt_word(game, [japanese], game.calls, game.announcements) == (said, 1)


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("ombre", "エントラーダ", "entrada"),
        ("ombre", "ｴﾝﾄﾗﾀﾞ", "entrada"),
        ("ombre", "えんとらだ", "entrada"),
        ("ombre", "ＥＮＴＲＡＤＡ", "entrada"),
        ("ombre", "交換を譲る", "yield_exchange"),
        ("quadrille", "ぱす", "pass"),
        ("couillon", "Mit'", "mit"),
        ("couillon", "Mit’", "mit"),
        ("kop", "słup", "slup"),
        ("kop", "baśka", "baska"),
        ("kop", "グラン・ドゥ", "grand_du"),
        ("kop", "グランドゥ", "grand_du"),
        ("kop", "グラン ドゥ", "grand_du"),
        ("kop", "ベゼレ", "wesele"),
        ("kop", "レコントラ", "re"),
        ("kop", "rekontra", "re"),
        ("baska", "hirsz", "slup"),
        ("kop", "Ｄ５", "d5"),
        ("kop", "close－auction", "close_auction"),
    ],
)
def test_a_word_may_be_spelt_otherwise(game: str, typed: str, said: str) -> None:
    assert meant(game, typed) == said


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("ombre", "e", "entrada"),
        ("ombre", "ent", "entrada"),
        ("ombre", "エ", "entrada"),
        ("ombre", "s", "solo"),
        ("ombre", "e f", "entrada_favour"),
        ("ombre", "ent fav", "entrada_favour"),
        ("ombre", "solo-fav", "solo_favour"),
        ("quadrille", "rev", "reveal_partner"),
        ("kop", "z", "zolo"),
        ("kop", "z du", "zolo_du"),
        ("kop", "gran", "grand"),
        ("kop", "グ", "grand"),
    ],
)
def test_a_beginning_is_enough_where_one_word_begins_so_or_all_go_on_from_one(game: str, typed: str, said: str) -> None:
    assert meant(game, typed) == said


@pytest.mark.parametrize(
    ("game", "typed", "fitting"),
    [
        ("ombre", "得意", "entrada_favour or solo_favour"),
        ("ombre", "防御", "decline_defence or defend"),
        ("quadrille", "claim o", "claim_ombre or claim_opponents"),
        ("kop", "b", "baska or bok"),
        ("kop", "d", "d5, d6, d7 or d8"),
    ],
)
def test_a_beginning_of_several_words_is_answered_with_them(game: str, typed: str, fitting: str) -> None:
    with pytest.raises(MalformedError) as refused:
        meant(game, typed)
    assert str(refused.value) == f"a beginning that fits several words: '{typed}'; expected {fitting}"


def test_what_fits_is_listed_in_the_language_of_the_message() -> None:
    with pytest.raises(MalformedError) as refused:
        meant("kop", "b")
    assert refused.value.message("ja") == "複数の語に当てはまる書き出しです: 'b'(正しくはバシュカかボック)"


def test_short_calls_are_not_taken_for_one_word_of_two() -> None:
    game = game_named("quadrille")
    assert spelt_word(game, ["p", "s"], game.calls, game.announcements) == ("pass", 1)
    assert spelt_word(game, ["p", "a", "s", "s"], game.calls, game.announcements) == ("pass", 1)


def test_a_number_alone_is_no_beginning_of_a_word() -> None:
    game = game_named("kop")
    assert spelt_word(game, ["5"], game.announcements, game.calls) is None


@pytest.mark.parametrize(
    "calls",
    ["p ent p", "P E P", "パス エントラダ パス", "ぱす、えんとらだ、ぱす。", "ｐａｓｓ，ｅ；ｐ", "パス／エ／パス"],
)
def test_an_auction(calls: str) -> None:
    assert [event.call for event in told(OMBRE + f'calls = "{calls}"\n', BidMade)] == ["pass", "entrada", "pass"]


# --- lines ------------------------------------------------------------------------------------------------------------


def test_a_line_in_full_width() -> None:
    found = tokens("Ｂａｒｏｎ：ＤＫ、３　→ 花子＋Ｂ： ＞ ＃", Names(["花子", "the Baron", "Bob"]))
    assert found == [
        Speaker((1,)),
        Word("ＤＫ"),
        Word("３"),
        Arrow(),
        Speaker((0, 2)),
        Arrow(),
        Word("＃"),
    ]


@pytest.mark.parametrize(
    "line", ["ＳＫ　ＳＡ　？？", "SK・SA・？？", "♤K、スペードのA、？？", "ｓｋ ＳＡ ??＃ unreadable"]
)
def test_cards_of_a_trick(line: str) -> None:
    text = f'{OMBRE}calls = "e p p"\ntrump = "スペード"\nexchange = "３　３　４"\nplay = "{line}"\n'
    assert [event.card for event in told(text, CardPlayed)] == ["SK", "SA", "??"]
    assert [event.count for event in told(text, CardsExchanged)] == [3, 3, 4]


def test_who_took_the_trick_and_who_speaks() -> None:
    play = "ＳＡ　？？　？？ ＞ Ｂａｒｏｎ／Ｂｅｌ：降伏"
    text = f'{OMBRE}calls = "e p p"\ntrump = "♤"\nexchange = "なし　－　０"\nplay = "{play}"\n'
    assert told(text, Announced) == [Announced(seat=0, what="surrender")]
    assert [event.count for event in told(text, CardsExchanged)] == [0, 0, 0]


@pytest.mark.parametrize("sign", ["-", "－", "–", "ー", "休み", "　"])
def test_a_player_who_sits_out(sign: str) -> None:
    dealt = told(f'{OMBRE}hands = {{ Belinda = "ＳＡ　Ｓ２", Sir = "{sign}" }}\n', CardsDealt)
    assert dealt == [CardsDealt(hands=(("SA", "S2"), None, ()))]


@pytest.mark.parametrize("word", ["none", "ｎｏｎｅ", "なし", "－"])
def test_no_card_is_called(word: str) -> None:
    head = OMBRE.replace("ombre", "quadrille").replace('Plume"]', 'Plume", "Ann"]')
    text = f'{head}calls = "p alliance p p"\ntrump = "S"\ncalled = "{word}"\n'
    assert [event.card for event in told(text, PartnerCalled)] == [None]


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["山田 次郎", "山田\u3000次郎", "山田・次郎", "次郎", "山田"])
def test_a_japanese_name_and_the_blank_in_it(name: str) -> None:
    assert told(KOP.replace('"Zoë"\n', f'"{name}"\n'), DealStarted)[0].dealer == 2


def test_a_player_of_the_name_that_stands_for_the_recorder_is_the_player() -> None:
    assert tokens("卓：パス", Names(["花子", "卓"]))[0] == Speaker((1,))
    assert tokens("卓：パス", Names(["花子", "太郎"]))[0] == Speaker(())
    assert tokens("ｔａｂｌｅ：パス", Names(["花子", "太郎"]))[0] == Speaker(())


def test_a_name_with_a_dot_or_a_comma_is_found_whole() -> None:
    names = Names(["ジョン・スミス", "King, Jr."])
    assert tokens("ジョン・スミス: SA King, Jr.: S2", names) == [Speaker((0,)), Word("SA"), Speaker((1,)), Word("S2")]


def test_what_was_typed_is_shown_as_it_was_typed() -> None:
    with pytest.raises(MalformedError, match="neither a card nor a word of Ombre: 'ＳＸ'"):
        told(f'{OMBRE}calls = "e p p"\ntrump = "S"\nexchange = "3 3 4"\nplay = "ＳＸ"\n')


# --- words of the file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("オンブル", "ombre"),
        ("Ｏｍｂｒｅ", "ombre"),
        ("カドリーユ", "quadrille"),
        ("コップ", "kop"),
        ("バシュカ", "baska"),
        ("くよん", "couillon"),
    ],
)
def test_a_game_is_named_in_any_language(typed: str, name: str) -> None:
    players = '["A", "B", "C"]' if name == "ombre" else '["A", "B", "C", "D"]'
    (opened,) = told(f'game = "{typed}"\ntable = "ｅｖｅｎｉｎｇ－１"\nplayers = {players}\n', TableOpened)
    assert opened.game == name


def test_names_of_players_are_kept_in_the_usual_width_and_remarks_as_they_are() -> None:
    head = 'game = "ombre"\ntable = "t"\nplayers = ["Ｂｅｌ", "山田　花子", "ﾊﾅｺ\t"]\ncomment = "ＯＫ　！"\n'
    assert told(head, TableOpened)[0].players == ("Bel", "山田 花子", "ハナコ")
    assert told(head, Noted) == [Noted(text="ＯＫ　！")]
    seated = told(head + '[[deal]]\ndealer = "Zoë"\nseated = { Bel = "Ｚｏë" }\n', PlayerSeated)
    assert seated == [PlayerSeated(seat=0, player="Zoë")]


def test_a_result_is_told_in_words() -> None:
    result = '{ ombre = "Ｂｅｌ", contract = "エントラーダ", trump = "♡", tricks = { Bel = 5, 	"the Baron" = 4 } }'
    (recorded,) = told(f"{OMBRE}result = {result}\n", ResultRecorded)
    assert recorded.outcome == {"ombre": 0, "contract": "entrada", "trump": "H", "tricks": [5, 4, 0]}
