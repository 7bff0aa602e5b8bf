"""The schemas of events and lines: as the types say, and no looser than the import."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from ledger.errors import MalformedError
from ledger.events import Event
from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content
from tests.schemas.checks import ID, assert_fits, fits, schema_of


def test_every_object_of_an_event_is_closed() -> None:
    # Unknown fields are refused on import (contract 1).
    free = {"options", "outcome", "sheet"}
    for name, part in schema_of("event")["$defs"].items():
        assert part["additionalProperties"] is False, name
        for field, kind in part["properties"].items():
            is_open = json.dumps(kind).count('"type": "object"') > 0
            assert is_open <= (field in free), f"{name}.{field}"


ACE_PLAYED = {"type": "card_played", "seat": 0, "card": "SA"}

EXAMPLES: dict[str, dict[str, Any]] = {
    "session_opened": {"title": "Opening night", "date": "2026-01-05", "club": "The Matadors", "place": "Leiden"},
    "session_closed": {},
    "noted": {"text": "lights out", "seat": 1, "version": 3},
    "table_opened": {"game": "ombre", "players": ["Ann", "Ben", "Cleo"], "session": "s", "options": {"ante": 10}},
    "player_seated": {"seat": 0, "player": "Clarissa"},
    "table_closed": {"reason": "midnight"},
    "deal_started": {"deal": 1, "dealer": 2},
    "cards_dealt": {"hands": [["SA", "??"], [], None], "stock": ["H7"], "deck": ["SA", "H7"], "cut_by": 1},
    "bid_made": {"seat": 0, "call": "wesele", "card": "SJ"},
    "card_turned": {"card": "H2"},
    "trump_named": {"seat": 0, "suit": "S"},
    "partner_called": {"seat": 0, "card": None},
    "cards_exchanged": {"seat": 0, "count": 1, "discarded": ["H2"], "drawn": ["??"]},
    "announced": {"seat": None, "what": "concede", "seats": [1, 2]},
    "card_played": {"seat": 0, "card": "SA"},
    "trick_gathered": {"seat": 2},
    "result_recorded": {"outcome": {"ombre": 0, "contract": "solo", "trump": "H", "tricks": [5, 2, 2]}},
    "score_claimed": {"deltas": [10, -5, -5], "pool": 0, "totals": [10, -5, -5], "sheet": {"tricks": [5, 2, 2]}},
    "deal_voided": {"reason": "a card was missing"},
    "corrected": {"version": 3, "action": "replace", "events": [ACE_PLAYED], "reason": "misread"},
    "dispute_raised": {"seat": 1, "deal": 1, "version": 41, "text": "that was a revoke"},
    "ruling_given": {
        "deal": 1, "text": "two counters", "kind": "adjust", "rule": "OMB-6.2", "deltas": [2, -2, 0], "pool": 0,
        "dispute": 42,
    },
}  # fmt: skip
"""Every event with all its fields."""

OPTIONAL: dict[str, set[str]] = {
    "session_opened": {"club", "place"},
    "noted": {"seat", "version"},
    "table_opened": {"session", "options"},
    "table_closed": {"reason"},
    "cards_dealt": {"stock", "deck", "cut_by"},
    "bid_made": {"card"},
    "cards_exchanged": {"discarded", "drawn"},
    "announced": {"seats"},
    "score_claimed": {"deltas", "pool", "totals", "sheet"},
    "dispute_raised": {"seat", "version"},
    "ruling_given": {"rule", "pool", "dispute"},
}
"""The fields that the contract marks with `?`, but for those that another field asks for."""


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
    assert missing == OPTIONAL.get(kind, set())


def without(event: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != field}


LENIENT = [example("card_played", card=card) for card in ("sa", "ST\n")]
"""The import reads cards leniently, and writes them so that they fit the schema."""

WRONG_FIELDS: dict[str, list[dict[str, Any]]] = {
    "card_played": [{"card": "10S"}, {"card": "S1"}, *({"seat": seat} for seat in (-1, 8, "0", 0.5))],
    "card_turned": [{"card": "??"}],
    "bid_made": [{"call": "Pass"}, {"call": ""}],
    "trump_named": [{"suit": "s"}, {"suit": "spades"}],
    "deal_started": [{"deal": 0}],
    "cards_exchanged": [{"count": -1}, {"discarded": ["XX"]}],
    "table_opened": [{"session": "Opening Night"}, {"session": "a" * 65}, {"players": ["Ann", ""]}],
    "session_opened": [{"date": "5 January"}],
    "score_claimed": [{"deltas": [1.5, -1.5, 0]}, {"pool": "5"}],
    "ruling_given": [
        *({"kind": kind} for kind in ("mercy", "void", "award")),
        *({"deltas": None}, {"rule": "6.2"}, {"award": {"winner": 0}}),
    ],
    "corrected": [
        *({"action": "strike"}, {"action": "insert_after", "events": []}, {"version": 0}),
        *({"events": [{"type": "card_played", "seat": 0}]}, {"events": [example("corrected")]}),
    ],
}
WRONG = [
    *(example(kind, **changes) for kind, wrong in WRONG_FIELDS.items() for changes in wrong),
    *({"type": "card_thrown", "seat": 0}, {"seat": 0, "card": "SA"}, [], "card_played"),
]


def test_what_is_no_event_is_refused_by_the_schema() -> None:
    assert [event for event in (*WRONG, *LENIENT) if fits("event", event)] == []


@pytest.mark.parametrize("event", WRONG, ids=json.dumps)
def test_what_the_schema_of_events_refuses_the_import_refuses_too(event: Any) -> None:
    told = [example("table_opened"), example("deal_started"), example("card_played"), event]
    lines = "\n".join(json.dumps({"stream": "table/t", "event": one}) for one in told)
    with pytest.raises(MalformedError):
        import_content(MemoryStore(), lines.encode(), "file", recorded_by="test")


def test_a_correction_that_strikes_puts_nothing_in() -> None:
    assert_fits("event", without(example("corrected", action="strike"), "events"))


@pytest.mark.parametrize(
    "award", [{"winner": 1, "strength": 2, "circle": False, "draw_mark": 0}, {"winner": 0, "v": 3, "plus_one": True}]
)
def test_an_award_has_the_keys_of_bars_or_of_points(award: dict[str, Any]) -> None:
    assert_fits("event", {"type": "ruling_given", "deal": 1, "text": "so be it", "kind": "award", "award": award})


# --- lines ------------------------------------------------------------------------------------------------------------

ENTRY = {
    "position": 18,
    "stream": "table/ombre-1",
    "version": 7,
    "id": ID,
    "recorded_at": "2026-01-05T18:30:00.000000Z",
    "recorded_by": "recorder-1",
    "happened_at": "2014-03-01T06:12:00.000000Z",
    "event": {"type": "card_played", "seat": 0, "card": "SA"},
    "digest": "9f2c" * 16,
}
"""The example of the contract, its abbreviations written out."""


def test_the_entry_of_the_contract_is_valid_with_and_without_its_moment() -> None:
    assert_fits("entry", ENTRY)
    assert_fits("entry", without(ENTRY, "happened_at"))


WRONG_MEMBERS: dict[str, tuple[object, ...]] = {
    "position": (0,),
    "version": (0,),
    "stream": ("ombre-1", "table/Ombre 1", "table/t\n", "session/s"),
    "id": ("18", ID.upper()),
    "recorded_at": ("2026-01-05 18:30", "2026-01-05T18:30:00Z", "2026-01-05T18:30:00.000000+00:00"),
    "recorded_by": ("",),
    "digest": ("9f2c", "9F2C" * 16),
    "note": ("",),
}


def test_what_is_no_entry_is_refused() -> None:
    changes = [(name, value) for name, values in WRONG_MEMBERS.items() for value in values]
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
