"""What the tables of the read model and their columns mean in a language, which stands in `messages/` alone."""

from __future__ import annotations

from typing import Final

from ledger.i18n import catalogue

_PACKAGE: Final = "ledger.history.model"


def row_meaning(table: str, lang: str = "en") -> str | None:
    """What one row of the table is; None where the catalogue does not know the table."""
    return _told(lang, f"{table}.row")


def column_meaning(table: str, column: str, lang: str = "en") -> str | None:
    """What the column says: in the table's own words, else in those for columns of that name; None without either."""
    return _told(lang, f"{table}.{column}", f"column.{column}")


def column_unit(column: str, kind: str, lang: str = "en") -> str | None:
    """What the column counts in, by its name, else by its type in SQL; None where it counts nothing."""
    return _told(lang, f"unit.{column}", f"unit.{kind.lower()}")


def _told(lang: str, *keys: str) -> str | None:
    words = catalogue(_PACKAGE, lang)
    return next((words[key].format() for key in keys if key in words), None)
