"""The words of the pages, from their catalogue."""

from collections.abc import Sequence
from typing import Final

from ledger.i18n import as_written, labels, phrases
from ledger.table.answers import Line
from ledger.text.score import payer_and_payee

say: Final = labels("ledger.text.site")
phrase: Final = phrases("ledger.text.site")


def between_whom(line: Line, players: Sequence[str], lang: str) -> tuple[str, str]:
    """Return the payer and the payee of a payment in words."""
    source, target = payer_and_payee(line, players, lang)
    return (
        source if isinstance(line.source, int) else as_written(source),
        target if isinstance(line.target, int) else as_written(target),
    )


def begun(text: str) -> str:
    """With a capital letter, where there are such."""
    return text[:1].upper() + text[1:]


def sentence(lang: str, text: str) -> str:
    """What a program is told in a line, as a sentence of a page."""
    return begun(text) if text.endswith((".", "?", "。")) else say(lang, "replay.stop", text=begun(text))
