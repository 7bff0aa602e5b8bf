"""An anonymous export keeps every statistic and no name."""

import json
import shutil
from collections.abc import Iterator
from datetime import date, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from ledger.history import catch_up, default_history_path, open_history
from ledger.log import MemoryStore, SqliteStore
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.table.audit import audit_answer
from ledger.table.repository import fold_tables
from ledger.table.score import score_answer
from tests.cli.commands import FIRST_DEAL, OPENED, ROOT, lines, result
from tests.recording.refused import not_japanese, refusal

TEXTS = ("title", "club", "place", "text", "reason", "player", "players", "session")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def personal(lines: list[dict[str, Any]]) -> set[str]:
    """Return all personal texts of the record: names, titles, free texts, slugs."""
    names = {line["stream"].partition("/")[2] for line in lines} | {line["recorded_by"] for line in lines}
    events = [line["event"] for line in lines]
    events += [inner for event in events for inner in event.get("events", ())]
    for event in events:
        for field in TEXTS:
            names.update(strings(event.get(field)))
    return names


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a ledger with every event of the contract, and an evening of three tables."""
    path = tmp_path_factory.mktemp("club") / "club.ledger"
    shutil.copy(ROOT / "tests" / "fixtures" / "contract-1.ledger", path)
    with SqliteStore(path) as store:
        for record in sorted((ROOT / "replays" / "session").glob("*.toml")):
            import_content(store, record.read_bytes(), record.name, ImportAs(by="Hanneke the scribe"))
    return path


@pytest.fixture(scope="module")
def whole(ledger: Path) -> list[dict[str, Any]]:
    with SqliteStore(ledger) as store:
        return [json.loads(line) for line in export_lines(store)]


@pytest.fixture(scope="module")
def exported(ledger: Path) -> bytes:
    with SqliteStore(ledger) as store:
        return b"".join(line + b"\n" for line in export_lines(store, anonymous=True))


@pytest.fixture(scope="module")
def copy(exported: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a ledger made of the anonymous export."""
    path = tmp_path_factory.mktemp("copy") / "copy.ledger"
    with SqliteStore.create(path) as store:
        import_content(store, exported, "anonymous", ImportAs(by="a researcher"))
    return path


def test_no_name_and_no_text_of_the_record_is_left(whole: list[dict[str, Any]], exported: bytes) -> None:
    secrets = personal(whole)
    assert {"Hanneke", "花子", "Lesezirkel", "by candle light", "evening-1", "director", "midnight"} <= secrets
    lines = [json.loads(line) for line in exported.splitlines()]
    assert not secrets & {text for line in lines for text in strings(line)}
    for secret in ("Hanneke", "Beatriz", "花子", "candle", "Lesezirkel", "opening-night", "scribe"):
        assert secret.encode() not in exported


def test_lines_are_bare_and_carry_neither_id_nor_digest(exported: bytes) -> None:
    fields = frozenset(("stream", "event", "happened_at"))
    assert {frozenset(json.loads(line)) for line in exported.splitlines()} == {fields}


def test_one_person_has_one_number_at_all_tables(whole: list[dict[str, Any]], exported: bytes) -> None:
    pairs = {
        pair
        for before, after in zip(whole, map(json.loads, exported.splitlines()), strict=True)
        if before["event"]["type"] == "table_opened"
        for pair in zip(before["event"]["players"], after["event"]["players"], strict=True)
    }
    assert len(pairs) == len({before for before, _ in pairs}) == len({after for _, after in pairs})
    assert all(after.startswith("Player ") for _, after in pairs)


def test_every_score_and_every_finding_stays(ledger: Path, copy: Path) -> None:
    with SqliteStore(ledger) as store, SqliteStore(copy) as other:
        for (slug, fold), (number, masked) in zip(fold_tables(store), fold_tables(other), strict=True):
            before, after = score_answer(slug, fold), score_answer(number, masked)
            for mine, theirs in zip(before.deals, after.deals, strict=True):
                assert (mine.outcome, mine.deltas, mine.lines) == (theirs.outcome, theirs.deltas, theirs.lines)
                assert len(mine.rulings) == len(theirs.rulings)
            assert (before.totals, before.state, before.match) == (after.totals, after.state, after.match)
            findings, again = audit_answer(slug, fold).findings, audit_answer(number, masked).findings
            place = attrgetter("code", "version", "seat")
            assert list(map(place, findings)) == list(map(place, again))


def rows(ledger: Path, name: str) -> list[tuple[Any, ...]]:
    """Return the rows of a statistic without its column of players."""
    with SqliteStore(ledger) as store:
        path = default_history_path(ledger)
        catch_up(store, path)
    with open_history(path) as history:
        answer = history.statistic(name).answer
    columns = [place for place, column in enumerate(answer.columns) if "player" not in column]
    return sorted(tuple(row[place] for place in columns) for row in answer.rows)


@pytest.mark.parametrize("name", ["standings", "contracts"])
def test_every_statistic_stays(ledger: Path, copy: Path, name: str) -> None:
    assert rows(ledger, name) == rows(copy, name) != []


def test_moments_keep_distance_hour_and_day_of_the_week(whole: list[dict[str, Any]], exported: bytes) -> None:
    before = [datetime.fromisoformat(line.get("happened_at") or line["recorded_at"]) for line in whole]
    after = [datetime.fromisoformat(json.loads(line)["happened_at"]) for line in exported.splitlines()]
    assert len({early - late for early, late in zip(before, after, strict=True)}) == 1
    assert (before[0] - after[0]).days % 7 == 0
    assert date(2000, 1, 3) <= min(after).date() < date(2000, 1, 10)


def test_the_days_of_sessions_move_along(whole: list[dict[str, Any]], exported: bytes) -> None:
    after = [json.loads(line)["event"] for line in exported.splitlines()]
    moved = {
        date.fromisoformat(line["event"]["date"]) - date.fromisoformat(event["date"])
        for line, event in zip(whole, after, strict=True)
        if event["type"] == "session_opened"
    }
    assert len(moved) == 1


def masked(*events: dict[str, Any]) -> list[dict[str, Any]]:
    store = MemoryStore()
    store.link_player("Ben", "Cleo")  # who sit together
    store.link_player("Anne", "Ann")
    import_content(store, lines(*events), "file", ImportAs(by="test"))
    return [json.loads(line)["event"] for line in export_lines(store, anonymous=True)]


@pytest.mark.parametrize(("sheet", "expected"), [
    ({"outcome": "SACADA", "estuches": 2}, {"outcome": "SACADA", "estuches": 2}),
    ({"outcome": "Ann paid late"}, {"outcome": "–"}),
    ({"outcome": "ANN"}, {"outcome": "–"}),
    ({"bonuses": ["VOLE"]}, {"bonuses": ["VOLE"]}),  # the game's own word, though a player is called so
])  # fmt: skip
def test_a_score_sheet_keeps_numbers_and_codes(sheet: dict[str, Any], expected: dict[str, Any]) -> None:
    opened = {**OPENED, "players": ["Ann Vole", "Ben", "Cleo"]}
    claimed = {"type": "score_claimed", "deltas": [5, 0, -5], "sheet": sheet}
    assert masked(opened, FIRST_DEAL, result(5, 2, 2), claimed)[-1] == {**claimed, "sheet": expected}


def test_a_name_within_a_correction_has_its_number() -> None:
    anne = {**OPENED, "players": ["Anne", "Zoe", "Cleo"]}
    corrected = {"type": "corrected", "version": 1, "action": "replace", "reason": "Ann is Anne", "events": [anne]}
    event = masked(OPENED, corrected)[1]
    assert event["reason"] == "–"
    assert event["events"][0]["players"] == ["Player 1", "Player 4", "Player 3"]


def test_a_record_of_ten_thousand_years_is_refused_in_both_languages() -> None:
    store = MemoryStore()
    for number, moment in enumerate(("0001-01-01T00:00:00.000000Z", "9999-12-31T00:00:00.000000Z")):
        line = {"stream": f"table/t{number}", "event": OPENED, "happened_at": moment}
        import_content(store, json.dumps(line).encode(), "file", ImportAs(by="test"))
    refused = refusal(lambda: list(export_lines(store, anonymous=True)))
    assert "the times of the record are too far apart" in str(refused)
    assert not_japanese(refused) == []
