"""The sentences that errors of this room are made of; `messages/` has them by key."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.table")
