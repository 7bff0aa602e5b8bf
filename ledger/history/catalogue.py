"""The messages of errors in this package, by their keys in `messages/`."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.history")
