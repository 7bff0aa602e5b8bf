"""When something is to end, as people type it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ledger.cli.moments import end_asked
from ledger.errors import UsageError

NOW = datetime(2026, 1, 30, 19, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "tz", "end"),
    [
        ("90d", None, "2026-04-30T19:00:00+00:00"),
        ("2w", None, "2026-02-13T19:00:00+00:00"),
        ("12h", None, "2026-01-31T07:00:00+00:00"),
        ("5m", None, "2026-01-30T19:05:00+00:00"),
        ("22:00", None, "2026-01-30T22:00:00+00:00"),
        ("19:00", None, "2026-01-31T19:00:00+00:00"),
        ("7:30", None, "2026-01-31T07:30:00+00:00"),
        ("22:00", "Europe/Amsterdam", "2026-01-30T21:00:00+00:00"),
        ("05:00", "Asia/Tokyo", "2026-01-30T20:00:00+00:00"),
        ("2026-02-28", None, "2026-03-01T00:00:00+00:00"),
        ("2026-02-28", "Asia/Tokyo", "2026-02-28T15:00:00+00:00"),
        ("2026-07-01T12:00", "Europe/Amsterdam", "2026-07-01T10:00:00+00:00"),
        ("2026-07-01 12:00", None, "2026-07-01T12:00:00+00:00"),
        ("2026-07-01T12:00:00Z", "Europe/Amsterdam", "2026-07-01T12:00:00+00:00"),
    ],
)
def test_an_end_is_read_by_the_clocks_of_the_zone(text: str, tz: str | None, end: str) -> None:
    assert end_asked("--until", text, NOW, tz).astimezone(UTC).isoformat() == end


@pytest.mark.parametrize(
    "text", ["", "soon", "24:00", "12:60", "90", "90y", "2026-02-30", "9999-12-31", "999999w", "٩d"]
)
def test_another_text_is_no_end(text: str) -> None:
    with pytest.raises(UsageError, match="is no end"):
        end_asked("--until", text, NOW, None)
