"""docs/reference/games.md has every option and form of the registry, and its examples are accepted."""

import re
import shlex

import pytest

from ledger.cli import main
from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, catalogue
from ledger.recording.forms import table_forms
from ledger.recording.hand.record import read_hand_record
from tools.games import PAGE, option_names

TEXT = PAGE.read_text(encoding="utf-8")


def block(language: str) -> str:
    match = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_each_option_and_form_has_a_meaning_and_nothing_else_has(game: Game) -> None:
    forms = [f"form_{form.form}" for form in table_forms(game) if form.form]
    for lang in LANGUAGES:
        meanings = {key.removeprefix("meaning.") for key in catalogue(game.package, lang) if key.startswith("meaning.")}
        assert meanings == {*option_names(game), *forms}


def test_the_examples_are_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    main.main(shlex.split(block("sh"))[1:], standalone_mode=False)
    made = capsys.readouterr().out
    assert block("toml") in made.replace("\n\n", "\n")
    assert read_hand_record(made, "friday-1.toml").stream == "table/friday-1"
