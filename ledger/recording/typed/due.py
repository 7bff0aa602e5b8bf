"""What is due at a table: for the prompt, and for the refusal of what comes before it is done."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    TrumpNamed,
)
from ledger.games.kernel.moves import includes, other_speaker, shown, value_of
from ledger.i18n import Text, phrases
from ledger.recording.hand.grammar import spoken
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import Situation
from ledger.recording.words import either, phrase

Due: TypeAlias = Literal["call", "trump", "exchange", "turn", "partner", "lead", "card", "word"]
"""What is awaited of the player who is due. `word`: nothing but what may be said, as a reply."""

_DUE_BY_TYPE: Final[dict[type[Event], Due]] = {
    TrumpNamed: "trump",
    BidMade: "call",
    CardsExchanged: "exchange",
    CardTurned: "turn",
    PartnerCalled: "partner",
}
"""In their order: where trumps may be named, that is due, whatever else may be called."""
_LATER: Final = (CardPlayed, CardsExchanged, CardTurned, PartnerCalled, TrumpNamed)
_MOST_PASSES: Final = 8
_of_all_rooms: Final = phrases("ledger.i18n")


def due_in(now: Situation) -> Due | None:
    """Return what is due; None where nothing is, for example between deals."""
    kind = next((kind for kind in _DUE_BY_TYPE if now.may(kind)), None)
    if kind is not None:
        return _DUE_BY_TYPE[kind]
    if now.machine is not None and now.machine.status == "open" and _may_be_turned(now):
        return "turn"
    if now.may(CardPlayed):
        tricks = now.machine.view().tricks if now.machine is not None else []
        return "card" if tricks and tricks[-1].winner is None else "lead"
    return "word" if now.may(Announced) else None


def _may_be_turned(now: Situation) -> bool:
    """Return whether a card of an unknown stock is to be turned up: no card of it is known to be legal."""
    return not now.legal and CardTurned in now.game.event_types and now.turn is not None


def words_due(now: Situation) -> list[str]:
    """Return what the player who is due may say beside what has to be done, as recorded."""
    legal = shown(now.legal, now.turn)
    said = [*legal.get(BidMade, {}).values()] if TrumpNamed in legal else []
    said += legal.get(Announced, {}).values()
    return [value_of(move) for move in said if other_speaker(move, now.turn) is None]


def early_act(live: LiveTable, now: Situation, event: Event, typed: str) -> MalformedError | None:
    """Return the refusal of an act that comes only after what is due: who has still to do what. None: it may come."""
    due = due_in(now)
    is_early = isinstance(event, _LATER) and not now.may(type(event))
    if not is_early or now.turn is None or now.machine is None or due in (None, "lead", "card"):
        return None
    broken = [found for found in now.machine.check(event) if found.severity != "info"]
    if due != "call" and not broken:
        return None
    what = phrase(f"recorder.has_to_{due}", name=now.players[now.turn])
    if broken:
        what = _of_all_rooms("refusal.rule", what=what, found=broken[0].code, broken=broken[0].rule)
    words = [*shown(now.legal, now.turn)[BidMade]] if due == "call" else words_due(now)
    expected: Text | None = either(spoken(now.game, words)) if words else None
    if expected is not None and due == "call" and (passes := _passes_to_end(live, now)):
        expected = phrase(f"recorder.calls_and_{'end' if passes > 1 else 'last'}", calls=expected, passes=passes)
    return MalformedError(what, expected, typed)


def _passes_to_end(live: LiveTable, now: Situation) -> int:
    """Return how many passes in a row would end the auction now; 0 where passes do not."""
    ahead = live.looked_ahead(now.dealt)
    for passes in range(1, _MOST_PASSES + 1):
        machine = ahead.fold.deals[-1].machine
        turn = machine.turn()
        if turn is None:
            return 0
        ahead = ahead.looked_ahead([BidMade(seat=turn, call=now.game.passing)])
        if not includes(ahead.fold.deals[-1].machine.legal(), BidMade):
            return passes
    return 0
