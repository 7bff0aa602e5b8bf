"""The texts of session reports, in a language."""

from __future__ import annotations

from typing import Any

from ledger.i18n import Words, sentence


def label(lang: str, key: str, **values: Any) -> str:
    """A text of the report by its key."""
    return sentence(__package__ or "ledger.text.session", Words(key, values), (), lang)
