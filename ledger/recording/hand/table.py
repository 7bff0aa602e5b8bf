"""The events of a hand record's session and table, in order: everything around the acts of a deal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import (
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
from ledger.recording.canonical import canonical_event, days_instead
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import NOBODY, Names
from ledger.recording.hand.deal import LINE_KEYS, DealLines, DealtReader, TypedDeal, typed_deal
from ledger.recording.hand.file import DealPart, HandRecordFile, SessionPart, is_left_empty
from ledger.recording.hand.page import Page
from ledger.recording.hand.reading import AMOUNT_KEYS, ERRORS_MAX, at_its_key, keys_named, refused
from ledger.recording.hand.seats import DealExpectation, Expectations, ExpectReader, by_seat, fields_with_seats
from ledger.recording.hand.slips import MOST_SEARCHES, Slip, error_of, find_slip
from ledger.recording.hand.trial import DealContext, WordReader, is_about_course, is_out_of_order
from ledger.recording.hand.turns import Turns
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.validator import SessionValidator, TableValidator
from ledger.recording.vocabulary import game_typed
from ledger.streams import SESSION
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.validation import fault_of
from ledger.zones import zone_of_offset

_COURSE: Final = ("dealer", "hands", "stock", "deck", "cut_by", *LINE_KEYS, "turned")
"""The keys of a deal that decide the meaning of its lines."""

NOTHING_RETYPED: Final[Mapping[int, TypedDeal]] = MappingProxyType({})


class TableReader:
    """Reader of one file. `entries`: the entries so far. `names`: the players as they sit at that moment.

    `retyped`: deals to read as corrected, by their place in the file (from 0). `read_now`: the events to read in place
    of corrected entries, by their places in `entries`. `slips`: probable typos in deals that can be recorded.
    `seeks_slips`: whether to search for typos, which takes a third of a second a deal; a text that a program wrote has
    none.
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
        self.entries: list[PendingEntry] = []
        self.expected: list[DealExpectation] = []
        self.stream = f"table/{file.table}"
        self.so_far = TableValidator()
        self.when: str | None = None
        self.names = Names(file.players)
        self.game = self.page.at(("game",), lambda: game_typed(file.game))
        self._check_names()
        self.options = self._options()
        self.table = self._open_table()

    def read(self) -> None:
        """Read the whole file."""
        file = self.file
        for key, text in (("source", file.source), ("comment", file.comment)):
            if text is not None:
                self._note(text, self.page.line_of(key))
        played = [place for place, part in enumerate(file.deal) if not is_left_empty(part)]
        for place in played:
            is_left = place != played[-1] or file.closed is not False
            self._read_deal(place, file.deal[place], is_left)
            if len(self.page.errors) > ERRORS_MAX:
                self.page.raise_errors()
        if file.closed is not False:
            reason = file.closed if isinstance(file.closed, str) else None
            self._attempt(lambda: self._record(TableClosed(reason=reason), self.page.line_of("closed")))
        self.table.end()

    def _attempt(self, read: Callable[[], object]) -> None:
        """Read a part of the file, and collect its error."""
        self.page.attempt(read, None)

    def _note(self, text: str, line: int) -> None:
        self._attempt(lambda: self._record(Noted(text=text), line))

    def expectations(self) -> Expectations:
        """Return the expectations of the file; call it after `read`."""
        part = self.file.expect
        table = None if part is None else ExpectReader(self.page, self.game, self.names).table(part)
        return Expectations(tuple(self.expected), table)

    # Telling

    def _record(self, event: Event, line: int) -> Sequence[Violation]:
        """Add an event to the table's entries and play it; return the rules that it broke."""
        instead = self.read_now.get(len(self.entries))
        entry = self._entry(event, line)
        if instead is None:
            return self.table.take(entry)
        return [violation for event in instead for violation in self.table.take((entry[0], event))]

    def _entry(self, event: Event, line: int) -> Entry:
        """Return the event as the table's next entry, in canonical form and validated."""
        try:
            event = canonical_event(event)
            self.so_far.take(event)
        except MalformedError as error:
            raise self.page.placed(error, line) from None
        typed = self._typed_lines[line - 1]
        self.entries.append(
            PendingEntry(event, None, self.when, stream=self.stream, source=self.page.source, line=line, typed=typed)
        )
        return self.so_far.entries[-1]

    # The table

    def _check_names(self) -> None:
        seen: set[str] = set()
        for seat, name in enumerate(self.file.players):
            line = self.page.line_of("players", seat)
            if folded(name) in seen:
                self.page.keep(line, phrase("name.same_name"), phrase("name.told_apart"), name)
            if folded(name) == NOBODY:
                self.page.keep(line, phrase("name.is_recorder"), phrase("name.another"), name)
            seen.add(folded(name))
        if len(seen) < len(self.file.players) or NOBODY in seen:
            self.page.raise_errors()

    def _options(self) -> Any:
        """Return the options of the table; impossible ones are left out, and their errors collected."""
        options = dict(self.file.options)
        while True:
            try:
                settled = self.game.make_options(options, len(self.file.players))
                break
            except MalformedError as error:
                is_about_players = not options or error.faulty_field == "players"
                placed = at_its_key(self.page, error, ("players",) if is_about_players else ("options",))
                wrong = [key for key in keys_named(error) if key in options]
                if is_about_players or not wrong:
                    raise placed from None
                self.page.errors.append(placed)
                for key in wrong:
                    del options[key]
        self.file = structs.replace(self.file, options=options)
        return settled

    def _open_table(self) -> TableFold:
        """Return the table as it is opened, after its session if the file opens one."""
        file = self.file
        self._attempt(self._open_session)
        opened = TableOpened(
            game=self.game.name,
            players=tuple(file.players),
            session=None if file.session is None else file.session.slug,
            options=file.options,
        )
        return TableFold([self._entry(opened, self.page.line_of("game"))], goes_on=True)

    def _open_session(self) -> None:
        """Open the session; a slug alone names a session that another file or the ledger has opened."""
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
            SessionValidator().take(canonical)
        except MalformedError as error:
            raise self.page.placed(error, self.page.line_of("session", error.faulty_field or "")) from None
        stream = SESSION.stream(session.slug)
        typed = self._typed_lines[line - 1]
        self.entries.append(PendingEntry(canonical, stream=stream, source=self.page.source, line=line, typed=typed))

    def _check_lone_slug(self, session: SessionPart) -> None:
        """Raise `MalformedError` for further keys of a session that this file does not open: they would be lost."""
        fields = {key: getattr(session, key) for key in ("title", "date", "club", "place", "zone")}
        missing = [key for key in ("title", "date") if fields[key] is None]
        for key, value in fields.items():
            if value is not None:
                without = phrase("file.title_and_date") if len(missing) > 1 else missing[0]
                what = phrase("file.without", field=key, missing=without)
                raise self.page.refuse(self.page.line_of("session", key), what, phrase("file.opens_session"), value)

    # Deals

    def _read_deal(self, place: int, part: DealPart, is_left: bool) -> None:
        """Read the deal at that place of the file; the error of a part is collected, and the rest read."""
        self.table.end_deal()
        when = part.when
        self.when = None if when is None else self.page.attempt(lambda: self._moment(place, when), None)
        self._seat_players(place, part)
        number = len(self.table.deals) + 1
        dealer_due = self.table.match.expected_dealer()
        typed = self.retyped.get(place) or typed_deal(self.page, part, place, self._dealer(place, part))
        dealer = typed.dealer
        self._record(DealStarted(deal=number, dealer=dealer), self.page.line_of("deal", place))
        turns = Turns(self.game, self.names, self.table.deals[-1].machine, self._record)
        dealt, turns.line = DealtReader(self.page, self.game, self.names, place).read(part, turns.machine)
        if dealt is not None:
            self._attempt(lambda: turns.act(dealt))
        deal_is_left = is_left and part.voided is None
        setting = DealContext(
            self.game, self.options, self.names, self.page, place, number, dealt, dealer_due, deal_is_left
        )
        self._attempt(lambda: self._read_lines(setting, typed, turns, part.as_typed))
        if part.result is not None:
            self._attempt(lambda: self._record_result(place, part.result or {}, dealer, turns))
        if part.sheet is not None:
            self._attempt(lambda: self._claim_score(place, part.sheet or {}, turns))
        for text in [part.notes] if isinstance(part.notes, str) else part.notes:
            self._note(text, self.page.line_of("deal", place, "notes"))
        if (voided := part.voided) is not None:
            line = self.page.line_of("deal", place, "voided")
            self._attempt(lambda: self._record(DealVoided(reason=voided), line))
        self.when = None
        if (expect := part.expect) is not None:
            reader = ExpectReader(self.page, self.game, self.names)
            self._attempt(lambda: self.expected.append(reader.deal(number, expect, place)))

    def _read_lines(self, setting: DealContext, typed: TypedDeal, turns: Turns, as_typed: bool) -> None:
        """Read the acts of the players. A typo is added to `slips`, or raised if it makes a line unreadable."""
        is_misread = self._has_errors(setting.place, _COURSE)
        seeks_slips = self.seeks_slips and not (as_typed or is_misread)
        try:
            DealLines(self.page, turns, setting.place).read(typed, as_typed)
        except MalformedError as error:
            words = WordReader(self.page, turns, setting.place)
            words.read(typed)
            self.page.errors += words.errors
            if is_misread and is_about_course(error):
                return  # a consequence of an earlier error
            if not is_out_of_order(error):
                raise
            slip = self._find_slip(setting, typed) if seeks_slips and not words.errors else None
            if slip is not None:
                raise error_of(slip) from None
            if (misdeal := turns.misdeal()) is not None:
                raise self.page.placed(*misdeal) from None
            raise
        record = self.table.deals[-1]
        is_short = setting.is_left and any(typed.lines.values()) and record.machine.status == "open"
        if seeks_slips and (record.violations or record.machine.late_violations() or is_short):
            slip = self._find_slip(setting, typed)
            self.slips += [] if slip is None else [slip]

    def _find_slip(self, setting: DealContext, typed: TypedDeal) -> Slip | None:
        self._searches_left -= 1
        return find_slip(setting, typed) if self._searches_left >= 0 else None

    def _dealer(self, place: int, part: DealPart) -> int:
        path = ("deal", place, "dealer")
        expected = self.table.match.expected_dealer()
        if (name := part.dealer) is not None:
            return self.page.attempt_at(path, lambda: self.names.seat(name), expected or 0)
        if expected is None and "dealer" not in self.page.lost_keys and not self._has_errors(place):
            what = phrase("file.no_dealer", deal=place + 1)
            self.page.keep(self.page.line_of(*path), what, phrase("file.name_after", key="dealer"))
        return expected or 0

    def _has_errors(self, place: int, keys: Collection[str] = DealPart.__struct_fields__) -> bool:
        """Return whether something of the deal could not be read, unless it certainly has another key than these."""
        if not self.page.errors:
            return False
        start = self.page.line_of("deal", place)
        end = self.page.line_of("deal", place + 1) if place + 1 < len(self.file.deal) else len(self._typed_lines) + 1
        others = {self.page.line_of("deal", place, key) for key in DealPart.__struct_fields__ if key not in keys}
        lines = {error.values.get("line", 0) for error in self.page.errors}
        return any(start <= line < end for line in lines - (others - {start}))

    def _seat_players(self, place: int, part: DealPart) -> None:
        for name, player in part.seated.items():
            self._attempt(lambda name=name, player=player: self._seat_player(place, name, player))  # type: ignore[misc]

    def _seat_player(self, place: int, name: str, player: str) -> None:
        path = ("deal", place, "seated", name)
        line = self.page.line_of(*path)
        seat = self.page.at(path, lambda: self.names.seat(name))
        if folded(player) in {folded(known) for known in (*self.names.players, NOBODY)}:
            what = phrase("name.is_recorder" if folded(player) == NOBODY else "name.sits_already")
            raise self.page.refuse(line, what, phrase("name.another"), player)
        self._record(PlayerSeated(seat=seat, player=player), line)
        self.names.replace(seat, player)

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
        fields: dict[str, Any] = {}
        for key in ("deltas", "totals"):
            if (amounts := sheet.get(key)) is not None:
                fields[key] = self.page.attempt(
                    lambda key=key, amounts=amounts: self._amounts(amounts, *path, key),  # type: ignore[misc]
                    None,
                )
        pool = sheet.get("pool")
        if pool is not None and type(pool) is not int:
            what = phrase("file.unreadable", field="sheet.pool")
            self.page.keep(self.page.line_of(*path, "pool"), what, phrase("kind.int"), pool)
            pool = None
        own = {key: value for key, value in sheet.items() if key not in AMOUNT_KEYS}
        try:
            own = fields_with_seats(own, self.game.sheet_type, self.names, self.game)
            msgspec.convert(own, self.game.sheet_type)
        except MalformedError as error:
            raise at_its_key(self.page, error, path) from None
        except msgspec.ValidationError as error:
            raise refused(self.page, fault_of(error, own, self.game.sheet_type), path) from None
        turns.act(ScoreClaimed(**fields, pool=pool, sheet=own or None))

    def _amounts(self, amounts: Any, *path: str | int) -> tuple[int, ...]:
        by_name = amounts if isinstance(amounts, dict) else {"": amounts}
        for name, amount in by_name.items():
            if type(amount) is not int or not name:
                what = phrase("file.unreadable", field=f"sheet.{path[-1]}")
                raise self.page.refuse(self.page.line_of(*path, name), what, phrase("file.number_by_name"), amount)
        return self.page.at(path, lambda: by_seat(amounts, self.names))

    def _moment(self, place: int, text: str) -> str:
        """Return the moment in canonical form: UTC with microseconds."""
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
            if (days := days_instead(text)) is not None:
                raise self.page.refuse(line, phrase("entry.no_day"), days, text) from None
            raise self.page.refuse(line, phrase("file.no_moment"), phrase("file.moment"), text) from None
        return f"{utc.isoformat(timespec='microseconds')}Z"
