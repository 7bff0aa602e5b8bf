"""The words of the pages, from their catalogue."""

from typing import Final

from ledger.i18n import labels, phrases

say: Final = labels("ledger.text.site")
phrase: Final = phrases("ledger.text.site")
