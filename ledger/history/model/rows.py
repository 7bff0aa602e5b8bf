"""The rows that the fold of a table makes: rows that enter a table unchanged, and one document for each deal.

`sql/deal_documents.sql` takes the documents apart. The types of columns are in `sql/schema/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

from msgspec import Raw, Struct, field


class HistoryRow(Struct, frozen=True, gc=False, kw_only=True):
    """One row; its fields are the columns. `msgspec` encodes Structs ten times faster than Python could."""

    TABLE: ClassVar[str]


class SessionRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "sessions"
    session: str
    title: str | None
    played_on: str | None
    club: str | None
    place: str | None
    zone: str | None
    is_closed: bool
    first_position: int
    last_position: int


class TableRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "tables"
    table_name: str
    session: str | None
    game: str
    seat_count: int
    options: Raw
    played_on: str
    is_closed: bool
    is_over: bool
    is_match: bool
    state: Raw
    first_position: int
    last_position: int
    last_digest: str | None


class SeatRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "seats"
    table_name: str
    seat: int
    player: str
    first_deal: int | None
    last_deal: int | None
    deal_count: int
    is_seated: bool
    is_winner: bool


class PointRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    """A change of a total that no deal made; those of deals are in their documents."""

    TABLE: ClassVar[str] = "points"
    table_name: str
    deal: int | None
    session: str | None
    game: str
    played_on: str
    status: str | None
    cause: str
    seat: int
    player: str
    amount: int


class ScoreLineRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    """A payment of the closing; those of deals are in their documents."""

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
    code: str
    values: Mapping[str, Any] | None


class FindingRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "findings"
    table_name: str
    deal: int | None
    version: int
    code: str
    rule: str
    severity: str
    seat: int | None
    player: str | None
    message: str
    values: Mapping[str, Any]
    legal: list[str] | None


class DisputeRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "disputes"
    table_name: str
    deal: int
    number: int
    seat: int | None
    player: str | None
    explanation: str
    about_version: int | None
    ruling_version: int | None
    corrected_by: list[int] | None
    version: int


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
    corrected_by: list[int] | None
    version: int


class DealDocument(HistoryRow, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One deal, with a list for each column that has several values. So DuckDB takes half and Python a tenth of the
    time that a row for each card, call and payment would cost.

    `players`, `hands`, `left_in_hand`, `deltas`, `amounts`, `seats_won` and `play_counts` are by seat. `amounts` is
    empty if no ruling added to `deltas`, `seats_won` if the amounts show who won; `play_counts` is None if only the
    result was recorded. Other lists with the same prefix (`play_…`) have the same length; an empty list is not written,
    and null in SQL.
    """

    TABLE: ClassVar[str] = "deal_documents"
    table_name: str
    deal: int
    session: str | None = None
    game: str
    played_on: str
    started_at: str
    dealer: int
    status: str
    contract: str | None = None
    declarer: int | None = None
    declarers: list[int] = []
    partner: int | None = None
    trump: str | None = None
    called_card: str | None = None
    result: str | None = None
    declarer_won: bool | None = None
    is_ruled: bool = False
    outcome: Raw
    pool_before: int
    pool_after: int
    stock: str | None = None
    first_version: int
    first_position: int
    last_position: int
    players: list[str]
    deltas: list[int]
    amounts: list[int] = []
    seats_won: list[bool | None] = []
    play_counts: list[int] | None = None
    hands: list[str | None] = []
    left_in_hand: list[str] = field(default_factory=list, name="kept")
    card_order: str | None = None
    line_rules: list[str | None] = []
    line_payers: list[int | None] = []
    line_payees: list[int | None] = []
    line_amounts: list[int] = []
    line_texts: list[str] = []
    line_codes: list[str] = []
    line_values: list[Mapping[str, Any] | None] = []
    call_versions: list[int] = []
    call_seats: list[int] = []
    call_words: list[str] = []
    call_cards: list[str | None] = []
    said_versions: list[int] = []
    said_seats: list[int | None] = []
    said_words: list[str] = []
    said_for: list[tuple[int, ...] | None] = []
    exchange_versions: list[int] = []
    exchange_seats: list[int] = []
    exchange_counts: list[int] = []
    exchange_discarded: list[str | None] = []
    exchange_drawn: list[str | None] = []
    play_versions: list[int] = []
    play_seats: list[int] = []
    play_cards: list[str] = []
    play_tricks: list[int | None] = []
    play_places: list[int | None] = []
    play_winners: list[int | None] = []
    trick_leaders: list[int] = []
    trick_cards: list[str] = []
    trick_winners: list[int | None] = []


TABLE_ROW_TYPES: Final[Sequence[type[HistoryRow]]] = (
    TableRow,
    SeatRow,
    PointRow,
    ScoreLineRow,
    FindingRow,
    DisputeRow,
    RulingRow,
    DealDocument,
)

OF_TABLES: Final = (
    "tables", "seats", "deals", "points", "score_lines", "deal_moves", "findings", "disputes", "rulings",
)  # fmt: skip
"""The tables whose rows follow from the fold of the table in `table_name`; the others are views, or only grow."""

GROWING: Final = ("tables", "seats")
"""Those of them whose rows change with a new deal; the others only get more rows."""

Rows: TypeAlias = defaultdict[type[HistoryRow], list[Any]]
"""Collected rows and documents, by type."""
