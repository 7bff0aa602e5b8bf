"""The parts that the lists on the page of an evening are made of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger.recording.sessions import SessionState
from ledger.reports.facts import TableReport
from ledger.reports.later_changes import LaterChange
from ledger.reports.rankings import Ranking
from ledger.reports.session_report import NotableRows
from ledger.table.fold import TableFold
from ledger.text.site.catalogue import say, short_table_title
from ledger.text.site.replay.table_page import step_address_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.rulebook import CitedRule


class TableFacts(Struct, frozen=True):
    """A table of the evening, with its fold and the log position of its last entry. `finished`: its deals with a score.

    `hidden_from`: the first deal whose hands are not shown; None if there is none.
    """

    notable: NotableRows
    position: int
    hidden_from: int | None
    finished: int

    @property
    def report(self) -> TableReport:
        return self.notable.report

    @property
    def fold(self) -> TableFold:
        return self.notable.fold


class EveningFacts(Struct, frozen=True, kw_only=True):
    """What is known of an evening. `rankings`: the usual one first; `damaged`: tables that cannot be read; `changes`:
    those after it was closed; `may_rule`: the reader is a director, whom open questions lead to a ruling.
    """

    session: str
    state: SessionState
    rankings: Sequence[Ranking]
    tables: Sequence[TableFacts]
    damaged: Sequence[str] = ()
    changes: Sequence[LaterChange] = ()
    may_rule: bool = False

    @property
    def title(self) -> str:
        """The title, or the name in the record."""
        return self.state.title or self.session

    @property
    def finished(self) -> int:
        """The number of deals with a score."""
        return sum(one.finished for one in self.tables)


class Item(Struct, frozen=True, kw_only=True):
    """A line of a list: what happened, with a link to where. `stamp`: its kind; `rule`: the rule that was broken."""

    where: str
    address: str
    text: str
    stamp: str = ""
    rule: CitedRule | None = None


def place_of(session: str, table: str, deal: int | None, lang: str) -> str:
    """Return table and deal in words."""
    title = short_table_title(table, session, lang)
    return title if deal is None else say(lang, "evening.at_deal", table=title, deal=deal)


def address_of_moment(fold: TableFold, table: str, deal: int | None, *versions: int) -> str:
    """Return the address of the moment of these entries; of the deal, or of the table, if there is none."""
    if deal is None:
        return f"/t/{table}"
    return step_address_of(fold, Viewpoint(table=table, deal=deal), versions) if versions else f"/t/{table}/{deal}"
