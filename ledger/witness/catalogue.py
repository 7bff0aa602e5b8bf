"""The messages of the witness, by key (`messages/`)."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.witness")
