"""What a hand record says that it must come to, with seats for names: never recorded, compared by tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, cast, get_args

from msgspec import Struct

from ledger.games.kernel.protocol import Game
from ledger.games.kernel.settlement import Place
from ledger.games.kernel.views import DealStatus
from ledger.recording.hand.file import ExpectPart, TableExpectPart
from ledger.recording.hand.grammar import Names
from ledger.recording.hand.page import Page, Path
from ledger.recording.hand.seats import by_seat, fields_with_seats
from ledger.recording.words import phrase

PLACES: Final = get_args(get_args(Place)[1])
_LINE: Final = re.compile(r"^(?P<rule>\S+) (?P<source>.+?) *> *(?P<target>.+) (?P<amount>[0-9]{1,9})$")
_FINDING: Final = re.compile(r"^(?P<code>[A-Z]{3}-[0-9]+[.][0-9]+)(?: (?P<name>.+))?$")
_LEGAL: Final = re.compile(r"^after (?P<step>[0-9]{1,4}):(?: (?P<kind>[a-z_]+)(?P<values>(?: \S+)*))?$")


class Payment(Struct, frozen=True):
    """One payment line: rule, who pays, who is paid, how much."""

    rule: str
    source: Place
    target: Place
    amount: int


class LegalThere(Struct, frozen=True):
    """What may come after `step` actions of the deal: the values of one event type; no type: nothing at all."""

    step: int
    kind: str | None
    values: tuple[str, ...]


class DealExpectation(Struct, frozen=True, kw_only=True):
    """What one deal must come to; what is null is not compared. `payments`: changes without the ante."""

    deal: int
    status: DealStatus
    outcome: dict[str, Any]
    winners: tuple[int, ...] | None
    payments: tuple[int, ...] | None
    deltas: tuple[int, ...] | None
    pool: int | None
    totals: tuple[int, ...] | None
    state: dict[str, Any] | None
    lines: tuple[Payment, ...] | None
    findings: tuple[tuple[str, int | None], ...]
    legal: tuple[LegalThere, ...]


class TableExpectation(Struct, frozen=True, kw_only=True):
    """What the table must come to after its last deal; what is null is not compared."""

    totals: tuple[int, ...] | None
    pool: int | None
    state: dict[str, Any] | None
    closing: tuple[int, ...] | None
    closing_lines: tuple[Payment, ...] | None
    winners: tuple[int, ...] | None


class Expectations(Struct, frozen=True):
    """All that a record expects; deals that expect nothing are left out."""

    deals: tuple[DealExpectation, ...]
    table: TableExpectation | None


class ExpectReader:
    """Reads expectations against the players at the table; errors name the line."""

    def __init__(self, page: Page, game: Game, names: Names) -> None:
        self.page = page
        self.game = game
        self.names = names

    def deal(self, number: int, part: ExpectPart, place: int) -> DealExpectation:
        """What deal `number` must come to, which stands at that place of the file (from 0)."""
        base: Path = ("deal", place, "expect")
        return DealExpectation(
            deal=number,
            status=part.status,
            outcome=self.page.at(
                (*base, "outcome"),
                lambda: fields_with_seats(part.outcome, self.game.outcome_type, self.names, self.game),
            ),
            winners=self._seats(part.winners, *base, "winners"),
            payments=self._amounts(part.payments, 0, *base, "payments"),
            deltas=self._amounts(part.deltas, None, *base, "deltas"),
            pool=part.pool,
            totals=self._amounts(part.totals, None, *base, "totals"),
            state=part.state,
            lines=self._payments(part.lines, *base, "lines"),
            findings=tuple(self._finding(text, *base, "findings", place) for place, text in enumerate(part.findings)),
            legal=tuple(self._legal(text, *base, "legal", place) for place, text in enumerate(part.legal)),
        )

    def table(self, part: TableExpectPart) -> TableExpectation:
        return TableExpectation(
            totals=self._amounts(part.totals, None, "expect", "totals"),
            pool=part.pool,
            state=part.state,
            closing=self._amounts(part.closing, 0, "expect", "closing"),
            closing_lines=self._payments(part.closing_lines, "expect", "closing_lines"),
            winners=self._seats(part.winners, "expect", "winners"),
        )

    def _seats(self, names: Sequence[str] | None, *path: str | int) -> tuple[int, ...] | None:
        if names is None:
            return None
        return self.page.at(path, lambda: tuple(self.names.seat(name) for name in names))

    def _amounts(self, table: dict[str, int] | None, default: int | None, *path: str | int) -> tuple[int, ...] | None:
        return None if table is None else self.page.at(path, lambda: by_seat(table, self.names, default))

    def _place(self, text: str) -> Place:
        return cast(Place, text.strip()) if text.strip() in PLACES else self.names.seat(text)

    def _payments(self, lines: Sequence[str] | None, *path: str | int) -> tuple[Payment, ...] | None:
        if lines is None:
            return None
        return tuple(self._payment(text, *path, place) for place, text in enumerate(lines))

    def _payment(self, text: str, *path: str | int) -> Payment:
        found = _LINE.match(text)
        if found is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.no_payment"), phrase("expect.payment"), text)
        return self.page.at(
            path,
            lambda: Payment(
                found["rule"], self._place(found["source"]), self._place(found["target"]), int(found["amount"])
            ),
        )

    def _finding(self, text: str, *path: str | int) -> tuple[str, int | None]:
        found = _FINDING.match(text)
        if found is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.no_finding"), phrase("expect.finding"), text)
        name = found["name"]
        return found["code"], None if name is None else self.page.at(path, lambda: self.names.seat(name))

    def _legal(self, text: str, *path: str | int) -> LegalThere:
        found = _LEGAL.match(text)
        if found is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.not_legal"), phrase("expect.legal"), text)
        return LegalThere(int(found["step"]), found["kind"], tuple((found["values"] or "").split()))
