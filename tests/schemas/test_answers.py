"""The schemas fit every answer, hand record, event and line of the project; they are valid, named and published."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import ledger
from ledger.errors import MalformedError, NotFoundError
from ledger.events import BareLine, Event
from ledger.games import BUILT_IN, game_named
from ledger.log.memory import MemoryStore
from ledger.recording.exporting import export_lines
from ledger.recording.hand.file import HandRecordFile
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.simulate import simulate
from ledger.schemas import schema_texts
from ledger.table.audit import audit_answer
from ledger.table.repository import fold_table, fold_tables
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_steps
from tests.cli.commands import RECORDS
from tests.covering import wider_in_soak
from tests.schemas.checks import FOLDER, ID, ROOT, assert_fits, fits, plain, schema_of, validator


def simulated(game: str, players: int, **options: Any) -> MemoryStore:
    names = [f"Player {seat}" for seat in range(players)]
    store = MemoryStore()
    events = simulate(game_named(game), names, options, tables=1, deals=12, seed=players)
    lines = b"\n".join(msgspec.json.encode(BareLine(stream=stream, event=event)) for stream, event in events)
    for line in lines.splitlines():
        assert_fits("bare-line", json.loads(line))
    import_content(store, lines, "simulated", ImportAs(by="test"))
    return store


@cache
def recorded() -> MemoryStore:
    """Return one ledger with records of all games, in a soak run with every one, with rulings and corrections."""
    store = MemoryStore()
    for path in RECORDS:
        import_content(store, path.read_bytes(), path.name, ImportAs(by="test"))
    more = [
        {"type": "dispute_raised", "seat": 0, "deal": 1, "version": 25, "text": "a revoke"},
        {"type": "ruling_given", "deal": 1, "text": "two counters", "kind": "adjust", "deltas": [2, -2, 0]},
        {"type": "score_claimed", "deltas": [1, 0, -1], "pool": 5, "totals": [1, 0, -1], "sheet": {"estuches": 1}},
        {"type": "ruling_given", "deal": 1, "text": "it counts for nothing", "kind": "void", "rule": "OMB-11.37"},
        {"type": "corrected", "version": 38, "action": "insert_after", "reason": "forgotten", "events": [NOTE]},
    ]
    lines = "\n".join(json.dumps({"stream": "table/ombre-revoke", "event": event}) for event in more)
    import_content(store, lines.encode(), "more", ImportAs(by="test"))
    return store


NOTE = {"type": "noted", "text": "it was late"}
LEDGERS = {
    "recorded": recorded,
    "ombre for three": lambda: simulated("ombre", 3, match_deals=10),
    "ombre for four": lambda: simulated("ombre", 4, favourite_suit="H"),
}


@pytest.fixture(scope="module", params=LEDGERS)
def store(request: pytest.FixtureRequest) -> MemoryStore:
    return LEDGERS[request.param]()


@wider_in_soak
def test_every_line_of_an_export_is_valid(store: MemoryStore) -> None:
    for line in export_lines(store):
        assert_fits("entry", json.loads(line))
    for line in export_lines(store, bare=True):
        assert_fits("bare-line", json.loads(line))


@wider_in_soak
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


def test_a_severity_or_a_status_that_the_contract_does_not_name_is_refused() -> None:
    fold = fold_table(recorded(), "ombre-revoke")
    audit, score = plain(audit_answer("ombre-revoke", fold)), plain(score_answer("ombre-revoke", fold))
    audit["findings"][0]["severity"] = "grave"
    assert not fits("audit", audit)
    for status in ("open", "voided", "unscorable", "complete", "finished"):
        score["deals"][0]["status"] = status
        assert fits("score", score) is (status != "finished")


@wider_in_soak
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
    import_content(store, (ROOT / "replays" / "ombre" / "revoke.toml").read_bytes(), "revoke", ImportAs(by="me"))
    me = ledger.Recording(by="me")
    raised = ledger.dispute(store, table, "a diamond", deal=1, player="Belinda", step=24, recording=me)
    ruled = ledger.ruling(store, table, "adjust", "a fine", deal=1, deltas="0 5, 1 -5", dispute=39, recording=me)
    mended = ledger.correct(store, table, "replace", "D4", deal=1, step=24, reason="misread", recording=me)
    for answer in (raised, ruled, mended):
        assert_fits("addition", plain(answer.answer()))
    assert_fits("disputes", plain(ledger.disputes(store, table)))
    assert_fits("readings", plain(ledger.readings(store, table, 1)))
    assert_fits("case-sheet", plain(ledger.case_sheet(store, table, 39)))


@wider_in_soak
def test_answers_have_no_field_that_their_schema_does_not_name(store: MemoryStore) -> None:
    slug, fold = next(iter(fold_tables(store)))
    answers = {
        "score": (plain(score_answer(slug, fold)), "ScoreAnswer"),
        "audit": (plain(audit_answer(slug, fold)), "AuditAnswer"),
        "replay": (plain(replay_answer(slug, 1, list(replay_steps(fold, 1))[-1])), "ReplayAnswer"),
    }
    for name, (answer, kind) in answers.items():
        assert answer.keys() == schema_of(name)["$defs"][kind]["properties"].keys()


def plain_toml(text: str) -> Any:
    """Return the content of a TOML file as JSON values; dates become strings."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def test_every_hand_record_of_the_project_is_valid() -> None:
    for path in (ROOT / "replays").glob("*/*.toml"):
        record = plain_toml(path.read_text(encoding="utf-8"))
        assert fits("hand-record", record), path


def test_a_hand_record_with_a_word_misspelt_is_refused() -> None:
    record = {"game": "ombre", "table": "t", "players": ["Ann", "Ben", "Cleo"], "deal": [{"dealer": "Ann"}]}
    assert_fits("hand-record", record)
    assert not fits("hand-record", {**record, "tabel": "t"})
    assert not fits("hand-record", {**record, "deal": [{"deeler": "Ann"}]})
    assert HandRecordFile.__struct_config__.forbid_unknown_fields


def test_the_league_rules_of_the_guide_are_valid_and_a_word_misspelt_is_refused() -> None:
    page = (ROOT / "docs" / "how-to" / "league.md").read_text(encoding="utf-8")
    rules = plain_toml(page.partition("```toml\n")[2].partition("```")[0])
    assert_fits("league-rules", rules)
    assert not fits("league-rules", {**rules, "bests": 10})
    assert not fits("league-rules", {**rules, "points": []})
    linked = {"name": "Ann Smith", "spellings": ["kent/Ann", "dover/A. Smith"]}
    assert_fits("lake-links", {"person": [linked]})
    assert not fits("lake-links", {"person": [{**linked, "spellings": []}]})


NAMES = sorted(name.removesuffix(".json") for name in schema_texts())


def test_the_files_are_those_that_the_types_make() -> None:
    made = schema_texts()
    published = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert published == made, "run make reference"


def test_every_schema_is_valid_names_contract_and_file_and_is_what_the_api_answers() -> None:
    for name in NAMES:
        schema = schema_of(name)
        assert validator(name)
        assert (schema["$comment"], schema["$id"]) == ("contract version 1", f"urn:trickledger:contract:1:{name}")
        assert json.loads(json.dumps(ledger.schema(name))) == schema


def test_every_game_publishes_options_outcome_and_sheet() -> None:
    assert {f"{game.name}-{part}" for game in BUILT_IN for part in ("options", "outcome", "sheet")} <= set(NAMES)


def test_an_unknown_schema_is_refused_naming_those_that_there_are() -> None:
    with pytest.raises(NotFoundError, match=r"there is no schema scores; there are addition, audit, .*, verify"):
        ledger.schema("scores")


def test_the_files_go_into_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included[FOLDER.name] == "ledger/json-schemas"


def test_schemas_hold_no_python_words() -> None:
    # Descriptions are read by authors of other programs.
    for name, text in schema_texts().items():
        assert not re.search(r"\b(None|True|False|dict|tuple|Struct)\b", text), name


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
