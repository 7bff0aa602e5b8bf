"""What is told of a deal in several places: its calls, contract, tricks and corrections; each place lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ledger.cards import SYMBOLS
from ledger.events import BidMade
from ledger.games.kernel.views import DealView, TrickView
from ledger.table.answers import Call
from ledger.table.two_readings import CorrectionSeen
from ledger.text.events import event_text, events_text, whole_event_text
from ledger.text.words import Wording, label


class Contract(Protocol):
    """What was agreed on, as far as that is known."""

    @property
    def contract(self) -> str | None: ...
    @property
    def trump(self) -> str | None: ...
    @property
    def declarer(self) -> int | None: ...
    @property
    def declarers(self) -> tuple[int, ...]: ...


def contract_facts(made: Contract, partner: int | None, players: Sequence[str], wording: Wording) -> Mapping[str, str]:
    """What there is of contract, trumps, declarer and partner, in this order, by the keys of their names; of two who
    play as equals `declarers`.
    """
    told = {
        "contract": None if made.contract is None else wording.word(made.contract),
        "trumps": None if made.trump is None else SYMBOLS[made.trump],
        "declarer": None if made.declarer is None else players[made.declarer],
        "declarers": wording.say("and").join(players[seat] for seat in made.declarers) or None,
        "partner": None if partner is None else players[partner],
    }
    return {key: fact for key, fact in told.items() if fact is not None}


def plays_text(told: Mapping[str, str], wording: Wording) -> Iterator[str]:
    """Who plays what, as far as `contract_facts` tell both."""
    for key, sentence in (("declarer", "replay.plays"), ("declarers", "replay.play")):
        if key in told and "contract" in told:
            yield wording.say(sentence, name=told[key], contract=told["contract"])


def auction_text(calls: Iterable[Call], players: Sequence[str], wording: Wording) -> str:
    """`Ada pass, Ben wesele ♠J`."""
    made = (BidMade(seat=call.seat, call=call.call, card=call.card) for call in calls)
    return wording.listed(event_text(one, players, wording) for one in made)


def calls_text(view: DealView, players: Sequence[str], wording: Wording) -> str:
    """The same of a state as a replay shows it."""
    return auction_text((Call(**call) for call in view.auction), players, wording)


def laid(trick: TrickView) -> Iterator[tuple[int, str]]:
    """Who laid which card, in the order of the record."""
    return zip(trick.seats, trick.cards, strict=True)


def won_text(trick: TrickView, players: Sequence[str], lang: str) -> str:
    """`Ada (highest trump)`: who won a trick and why, as far as that is known."""
    if trick.winner is None:
        return ""
    if trick.won_by is None:
        return players[trick.winner]
    return label(lang, "won_by", name=players[trick.winner], why=label(lang, f"by_{trick.won_by}"))


def correction_values(
    seen: CorrectionSeen, players: Sequence[str], wording: Wording, viewer: int | None = None
) -> dict[str, Any]:
    """What a sentence on a correction is made of; with a `viewer`, without the cards that this seat did not see."""
    return {
        "version": seen.version,
        "corrects": seen.corrects,
        "reason": seen.reason,
        "written": whole_event_text(seen.written, players, wording, viewer),
        "read": events_text(seen.read, players, wording, viewer) or wording.say("nothing"),
    }
