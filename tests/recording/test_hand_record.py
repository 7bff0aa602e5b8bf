"""Hand records may leave out, abbreviate and vary; the events that come of it; their page in docs/reference is true.

Words are read in any width and language, and in short forms.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.events import BidMade, CardsDealt, DealStarted, SessionOpened, TableOpened, encode_event
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, word
from ledger.i18n.normalisation import spelt
from ledger.recording.grammar import Arrow, Names, Speaker, Word, tokenize
from ledger.recording.hand.page import Page
from ledger.recording.hand.record import HandRecord, is_hand_record, read_hand_record
from ledger.recording.vocabulary import spelt_word
from ledger.table.audit import deal_findings
from ledger.table.fold import TableFold
from tests.hand_records import RECORDS, fold_of, some_records
from tools.hand_records import PAGE

DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("readings.toml").read_text(encoding="utf-8"))
HEADS: dict[str, str] = DATA["heads"]


def read(text: str, head: str = "table") -> HandRecord:
    return read_hand_record(f"{HEADS.get(head, '')}{text}\n", "evening.toml")


@pytest.mark.parametrize("row", DATA["reading"], ids=[row["name"] for row in DATA["reading"]])
def test_a_hand_record_is_read_as_these_events(row: dict[str, Any]) -> None:
    for typed in [row["typed"]] if isinstance(row["typed"], str) else row["typed"]:
        events = [encode_event(event).decode() for _, event, _ in read(typed, row.get("head", "none")).events]
        types = row.get("of") or {event.split('"')[3] for event in row["events"]}
        assert [event for event in events if event.split('"')[3] in types] == row["events"], typed


def test_a_table_alone_is_a_record() -> None:
    opened = TableOpened(game="ombre", players=("Belinda", "the Baron", "Sir Plume"))
    assert read("").events == [("table/evening", opened, None)]


def test_a_session_with_title_and_date_is_opened_on_its_own_stream() -> None:
    record = read('[session]\nslug = "spring"\ntitle = "Spring evening"\ndate = 2026-03-20\nclub = "Reading room"')
    opened = SessionOpened(title="Spring evening", date="2026-03-20", club="Reading room")
    assert record.events[0] == ("session/spring", opened, None)
    assert record.table.opened.session == "spring"


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    text = HEADS["auction"]
    assert read_hand_record("\ufeff" + text.replace("\n", "\r\n"), "a.toml").events == read("", "auction").events


def test_a_hand_record_is_distinguished_from_lines_of_json() -> None:
    assert [path for path in RECORDS if not is_hand_record(path.read_text(encoding="utf-8"))] == []


def test_what_is_no_toml_is_no_hand_record() -> None:
    others = ["", "\n", '{"stream": "table/a"}', "[1, 2]", "hello", '["deal"]', "\ufeff{}", "#" * 60 + "\n{}"]
    assert list(filter(is_hand_record, others)) == []


def test_the_beginning_of_toml_is_recognised() -> None:
    plain = ["game = 1", "  # note\n\ngame=1", "[session]", "[[deal]]", '"game" = 1', "\ufeffa.b = 1", "\n# note"]
    assert [text for text in (*plain, "#" * 60 + "\n[[deal]]") if not is_hand_record(text)] == []


def test_a_moment_is_that_of_all_events_of_its_deal() -> None:
    record = read('utc_offset = "+09:00"\n[[deal]]\ndealer = "Bel"\nwhen = 2026-01-09T19:30:00\ncalls = "pass pass"')
    moments = {type(event): moment for _, event, moment in record.events}
    assert moments == {TableOpened: None} | dict.fromkeys(
        (DealStarted, CardsDealt, BidMade), "2026-01-09T10:30:00.000000Z"
    )


def test_a_moment_may_be_a_text_with_its_own_offset() -> None:
    record = read('[[deal]]\ndealer = "Bel"\nwhen = "2026-01-09 19:30:00.5-01:00"')
    assert record.events[-1][2] == "2026-01-09T20:30:00.500000Z"


@pytest.mark.parametrize("row", DATA["found"], ids=lambda row: row["name"])
def test_what_is_against_the_rules_is_recorded(row: dict[str, Any]) -> None:
    fold = fold_of(read(row["typed"], row["head"]))
    assert [[finding.code, finding.seat] for finding in deal_findings(fold, fold.deal(1))] == [row["finding"]]


@pytest.mark.parametrize("row", DATA["refused"], ids=lambda row: row["name"])
def test_what_cannot_be_read_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(MalformedError, match=row["message"]):
        read(row["typed"], row["head"])


def values_in(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    if isinstance(value, dict):
        return [values for key, item in value.items() for values in values_in(item, (*path, key))]
    if isinstance(value, list):
        return [values for place, item in enumerate(value) for values in values_in(item, (*path, place))]
    return [(path, value)]


@pytest.mark.parametrize("path", some_records(3))
def test_every_value_of_a_record_has_its_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    page, lines = Page(text, "evening.toml"), text.split("\n")
    for place, value in values_in(tomllib.loads(text)):
        line = lines[page.line_of(*place) - 1]
        first = str(value).strip().split("\n")[0]
        assert first[:20] in line or str(place[-1]) in line, (place, value, line)


def test_each_line_of_a_long_text_has_its_number() -> None:
    text = 'a = 1\nplay = """\nSA\n\nS2 # two\n"""\n'
    value = tomllib.loads(text)["play"]
    assert list(Page(text, "x").lines_of(value, "play")) == [(3, "SA"), (5, "S2 ")]


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
    tokens = tokenize("Ｂａｒｏｎ：ＤＫ、３　→ 花子＋Ｂ： ＞ ＃", Names(["花子", "the Baron", "Bob"]))
    assert tokens == [Speaker((1,)), Word("ＤＫ"), Word("３"), Arrow(), Speaker((0, 2)), Arrow(), Word("＃")]


def test_a_player_named_like_the_recorder_is_the_player() -> None:
    assert tokenize("卓：パス", Names(["花子", "卓"]))[0] == Speaker((1,))
    assert tokenize("卓：パス", Names(["花子", "太郎"]))[0] == Speaker(())
    assert tokenize("ｔａｂｌｅ：パス", Names(["花子", "太郎"]))[0] == Speaker(())


def test_a_name_with_a_dot_or_a_comma_is_read_whole() -> None:
    names = Names(["ジョン・スミス", "King, Jr."])
    assert tokenize("ジョン・スミス: SA King, Jr.: S2", names) == [Speaker((0,)), Word("SA"), Speaker((1,)), Word("S2")]


WORDS = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```", WORDS, re.MULTILINE | re.DOTALL)
EXAMPLE, *FRAGMENTS = BLOCKS
HEAD = EXAMPLE[: EXAMPLE.index("[[deal]]")].replace("closed = true\n", "")
MISTAKES = re.findall(r"^\| `(.+?)` \| `(.+?)` \| `(spring\.toml, .+)` \|$", WORDS, re.MULTILINE)


def folded(text: str) -> TableFold:
    return fold_of(read_hand_record(text, "spring.toml"))


def test_the_example_comes_to_what_its_sheet_says():
    fold = folded(EXAMPLE)
    assert [deal.status for deal in fold.deals] == ["complete"] * 3
    assert [finding for deal in fold.deals for finding in deal_findings(fold, deal)] == []
    assert fold.match.totals == [-7, 19, -12]


def test_the_fragments_are_the_irregularities_that_the_text_speaks_of():
    codes = []
    for fragment in FRAGMENTS:
        fold = folded(HEAD + fragment)
        codes.append([(finding.code, finding.seat) for finding in deal_findings(fold, fold.deals[0])])
    wrong_turns = [("OMB-11.32", 1), ("OMB-11.32", 2), ("OMB-11.33", 1)]
    assert codes == [[], [], [], wrong_turns, [("OMB-11.16", 1)], [("OMB-11.52", None)]]


def test_mistakes_are_shown():
    assert len(MISTAKES) == 6


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES, ids=[wrong for _, wrong, _ in MISTAKES])
def test_a_mistake_is_answered_as_shown(right, wrong, message):
    assert right in EXAMPLE
    with pytest.raises(MalformedError) as refused:
        read_hand_record(EXAMPLE.replace(right, wrong, 1), "spring.toml")
    assert str(refused.value) == message


def row_of(game: str, next_cell: str) -> str:
    """Return the row of a game in the table whose next cell is like this; Kop and Baśka share a row."""
    row = re.search(rf"^\| (`kop`, )?`{game}`(, `baska`)? \| {next_cell}.*$", WORDS, re.MULTILINE)
    assert row is not None
    return row[0]


@pytest.mark.parametrize("name", ["ombre", "quadrille", "couillon", "kop", "baska"])
def test_every_word_of_a_game_is_in_its_row_and_no_other(name):
    row = row_of(name, "`pass`")
    shown = [set(re.findall(r"`(\w+)`", cell)) for cell in row.split("|")[2:4]]
    game = game_named(name)
    assert shown == [game.calls, game.announcements | {"exchange"} & shown[1]]


@pytest.mark.parametrize("name", ["ombre", "quadrille", "couillon", "kop", "baska"])
def test_every_word_of_a_game_is_listed_in_japanese(name):
    game = game_named(name)
    row = row_of(name, r"[^`\w]*\w+ `")
    shown = [set(re.findall(r"([^ 、|]+(?:・\w+)?) `(\w+)`", cell)) for cell in row.split("|")[2:4]]
    assert shown == [
        {(word(game.package, said, "ja"), said) for said in words} for words in (game.calls, game.announcements)
    ]


@pytest.mark.parametrize("name", ["ombre", "quadrille", "couillon", "kop"])
def test_other_names_of_a_word_are_documented(name):
    game = game_named(name)
    documented = WORDS[WORDS.index("Other names that are read") :]
    for said in game.calls | game.announcements:
        others = set(game.ways_to_write(said)) - {said, *(word(game.package, said, lang) for lang in LANGUAGES)}
        assert {spelt(other) for other in others if spelt(other) not in spelt(documented)} <= {"yield"}, said
