"""Connections to the ledgers in a PostgreSQL database, and the translation of its errors; none of psycopg leaves this
package.

A password is never part of an address: libpq reads it from PGPASSFILE or PGPASSWORD.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError, MalformedError, UnreadableError
from ledger.extras import module_of_extra
from ledger.i18n.library_errors import localised
from ledger.log.catalogue import phrase

if TYPE_CHECKING:
    import psycopg

FORMAT_VERSION: Final = 1

SCHEMA: Final = Path(__file__).with_name("postgres.sql")

STALLED_S: Final = 5
"""A writer that stops within its transaction for so long loses its connection, and the next one goes on.

It is shorter than the time for which writers wait for their turn, so that those who wait then need not fail.
"""

_CONNECT_S: Final = 10

_VANISHED_S: Final = 10

_SECRETS: Final = ("password", "sslpassword")

_SETTINGS: Final[dict[str, str | int]] = {
    "application_name": "trickledger",
    "connect_timeout": _CONNECT_S,
    "client_encoding": "UTF8",
    "keepalives_idle": _VANISHED_S,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": _VANISHED_S * 1000,
}
"""Parameters of libpq for what an address leaves open: a server that vanished is noticed within seconds."""


class PostgresAddress(Struct, frozen=True):
    """An address such as `postgresql://anna@db.example/cards#friday`: a URL of libpq, and the name of a ledger."""

    url: str
    name: str

    def __str__(self) -> str:
        return f"{self.url}#{self.name}"


def parse_address(text: str) -> PostgresAddress:
    """Return the parts of an address. Raise `MalformedError` if it has a password, or no valid name of a ledger."""
    url, _, name = text.partition("#")
    try:
        parts = urlsplit(url)
        has_password = parts.password is not None or any(key in _SECRETS for key, _ in parse_qsl(parts.query))
    except ValueError:
        raise MalformedError(phrase("form.not_postgres"), phrase("form.postgres")) from None
    if has_password:
        raise MalformedError(phrase("postgres.password"), phrase("postgres.no_password"))
    if not name or not name.isascii() or not name.replace("-", "a").replace("_", "a").replace(".", "a").isalnum():
        raise MalformedError(phrase("postgres.no_name"), phrase("form.postgres"), text)
    return PostgresAddress(url, name)


def psycopg_module() -> ModuleType:
    """Import psycopg. Raise `MissingExtraError` where the extra `postgres` is not installed."""
    return module_of_extra("postgres", "psycopg")


def connect(address: PostgresAddress) -> psycopg.Connection[Any]:
    """Return a new connection that commits each statement by itself. Raise `LedgerError` if there is none.

    It prepares no statements: behind a pooler another client's statement may have the same name.
    """
    module = psycopg_module()
    try:
        given = module.conninfo.conninfo_to_dict(address.url)
        settings = {key: value for key, value in _SETTINGS.items() if key not in given}
        connection: psycopg.Connection[Any] = module.connect(
            address.url, autocommit=True, prepare_threshold=None, **settings
        )
    except module.Error as error:
        raise translated(error, address) from None
    return connection


def translated(error: psycopg.Error, address: PostgresAddress, *, timeout_s: float = 0.0) -> LedgerError:
    """Return the error of this package for one of PostgreSQL or libpq.

    States: https://www.postgresql.org/docs/current/errcodes-appendix.html
    """
    state = error.sqlstate or ""
    why = localised(_first_line(error))
    match state[:2], state:
        case _, "25P03" | "25P04":
            return ConflictError("busy", phrase("postgres.not_committed", file=address))
        case _, "55P03" | "57014" | "40001" | "40P01":
            return ConflictError("locked", phrase("locked", file=address, timeout_s=timeout_s))
        case _, "25006":
            return ConflictError("read_only", phrase("read_only", file=address, why=why))
        case _, "42501":
            return ConflictError("read_only", phrase("postgres.not_granted", file=address, why=why))
        case _, "53100":
            return UnreadableError("no_space", phrase("no_space", file=address))
        case "53", _:
            return ConflictError("busy", phrase("postgres.unreachable", file=address, why=why))
        case "28", _:
            return UnreadableError("forbidden", phrase("postgres.forbidden", file=address, why=why))
        case _, "3D000" | "3F000" | "42P01":
            return no_ledger(address)
        case "23", _:
            return UnreadableError("damaged", phrase("damaged_file", file=address, why=why))
    if not state and "password" in str(error):
        return UnreadableError("forbidden", phrase("postgres.forbidden", file=address, why=why))
    said = phrase("postgres.unreachable", file=address, why=why)
    return UnreadableError("unreachable", said) if is_lost(error) else UnreadableError("disk", said)


def is_passing(error: psycopg.Error) -> bool:
    """Return whether the same transaction may succeed on another connection, or at another moment."""
    state = error.sqlstate or ""
    if not state:  # from libpq or psycopg, of the connection
        return type(error).__name__ in ("OperationalError", "InterfaceError")
    return (state[:2] in ("08", "57") and state != "57014") or state in ("40001", "40P01", "25P03", "25P04")


def is_lost(error: psycopg.Error) -> bool:
    """Return whether the server may have executed the statement: the error is of the connection."""
    return is_passing(error) and (error.sqlstate or "")[:2] in ("", "08", "57")


def no_ledger(address: PostgresAddress) -> UnreadableError:
    """Return the error for a database, or a name in it, without a ledger."""
    return UnreadableError("no_ledger", phrase("postgres.no_ledger", file=address))


def _first_line(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error).strip().split("\n")[0]
