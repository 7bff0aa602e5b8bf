"""The published schemas: as the types say, no looser than the import, and true of every answer and every file."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

import ledger
from ledger.errors import MalformedError
from ledger.events import BareLine, Event
from ledger.games import OURS, game_named
from ledger.log.memory import MemoryStore
from ledger.recording.exporting import export_lines
from ledger.recording.hand.file import HandRecordFile
from ledger.recording.importing import import_content
from ledger.recording.simulate import simulate
from ledger.schemas import schema_texts
from ledger.table.audit import audit_answer
from ledger.table.lookup import fold_table, fold_tables
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_steps
from tools.schemas import FOLDER

ROOT = Path(__file__).parent.parent
ID = "01934f2a-5c1e-7d3b-8a4f-2b6c9d0e1f23"


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def fits(name: str, value: Any) -> bool:
    return validator(name).is_valid(value)


def assert_fits(name: str, value: Any) -> None:
    """Fails with the places at fault."""
    faults = [f"{fault.json_path}: {fault.message}" for fault in validator(name).iter_errors(value)]
    assert not faults, f"{name}: {faults[:3]}"


def plain(answer: Any) -> Any:
    """The answer as another program gets it."""
    return json.loads(msgspec.json.encode(answer))


# --- agreement with the types -----------------------------------------------------------------------------------------


def test_the_files_are_those_that_the_types_make() -> None:
    made = schema_texts()
    published = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert published == made, "run make reference"


@pytest.mark.parametrize("name", sorted(name.removesuffix(".json") for name in schema_texts()))
def test_every_schema_is_valid_itself_and_names_the_contract(name: str) -> None:
    assert validator(name).schema["$comment"] == "contract version 1"


def test_every_game_publishes_options_outcome_and_sheet() -> None:
    for game in OURS:
        names = {f"{game.name}-options.json", f"{game.name}-outcome.json", f"{game.name}-sheet.json"}
        assert names <= schema_texts().keys()


def test_every_object_of_an_event_is_closed() -> None:
    # Unknown fields are refused on import (contract 1).
    free = {"options", "outcome", "sheet"}
    for name, part in validator("event").schema["$defs"].items():
        assert part["additionalProperties"] is False, name
        for field, kind in part["properties"].items():
            is_open = json.dumps(kind).count('"type": "object"') > 0
            assert is_open <= (field in free), f"{name}.{field}"


# --- events -----------------------------------------------------------------------------------------------------------

EXAMPLES: dict[str, dict[str, Any]] = {
    "session_opened": {"title": "Opening night", "date": "2026-01-05", "club": "The Matadors", "place": "Leiden"},
    "session_closed": {},
    "noted": {"text": "lights out", "seat": 1, "version": 3},
    "table_opened": {
        "game": "ombre",
        "players": ["Belinda", "Baron", "Sir Plume"],
        "session": "opening-night",
        "options": {"ante": 10},
    },
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
    "corrected": {
        "version": 3,
        "action": "replace",
        "events": [{"type": "card_played", "seat": 0, "card": "SA"}],
        "reason": "misread",
    },
    "dispute_raised": {"seat": 1, "deal": 1, "version": 41, "text": "that was a revoke"},
    "ruling_given": {
        "deal": 1,
        "text": "two counters",
        "kind": "adjust",
        "rule": "OMB-6.2",
        "deltas": [2, -2, 0],
        "pool": 0,
        "dispute": 42,
    },
}
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
def test_an_event_with_all_its_fields_is_valid(kind: str) -> None:
    assert_fits("event", example(kind))


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_event_with_a_field_too_many_is_refused(kind: str) -> None:
    assert not fits("event", example(kind, remark="!"))


@pytest.mark.parametrize(("kind", "field"), [(kind, field) for kind, fields in EXAMPLES.items() for field in fields])
def test_exactly_the_optional_fields_may_be_missing(kind: str, field: str) -> None:
    event = example(kind)
    del event[field]
    assert fits("event", event) == (field in OPTIONAL.get(kind, set()))


WRONG = [
    example("card_played", card="10S"),
    example("card_played", card="S1"),
    example("card_played", card="ST\n"),
    example("card_played", card="sa"),
    example("card_played", seat=-1),
    example("card_played", seat=8),
    example("card_played", seat="0"),
    example("card_played", seat=0.5),
    example("card_turned", card="??"),
    example("bid_made", call="Pass"),
    example("bid_made", call=""),
    example("trump_named", suit="s"),
    example("trump_named", suit="spades"),
    example("deal_started", deal=0),
    example("cards_exchanged", count=-1),
    example("cards_exchanged", discarded=["XX"]),
    example("table_opened", session="Opening Night"),
    example("table_opened", session="a" * 65),
    example("table_opened", players=["Ann", ""]),
    example("session_opened", date="5 January"),
    example("score_claimed", deltas=[1.5, -1.5, 0]),
    example("score_claimed", pool="5"),
    example("ruling_given", kind="mercy"),
    example("ruling_given", deltas=None),
    example("ruling_given", kind="void"),
    example("ruling_given", kind="award"),
    example("ruling_given", rule="6.2"),
    example("ruling_given", award={"winner": 0}),
    example("corrected", action="strike"),
    example("corrected", action="insert_after", events=[]),
    example("corrected", events=[{"type": "card_played", "seat": 0}]),
    example("corrected", events=[example("corrected")]),
    example("corrected", version=0),
    {"type": "card_thrown", "seat": 0},
    {"seat": 0, "card": "SA"},
    [],
    "card_played",
]


@pytest.mark.parametrize("event", WRONG, ids=json.dumps)
def test_what_is_no_event_is_refused_by_the_schema(event: Any) -> None:
    assert not fits("event", event)


# The import reads cards leniently, and writes them so that they fit the schema.
LENIENT = [example("card_played", card="sa"), example("card_played", card="ST\n")]


@pytest.mark.parametrize("event", [event for event in WRONG if event not in LENIENT], ids=json.dumps)
def test_what_the_schema_of_events_refuses_the_import_refuses_too(event: Any) -> None:
    told = [
        example("table_opened"),
        example("deal_started"),
        example("card_played"),
        event,
    ]
    lines = "\n".join(json.dumps({"stream": "table/t", "event": one}) for one in told)
    with pytest.raises(MalformedError):
        import_content(MemoryStore(), lines.encode(), "file", recorded_by="test")


def test_a_correction_that_strikes_puts_nothing_in() -> None:
    struck = example("corrected", action="strike")
    del struck["events"]
    assert_fits("event", struck)


@pytest.mark.parametrize(
    "award",
    [{"winner": 1, "strength": 2, "circle": False, "draw_mark": 0}, {"winner": 0, "v": 3, "plus_one": True}],
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
    assert_fits("entry", {key: value for key, value in ENTRY.items() if key != "happened_at"})


@pytest.mark.parametrize(
    "change",
    [
        {"position": 0},
        {"version": 0},
        {"stream": "ombre-1"},
        {"stream": "table/Ombre 1"},
        {"stream": "table/t\n"},
        {"stream": "session/s"},
        {"id": "18"},
        {"id": ID.upper()},
        {"recorded_at": "2026-01-05 18:30"},
        {"recorded_at": "2026-01-05T18:30:00Z"},
        {"recorded_at": "2026-01-05T18:30:00.000000+00:00"},
        {"recorded_by": ""},
        {"digest": "9f2c"},
        {"digest": "9F2C" * 16},
        {"note": ""},
    ],
    ids=str,
)
def test_what_is_no_entry_is_refused(change: dict[str, Any]) -> None:
    assert not fits("entry", {**ENTRY, **change})


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


# --- answers ----------------------------------------------------------------------------------------------------------


def test_the_finding_of_the_contract_is_valid() -> None:
    finding = {
        "deal": 1, "version": 41, "code": "OMB-11.3", "rule": "OMB-6.2", "severity": "error", "seat": 1,
        "message": "…", "legal": ["H7", "H5"],
    }  # fmt: skip
    assert_fits("audit", {"table": "ombre-1", "findings": [finding]})
    assert not fits("audit", {"table": "ombre-1", "findings": [{**finding, "severity": "grave"}]})


def test_the_score_of_the_contract_is_valid() -> None:
    line = {"rule": "OMB-3.1", "from": 2, "to": "pool", "amount": 5, "text": "…"}
    deal = {
        "deal": 1, "dealer": 2, "status": "complete", "outcome": {}, "deltas": [10, -5, -5], "pool_before": 0,
        "pool_after": 0, "lines": [line], "rulings": [], "claimed": None,
    }  # fmt: skip
    score = {
        "table": "ombre-1", "game": "ombre", "players": ["Belinda", "Baron", "Sir Plume"], "deals": [deal],
        "closing": None, "totals": [10, -5, -5], "state": {}, "match": {"over": False, "winners": []},
    }  # fmt: skip
    assert_fits("score", score)
    for status in ("open", "voided", "unscorable"):
        assert_fits("score", {**score, "deals": [{**deal, "status": status}]})
    assert not fits("score", {**score, "deals": [{**deal, "status": "finished"}]})


def simulated(game: str, players: int, **options: Any) -> MemoryStore:
    names = [f"Player {seat}" for seat in range(players)]
    store = MemoryStore()
    events = simulate(game_named(game), names, options, tables=1, deals=12, seed=players)
    lines = b"\n".join(msgspec.json.encode(BareLine(stream=stream, event=event)) for stream, event in events)
    for line in lines.splitlines():
        assert_fits("bare-line", json.loads(line))
    import_content(store, lines, "simulated", recorded_by="test")
    return store


def recorded() -> MemoryStore:
    """Every record of the project in one ledger, with rulings and corrections."""
    store = MemoryStore()
    for path in sorted((ROOT / "replays").glob("*/*.toml")):
        import_content(store, path.read_bytes(), path.name, recorded_by="test")
    more = [
        {"type": "dispute_raised", "seat": 0, "deal": 1, "version": 25, "text": "a revoke"},
        {"type": "ruling_given", "deal": 1, "text": "two counters", "kind": "adjust", "deltas": [2, -2, 0]},
        {"type": "score_claimed", "deltas": [1, 0, -1], "pool": 5, "totals": [1, 0, -1], "sheet": {"estuches": 1}},
        {"type": "ruling_given", "deal": 1, "text": "it counts for nothing", "kind": "void", "rule": "OMB-11.37"},
        {
            "type": "corrected",
            "version": 38,
            "action": "insert_after",
            "reason": "forgotten",
            "events": [EXAMPLES_NOTE],
        },
    ]
    lines = "\n".join(json.dumps({"stream": "table/ombre-revoke", "event": event}) for event in more)
    import_content(store, lines.encode(), "more", recorded_by="test")
    return store


EXAMPLES_NOTE = {"type": "noted", "text": "it was late"}
LEDGERS = {
    "recorded": recorded,
    "ombre for three": lambda: simulated("ombre", 3, match_deals=10),
    "ombre for four": lambda: simulated("ombre", 4, favourite_suit="H"),
}


@pytest.fixture(scope="module", params=LEDGERS)
def store(request: pytest.FixtureRequest) -> MemoryStore:
    return LEDGERS[request.param]()


def test_every_line_of_an_export_is_valid(store: MemoryStore) -> None:
    for line in export_lines(store):
        assert_fits("entry", json.loads(line))
    for line in export_lines(store, bare=True):
        assert_fits("bare-line", json.loads(line))


def test_every_answer_of_score_and_audit_is_valid(store: MemoryStore) -> None:
    for slug, fold in fold_tables(store):
        for lang in ("en", "ja"):
            score = plain(score_answer(slug, fold, lang))
            assert_fits("score", score)
            assert_fits("audit", plain(audit_answer(slug, fold, lang)))
        for deal in score["deals"]:
            if deal["outcome"]:
                assert_fits(f"{fold.game.name}-outcome", deal["outcome"])
        assert_fits(f"{fold.game.name}-options", plain(fold.options))


def test_every_answer_of_replay_is_valid(store: MemoryStore) -> None:
    for slug, fold in fold_tables(store):
        for record in fold.deals[:3]:
            for step in replay_steps(fold, record.number):
                assert_fits("replay", plain(replay_answer(slug, record.number, step)))


def test_a_seats_view_is_valid_too() -> None:
    fold = fold_table(recorded(), "ombre-revoke")
    for step in replay_steps(fold, 1, seat=1):
        assert_fits("replay", plain(replay_answer("ombre-revoke", 1, step)))


def test_every_answer_of_a_quarrel_is_valid() -> None:
    store, table = MemoryStore(), "ombre-revoke"
    import_content(store, (ROOT / "replays" / "ombre" / "revoke.toml").read_bytes(), "revoke", recorded_by="me")
    me = ledger.Recording(by="me")
    raised = ledger.dispute(store, table, "a diamond", deal=1, player="Belinda", step=24, recording=me)
    ruled = ledger.ruling(store, table, "adjust", "a fine", deal=1, deltas="0 5, 1 -5", dispute=39, recording=me)
    mended = ledger.correct(store, table, "replace", "D4", deal=1, step=24, reason="misread", recording=me)
    for answer in (raised, ruled, mended):
        assert_fits("addition", plain(answer.answer()))
    assert_fits("disputes", plain(ledger.disputes(store, table)))
    assert_fits("readings", plain(ledger.readings(store, table, 1)))
    assert_fits("case-sheet", plain(ledger.case_sheet(store, table, 39)))


def test_answers_have_no_field_that_their_schema_does_not_name(store: MemoryStore) -> None:
    slug, fold = next(iter(fold_tables(store)))
    answers = {
        "score": (plain(score_answer(slug, fold)), "ScoreAnswer"),
        "audit": (plain(audit_answer(slug, fold)), "AuditAnswer"),
        "replay": (plain(replay_answer(slug, 1, list(replay_steps(fold, 1))[-1])), "ReplayAnswer"),
    }
    for name, (answer, kind) in answers.items():
        assert answer.keys() == validator(name).schema["$defs"][kind]["properties"].keys()


@pytest.mark.parametrize("path", sorted((ROOT / "replays").glob("*/*.toml")), ids=lambda path: path.stem)
def test_every_hand_record_of_the_project_is_valid(path: Path) -> None:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    assert_fits("hand-record", json.loads(json.dumps(told, default=str)))  # dates are written without quotes


def test_a_hand_record_with_a_word_misspelt_is_refused() -> None:
    told = {"game": "ombre", "table": "t", "players": ["Ann", "Ben", "Cleo"], "deal": [{"dealer": "Ann"}]}
    assert_fits("hand-record", told)
    assert not fits("hand-record", {**told, "tabel": "t"})
    assert not fits("hand-record", {**told, "deal": [{"deeler": "Ann"}]})
    assert HandRecordFile.__struct_config__.forbid_unknown_fields


def test_schemas_hold_no_python_words() -> None:
    # Descriptions go to people who write other programs.
    for name, text in schema_texts().items():
        assert not re.search(r"\b(None|True|False|dict|tuple|Struct)\b", text), name
