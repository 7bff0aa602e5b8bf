"""What pages call a table: events give it no title, so it is its number in its evening."""

from __future__ import annotations

from ledger.text.site.words import say


def table_title(table: str, session: str | None, evening: str | None, lang: str) -> str:
    """Return `Thursday club · table 2` for the table `thursday-club-2` of that evening.

    A table that is named otherwise keeps its name behind the evening's; one without an evening has nothing else.
    `evening`: the title of the session; None where nobody opened it.
    """
    if session is None or evening is None:
        return table
    number = table.removeprefix(f"{session}-")
    if number != table and number.isascii() and number.isdecimal():
        return say(lang, "frame.numbered_table", evening=evening, number=number)
    return say(lang, "frame.named_table", evening=evening, table=table)
