"""Titles and axes of plots, and the sentences that errors of this room are made of, by key."""

from __future__ import annotations

from typing import Final

from ledger.i18n import labels, phrases

label: Final = labels("ledger.plots")
phrase: Final = phrases("ledger.plots")
