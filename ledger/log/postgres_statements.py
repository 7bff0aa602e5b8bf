"""The statements of a ledger in a PostgreSQL database.

Those of an append contain their values, because several statements can then be one message to the server: a whole
append takes two, and one while nobody else writes. A server also ends the transaction of a client that stops within
such a message, which it does not between the messages of a statement with parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from ledger.log.base import Head, Row
from ledger.log.postgres_connection import STALLED_S

READ_CHUNK: Final = 4096
"""Rows read at once: between chunks a reader holds no snapshot, and memory stays bounded."""

QUEUE: Final = 0x74_72_63_6B
"""The first half of the advisory lock of each ledger; the second is its number, 0 while a ledger is created."""

SYNCHRONOUS: Final = (
    "set_config('synchronous_commit', "
    "CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)"
)
"""What is acknowledged is on disk, whatever the server's settings say; they may ask for more."""

_TIME: Final = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
_COLUMNS: Final = (
    f"position, stream, version, id::text, {_TIME.format('recorded_at')}, recorded_by, {_TIME.format('happened_at')}, "
    "convert_to(event, 'UTF8'), digest"
)
ENTRIES: Final = f"SELECT {_COLUMNS} FROM trickledger.entries WHERE ledger = %s"
READ: Final = f"{ENTRIES} AND position > %s AND position <= %s ORDER BY position LIMIT {READ_CHUNK}"
READ_STREAM: Final = f"{ENTRIES} AND stream = %s AND version > %s AND position <= %s ORDER BY version"
BY_IDS: Final = f"{ENTRIES} AND id = ANY(%s::uuid[])"
AT_POSITIONS: Final = f"{ENTRIES} AND position = ANY(%s)"
DIGESTS_AT: Final = "SELECT position, digest FROM trickledger.entries WHERE ledger = %s AND position = ANY(%s)"
HEAD: Final = "SELECT position, digest FROM trickledger.heads WHERE ledger = %s"
NAMES: Final = "SELECT names FROM trickledger.heads WHERE ledger = %s"
_VERSIONS: Final = """
  SELECT wanted.stream, last.version
  FROM unnest(ARRAY[{streams}]::text[]) AS wanted (stream) CROSS JOIN LATERAL (
    SELECT version FROM trickledger.entries
    WHERE ledger = {ledger} AND entries.stream = wanted.stream ORDER BY version DESC LIMIT 1) AS last"""
STREAMS: Final = """
  SELECT stream, last.version, last.position
  FROM trickledger.entries AS first CROSS JOIN LATERAL (
    SELECT version, position FROM trickledger.entries AS later
    WHERE later.ledger = first.ledger AND later.stream = first.stream ORDER BY version DESC LIMIT 1) AS last
  WHERE first.ledger = %s AND first.version = 1 AND starts_with(stream, %s)
  ORDER BY first.position"""
HEAD_AND_LAST: Final = """
  SELECT heads.position, heads.digest, last.position, last.digest
  FROM trickledger.heads LEFT JOIN LATERAL (
    SELECT position, digest FROM trickledger.entries
    WHERE entries.ledger = heads.ledger ORDER BY position DESC LIMIT 1) AS last ON true
  WHERE heads.ledger = %s"""
GUARDS: Final = """
  SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE %s > 0 AND relnamespace = 'trickledger'::regnamespace AND tgenabled IN ('O', 'A')"""
LEDGER: Final = """
  SELECT ledger, ledger_id::text, format, to_jsonb(ledgers) ->> 'names' FROM trickledger.ledgers WHERE name = %s"""
"""A database without a ledger with handles may lack the column `names`."""
PEOPLE: Final = """
  SELECT 'display_names', player, name FROM trickledger.display_names WHERE ledger = %s
  UNION ALL SELECT 'player_links', spelling, player FROM trickledger.player_links WHERE ledger = %s
  UNION ALL SELECT 'hidden_players', player, NULL FROM trickledger.hidden_players WHERE ledger = %s"""


def begin(ledger: int, lock_timeout_s: float) -> str:
    """Return the statements that begin a transaction, wait for the turn, and return the head as the last result.

    Each statement sees what was committed before it began, so the head is read after the wait.
    """
    return (
        f"{_turn(ledger, lock_timeout_s)};"
        f"SELECT position, digest, names FROM trickledger.heads WHERE ledger = {ledger} FOR NO KEY UPDATE"
    )


def _turn(ledger: int, lock_timeout_s: float) -> str:
    """Return the statements that begin a transaction and wait for the turn.

    Settings hold for this transaction alone, as a pooler may give the session to others afterwards.
    """
    return (
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
        f"SELECT {SYNCHRONOUS}, set_config('idle_in_transaction_session_timeout', '{STALLED_S}s', true),"
        f"set_config('lock_timeout', '{max(1, round(lock_timeout_s * 1000))}', true);"
        f"SELECT pg_advisory_xact_lock({QUEUE}, {ledger})"
    )


def lookup(ledger: int, ids: Collection[str], streams: Collection[str]) -> str:
    """Return two statements: for the entries with these ids, and for the last versions of these streams, if any."""
    entries = ENTRIES.replace("%s", str(ledger))
    versions = _VERSIONS.format(ledger=ledger, streams=",".join(map(_literal, streams)))
    return f"{entries} AND id = ANY('{{{','.join(ids)}}}');{versions}"


def insert(ledger: int, rows: Iterable[Row]) -> str:
    """Return the statement that writes rows (a twentieth of the processor of one with parameters)."""
    return f"INSERT INTO trickledger.entries VALUES {','.join([_values(ledger, row) for row in rows])}"


def commit(ledger: int, rows: Sequence[Row], head: Head) -> str:
    """Return the statements that write the last rows and the head, and commit."""
    return _commit(ledger, rows, head, str(head.position))


def append(lock_timeout_s: float, before: Head, names: int, ledger: int, rows: Sequence[Row], head: Head) -> str:
    """Return the statements of a whole transaction that appends rows to the ledger as of `before`.

    It fails (SQLSTATE class 23) if that is not the head, or `names` is another number, for the position of a head is
    never null; or if an id or a version is recorded already.
    """
    position = f"CASE WHEN digest = {_binary(before.digest)} AND names = {names} THEN {head.position} END"
    return f"{_turn(ledger, lock_timeout_s)};{_commit(ledger, rows, head, position)}"


def prevent(ledger: int) -> str:
    """Return the statements that commit, and let each `append` fail that the server has not begun yet."""
    return f"UPDATE trickledger.heads SET names = names + 1 WHERE ledger = {ledger};COMMIT"


def _commit(ledger: int, rows: Sequence[Row], head: Head, position: str) -> str:
    return (
        f"UPDATE trickledger.heads SET position = {position}, digest = {_binary(head.digest)} WHERE ledger = {ledger};"
        + (f"{insert(ledger, rows)};" if rows else "")
        + "COMMIT"
    )


def _values(ledger: int, row: Row) -> str:
    happened_at = "NULL" if row.happened_at is None else _literal(row.happened_at)
    return (
        f"({ledger},{row.position},{_literal(row.stream)},{row.version},{_literal(row.id)},"
        f"{_literal(row.recorded_at)},{_literal(row.recorded_by)},{happened_at},"
        f"{_literal(row.payload.decode())},{_binary(row.digest)})"
    )


def _binary(value: bytes) -> str:
    return f"E'\\\\x{value.hex()}'"


def _literal(text: str) -> str:
    """Return a text without U+0000 as SQL, whatever `standard_conforming_strings` says."""
    quoted = text.replace("'", "''")
    return f"'{quoted}'" if "\\" not in text else "E'" + quoted.replace("\\", "\\\\") + "'"
