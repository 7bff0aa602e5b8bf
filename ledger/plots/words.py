"""Titles and axes of plots, in a language."""

from __future__ import annotations

from typing import Final

from ledger.i18n import labels

label: Final = labels("ledger.plots")
