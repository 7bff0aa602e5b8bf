"""The words of the pages, from their catalogue."""

from typing import Final

from ledger.i18n import labels, phrases

say: Final = labels("ledger.text.site")
phrase: Final = phrases("ledger.text.site")


def begun(text: str) -> str:
    """With a capital letter, where there are such."""
    return text[:1].upper() + text[1:]


def sentence(lang: str, text: str) -> str:
    """What a program is told in a line, as a sentence of a page."""
    return begun(text) if text.endswith((".", "?", "。")) else say(lang, "replay.stop", text=begun(text))
