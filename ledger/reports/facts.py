"""The facts of a session report as Structs, from which the page is made."""

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
    """Answer of `report`: the file, the session's slug, and the ledger's last entry when the page was made."""

    file: str
    session: str
    position: int
    digest: str


class StandingsRow(Struct, frozen=True, kw_only=True):
    """A player's place in one game of the session, from the statistic `standings`."""

    game: str
    place: int
    player: str
    points: int
    deals: int
    tables: int


class Overall(Struct, frozen=True, kw_only=True):
    """The leaders over all tables of a session; several if they are level.

    `measure`: `points` if all tables played the same game; otherwise `table_points`, for the places at finished tables.
    """

    measure: str
    players: list[str]
    points: float


class SheetRow(Struct, frozen=True, kw_only=True):
    """A deal on a score sheet: its players, its last state, the rulebook's word for the result, the totals after it.

    `unscorable`: what the score lacks; null if there is a score or may still be one.
    """

    score: DealScore
    players: list[str]
    last: DealView
    result: str | None
    unscorable: Unscorable | None
    totals: list[int]


class RulingOnDeal(Struct, frozen=True, kw_only=True):
    """A ruling with its deal and the players who sat there."""

    deal: int
    players: list[str]
    ruling: Ruling


class TableReport(Struct, frozen=True, kw_only=True):
    """A table with its score sheet, findings, disputes, rulings and corrections.

    `findings`: those above `info`. `corrections`: all of them; `in_force`: the versions of those that apply, as a later
    correction of the same entry wins. `points`: by player, if there was a substitution. `struck`: disputes and rulings
    that no longer apply. `last_digest`, `last_position`: those of the table's last entry in the log.
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
    """Why a deal is notable: a key of the catalogue and its values."""

    key: str
    values: dict[str, Any]


class NotableDeal(Struct, frozen=True, kw_only=True):
    """A deal worth a closer look: the state after dealing, the exchanges, and the rest on its row.

    `goes_to_the_right`: whether seat s+1 sits to the right of seat s.
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
    """A session as of a log entry.

    `overall`: null if nobody is ahead. `zone`: IANA name, null if unknown. `unshown`: the number of notable deals left
    out.
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
"""The plots on a session's page; each is shown if it has data."""


class SessionPage(Struct, frozen=True, kw_only=True):
    """The report as one self-contained HTML page, as of a log entry."""

    session: str
    position: int
    digest: str | None
    html: str
