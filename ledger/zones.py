"""Time zones by IANA names, and recorded moments as local times."""

from __future__ import annotations

from datetime import datetime, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from ledger.errors import MalformedError
from ledger.i18n import phrases

_phrase: Final = phrases("ledger.i18n")

UTC: Final = "UTC"

_TO_THE_MINUTE: Final = len("2026-01-05 18:30")


@cache
def zone_named(name: str) -> tzinfo | None:
    """Return the zone of that name; None if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (LookupError, OSError, ValueError):  # no zone, an unreadable file, or an impossible file name
        return None


def known_zone(field: str, name: str) -> str:
    """Return the name unchanged; raise `MalformedError` if there is no such zone."""
    if zone_named(name) is None:
        raise MalformedError(field, _phrase("value.zone"), name)
    return name


def zone_of_offset(offset: str) -> str | None:
    """Return the zone with this constant offset from UTC, e.g. `+09:00`; None unless it is whole hours.

    The names count the other way round (IANA tz database, file `etcetera`): `Etc/GMT-9` is nine hours ahead.
    """
    if offset == "Z":
        return "Etc/UTC"
    sign, hours, minutes = offset[0], int(offset[1:3]), offset[-2:]
    name = f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "Etc/UTC"
    return name if minutes == "00" and zone_named(name) is not None else None


def day_of(moment: str, zone: str) -> str:
    """Return the day of a recorded moment in a zone, e.g. `2026-01-05`."""
    if zone == UTC:
        return moment[:10]
    try:
        return datetime.fromisoformat(moment).astimezone(zone_named(zone)).date().isoformat()
    except OverflowError:  # on the first and the last possible day
        return moment[:10]


def moment_text(moment: str, *zones: str | None) -> str:
    """Return a recorded moment to the minute, in the first known of the zones, else in that of the machine.

    E.g. `2026-01-05 18:30 UTC`, elsewhere with the offset: `2026-01-05 19:30 UTC+01:00`.
    """
    utc = datetime.fromisoformat(moment)
    zone = next((known for name in zones if name is not None and (known := zone_named(name)) is not None), None)
    try:
        text = utc.astimezone(zone).isoformat(" ", "minutes")
    except OverflowError:  # on the first and the last possible day
        text = utc.isoformat(" ", "minutes")
    clock, offset = text[:_TO_THE_MINUTE], text[_TO_THE_MINUTE:]
    return f"{clock} UTC{offset.removeprefix('+00:00')}"
