"""A typed line, read from its beginning: one act or one command at a time, since each changes what may come next.

A sign means one of the acts that may come next; a slash before a command's letter selects the command instead.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import replace
from typing import Final

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import CardPlayed, DealStarted, TrickGathered
from ledger.recording.catalogue import either, phrase
from ledger.recording.grammar import Names, Speaker
from ledger.recording.typed.acts import forbidden, read_act
from ledger.recording.typed.choices import (
    LETTERS,
    WORDS,
    Acts,
    Meaning,
    Nothing,
    RecorderCommand,
    actor,
    choices_in,
    command_and_rest,
    first_word,
)
from ledger.recording.typed.situation import Situation
from ledger.recording.vocabulary import BETWEEN, CARD, UNKNOWN_SIGNS

_HAND: Final = re.compile(rf"[-–]|(?:{CARD.pattern}\s*){{2}}")
_NAME: Final = re.compile(r"([^:：]{1,100})[:：]\s*")
_HANDS: Final = ("h", "hands")


def read_next(line: str, now: Situation, *, is_joined: bool = False) -> tuple[Meaning, str]:
    """Return the meaning of a line's beginning, and the rest of the line.

    `is_joined`: the text follows an act without a blank, as in `ppa`; then each act is as short as is clear. Raise
    `MalformedError` if the text has no meaning or several.
    """
    text = line.lstrip(BETWEEN)
    if not text.strip():
        return _entered(now), ""
    first, rest = text[0], text[1:]
    match unicodedata.normalize("NFKC", first):
        case "!":
            return _as_played(rest, now)
        case "#":
            return RecorderCommand("note", rest.strip()), ""
        case "/":
            return _after_slash(rest)
        case ">" if now.stage != "cards":
            return _gathered(rest, now)
        case "?" if now.stage in ("acts", "cards"):
            return _unknown_card(text, now)
    word, rest = first_word(text)
    if word in _HANDS and _gives_hands(rest, now):
        return command_and_rest("hands", rest)
    speaker, text = _speaker(text, now)
    word, rest = first_word(text)
    if now.stage in ("acts", "cards"):
        try:
            return read_act(word, rest, now, speaker, is_joined)
        except MalformedError as error:
            if error.text != word:
                raise
            raise replace(error, text=text[: len(text) - len(rest)]) from None
    if speaker is not None:
        return Acts((forbidden(word, now, speaker),)), rest
    return _between_deals(word, text, rest, now)


# Between deals, and single signs


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
        return RecorderCommand("as_played"), ""
    meaning, left = read_next(rest, now)
    if isinstance(meaning, Acts):
        return structs.replace(meaning, as_played=True), left
    raise MalformedError(phrase("recorder.no_act"), phrase("recorder.act_after"), rest.strip())


def _after_slash(rest: str) -> tuple[Meaning, str]:
    """Read a command by its letter or word; a slash alone asks for help."""
    word, left = first_word(rest)
    if not word or rest[:1].isspace():
        return RecorderCommand("help"), rest
    name = LETTERS.get(word) or WORDS.get(word)
    if name is None:
        raise MalformedError(phrase("recorder.no_command"), either(sorted(LETTERS)), word)
    return command_and_rest(name, left)


def _gives_hands(rest: str, now: Situation) -> bool:
    """Return whether a name and several cards follow: then `h` does not mean hearts."""
    speaker, held = _speaker(rest.lstrip(BETWEEN), now)
    return speaker is not None and _HAND.match(unicodedata.normalize("NFKC", held).casefold()) is not None


def _gathered(rest: str, now: Situation) -> tuple[Meaning, str]:
    """Read the winner of a trick, whose name may have several words."""
    words = rest.split()
    if not words:
        raise MalformedError(phrase("line.nobody_named"), phrase("line.took_trick", players=either(now.players)))
    names = Names(now.players)
    for length in range(len(words), 1, -1):
        with suppress(MalformedError):
            return Acts((TrickGathered(seat=names.seat(" ".join(words[:length]))),)), " ".join(words[length:])
    return Acts((TrickGathered(seat=names.seat(words[0])),)), " ".join(words[1:])


def _unknown_card(text: str, now: Situation) -> tuple[Meaning, str]:
    """Read `?` or `??`, a card that nobody saw."""
    plain = unicodedata.normalize("NFKC", text[:2])
    sign = next(sign for sign in UNKNOWN_SIGNS if plain.startswith(sign))
    seat = actor(now)
    if seat is None:
        raise MalformedError(phrase("turn.unclear"), phrase("turn.name_it"), sign)
    return Acts((*now.dealt, CardPlayed(seat=seat, card=UNKNOWN))), text[len(sign) :]


def _between_deals(word: str, text: str, rest: str, now: Situation) -> tuple[Meaning, str]:
    name = LETTERS.get(word) or WORDS.get(word)
    if name is not None:
        return command_and_rest(name, rest)
    if now.stage == "closed":
        raise MalformedError(phrase("recorder.closed"), phrase("recorder.after_closing"), word)
    named = Names(now.players).speaker(text.split())
    if named is None:
        raise MalformedError(phrase("recorder.no_deal"), phrase("recorder.enter_or_dealer"), word)
    dealer = Names(now.players).seat(text.strip())
    return Acts((DealStarted(deal=now.next_deal, dealer=dealer),)), ""


# Words


def _speaker(text: str, now: Situation) -> tuple[Speaker | None, str]:
    """Split off the name before a colon; return no speaker if there is none."""
    match = _NAME.match(text)
    if match is None:
        return None, text
    words = match[1].split()
    names = Names(now.players)
    named = names.speaker(words)
    if named is None and len(words) == 1:
        names.seat(words[0])  # raises the error that lists the players
    if named is None or named[1] != len(words):
        return None, text
    return named[0], text[match.end() :]


def completions(now: Situation) -> list[str]:
    """Return the full words that may be typed now, for a terminal to offer."""
    if now.stage == "between":
        return list(now.players)
    return [choice.word for choice in choices_in(now)]
