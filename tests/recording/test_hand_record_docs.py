"""`docs/reference/hand-records.md` is true: its examples can be read, its messages are those of the reader."""

import re

import pytest

from ledger.errors import MalformedError
from ledger.games import game_named
from ledger.i18n import LANGUAGES, word
from ledger.i18n.normalisation import spelt
from ledger.recording.hand.record import read_hand_record
from ledger.table.audit import deal_findings
from ledger.table.fold import TableFold
from tests.hand_records import fold_of
from tools.hand_records import PAGE, with_types

WORDS = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```", WORDS, re.MULTILINE | re.DOTALL)
EXAMPLE, *FRAGMENTS = BLOCKS
HEAD = EXAMPLE[: EXAMPLE.index("[[deal]]")].replace("closed = true\n", "")
MISTAKES = re.findall(r"^\| `(.+?)` \| `(.+?)` \| `(spring\.toml, .+)` \|$", WORDS, re.MULTILINE)


def folded(text: str) -> TableFold:
    return fold_of(read_hand_record(text, "spring.toml"))


def test_the_example_comes_to_what_its_sheet_says():
    fold = folded(EXAMPLE)
    assert [deal.status for deal in fold.deals] == ["complete"] * 4
    assert [finding for deal in fold.deals for finding in deal_findings(fold, deal)] == []
    assert fold.match.totals == [-27, 39, -12]


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


def test_the_types_of_all_keys_and_fields_are_those_of_the_program():
    assert with_types(WORDS) == WORDS


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
