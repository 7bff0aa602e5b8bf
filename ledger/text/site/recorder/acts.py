"""Describe acts for a recorder, find the acts that one tap on Undo takes back, and list the acts of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Corrected,
    DealStarted,
    DealVoided,
    DisputeRaised,
    Event,
    HandsOpened,
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    TableClosed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game
from ledger.i18n import sentence
from ledger.recording.board.keyboard import Purpose
from ledger.table.corrections import Entry, corrections_in_force
from ledger.table.fold import TableFold
from ledger.text.cards import card_text
from ledger.text.catalogue import Wording, written_wording_for
from ledger.text.events import event_text
from ledger.text.site.catalogue import capitalised, say

PURPOSES: Final[Mapping[type[Event], Purpose]] = {CardPlayed: "play", CardTurned: "turn", PartnerCalled: "call"}
"""The purpose of the keyboard for each type of act that names a card."""
SPOKEN: Final = (BidMade, TrumpNamed, Announced, CardsExchanged)
_REPLACEABLE: Final = (*PURPOSES, *SPOKEN, TrickGathered)

_NAME_KEYS: Final[Mapping[type[Event], str]] = {
    CardsDealt: "rec.the_hands",
    DealVoided: "rec.void_told",
    DisputeRaised: "rec.dispute_told",
    Noted: "rec.note_told",
    ScoreClaimed: "rec.sheet_told",
    TableClosed: "rec.closing_told",
}

_NOBODY = -1
"""The viewer who sees no hand."""


class ActFormatter(Struct, frozen=True):
    """Formatter of acts in the words of the game at this table, with the players' shown names."""

    wording: Wording
    players: Sequence[str]
    game: Game
    options: Any

    @property
    def lang(self) -> str:
        return self.wording.lang

    def word(self, event: Event) -> str:
        """Return the act without its player, e.g. `Pass`, `♥`, `3` or `♣J`."""
        match event:
            case BidMade(card=None):
                return capitalised(self.wording.spoken(event.call))
            case BidMade():
                return f"{capitalised(self.wording.spoken(event.call))} {card_text(event.card or '')}"
            case Announced():
                return capitalised(self.wording.spoken(event.what))
            case TrumpNamed():
                return SYMBOLS[event.suit]
            case CardPlayed() | CardTurned():
                return card_text(event.card)
            case PartnerCalled():
                return say(self.lang, "rec.no_card") if event.card is None else card_text(event.card)
            case CardsExchanged():
                return str(event.count)
            case ResultRecorded():
                return self.wording.say("result")
            case DealStarted():
                return say(self.lang, "rec.start_told", deal=event.deal)
            case TrickGathered():
                return capitalised(say(self.lang, "rec.takes_trick"))
        key = _NAME_KEYS.get(type(event))
        if key is not None:
            return say(self.lang, key)
        return event_text(event, self.players, self.wording, _NOBODY)

    def with_name(self, event: Event) -> str:
        """Return the act with its player, e.g. `Cleo: pass`."""
        seats: Sequence[int] = getattr(event, "seats", None) or ()
        seat = getattr(event, "seat", None)
        if isinstance(event, DealStarted) or (seat is None and not seats):
            return event_text(event, self.players, self.wording, _NOBODY)
        name = self.names(seats) if seats else self.players[seat if seat is not None else 0]
        return say(self.lang, "rec.act_of", name=name, what=self.action(event))

    def action(self, event: Event) -> str:
        """Return the act without its player, as more than a number or card, e.g. `3 exchanged` or `♥K called`."""
        match event:
            case CardsExchanged():
                return say(self.lang, "rec.has_exchanged", count=event.count)
            case CardTurned():
                return say(self.lang, "rec.has_turned", card=card_text(event.card))
            case PartnerCalled(card=str(card)):
                return say(self.lang, "rec.has_called", card=card_text(card))
        return self.word(event)

    def stakes(self, event: Event) -> str:
        """Return the stake of an act in the game's words; empty if the game names none."""
        words = None if self.game.stakes is None else self.game.stakes(event, self.options)
        return "" if words is None else sentence(self.game.package, words, self.players, self.lang)

    def names(self, seats: Sequence[int]) -> str:
        """Return the names of players who act together, e.g. `Ben and Cleo`."""
        return self.wording.say("and").join(self.players[seat] for seat in seats)

    def repeated(self, events: Sequence[Event]) -> str:
        """Return acts that are taken back together as one text: the last act, with a count if it is repeated."""
        same = [event for event in events if type(event) is type(events[-1])]
        word = self.action(events[-1])
        return say(self.lang, "rec.times", what=word, count=len(same)) if len(same) > 1 else word


def act_formatter_of(fold: TableFold, lang: str) -> ActFormatter:
    """Return a formatter for a table that was read with the players' shown names."""
    return ActFormatter(written_wording_for(fold.game, lang), tuple(fold.players), fold.game, fold.options)


class Signed(Struct, frozen=True):
    """The writer and the time of an entry, and the name to show. All entries of one request have the same time."""

    by: str
    at: str
    name: str = ""


class Undo(Struct, frozen=True):
    """Entries that are taken back together. `versions`: the entries to strike, last first. `events`: their events."""

    versions: tuple[int, ...]
    events: tuple[Event, ...]


def undo_of(fold: TableFold, signed: Mapping[int, Signed], writer: str, *, may_undo_all: bool) -> Undo | None:
    """Return what this writer may take back now, None if nothing.

    Writers take back their own acts of the last deal; with `may_undo_all` the acts of all writers. Players who changed
    seats go back only together, by the list of acts.
    """
    acts = [entry for entry in fold.entries[1:] if type(entry[1]) is not HandsOpened]
    if not acts or acts[-1][0] in _seated_together(fold, signed):
        return None
    if not _may(acts[-1], fold, signed, writer, may_undo_all=may_undo_all):
        return None
    together = [acts[-1]]
    for entry in reversed(acts[:-1]):
        if not _is_one_tap(entry, together[0], signed):
            break
        together.insert(0, entry)
    versions = tuple(version for version, _ in reversed(together))
    return Undo(versions, tuple(event for _, event in together))


def _seated_together(fold: TableFold, signed: Mapping[int, Signed]) -> set[int]:
    """Return the entries that seated players at once: without one of them, a player would have two seats."""
    seated = [version for version, event in fold.recorded if type(event) is PlayerSeated]
    pairs = (pair for pair in pairwise(seated) if pair[1] == pair[0] + 1 and signed.get(pair[0]) == signed.get(pair[1]))
    return {version for pair in pairs for version in pair}


def may_strike(version: int, fold: TableFold, signed: Mapping[int, Signed], writer: str) -> bool:
    """Return whether the entry is in the last deal and all of it was recorded by this writer."""
    first = fold.deals[-1].version if fold.deals else 2
    corrected = (at for at, event in fold.recorded if isinstance(event, Corrected) and event.version == version)
    return version >= first and all(at in signed and signed[at].by == writer for at in (version, *corrected))


def _may(entry: Entry, fold: TableFold, signed: Mapping[int, Signed], writer: str, *, may_undo_all: bool) -> bool:
    return may_undo_all or may_strike(entry[0], fold, signed, writer)


def _is_one_tap(earlier: Entry, later: Entry, signed: Mapping[int, Signed]) -> bool:
    """Return whether one tap recorded both: equal passes, unknown hands and an act, a deal and its result."""
    if earlier[0] == later[0] or signed.get(earlier[0]) != signed.get(later[0]):
        return False
    match earlier[1], later[1]:
        case BidMade() as before, BidMade() as after:
            return before.call == after.call
        case CardsDealt(), _:
            return True
        case DealStarted(), ResultRecorded():
            return True
    return False


def replaceable_act(fold: TableFold, version: int) -> Event | None:
    """Return the event that is read at this entry if another event may replace it, else None."""
    read = [event for at, event in fold.entries if at == version]
    return read[0] if len(read) == 1 and isinstance(read[0], _REPLACEABLE) else None


class HistoryAct(Struct, frozen=True, kw_only=True):
    """An act in the list of a deal.

    `back`: the versions that undoing back to this act strikes, last first, separated by blanks; empty if that is not
    allowed. `is_struck`: the act no longer counts. `undo`: "at_once" if no later act counts, else "previewed"; empty
    for the start of a deal that has gone on and for players who changed seats, which stay. `another`: the key of the
    label of the button that changes the act; empty if it cannot be changed.
    """

    version: int
    act_text: str
    by: str
    may_undo: bool
    back: str
    is_struck: bool
    undo: Literal["at_once", "previewed", ""]
    another: str


def deal_history(
    fold: TableFold, signed: Mapping[int, Signed], writer: str, formatter: ActFormatter, *, is_director: bool
) -> tuple[HistoryAct, ...]:
    """Return the acts since the start of the last deal, newest first."""
    first = fold.deals[-1].version if fold.deals else 2
    struck = {
        version
        for version, one in corrections_in_force(fold.recorded).items()
        if one.event.action == "strike" and version >= first
    }
    read = {version: event for version, event in fold.entries if version >= first}
    written = {version: event for version, event in fold.recorded if version in struck}
    together = _seated_together(fold, signed)
    acts: list[HistoryAct] = []
    later: list[int] = []
    may_all = True
    for version in sorted({*read, *written}, reverse=True):
        is_struck = version not in read
        event: Event = read[version] if not is_struck else written[version]
        if isinstance(event, Corrected):
            continue
        may = is_director or may_strike(version, fold, signed, writer)
        undo = "" if version in together else _undo(event, is_last=not later)
        if not is_struck:
            may_all = may_all and may
            later.append(version)
        acts.append(
            HistoryAct(
                version=version,
                act_text=formatter.with_name(event),
                by=signed[version].name if version in signed else "",
                may_undo=may,
                back=" ".join(map(str, later)) if may_all and not is_struck else "",
                is_struck=is_struck,
                undo=undo,
                another=_change_key(fold, version) if may and not is_struck else "",
            )
        )
    return tuple(acts)


def _undo(event: Event, *, is_last: bool) -> Literal["at_once", "previewed", ""]:
    if is_last:
        return "at_once"
    return "" if isinstance(event, DealStarted) else "previewed"


def _change_key(fold: TableFold, version: int) -> str:
    """Return the message key of the button that changes the act; empty if the act cannot be changed."""
    act = replaceable_act(fold, version)
    if act is None:
        return ""
    return "rec.another_card" if type(act) in PURPOSES else "rec.another_act"
