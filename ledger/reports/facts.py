"""The facts of a session report as Structs: what the page is made of."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from ledger.cards import Pack
from ledger.events import CardsExchanged
from ledger.games.kernel.views import DealView
from ledger.table.answers import ClosingScore, DealScore, Finding, PlayerPoints, Ruling, Struck
from ledger.table.disputes import Dispute
from ledger.table.score import Unscorable
from ledger.table.two_readings import CorrectionSeen


class ReportAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `report`: the file, the session's slug, and the last entry of the ledger that the page rests on."""

    file: str
    session: str
    position: int
    digest: str


class StandingsRow(Struct, frozen=True, kw_only=True):
    """A player's place among those who played a game in the session, as the statistic `standings` has it."""

    game: str
    place: int
    player: str
    points: int
    deals: int
    tables: int


class Overall(Struct, frozen=True, kw_only=True):
    """Who is first over all tables of a session, several where they are level. `measure`: `points` of the game that all
    tables played, or `table_points` for the places at the tables that are over, of several games.
    """

    measure: str
    players: list[str]
    points: float


class SheetRow(Struct, frozen=True, kw_only=True):
    """A deal on a score sheet: who sat there, its last state, the rulebook's word for it, the totals after it.

    `unscorable`: what its score lacks, null where it has one, or may have yet.
    """

    score: DealScore
    players: list[str]
    last: DealView
    result: str | None
    unscorable: Unscorable | None
    totals: list[int]


class RulingOnDeal(Struct, frozen=True, kw_only=True):
    """A ruling with the deal it is on and the players who sat there."""

    deal: int
    players: list[str]
    ruling: Ruling


class TableReport(Struct, frozen=True, kw_only=True):
    """A table with its score sheet and all that was wrong, disputed, decided and corrected there.

    `findings` are those above `info`. `corrections` are all of them, `in_force` the versions of those that are read: a
    later one of the same entry wins. `points`: by player, where somebody was substituted. `struck`: disputes and
    rulings that are no longer read. `last_digest`: that of the table's last entry in the log, at `last_position`.
    """

    table: str
    game: str
    pack: Pack
    players: list[str]
    sheet: list[SheetRow]
    closing: ClosingScore | None
    totals: list[int]
    points: list[PlayerPoints]
    has_pool: bool
    findings: list[Finding]
    disputes: list[Dispute]
    rulings: list[RulingOnDeal]
    corrections: list[CorrectionSeen]
    in_force: frozenset[int]
    struck: tuple[Struck, ...]
    last_position: int
    last_digest: str


class Reason(Struct, frozen=True, kw_only=True):
    """Why a deal is notable: a key of the catalogue and what is put into it."""

    key: str
    values: dict[str, Any]


class NotableDeal(Struct, frozen=True, kw_only=True):
    """A deal worth looking at: the state when the cards were dealt, the exchanges, and on its row all the rest.

    `goes_to_the_right`: whether seat s+1 sits at the right hand of seat s.
    """

    table: str
    game: str
    pack: Pack
    goes_to_the_right: bool
    row: SheetRow
    reasons: list[Reason]
    dealt: DealView
    exchanges: list[CardsExchanged]
    findings: list[Finding]


class SessionReport(Struct, frozen=True, kw_only=True):
    """A session as of a log entry. `overall`: null where nobody is ahead of anybody. `zone`: by its IANA name, null
    where nobody told; `unshown`: so many more deals were notable than are shown.
    """

    session: str
    title: str
    date: str | None
    club: str | None
    place: str | None
    zone: str | None
    is_closed: bool
    standings: list[StandingsRow]
    overall: Overall | None
    tables: list[TableReport]
    notable: list[NotableDeal]
    unshown: int
    position: int
    digest: str | None


PLOTS: Final = ("cumulative", "standings", "contracts", "pool")
"""What a session's page shows, each where it has anything to show."""


class SessionPage(Struct, frozen=True, kw_only=True):
    """The report as one page of HTML that needs nothing else, as of a log entry."""

    session: str
    position: int
    digest: str | None
    html: str
