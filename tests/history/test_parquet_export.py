"""The whole read model as Parquet: DuckDB reads back the same rows of every table."""

from pathlib import Path

import duckdb
import pytest
from msgspec import json

from ledger.errors import ConflictError
from ledger.history import catch_up, export_parquet
from ledger.history.model.parquet_export import DataDictionary
from ledger.i18n import LANGUAGES
from ledger.log import MemoryStore
from tests.history.helpers import NAMES, Club, opening, record

WITHOUT_TABLE = {"meta", "sessions", "players", "player_links", "card_facts"}


@pytest.fixture(scope="module")
def read_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the read model of a club of several years, with rows of every kind and a table of another game."""
    store = MemoryStore()
    Club(store, seed=4).do(60)
    record(store, "table/q", opening(game="quadrille", players=NAMES[:4]))
    path = tmp_path_factory.mktemp("history") / "it's.duckdb"
    catch_up(store, path)
    return path


def checksums(connection: duckdb.DuckDBPyConnection, source: str, columns: str) -> tuple[int, int]:
    """Return the number of rows and the sum of their hashes, which does not depend on their order."""
    relation = connection.execute(
        f"SELECT count(*), coalesce(sum(hash(r::VARCHAR)), 0) FROM (SELECT {columns} FROM {source}) AS r"
    )
    counted = relation.fetchone()
    assert counted is not None
    return counted


def test_every_table_read_back_has_the_same_rows(read_model: Path, tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    written = export_parquet(read_model, tmp_path / "club's", progress=lambda *done: reported.append(done))
    assert reported == [(done, len(written.rows)) for done in range(len(written.rows) + 1)]
    with duckdb.connect(read_model, read_only=True) as ours, duckdb.connect() as theirs:
        tables = {name for (name,) in ours.execute("SHOW TABLES").fetchall()}
        assert set(written.rows) == tables - {"deal_moves"}, "that one only has in lists what the others tell"
        for table, count in written.rows.items():
            described = ours.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
            columns = ", ".join(f"{name}::{kind} AS {name}" for name, kind, *_ in described)
            files = f"{tmp_path}/club''s/{table}/**/*.parquet"
            source = f"read_parquet('{files}', hive_partitioning = true)"
            if table in WITHOUT_TABLE:
                ours_too = table
            else:
                ours_too = f"""(
                  SELECT own.*, sitting.game AS g, year(sitting.played_on) AS year
                  FROM {table} AS own LEFT JOIN tables AS sitting USING (table_name))"""
                columns += ", year"
                partition = theirs.execute(f"SELECT DISTINCT game, year::INTEGER FROM {source} ORDER BY ALL").fetchall()
                assert partition == ours.execute(f"SELECT DISTINCT g, year FROM {ours_too} ORDER BY ALL").fetchall()
            expected = checksums(ours, ours_too, columns)
            assert checksums(theirs, source, columns) == expected, table
            assert expected[0] == count


def test_rows_lie_with_the_game_and_the_year_of_their_table(read_model: Path, tmp_path: Path) -> None:
    export_parquet(read_model, tmp_path / "all")
    assert (tmp_path / "all" / "tables" / "game=quadrille").is_dir()
    for table in WITHOUT_TABLE:
        assert [path.name for path in (tmp_path / "all" / table).iterdir()] == ["data_0.parquet"]
    of_sessions = tmp_path / "all" / "entries" / "game=__HIVE_DEFAULT_PARTITION__"
    with duckdb.connect() as connection:
        streams = connection.execute(f"SELECT DISTINCT stream FROM '{of_sessions}/*/*.parquet'").fetchall()
    assert {stream.partition("/")[0] for (stream,) in streams} == {"session"}


def test_an_empty_ledger_has_all_tables_with_their_columns(tmp_path: Path) -> None:
    catch_up(MemoryStore(), tmp_path / "h.duckdb")
    written = export_parquet(tmp_path / "h.duckdb", tmp_path / "all")
    assert {table for table, count in written.rows.items() if count} == {"meta", "card_facts"}
    with duckdb.connect() as connection:
        for table in written.rows:
            answered = connection.execute(f"FROM read_parquet('{tmp_path}/all/{table}/**/*.parquet')")
            assert answered.description, table


def test_the_export_says_which_entry_it_rests_on(read_model: Path, tmp_path: Path) -> None:
    head = export_parquet(read_model, tmp_path / "all").head
    with duckdb.connect() as connection:
        meta = connection.execute(f"SELECT log_position, digest FROM '{tmp_path}/all/meta/*.parquet'").fetchall()
    assert meta == [(head.position, head.digest)]


def test_the_data_dictionary_has_every_column_of_every_file_in_each_language(read_model: Path, tmp_path: Path) -> None:
    head = export_parquet(read_model, tmp_path / "all").head
    dictionary = json.decode((tmp_path / "all" / "dictionary.json").read_bytes(), type=DataDictionary)
    assert (dictionary.position, dictionary.digest, dictionary.zone) == (head.position, head.digest, "UTC")
    with duckdb.connect() as connection:
        for table in dictionary.tables:
            files = f"{tmp_path}/all/{table.table}/**/*.parquet"
            described = connection.execute(f"DESCRIBE FROM read_parquet('{files}', hive_partitioning = true)")
            assert {row[:2] for row in described.fetchall()} == {(one.name, one.type) for one in table.columns}
            assert all(one.meaning[lang] for one in [table, *table.columns] for lang in LANGUAGES)
            metadata = connection.execute(
                f"SELECT DISTINCT decode(key), decode(value) FROM parquet_kv_metadata('{files}')"
            )
            ((key, value),) = metadata.fetchall()
            assert (key, json.decode(value, type=DataDictionary).tables) == ("trickledger", [table])
    units = {one.name: one.unit for table in dictionary.tables if table.table == "points" for one in table.columns}
    assert units["player"] is None
    assert units["amount"] == {"en": "points of the game", "ja": "ゲームの点"}


def test_what_is_there_is_not_overwritten(read_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="exists; name a new folder"):
        export_parquet(read_model, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_stops_leaves_nothing(read_model: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_parquet(read_model, tmp_path / "all", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(read_model: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        export_parquet(read_model, tmp_path / "none" / "all")
    assert refused.value.filename == str(tmp_path / "none" / "all")
