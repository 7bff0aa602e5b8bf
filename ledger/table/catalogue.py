"""The messages of errors of a table, by key (`messages/`)."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.table")
