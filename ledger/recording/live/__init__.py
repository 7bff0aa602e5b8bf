"""The table being recorded now: kept between acts, so that each is judged and recorded at once."""

from ledger.recording.live.table import LiveTable, Recorded

__all__ = ["LiveTable", "Recorded"]
