"""A lake gives the answers of the read model, whichever engine folds it, even if workers die or run tasks twice."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec import json, structs

from ledger import api
from ledger.errors import ConflictError, MalformedError, QueryError, UnreadableError, UsageError
from ledger.events import TableClosed
from ledger.history import (
    FILTERS,
    Engine,
    Filters,
    History,
    LakeManifest,
    LakeOptions,
    LeagueRules,
    Processes,
    open_lake,
    rebuild_lake,
    statistics,
)
from ledger.history.lake import partitions
from ledger.history.lake.manifest import FILE
from ledger.history.lake.partitions import NOT_PARTITIONED
from ledger.history.model.parquet_export import DataDictionary
from ledger.log import MemoryStore, SqliteStore
from ledger.plots import export
from tests.cli.commands import ROOT, CommandLine
from tests.covering import IS_SOAK, sample, wider_in_soak
from tests.history.helpers import ledger_at, record, table_events
from tests.history.season import Season
from tests.patience import PATIENCE_S
from tests.reports.sessions import session_with_disputes

HERE = Processes(1)


def rebuilt(ledger: Path, lake: Path, engine: Engine = HERE, parts: int = 2) -> LakeManifest:
    with SqliteStore(ledger, access="read") as store:
        return rebuild_lake(store, ledger, lake, engine, LakeOptions(partitions=parts))


@pytest.fixture(scope="module")
def ledger(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the entries of the season, whose lake and read model are compared."""
    path = tmp_path_factory.mktemp("season") / "club's.ledger"
    with SqliteStore.create(path) as store:
        store.append_envelopes(row.envelope() for row in season.store.read())
    return path


@pytest.fixture(scope="module")
def lake(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("it's") / "lake"
    rebuilt(ledger, folder)
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a ledger of a few tables, and its lake, with which those of other engines are compared."""
    folder = tmp_path_factory.mktemp("few")
    ledger = ledger_at(folder / "club.ledger", *"abcd")
    rebuilt(ledger, folder / "lake")
    return ledger, folder / "lake"


@pytest.fixture(scope="module")
def read_model(ledger: Path, lake: Path) -> Iterator[tuple[History, History]]:
    """Yield the read model and the lake, open."""
    with api.open_history(ledger) as history, open_lake(lake) as of_lake:
        yield history, of_lake


def sums(history: History) -> dict[str, tuple[Any, ...]]:
    """Return the number of rows of each table and view, and a sum of their hashes that no order changes."""
    query = "SELECT count(*), sum(hash(row::VARCHAR)) FROM (SELECT {} FROM {}) AS row"
    described = history.tables()
    return {
        one.table: history._connection.execute(
            query.format(", ".join(column.name for column in one.columns), one.table)
        ).fetchall()[0]
        for one in described
    }


def contents(lake: Path) -> dict[str, bytes]:
    files = [path for path in lake.rglob("*") if path.is_file()]
    return {str(path.relative_to(lake)): path.read_bytes() for path in files}


def test_every_table_and_view_has_the_rows_of_the_read_model(read_model: tuple[History, History]) -> None:
    history, lake = read_model
    assert sums(lake) == sums(history)
    assert sorted(map(str, lake.tables())) == sorted(map(str, history.tables())), "columns, types and meanings"
    assert lake.head == history.head


@wider_in_soak
@pytest.mark.parametrize("name", sample(sorted(statistics()), 11))
def test_every_statistic_is_that_of_the_read_model(read_model: tuple[History, History], name: str) -> None:
    """Each is asked without a filter and with one of its filters, in a soak run with each of them."""
    given = {"game": "ombre", "session": "spring", "place": "Łódź", "weekday": "mon", "by": "table", "season": "2026"}
    known = [(key, value) for key, value in given.items() if key in statistics()[name].parameters]
    assert known and dict(known).keys() <= {*FILTERS, "by"}
    rules = LeagueRules(title="League", points=(3, 1)) if name == "league" else None
    chosen = known if IS_SOAK else [known[sorted(statistics()).index(name) % len(known)]]
    for filters in [Filters(rules=rules), *(Filters(rules=rules, **{key: value}) for key, value in chosen)]:
        own, theirs = (one.statistic(name, filters) for one in read_model)
        assert own == theirs, filters


def doubled(function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
    """Run each task twice, the last one first the second time, and yield these results."""
    list(map(function, tasks))
    return map(function, tasks[::-1])


def test_the_files_are_the_same_by_every_engine(few: tuple[Path, Path], tmp_path: Path) -> None:
    ledger, lake = few
    manifest = rebuilt(ledger, tmp_path, Processes(2))
    assert contents(tmp_path) == contents(lake)
    for path in tmp_path.glob(f"club=*/{manifest.snapshot}/**/*.*"):
        path.write_bytes(b"of the first snapshot")
    rebuilt(ledger, tmp_path, doubled)
    assert contents(tmp_path) == contents(lake), "a second snapshot of the same entry replaces the first"


def test_workers_without_the_ledger_make_the_same_files(few: tuple[Path, Path], tmp_path: Path) -> None:
    ledger, lake = few

    def far(function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
        return map(function, [structs.replace(task, ledger="/nowhere.ledger") for task in tasks])

    with SqliteStore(ledger, access="read") as store:
        options = LakeOptions(partitions=2, send_entries=True)
        rebuild_lake(store, ledger, tmp_path / "lake", far, options)
        assert contents(tmp_path / "lake") == contents(lake), "and no entries are left"
        without = [lambda function, tasks: map(function, [structs.replace(tasks[0], entries="none")])]
        with pytest.raises(UnreadableError, match="none is missing"):
            rebuild_lake(store, ledger, tmp_path / "other", without[0], options)


def kill_once(mark: Path | None, number: int) -> int:
    if number == 2 and (mark is None or not mark.exists()):
        if mark is not None:
            mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.soak
def test_a_killed_process_costs_time_and_no_task(tmp_path: Path) -> None:
    assert sorted(Processes(2)(partial(kill_once, tmp_path / "killed"), range(4))) == [0, 1, 2, 3]
    with pytest.raises(UnreadableError, match="ended 3 times"):
        list(Processes(2)(partial(kill_once, None), [2, 2]))


def test_an_empty_ledger_has_all_tables(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        assert rebuilt(store.path, tmp_path / "lake").files == []
    with open_lake(tmp_path / "lake") as lake, api.open_history(tmp_path / "club.ledger") as history:
        assert sums(lake) == sums(history)


def test_an_invalid_record_is_named_and_the_snapshot_before_stays(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/good", *table_events())
        before = rebuilt(store.path, tmp_path / "lake", parts=1)
        record(store, "table/bad", TableClosed())
        with pytest.raises(MalformedError, match="table/bad: the record does not begin"):
            rebuilt(store.path, tmp_path / "lake")
    with open_lake(tmp_path / "lake") as lake:
        assert lake.head.position == before.position


def test_only_the_newest_snapshot_and_the_one_before_it_remain(tmp_path: Path) -> None:
    ledger, folder = tmp_path / "club.ledger", tmp_path / "lake"
    with SqliteStore.create(ledger) as store:
        made = []
        for number in range(3):
            record(store, f"table/t{number}", *table_events(f"t{number}", 1))
            made.append(rebuilt(ledger, folder, parts=1))
        assert len({one.snapshot for one in made}) == 3
        (club,) = folder.iterdir()
        assert {path.name for path in club.iterdir()} == {FILE, made[1].snapshot, made[2].snapshot}
        (club / FILE).write_bytes(json.encode(structs.replace(made[2], position=10**6)))
        with pytest.raises(ConflictError, match="has entries up to 1,000,000 already"):
            rebuilt(ledger, folder)


def test_other_versions_refuse_each_other(ledger: Path, lake: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(partitions, "schema_version", lambda: "7-future")
    with pytest.raises(UnreadableError, match="tables of version 6-"):
        rebuilt(ledger, tmp_path / "lake")
    (club,) = lake.glob("club=*")
    manifest = json.decode((club / FILE).read_bytes(), type=LakeManifest)
    (tmp_path / FILE).write_bytes(json.encode(structs.replace(manifest, read_model="4-past")))
    with pytest.raises(UnreadableError, match="tables of version 4-past"), open_lake(tmp_path):
        pass


def test_a_lake_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path / "two.ledger", "two")
    manifest = rebuilt(ledger, tmp_path / "lake", parts=1)
    with pytest.raises(UnreadableError, match="no lake"), open_lake(tmp_path / "none"):
        pass
    club = tmp_path / "lake" / f"club={manifest.ledger_id}"
    with open_lake(club) as lake:
        assert lake.query("SELECT table_name FROM tables").rows == [("two",)]
    file = club / manifest.files[0].path
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(UnreadableError, match="not as it was written"), open_lake(club):
        pass
    (club / FILE).write_text("{}")
    with pytest.raises(UnreadableError, match="not the manifest"), open_lake(club):
        pass
    with pytest.raises(UsageError, match="in memory"):
        rebuild_lake(MemoryStore(), ledger, tmp_path / "lake", HERE, LakeOptions())


def as_club(lake: Path, folder: Path, name: str, club: str) -> None:
    """Copy a lake of one club into another lake, as the ledger `name` of the club `club`."""
    copied = folder / f"club={name}"
    shutil.copytree(next(lake.iterdir()), copied, dirs_exist_ok=True)
    manifest = json.decode((copied / FILE).read_bytes(), type=LakeManifest)
    (copied / FILE).write_bytes(json.encode(structs.replace(manifest, ledger_id=name, club=club)))


def test_a_lake_of_several_clubs_keeps_their_tables_and_players_apart(
    read_model: tuple[History, History], lake: Path, tmp_path: Path, quick_sandbox: Any
) -> None:
    (own, _), folder, names = read_model, tmp_path / "lake", ("dover", "kent")
    for name in names:
        as_club(lake, folder, name, name)
    with open_lake(folder) as together:
        alone, both = sums(own), sums(together)
        several = {table: count for table, (count, _) in both.items() if table not in NOT_PARTITIONED}
        assert several == {table: 2 * alone[table][0] for table in several}
        for club in names:
            of_club = f"SELECT count(*), sum(deal_count), min(player) FROM players WHERE starts_with(player, '{club}/')"
            assert together.query(of_club).rows == [
                (count, deals, f"{club}/{first}")
                for count, deals, first in own.query("SELECT count(*), sum(deal_count), min(player) FROM players").rows
            ]
        for name in ("standings", "contracts", "head-to-head", "rating-history"):
            rows, expected = together.statistic(name).answer.objects(), own.statistic(name).answer.objects()
            seen = sorted(str({key: _unprefixed(value) for key, value in row.items() if key in SAME}) for row in rows)
            times = 2 if any("player" in key for key in rows[0]) else 1
            assert seen == sorted([str({key: row[key] for key in row if key in SAME}) for row in expected] * times)
        of_session = together.statistic("standings", Filters(session="kent/spring")).answer.rows
        assert len(of_session) == len(own.statistic("standings", Filters(session="spring")).answer.rows) > 0
        positions = together.query("SELECT count(DISTINCT log_position), max(log_position) FROM entries").rows[0]
        assert positions == (together.head.position, together.head.position)
        plan = str(together.query("EXPLAIN SELECT max(log_position) FROM entries").rows)
        assert plan.count("PARQUET") == 1, "a scan for each club makes a lake of a thousand too slow to open"
    as_club(lake, folder, "dover", "kent")
    with pytest.raises(ConflictError, match="are both named kent"), open_lake(folder):
        pass


def test_players_of_several_clubs_are_one_person_if_the_lake_links_them(tmp_path: Path, quick_sandbox: Any) -> None:
    lake, links = tmp_path / "lake", tmp_path / "lake" / "links.toml"
    for club in ("dover", "kent"):
        with SqliteStore(ledger_at(tmp_path / f"{club}.ledger", "one")) as store:
            store.link_player("Bob", "Bobby")
        api.rebuild(tmp_path / f"{club}.ledger", lake, partitions=1, club=club)
    with api.open_lake(lake) as apart:
        before = {row["player"]: row for row in apart.statistic("standings").answer.objects()}
    links.write_text('[[person]]\nname = "Ann Smith"\nspellings = ["kent/Ann", "dover/Bob"]\n')
    with api.open_lake(lake) as linked:
        after = {row["player"]: row for row in linked.statistic("standings").answer.objects()}
        query = "SELECT count(*) FROM deals WHERE list_contains(players, 'Ann Smith')"
        assert linked.query(query).rows == [(6,)]
    ann, bob = before.pop("kent/Ann"), before.pop("dover/Bobby")
    assert after.pop("Ann Smith")["points"] == ann["points"] + bob["points"]
    assert after.keys() == before.keys()
    people = api.people_of_lake(lake)
    assert people.person("kent/Ann") == people.person("dover/Bob") == "Ann Smith" and people.names["Ann Smith"]
    for spellings, said in (
        ('["kent/Ann", "kent/Bob"]', "another player of the same club"),
        ('["kent/Zoe"]', r"kent/Zoe.*|no such player"),
        ('["ghent/Ann"]', "no such player"),
        ("[]", "spellings"),
        ("[", "not TOML"),
    ):
        links.write_text(f'[[person]]\nname = "Ann Smith"\nspellings = {spellings}\n')
        with pytest.raises(MalformedError, match=said) as refused, api.open_lake(lake):
            pass
        assert str(links) in str(refused.value)


def test_a_name_that_was_erased_is_nowhere_in_the_lake_after_a_rebuild(tmp_path: Path) -> None:
    ledger, lake = ledger_at(tmp_path / "club.ledger", "one"), tmp_path / "lake"
    api.rebuild(ledger, lake, partitions=1)
    with SqliteStore(ledger) as store:
        record(store, "table/two", *table_events("two"))
    api.name_player(ledger, "Ann", "Anna Karenina")
    api.rebuild(ledger, lake, partitions=1)
    named = contents(lake)
    api.forget_name(ledger, "Ann")
    api.rebuild(ledger, lake, partitions=1)
    (manifest,) = (path for path, content in named.items() if content != contents(lake)[path])
    assert manifest.endswith(FILE) and b"Karenina" in named[manifest]
    assert not any(b"Karenina" in content for content in contents(lake).values()), "Parquet has no display names"


SAME = {
    *("game", "player", "other", "points", "contract", "kind", "share_won", "table_name", "session", "mu", "played_on")
}
"""The columns whose values do not depend on how many clubs there are."""


def _unprefixed(value: Any) -> Any:
    return value.partition("/")[2] if isinstance(value, str) and value.startswith(("kent/", "dover/")) else value


def test_a_query_reads_the_files_of_the_lake_and_no_others(read_model: tuple[History, History], lake: Path) -> None:
    own, history = read_model
    (manifest,) = lake.glob(f"club=*/{FILE}")
    joined = "SELECT count(*) FROM plays JOIN deals USING (table_name, deal) JOIN tables USING (table_name)"
    assert history.query(joined).rows == own.query(joined).rows
    for path in ("/etc/passwd", str(manifest).replace("'", "''")):
        with pytest.raises(QueryError, match="cannot use files"):
            history.query(f"FROM read_text('{path}')")
    with pytest.raises(duckdb.Error):
        history._connection.execute("COPY (SELECT 1) TO '/tmp/x.parquet'")


def test_the_dictionary_describes_each_file(lake: Path) -> None:
    (path,) = lake.glob("club=*/snapshot-*/dictionary.json")
    dictionary = json.decode(path.read_bytes(), type=DataDictionary)
    with closing(duckdb.connect()) as connection:
        filled = [table for table in dictionary.tables if list(path.parent.glob(f"*/{table.table}.parquet"))]
        assert len(filled) > 8
        for table in filled:
            files = f"{path.parent}/*/{table.table}.parquet".replace("'", "''")
            described = connection.execute(f"DESCRIBE FROM read_parquet('{files}')").fetchall()
            assert {row[:2] for row in described} == {(column.name, column.type) for column in table.columns}


def test_commands_show_hidden_players_of_a_lake_as_those_of_its_ledger(tmp_path: Path, quick_sandbox: Any) -> None:
    cli, lake = CommandLine(tmp_path), tmp_path / "lake"
    ledger_at(cli.ledger, "one", "two")
    cli.ok("players", "Ann", "--name", "Anna K.")
    cli.ok("players", "hide", "Bob")
    assert "3 partitions" in cli.ok("rebuild", "--to", lake, "--partitions", 3)
    commands: list[tuple[str, ...]] = [
        ("stats", "standings"), ("stats", "standings", "--with-hidden"), ("stats", "standings", "--player", "Anna K."),
        ("query", "FROM seats ORDER BY ALL"), ("plot", "cumulative", "--format", "json"),
    ]  # fmt: skip
    expected = [cli.ok(*words) for words in commands]
    cli.ledger.unlink()
    assert [cli.ok(*words, "--lake", lake) for words in commands] == expected
    assert "B." in expected[0] and "Bob" not in expected[0]
    for more in (("--rebuild",), ("--history", tmp_path / "h")):
        assert "--lake reads files" in cli.refused(2, "stats", "standings", "--lake", lake, *more)


def test_a_report_from_a_lake_is_that_of_its_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its plots are compared as specifications."""
    monkeypatch.setattr(export, "svg", lambda spec: json.encode(spec).decode())
    cli, lake = CommandLine(tmp_path), tmp_path / "lake"
    with SqliteStore.create(cli.ledger) as store:
        store.append_envelopes(row.envelope() for row in session_with_disputes().read())
    ledger_at(tmp_path / "dover.ledger", "one")
    cli.ok("players", "Ann", "--name", "Anna K.")
    cli.ok("report", "spring", "-o", tmp_path / "of-ledger.html")
    for club in ("club", "dover"):
        api.rebuild(tmp_path / f"{club}.ledger", lake, partitions=1, club=club)
    cli.ledger.unlink()
    cli.ok("report", "club/spring", "--lake", lake, "-o", tmp_path / "of-lake.html")
    expected, page = ((tmp_path / f"of-{name}.html").read_text("utf-8") for name in ("ledger", "lake"))
    assert page == expected and "Anna K." in page
    for session, wrong in (("spring", "there is no session spring"), ("clob/spring", "no club clob; perhaps club")):
        assert wrong in cli.refused(2, "report", session, "--lake", lake, "-o", tmp_path / "other.html")


def fold_after_a_kill(mark: Path, task: Any) -> Any:
    kill_once(mark, 2)
    return partitions.fold_partition(task)


def killing(mark: Path, engine: Engine) -> Engine:
    """Return an engine whose first worker is killed at its first task."""
    return lambda function, tasks: engine(partial(fold_after_a_kill, mark), tasks)  # type: ignore[arg-type,return-value]


IN_DASK = """
import sys; from pathlib import Path; from distributed import LocalCluster
from ledger.errors import UsageError
from ledger.history import Dask, LakeOptions, engines, rebuild_lake
from ledger.log import SqliteStore
if __name__ == "__main__":
    ledger, lake, *killed = map(Path, sys.argv[1:])
    if not killed:
        with SqliteStore(ledger, access="read") as store:
            rebuild_lake(store, ledger, lake, Dask(1), LakeOptions(partitions=2))
        engines._ANSWERS_S = 0.1
        try:
            list(Dask(1, "tcp://127.0.0.1:1")(str, [1]))
        except UsageError as error:
            print(error)
    else:
        from tests.history.test_lake import killing, rebuilt
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL") as hosts:
            rebuilt(ledger, lake, killing(killed[0], Dask(0, hosts.scheduler_address)))
"""
"""A program of its own, because Dask's threads and sockets outlive it."""


@pytest.mark.parametrize("is_killed", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_dask_makes_the_same_files_also_if_a_worker_is_killed(
    few: tuple[Path, Path], tmp_path: Path, is_killed: bool
) -> None:
    ledger, lake = few
    program, mark = tmp_path / "program.py", tmp_path / "killed"
    program.write_text(IN_DASK)
    words = [sys.executable, program, ledger, tmp_path / "lake", *([mark] if is_killed else [])]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    printed = subprocess.run(words, check=True, env=env, timeout=PATIENCE_S, stdout=subprocess.PIPE, text=True).stdout
    assert contents(tmp_path / "lake") == contents(lake)
    assert mark.exists() == is_killed
    assert ("no scheduler of Dask answers" in printed) != is_killed, "at an address where there is none"
