"""Import and export of files of events."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from ledger.errors import AgainstRulesError, ConflictError, MalformedError
from ledger.events import CardPlayed
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.log.memory import MemoryStore
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, ImportOptions, import_content
from ledger.table.repository import fold_table

OPENED = '{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}'
STARTED = '{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2}}'
OUT_OF_TURN = '{"stream":"table/t","event":{"type":"bid_made","seat":1,"call":"pass"}}'
PLAYED = '{"stream":"table/t","event":{"type":"card_played","seat":0,"card":"%s"}}'
ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
AGAIN = tomllib.loads(Path(__file__).with_name("again.toml").read_text(encoding="utf-8").replace("ZOE", "Zoe\u0308"))
WITH_ID = f'{{"stream":"table/t","event":{{"type":"noted","text":"%s"}},"id":"{ID}"}}'


def put(store: LogStore, *lines: str, strict: bool = False):
    return import_content(
        store, "\n".join(lines).encode(), "file", ImportAs(by="test", options=ImportOptions(strict=strict))
    )


def everything(store: LogStore) -> list[str]:
    return [line.decode() for line in export_lines(store)]


def test_bare_lines_get_versions_positions_and_digests(store: MemoryStore) -> None:
    report = put(store, OPENED, STARTED)
    assert (report.tables, report.deals, report.events, report.findings) == (1, 1, 2, 0)
    assert [(row.position, row.version, len(row.digest)) for row in store.read()] == [(1, 1, 32), (2, 2, 32)]


def test_positions_follow_the_file_also_where_it_goes_from_table_to_table(store: MemoryStore) -> None:
    other = OPENED.replace("table/t", "table/u")
    put(store, OPENED, other, STARTED, STARTED.replace("table/t", "table/u"))
    streams = [row.stream for row in store.read()]
    assert streams == ["table/t", "table/u", "table/t", "table/u"]


def test_names_are_stored_as_nfc(store: MemoryStore) -> None:
    put(store, OPENED.replace("Ann", "Zoe\u0308"))
    assert fold_table(store, "t").players[0] == "Zo\u00eb"


def test_a_name_may_be_of_any_letters_and_signs() -> None:
    for name in ("7", "?", "♠", "愛子", "\U0001fae8", "O'Neil"):
        assert put(MemoryStore(), OPENED.replace("Ann", name)).tables == 1, name


def test_cards_may_be_written_as_people_write_them(store: MemoryStore) -> None:
    spellings = ["s7", "7♠", "♠7", "S7", "7S"]
    put(store, OPENED, STARTED, *(PLAYED % card for card in spellings))
    assert [event.card for row in store.read() if isinstance(event := row.event(), CardPlayed)] == ["S7"] * 5
    for card in ("s10", "10♠", "♠T", "ST", "TS", "st"):
        with pytest.raises(MalformedError, match="card is not in the pack: 'ST'; expected a card of Ombre"):
            put(store, PLAYED % card)


def test_strict_refuses_it_with_rule_and_place_and_stores_nothing(store: MemoryStore) -> None:
    place = "file, line 3, 'pass', table/t, version 3"
    said = f"{place}: Bob called pass, but it was Ann's turn (OMB-11.15, against OMB-4.8)"
    with pytest.raises(AgainstRulesError, match=re.escape(said)):
        put(store, OPENED, STARTED, OUT_OF_TURN, strict=True)
    assert store.head().position == 0


def test_strict_judges_only_the_new_entries(store: MemoryStore) -> None:
    put(store, OPENED, STARTED, OUT_OF_TURN)
    put(store, OUT_OF_TURN.replace('"seat":1', '"seat":0'), strict=True)
    assert store.head().position == 4


def identified(line: str) -> str:
    return f'{line[:-1]},"id":"{ID}"}}'


@pytest.mark.parametrize("kind", AGAIN)
@pytest.mark.parametrize("in_ledger", [False, True], ids=["new", "in the ledger already"])
def test_a_line_that_a_file_holds_twice_is_recorded_once(store: MemoryStore, kind: str, in_ledger: bool) -> None:
    line, table = identified(AGAIN[kind]), "table/u" if kind == "table_opened" else "table/t"
    put(store, *(before.replace("table/t", table) for before in (OPENED, STARTED)), *[line] * in_ledger)
    report = put(store, line, line.replace("Zoe\u0308", "Zo\u00eb"))
    assert (report.events, report.already_recorded) == ((0, 2) if in_ledger else (1, 1))
    assert store.head().position == 3
    assert not any("Zoe\u0308" in row for row in everything(store))


@pytest.mark.parametrize(("line", "other"), [
    (OPENED, OPENED.replace("Ann", "Eve")),
    (OPENED, OPENED.replace("table/t", "table/u")),
    (OPENED, OPENED[:-1] + ',"happened_at":"2014-03-01T06:12:00.000000Z"}'),
    (AGAIN["session_opened"], AGAIN["session_opened"].replace('"S"', '"T"')),
    (OPENED, STARTED),
], ids=["another name", "another table", "another moment", "another session", "another event"])  # fmt: skip
def test_an_id_that_a_file_gives_to_two_events_is_a_conflict(store: MemoryStore, line: str, other: str) -> None:
    with pytest.raises(ConflictError) as refused:
        put(store, identified(line), identified(other))
    assert str(refused.value) == f"file, line 2: the id {ID} is already used for another entry (file, line 1)"
    assert store.head().position == 0


def test_an_export_that_holds_lines_twice_records_them_once(store: MemoryStore) -> None:
    put(store, OPENED, STARTED)
    other = MemoryStore()
    lines = everything(store)
    assert put(other, *lines[:1], *lines, *lines).already_recorded == 3
    assert put(other, *lines, *lines).already_recorded == 4
    assert everything(other) == everything(store)


def test_an_export_with_two_entries_at_one_position_is_a_conflict(store: MemoryStore) -> None:
    put(store, OPENED, STARTED)
    lines = everything(store)
    other = lines[0].replace("Ann", "Eve")
    for begun in (MemoryStore(), store):
        with pytest.raises(ConflictError, match=r"^file, line 3: position 1 already has another entry$"):
            put(begun, *lines, other)


def test_an_export_that_gives_one_id_to_two_entries_is_a_conflict(store: MemoryStore) -> None:
    put(store, identified(OPENED), STARTED)
    lines = everything(store)
    second = json.loads(lines[1])["id"]
    with pytest.raises(
        ConflictError, match=rf"^file, line 2: the id {ID} is already used for another entry \(file, line 1\)$"
    ):
        put(MemoryStore(), lines[0], lines[1].replace(second, ID))


def test_an_export_continues_the_ledger_that_it_came_from(store: MemoryStore) -> None:
    put(store, OPENED)
    other = MemoryStore()
    put(other, *everything(store))
    put(store, STARTED)
    report = put(other, *everything(store))
    assert (report.events, report.already_recorded) == (1, 1)
    put(store, OUT_OF_TURN)
    later = put(other, *everything(store)[1:])
    assert (later.events, later.already_recorded) == (1, 1)
    assert everything(other) == everything(store)


def test_an_export_with_a_field_written_twice_is_refused(store: MemoryStore) -> None:
    put(store, OPENED)
    (line,) = everything(store)
    with pytest.raises(MalformedError, match=r"line 1: a field written twice: 'version'; expected each field once"):
        put(MemoryStore(), line.replace('"version":1', '"version":2,"version":1'))


def test_lines_may_be_spaced_and_ordered_otherwise_than_ours(store: MemoryStore) -> None:
    event = '{"players": ["Ann", "Bob", "Cyd"], "game": "ombre", "type": "table_opened"}'
    put(store, f'{{ "event" : {event}, "stream":"table/t"}}')
    assert store.head().position == 1


def test_an_altered_export_is_refused_by_its_digest(store: MemoryStore) -> None:
    put(store, OPENED, STARTED)
    with pytest.raises(MalformedError, match="position 1: the digest does not match"):
        put(MemoryStore(), *(line.replace("Bob", "Rob") for line in everything(store)))


def test_an_export_with_an_event_in_another_spelling_is_refused_though_its_digest_fits(store: MemoryStore) -> None:
    put(store, OPENED, STARTED)
    store.append(Batch("table/t", 2, (NewEntry(CardPlayed(seat=0, card="sa")),)), recorded_by="test")
    said = "file, line 3: the event is not in the canonical form; expected canonical cards and names"
    with pytest.raises(MalformedError, match=f"^{said}$"):
        put(MemoryStore(), *everything(store))


def test_a_bare_export_keeps_ids_and_moments_and_can_be_added_to_another_ledger(store: MemoryStore) -> None:
    put(store, OPENED[:-1] + ',"happened_at":"2014-03-01T06:12:00.000000Z"}', WITH_ID % "note")
    other = MemoryStore()
    put(other, OPENED.replace("table/t", "table/u"))
    lines = b"\n".join(export_lines(store, bare=True, tables=["t"]))
    import_content(other, lines, "bare export", ImportAs(by="x"))
    copied = [(row.id, row.happened_at, row.payload) for row in other.read_stream("table/t")]
    assert copied == [(row.id, row.happened_at, row.payload) for row in store.read_stream("table/t")]


def test_a_second_record_that_opens_an_evening_is_refused(store: MemoryStore) -> None:
    evening = Path("replays/session/opening-night-1.toml").read_bytes()
    import_content(store, evening, "evening.toml", ImportAs(by="test"))
    other = evening.replace(b'table = "opening-night-1"', b'table = "opening-night-9"')
    assert other != evening
    with pytest.raises(MalformedError) as refused:
        import_content(store, other, "evening.toml", ImportAs(by="test"))
    assert str(refused.value) == (
        "evening.toml, line 9, session/opening-night: the session is already open; this evening seems to be recorded "
        "already: 'Opening night'; expected another slug for another evening, its slug alone in a further record of "
        "this one, or `trickledger correct` to change a recorded entry"
    )


def test_a_ruling_may_name_a_dispute_about_an_earlier_deal(store: MemoryStore) -> None:
    """The contract requires only the version of a dispute: an adjustment may be shown under a later deal than its
    cause.
    """
    second = STARTED.replace('"deal":1,"dealer":2', '"deal":2,"dealer":0')
    dispute = '{"stream":"table/t","event":{"type":"dispute_raised","deal":1,"text":"a revoke"}}'
    ruling = '{"stream":"table/t","event":{"type":"ruling_given","deal":2,"text":"so","kind":"stands","dispute":4}}'
    assert put(store, OPENED, STARTED, second, dispute, ruling).events == 5
