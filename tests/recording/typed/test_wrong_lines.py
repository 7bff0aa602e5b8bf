"""Wrong lines at the terminal: each message names the typed text and the expectation, in every language."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import LedgerError
from ledger.events import TableOpened
from ledger.i18n import LANGUAGES
from ledger.log import MemoryStore
from ledger.recording.live import LiveTable
from ledger.recording.typed.forms import Prompt
from ledger.recording.typed.opening import TablePresets, open_table_by_prompts
from ledger.recording.typed.situation import ActRefused
from ledger.text.recorder import RecorderView, notice_text
from tests.contracts.log_builders import an_id
from tests.recording.typed.scripts import recorder_at

CASES = tomllib.loads(Path(__file__).with_name("wrong_lines.toml").read_text(encoding="utf-8"))
PLAYERS = ("Ada", "Ben", "Cleo", "Zoë")


def typed(lines: list[str]) -> Callable[[], str]:
    rest = iter(lines)

    def line() -> str:
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    return line


def answers_at_a_new_table(lines: list[str]) -> list[Callable[[str], str]]:
    """Return the message about each wrong answer for a new table, as functions of the language."""
    refused: list[LedgerError] = []
    line = typed(lines)

    def ask(question: Prompt) -> str:
        return line() or question.default

    with pytest.raises(EOFError):
        open_table_by_prompts(
            MemoryStore(), "t", TablePresets(), ask=ask, refuse=refused.append, today="2026-05-08", by="Ann",
            new_id=lambda: an_id(1),
        )  # fmt: skip
    return [error.message for error in refused]


def answers_at_the_table(case: dict[str, Any], lines: list[str]) -> list[Callable[[str], str]]:
    """Return the message about each refused line, as functions of the language."""
    players = PLAYERS[: 3 if case["game"] == "ombre" else 4]
    opened = TableOpened(game=case["game"], players=players, options=case.get("options", {}))
    live, notices, line = LiveTable.open(MemoryStore(), "t", opened, by="Ann"), [], typed(lines)
    recorder = recorder_at(live, notices.append, lambda question: line() or question.default)
    with pytest.raises(EOFError):
        while True:
            recorder.look()
            recorder.type(line())
    shown = {lang: RecorderView(live, lang, False, {}) for lang in LANGUAGES}
    return [
        lambda lang, one=one: "\n".join(notice_text(one, shown[lang])) for one in notices if isinstance(one, ActRefused)
    ]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_wrong_line_is_answered_with_the_word_and_what_was_expected(case: dict[str, Any]) -> None:
    lines = [*case.get("typed", ()), case["wrong"]]
    answers = answers_at_the_table(case, lines) if "game" in case else answers_at_a_new_table(lines)
    assert len(answers) == 1, [answer("en") for answer in answers]
    for lang in LANGUAGES:
        missing = [part for part in (*case["both"], *case[lang]) if part not in answers[0](lang)]
        assert not missing, answers[0](lang)
