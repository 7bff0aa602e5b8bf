"""An empty hand record to type into: its keys, a line for each trick, and the game's words as comments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from ledger.cards import UNKNOWN
from ledger.events import (
    BidMade,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    PartnerCalled,
    TableOpened,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import Text, in_words, word
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import Names
from ledger.recording.hand.record import read_hand_record
from ledger.table.fold import TableFold
from ledger.toml import key_text, pair_text, string_text, table_text, value_text

_WORDS_A_LINE: Final = 6
_DEFAULT_LANG: Final = "en"
_EMPTY: Final = '"""'


def empty_form(
    table: str,
    game: str,
    players: Sequence[str],
    *,
    deals: int = 1,
    options: Mapping[str, Any] | None = None,
    dealer: str | None = None,
    session: str | None = None,
    lang: str = _DEFAULT_LANG,
) -> str:
    """Return a form as text that can be read as it is; its comments are in the language.

    `dealer`: the first dealer, else the last of the players. Raise `MalformedError` as reading the form does.
    """
    form = _Form(game_named(game), players, dict(options or {}), lang)
    text = "\n".join([*form.top(table, session), *form.deals(deals, dealer)]) + "\n"
    read_hand_record(text, f"{table}.toml")
    return text


class _Form:
    """The parts of a form for a table of this game."""

    def __init__(self, game: Game, players: Sequence[str], options: dict[str, Any], lang: str) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.lang = lang
        self.names = Names(players)
        opened = TableOpened(game=game.name, players=tuple(players), options=options)
        self.fold = TableFold([(1, opened)], goes_on=True)

    def top(self, table: str, session: str | None) -> Iterator[str]:
        """Yield the lines of the file's keys."""
        yield from self._comment("form.top")
        yield pair_text("game", self.game.name)
        yield pair_text("table", table)
        yield pair_text("players", self.players)
        yield self._unused("closed", True, "form.closed")
        if self.options:
            yield from ("", *table_text("options", self.options))
        if session is not None:
            yield from ("", *table_text("session", {"slug": session}))
            yield from self._comment("form.session")

    def deals(self, number: int, dealer: str | None) -> Iterator[str]:
        """Yield the lines of so many deals."""
        first = self._first_dealer(dealer)
        for deal in range(1, number + 1):
            due = self.fold.match.expected_dealer() if deal > 1 else None
            seat = first if due is None else due
            yield from ("", "[[deal]]")
            if deal == 1:
                yield pair_text("dealer", self.players[seat])
            else:
                yield self._unused("dealer", self.players[seat], "form.dealer")
            yield from self._deal(self._dealt(seat))
            self.fold.take((len(self.fold.entries) + 1, DealStarted(deal=deal, dealer=seat)))
            self.fold.end_deal()

    def _first_dealer(self, dealer: str | None) -> int:
        if dealer is not None:
            return self.names.seat(dealer)
        due = self.fold.match.expected_dealer()
        return len(self.players) - 1 if due is None else due

    def _dealt(self, dealer: int) -> CardsDealt:
        """Return a sample deal, of which only the numbers of cards count; one card a hand if the game cannot deal."""
        seats = len(self.players)
        if self.game.simulation is None:
            return CardsDealt(hands=((UNKNOWN,),) * seats)
        return self.game.simulation.deal_cards(self.fold.options, seats, dealer, Random(0))

    def _deal(self, dealt: CardsDealt) -> Iterator[str]:
        playing = {name: len(hand) for name, hand in zip(self.players, dealt.hands, strict=True) if hand}
        kinds = self.game.event_types
        if dealt.stock:
            yield self._unused("stock", "", "form.stock")
        yield from self._comment("form.calls", words=self._words(self.game.calls))
        if BidMade in kinds:
            yield pair_text("calls", "")
        if CardTurned in kinds:
            yield self._unused("turned", "", "form.turned")
        if TrumpNamed in kinds:
            yield pair_text("trump", "")
        if PartnerCalled in kinds:
            yield self._unused("called", "", "form.called")
        if CardsExchanged in kinds:
            yield from self._comment("form.exchange")
            yield from (f"exchange = {_EMPTY}", *[""] * len(playing), _EMPTY)
        yield from self._comment("form.play")
        if self.game.announcements:
            yield from self._comment("form.said", words=self._words(self.game.announcements))
        yield from (f"play = {_EMPTY}", *[""] * max(playing.values()), _EMPTY)
        yield self._unused("sheet", {"deltas": dict.fromkeys(self.players, 0)}, "form.sheet")
        yield self._unused("notes", "")
        yield from ("", *self._comment("form.hands"), "# [deal.hands]")
        yield from (f"# {key_text(name)} = {string_text('')}" for name in playing)

    def _comment(self, key: str, **values: Any) -> Iterator[str]:
        for line in in_words(phrase(key, **values), self.lang).splitlines():
            yield f"# {line}".rstrip()

    def _unused(self, key: str, value: Any, why: str | None = None) -> str:
        """Return the line of a key that is commented out. `why`: the key of a remark behind it."""
        pair = f"# {key} = {value_text(value)}"
        return pair if why is None else f"{pair}  # {in_words(phrase(why), self.lang)}"

    def _words(self, words: Collection[str]) -> Text:
        """Return the words to type, with their names in other languages than English."""
        shown = [self._word(one) for one in sorted(words)]
        lines = [shown[start : start + _WORDS_A_LINE] for start in range(0, len(shown), _WORDS_A_LINE)]
        return "\n".join(", ".join(line) for line in lines)

    def _word(self, typed: str) -> str:
        called = typed if self.lang == _DEFAULT_LANG else word(self.game.package, typed, self.lang)
        return typed if called == typed else f"{typed} ({called})"
