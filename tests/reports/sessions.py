"""A session for reports: its log, and its collected report."""

from __future__ import annotations

from pathlib import Path

from ledger import events
from ledger.history import catch_up, open_history
from ledger.log import MemoryStore
from ledger.reports.facts import SessionReport
from ledger.reports.session_report import session_report
from tests.history.helpers import record, table_events

HOSTILE = "<script>alert('♠')</script>"


def result(*tricks: int) -> events.ResultRecorded:
    return events.ResultRecorded(outcome={"ombre": 0, "contract": "entrada", "trump": "S", "tricks": list(tricks)})


def session_with_disputes() -> MemoryStore:
    """Make a session with a played table, and one with a dispute, two rulings, one of them overruled, and a
    correction.
    """
    store = MemoryStore()
    record(
        store,
        "session/spring",
        events.SessionOpened(title="Spring & co.", date="2026-03-20", club="三枚会", place="Café"),
    )
    record(store, "table/played", *table_events("played", 6, session="spring", seed=4))
    record(
        store,
        "table/quarrel",
        events.TableOpened(game="ombre", players=["愛子", HOSTILE, "Cleo"], session="spring"),
        events.DealStarted(deal=1, dealer=2),
        result(5, 2, 2),
        events.DisputeRaised(deal=1, text="the columns <i>differ</i>", seat=1),
        events.RulingGiven(deal=1, text="nothing changes", kind="stands", dispute=4),
        events.Corrected(version=3, action="replace", reason="read wrongly", events=(result(3, 5, 1),)),
        events.RulingGiven(deal=1, text="the sheet was lost", kind="replace", deltas=(-10, 5, 5), rule="OMB-7.23"),
        events.Noted(text="tea was served"),
    )
    record(store, "table/elsewhere", *table_events("elsewhere", 3, seed=5))
    record(store, "session/spring", events.SessionClosed())
    return store


def report_of(
    store: MemoryStore, folder: Path, session: str = "spring", lang: str = "en", **names: str
) -> SessionReport:
    path = folder / "h.duckdb"
    catch_up(store, path)
    with open_history(path) as history:
        return session_report(store, history, session, names, lang)
