"""The messages of HTTP problems; `messages/` holds them by key."""

from typing import Final

from ledger.i18n import labels, phrases

label: Final = labels("ledger.web")
phrase: Final = phrases("ledger.web")
