"""The schemas of events and lines describe the types and accept nothing that the import rejects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from ledger.errors import MalformedError
from ledger.events import Event
from ledger.log.memory import MemoryStore
from ledger.recording.importing import ImportAs, import_content
from tests.schemas.checks import ID, assert_fits, fits, schema_of


def test_every_object_of_an_event_is_closed() -> None:
    # Unknown fields are rejected on import (contract 1).
    free = {"options", "outcome", "sheet"}
    for name, part in schema_of("event")["$defs"].items():
        assert part["additionalProperties"] is False, name
        for field, kind in part["properties"].items():
            is_open = json.dumps(kind).count('"type": "object"') > 0
            assert is_open <= (field in free), f"{name}.{field}"


DATA = json.loads(Path(__file__).with_name("events.json").read_text(encoding="utf-8"))
EXAMPLES: dict[str, dict[str, Any]] = DATA["examples"]
"""Every event with all its fields."""
OPTIONAL: dict[str, list[str]] = DATA["optional"]
"""The fields that the contract marks with `?`, except those that another field requires."""
ENTRY: dict[str, Any] = DATA["entry"]
"""The contract's example, with its abbreviations written out."""


def example(kind: str, /, **changes: Any) -> dict[str, Any]:
    return {"type": kind, **EXAMPLES[kind], **changes}


def tags() -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in get_args(Event)}


def test_every_type_of_event_has_an_example() -> None:
    assert EXAMPLES.keys() == tags()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_event_has_all_its_fields_or_all_but_the_optional_ones_and_no_other(kind: str) -> None:
    assert_fits("event", example(kind))
    assert not fits("event", example(kind, remark="!"))
    missing = {field for field in EXAMPLES[kind] if fits("event", without(example(kind), field))}
    assert missing == set(OPTIONAL.get(kind, ()))


def without(event: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != field}


LENIENT = [example("card_played", card=card) for card in ("sa", "ST\n")]
"""Events whose cards the import accepts and rewrites so that they fit the schema."""

WRONG = [
    *(example(kind, **changes) for kind, wrong in DATA["wrong"].items() for changes in wrong),
    *({"type": "card_thrown", "seat": 0}, {"seat": 0, "card": "SA"}, [], "card_played"),
]


def test_invalid_events_do_not_fit_the_schema() -> None:
    assert [event for event in (*WRONG, *LENIENT) if fits("event", event)] == []


@pytest.mark.parametrize("event", WRONG, ids=json.dumps)
def test_the_import_rejects_every_event_that_the_schema_rejects(event: Any) -> None:
    events = [example("table_opened"), example("deal_started"), example("card_played"), event]
    lines = "\n".join(json.dumps({"stream": "table/t", "event": one}) for one in events)
    with pytest.raises(MalformedError):
        import_content(MemoryStore(), lines.encode(), "file", ImportAs(by="test"))


def test_a_correction_that_strikes_puts_nothing_in() -> None:
    assert_fits("event", without(example("corrected", action="strike"), "events"))


@pytest.mark.parametrize(
    "award", [{"winner": 1, "strength": 2, "circle": False, "draw_mark": 0}, {"winner": 0, "v": 3, "plus_one": True}]
)
def test_an_award_has_the_keys_of_bars_or_of_points(award: dict[str, Any]) -> None:
    assert_fits("event", {"type": "ruling_given", "deal": 1, "text": "so be it", "kind": "award", "award": award})


def test_the_entry_of_the_contract_is_valid_with_and_without_its_moment() -> None:
    assert_fits("entry", ENTRY)
    assert_fits("entry", without(ENTRY, "happened_at"))


def test_invalid_entries_do_not_fit_the_schema() -> None:
    changes = [(name, value) for name, values in DATA["wrong_members"].items() for value in values]
    assert [(name, value) for name, value in changes if fits("entry", {**ENTRY, name: value})] == []


def test_a_bare_line_is_a_stream_and_an_event_the_rest_is_optional() -> None:
    line = {"stream": "table/t", "event": ENTRY["event"]}
    assert_fits("bare-line", line)
    assert_fits("bare-line", {**line, "id": ID, "happened_at": ENTRY["happened_at"]})
    assert not fits("bare-line", {**line, "position": 1})
    assert not fits("bare-line", {**line, "id": "1"})


def test_each_kind_of_stream_holds_its_own_events() -> None:
    for kind in EXAMPLES:
        at_session = fits("bare-line", {"stream": "session/s", "event": example(kind)})
        at_table = fits("bare-line", {"stream": "table/t", "event": example(kind)})
        assert at_session == (kind in {"session_opened", "session_closed", "noted", "corrected"})
        assert at_table == (kind not in {"session_opened", "session_closed"})
