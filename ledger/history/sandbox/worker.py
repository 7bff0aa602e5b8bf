"""The program in the sandbox: it answers one query in a process that has dropped its privileges first.

`runner` starts this file as a program of its own, in an empty folder, so it imports nothing of this package. It reads
`request.json` and writes `answer.ndjson` (columns and types, then a row a line) or `answer/answer.parquet`; without an
answer, `refusal.json` gives the reason.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import resource
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from datetime import time as clock_time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

REQUEST, ANSWER, REFUSAL, PARQUET = "request.json", "answer.ndjson", "refusal.json", "answer/answer.parquet"

NO_ROOM: Final = 3
"""Exit status if not even a refusal could be written."""

_DUCKDB_SHARE: Final = 0.75
"""DuckDB's own limit comes first, because it can name what was too much; the system's limit catches the rest."""

_FILES_OF_VIEWS: Final = 4_000
"""The most files that a query of a lake has open at once; DuckDB opens none but those of its views."""

_FETCHED_ROWS: Final = 1_000
_REVEALS_MACHINE: Final = re.compile(
    r"""\b(?: (?:duckdb|pragma)_(?: databases? | database_(?:list|size) | settings | secrets? | logs?\w* | extensions
             | temporary_files ) | database_(?:list|size) | current_setting | pg_settings | which_secret
             | json_execute_serialized_sql )\b
      | \bquery(?:_table)?"?(?: [\s\u200b-\u200d\u2060\ufeff] | /\*.*?\*/ | --[^\r\n]*[\r\n] )*\(""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""Names of functions that show paths and settings; and `query` and its like, which could compose such a name. Matched
even within texts, to be on the safe side. DuckDB treats signs of no width as blanks.
"""


_QUOTED: Final = r"""(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')"""
"""In the name of a type: the name of a field, or a word of an enumeration."""

_NOT_PYTHON: Final = re.compile(rf"{_QUOTED}|\bINTERVAL\b|\bTIMESTAMP WITH TIME ZONE\b")
_JSON: Final = re.compile(rf"{_QUOTED}|\bJSON\b")
"""In the name of a type, perhaps within others."""

_SUBSTITUTES: Final = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMP"}
"""The type that an answer has instead; text for any other. The connection's time zone is UTC."""

_ADVICE_TO_SET: Final = re.compile(r'\s*Use "?SET [^.]*\.')
"""DuckDB's advice to change a setting, which a query here cannot do."""


class QueryRefused(Exception):
    """A query without an answer: the kind of reason, and words with details."""

    def __init__(self, kind: str, words: str = "") -> None:
        super().__init__(kind)
        self.kind, self.words = kind, words


def plain(value: Any) -> Any:
    """Return a value of SQL as JSON has it: types that JSON lacks become text, NaN and infinity null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return _plain_decimal(value)
        case date() | clock_time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(plain(key)): plain(item) for key, item in value.items()}
        case UUID() | timedelta():
            return str(value)
        case _:
            return str(value)


def _plain_decimal(value: Decimal) -> int | float | None:
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def main() -> None:
    """Answer the request in this folder, then exit."""
    request = json.loads(Path(REQUEST).read_bytes())
    sys.path[:] = request["import_path"]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.alarm(math.ceil(request["seconds"]) + 1)  # in case that thread gets no processor time
    with suppress(OSError):  # when memory runs out, this process is killed first
        Path("/proc/self/oom_score_adj").write_text("1000")
    try:
        _answer(request)
    except QueryRefused as refused:
        try:
            Path(REFUSAL).write_text(json.dumps([refused.kind, refused.words]))
        except OSError:
            os._exit(NO_ROOM)
    os._exit(0)  # the answer is written: skip DuckDB's shutdown


def _end_with_parent() -> None:
    """End this process with the one that started it: its standard input is a pipe that nobody writes to."""
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def _answer(request: dict[str, Any]) -> None:
    import duckdb

    try:
        with Path(ANSWER).open("w", encoding="utf-8") as answer:
            connection = _connected(request)
            _drop_privileges(request)
            statement = _reading_statement(connection, request["sql"])
            if request["is_parquet"]:
                _write_parquet(connection, statement, request["max_rows"])
            else:
                _write_rows(connection, statement, request["max_rows"], answer)
    except (MemoryError, RecursionError) as error:
        raise QueryRefused("memory") from error
    except OSError as error:
        raise QueryRefused("size" if error.errno == errno.EFBIG else "disk") from error
    except duckdb.Error as error:
        raise _refusal(duckdb, error) from error
    except (ValueError, OverflowError) as error:
        raise QueryRefused("value") from error


def _database(threads: int, memory_bytes: int) -> DuckDBPyConnection:
    """Return a new database in memory with these limits."""
    import duckdb

    return duckdb.connect(
        config={
            "python_enable_replacements": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "temp_directory": "",
            "threads": threads,
            "memory_limit": _duckdb_limit(memory_bytes),
        }
    )


def _duckdb_limit(memory_bytes: int) -> str:
    return f"{memory_bytes * _DUCKDB_SHARE / 1e6:.0f}MB"


def _connected(request: dict[str, Any]) -> DuckDBPyConnection:
    """Connect to the read model as it is now, without access to anything else."""
    connection = _database(request["threads"], request["memory_bytes"])
    path = request["read_model"].replace("'", "''")
    connection.execute(f"ATTACH '{path}' AS history (READ_ONLY)")
    connection.execute("USE history")
    if request["is_parquet"]:
        Path(PARQUET).parent.mkdir()
        connection.execute(f"SET allowed_directories = ['{Path(PARQUET).parent}']")
    connection.execute("SET TimeZone = 'UTC'")
    allow_only(connection, request["files"])
    return connection


def allow_only(connection: DuckDBPyConnection, files: Sequence[str]) -> None:
    """Allow a connection to read these files, but no others, no extensions and no network, for good."""
    if files:
        quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in files)
        connection.execute(f"SET allowed_paths = [{quoted}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _drop_privileges(request: dict[str, Any]) -> None:
    """Limit memory and processor time of this process, and forbid it to open files and connections."""
    if sys.platform == "linux":  # other systems ignore or reject this limit
        _limit(resource.RLIMIT_AS, _mapped_bytes() + request["memory_bytes"])
    _limit(resource.RLIMIT_CPU, math.ceil(request["seconds"]) * request["threads"] + 1)
    _limit(resource.RLIMIT_FSIZE, request["answer_bytes"])
    _limit(resource.RLIMIT_CORE, 0)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    more = _FILES_OF_VIEWS if request["files"] else 2 if request["is_parquet"] else 0
    _limit(resource.RLIMIT_NOFILE, lowest_free + more)  # the answer is open already


def _limit(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(which, (most, most))


def _mapped_bytes() -> int:
    """Return the memory that this process has mapped so far, most of it unused."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _reading_statement(connection: DuckDBPyConnection, sql: str) -> Statement:
    from duckdb import StatementType

    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise QueryRefused("not one")
    try:
        is_reading = statements[0].type in (StatementType.SELECT, StatementType.EXPLAIN)
    except ValueError:  # a kind that DuckDB's enumeration lacks, e.g. UPDATE EXTENSIONS
        is_reading = False
    if not is_reading:
        raise QueryRefused("not reading")
    match = _REVEALS_MACHINE.search(sql)
    if match is not None:
        raise QueryRefused("machine", match[0])
    return statements[0]


def _write_rows(connection: DuckDBPyConnection, statement: Statement, max_rows: int, answer: Any) -> None:
    columns = _columns_before(connection, statement)
    has_others = any(_with_substitutes(_NOT_PYTHON, kind) != kind for _, kind in columns)
    cursor = connection.execute(_with_python_types(statement, columns) if has_others else statement)
    if not has_others:
        columns = [(name, str(kind)) for name, kind, *_ in cursor.description or ()]
    answer.write(json.dumps([[name for name, _ in columns], [kind for _, kind in columns]]) + "\n")
    count = 0
    while rows := cursor.fetchmany(_FETCHED_ROWS):
        count += len(rows)
        if count > max_rows:
            raise QueryRefused("rows")
        answer.writelines(json.dumps(plain(row)) + "\n" for row in rows)


def _columns_before(connection: DuckDBPyConnection, statement: Statement) -> list[tuple[str, str]]:
    """Return names and types of the answer before it is made; none if DuckDB cannot describe the statement."""
    import duckdb

    try:
        return [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {statement.query}").fetchall()]
    except duckdb.Error:
        return []


def _with_python_types(statement: Statement, columns: Sequence[tuple[str, str]]) -> str:
    """Return the statement with intervals as DuckDB writes them, and moments in UTC.

    Python's intervals have no months and end with 999,999,999 days; for a time zone DuckDB needs a module of its own.
    """
    names = [f"c{number}" for number in range(len(columns))]
    cast = ", ".join(
        f"CAST({name} AS {_with_substitutes(_NOT_PYTHON, kind)})"
        for name, (_, kind) in zip(names, columns, strict=True)
    )
    return f"SELECT {cast} FROM (\n{_without_semicolon(statement.query)}\n) AS answer({', '.join(names)})"


def _with_substitutes(part: re.Pattern[str], kind: str) -> str:
    """Return the type with each matching part replaced."""
    return part.sub(lambda match: match["quoted"] or _SUBSTITUTES.get(match[0], "VARCHAR"), kind)


def _write_parquet(connection: DuckDBPyConnection, statement: Statement, max_rows: int) -> None:
    """Write the answer as Parquet, with JSON as text: other programs do not know Parquet's JSON type."""
    answer = connection.sql(_without_semicolon(statement.query)).limit(max_rows + 1)
    selected = []
    for number, (name, kind) in enumerate(zip(answer.columns, map(str, answer.types), strict=True), start=1):
        quoted = name.replace('"', '""')
        selected.append(
            f'CAST(#{number} AS {_with_substitutes(_JSON, kind)}) AS "{quoted}"' if _JSON.search(kind) else f"#{number}"
        )
    answer.project(", ".join(selected)).to_parquet(PARQUET, compression="zstd")
    counted = connection.execute(f"SELECT sum(num_rows) FROM parquet_file_metadata('{PARQUET}')").fetchone()
    if counted is not None and counted[0] > max_rows:
        raise QueryRefused("rows")


def _without_semicolon(sql: str) -> str:
    """Return the statement without its `;`, so that it can be part of a larger one."""
    import duckdb

    typed = sql.encode()
    ends = [offset for offset, kind in duckdb.tokenize(sql) if kind == duckdb.token_type.operator]
    return typed[: ends[-1]].decode() if ends and typed[ends[-1] : ends[-1] + 1] == b";" else sql


def _refusal(duckdb: Any, error: Exception) -> QueryRefused:
    """Return DuckDB's error as a refusal of one of our kinds."""
    words = str(error)
    if isinstance(error, duckdb.OutOfMemoryException) or re.search(r"bad_?alloc|failed to allocate", words):
        return QueryRefused("memory")
    if isinstance(error, duckdb.PermissionException | duckdb.HTTPException) or "disabled by configuration" in words:
        return QueryRefused("outside")
    if "orrupt" in words:
        return QueryRefused("damaged", words.splitlines()[0])
    if isinstance(error, duckdb.IOException):
        return QueryRefused("size" if "too large" in words else "disk" if "No space" in words else "outside")
    if re.search(r"lambda arrow \(->\)", words):
        return QueryRefused("lambda")
    if re.search(r"try installing and loading .* extension", words):
        return QueryRefused("outside")
    return QueryRefused("sql", _on_one_line(_ADVICE_TO_SET.sub("", words)))


def _on_one_line(words: str) -> str:
    """Return DuckDB's message with the place that it points at."""
    message, _, place = words.partition("\n\nLINE ")
    line, _, pointer = place.partition("\n")
    text = " ".join(message.split())
    if not pointer.strip().startswith("^"):
        return text
    at = line.partition(": ")[2][pointer.index("^") - len("LINE ") - len(line.partition(": ")[0]) - 2 :]
    return f"{text} (at {at.strip()[:40]!r})" if at.strip() else text


if __name__ == "__main__":
    main()
