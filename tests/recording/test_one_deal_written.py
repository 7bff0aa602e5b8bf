"""One deal of a table as a hand record: imported, it is the same deal, the first of a table of those who sat there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import ledger
from ledger.errors import NotFoundError
from ledger.events import PlayerSeated
from ledger.log.base import Batch, LogStore, NewEntry

REPLAYS = Path(__file__).parents[2] / "replays"
ME = ledger.Recording(by="me")


def imported(folder: Path, file: Path, name: str = "club") -> LogStore:
    store = ledger.create(folder / f"{name}.ledger")
    ledger.import_file(store, file, ME)
    return store


def states(store: LogStore, table: str, deal: int) -> list[dict[str, Any]]:
    told = [msgspec.to_builtins(state) for state in ledger.replay_all(store, table, deal)]
    return [{**state, "deal": 1} for state in told]


@pytest.mark.parametrize(
    "file",
    [
        "kop/match-official.toml",
        "couillon/31-match-mit4-points.toml",
        "ombre/22-end-of-the-match.toml",
        "session/opening-night-2.toml",
    ],
)
def test_each_deal_of_a_match_is_written_alone(file: str, tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / file) as store:
        (table,) = ledger.tables(store)
        for number in range(1, table.deals + 1):
            record = tmp_path / f"{number}.toml"
            record.write_text(ledger.export_hand_record(store, table.table, number).text)
            with imported(tmp_path, record, str(number)) as again:
                assert states(again, table.table, 1) == states(store, table.table, number)


def test_those_who_sat_there_then_are_its_players(tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / "ombre" / "revoke.toml") as store:
        more = (PlayerSeated(seat=1, player="Sir Plume"), {"type": "deal_started", "deal": 2, "dealer": 0})
        entries = tuple(NewEntry(msgspec.convert(event, ledger.events.Event)) for event in more)
        store.append(Batch("table/ombre-revoke", "any", entries), recorded_by="me")
        first, second = (ledger.export_hand_record(store, "ombre-revoke", deal).text for deal in (1, 2))
    assert 'players = ["Belinda", "Baron", "Clarissa"]' in first
    assert 'players = ["Belinda", "Sir Plume", "Clarissa"]' in second


def test_a_table_that_was_read_is_written_in_its_reading(tmp_path: Path) -> None:
    with imported(tmp_path, REPLAYS / "ombre" / "revoke.toml") as store:
        as_written = ledger.export_hand_record(store, "ombre-revoke", 1).text
        ledger.correct(store, "ombre-revoke", "strike", version=4, reason="he said nothing", recording=ME)
        (read,) = ledger.read_tables(store, "ombre-revoke", as_recorded=True)
        assert ledger.export_hand_record(store, read, 1).text == as_written
        assert ledger.export_hand_record(store, "ombre-revoke", 1).text != as_written


def test_a_deal_that_there_is_not_is_named(tmp_path: Path) -> None:
    with (
        imported(tmp_path, REPLAYS / "ombre" / "revoke.toml") as store,
        pytest.raises(NotFoundError, match="no deal 2"),
    ):
        ledger.export_hand_record(store, "ombre-revoke", 2)
