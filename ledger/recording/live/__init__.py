"""The table that is being recorded, kept in memory so that each act is judged and recorded at once."""

from ledger.recording.live.table import LiveTable, Recorded

__all__ = ["LiveTable", "Recorded"]
