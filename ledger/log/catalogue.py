"""The sentences that errors of the log are made of; `messages/` has them by key."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.log")
