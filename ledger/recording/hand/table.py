"""A hand record as the events of its session and its table, in order: everything around the actions of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import (
    CardsDealt,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from ledger.games.kernel.findings import Violation
from ledger.names import folded
from ledger.recording.admissible import SessionSoFar, TableSoFar
from ledger.recording.canonical import canonical_event
from ledger.recording.hand.deal import DealLines, lines_typed, read_cards
from ledger.recording.hand.expect import DealExpectation, Expectations, ExpectReader
from ledger.recording.hand.file import DealPart, HandRecordFile, SessionPart
from ledger.recording.hand.page import Page
from ledger.recording.hand.reading import AMOUNT_KEYS, at_its_key, refused
from ledger.recording.hand.seats import by_seat, fields_with_seats
from ledger.recording.hand.slips import MOST_SEARCHES, Slip, SlipError, find_slip
from ledger.recording.hand.trial import Setting, TypedDeal, is_out_of_order
from ledger.recording.hand.turns import Turns
from ledger.recording.hand.vocabulary import game_typed, means
from ledger.recording.hand.words import NOBODY, Names
from ledger.recording.told import Told
from ledger.recording.words import phrase
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.validation import fault_of
from ledger.zones import zone_of_offset

NOTHING_RETYPED: Final[Mapping[int, TypedDeal]] = MappingProxyType({})


class TableReader:
    """Reads one file; `told` are its events so far. `names` are the players as they sit at that moment.

    `retyped`: deals, by their place in the file (from 0), that are read as typed otherwise. `slips`: what cannot be as
    it was typed, though it can be recorded; `seeks_slips`: whether there may be any, for a text that nobody typed has
    none and searching takes a third of a second a deal. `read_now`: what is read in the place of some events, by their
    places in `told`, since they were corrected.
    """

    def __init__(
        self,
        page: Page,
        file: HandRecordFile,
        *,
        retyped: Mapping[int, TypedDeal] = NOTHING_RETYPED,
        read_now: Mapping[int, Sequence[Event]] = MappingProxyType({}),
        seeks_slips: bool = True,
    ) -> None:
        self.page = page
        self.file = file
        self.retyped = retyped
        self.read_now = read_now
        self.seeks_slips = seeks_slips
        self._typed_lines = page.text.split("\n")
        self.slips: list[Slip] = []
        self._searches_left = MOST_SEARCHES if seeks_slips else 0
        self.told: list[Told] = []
        self.expected: list[DealExpectation] = []
        self.stream = f"table/{file.table}"
        self.so_far = TableSoFar()
        self.when: str | None = None
        self.names = Names(file.players)
        self.game = self.page.at(("game",), lambda: game_typed(file.game))
        self._check_names()
        self.options = self._options()
        self.table = self._open_table()

    def read(self) -> None:
        """Tells the whole file."""
        file = self.file
        for key, text in (("source", file.source), ("comment", file.comment)):
            if text is not None:
                self._tell(Noted(text=text), self.page.line_of(key))
        for place, part in enumerate(file.deal):
            self._read_deal(place, part)
        if file.closed is not False:
            reason = file.closed if isinstance(file.closed, str) else None
            self._tell(TableClosed(reason=reason), self.page.line_of("closed"))
        self.table.end()

    def expectations(self) -> Expectations:
        """What the file says that it must come to; to be asked after `read`."""
        part = self.file.expect
        table = None if part is None else ExpectReader(self.page, self.game, self.names).table(part)
        return Expectations(tuple(self.expected), table)

    # --- telling ------------------------------------------------------------------------------------------------------

    def _tell(self, event: Event, line: int) -> Sequence[Violation]:
        """Records and plays an event of the table, if it can be an entry at all; answers what it broke at once."""
        instead = self.read_now.get(len(self.told))
        entry = self._entry(event, line)
        if instead is None:
            return self.table.take(entry)
        return [found for event in instead for found in self.table.take((entry[0], event))]

    def _entry(self, event: Event, line: int) -> Entry:
        """The event as the table's next entry: spelled one way and checked, once and here."""
        try:
            event = canonical_event(event)
            self.so_far.take(event)
        except MalformedError as error:
            raise self.page.placed(error, line) from None
        typed = self._typed_lines[line - 1]
        self.told.append(
            Told(event, None, self.when, stream=self.stream, source=self.page.source, line=line, typed=typed)
        )
        return self.so_far.entries[-1]

    # --- the table ----------------------------------------------------------------------------------------------------

    def _check_names(self) -> None:
        seen: set[str] = set()
        for seat, name in enumerate(self.file.players):
            line = self.page.line_of("players", seat)
            if folded(name) in seen:
                raise self.page.refuse(line, phrase("name.same_name"), phrase("name.told_apart"), name)
            if folded(name) == NOBODY:
                raise self.page.refuse(line, phrase("name.is_recorder"), phrase("name.another"), name)
            seen.add(folded(name))

    def _options(self) -> Any:
        try:
            return self.game.make_options(self.file.options, len(self.file.players))
        except MalformedError as error:
            is_about_players = not self.file.options or error.faulty_field == "players"
            base = ("players",) if is_about_players else ("options",)
            raise at_its_key(self.page, error, base) from None

    def _open_table(self) -> TableFold:
        """The table as it is opened, after the session that it opens, if it does."""
        file = self.file
        self._open_session()
        opened = TableOpened(
            game=self.game.name,
            players=tuple(file.players),
            session=None if file.session is None else file.session.slug,
            options=file.options,
        )
        return TableFold([self._entry(opened, self.page.line_of("game"))], goes_on=True)

    def _open_session(self) -> None:
        """A lone slug names a session that another file or the ledger has opened."""
        session = self.file.session
        if session is None:
            return
        if session.title is None or session.date is None:
            self._check_lone_slug(session)
            return
        line = self.page.line_of("session")
        offset = self.file.utc_offset
        zone = session.zone or (None if offset is None else zone_of_offset(offset))
        event = SessionOpened(title=session.title, date=session.date, club=session.club, place=session.place, zone=zone)
        try:
            canonical = canonical_event(event)
            SessionSoFar().take(canonical)
        except MalformedError as error:
            raise self.page.placed(error, self.page.line_of("session", error.faulty_field or "")) from None
        stream = f"session/{session.slug}"
        typed = self._typed_lines[line - 1]
        self.told.append(Told(canonical, stream=stream, source=self.page.source, line=line, typed=typed))

    def _check_lone_slug(self, session: SessionPart) -> None:
        """What is told of a session beside its slug would be lost where nothing opens it."""
        fields = {key: getattr(session, key) for key in ("title", "date", "club", "place", "zone")}
        missing = [key for key in ("title", "date") if fields[key] is None]
        for key, told in fields.items():
            if told is not None:
                without = phrase("file.title_and_date") if len(missing) > 1 else missing[0]
                what = phrase("file.without", field=f"session.{key}", missing=without)
                raise self.page.refuse(self.page.line_of("session", key), what, phrase("file.opens_session"), told)

    # --- deals --------------------------------------------------------------------------------------------------------

    def _read_deal(self, place: int, part: DealPart) -> None:
        self.table.end_deal()
        self.when = None if part.when is None else self._moment(place, part.when)
        self._seat_players(place, part)
        line = self.page.line_of("deal", place)
        dealer_due = self.table.match.expected_dealer()
        typed = self._typed(place, part)
        dealer = typed.dealer
        self._tell(DealStarted(deal=place + 1, dealer=dealer), line)
        turns = Turns(self.game, self.names, self.table.deals[-1].machine, self._tell)
        dealt = self._deal_cards(place, part, turns)
        is_left = place + 1 < len(self.file.deal) or self.file.closed is not False
        names, deal_is_left = self.names, is_left and part.voided is None
        setting = Setting(self.game, self.options, names, self.page, place, dealt, dealer_due, deal_is_left)
        self._read_lines(setting, typed, turns)
        if part.result is not None:
            self._record_result(place, part.result, dealer, turns)
        if part.sheet is not None:
            self._claim_score(place, part.sheet, turns)
        for text in [part.notes] if isinstance(part.notes, str) else part.notes:
            self._tell(Noted(text=text), self.page.line_of("deal", place, "notes"))
        if part.voided is not None:
            self._tell(DealVoided(reason=part.voided), self.page.line_of("deal", place, "voided"))
        self.when = None
        if part.expect is not None:
            self.expected.append(ExpectReader(self.page, self.game, self.names).deal(place + 1, part.expect))

    def _typed(self, place: int, part: DealPart) -> TypedDeal:
        retyped = self.retyped.get(place)
        if retyped is not None:
            return retyped
        return TypedDeal(self._dealer(place, part), part.turned, lines_typed(self.page, part, place))

    def _read_lines(self, setting: Setting, typed: TypedDeal, turns: Turns) -> None:
        """What the players did; a slip in it is noted or, where it leaves a line that cannot be read, refused."""
        try:
            DealLines(self.page, turns, setting.place, typed.lines).read(DealPart(turned=typed.turned))
        except MalformedError as error:
            slip = find_slip(setting, typed) if self.seeks_slips and is_out_of_order(error) else None
            if slip is None:
                raise
            raise SlipError(slip.said, where=slip.where, slip=slip) from None
        record = self.table.deals[-1]
        is_short = setting.is_left and any(typed.lines.values()) and record.machine.status == "open"
        if record.violations or record.machine.late_violations() or is_short:
            self._note_slip(setting, typed)

    def _note_slip(self, setting: Setting, typed: TypedDeal) -> None:
        if self._searches_left > 0:
            self._searches_left -= 1
            slip = find_slip(setting, typed)
            if slip is not None:
                self.slips.append(slip)

    def _dealer(self, place: int, part: DealPart) -> int:
        path = ("deal", place, "dealer")
        name = part.dealer
        if name is not None:
            return self.page.at(path, lambda: self.names.seat(name))
        expected = self.table.match.expected_dealer()
        if expected is None:
            what = phrase("file.no_dealer", deal=place + 1)
            raise self.page.refuse(self.page.line_of(*path), what, phrase("file.name_after", key="dealer"))
        return expected

    def _seat_players(self, place: int, part: DealPart) -> None:
        for name, player in part.seated.items():
            path = ("deal", place, "seated", name)
            line = self.page.line_of(*path)
            seat = self.page.at(path, lambda name=name: self.names.seat(name))  # type: ignore[misc]
            if folded(player) in {folded(known) for known in (*self.names.players, NOBODY)}:
                raise self.page.refuse(line, phrase("name.sits_already"), phrase("name.another"), player)
            self._tell(PlayerSeated(seat=seat, player=player), line)
            self.names.replace(seat, player)

    def _deal_cards(self, place: int, part: DealPart, turns: Turns) -> CardsDealt | None:
        hands: list[tuple[str, ...] | None] = [None] * len(self.names.players)
        for name, text in part.hands.items():
            path = ("deal", place, "hands", name)
            seat = self.page.at(path, lambda name=name: self.names.seat(name))  # type: ignore[misc]
            if hands[seat] is not None:
                line = self.page.line_of(*path)
                raise self.page.refuse(line, phrase("name.same_player"), phrase("name.one_hand_each"), name)
            hands[seat] = () if not text.strip() or means("sits_out", text) else self._cards(text, *path)
        stock = None if part.stock is None else self._cards(part.stock, "deal", place, "stock")
        deck = None if part.deck is None else self._cards(part.deck, "deal", place, "deck")
        cutter = part.cut_by
        cut_by = None if cutter is None else self.page.at(("deal", place, "cut_by"), lambda: self.names.seat(cutter))
        keys = [key for key in ("hands", "stock", "deck", "cut_by") if getattr(part, key)]
        if not keys and not any((part.calls, part.turned, part.trump, part.called, part.exchange, part.play)):
            return None
        # Cards were dealt, though none is known: without that the rules could not say whose turn it is.
        dealt = CardsDealt(hands=tuple(hands), stock=stock, deck=deck, cut_by=cut_by)
        turns.line = self.page.line_of("deal", place, *self._at_fault(dealt, keys)[:1])
        turns.act(dealt)
        return dealt

    def _at_fault(self, dealt: CardsDealt, keys: list[str]) -> list[str]:
        """The keys of the deal, one without which it breaks fewer rules first."""
        machine = self.table.deals[-1].machine
        optional = [key for key in keys if key != "hands"]
        if not optional or not (faults := len(machine.check(dealt))):
            return keys
        for key in optional:
            if len(machine.check(structs.replace(dealt, **{key: None}))) < faults:
                return [key]
        return keys

    def _cards(self, text: str, *path: str | int) -> tuple[str, ...]:
        return self.page.at(path, lambda: tuple(read_cards(text, self.game)))

    def _record_result(self, place: int, result: dict[str, Any], dealer: int, turns: Turns) -> None:
        path = ("deal", place, "result")
        turns.line = self.page.line_of(*path)
        try:
            outcome = fields_with_seats(result, self.game.outcome_type, self.names, self.game)
            self.game.check_outcome(outcome, self.options, len(self.names.players), dealer)
        except MalformedError as error:
            raise at_its_key(self.page, error, path) from None
        turns.act(ResultRecorded(outcome=outcome))

    def _claim_score(self, place: int, sheet: dict[str, Any], turns: Turns) -> None:
        path = ("deal", place, "sheet")
        turns.line = self.page.line_of(*path)
        fields: dict[str, Any] = {key: sheet[key] for key in AMOUNT_KEYS if key in sheet}
        rest = {key: value for key, value in sheet.items() if key not in fields}
        for key in ("deltas", "totals"):
            if key in fields:
                fields[key] = self._amounts(fields[key], *path, key)
        pool = fields.get("pool")
        if pool is not None and type(pool) is not int:
            what = phrase("file.unreadable", field="sheet.pool")
            raise self.page.refuse(self.page.line_of(*path, "pool"), what, phrase("kind.int"), pool)
        try:
            own = fields_with_seats(rest, self.game.sheet_type, self.names, self.game)
            msgspec.convert(own, self.game.sheet_type)
        except MalformedError as error:
            raise at_its_key(self.page, error, path) from None
        except msgspec.ValidationError as error:
            raise refused(self.page, fault_of(error, own, self.game.sheet_type), path) from None
        turns.act(ScoreClaimed(**fields, sheet=own or None))

    def _amounts(self, amounts: Any, *path: str | int) -> tuple[int, ...]:
        if not isinstance(amounts, dict) or any(type(amount) is not int for amount in amounts.values()):
            what = phrase("file.unreadable", field=f"sheet.{path[-1]}")
            raise self.page.refuse(self.page.line_of(*path), what, phrase("file.number_by_name"), amounts)
        return self.page.at(path, lambda: by_seat(amounts, self.names))

    def _moment(self, place: int, text: str) -> str:
        """The moment as the contract writes it: UTC with microseconds."""
        line = self.page.line_of("deal", place, "when")
        try:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None and len(text) > len("2026-01-05"):
                offset = self.file.utc_offset
                if offset is None:
                    raise self.page.refuse(line, phrase("file.no_offset"), phrase("file.moment_or_offset"), text)
                moment = datetime.fromisoformat(f"{text}{offset}")
            if moment.tzinfo is None:
                raise ValueError
            utc = moment.astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            raise self.page.refuse(line, phrase("file.no_moment"), phrase("file.moment"), text) from None
        return f"{utc.isoformat(timespec='microseconds')}Z"
