"""What others have recorded meanwhile, in words: why an act that rests on an older version is not recorded."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.cards import UNKNOWN
from ledger.errors import ConflictError
from ledger.events import Announced, BidMade, CardPlayed, CardTurned, Event, PartnerCalled, TrumpNamed
from ledger.games.kernel.protocol import Game
from ledger.i18n import Text, with_signs
from ledger.log.base import Row
from ledger.recording.hand.grammar import spoken
from ledger.recording.words import phrase


def recorded_meanwhile(game: Game, rows: Sequence[Row], expected: int) -> ConflictError:
    """Return the conflict with these entries: who has recorded what since the version `expected`.

    Nothing hidden is named: of hands, exchanges and corrections only that there were some.
    """
    first, last = rows[0], rows[-1]
    what = _what(first.event(), game)
    if len(rows) > 1:
        what = phrase("meanwhile.more", what=what, count=len(rows) - 1)
    said = phrase("meanwhile.recorded", name=first.recorded_by, what=what)
    return ConflictError("wrong_version", said, stream=last.stream, actual=last.version, expected=expected)


def _what(event: Event, game: Game) -> Text:
    match event:
        case CardPlayed(card=card) | CardTurned(card=card) | PartnerCalled(card=str(card)) if card != UNKNOWN:
            return with_signs(card)
        case TrumpNamed(suit=suit):
            return with_signs(suit)
        case BidMade(call=said) | Announced(what=said):
            return spoken(game, [said])[0]
    return phrase(f"meanwhile.{event.__struct_config__.tag}")
