"""The sentences that only this game's refusals are made of; `messages/` has them by key."""

from typing import Final

from ledger.i18n import phrases

phrase: Final = phrases("ledger.games.kop")
