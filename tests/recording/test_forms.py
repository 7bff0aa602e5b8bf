"""Forms are hand records as they are; every recorded result can be filled in, and nothing else."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import structs

from ledger.errors import LedgerError, MalformedError
from ledger.events import DealStarted, ResultRecorded, TableOpened
from ledger.games import game_named, registered_games
from ledger.games.kernel.result_form import ResultForm, answers_of
from ledger.i18n import LANGUAGES, sentence, word
from ledger.recording.forms import result_form
from ledger.recording.hand.form import empty_form
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.record_writer import TableToWrite, write_hand_record
from ledger.recording.simulate import own_number, simulate_table
from ledger.recording.typed.forms import PromptForm, ask_result
from ledger.recording.typed.situation import situation_in
from ledger.table.fold import TableFold
from tests.hand_records import RECORDS, fold_of, record_in, some_records, table_events

OMBRE = game_named("ombre")
OPTIONS = OMBRE.make_options({}, 3)
REPLAYS = Path(__file__).parents[2] / "replays"
SELDOM_OFFERED = [
    "quadrille/03b-thrown-in", "quadrille/08-vole-asked-and-made", "quadrille/25-claim", "kop/17-four-queens",
    "ombre/04b-stopped-in-time",
]  # fmt: skip
PLAYED_OR_WRITTEN = [
    *some_records(4),
    *some_records(3, [path for path in RECORDS if "\nresult" in path.read_text()]),
    *(pytest.param(REPLAYS / f"{name}.toml", id=f"{name}, seldom asked") for name in SELDOM_OFFERED),
]


class Played(NamedTuple):
    """A deal with a result: its table, its dealer, and the known outcome."""

    opened: TableOpened
    dealer: int
    outcome: Mapping[str, Any]

    def completed(self, outcome: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the outcome with all values that follow from it."""
        opened, game = self.opened, game_named(self.opened.game)
        options = game.make_options(opened.options, len(opened.players))
        outcome_fields: Mapping[str, Any] = msgspec.to_builtins(
            game.check_outcome(dict(outcome), options, len(opened.players), self.dealer)
        )
        return outcome_fields


def played(path: Path) -> list[Played]:
    """Return the recorded results of a file, and the outcomes of its played deals."""
    fold = fold_of(record_in(path))
    deals = []
    for record in fold.deals:
        results = [event for _, event in fold.entries[record.start : record.end] if isinstance(event, ResultRecorded)]
        if results:
            one = Played(fold.opened, record.dealer, results[0].outcome)
            deals.append(one._replace(outcome=one.completed(one.outcome)))
        elif record.outcome is not None:
            deals.append(Played(fold.opened, record.dealer, msgspec.to_builtins(record.outcome)))
    return deals


def filled_in(one: Played) -> ResultForm:
    """Return the form after each of its questions was answered as in that deal."""
    opened, game = one.opened, game_named(one.opened.game)
    options = game.make_options(opened.options, len(opened.players))
    known, given = answers_of(one.outcome), {}
    while True:
        form = result_form(game, given, options, len(opened.players), one.dealer)
        answers = {question.name: known[question.name] for question in form.questions}
        if answers == given:
            return form
        given = answers


@pytest.mark.parametrize("path", PLAYED_OR_WRITTEN)
def test_whatever_a_deal_came_to_can_be_filled_in_in_all_languages(path: Path) -> None:
    for one in played(path):
        form, package = filled_in(one), game_named(one.opened.game).package
        assert form.outcome is not None, [question for question in form.questions if question.answer is None]
        assert one.completed(form.outcome) == one.outcome
        words = [label for question in form.questions for label in (question.words, question.none_words) if label]
        for lang in LANGUAGES:
            assert all(sentence(package, label, one.opened.players, lang) for label in (*words, *form.follows))


@pytest.mark.parametrize("path", PLAYED_OR_WRITTEN)
def test_the_terminal_makes_the_same_of_the_same_answers(path: Path) -> None:
    for one in played(path):
        fold = TableFold([(1, one.opened), (2, DealStarted(deal=1, dealer=one.dealer))], goes_on=True)
        known = answers_of(one.outcome)
        answers = iter([known[question.name] for question in filled_in(one).questions])
        form = PromptForm(lambda _, answers=answers: next(answers), _refuse)
        entered = ask_result(situation_in(fold, fold.players), fold, one.dealer, form)
        assert one.completed(entered.outcome) == one.outcome


def _refuse(error: LedgerError) -> None:
    raise error


def test_the_last_number_follows() -> None:
    answers = {"ombre": "0", "contract": "entrada", "trump": "S", "tricks.0": "3", "tricks.1": "2"}
    form = result_form(OMBRE, answers, OPTIONS, 3, 2)
    assert form.outcome is not None and form.outcome["tricks"] == [3, 2, 4]
    (follows,) = form.follows
    assert sentence(OMBRE.package, follows, ("Belinda", "Baron", "Clarissa")) == "Clarissa has the other 4."


def test_nothing_comes_of_a_form_with_answers_missing() -> None:
    form = result_form(OMBRE, {"ombre": "0"}, OPTIONS, 3, 2)
    assert form.outcome is None and form.follows == ()
    assert [one.name for one in form.questions if one.answer is None] == ["contract", "trump", "tricks.0", "tricks.1"]


@pytest.mark.parametrize("answer", ["7", "-1", "99999999999999", "x", "none ", "<b>", "\u0663"])
def test_what_nobody_was_offered_is_no_answer(answer: str) -> None:
    form = result_form(OMBRE, {"ombre": answer, "tricks.0": answer}, OPTIONS, 3, 2)
    answer_of = {one.name: one.answer for one in form.questions}
    assert answer_of["ombre"] is None


def test_a_game_without_a_form_has_a_question_for_each_field_of_its_outcome() -> None:
    plain = replace(OMBRE, result_form=None)
    answers = {"ombre": "0", "contract": "solo", "trump": "S", "tricks.0": "9", "tricks.1": "0", "tricks.2": "0"}
    form = result_form(plain, {**answers, "primeras": "yes"}, OPTIONS, 3, 2)
    assert form.outcome is not None
    assert OMBRE.check_outcome(dict(form.outcome), OPTIONS, 3, 2).result == "SACADA_VOLE"
    assert all(one.words is None for one in form.questions)


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
        sheet = write_hand_record(TableToWrite(slug="t", reading=list(enumerate(played, 1)))).text
        dealer = players[played[1].dealer]
        assert read(filled(empty_form("t", game, players, options=options, dealer=dealer), sheet)) == played


def filled(form: str, sheet: str) -> str:
    """Return the form filled with the keys of the deal on the sheet."""
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
