"""Validation of events as entries of their streams (contract 3, *malformed*). Events against the rules are valid.

A `TableValidator` or `SessionValidator` takes the entries of one stream in order and raises `MalformedError`, with
field, value and what was expected, at the first that is invalid. `TableValidator.folded` folds the same entries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, MutableSequence, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol, Self, TypeAlias

import msgspec

from ledger import limits
from ledger.cards import UNKNOWN
from ledger.errors import MalformedError, in_stream
from ledger.events import (
    DEAL_TYPES,
    GAME_ACTION_TYPES,
    SESSION_TYPES,
    TABLE_TYPES,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Corrected,
    DealStarted,
    DisputeRaised,
    Event,
    HandsOpened,
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    SessionClosed,
    SessionOpened,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import Phrase, one_of
from ledger.limits import exceeded
from ledger.recording.catalogue import phrase
from ledger.recording.new_names import check_new_names
from ledger.streams import SESSION, TABLE, stream_type
from ledger.table.corrections import Entry, Signature, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.hiding import deals_started
from ledger.validation import converted


def type_name(event: Event) -> str:
    """Return the type of an event as the contract writes it, without the number of its version."""
    return _name_of(type(event))


def _name_of(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag).partition(".")[0]


class StreamValidator(Protocol):
    """The state of one stream after its entries, which decides what can come next."""

    entries: MutableSequence[Entry]

    def check(self, event: Event) -> None:
        """Raise `MalformedError` if the event cannot come next. The state does not change."""

    def take(self, event: Event) -> object:
        """Take the next entry. Raise `MalformedError` and keep the state if it is invalid."""

    def copy(self) -> Self:
        """Return a copy that can take other entries."""
        ...


class SessionValidator:
    """The state of a session stream: its opening, then notes, closings and corrections."""

    def __init__(self) -> None:
        self.entries: MutableSequence[Entry] = []
        self.is_open = False
        self.is_closed = False

    def check(self, event: Event) -> None:
        """Raise `MalformedError` if the event cannot come next. The state does not change."""
        if type(event) not in SESSION_TYPES:
            raise MalformedError("type", phrase("entry.session_types"), type_name(event))
        if isinstance(event, SessionOpened) and self.is_open:
            what = phrase("entry.session_is_open")
            expected = phrase("act.another_session", or_correct=phrase("act.or_correct"))
            raise MalformedError(what, expected, event.title)
        if not isinstance(event, SessionOpened) and not self.is_open:
            raise MalformedError(phrase("entry.session_not_open"), phrase("act.session_opened_first"), type_name(event))
        if isinstance(event, SessionClosed) and self.is_closed:
            raise MalformedError(phrase("entry.session_is_closed"), phrase("act.a_note"), type_name(event))
        if isinstance(event, Noted) and (event.seat is not None or event.version is not None):
            field, value = ("seat", event.seat) if event.seat is not None else ("version", event.version)
            raise MalformedError(field, phrase("entry.none_in_session"), str(value))
        if isinstance(event, Corrected):
            _check_target(event, self.entries)

    def take(self, event: Event) -> None:
        """Take the next entry. Raise `MalformedError` and keep the state if it is invalid."""
        self.check(event)
        self.is_open = True
        self.entries.append((len(self.entries) + 1, event))
        if isinstance(event, Corrected | SessionClosed):
            self.is_closed = any(isinstance(read, SessionClosed) for _, read in corrected_reading(self.entries))

    def copy(self) -> Self:
        """Return a copy that can take other entries."""
        other = type(self)()
        other.__dict__.update(self.__dict__, entries=list(self.entries))
        return other


class TableValidator:
    """The state of a table stream: its opening, then deals; each event has fields of the table's game.

    `recorded`: the recorded entries if the validator reads them as corrected; versions refer to these, including struck
    ones.
    """

    def __init__(self, recorded: Sequence[Entry] = ()) -> None:
        self.entries: MutableSequence[Entry] = []
        self._recorded = recorded
        self._last_version = 0
        self._checked: Event | None = None
        self._corrected: TableValidator | None = None
        self.game: Game | None = None
        self.options: Any = None
        self.pack: frozenset[str] = frozenset()
        self.seats = 0
        self.deals = 0
        self.dealer = 0
        self.has_actions = False
        self.has_result = False

    def check(self, event: Event) -> None:
        """Raise `MalformedError` if the event cannot come next. The state does not change."""
        if type(event) is Corrected:
            self._corrected = self._after_correction(event)
        else:
            self._last_version = len(self.entries)
            self._check(event)
        self._checked = event

    def take(self, event: Event) -> Any:
        """Take the next entry. Raise `MalformedError` and keep the state if it is invalid."""
        if event is not self._checked:
            self.check(event)
        self._checked = None
        if self._corrected is not None and type(event) is Corrected:
            entries = self.entries
            self.__dict__.update(vars(self._corrected))
            self.entries, self._recorded = entries, ()
        else:
            self._move(event)
        self.entries.append((len(self.entries) + 1, event))

    def copy(self) -> Self:
        """Return a copy that can take other entries."""
        other = self.__new__(type(self))
        other.__dict__.update(self.__dict__, entries=list(self.entries))
        return other

    def folded(self, *, signed: Mapping[int, Signature] = MappingProxyType({}), goes_on: bool = False) -> TableFold:
        """Return the fold of the entries as corrected; arguments as of `TableFold`."""
        recorded = list(self.entries)
        if not any(type(event) is Corrected for _, event in recorded):
            return TableFold(recorded, signed=signed, goes_on=goes_on)
        return TableFold(list(corrected_reading(recorded)), recorded, signed=signed, goes_on=goes_on)

    def _after_correction(self, event: Corrected) -> TableValidator:
        """Return the state after a correction, validating the corrected entries from the beginning."""
        _check_target(event, self.entries)
        corrected = TableValidator(self.entries)
        try:
            for version, instead in corrected_reading([*self.entries, (len(self.entries) + 1, event)]):
                is_inserted = bool(corrected.entries) and corrected.entries[-1][0] == version
                corrected._last_version = version if is_inserted else version - 1
                corrected._check(instead)
                corrected._move(instead)
                corrected.entries.append((version, instead))
        except MalformedError as error:
            raise error.at(phrase("entry.with_correction", corrected=event.version)) from None
        if corrected.game is None:
            raise MalformedError("corrected.version", phrase("entry.needed_entry"), str(event.version))
        return corrected

    def _check(self, event: Event) -> None:
        kind = type(event)
        if self.game is None:
            if kind is not TableOpened:
                raise MalformedError(phrase("entry.table_not_open"), phrase("act.table_opened_first"), type_name(event))
            self._opening(event)
            return
        check = _CHECKS.get(kind)
        if check is None:
            expected = phrase("act.event_of_open_table")
            raise MalformedError("type", expected, type_name(event))
        if kind in DEAL_TYPES and kind is not DealStarted:
            if not self.deals:
                raise MalformedError(
                    phrase("entry.no_deal_started"), phrase("act.deal_started_first"), type_name(event)
                )
            if kind in GAME_ACTION_TYPES:
                if kind not in self.game.event_types:
                    known = one_of(sorted(map(_name_of, self.game.event_types)))
                    what = phrase("entry.no_such_action", game=self.game.called)
                    raise MalformedError(what, known, type_name(event))
                if self.game.check_event is not None:
                    self.game.check_event(event)
        check(self, event)

    def _move(self, event: Any) -> None:
        """Update the fields after a valid event that is no correction."""
        kind = type(event)
        if kind in _ACTIONS:
            self.has_actions = True
        elif kind is DealStarted:
            self.deals, self.dealer = event.deal, event.dealer
            self.has_actions = self.has_result = False
        elif kind is ResultRecorded:
            self.has_result = True
        elif kind is TableOpened:
            self.game, self.options, self.pack = self._opening(event)
            self.seats = len(event.players)

    @staticmethod
    def _opening(event: Any) -> tuple[Game, Any, frozenset[str]]:
        game = game_named(event.game)
        options = game.make_options(event.options, len(event.players))
        return game, options, game.pack if game.pack_of is None else game.pack_of(options)

    # Fields

    def _seat(self, seat: int | None, field: str = "seat") -> None:
        if seat is not None and seat >= self.seats:
            raise MalformedError(field, phrase("entry.a_seat", last=self.seats - 1), str(seat))

    def _cards(self, cards: Iterable[str] | None, field: str) -> None:
        assert self.game is not None
        for card in cards or ():
            if card not in self.pack and card != UNKNOWN:
                raise MalformedError(
                    phrase("entry.not_in_pack", field=field),
                    phrase("entry.a_card", game=self.game.called),
                    card,
                    field=field,
                )

    def _word(self, word: str, field: str, known: Collection[str]) -> None:
        assert self.game is not None
        if word not in known:
            what = phrase("entry.not_in_game", field=field, game=self.game.called)
            raise MalformedError(what, one_of(sorted(known)), word, field=field)

    def _amounts(self, amounts: Sequence[int] | None, field: str) -> None:
        if amounts is not None and len(amounts) != self.seats:
            raise MalformedError(field, phrase("entry.amounts", seats=self.seats), str(list(amounts)))
        for amount in amounts or ():
            self._amount(amount, field)

    def _amount(self, amount: int | None, field: str) -> None:
        if amount is not None and abs(amount) > limits.AMOUNT_MAX:
            raise MalformedError(field, phrase("entry.an_amount", most=limits.AMOUNT_MAX), str(amount), field=field)

    def _deal_number(self, deal: int) -> None:
        if deal > self.deals:
            key = {0: "entry.a_started_deal", 1: "entry.the_first_deal"}.get(self.deals, "entry.a_deal")
            raise MalformedError("deal", phrase(key, last=self.deals), str(deal))

    # Events

    def _table_opened(self, _: TableOpened) -> None:
        expected = phrase("act.another_table", or_correct=phrase("act.or_correct"))
        raise MalformedError(phrase("entry.table_is_open"), expected, "table_opened")

    def _player_seated(self, event: PlayerSeated | TrumpNamed | TrickGathered) -> None:
        self._seat(event.seat)

    _trump_named = _trick_gathered = _player_seated

    def _deal_started(self, event: DealStarted) -> None:
        if event.deal != self.deals + 1:
            raise MalformedError("deal", phrase("entry.next_deal", number=self.deals + 1), str(event.deal))
        if event.deal > limits.DEALS_PER_TABLE:
            raise exceeded("deals_per_table", event.deal, limits.DEALS_PER_TABLE, "deals")
        self._seat(event.dealer, "dealer")

    def _cards_dealt(self, event: CardsDealt) -> None:
        if len(event.hands) != self.seats:
            raise MalformedError("hands", phrase("entry.hands", seats=self.seats), str(len(event.hands)))
        for seat, hand in enumerate(event.hands):
            self._cards(hand, f"hands[{seat}]")
        self._cards(event.stock, "stock")
        self._cards(event.deck, "deck")
        self._seat(event.cut_by, "cut_by")

    def _bid_made(self, event: BidMade) -> None:
        assert self.game is not None
        self._seat(event.seat)
        self._word(event.call, "call", self.game.calls)
        self._cards(None if event.card is None else [event.card], "card")

    def _card_turned(self, event: CardTurned) -> None:
        self._cards([event.card], "card")

    def _partner_called(self, event: PartnerCalled) -> None:
        self._seat(event.seat)
        self._cards(None if event.card is None else [event.card], "card")

    def _cards_exchanged(self, event: CardsExchanged) -> None:
        self._seat(event.seat)
        for field, cards in (("discarded", event.discarded), ("drawn", event.drawn)):
            self._cards(cards, field)
            if cards is not None and len(cards) != event.count:
                expected = phrase("entry.as_count_says", count=event.count)
                raise MalformedError(field, expected, phrase("entry.cards", count=len(cards)))

    def _announced(self, event: Announced) -> None:
        assert self.game is not None
        self._seat(event.seat)
        self._word(event.what, "what", self.game.announcements)
        for seat in event.seats or ():
            self._seat(seat, "seats")

    def _card_played(self, event: CardPlayed) -> None:
        if event.seat >= self.seats:
            self._seat(event.seat)
        if event.card not in self.pack:
            self._cards([event.card], "card")

    def _result_recorded(self, event: ResultRecorded) -> None:
        assert self.game is not None
        if self.has_actions or self.has_result:
            key = "entry.has_result" if self.has_result else "entry.has_play"
            raise MalformedError(phrase(key, deal=self.deals), phrase("entry.result_alone"))
        self.game.check_outcome(event.outcome, self.options, self.seats, self.dealer)

    def _score_claimed(self, event: ScoreClaimed) -> None:
        assert self.game is not None
        self._amounts(event.deltas, "deltas")
        self._amounts(event.totals, "totals")
        self._amount(event.pool, "pool")
        converted(event.sheet or {}, self.game.sheet_type, "sheet")

    def _dispute_raised(self, event: DisputeRaised) -> None:
        self._deal_number(event.deal)
        self._seat(event.seat)
        self._version(event.version)

    def _ruling_given(self, event: RulingGiven) -> None:
        assert self.game is not None
        self._deal_number(event.deal)
        self._word(event.kind, "kind", self.game.ruling_kinds)
        self._amounts(event.deltas, "deltas")
        moves = event.kind in ("adjust", "replace")
        if moves and event.deltas is None:
            raise MalformedError(
                phrase("entry.is_missing", field="deltas"),
                phrase("entry.amount_with_kind", kind=event.kind),
                field="deltas",
            )
        for field, moved in (("deltas", event.deltas), ("pool", event.pool)):
            if not moves and moved is not None:
                raise MalformedError(field, phrase("entry.none_with_kind", kind=event.kind), _json(moved))
        if event.pool and "pool" not in self.game.make_match(self.options, self.seats).state():
            raise MalformedError("pool", phrase("entry.no_pool", game=self.game.called), str(event.pool))
        if event.kind == "award" and event.award is None:
            raise MalformedError(phrase("entry.is_missing", field="award"), phrase("entry.an_award"), field="award")
        if event.kind != "award" and event.award is not None:
            raise MalformedError("award", phrase("entry.none_with_kind", kind=event.kind), _json(event.award))
        if event.award is not None and self.game.check_award is not None:
            self.game.check_award(event.award, self.options)
        rest = sum(event.deltas or ()) + (event.pool or 0)
        if rest and self.game.is_zero_sum:
            raise MalformedError(phrase("entry.no_sum"), phrase("entry.sum_of_0"), str(rest))
        if event.dispute is not None:
            self._version(event.dispute, "dispute")
            if not any(
                version == event.dispute and isinstance(entry, DisputeRaised)
                for version, entry in (*self.entries, *self._recorded)
            ):
                raise MalformedError("dispute", phrase("entry.a_dispute"), str(event.dispute))

    def _hands_opened(self, event: HandsOpened) -> None:
        recorded = self._recorded or self.entries
        if not any(start.deal == event.deal for start in deals_started(recorded)):  # struck deals count, too
            self._deal_number(event.deal)

    def _noted(self, event: Noted) -> None:
        self._seat(event.seat)
        self._version(event.version)

    def _version(self, version: int | None, field: str = "version") -> None:
        if version is not None and version > self._last_version:
            raise MalformedError(field, _a_version(self._last_version), str(version))

    def _table_closed(self, _: Event) -> None:
        pass

    _deal_voided = _table_closed


VALIDATORS: Final[dict[str, Callable[[], StreamValidator]]] = {
    TABLE.name: TableValidator,
    SESSION.name: SessionValidator,
}
"""The factories of validators by the name of the kind of stream."""


def validator_of(stream: str, events: Iterable[Event] = ()) -> StreamValidator:
    """Return the validator of a stream after these entries. Raise `MalformedError` for an unknown kind of stream."""
    validator = VALIDATORS[stream_type(stream).name]()
    for event in events:
        validator.take(event)
    return validator


def next_entries(stream: str, recorded: Sequence[Entry], events: Sequence[Event]) -> list[Entry]:
    """Return the events as the next entries of their stream. Raise `MalformedError` if they cannot be that."""
    validator = validator_of(stream, (event for _, event in recorded))
    try:
        for event in events:
            validator.take(event)
    except MalformedError as error:
        raise error.at(in_stream(stream)) from None
    check_new_names(stream, recorded, events)
    return list(validator.entries[len(recorded) :])


def _a_version(last: int) -> Phrase:
    return phrase("entry.the_first_version" if last == 1 else "entry.a_version", last=last)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _check_target(event: Corrected, entries: Sequence[Entry]) -> None:
    if event.version > len(entries):
        raise MalformedError("version", _a_version(len(entries)), str(event.version))
    if isinstance(entries[event.version - 1][1], Corrected):
        raise MalformedError("version", phrase("entry.an_original"), str(event.version))


_ACTIONS: Final = GAME_ACTION_TYPES - {CardsDealt} | {TrickGathered}
"""The events after which a deal can have no result without play."""

Check: TypeAlias = Callable[[TableValidator, Any], None]

_CHECKS: Final[dict[type, Check]] = {
    kind: getattr(TableValidator, f"_{_name_of(kind)}") for kind in TABLE_TYPES - {Corrected}
}
