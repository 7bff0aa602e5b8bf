"""A typed line, read from its beginning: one act or one command at a time, since each changes what may come next.

What may come decides what a sign means; a slash before a command's letter says that the command is meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    DealStarted,
    Event,
    PartnerCalled,
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game
from ledger.i18n import Text
from ledger.i18n.keyboard import spelt
from ledger.recording.hand.deal import read_card
from ledger.recording.hand.vocabulary import means
from ledger.recording.hand.words import Names, Speaker
from ledger.recording.typed.choices import (
    Choice,
    actor,
    choices_in,
    full_card,
    joined_words,
    matching,
    spellings,
    suit_spellings,
)
from ledger.recording.typed.situation import Situation
from ledger.recording.words import either, phrase

CommandName: TypeAlias = Literal[
    "help",
    "undo",
    "redo",
    "as_played",
    "result",
    "sheet",
    "note",
    "dispute",
    "dealer",
    "hands",
    "seat",
    "void",
    "leave",
]

LETTERS: Final[dict[str, CommandName]] = {
    "u": "undo", "y": "redo", "r": "result", "s": "sheet", "d": "dispute", "x": "dealer", "h": "hands",
    "w": "seat", "v": "void", "q": "leave",
}  # fmt: skip
WORDS: Final[dict[str, CommandName]] = {name: name for name in get_args(CommandName) if name != "as_played"}
_WITH_WORDS: Final = frozenset(("result", "sheet", "note", "dispute", "dealer", "hands", "seat", "void"))
"""Commands that take the rest of the line."""

_BETWEEN: Final = " \t,;·|、，　"
_CARD: Final = re.compile(r"(?:[shdc]|[♠♥♦♣♤♡♢♧]\ufe0f?)(?:10|[akqjt2-9])")
_HAND: Final = re.compile(rf"[-–]|(?:{_CARD.pattern}\s*){{2}}")
_RANK_FIRST: Final = re.compile(r"(?:10|[akqjt2-9])[shdc♠♥♦♣♤♡♢♧]")
_UNKNOWN_SIGNS: Final = ("??", "?")
_NAME: Final = re.compile(r"([^:：]{1,100})[:：]\s*")
_HANDS: Final = ("h", "hands")
_LISTED: Final = 12


class Acts(Struct, frozen=True):
    """What happened; `as_played`: though a rule was broken."""

    events: tuple[Event, ...]
    as_played: bool = False


class Command(Struct, frozen=True):
    """What the recorder wants done; `words`: the rest of the line, for commands that take it."""

    name: CommandName
    words: str = ""


class Nothing(Struct, frozen=True):
    """Enter alone, where several things may come."""


Meaning: TypeAlias = Acts | Command | Nothing


def read_next(line: str, now: Situation, *, is_joined: bool = False) -> tuple[Meaning, str]:
    """What the beginning of a line means, and what is left of it.

    `is_joined`: it stands right behind an act, as in `ppa`: then each sign goes as short as it is clear.

    Raises `MalformedError` where that is nothing, or may be several things.
    """
    text = line.lstrip(_BETWEEN)
    if not text.strip():
        return _entered(now), ""
    first, rest = text[0], text[1:]
    match unicodedata.normalize("NFKC", first):
        case "!":
            return _as_played(rest, now)
        case "#":
            return Command("note", rest.strip()), ""
        case "/":
            return _commanded(rest)
        case ">" if now.stage != "cards":
            return _gathered(rest, now)
        case "?" if now.stage in ("acts", "cards"):
            return _unknown_card(text, now)
    word, rest = _first_word(text)
    if word in _HANDS and _tells_hands(rest, now):
        return _command("hands", rest)
    speaker, text = _speaker(text, now)
    word, rest = _first_word(text)
    if now.stage in ("acts", "cards"):
        return _act(word, rest, now, speaker, is_joined)
    if speaker is not None:
        return Acts((_forbidden(word, now, speaker),)), rest
    return _between_deals(word, text, rest, now)


# --- between deals, and single signs ----------------------------------------------------------------------------------


def _entered(now: Situation) -> Meaning:
    if now.stage == "between":
        return Acts((DealStarted(deal=now.next_deal, dealer=now.dealer),))
    if now.stage == "cards":
        return Acts(now.dealt)
    choices = choices_in(now)
    due = [choice for choice in choices if not choice.is_said] or choices
    return Acts((due[0].event,)) if len(due) == 1 else Nothing()


def _as_played(rest: str, now: Situation) -> tuple[Meaning, str]:
    if not rest.strip():
        return Command("as_played"), ""
    meaning, left = read_next(rest, now)
    if isinstance(meaning, Acts):
        return structs.replace(meaning, as_played=True), left
    raise MalformedError(phrase("recorder.no_act"), phrase("recorder.act_after"), rest.strip())


def _commanded(rest: str) -> tuple[Meaning, str]:
    """After a slash: a command by its letter or its word; nothing more asks for help."""
    word, left = _first_word(rest)
    if not word or rest[:1].isspace():
        return Command("help"), rest
    name = LETTERS.get(word) or WORDS.get(word)
    if name is None:
        raise MalformedError(phrase("recorder.no_command"), either(sorted(LETTERS)), word)
    return _command(name, left)


def _command(name: CommandName, rest: str) -> tuple[Meaning, str]:
    return (Command(name, rest.strip()), "") if name in _WITH_WORDS else (Command(name), rest)


def _tells_hands(rest: str, now: Situation) -> bool:
    """Whether several cards of somebody follow: then `h` does not mean hearts."""
    speaker, held = _speaker(rest.lstrip(_BETWEEN), now)
    return speaker is not None and _HAND.match(unicodedata.normalize("NFKC", held).casefold()) is not None


def _gathered(rest: str, now: Situation) -> tuple[Meaning, str]:
    """Who took the trick in, by as many words as a name has."""
    words = rest.split()
    if not words:
        raise MalformedError(phrase("line.nobody_named"), phrase("line.took_trick", players=either(now.players)))
    names = Names(now.players)
    for length in range(len(words), 1, -1):
        with suppress(MalformedError):
            return Acts((TrickGathered(seat=names.seat(" ".join(words[:length]))),)), " ".join(words[length:])
    return Acts((TrickGathered(seat=names.seat(words[0])),)), " ".join(words[1:])


def _unknown_card(text: str, now: Situation) -> tuple[Meaning, str]:
    """A card that nobody saw: `?` or `??`."""
    plain = unicodedata.normalize("NFKC", text[:2])
    sign = next(sign for sign in _UNKNOWN_SIGNS if plain.startswith(sign))
    seat = actor(now)
    if seat is None:
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), sign)
    return Acts((*now.dealt, CardPlayed(seat=seat, card=UNKNOWN))), text[len(sign) :]


def _between_deals(word: str, text: str, rest: str, now: Situation) -> tuple[Meaning, str]:
    name = LETTERS.get(word) or WORDS.get(word)
    if name is not None:
        return _command(name, rest)
    if now.stage == "closed":
        raise MalformedError(phrase("recorder.closed"), phrase("recorder.after_closing"), word)
    named = Names(now.players).speaker(text.split())
    if named is None:
        raise MalformedError(phrase("recorder.no_deal"), phrase("recorder.enter_or_dealer"), word)
    dealer = Names(now.players).seat(text.strip())
    return Acts((DealStarted(deal=now.next_deal, dealer=dealer),)), ""


# --- acts of a deal ---------------------------------------------------------------------------------------------------


def _act(word: str, rest: str, now: Situation, speaker: Speaker | None, is_joined: bool = False) -> tuple[Meaning, str]:
    exchange = _exchange(word, rest, now, speaker)
    if exchange is not None:
        return exchange
    choices = _of_speaker(choices_in(now), speaker)
    is_of_cards = any(choice.card is not None for choice in choices)
    card = full_card(word)
    found = matching(choices, word)
    if is_joined and not any(word in choice.exact for choice in found):
        split = _split(word, choices, now.game, is_of_cards)
        if split is not None:
            return _act(split[0], f"{split[1]}{rest}", now, speaker)
    if len(found) == 1:
        return _completed(found[0].event, rest, now, speaker)
    if found and not (word in LETTERS and all(choice.card is not None for choice in found)):
        raise _several(found, word)
    if not found and card is None and (split := _split(word, choices, now.game, is_of_cards)) is not None:
        part, left = split
        return _act(part, f"{left}{rest}", now, speaker)
    if speaker is None and (name := LETTERS.get(word) or WORDS.get(word)) is not None:
        return _command(name, rest)
    event = _forbidden(word, now, speaker)
    return Acts((*now.dealt, event)), rest


def _of_speaker(choices: Sequence[Choice], speaker: Speaker | None) -> Sequence[Choice]:
    """What the one who is named may do; a side that speaks together does it by its first."""
    if speaker is None:
        return choices
    return [choice for choice in choices if getattr(choice.event, "seat", None) == speaker.seat]


def _split(word: str, choices: Sequence[Choice], game: Game, is_of_cards: bool) -> tuple[str, str] | None:
    """The first of several things that are written without a blank: the longest that is spelled whole, else the least
    that means one thing. Nothing where the word is a slip rather than several things.
    """
    if joined_words(game).fullmatch(word) is None:
        return None
    if is_of_cards and (found := _CARD.match(word)) is not None and found.end() < len(word):
        return word[: found.end()], word[found.end() :]
    ends = [end for end in range(len(word) - 1, 0, -1) if _is_clear(word[:end], choices)]
    whole = [end for end in ends if any(word[:end] in choice.exact for choice in choices)]
    end = (whole or ends[-1:] or [0])[0]
    return (word[:end], word[end:]) if end else None


def _is_clear(part: str, choices: Sequence[Choice]) -> bool:
    """Of cards only what cannot run into the next one: suit and rank, or the rank alone."""
    found = matching(choices, part)
    return len(found) == 1 and (found[0].card is None or (part in found[0].exact and not _RANK_FIRST.fullmatch(part)))


def _completed(event: Event, rest: str, now: Situation, speaker: Speaker | None) -> tuple[Meaning, str]:
    """The act with what stands behind its word: the card of a call, or all seats of a side."""
    if isinstance(event, Announced) and speaker is not None and len(speaker.seats) > 1:
        event = structs.replace(event, seats=speaker.seats)
    if isinstance(event, BidMade) and (named := _named_card(event, rest, now)) is not None:
        event, rest = named
    return Acts((*now.dealt, event)), rest


def _named_card(call: BidMade, rest: str, now: Situation) -> tuple[Event, str] | None:
    """The call with the card after it, in a game where that means something."""
    word, left = _first_word(rest.lstrip(_BETWEEN))
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
    """`3`, `3 > ca d3 c6`, or the cards put aside, and perhaps those drawn behind a `>`; None where it is none."""
    if "cards_exchanged" not in now.legal:
        return None
    seat = actor(now) if speaker is None else speaker.seat
    if word != "0" and means("none", word) and seat is not None:
        return Acts((*now.dealt, CardsExchanged(seat=seat, count=0, discarded=()))), rest
    told, _, left = f"{word}{rest}".partition(";")
    aside, arrow, drawn = unicodedata.normalize("NFKC", told).partition(">")
    is_of_cards = _CARD.match(word) is not None or word.startswith(_UNKNOWN_SIGNS)
    if seat is None or not (is_of_cards or arrow):
        return None
    discarded = None if aside.strip().isdecimal() else cards_in_text(aside, now)
    taken = cards_in_text(drawn, now) if arrow else None
    count = int(aside) if discarded is None else len(discarded)
    if taken is not None and len(taken) != count:
        raise MalformedError(phrase("line.drew_otherwise"), phrase("line.drawn", count=count), drawn.strip())
    return Acts((*now.dealt, CardsExchanged(seat=seat, count=count, discarded=discarded, drawn=taken))), left


def cards_in_text(text: str, now: Situation) -> tuple[str, ...]:
    """Cards with or without blanks between; raises `MalformedError` naming the first word that is none."""
    cards: list[str] = []
    for word in re.split(f"[{_BETWEEN}]+", unicodedata.normalize("NFKC", text).casefold()):
        left = word
        while left:
            sign = next((sign for sign in _UNKNOWN_SIGNS if left.startswith(sign)), None)
            found = _CARD.match(left)
            part = sign or (found[0] if found is not None else left)
            cards.append(UNKNOWN if sign else read_card(part, now.game))
            left = left[len(part) :]
    return tuple(cards)


def _forbidden(word: str, now: Situation, speaker: Speaker | None) -> Event:
    """What cannot come by the rules, but was perhaps done; raises `MalformedError` where the word means nothing."""
    seat = actor(now) if speaker is None else speaker.seat
    card = full_card(word)
    if card is not None:
        return _with_card(read_card(word, now.game), seat, now, word)
    vocabulary = [
        *(
            Choice(BidMade(seat=seat or 0, call=call), call, None, *spellings(now.game, call))
            for call in sorted(now.game.calls)
        ),
        *(
            Choice(Announced(seat=seat, what=said), said, None, *spellings(now.game, said))
            for said in sorted(now.game.announcements)
        ),
    ]
    found = matching(vocabulary, word) if len(word) > 1 or not word.isascii() else []
    if not found and TrumpNamed in now.game.event_types and seat is not None:
        suits = [Choice(TrumpNamed(seat=seat, suit=suit), suit, None, *suit_spellings(suit)) for suit in get_args(Suit)]
        found = matching(suits, word) if len(word) > 1 or "trump_named" in now.legal else []
    if len(found) > 1:
        raise _several(found, word)
    if not found:
        raise MalformedError(phrase("recorder.unknown"), _expected(now), word)
    if seat is None and isinstance(found[0].event, BidMade):
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), word)
    return found[0].event


def _with_card(card: str, seat: int | None, now: Situation, word: str) -> Event:
    """What a card that is not listed was for: turned, called or played, whichever breaks no rule; else played.

    What may be turned of a stock that nobody knows is not listed.
    """
    told: list[Event] = [CardTurned(card=card)]
    if seat is not None:
        told += [PartnerCalled(seat=seat, card=card), CardPlayed(seat=seat, card=card)]
    kinds = now.game.event_types
    lawful = [event for event in told if type(event) in kinds and now.machine and not now.machine.check(event)]
    listed = [event for event in told if event.__struct_config__.tag in now.legal]
    if lawful or listed:
        return (lawful or listed)[0]
    if seat is None:
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), word)
    return told[-1]


def _several(found: Sequence[Choice], word: str) -> MalformedError:
    words = [choice.word for choice in found]
    shown = words if len(words) <= _LISTED else [*words[:_LISTED], "…"]
    return MalformedError(phrase("line.several_words"), either(shown), word)


def _expected(now: Situation) -> Text:
    words = [choice.word for choice in choices_in(now)]
    if not words:
        return phrase("recorder.act_or_help")
    return either(words if len(words) <= _LISTED else [*words[:_LISTED], "…"])


# --- words ------------------------------------------------------------------------------------------------------------


def _first_word(text: str) -> tuple[str, str]:
    """The first word as it is compared, and the rest as it stands."""
    found = re.match(rf"[^{_BETWEEN}>]*", text)
    assert found is not None
    return spelt(found[0]).replace("\ufe0f", ""), text[found.end() :]


def _speaker(text: str, now: Situation) -> tuple[Speaker | None, str]:
    """Who is named before a colon, and what follows; nobody where no name stands there."""
    found = _NAME.match(text)
    if found is None:
        return None, text
    words = found[1].split()
    named = Names(now.players).speaker(words)
    if named is None or named[1] != len(words):
        return None, text
    return named[0], text[found.end() :]


def completions(now: Situation) -> list[str]:
    """What may be typed now, in full, as a terminal offers it."""
    if now.stage == "between":
        return list(now.players)
    return [choice.word for choice in choices_in(now)]
