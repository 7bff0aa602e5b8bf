"""Seats for names in the tables of a hand record: results, score sheets, amounts and expectations.

The game's types show where a seat is meant. Expectations are never recorded; tests compare them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType, structs

from ledger.errors import MalformedError
from ledger.events import Seat
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.settlement import Account
from ledger.games.kernel.views import DealStatus
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import Names
from ledger.recording.hand.file import ExpectPart, TableExpectPart
from ledger.recording.hand.page import KeyPath, Page
from ledger.recording.vocabulary import choice_typed, means

_SEAT: Final = next(note for note in get_args(Seat) if isinstance(note, Meta))

NOBODY_TYPED: Final = "none"
"""The word for a null in a score sheet that has a meaning, e.g. that nobody has won."""


def by_seat(table: Mapping[str, int], names: Names, default: int | None = None) -> tuple[int, ...]:
    """Return amounts by name as amounts by seat. Without a default every player must be named."""
    amounts: dict[int, int] = {}
    for name, amount in table.items():
        seat = names.seat(name)
        if seat in amounts:
            raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), name)
        amounts[seat] = amount
    for seat, name in enumerate(names.players):
        if seat not in amounts and default is None:
            raise MalformedError(phrase("name.missing", name=name), phrase("name.amount_for_all"))
    return tuple(amounts.get(seat, default or 0) for seat in range(len(names.players)))


def with_seats(value: Any, hint: Any, names: Names, game: Game) -> Any:
    """Return the value with seats for names where the type has a seat or one value a seat, and with words of any
    language in their recorded form.
    """
    hints, choices, struct, of_items = _parts(hint)
    if isinstance(value, str):
        has_teams, has_seat = is_of_teams(choices, game), any(map(is_seat, hints))
        may_be_nobody = has_teams or has_seat or UnsetType in hints
        if may_be_nobody and NoneType in hints and means("nobody", value) and not names.is_whole_name(value):
            return None
        if has_teams:
            return _team(value, names, game)
        return names.seat(value) if has_seat else choice_typed(game, value, choices)
    if isinstance(value, dict):
        if struct is not None:
            return fields_with_seats(value, struct, names, game)
        if any(get_origin(one) in (tuple, list) for one in hints) and all(type(item) is int for item in value.values()):
            return list(by_seat(value, names, 0))
    if isinstance(value, list):
        return [with_seats(item, of_items, names, game) for item in value]
    return value


def _parts(hint: Any) -> tuple[Sequence[Any], Set[Any], type[Struct] | None, Any]:
    """Return the alternatives of a type, and of these the literals, the Struct, and the type of the items of a list."""
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    choices = {choice for one in hints if get_origin(one) is Literal for choice in get_args(one)}
    struct = next((one for one in hints if isinstance(one, type) and issubclass(one, Struct)), None)
    return hints, choices, struct, next((get_args(one)[0] for one in hints if get_origin(one) in (tuple, list)), Any)


def is_seat(hint: Any) -> bool:
    """Return whether a number of that type is a seat; a game may restrict its seats."""
    notes = getattr(hint, "__metadata__", ())
    return any(isinstance(note, Meta) and note.description == _SEAT.description for note in notes)


def is_of_teams(choices: Set[Any], game: Game) -> bool:
    """Return whether the choices are the numbers of the teams."""
    return game.teams > 0 and choices == set(range(game.teams))


def _team(text: str, names: Names, game: Game) -> int:
    """Return the team of a player, or of several who play together."""
    teams = {names.seat(name.strip()) % game.teams for name in re.split("[+&]", text)}
    if len(teams) > 1:
        raise MalformedError(phrase("name.two_teams"), phrase("name.one_team"), text)
    return teams.pop()


def fields_with_seats(table: Mapping[str, Any], struct: type, names: Names, game: Game) -> dict[str, Any]:
    """Return the fields of one of the game's Structs, with seats for names."""
    hints = _hints(struct)
    fields = {}
    for key, value in table.items():
        try:
            fields[key] = with_seats(value, hints.get(key, Any), names, game)
        except MalformedError as error:
            raise error.at(key) from None
    return fields


@cache
def _hints(struct: type) -> Mapping[str, Any]:
    """Return the types of the fields, by the names of the fields in a file."""
    by_name = get_type_hints(struct, include_extras=True)
    return {field.encode_name: by_name[field.name] for field in structs.fields(struct)}


def with_names(value: Any, hint: Any, players: Sequence[str], teams: int = 0) -> Any:
    """Return the value with names for seats, the inverse of `with_seats`. `teams`: a list of as many amounts is by
    team.
    """
    hints, choices, struct, of_items = _parts(hint)
    if type(value) is int and any(map(is_seat, hints)) and value < len(players):
        return players[value]
    if type(value) is int and teams and choices == set(range(teams)):
        return "+".join(players[value::teams])
    if isinstance(value, dict):
        return {} if struct is None and not value else fields_with_names(value, struct, players, teams)
    if isinstance(value, list | tuple):
        named = [with_names(item, of_items, players, teams) for item in value]
        is_by_seat = len(value) == len(players) != teams and all(type(item) is int for item in named)
        return dict(zip(players, named, strict=True)) if is_by_seat else named
    return value


def fields_with_names(
    table: Mapping[str, Any], struct: type | None, players: Sequence[str], teams: int = 0
) -> dict[str, Any]:
    """Return the fields of one of the game's Structs with names for seats. Null fields are left out unless null has a
    meaning.
    """
    hints = {} if struct is None else _hints(struct)
    return {
        key: NOBODY_TYPED
        if value is None and struct is not None
        else with_names(value, hints.get(key, Any), players, teams)
        for key, value in without_none(table, struct).items()
    }


def without_none(table: Mapping[str, Any], struct: type | None) -> dict[str, Any]:
    """Return the fields without those that are null and might as well be missing."""
    hints = {} if struct is None else _hints(struct)
    return {
        key: value for key, value in table.items() if value is not None or UnsetType in get_args(hints.get(key, Any))
    }


PLACES: Final = get_args(get_args(Account)[1])
_LINE: Final = re.compile(r"^(?P<rule>\S+) (?P<source>.+?) *> *(?P<target>.+) (?P<amount>[0-9]{1,9})$")
_FINDING: Final = re.compile(r"^(?P<code>[A-Z]{3}-[0-9]+[.][0-9]+)(?: (?P<name>.+))?$")
_LEGAL: Final = re.compile(r"^after (?P<step>[0-9]{1,4}):(?: (?P<kind>[a-z_]+)(?P<values>(?: \S+)*))?$")


class ExpectedPayment(Struct, frozen=True):
    """One payment line: rule, payer, payee and amount."""

    rule: str
    source: Account
    target: Account
    amount: int


class LegalExpectation(Struct, frozen=True):
    """The values of one event type that are legal after `step` acts of the deal; without a type, nothing is legal."""

    step: int
    kind: str | None
    values: tuple[str, ...]


class DealExpectation(Struct, frozen=True, kw_only=True):
    """The expected results of one deal; null is not compared. `payments`: changes without the ante."""

    deal: int
    status: DealStatus
    outcome: dict[str, Any]
    winners: tuple[int, ...] | None
    payments: tuple[int, ...] | None
    deltas: tuple[int, ...] | None
    pool: int | None
    totals: tuple[int, ...] | None
    state: dict[str, Any] | None
    lines: tuple[ExpectedPayment, ...] | None
    findings: tuple[tuple[str, int | None], ...]
    legal: tuple[LegalExpectation, ...]


class TableExpectation(Struct, frozen=True, kw_only=True):
    """The expected results of the table after its last deal; null is not compared."""

    totals: tuple[int, ...] | None
    pool: int | None
    state: dict[str, Any] | None
    closing: tuple[int, ...] | None
    closing_lines: tuple[ExpectedPayment, ...] | None
    winners: tuple[int, ...] | None


class Expectations(Struct, frozen=True):
    """All expectations of a record; deals without any are left out."""

    deals: tuple[DealExpectation, ...]
    table: TableExpectation | None


class ExpectReader:
    """Reader of expectations for the players at the table; its errors name the line."""

    def __init__(self, page: Page, game: Game, names: Names) -> None:
        self.page = page
        self.game = game
        self.names = names

    def deal(self, number: int, part: ExpectPart, place: int) -> DealExpectation:
        """Return the expectation of deal `number`, which is at that place of the file (from 0)."""
        base: KeyPath = ("deal", place, "expect")
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
        """Return the expectation of the table."""
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

    def _place(self, text: str) -> Account:
        return cast(Account, text.strip()) if text.strip() in PLACES else self.names.seat(text)

    def _payments(self, lines: Sequence[str] | None, *path: str | int) -> tuple[ExpectedPayment, ...] | None:
        if lines is None:
            return None
        return tuple(self._payment(text, *path, place) for place, text in enumerate(lines))

    def _payment(self, text: str, *path: str | int) -> ExpectedPayment:
        match = _LINE.match(text)
        if match is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.no_payment"), phrase("expect.payment"), text)
        return self.page.at(
            path,
            lambda: ExpectedPayment(
                match["rule"], self._place(match["source"]), self._place(match["target"]), int(match["amount"])
            ),
        )

    def _finding(self, text: str, *path: str | int) -> tuple[str, int | None]:
        match = _FINDING.match(text)
        if match is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.no_finding"), phrase("expect.finding"), text)
        name = match["name"]
        return match["code"], None if name is None else self.page.at(path, lambda: self.names.seat(name))

    def _legal(self, text: str, *path: str | int) -> LegalExpectation:
        match = _LEGAL.match(text)
        if match is None:
            line = self.page.line_of(*path)
            raise self.page.refuse(line, phrase("expect.not_legal"), phrase("expect.legal"), text)
        return LegalExpectation(int(match["step"]), match["kind"], tuple((match["values"] or "").split()))
