"""When something is to end, as people type it: after a while, at an hour, with a day, at a moment."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from ledger.cli.errors import wrong_value
from ledger.cli.words import phrase
from ledger.zones import zone_named

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WHILE: Final = re.compile(r"([0-9]{1,6})([mhdw])", re.ASCII)
_HOUR: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def end_asked(option: str, text: str, now: datetime, tz: str | None) -> datetime:
    """`90d` from now, the next `22:00`, the end of `2026-12-31`, or `2026-12-31T22:00`; by the clocks of the zone, else
    of this machine. Raises `UsageError` for another text.
    """
    zone = None if tz is None else zone_named(tz)
    try:
        if (told := _WHILE.fullmatch(text)) is not None:
            return now + timedelta(**{_UNITS[told[2]]: int(told[1])})
        here = now.astimezone(zone)
        if (told := _HOUR.fullmatch(text)) is not None:
            at = time(int(told[1]), int(told[2]))
            return next(end for day in (0, 1) if (end := _at(here.date() + timedelta(days=day), at, here)) > now)
        if "T" not in text and " " not in text:
            return _at(date.fromisoformat(text) + timedelta(days=1), time(), here)
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo is not None else _at(moment.date(), moment.time(), here)
    except (ValueError, OverflowError):
        raise wrong_value(option, phrase("usage.no_end", text=text)) from None


def _at(day: date, at: time, here: datetime) -> datetime:
    """A day and an hour by the clocks of the zone that `here` is in."""
    return datetime.combine(day, at, here.tzinfo).astimezone(UTC)
