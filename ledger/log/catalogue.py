"""The messages of errors of the log, by key (`messages/`)."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.log")
