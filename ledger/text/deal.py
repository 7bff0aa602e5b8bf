"""What is told of a deal in several places: its calls, contract, tricks and corrections; each place lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ledger.cards import SYMBOLS
from ledger.events import BidMade
from ledger.games.kernel.views import TrickView
from ledger.table.answers import Call
from ledger.table.two_readings import CorrectionSeen
from ledger.text.events import event_text, events_text, whole_event_text
from ledger.text.words import label


class Contract(Protocol):
    """What was agreed on, as far as that is known."""

    @property
    def contract(self) -> str | None: ...
    @property
    def trump(self) -> str | None: ...
    @property
    def declarer(self) -> int | None: ...


def contract_facts(made: Contract, partner: int | None, players: Sequence[str]) -> Mapping[str, str]:
    """What there is of contract, trumps, declarer and partner, in this order, by the keys of their names."""
    told = {
        "contract": made.contract,
        "trumps": None if made.trump is None else SYMBOLS[made.trump],
        "declarer": None if made.declarer is None else players[made.declarer],
        "partner": None if partner is None else players[partner],
    }
    return {key: fact for key, fact in told.items() if fact is not None}


def auction_text(calls: Iterable[Call], players: Sequence[str]) -> str:
    """`Ada pass, Ben wesele ♠J`."""
    return ", ".join(event_text(BidMade(seat=call.seat, call=call.call, card=call.card), players) for call in calls)


def laid(trick: TrickView) -> Iterator[tuple[int, str]]:
    """Who laid which card, in the order of the record."""
    return zip(trick.seats, trick.cards, strict=True)


def won_text(trick: TrickView, players: Sequence[str], lang: str = "en") -> str:
    """`Ada (highest trump)`: who won a trick and why, as far as that is known."""
    if trick.winner is None:
        return ""
    why = "" if trick.won_by is None else f" ({label(lang, f'by_{trick.won_by}')})"
    return players[trick.winner] + why


def correction_values(
    seen: CorrectionSeen, players: Sequence[str], lang: str = "en", viewer: int | None = None
) -> dict[str, Any]:
    """What a sentence on a correction is made of; with a `viewer`, without the cards that this seat did not see."""
    return {
        "version": seen.version,
        "corrects": seen.corrects,
        "reason": seen.reason,
        "written": whole_event_text(seen.written, players, viewer),
        "read": events_text(seen.read, players, viewer) or label(lang, "nothing"),
    }
