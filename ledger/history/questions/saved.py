"""SQL as people type it, and the questions saved by name as .sql files in a folder next to the ledger."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import duckdb

from ledger import limits
from ledger.errors import ConflictError, NotFoundError, UnreadableError, refused_by_system
from ledger.history.catalogue import phrase
from ledger.i18n.library_errors import localised
from ledger.log.atomic_files import publish, write_whole
from ledger.log.paths import questions_of
from ledger.names import hint
from ledger.outside import read_text_file

_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{limits.SLUG_CHARS - 1}}}")


KEYWORDS: Final = """
    SELECT FROM WHERE GROUP BY ALL HAVING ORDER LIMIT OFFSET DISTINCT AS WITH RECURSIVE JOIN LEFT INNER CROSS ON USING
    UNION EXCEPT INTERSECT AND OR NOT NULL IS IN BETWEEN LIKE ILIKE CASE WHEN THEN ELSE END FILTER OVER PARTITION
    QUALIFY ASC DESC NULLS FIRST LAST VALUES CAST TRUE FALSE DESCRIBE SUMMARIZE SHOW TABLES EXPLAIN PIVOT UNPIVOT
    INTERVAL DATE TIMESTAMP count sum avg min max median round coalesce nullif string_split list_contains unnest rank
    row_number lag lead wilson_low wilson_high
""".split()  # noqa: SIM905 - eighty lines of a list would be less readable
"""Words of SQL that prompts complete."""


def is_name(name: str) -> bool:
    """Return whether the text can name a saved query; no SQL is a single word in small letters."""
    return _NAME.fullmatch(name) is not None


class SavedQuestions:
    """The saved queries of a ledger."""

    def __init__(self, ledger_path: Path) -> None:
        self.folder = questions_of(ledger_path)

    def names(self) -> list[str]:
        """Return the names of all saved queries, sorted."""
        return sorted(path.stem for path in self.folder.glob("*.sql") if is_name(path.stem))

    def sql(self, name: str) -> str:
        """Return the SQL of a saved query. Raise `NotFoundError` naming those that exist, and the errors of
        `read_text_file`.
        """
        try:
            return read_text_file(self._path(name if is_name(name) else ""), "question", limits.QUERY_CHARS)
        except FileNotFoundError:
            raise self._not_saved(name) from None
        except UnicodeDecodeError:
            raise NotFoundError("not_found", phrase("question.not_utf8", file=self._path(name))) from None

    def _not_saved(self, name: str) -> NotFoundError:
        known = tuple(self.names())
        if not known:
            return NotFoundError("not_found", phrase("question.none_yet", text=name, folder=self.folder))
        suggestion = hint(name, known, phrase("question.there_are", known=known))
        return NotFoundError(
            "not_found", phrase("question.no_such", text=name, folder=self.folder, hint=suggestion), known=known
        )

    def refuse_taken(self, name: str) -> None:
        """Raise `NotFoundError` for an impossible name, `ConflictError` for the name of a saved query.

        Raise `UnreadableError` without permission to save any.
        """
        if not is_name(name):
            raise NotFoundError("usage", phrase("question.no_name", text=name, limit=limits.SLUG_CHARS))
        if self._path(name).exists():
            raise ConflictError("exists", phrase("question.exists", file=self._path(name)))
        if not os.access(self.folder if self.folder.exists() else self.folder.parent, os.W_OK | os.X_OK):
            raise UnreadableError("forbidden", phrase("question.forbidden", folder=self.folder))

    def save(self, name: str, sql: str) -> Path:
        """Save the SQL. Raise the errors of `refuse_taken`, and `UnreadableError` if the disk refuses."""
        self.refuse_taken(name)
        return self._write(name, sql, publish)

    def replace(self, name: str, sql: str) -> bool:
        """Save the SQL, in place of a question of that name; return whether there was one.

        Raise `NotFoundError` for an impossible name, and the errors of `save`.
        """
        is_there = is_name(name) and self._path(name).exists()
        if not is_there:
            self.save(name, sql)
            return False
        self._write(name, sql, Path.replace)
        return True

    def _write(self, name: str, sql: str, give_name: Callable[[Path, Path], object]) -> Path:
        path = self._path(name)
        try:
            self.folder.mkdir(exist_ok=True)
            write_whole(path, f"{sql.strip()}\n".encode(), 0o644, give_name)
        except FileExistsError:
            raise ConflictError("exists", phrase("question.exists", file=path)) from None
        except OSError as error:
            said = phrase("question.not_saved", file=path, why=localised(error.strerror))
            raise refused_by_system(error.errno, said) from None
        return path

    def remove(self, name: str) -> None:
        """Remove a saved query. Raise `NotFoundError` naming those that exist."""
        try:
            self._path(name if is_name(name) else "").unlink()
        except (FileNotFoundError, IsADirectoryError):
            raise self._not_saved(name) from None

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.sql"


def split_statements(text: str) -> tuple[list[str], str]:
    """Return the statements of a text that end in `;`, without it, and the text after the last one."""
    typed = text.encode()
    statements, start = [], 0
    for offset, kind in duckdb.tokenize(text):
        if kind == duckdb.token_type.operator and typed[offset : offset + 1] == b";":
            statements.append(typed[start:offset].decode().strip())
            start = offset + 1
    return list(filter(has_statement, statements)), typed[start:].decode()


def has_statement(text: str) -> bool:
    """Return whether the text has more than blanks and comments."""
    return any(kind != duckdb.token_type.comment for _, kind in duckdb.tokenize(text))
