"""Words of a hand record in the width, the language and the shortness in which people type them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.errors import MalformedError
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import word
from ledger.recording.hand.vocabulary import spelt_word
from ledger.recording.hand.words import Arrow, Names, Speaker, Word, tokens
from tests.recording.test_hand_record import DATA

GAMES = [game_named(name) for name in ("ombre", "quadrille", "couillon", "kop", "baska")]


def meant(game: Game, typed: str) -> str:
    answer = spelt_word(game, typed.split(), game.calls, game.announcements)
    assert answer is not None and answer[1] == len(typed.split())
    return answer[0]


def rows(table: str) -> Iterator[tuple[Game, str, str]]:
    for game, words in DATA["words"][table].items():
        yield from ((game_named(game), typed, said) for typed, said in words.items())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_word_is_read_in_japanese_as_the_answers_write_it(game: Game) -> None:
    for said in sorted(game.calls | game.announcements):
        japanese = word(game.package, said, "ja")
        assert japanese != said
        assert spelt_word(game, [japanese], game.calls, game.announcements) == (said, 1)


def test_a_word_may_be_spelt_otherwise() -> None:
    assert [row for row in rows("spelt_otherwise") if meant(row[0], row[1]) != row[2]] == []


def test_a_beginning_is_enough_where_one_word_begins_so_or_all_go_on_from_one() -> None:
    assert [row for row in rows("begun") if meant(row[0], row[1]) != row[2]] == []


def test_a_beginning_of_several_words_is_answered_with_them() -> None:
    for game, typed, fitting in rows("fitting_several"):
        with pytest.raises(MalformedError) as refused:
            meant(game, typed)
        assert str(refused.value) == f"a beginning that fits several words: '{typed}'; expected {fitting}"


def test_what_fits_is_listed_in_the_language_of_the_message() -> None:
    with pytest.raises(MalformedError) as refused:
        meant(game_named("kop"), "b")
    assert refused.value.message("ja") == "複数の語に当てはまる書き出しです: 'b'(正しくはバシュカかボック)"


def test_short_calls_are_not_taken_for_one_word_of_two() -> None:
    game = game_named("quadrille")
    assert spelt_word(game, ["p", "s"], game.calls, game.announcements) == ("pass", 1)
    assert spelt_word(game, ["p", "a", "s", "s"], game.calls, game.announcements) == ("pass", 1)


def test_a_number_alone_is_no_beginning_of_a_word() -> None:
    game = game_named("kop")
    assert spelt_word(game, ["5"], game.announcements, game.calls) is None


def test_a_line_in_full_width() -> None:
    found = tokens("Ｂａｒｏｎ：ＤＫ、３　→ 花子＋Ｂ： ＞ ＃", Names(["花子", "the Baron", "Bob"]))
    assert found == [Speaker((1,)), Word("ＤＫ"), Word("３"), Arrow(), Speaker((0, 2)), Arrow(), Word("＃")]


def test_a_player_of_the_name_that_stands_for_the_recorder_is_the_player() -> None:
    assert tokens("卓：パス", Names(["花子", "卓"]))[0] == Speaker((1,))
    assert tokens("卓：パス", Names(["花子", "太郎"]))[0] == Speaker(())
    assert tokens("ｔａｂｌｅ：パス", Names(["花子", "太郎"]))[0] == Speaker(())


def test_a_name_with_a_dot_or_a_comma_is_found_whole() -> None:
    names = Names(["ジョン・スミス", "King, Jr."])
    assert tokens("ジョン・スミス: SA King, Jr.: S2", names) == [Speaker((0,)), Word("SA"), Speaker((1,)), Word("S2")]
