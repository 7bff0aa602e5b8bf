"""When something is to end, as people type it."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.cli.token import end_asked
from ledger.errors import UsageError

NOW = datetime(2026, 1, 30, 19, 0, tzinfo=UTC)


DATA = tomllib.loads(Path(__file__).with_name("moments.toml").read_text(encoding="utf-8"))
ENDS = [(text, tz, end) for tz, ends in DATA["ends"].items() for text, end in ends.items()]


@pytest.mark.parametrize(("text", "tz", "end"), ENDS)
def test_an_end_is_read_by_the_clocks_of_the_zone(text: str, tz: str, end: str) -> None:
    zone = None if tz == "UTC" else tz
    assert end_asked("--until", text, NOW, zone).astimezone(UTC).isoformat() == end


@pytest.mark.parametrize("text", DATA["no_end"])
def test_another_text_is_no_end(text: str) -> None:
    with pytest.raises(UsageError, match="is no end"):
        end_asked("--until", text, NOW, None)
