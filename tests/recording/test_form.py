"""A form to type into: it is a hand record as it is, and once filled in."""

from __future__ import annotations

import re

import pytest
from msgspec import structs

from ledger.errors import MalformedError
from ledger.games import game_named, registered_games
from ledger.i18n import LANGUAGES, word
from ledger.recording.hand.form import empty_form
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.written import TableToWrite, written_record
from ledger.recording.simulate import own_number, simulate_table
from ledger.table.fold import TableFold
from tests.hand_records import table_events

PLAYERS = ("Ann", "Sir Plume", "Ölaf", "美咲", "Eve", "Finn", "Gus", "Hana")
GAMES = sorted(registered_games())
FORMS = [
    *((game, {}) for game in GAMES),
    *(("couillon", {"form": form}) for form in ("mit4", "six24", "six32", "eight32")),
    ("ombre", {"players": 4}),
]


def players_of(game, options):
    return PLAYERS[: own_number(game_named(game), options)]


def read(text):
    return table_events(read_hand_record(text, "form.toml"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "options"), FORMS)
def test_a_form_is_a_hand_record_of_deals_that_nobody_has_played(game, options, lang):
    text = empty_form("t", game, players_of(game, options), deals=3, options=options, session="spring", lang=lang)
    assert read(text)[1:] == []
    assert text.count("[[deal]]") == 3


@pytest.mark.parametrize(("game", "options"), FORMS)
def test_filled_in_with_a_played_deal_it_is_that_deal(game, options):
    players = players_of(game, options)
    for seed in range(8):
        played = simulate_table(game_named(game), players, options, 1, seed, "t", closed=False)
        played[2] = structs.replace(played[2], stock=played[2].stock or None, deck=None, cut_by=None)
        sheet = written_record(TableToWrite(slug="t", reading=list(enumerate(played, 1)))).text
        dealer = players[played[1].dealer]
        assert read(filled(empty_form("t", game, players, options=options, dealer=dealer), sheet)) == played


def filled(form: str, sheet: str) -> str:
    """The form with what stands under the same keys of the deal on the sheet, lines into the lines left for them."""
    deal = sheet.split("[[deal]]")[1]
    for key, value in re.findall(r'^(\w+) = ("""\n.*?"""|"[^\n]*")$', deal, re.MULTILINE | re.DOTALL):
        form = re.sub(rf'^(# )?{key} = ("""\n.*?"""|"[^\n"]*")', lambda _, pair=f"{key} = {value}": pair, form, count=1,
                      flags=re.MULTILINE | re.DOTALL)  # fmt: skip
    hands = deal.partition("[deal.hands]\n")[2]
    return form.partition("# [deal.hands]\n")[0] + "[deal.hands]\n" + hands


@pytest.mark.parametrize(("game", "options"), FORMS)
def test_there_is_an_empty_line_for_each_trick(game, options):
    players = players_of(game, options)
    left = re.search(r'^play = """\n(\n+)"""$', empty_form("t", game, players, options=options), re.MULTILINE)
    played = simulate_table(game_named(game), players, options, 12, 1, "t")
    tricks = [len(deal.machine.view().tricks) for deal in TableFold(list(enumerate(played, 1))).deals]
    assert left is not None
    assert len(left[1]) == max(tricks)


def test_names_have_quotation_marks_where_toml_wants_them():
    text = empty_form("t", "ombre", PLAYERS[:3])
    assert '# Ann = ""\n# "Sir Plume" = ""\n# "Ölaf" = ""' in text


def test_the_dealer_of_each_deal_is_the_one_who_is_due():
    text = empty_form("t", "ombre", ("Ann", "Ben", "Cleo"), deals=3, dealer="Ann")
    assert re.findall(r'dealer = "(\w+)"', text) == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("game", GAMES)
def test_its_comments_have_all_words_of_the_game_and_what_they_mean(game):
    declared, players = game_named(game), players_of(game, {})
    for lang in LANGUAGES:
        comments = "\n".join(line for line in empty_form("t", game, players, lang=lang).split("\n") if line[:1] == "#")
        for typed in declared.calls | declared.announcements:
            assert re.search(rf"\b{typed}\b", comments)
            called = word(declared.package, typed, lang)
            assert lang == "en" or called in comments


def test_what_no_table_can_have_is_refused():
    with pytest.raises(MalformedError):
        empty_form("t", "ombre", ("Ann", "ann", "Cleo"))
    with pytest.raises(MalformedError, match="no player of that name: 'Zoe'"):
        empty_form("t", "ombre", ("Ann", "Ben", "Cleo"), dealer="Zoe")
