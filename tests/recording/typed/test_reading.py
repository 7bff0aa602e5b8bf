"""Lines are read by what may come next: the same sign has another meaning at another time."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.events import BidMade, CardPlayed, CardsDealt, TableOpened, decode_event, encode_event
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.typed.choices import Acts, Nothing, RecorderCommand
from ledger.recording.typed.reading import completions, read_next
from ledger.recording.typed.situation import Situation, situation_of

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
