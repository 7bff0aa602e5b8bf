"""Time zones: the known ones, and moments shown in them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import MalformedError
from ledger.zones import day_of, known_zone, moment_text, zone_named, zone_of_offset

EVENING = "2026-01-05T18:30:00.000000Z"


@pytest.mark.parametrize(("zones", "text"), [
    ((), "2026-01-05 18:30 UTC"),  # the machine's zone
    (("Asia/Tokyo",), "2026-01-06 03:30 UTC+09:00"),
    (("Asia/Tokyo", "Europe/Berlin"), "2026-01-06 03:30 UTC+09:00"),
    ((None, "Europe/Berlin"), "2026-01-05 19:30 UTC+01:00"),
    (("Mars/Olympus", "America/St_Johns"), "2026-01-05 15:00 UTC-03:30"),
    (("Etc/UTC",), "2026-01-05 18:30 UTC"),
])  # fmt: skip
def test_a_moment_is_shown_in_the_first_known_zone(zones: tuple[str | None, ...], text: str) -> None:
    assert moment_text(EVENING, *zones) == text


def test_summer_has_its_own_time() -> None:
    assert moment_text("2026-07-05T18:30:00.000000Z", "Europe/Berlin") == "2026-07-05 20:30 UTC+02:00"


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_the_ends_of_the_calendar_are_shown_too(moment: str, zone: str) -> None:
    assert moment_text(moment, zone)[:2] in ("00", "99")
    assert day_of(moment, zone)[:2] in ("00", "99")


@given(st.integers(-12, 14), st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)))
def test_a_whole_hour_has_a_zone_that_always_keeps_it(hours: int, moment: datetime) -> None:
    zone = zone_of_offset(f"{hours:+03d}:00")
    assert zone is not None
    assert moment.replace(tzinfo=ZoneInfo(zone)).utcoffset() == timedelta(hours=hours)


def test_offsets_are_read_in_each_way_of_writing_them() -> None:
    assert [zone_of_offset(text) for text in ("Z", "+00:00", "-0000", "+0900")] == ["Etc/UTC"] * 3 + ["Etc/GMT-9"]
    assert [zone_of_offset(text) for text in ("+05:30", "+15:00", "-13:00")] == [None] * 3


@pytest.mark.parametrize("name", ["Mars/Olympus", "Europe", "../etc/passwd", "/etc/localtime", "", "a\0b", "a" * 300])
def test_an_invalid_zone_is_rejected(name: str) -> None:
    assert zone_named(name) is None
    with pytest.raises(MalformedError) as refused:
        known_zone("zone", name)
    assert refused.value.values["where"] == "zone"
    assert known_zone("zone", "Asia/Tokyo") == "Asia/Tokyo"
