"""SQL from users: reading is answered, everything else rejected, excess ended, and nothing changes."""

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from ledger import limits
from ledger.errors import QueryError, UnreadableError
from ledger.history import Bounds, History, default_history_path, open_history
from ledger.history.sandbox.runner import Source, run_query
from tests.covering import sample
from tests.history.helpers import ledger_at
from tests.patience import wait_until

ROOT = Path(__file__).parents[2]
PATIENT = Bounds(seconds=30)
HASTY = Bounds(seconds=0.8)

OUTSIDE = "a query cannot use files, the network or extensions; it can read the tables that query --list shows"
TOO_LONG = "no answer within 0.8 s; ask for less (WHERE, LIMIT), or allow more with --timeout"
TOO_MUCH = "no answer within 2 GB of memory; ask for less at once (WHERE, LIMIT, fewer joins)"

REFUSED = tomllib.loads(Path(__file__).with_name("refused_questions.toml").read_text(encoding="utf-8"))

TAKING_MUCH = [
    *REFUSED["taking_much"],
    f"SELECT 1 IN ({', '.join(map(str, range(10_000)))}) FROM range(100000)",
    f"FROM (PIVOT (FROM range(1000)) ON range IN ({', '.join(map(str, range(5_000)))}) USING count(*))",
    "SELECT " + "(" * 40_000 + "1" + ")" * 40_000,
    "SELECT " + "1 + " * 20_000 + "1",
]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ledger_at(tmp_path_factory.mktemp("club") / "club.ledger", "t", has_model=True)


@pytest.fixture(scope="module", autouse=True)
def unchanged(ledger: Path) -> Iterator[None]:
    """Assert that ledger, read model and their folder are the same after each test."""

    def state() -> dict[str, str]:
        files = {path.name: path for path in ledger.parent.iterdir()}
        return {name: sha256(path.read_bytes()).hexdigest() for name, path in sorted(files.items())}

    before = state()
    yield
    assert state() == before


@pytest.fixture
def started(ledger: Path) -> Iterator[History]:
    """Yield the read model as users query it: a new process for each query."""
    with open_history(default_history_path(ledger)) as history:
        yield history


@pytest.fixture
def history(started: History, quick_sandbox: None) -> History:
    return started


def refusal(history: History, sql: str, bounds: Bounds = PATIENT) -> str:
    """Return the refusal of the query, on one line."""
    with pytest.raises(QueryError) as refused:
        history.query(sql, bounds)
    message = str(refused.value)
    assert "\n" not in message
    assert refused.value.exit_status == 2
    return message


READING = [
    "FROM deals", "DESCRIBE deals", "SUMMARIZE deals", "SHOW TABLES", "EXPLAIN SELECT 1",
    "WITH one AS (SELECT 1 AS x) FROM one", "SELECT wilson_low(1, 2)", "SELECT 1 -- a comment", "SELECT 1;",
    "FROM (PIVOT deals ON status IN ('complete', 'open') USING count(*))",
]  # fmt: skip


def test_reading_is_allowed(history: History) -> None:
    assert [sql for sql in READING if not history.query(sql).rows] == []


def test_columns_of_the_same_name_are_numbered(history: History) -> None:
    assert history.query("SELECT 1 AS x, 2 AS x, 3 AS x").columns == ["x", "x_2", "x_3"]


def test_faulty_sql_is_explained(history: History) -> None:
    with pytest.raises(QueryError, match='Referenced column "winner" not found') as refused:
        history.query("SELECT deal,\n  winner FROM deals")
    assert str(refused.value).startswith("the SQL cannot be answered: Binder Error")
    assert str(refused.value).endswith("(at 'winner FROM deals')")


def test_times_with_a_zone_are_answered_in_utc(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    moment = "TIMESTAMPTZ '2026-01-01 00:30:00+02'"
    answer = history.query(f"SELECT {moment} AS a, [{moment}] AS b, {{'TIMESTAMP WITH TIME ZONE': {moment}}} AS c")
    in_utc = "2025-12-31T22:30:00"
    assert answer.rows == [(in_utc, [in_utc], {"TIMESTAMP WITH TIME ZONE": in_utc})]
    assert answer.types[0] == "TIMESTAMP WITH TIME ZONE"
    assert history.query("SELECT now() AS now").columns == ["now"]


def test_a_read_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="there is no read model at"), open_history(tmp_path / "none"):
        pass


def test_a_read_model_with_damaged_blocks_is_reported(ledger: Path, tmp_path: Path, quick_sandbox: None) -> None:
    content = bytearray(default_history_path(ledger).read_bytes())
    for place in range(12_388, len(content), 262_144):
        content[place] ^= 1
    damaged = tmp_path / "damaged.duckdb"
    damaged.write_bytes(content)
    with pytest.raises(UnreadableError) as refused:
        run_query(Source(damaged), "FROM plays", PATIENT)
    said = f"the read model {damaged} cannot be used (Corrupt database file"
    assert (refused.value.code, str(refused.value).startswith(said)) == ("damaged", True)


def test_tables_are_described(history: History) -> None:
    described = {table.table: table for table in history.tables()}
    assert described["plays"].meaning == "One row for each card played"
    card = next(column for column in described["plays"].columns if column.name == "card")
    assert (card.type, card.meaning) == ("VARCHAR", "suit and rank, for example SA; ?? is a card that is not known")


IN_THE_SAME_WORDS = {
    "reading_files": OUTSIDE,
    "not_reading": "the read model can only be read: {}; expected SELECT, FROM, DESCRIBE, SUMMARIZE or EXPLAIN",
    "many_at_once": "this is not one SQL statement: {}; ask one at a time",
}


@pytest.mark.parametrize("kind", IN_THE_SAME_WORDS)
def test_each_question_of_a_kind_is_refused_in_the_same_words(history: History, kind: str) -> None:
    messages = {sql: refusal(history, sql) for sql in REFUSED[kind]}
    assert messages == {sql: IN_THE_SAME_WORDS[kind].format(repr(" ".join(sql.split()))) for sql in REFUSED[kind]}


def test_the_system_opens_not_even_the_file_that_duckdb_would(started: History, ledger: Path) -> None:
    assert refusal(started, f"SELECT content FROM read_blob('{default_history_path(ledger)}')") == OUTSIDE


@pytest.mark.parametrize(
    "file", ["/etc/passwd", "request.json", "answer/../request.json", "answer.ndjson", "club.ledger"]
)
def test_an_answer_as_parquet_opens_no_more_files(history: History, file: str) -> None:
    answer = BytesIO()
    with pytest.raises(QueryError) as refused:
        history.query_to_parquet(f"FROM read_text('{file}')", answer)
    assert str(refused.value) == OUTSIDE
    assert answer.getvalue() == b""


FAULTY = {**REFUSED["faulty"], f"SELECT {'(' * 1200}1{')' * 1200}": "depth"}


@pytest.mark.parametrize(("sql", "words"), FAULTY.items(), ids=[sql[:60] for sql in FAULTY])
def test_what_there_is_not_is_a_fault_of_the_question(history: History, sql: str, words: str) -> None:
    """The message advises nothing impossible, such as a SET."""
    message = refusal(history, sql)
    assert message.startswith("the SQL cannot be answered: ")
    assert words in message
    assert "SET" not in message


def test_queries_about_the_machine_are_refused(history: History) -> None:
    said = {sql: refusal(history, sql) for sql in REFUSED["telling_of_the_machine"]}
    expected = "which could reveal details of this machine"
    assert {sql: words for sql, words in said.items() if expected not in words} == {}


def running_questions() -> list[int]:
    children = [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    return [pid for pid in children if b"sandbox/worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.parametrize("sql", sample(REFUSED["taking_time"], 1))
def test_what_takes_for_ever_is_ended(started: History, sql: str) -> None:
    assert refusal(started, sql, HASTY) == TOO_LONG
    assert not running_questions()


@pytest.mark.parametrize("sql", REFUSED["taking_memory"])
def test_what_takes_all_memory_is_ended(started: History, sql: str) -> None:
    assert refusal(started, sql) == TOO_MUCH


@pytest.mark.soak
@pytest.mark.parametrize("sql", TAKING_MUCH)
def test_what_takes_much_is_answered_or_ended(started: History, sql: str) -> None:
    with suppress(QueryError):
        started.query(sql, Bounds(seconds=3))
    assert not running_questions()


def test_a_question_has_a_length(history: History) -> None:
    sql = f"SELECT {'1' * limits.QUERY_CHARS}"
    assert refusal(history, sql) == f"the query has {len(sql):,} characters; at most {limits.QUERY_CHARS:,} are allowed"


def test_an_answer_has_no_more_rows_than_allowed(history: History) -> None:
    assert len(history.query("FROM range(7)", Bounds(rows=7)).rows) == 7
    with pytest.raises(QueryError) as refused:
        history.query("FROM range(8)", Bounds(rows=7))
    assert str(refused.value) == (
        "the answer has more than 7 rows; ask for less (WHERE, LIMIT), or allow more with --max-rows"
    )


def test_an_answer_is_no_larger_than_can_be_handed_over(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUERY_ANSWER_BYTES", 2_000_000)
    assert refusal(history, "SELECT repeat('x', 600000) FROM range(4)") == (
        "the answer is larger than 2 MB; ask for less (WHERE, LIMIT), or for --format parquet"
    )


@pytest.mark.parametrize("old", ["SELECT list_transform([1, 2], x -> x + 1)", "SELECT list_filter([1], x -> x > 1)"])
def test_the_error_of_a_function_in_the_old_form_names_the_new_one(history: History, old: str) -> None:
    """DuckDB advises a SET, which is rejected here."""
    message = "the SQL cannot be answered: write a function as lambda x: x + 1, not with ->"
    assert refusal(history, old) == message
    assert history.query("SELECT list_transform([1, 2], lambda x: x + 1)").rows == [([2, 3],)]


def test_intervals_are_those_that_duckdb_shows(history: History) -> None:
    sql = (
        "SELECT INTERVAL '1 month 2 days 03:04:05' AS i, INTERVAL (-1) DAY AS i, [INTERVAL 36 HOUR, NULL] AS l,"
        " {'a': INTERVAL 2 YEAR, 'INTERVAL': 'INTERVAL'} AS s, MAP {'x': INTERVAL 1 DAY} AS m, 1 AS n,"
        " NULL::INTERVAL AS z, INTERVAL 9999999 YEAR AS far; -- done"
    )
    answer = history.query(sql)
    assert answer.columns == ["i", "i_2", "l", "s", "m", "n", "z", "far"]
    assert answer.types[:2] == ["INTERVAL", "INTERVAL"]
    in_structs = {"a": "2 years", "INTERVAL": "INTERVAL"}
    assert answer.rows == [(
        "1 month 2 days 03:04:05", "-1 day", ["36:00:00", None], in_structs, {"x": "1 day"}, 1, None, "9999999 years"
    )]  # fmt: skip


def test_intervals_stay_in_the_requested_order(history: History) -> None:
    answer = history.query("SELECT to_days((range * 7 % 1000)::INTEGER) FROM range(1000) ORDER BY (range * 7) % 1000")
    assert [row[0] for row in answer.rows[:3]] == ["00:00:00", "1 day", "2 days"]
    assert [row[0] for row in answer.rows[1:]] == [f"{days} day{'s' * (days > 1)}" for days in range(1, 1000)]


def test_values_that_python_has_not_are_explained(history: History) -> None:
    assert refusal(history, "SELECT (INTERVAL 9999999 YEAR)::VARIANT").endswith("write CAST(… AS VARCHAR)")


def test_half_a_sign_is_no_text(history: History) -> None:
    sql = "SELECT '\ud800'"
    assert refusal(history, sql) == f"the query has characters that UTF-8 cannot encode: {sql!r}"


def test_values_are_those_that_json_has(history: History) -> None:
    sql = (
        "SELECT DATE '2026-01-05' AS d, 1.5 AS r, 'nan'::DOUBLE AS n, [1, NULL] AS l, {'a': 1} AS s, 'ab'::BLOB AS b,"
        " 170141183460469231731687303715884105727 AS h"
    )
    assert history.query(sql).rows == [("2026-01-05", 1.5, None, [1, None], {"a": 1}, "6162", 2**127 - 1)]


def worked_s(pid: str) -> float:
    """Return the processor time of a process, on any core."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_query_ends_with_the_process_that_started_it(ledger: Path) -> None:
    """A killed process cannot end its query, which has a minute left."""
    sql = "SELECT count(*) FROM plays a, plays b, plays c, plays d, plays e, plays f"
    words = [sys.executable, "-m", "ledger", "--ledger", str(ledger), "query", sql]
    command = subprocess.Popen(words, cwd=ROOT)
    children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
    wait_until(children.read_text)
    (child,) = children.read_text().split()
    wait_until(lambda: worked_s(child) > 0.7)  # more than loading takes
    command.kill()
    command.wait()
    process = Path(f"/proc/{child}/stat")
    wait_until(lambda: not process.exists() or process.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("full", [("request.json",), ("answer.ndjson",), ("answer.ndjson", "refusal.json")])
def test_full_disk(history: History, full: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Any of the files between the two processes may find no space."""

    def made(**given: object) -> AbstractContextManager[str]:
        for name in full:
            (tmp_path / name).symlink_to("/dev/full")
        return nullcontext(str(tmp_path))

    monkeypatch.setattr(tempfile, "TemporaryDirectory", made)
    with pytest.raises(QueryError, match=r"no room for the answer in .*; ask for less") as refused:
        history.query("SELECT 1")
    assert refused.value.code == "query_refused"


def test_no_folder_for_temporary_files_is_said(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null/none")
    with pytest.raises(QueryError, match="no room for the answer in /dev/null/none"):
        history.query("SELECT 1")


@pytest.mark.soak
def test_no_listing_reveals_where_the_read_model_lies(history: History, ledger: Path) -> None:
    functions = history.query(
        "SELECT DISTINCT function_name || ['()', '(''history'')'][len(parameters) + 1] FROM duckdb_functions()"
        " WHERE function_type = 'table' AND len(parameters) < 2"
    )
    views = history.query("SELECT DISTINCT schema_name || '.' || view_name FROM duckdb_views() WHERE internal")
    questions = [f"FROM {name}" for (name,) in [*functions.rows, *views.rows]]
    answered = 0
    for sql in [*questions, "SHOW DATABASES", "SHOW ALL TABLES", "SELECT current_database(), current_query()"]:
        try:
            shown = str(history.query(sql).rows)
            answered += 1
        except QueryError as refused:
            shown = str(refused)
        assert str(ledger.parent) not in shown, sql
    assert answered > 20
    print(f"{answered} of {len(questions)} listings answered")
