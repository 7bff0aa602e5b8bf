"""One Struct for each table of the read model; its fields are the columns. Their types stand in `sql/tables.sql`."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Raw, Struct


class HistoryRow(Struct, frozen=True, gc=False):
    """One row. Structs are written as JSON by `msgspec` ten times faster than a line is put together in Python."""

    TABLE: ClassVar[str]


class SessionRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "sessions"
    session: str
    title: str | None
    played_on: str | None
    club: str | None
    place: str | None
    is_closed: bool
    first_position: int
    last_position: int


class TableRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "tables"
    table_name: str
    session: str | None
    game: str
    seats: int
    options: Raw
    played_on: str
    is_closed: bool
    is_over: bool
    state: Raw
    first_position: int
    last_position: int


class PlayerRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "players"
    table_name: str
    seat: int
    player: str
    first_deal: int | None
    last_deal: int | None
    is_seated: bool


class DealRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "deals"
    table_name: str
    deal: int
    session: str | None
    game: str
    played_on: str
    started_at: str
    dealer: int
    dealer_player: str
    status: str
    contract: str | None
    declarer: int | None
    declarer_player: str | None
    partner: int | None
    partner_player: str | None
    trump: str | None
    result: str | None
    declarer_won: bool | None
    outcome: Raw
    pool_before: int
    pool_after: int
    card_count: int
    first_version: int
    first_position: int
    last_position: int


class DealScoreRow(HistoryRow, frozen=True, gc=False):
    TABLE: ClassVar[str] = "deal_scores"
    table_name: str
    deal: int
    seat: int
    player: str
    delta: int


class PointRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "points"
    table_name: str
    deal: int | None
    session: str | None
    game: str
    played_on: str
    cause: str
    seat: int
    player: str
    amount: int


class ScoreLineRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "score_lines"
    table_name: str
    deal: int | None
    line: int
    rule: str | None
    payer: int | None
    payer_player: str | None
    payee: int | None
    payee_player: str | None
    amount: int
    explanation: str


class CallRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "calls"
    table_name: str
    deal: int
    number: int
    seat: int
    player: str
    call: str
    card: str | None
    version: int
    log_position: int


class AnnouncementRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "announcements"
    table_name: str
    deal: int
    number: int
    seat: int | None
    player: str | None
    word: str
    for_seats: tuple[int, ...] | None
    version: int
    log_position: int


class ExchangeRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "exchanges"
    table_name: str
    deal: int
    number: int
    seat: int
    player: str
    card_count: int
    discarded: str | None
    drawn: str | None
    version: int
    log_position: int


class PlayRow(HistoryRow, frozen=True, gc=False):
    """Made by position: two thirds of all rows are plays, and keywords cost a third more."""

    TABLE: ClassVar[str] = "plays"
    table_name: str
    deal: int
    number: int
    trick: int | None
    place_in_trick: int | None
    seat: int
    player: str
    card: str
    trick_winner: int | None
    version: int
    log_position: int


class TrickRow(HistoryRow, frozen=True, gc=False):
    TABLE: ClassVar[str] = "tricks"
    table_name: str
    deal: int
    trick: int
    leader: int
    leader_player: str
    cards: str
    winner: int | None
    winner_player: str | None


class FindingRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "findings"
    table_name: str
    deal: int | None
    version: int
    log_position: int
    code: str
    rule: str
    severity: str
    seat: int | None
    player: str | None
    message: str
    legal: list[str] | None


class RulingRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "rulings"
    table_name: str
    deal: int
    number: int
    kind: str
    explanation: str
    rule: str | None
    deltas: tuple[int, ...] | None
    pool_change: int | None
    award: Raw | None
    dispute_version: int | None
    is_in_force: bool
    version: int
    log_position: int


ROW_TYPES: tuple[type[HistoryRow], ...] = (
    SessionRow,
    TableRow,
    PlayerRow,
    DealRow,
    DealScoreRow,
    PointRow,
    ScoreLineRow,
    CallRow,
    AnnouncementRow,
    ExchangeRow,
    PlayRow,
    TrickRow,
    FindingRow,
    RulingRow,
)

OF_TABLES: tuple[type[HistoryRow], ...] = tuple(kind for kind in ROW_TYPES if kind is not SessionRow)
"""The rows that belong to one table each, by `table_name`."""
