"""One act of a deal, as it is typed: read by what may come next, else by everything that its game knows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, get_args

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    Suit,
    TrumpNamed,
)
from ledger.games.kernel.moves import value_of
from ledger.games.kernel.protocol import Game
from ledger.i18n import Text
from ledger.recording.catalogue import either, phrase
from ledger.recording.grammar import Speaker
from ledger.recording.typed.choices import (
    LETTERS,
    WORDS,
    ActChoice,
    Acts,
    Meaning,
    actor,
    choices_in,
    command_and_rest,
    first_word,
    matching,
)
from ledger.recording.typed.situation import Situation, due_in
from ledger.recording.vocabulary import (
    BETWEEN,
    CARD,
    RANK_FIRST,
    UNKNOWN_SIGNS,
    cards_in_text,
    full_card,
    game_words,
    joined_words,
    means,
    read_card,
    spellings,
    suit_spellings,
    words_of,
)

_LISTED: Final = 12
"""The number of possible words that a message lists."""

_COUNT: Final = re.compile(r"\d{1,4}")

_CLEAR: Final = 3
"""The length from which the beginning of a word is not read as ranks of cards: `sto` is no ♠10."""


def read_act(
    word: str, rest: str, now: Situation, speaker: Speaker | None, is_joined: bool = False
) -> tuple[Meaning, str]:
    """Return the meaning of a word within a deal, and the rest of the line.

    `speaker`: the name before it. `is_joined`: as for `read_next`. Raise `MalformedError` if the word has no meaning or
    several.
    """
    exchange = _exchange(word, rest, now, speaker)
    if exchange is not None:
        return exchange
    choices = _of_speaker(choices_in(now), speaker)
    is_of_cards = any(choice.card is not None for choice in choices) or _may_play(now)
    card = full_card(word)
    matches = matching(choices, word)
    if is_joined and not any(word in choice.exact for choice in matches):
        split = _split(word, choices, now.game, is_of_cards)
        if split is not None:
            return read_act(split[0], f"{split[1]}{rest}", now, speaker)
    if card is not None and len(matches) == 1 and matches[0].card is None and word not in matches[0].exact:
        matches = [*matches, ActChoice(matches[0].event, card.lower(), card)]
    if len(matches) == 1:
        return _completed(matches[0].event, rest, now, speaker)
    if matches and not (word in LETTERS and all(choice.card is not None for choice in matches)):
        raise _several(matches, word, now.game)
    if not matches and card is None and not _begins_word(word, now.game):
        split = _split(word, choices, now.game, is_of_cards)
        if split is not None:
            return read_act(split[0], f"{split[1]}{rest}", now, speaker)
    if speaker is None and (name := LETTERS.get(word) or WORDS.get(word)) is not None:
        return command_and_rest(name, rest)
    event = forbidden(word, now, speaker)
    return Acts((*now.dealt, event)), rest


def _begins_word(word: str, game: Game) -> bool:
    """Return whether a word of the game begins so; then the letters are no cards."""
    return len(word) >= _CLEAR and any(way.startswith(word) for way in words_of(game))


def _may_play(now: Situation) -> bool:
    """Return whether a card may be played though none is listed: with hidden cards only, a play shows that the auction
    is over.
    """
    if now.machine is None or now.turn is None:
        return False
    return not now.machine.check(CardPlayed(seat=now.turn, card=UNKNOWN))


def _of_speaker(choices: Sequence[ActChoice], speaker: Speaker | None) -> Sequence[ActChoice]:
    """Return the choices of the named player; a side that speaks together acts through its first player."""
    if speaker is None:
        return choices
    return [choice for choice in choices if getattr(choice.event, "seat", None) == speaker.seat]


def _split(word: str, choices: Sequence[ActChoice], game: Game, is_of_cards: bool) -> tuple[str, str] | None:
    """Split off the first of several acts typed without a blank; return None if the word is a typo.

    This is the longest part that spells an act in full, else the shortest with a single meaning.
    """
    if joined_words(game).fullmatch(word) is None or word in words_of(game):
        return None
    if is_of_cards and (match := CARD.match(word)) is not None and match.end() < len(word):
        return word[: match.end()], word[match.end() :]
    ends = [end for end in range(len(word) - 1, 0, -1) if _is_clear(word[:end], choices)]
    whole = [end for end in ends if any(word[:end] in choice.exact for choice in choices)]
    end = (whole or ends[-1:] or [0])[0]
    return (word[:end], word[end:]) if end else None


def _is_clear(part: str, choices: Sequence[ActChoice]) -> bool:
    """Return whether the part has one meaning; a card must be a suit and rank, or a rank alone."""
    matches = matching(choices, part)
    return len(matches) == 1 and (
        matches[0].card is None or (part in matches[0].exact and not RANK_FIRST.fullmatch(part))
    )


def _completed(event: Event, rest: str, now: Situation, speaker: Speaker | None) -> tuple[Meaning, str]:
    """Return the act with the card of a call, or with all seats of a side."""
    if isinstance(event, Announced) and speaker is not None and len(speaker.seats) > 1:
        event = structs.replace(event, seats=speaker.seats)
    if isinstance(event, BidMade) and (named := _named_card(event, rest, now)) is not None:
        event, rest = named
    return Acts((*now.dealt, event)), rest


def _named_card(call: BidMade, rest: str, now: Situation) -> tuple[Event, str] | None:
    """Return the call with the card after it, if the game has such calls."""
    word, left = first_word(rest.lstrip(BETWEEN))
    card = full_card(word) if word else None
    if card is None or now.game.check_event is None:
        return None
    event = structs.replace(call, card=card)
    try:
        now.game.check_event(event)
    except MalformedError:
        return None
    return event, left


def _exchange(word: str, rest: str, now: Situation, speaker: Speaker | None) -> tuple[Meaning, str] | None:
    """Read an exchange; return None if the line is none.

    This is `3`, or `3 > ca d3 c6`, or the cards discarded, perhaps with the cards drawn behind a `>`.
    """
    if not now.may(CardsExchanged) and not _is_exchange(f"{word}{rest}", now):
        return None
    seat = actor(now) if speaker is None else speaker.seat
    if word != "0" and means("none", word) and seat is not None:
        return Acts((*now.dealt, CardsExchanged(seat=seat, count=0, discarded=()))), rest
    typed, _, left = f"{word}{rest}".partition(";")
    aside, arrow, drawn = unicodedata.normalize("NFKC", typed).partition(">")
    is_of_cards = CARD.match(word) is not None or word.startswith(UNKNOWN_SIGNS)
    if seat is None or not (is_of_cards or arrow):
        return None
    discarded = None if _COUNT.fullmatch(aside.strip()) else cards_in_text(aside, now.game)
    taken = cards_in_text(drawn, now.game) if arrow else None
    count = int(aside) if discarded is None else len(discarded)
    if taken is not None and len(taken) != count:
        raise MalformedError(phrase("line.drew_otherwise"), phrase("line.drawn", count=count), drawn.strip())
    return Acts((*now.dealt, CardsExchanged(seat=seat, count=count, discarded=discarded, drawn=taken))), left


def _is_exchange(line: str, now: Situation) -> bool:
    """Return whether a `>` and a card make this an exchange. Raise `MalformedError` if all players have exchanged."""
    aside, _, drawn = unicodedata.normalize("NFKC", line.partition(";")[0]).partition(">")
    if not aside.strip() or CARD.match(drawn.strip().casefold()) is None or CardsExchanged not in now.game.event_types:
        return False
    if now.may(CardPlayed):
        raise MalformedError(phrase("turn.all_exchanged"), _expected(now), line.strip())
    return True


def forbidden(word: str, now: Situation, speaker: Speaker | None) -> Event:
    """Return an act that the rules forbid but that may have happened. Raise `MalformedError` for a word without
    meaning.
    """
    seat = actor(now) if speaker is None else speaker.seat
    card = full_card(word)
    if card is not None:
        return _with_card(read_card(word, now.game), seat, now, word)
    said: list[Event] = [BidMade(seat=seat or 0, call=call) for call in sorted(now.game.calls)]
    said += [Announced(seat=seat, what=what) for what in sorted(now.game.announcements)]
    vocabulary = [ActChoice(event, value_of(event), None, *spellings(now.game, value_of(event))) for event in said]
    matches = matching(vocabulary, word) if len(word) > 1 or not word.isascii() else []
    namer = _declarer(now) if speaker is None else seat
    if not matches and TrumpNamed in now.game.event_types and (namer := seat if namer is None else namer) is not None:
        named = [TrumpNamed(seat=namer, suit=suit) for suit in get_args(Suit)]
        suits = [ActChoice(event, event.suit, None, *suit_spellings(event.suit)) for event in named]
        matches = matching(suits, word) if len(word) > 1 or now.may(TrumpNamed) else []
    if len(matches) > 1 and now.machine is not None and all(word in choice.exact for choice in matches):
        machine = now.machine
        matches = [min(matches, key=lambda choice: len(machine.check(choice.event)))]
    if len(matches) > 1:
        raise _several(matches, word, now.game)
    if not matches:
        raise MalformedError(phrase("recorder.unknown"), _expected(now), word)
    if seat is None and isinstance(matches[0].event, BidMade):
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), word)
    return matches[0].event


def _declarer(now: Situation) -> int | None:
    """Return the player who names trumps, also a second time."""
    return None if now.machine is None else now.machine.view().declarer


def _with_card(card: str, seat: int | None, now: Situation, word: str) -> Event:
    """Return the act of a card that is not listed: turned, called or played, whichever breaks no rule; else played.

    A card turned up from an unknown stock is never listed.
    """
    events: list[Event] = [CardTurned(card=card)]
    if seat is not None:
        events += [PartnerCalled(seat=seat, card=card), CardPlayed(seat=seat, card=card)]
    kinds = now.game.event_types
    lawful = [event for event in events if type(event) in kinds and now.machine and not now.machine.check(event)]
    listed = [event for event in events if now.may(type(event))]
    if lawful or listed:
        return (lawful or listed)[0]
    if seat is None:
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), word)
    return events[-1]


def _several(matches: Sequence[ActChoice], word: str, game: Game) -> MalformedError:
    return MalformedError(phrase("line.several_words"), _listed(matches, game), word)


def _expected(now: Situation) -> Text:
    choices = choices_in(now)
    if choices:
        return _listed(choices, now.game)
    return phrase("recorder.turned_card" if due_in(now) == "turn" else "recorder.act_or_help")


def _listed(choices: Sequence[ActChoice], game: Game) -> Text:
    """Return choices as they may be typed, in the words of the language; only the first of many cards."""
    cards = [choice for choice in choices if choice.card is not None]
    if len(choices) > _LISTED and cards:
        words = [_shown(choice, game) for choice in choices if choice.card is None]
        return either([*words[:_LISTED], phrase("recorder.a_card", card=cards[0].word)])
    shown = [_shown(choice, game) for choice in choices[:_LISTED]]
    return either(shown if len(choices) <= _LISTED else [*shown, "…"])


def _shown(choice: ActChoice, game: Game) -> Text:
    if choice.card is not None or not isinstance(choice.event, BidMade | Announced):
        return choice.word.replace("t", "10") if choice.card is not None else choice.word  # `st` may be a word
    (word,) = game_words(game, [value_of(choice.event)])
    return word if choice.by is None else phrase("recorder.said_by", name=choice.by, word=word)
