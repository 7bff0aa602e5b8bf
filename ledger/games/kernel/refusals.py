"""What games refuse alike, in the words that they share; what only one of them asks for stands in its own catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.errors import MalformedError
from ledger.games.words import phrase
from ledger.i18n import Phrase, Text, one_of, phrases

_of_all_rooms = phrases("ledger.i18n")


def wrong_number_of_players(players: int, expected: Text) -> MalformedError:
    return MalformedError(phrase("refusal.number_of_players"), expected, str(players), field="players")


def bad_outcome(field: str, expected: Text, found: object = None) -> MalformedError:
    """The error for a field of a recorded result that contradicts the others, or the table."""
    return MalformedError(f"outcome.{field}", expected, None if found is None else str(found))


def other_outcome(field: str, follows: object, found: object) -> MalformedError:
    """The error for a field that may be left out of a recorded result, and is another than follows from the rest."""
    return bad_outcome(field, phrase("refusal.follows", value="null" if follows is None else follows), found)


def is_missing(field: str, expected: Text) -> MalformedError:
    return MalformedError(phrase("refusal.is_missing", field=field), expected, field=field)


def means_nothing(field: str, game: Text, expected: Text, found: str) -> MalformedError:
    """The error for a field of an event that a game has no use for."""
    return MalformedError(phrase("refusal.means_nothing", field=field, game=game), expected, found)


def nobody_says(word: str) -> MalformedError:
    """The error for an announcement without a seat that only a seat can make."""
    return MalformedError(
        phrase("refusal.is_null", field="announced.seat", word=word), phrase("refusal.seat_that_says_it")
    )


# --- what was expected ------------------------------------------------------------------------------------------------


def names(numbers: Iterable[int], rule: str) -> Phrase:
    """So many names, by that rule."""
    return phrase("refusal.names", count=one_of(numbers), rule=rule)


def any_of(*words: str) -> Phrase:
    """One of two words or more that are typed so."""
    return phrase("refusal.any_of", words=words[:-1], last=words[-1])


def at_most(number: int) -> Phrase:
    return _of_all_rooms("value.at_most", count=number)


def seat_up_to(last: int) -> Phrase:
    return phrase("refusal.a_seat", last=last)


def tricks_in_all(tricks: int) -> Phrase:
    return phrase("refusal.tricks_in_all", tricks=tricks)


def tricks_played_to_the_end(tricks: int) -> Phrase:
    return phrase("refusal.tricks_played_to_the_end", tricks=tricks)


def no_card() -> Phrase:
    return phrase("refusal.no_card")


def no_seats() -> Phrase:
    return phrase("refusal.no_seats")
