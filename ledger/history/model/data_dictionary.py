"""The data dictionary of an export: for each table and column the type, the unit and the meaning, in every language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, json, structs

from ledger.events import CONTRACT_VERSION
from ledger.history.model.schema import Meta, column_meaning, column_unit, row_meaning
from ledger.i18n import LANGUAGES

FILE: Final = "dictionary.json"
"""What it is called in the folder of an export."""

KEY: Final = "trickledger"
"""Under which each Parquet file has its own table's part, among its key-value metadata."""


class DictionaryColumn(Struct, frozen=True, kw_only=True):
    """A column as it is written. `unit`, `meaning`: by language; `unit` is null where there is none."""

    name: str
    type: str
    unit: dict[str, str] | None
    meaning: dict[str, str]


class DictionaryTable(Struct, frozen=True, kw_only=True):
    """A table or view. `partitioned_by`: the columns in the names of its folders."""

    table: str
    meaning: dict[str, str]
    partitioned_by: list[str]
    columns: list[DictionaryColumn]


class DataDictionary(Struct, frozen=True, kw_only=True):
    """What an export holds, and the last entry of the ledger in it.

    `contract`: the version of the ledger's format; `read_model`: that of the tables. `zone`: the time zone of days.
    """

    position: int
    digest: str | None
    ledger_id: str | None
    contract: int
    read_model: str
    zone: str
    tables: list[DictionaryTable]

    def as_file(self) -> bytes:
        """Return the content of its file."""
        return json.format(json.encode(self), indent=2) + b"\n"

    def part(self, table: str) -> str:
        """Return the part of one table, with the same head, for the metadata of its Parquet files."""
        own = structs.replace(self, tables=[one for one in self.tables if one.table == table])
        return json.encode(own).decode()


def data_dictionary(meta: Meta, tables: Sequence[DictionaryTable]) -> DataDictionary:
    """Return the dictionary of these tables, as of the head of a read model."""
    return DataDictionary(
        position=meta.head.position,
        digest=meta.head.digest,
        ledger_id=meta.ledger_id,
        contract=CONTRACT_VERSION,
        read_model=meta.schema_version,
        zone=meta.zone,
        tables=list(tables),
    )


def dictionary_column(table: str, name: str, kind: str) -> DictionaryColumn:
    """Return what the catalogues know of a column."""
    units = {lang: unit for lang in LANGUAGES if (unit := column_unit(name, kind, lang)) is not None}
    meanings = {lang: column_meaning(table, name, lang) or "" for lang in LANGUAGES}
    return DictionaryColumn(name=name, type=kind, unit=units or None, meaning=meanings)


def meanings_of(table: str) -> dict[str, str]:
    """Return what one row of the table is, by language."""
    return {lang: row_meaning(table, lang) or "" for lang in LANGUAGES}
