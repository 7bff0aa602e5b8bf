"""The error messages of this package; `messages/` holds them by key."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.access")
