"""Titles and axes of plots, in a language."""

from __future__ import annotations

from typing import Any

from ledger.i18n import Words, sentence


def label(lang: str, key: str, **values: Any) -> str:
    """A text of the plots by its key."""
    return sentence(__package__ or "ledger.plots", Words(key, values), (), lang)
