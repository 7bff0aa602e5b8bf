"""A table without a session is one evening: its day is that of its opening, in the current time zone."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from ledger import api
from ledger.errors import MalformedError
from ledger.history import catch_up, compare, open_shared_history
from ledger.log import LogStore, MemoryStore, SqliteStore
from ledger.log.bulk import Cut
from tests.cli.commands import CommandLine
from tests.history.helpers import record, select, table_events
from tests.history.season import rows

DAYS = (("Asia/Tokyo", "2026-01-01"), ("America/New_York", "2025-12-31"))
ALL_DAYS = "SELECT played_on::VARCHAR FROM tables UNION SELECT played_on FROM deals UNION SELECT played_on FROM points"


def new_year(store: LogStore) -> LogStore:
    """Return a table that was opened before midnight, UTC, and played on until the morning."""
    events = table_events()
    record(store, "table/t", *events[:40], happened_at="2025-12-31T23:50:00.000000Z")
    record(store, "table/t", *events[40:], happened_at="2026-01-01T06:00:00.000000Z")
    return store


def test_all_of_a_table_has_the_day_in_the_zone_on_which_it_was_opened(history: Path) -> None:
    store = new_year(MemoryStore())
    for zone, day in DAYS:
        is_new = not history.exists()
        assert catch_up(store, history, zone=zone).is_rebuilt == is_new
        assert select(history, ALL_DAYS) == [(day,)]
        assert select(history, "SELECT zone FROM meta") == [(zone,)]
        assert compare(store, history).difference is None


def test_a_service_keeps_the_days_of_its_zone_while_tables_go_on(history: Path) -> None:
    store = new_year(MemoryStore())
    with closing(open_shared_history(store, history, Cut(store.head()), zone="Asia/Tokyo")) as shared:
        record(store, "table/u", *table_events("u"), happened_at="2025-12-31T23:55:00.000000Z")
        assert shared.catch_up(store, Cut(store.head()))
        with shared.snapshot(10) as snapshot:
            assert {str(row["played_on"]) for row in rows(snapshot, "placings")} == {"2026-01-01"}


def test_the_zone_is_that_of_the_option_or_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        new_year(store)
    cli = CommandLine(tmp_path)

    def seasons(*options: str) -> set[str]:
        answer = json.loads(cli.ok("stats", "season-standings", "--format", "json", *options))
        return {row["season"] for row in answer["rows"]}

    assert seasons() == {"2025"}
    assert seasons("--tz", "Asia/Tokyo") == {"2026"}
    monkeypatch.setenv("TRICKLEDGER_TZ", "Asia/Tokyo")
    assert seasons() == {"2026"}
    assert seasons("--tz", "UTC") == {"2025"}
    with pytest.raises(MalformedError) as refused, api.open_history(tmp_path / "club.ledger", tz="Tokio"):
        pass
    assert (refused.value.field or refused.value.what, refused.value.text) == ("tz", "Tokio")
