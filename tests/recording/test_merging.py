"""Two ledgers become one; different tables are shown as forks; a ledger of all games is moved digest by digest."""

import itertools
import json
import os
from operator import attrgetter
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import ConflictError, MalformedError
from ledger.events import CardPlayed, DealStarted, Event, Noted, TableOpened
from ledger.games import registered_games
from ledger.log import MemoryStore, NewEntry, SqliteStore
from ledger.log.base import Batch, LogStore, Row
from ledger.log.verify import verify
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.merging import ForkError, merge
from ledger.table.repository import fold_tables, table_slugs
from ledger.table.score import score_answer
from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, empty_ledger, lines, result
from tests.contracts.log_builders import TickingClock, an_id
from tests.test_project import ROOT

OPENING = (TableOpened(game="ombre", players=("Ann", "Ben", "Cleo")), DealStarted(deal=1, dealer=2))


class Club:
    """A ledger of one recorder, whose ids contain its number."""

    def __init__(self, number: int) -> None:
        self.store = MemoryStore(clock=TickingClock())
        self.recorder = f"recorder-{number}"
        self._ids = itertools.count(number * 1_000 + 1)

    def record(self, table: str, *events: Event) -> "Club":
        entries = tuple(NewEntry(event, an_id(next(self._ids))) for event in events)
        self.store.append(Batch(f"table/{table}", "any", entries), recorded_by=self.recorder)
        return self

    def copied(self, number: int) -> "Club":
        """Return a copy that another recorder continues."""
        other = Club(number)
        other.store.append_envelopes(row.envelope() for row in self.store.read())
        return other


def entries_of(store: LogStore, stream: str) -> list[tuple[object, ...]]:
    """Return the parts of each entry that stay the same in another ledger."""
    fields = attrgetter("version", "id", "recorded_at", "recorded_by", "happened_at", "payload")
    return [fields(row) for row in store.read_stream(stream)]


def rows(store: LogStore) -> list[Row]:
    return list(store.read())


def test_tables_that_only_the_other_has_are_added_with_ids_times_and_recorders() -> None:
    ours, theirs = Club(1).record("a", *OPENING), Club(2).record("b", *OPENING).record("c", *OPENING)
    before = rows(ours.store)
    report = merge(ours.store, theirs.store, "theirs", ImportAs(by="test"))
    assert (report.form, report.tables, report.deals, report.events, report.already_recorded) == ("ledger", 2, 2, 4, 0)
    assert rows(ours.store)[: len(before)] == before
    for stream in ("table/b", "table/c"):
        assert entries_of(ours.store, stream) == entries_of(theirs.store, stream)
    assert verify(ours.store).damage is None
    assert {row.recorded_by for row in ours.store.read()} == {"recorder-1", "recorder-2"}


def test_both_ways_come_to_the_same_tables_and_a_second_merge_changes_nothing() -> None:
    ours = Club(1).record("a", *OPENING)
    theirs = ours.copied(2).record("a", Noted(text="later")).record("b", *OPENING)
    ours.record("c", *OPENING)
    back = theirs.copied(3)
    merge(ours.store, theirs.store, "theirs", ImportAs(by="test"))
    merge(back.store, ours.store, "ours", ImportAs(by="test"))
    for stream in ("table/a", "table/b", "table/c"):
        assert entries_of(ours.store, stream) == entries_of(back.store, stream)
    assert merge(ours.store, back.store, "back", ImportAs(by="test")).events == 0
    assert merge(back.store, ours.store, "ours", ImportAs(by="test")).events == 0


def test_a_fork_is_shown_with_both_branches_and_nothing_is_merged() -> None:
    ours = Club(1).record("a", *OPENING)
    theirs = ours.copied(2).record("a", CardPlayed(seat=0, card="SA")).record("new", *OPENING)
    ours.record("a", CardPlayed(seat=0, card="HK"))
    before = rows(ours.store)
    with pytest.raises(ForkError) as refused:
        merge(ours.store, theirs.store, "theirs.ledger", ImportAs(by="test"))
    here, there = ours.store.read_stream("table/a")[2], theirs.store.read_stream("table/a")[2]
    one, other = (f"(recorded {row.recorded_at} by {row.recorded_by}, id {row.id})" for row in (here, there))
    assert str(refused.value).splitlines() == [
        "theirs.ledger: table/a forks at version 3; nothing was merged",
        f'  this ledger   {{"type":"card_played","seat":0,"card":"HK"}} {one}',
        f'  the other     {{"type":"card_played","seat":0,"card":"SA"}} {other}',
    ]
    assert [(fork.ours, fork.theirs) for fork in refused.value.forks] == [(here, there)]
    assert rows(ours.store) == before


def test_an_event_sent_to_both_ledgers_under_one_id_is_one_entry() -> None:
    ours, theirs = Club(1).record("a", *OPENING), Club(1).record("a", *OPENING)
    theirs.recorder = "somebody else"
    theirs.record("a", Noted(text="later"))
    assert merge(ours.store, theirs.store, "theirs", ImportAs(by="test")).events == 1


def test_an_id_used_elsewhere_is_a_conflict() -> None:
    ours, theirs = Club(1).record("a", *OPENING), Club(1).record("b", *OPENING)
    before = rows(ours.store)
    with pytest.raises(
        ConflictError, match=r"theirs, position 1: the id .* of table/b, version 1, is used in this ledger for"
    ):
        merge(ours.store, theirs.store, "theirs", ImportAs(by="test"))
    assert rows(ours.store) == before


def test_what_cannot_be_an_entry_is_refused_though_the_other_ledger_holds_it() -> None:
    ours, theirs = Club(1), Club(2).record("a", *OPENING, CardPlayed(seat=7, card="SA"))
    with pytest.raises(MalformedError, match="theirs, position 3, table/a: seat: '7'"):
        merge(ours.store, theirs.store, "theirs", ImportAs(by="test"))
    assert rows(ours.store) == []


EXTRAS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
"""How many notes of a table both ledgers have, and how many each recorded alone afterwards."""


@given(st.lists(EXTRAS, min_size=1, max_size=4))
def test_a_merge_takes_the_longer_record_of_each_table_or_reports_forks(tables: list[tuple[int, int, int]]) -> None:
    ours = Club(1)
    for number, (common, _, _) in enumerate(tables):
        ours.record(f"t{number}", *OPENING, *[Noted(text="both")] * common)
    theirs = ours.copied(2)
    for number, (_, here, there) in enumerate(tables):
        for club, count in ((ours, here), (theirs, there)):
            if count:
                club.record(f"t{number}", *[Noted(text="one of them")] * count)
    before = {head.stream: entries_of(ours.store, head.stream) for head in ours.store.streams()}
    longer = {stream: max(entries, entries_of(theirs.store, stream), key=len) for stream, entries in before.items()}
    forked = [(f"table/t{number}", common + 3) for number, (common, here, there) in enumerate(tables) if here and there]
    try:
        report = merge(ours.store, theirs.store, "theirs", ImportAs(by="test"))
    except ForkError as error:
        assert [(fork.ours.stream, fork.ours.version) for fork in error.forks] == forked != []
        expected = before
    else:
        assert forked == []
        assert report.events == sum(there for _, _, there in tables)
        expected = longer
    assert {head.stream: entries_of(ours.store, head.stream) for head in ours.store.streams()} == expected
    assert verify(ours.store).damage is None


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    cli = CommandLine(tmp_path).made_by(empty_ledger)
    cli.record(OPENED, FIRST_DEAL)
    return cli


@pytest.fixture
def other(cli: CommandLine) -> CommandLine:
    other = cli.elsewhere()
    other.record(OPENED, FIRST_DEAL, result(5, 2, 2), table="u")
    return other


def test_the_folder_of_the_other_ledger_stays_as_it_was(cli: CommandLine, other: CommandLine) -> None:
    before = sorted(other.folder.iterdir())
    cli.ok("import", other.ledger)
    assert sorted(other.folder.iterdir()) == before


def test_a_damaged_ledger_is_5_and_one_in_a_pipe_3(cli: CommandLine, other: CommandLine) -> None:
    content = other.ledger.read_bytes()
    piped = cli.refused(3, "import", "-", stdin=content)
    assert "cannot be read from a pipe; expected the name of its file" in piped
    other.ledger.write_bytes(content.replace(b'"Ann"', b'"Ada"'))
    assert "is damaged at position 1" in cli.refused(5, "import", other.ledger)


def test_a_reading_as_of_a_moment_is_not_moved_by_what_was_merged_later(tmp_path: Path) -> None:
    """Merged entries are older than the last recorded one, but arrived after it."""
    played = (*OPENING, CardPlayed(seat=0, card="SA"), CardPlayed(seat=1, card="S2"))
    for name, table, events in (("other", "b", OPENING), ("club", "a", played)):
        with SqliteStore.create(tmp_path / f"{name}.ledger", clock=TickingClock()) as store:
            for event in events:
                store.append(Batch(f"table/{table}", "any", (NewEntry(event),)), recorded_by="r")
            third = rows(store)[-2].recorded_at
    cli = CommandLine(tmp_path)
    before = cli.json("replay", "a", "--as-of", third)
    cli.ok("import", tmp_path / "other.ledger")
    assert cli.json("replay", "a", "--as-of", third) == before
    assert json.dumps(before).count('"S2"') == 0


def test_an_import_of_lines_through_a_named_pipe_works_as_of_a_file(cli: CommandLine, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(lines(OPENED, table="v"),))
    writer.start()
    assert "1 event recorded" in cli.ok("import", pipe)
    writer.join()


def after_the_fact(table: str, versions: int) -> bytes:
    """Return a correction of the last entry by itself and a note, one that adds an event, a dispute and a ruling."""
    note = {"type": "noted", "text": "read again"}
    events = [
        {"type": "corrected", "version": versions, "action": "insert_after", "events": [note], "reason": "a remark"},
        {"type": "noted", "text": "struck"},
        {"type": "corrected", "version": versions + 2, "action": "strike", "reason": "of no use"},
        {"type": "corrected", "version": 1, "action": "insert_after", "events": [note, note], "reason": "Zoë says so"},
        {"type": "dispute_raised", "deal": 1, "seat": 0, "text": "was it so?"},
        {"type": "ruling_given", "deal": 1, "kind": "stands", "dispute": versions + 5, "text": "it was"},
    ]
    return b"".join(json.dumps({"stream": f"table/{table}", "event": event}).encode() + b"\n" for event in events)


@pytest.fixture(scope="module")
def ledger() -> MemoryStore:
    store = MemoryStore()
    for folder in sorted((ROOT / "replays").iterdir()):
        for path in sorted(folder.glob("*.toml"))[:12]:
            import_content(store, path.read_bytes(), path.name, ImportAs(by="test"))
    for table in store.streams("table/"):
        import_content(store, after_the_fact(table.stream[6:], table.version), "director", ImportAs(by="director"))
    return store


def scores(store: MemoryStore | SqliteStore) -> list[object]:
    return [score_answer(slug, fold) for slug, fold in fold_tables(store)]


def test_every_game_is_there(ledger: MemoryStore) -> None:
    assert {fold.game.name for _, fold in fold_tables(ledger)} == set(registered_games())


def test_a_whole_export_makes_the_same_ledger(ledger: MemoryStore, tmp_path: Path) -> None:
    lines = list(export_lines(ledger))
    with SqliteStore.create(tmp_path / "moved.ledger") as moved:
        report = import_content(moved, b"\n".join(lines), "export", ImportAs(by="somebody else"))
        assert report.events == len(lines)
        assert list(export_lines(moved)) == lines
        assert moved.head() == ledger.head()
        assert scores(moved) == scores(ledger)
    assert verify(tmp_path / "moved.ledger", witness=ledger.head()).damage is None


def test_a_bare_export_makes_the_same_tables(ledger: MemoryStore) -> None:
    moved = MemoryStore()
    import_content(moved, b"\n".join(export_lines(ledger, bare=True)), "export", ImportAs(by="somebody else"))
    assert list(export_lines(moved, bare=True)) == list(export_lines(ledger, bare=True))
    assert scores(moved) == scores(ledger)


def test_halves_of_a_ledger_merge_to_the_same_tables(ledger: MemoryStore) -> None:
    """The other ledger has every second table, and this one only the beginning of one more."""
    slugs = table_slugs(ledger)
    here, elsewhere = MemoryStore(), MemoryStore()
    for store, tables in ((here, slugs[::2]), (elsewhere, slugs[1::2] + slugs[:1])):
        lines = b"\n".join(export_lines(ledger, bare=True, tables=tables))
        if store is here:
            first = [line for line in lines.split(b"\n") if b'"table/%b"' % slugs[0].encode() in line]
            lines = b"\n".join(line for line in lines.split(b"\n") if line not in first[5:])
        import_content(store, lines, "part", ImportAs(by="test"))
    merge(here, elsewhere, "elsewhere", ImportAs(by="test"))
    tables = {answer.table: answer for answer in scores(here)}
    assert tables == {answer.table: answer for answer in scores(ledger)}
    assert verify(here).damage is None
