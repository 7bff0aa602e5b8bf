"""Lines are read by what may come next; a wrong one is refused in every language with its word and the expectation."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError, MalformedError
from ledger.events import BidMade, CardPlayed, CardsDealt, TableOpened, decode_event, encode_event
from ledger.games import registered_games
from ledger.i18n import LANGUAGES
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.simulate import simulate_table
from ledger.recording.typed.choices import Acts, Nothing, RecorderCommand
from ledger.recording.typed.forms import Prompt
from ledger.recording.typed.opening import TablePresets, open_table_by_prompts
from ledger.recording.typed.reading import completions, read_next
from ledger.recording.typed.situation import ActRefused, Situation, situation_of
from ledger.text.recorder import RecorderView, notice_text
from tests.contracts.log_builders import an_id
from tests.recording.typed.scripts import recorder_at

PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
UNKNOWN = CardsDealt(hands=(None,) * 4)
PASS = BidMade(seat=0, call="pass")
ROWS = tomllib.loads(Path(__file__).with_name("readings.toml").read_text(encoding="utf-8"))
TABLES = ROWS.pop("tables")


@cache
def at(table: str) -> Situation:
    game = table.partition(",")[0]
    options = TABLES[table].get("options", {})
    opened = TableOpened(game=game, players=PLAYERS[: 3 if game == "ombre" else 4], options=options)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    for event in TABLES[table]["events"]:
        live.record([NewEntry(decode_event(event.encode()))], by="Ann")
    return situation_of(live, live.fold.players)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_is_typed_is_read_as_what_may_come_next(row: dict[str, Any]) -> None:
    for typed in row["typed"]:
        if "refused" in row:
            with pytest.raises(MalformedError) as refused:
                read_next(typed, at(row["at"]))
            assert row["refused"] in str(refused.value)
            continue
        meaning, rest = read_next(typed, at(row["at"]))
        assert rest == row.get("rest", ""), typed
        if "command" in row:
            assert meaning == RecorderCommand(*row["command"]), typed
        else:
            assert isinstance(meaning, Acts), typed
            assert encode_event(meaning.events[-1]).decode() == row["event"], typed


def test_behind_an_act_a_letter_is_as_short_as_it_is_clear() -> None:
    now = at("quadrille, calls")
    assert read_next("pa", now) == (Acts((PASS,)), "")
    assert read_next("pa", now, is_joined=True) == (Acts((PASS,)), "a")


def test_the_first_act_deals_cards_that_nobody_knows() -> None:
    assert read_next("p", at("kop, a deal begun")) == (Acts((UNKNOWN, PASS)), "")


def test_enter_plays_nothing_where_several_may_come() -> None:
    assert read_next("", at("kop, hands known")) == (Nothing(), "")


def test_as_it_was_played_may_be_said_at_once() -> None:
    assert read_next("!st", at("kop, first card"))[0] == Acts((CardPlayed(seat=1, card="ST"),), as_played=True)


def test_what_may_come_is_offered_in_full() -> None:
    assert completions(at("kop, calls of known hands")) == ["kontra", "pass", "zolo", "zolo_du"]
    assert completions(at("kop")) == list(PLAYERS)


CASES = tomllib.loads(Path(__file__).with_name("wrong_lines.toml").read_text(encoding="utf-8"))
SEATED = ("Ada", "Ben", "Cleo", "Zoë")


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
    players = SEATED[: 3 if case["game"] == "ombre" else 4]
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


SIGNS = "shdcakqjt1023456789?!#/>:;, .-+pzkrwuxyvemn♠♥_１？！スハパ\t\u3000'\""
LINES = st.text(st.sampled_from(SIGNS), max_size=14) | st.text(max_size=8)
GAMES = sorted(set(registered_games()) & {"ombre", "quadrille", "couillon", "kop", "baska"})


@cache
def table(game: str) -> list[LiveTable]:
    """Return a table of that game at each of its acts."""
    players = ("Ada", "Ben", "Cleo", "Dan")[: 3 if game == "ombre" else 4]
    opened, *events = simulate_table(registered_games()[game], players, {}, 2, 3, "t", closed=False)
    assert isinstance(opened, TableOpened)
    live, stages = LiveTable.open(MemoryStore(), "t", opened, by="Ann"), []
    for event in events[:40]:
        stages.append(live.preview([]))
        live.record([NewEntry(event)], by="Ann")
    return stages


@cache
def situation(game: str, place: int) -> Situation:
    live = table(game)[place]
    return situation_of(live, live.fold.players)


@pytest.mark.parametrize("game", GAMES)
@given(place=st.integers(0, 39), line=LINES, is_joined=st.booleans())
def test_any_line_has_a_meaning_or_is_refused_and_shortens(game: str, place: int, line: str, is_joined: bool) -> None:
    now = situation(game, min(place, len(table(game)) - 1))
    try:
        _, rest = read_next(line, now, is_joined=is_joined)
    except LedgerError as error:
        assert error.message("en") and error.message("ja")
        return
    assert len(rest) < max(len(line), 1)


@given(lines=st.lists(LINES, max_size=6))
def test_no_line_breaks_a_recorder(lines: list[str]) -> None:
    live = LiveTable.open(MemoryStore(), "t", TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan")), by="Ann")
    recorder = recorder_at(live, lambda notice: None)
    for line in lines:
        recorder.look()
        recorder.type(line)
        assert recorder.seen == live.version
