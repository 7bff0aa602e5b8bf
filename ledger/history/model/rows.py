"""What the fold of a table is written down as before DuckDB takes it: rows that go into a table as they are, and one
document a deal, which `sql/deal_documents.sql` takes apart. The types of columns stand in `sql/schema/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

from msgspec import Raw, Struct, field


class HistoryRow(Struct, frozen=True, gc=False, kw_only=True):
    """One row; its fields are the columns. `msgspec` writes Structs as JSON ten times faster than Python could."""

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
    """A change of a total that no deal made; those of the deals are in their documents."""

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
    """A payment of the closing; those of the deals are in their documents."""

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
    """All of one deal, with a list for each column of what there are several of in it. So DuckDB takes half the time,
    and Python a tenth, of what a row for each card, call and payment would cost.

    `players`, `hands`, `kept`, `deltas`, `amounts`, `seats_won` and `play_counts` are by seat. `amounts` is left out
    where no ruling added to `deltas`, `seats_won` where these say who won; `play_counts` is None where nothing was
    recorded of what was done. The other lists that begin alike (`play_…`) are as long as each other; an empty one is
    not written, and null in SQL.
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
"""The tables whose rows follow from the fold of the table that `table_name` names; the others are views, or grow."""

GROWING: Final = ("tables", "seats")
"""Those of them whose rows change by a further deal at a table; to the others, rows are added."""

Rows: TypeAlias = defaultdict[type[HistoryRow], list[Any]]
"""What was made so far, by its type: rows and documents."""
