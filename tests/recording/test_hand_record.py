"""Reading hand records: what somebody may leave out, abbreviate or write differently, and which events come of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.events import BidMade, CardsDealt, DealStarted, SessionOpened, TableOpened, encode_event
from ledger.recording.hand.page import Page
from ledger.recording.hand.record import HandRecord, is_hand_record, read_hand_record
from ledger.table.audit import deal_findings
from tests.hand_records import RECORDS, fold_of, some_records

DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("readings.toml").read_text(encoding="utf-8"))
HEADS: dict[str, str] = DATA["heads"]


def read(text: str, head: str = "table") -> HandRecord:
    return read_hand_record(f"{HEADS.get(head, '')}{text}\n", "evening.toml")


@pytest.mark.parametrize("row", DATA["reading"], ids=[row["name"] for row in DATA["reading"]])
def test_a_hand_record_is_read_as_these_events(row: dict[str, Any]) -> None:
    for typed in [row["typed"]] if isinstance(row["typed"], str) else row["typed"]:
        events = [encode_event(event).decode() for _, event, _ in read(typed, row.get("head", "none")).events]
        types = row.get("of") or {event.split('"')[3] for event in row["events"]}
        assert [event for event in events if event.split('"')[3] in types] == row["events"], typed


def test_a_table_alone_is_a_record() -> None:
    opened = TableOpened(game="ombre", players=("Belinda", "the Baron", "Sir Plume"))
    assert read("").events == [("table/evening", opened, None)]


def test_a_session_with_title_and_date_is_opened_on_its_own_stream() -> None:
    record = read('[session]\nslug = "spring"\ntitle = "Spring evening"\ndate = 2026-03-20\nclub = "Reading room"')
    opened = SessionOpened(title="Spring evening", date="2026-03-20", club="Reading room")
    assert record.events[0] == ("session/spring", opened, None)
    assert record.table.opened.session == "spring"


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    text = HEADS["auction"]
    assert read_hand_record("\ufeff" + text.replace("\n", "\r\n"), "a.toml").events == read("", "auction").events


def test_a_hand_record_is_told_from_lines_of_json() -> None:
    assert [path for path in RECORDS if not is_hand_record(path.read_text(encoding="utf-8"))] == []


def test_what_is_no_toml_is_no_hand_record() -> None:
    others = ["", "\n", '{"stream": "table/a"}', "[1, 2]", "hello", '["deal"]', "\ufeff{}", "#" * 60 + "\n{}"]
    assert list(filter(is_hand_record, others)) == []


def test_the_beginning_of_toml_is_recognised() -> None:
    plain = ["game = 1", "  # note\n\ngame=1", "[session]", "[[deal]]", '"game" = 1', "\ufeffa.b = 1", "\n# note"]
    assert [text for text in (*plain, "#" * 60 + "\n[[deal]]") if not is_hand_record(text)] == []


def test_a_moment_is_that_of_all_events_of_its_deal() -> None:
    record = read('utc_offset = "+09:00"\n[[deal]]\ndealer = "Bel"\nwhen = 2026-01-09T19:30:00\ncalls = "pass pass"')
    moments = {type(event): moment for _, event, moment in record.events}
    assert moments == {TableOpened: None} | dict.fromkeys(
        (DealStarted, CardsDealt, BidMade), "2026-01-09T10:30:00.000000Z"
    )


def test_a_moment_may_be_a_text_with_its_own_offset() -> None:
    record = read('[[deal]]\ndealer = "Bel"\nwhen = "2026-01-09 19:30:00.5-01:00"')
    assert record.events[-1][2] == "2026-01-09T20:30:00.500000Z"


@pytest.mark.parametrize("row", DATA["found"], ids=lambda row: row["name"])
def test_what_is_against_the_rules_is_recorded(row: dict[str, Any]) -> None:
    fold = fold_of(read(row["typed"], row["head"]))
    assert [[found.code, found.seat] for found in deal_findings(fold, fold.deal(1))] == [row["finding"]]


@pytest.mark.parametrize("row", DATA["refused"], ids=lambda row: row["name"])
def test_what_cannot_be_read_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(MalformedError, match=row["message"]):
        read(row["typed"], row["head"])


def values_in(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in values_in(item, (*path, key))]
    if isinstance(value, list):
        return [found for place, item in enumerate(value) for found in values_in(item, (*path, place))]
    return [(path, value)]


@pytest.mark.parametrize("path", some_records(3))
def test_every_value_of_a_record_is_found_in_its_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    page, lines = Page(text, "evening.toml"), text.split("\n")
    for place, value in values_in(tomllib.loads(text)):
        line = lines[page.line_of(*place) - 1]
        first = str(value).strip().split("\n")[0]
        assert first[:20] in line or str(place[-1]) in line, (place, value, line)


def test_each_line_of_a_long_text_is_found() -> None:
    text = 'a = 1\nplay = """\nSA\n\nS2 # two\n"""\n'
    value = tomllib.loads(text)["play"]
    assert list(Page(text, "x").lines_of(value, "play")) == [(3, "SA"), (5, "S2 ")]
