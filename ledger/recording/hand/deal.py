"""The cards and lines of one deal, read as events. This module knows no game: words come from the game's declarations,
and `Turns` says whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct, structs

from ledger.cards import UNKNOWN, parse_suit
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import includes, of_type
from ledger.games.kernel.protocol import Game
from ledger.i18n import Text
from ledger.i18n.normalisation import narrow
from ledger.recording.catalogue import either, phrase
from ledger.recording.grammar import Arrow, Names, Speaker, Token, Word, tokenize
from ledger.recording.hand.file import DealPart
from ledger.recording.hand.page import KeyPath, Page
from ledger.recording.hand.turns import Turns
from ledger.recording.vocabulary import cards_apart, game_words, is_card, means, read_card, spelt_word

_KEYS: Final = ("hands", "stock", "deck", "cut_by")
_COUNT: Final = re.compile("[0-9]{1,4}")


class DealtReader:
    """Reader of the cards of deal `place` (from 0). Errors are collected by the page; unreadable cards are unknown."""

    def __init__(self, page: Page, game: Game, names: Names, place: int) -> None:
        self.page = page
        self.game = game
        self.names = names
        self.place = place

    def read(self, part: DealPart, machine: Deal) -> tuple[CardsDealt | None, int]:
        """Return the cards dealt, which `machine` has not taken yet, and their line; None if nothing was dealt."""
        hands: list[tuple[str, ...] | None] = [None] * len(self.names.players)
        lines: dict[int, int] = {}
        for name, text in part.hands.items():
            seat = self._seat(name, "hands", name)
            line = self.page.line_of("deal", self.place, "hands", name)
            if seat in lines:
                self.page.keep(line, phrase("name.same_player"), phrase("name.one_hand_each"), name)
            elif seat is not None:
                lines[seat] = line
                hands[seat] = () if not text.strip() or means("sits_out", text) else self._cards(text, "hands", name)
        stock = None if part.stock is None else self._cards(part.stock, "stock")
        deck = None if part.deck is None else self._cards(part.deck, "deck")
        cut_by = None if part.cut_by is None else self._seat(part.cut_by, "cut_by")
        keys = [key for key in _KEYS if getattr(part, key)]
        if not keys and not any((part.calls, part.turned, part.trump, part.called, part.exchange, part.play)):
            return None, self.page.line_of("deal", self.place)
        # Cards were dealt, even if none is known: otherwise nobody would be due.
        event = CardsDealt(hands=tuple(hands), stock=stock, deck=deck, cut_by=cut_by)
        return event, self._line_at_fault(event, keys, lines, machine)

    def _line_at_fault(self, event: CardsDealt, keys: list[str], hands: Mapping[int, int], machine: Deal) -> int:
        """Return the line of the cards at fault, else of the first key. `hands`: the line of each seat's hand."""
        faults = machine.check(event) if keys else ()
        for key in keys if faults else ():
            if key != "hands" and len(machine.check(structs.replace(event, **{key: None}))) < len(faults):
                return self.page.line_of("deal", self.place, key)
        seats = [*(fault.seat for fault in faults), _hand_with_card_twice(event)] if faults else []
        at_hand = [hands[seat] for seat in seats if seat is not None and seat in hands]
        return at_hand[0] if at_hand else self.page.line_of("deal", self.place, *keys[:1])

    def _seat(self, name: str, *path: str) -> int | None:
        return self.page.attempt_at(("deal", self.place, *path), lambda: self.names.seat(name), None)

    def _cards(self, text: str, *path: str) -> tuple[str, ...] | None:
        """Return the cards; None if one of them cannot be read."""
        at: KeyPath = ("deal", self.place, *path)
        cards = [self.page.attempt_at(at, partial(read_card, word, self.game), None) for word in cards_apart(text)]
        return None if None in cards else tuple(card for card in cards if card is not None)


def _hand_with_card_twice(event: CardsDealt) -> int | None:
    """Return the first seat whose hand has a card that it or an earlier hand already has."""
    seen: set[str] = set()
    for seat, hand in enumerate(event.hands):
        for card in hand or ():
            if card in seen:
                return seat
            if card != UNKNOWN:
                seen.add(card)
    return None


LINE_KEYS: Final = ("calls", "trump", "called", "exchange", "play")
"""The keys of a deal whose values are lines of acts, in the order of play."""


class TypedDeal(Struct, frozen=True):
    """The typed course of a deal: the dealer's seat, the cards turned up, and under each key its lines with their
    numbers in the file.
    """

    dealer: int
    turned: str | None
    lines: Mapping[str, Sequence[tuple[int, str]]]


def typed_deal(page: Page, part: DealPart, place: int, dealer: int) -> TypedDeal:
    """Return deal `place` (from 0) as it is typed in the file."""
    lines = {key: tuple(page.lines_of(getattr(part, key) or [], "deal", place, key)) for key in LINE_KEYS}
    return TypedDeal(dealer, part.turned, lines)


class DealLines:
    """Reader of the lines of deal `place` (from 0), which plays them."""

    def __init__(self, page: Page, turns: Turns, place: int) -> None:
        self.page = page
        self.turns = turns
        self.game = turns.game
        self.place = place
        self.turned: list[str] = []
        self.turned_line = 1
        self.is_either = False
        self.has_played = False
        self.played_in_trick: set[int] | None = None

    def read(self, typed: TypedDeal, as_typed: bool = False) -> None:
        """Play the whole deal in order. `as_typed`: it is recorded even if it is impossible."""
        if typed.turned is not None:
            self.turned_line = self.page.line_of("deal", self.place, "turned")
            try:
                self.turned = [read_card(word, self.game, may_be_unknown=False) for word in cards_apart(typed.turned)]
            except MalformedError as error:
                raise self.page.placed(error, self.turned_line) from None
        lines = typed.lines
        self._lines(lines["calls"], partial(self._each, read=self._call))
        self.is_either = bool(typed.turned) and not as_typed
        if self.turned and self._is_due(TrumpNamed) and not self._is_due(CardTurned):
            self._lines(lines["trump"], self._refuse_both)
        self._turn(len(self.turned))
        self._lines(lines["trump"], partial(self._each, read=self._suit))
        self._lines(lines["called"], self._called)
        self._lines(lines["exchange"], partial(self._each, read=self._exchange))
        self._lines(lines["play"], self._trick)

    def _lines(self, lines: Sequence[tuple[int, str]], read: Callable[[list[Token]], None]) -> None:
        for line, text in lines:
            self.turns.line, self.turns.speaker = line, None
            try:
                tokens = tokenize(text, self.turns.names)
                if not tokens:
                    raise MalformedError(phrase("line.no_words"), phrase("line.players_did"), text.strip())
                read(tokens)
                if self.turns.speaker is not None:
                    raise MalformedError(phrase("line.lone_name"), phrase("line.player_did"), text.strip())
            except MalformedError as error:
                raise self.page.placed(error, line) from None

    def _each(self, tokens: list[Token], read: Callable[[list[Token], int], int]) -> None:
        """Read one item after the other; a name belongs to the item after it."""
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if isinstance(token, Speaker):
                if self.turns.speaker is not None:
                    raise MalformedError(phrase("line.two_names"), phrase("line.first_player_did"))
                self.turns.speaker = token
                place += 1
            else:
                place = read(tokens, place)

    # Auction

    def _call(self, tokens: list[Token], place: int) -> int:
        words = run_of_words(tokens, place)
        meant = spelt_word(self.game, words, self.game.calls, self.game.announcements)
        if meant is None:
            calls = game_words(self.game, self.game.calls)
            expected = either(calls) if calls else phrase("line.no_auction", game=self.game.called)
            raise MalformedError(phrase("line.no_call"), expected, words[0] if words else ">")
        word, length = meant
        if word not in self.game.calls:
            self.turns.announce(word)
            return place + length
        card = None
        rest = words[length : length + 1]
        if rest and is_card(rest[0]) and spelt_word(self.game, rest, self.game.calls) is None:
            card = read_card(rest[0], self.game, may_be_unknown=False)
        self._make_call(word, card)
        return place + length + (card is not None)

    def _make_call(self, call: str, card: str | None = None) -> None:
        legal = self.turns.machine.legal() if self.turned else ()
        if self.turned and not includes(legal, BidMade) and (includes(legal, CardTurned) or not legal):
            self._turn(1)  # some games turn up a card before or during the auction, perhaps of an unknown stock
        self.turns.act(BidMade(seat=self.turns.player(BidMade, call), call=call, card=card))

    def _turn(self, count: int) -> None:
        line = self.turns.line
        self.turns.line = self.turned_line
        for card in self.turned[:count]:
            self.turns.act(CardTurned(card=card))
        self.turned = self.turned[count:]
        self.turns.line = line

    def _suit(self, tokens: list[Token], place: int) -> int:
        """Read a trump suit; a second one names trumps a second time."""
        words = run_of_words(tokens, place)
        if not words:
            raise MalformedError(phrase("line.no_one_word"), phrase("line.one_suit"), ">")
        if self.is_either and not self._is_due(TrumpNamed):
            self._refuse_both(tokens)
        suit: Any = parse_suit(words[0])
        self.turns.act(TrumpNamed(seat=self.turns.player(TrumpNamed, words[0]), suit=suit))
        return place + 1

    def _called(self, tokens: list[Token]) -> None:
        text = self._only_word(tokens, phrase("line.one_card"))
        card = None if means("none", text) else read_card(text, self.game, may_be_unknown=False)
        self.turns.act(PartnerCalled(seat=self.turns.player(PartnerCalled, text), card=card))

    def _is_due(self, kind: type[Event]) -> bool:
        return includes(self.turns.machine.legal(), kind)

    def _refuse_both(self, tokens: list[Token]) -> None:
        """Refuse a trump suit beside a card turned up, if one of them is not due: one of the two is a typo."""
        if self.is_either:
            text = " ".join(token.text for token in tokens if isinstance(token, Word))
            keys = {"trump": "trump", "turned": "turned"}
            raise MalformedError(phrase("line.both_trumps", **keys), phrase("line.one_of_both", **keys), text)

    def _only_word(self, tokens: list[Token], expected: Text) -> str:
        """Return the only word of a line, which may follow a name."""
        if isinstance(tokens[0], Speaker):
            self.turns.speaker = tokens[0]
            tokens = tokens[1:]
        if len(tokens) != 1 or not isinstance(tokens[0], Word):
            text = " ".join(token.text if isinstance(token, Word) else ">" for token in tokens)
            raise MalformedError(phrase("line.no_one_word"), expected, text)
        return tokens[0].text

    # Exchange

    def _exchange(self, tokens: list[Token], place: int) -> int:
        """Read one exchange: the cards discarded or their number, perhaps the cards drawn; or an announcement."""
        words = run_of_words(tokens, place)
        first = words[0] if words else ">"
        discarded: tuple[str, ...] | None = None
        if is_card(first):
            discarded = tuple(read_card(word, self.game) for word in words)
            count, place = len(words), place + len(words)
        elif means("none", first):
            discarded, count, place = (), 0, place + 1
        elif _COUNT.fullmatch(number := narrow(first)) and int(number) <= len(self.game.pack):
            count, place = int(number), place + 1
        else:
            meant = spelt_word(self.game, words, self.game.announcements)
            if meant is None:
                raise MalformedError(phrase("line.no_exchange"), phrase("line.put_aside"), first)
            self.turns.announce(meant[0])
            return place + meant[1]
        drawn = None
        if place < len(tokens) and isinstance(tokens[place], Arrow):
            words = run_of_words(tokens, place + 1)
            drawn = tuple(read_card(word, self.game) for word in words)
            place += 1 + len(words)
            if len(drawn) != count:
                expected = phrase("line.drawn", count=count)
                raise MalformedError(phrase("line.drew_otherwise"), expected, " ".join(words))
        seat = self.turns.player(CardsExchanged, first)
        self.turns.act(CardsExchanged(seat=seat, count=count, discarded=discarded, drawn=drawn))
        return place

    # Play

    def _trick(self, tokens: list[Token]) -> None:
        before = self.turns.cards_in_trick()
        cards = [token.text for token in tokens if isinstance(token, Word) and is_card(token.text)]
        if before and cards and not isinstance(tokens[0], Speaker):
            what = phrase("line.trick_of_cards", cards=before)
            raise MalformedError(what, phrase("line.whole_trick"), cards[0])
        self.has_played = False
        self.played_in_trick = None if before else set()
        self._each(tokens, self._play)

    def _play(self, tokens: list[Token], place: int) -> int:
        """Read one card, the winner of a trick, or an announcement."""
        words = run_of_words(tokens, place)
        if not words:
            named = run_of_words(tokens, place + 1)
            if not named:
                expected = phrase("line.took_trick", players=either(self.turns.names.players))
                raise MalformedError(phrase("line.nobody_named"), expected)
            self.turns.act(TrickGathered(seat=self.turns.names.seat(" ".join(named))))
            return place + 1 + len(named)
        text = words[0]
        if is_card(text):
            if self.has_played and self.turns.speaker is None and self._trick_is_complete():
                raise MalformedError(phrase("line.trick_complete"), phrase("line.one_trick"), text)
            card = read_card(text, self.game)
            seat = self.turns.player(CardPlayed, text)
            self.turns.act(CardPlayed(seat=seat, card=card))
            self.has_played = True
            if self.played_in_trick is not None:
                self.played_in_trick.add(seat)
            return place + 1
        meant = spelt_word(self.game, words, self._announcements(), self.game.calls)
        if meant is None:
            said = game_words(self.game, self.game.announcements)
            expected = phrase("line.card_or_word", words=either(said)) if said else phrase("line.card")
            raise MalformedError(phrase("line.no_play", game=self.game.called), expected, text)
        if meant[0] in self.game.announcements:
            self.turns.announce(meant[0])
        else:
            self._make_call(meant[0])
        return place + meant[1]

    def _announcements(self) -> list[str]:
        """Return the game's announcements, legal ones first: `stop` is a choice or a reply."""
        legal = {move.what for move in of_type(self.turns.machine.legal(), Announced)}
        return sorted(self.game.announcements, key=lambda said: (said not in legal, said))

    def _trick_is_complete(self) -> bool:
        """Return whether the next card would belong to another trick.

        The full state is built only when that is possible: as long as a player is due who has no card in the trick, it
        goes on. This saves a third of the time of reading a deal.
        """
        if self.turns.machine.status != "open":
            return False
        due = self.turns.machine.turn()
        if due is not None and self.played_in_trick is not None and due not in self.played_in_trick:
            return False
        return not self.turns.cards_in_trick()


def run_of_words(tokens: Sequence[Token], start: int) -> list[str]:
    """Return the words from `start` to the next name or arrow."""
    words = []
    for token in tokens[start:]:
        if not isinstance(token, Word):
            break
        words.append(token.text)
    return words
