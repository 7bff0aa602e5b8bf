"""A deal in words: calls, contract, tricks and corrections, and its two readings side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, Protocol

from ledger.cards import SYMBOLS
from ledger.events import BidMade
from ledger.games.kernel.views import DealView, TrickView
from ledger.table.answers import Call, DealScore
from ledger.table.fold import TableFold
from ledger.table.score import seat_titles
from ledger.table.two_readings import CorrectionSeen, EntryRead, EventRead, TwoReadings
from ledger.text.cards import amounts_text
from ledger.text.catalogue import Wording, label, title_of, wording_for
from ledger.text.events import event_text, events_text, whole_event_text
from ledger.text.layout import flush_right, padded, width_of
from ledger.text.score import result_text


class Contract(Protocol):
    """The contract of a deal, as far as it is known."""

    @property
    def contract(self) -> str | None: ...
    @property
    def trump(self) -> str | None: ...
    @property
    def declarer(self) -> int | None: ...
    @property
    def declarers(self) -> tuple[int, ...]: ...


def contract_facts(made: Contract, partner: int | None, players: Sequence[str], wording: Wording) -> Mapping[str, str]:
    """Return contract, trumps, declarer and partner by the keys of their labels, as far as there are any, in this
    order.

    Two declarers with equal roles are `declarers`.
    """
    facts = {
        "contract": None if made.contract is None else wording.word(made.contract),
        "trumps": None if made.trump is None else SYMBOLS[made.trump],
        "declarer": None if made.declarer is None else players[made.declarer],
        "declarers": wording.say("and").join(players[seat] for seat in made.declarers) or None,
        "partner": None if partner is None else players[partner],
    }
    return {key: fact for key, fact in facts.items() if fact is not None}


def plays_text(facts: Mapping[str, str], wording: Wording) -> Iterator[str]:
    """Yield who plays which contract, if `contract_facts` has both."""
    for key, sentence in (("declarer", "replay.plays"), ("declarers", "replay.play")):
        if key in facts and "contract" in facts:
            yield wording.say(sentence, name=facts[key], contract=facts["contract"])


def auction_text(calls: Iterable[Call], players: Sequence[str], wording: Wording) -> str:
    """Return the calls: `Ada pass, Ben wesele ♠J`."""
    made = (BidMade(seat=call.seat, call=call.call, card=call.card) for call in calls)
    return wording.listed(event_text(one, players, wording) for one in made)


def calls_text(view: DealView, players: Sequence[str], wording: Wording) -> str:
    """Return the calls of a replayed state."""
    return auction_text((Call(**call) for call in view.auction), players, wording)


def laid(trick: TrickView) -> Iterator[tuple[int, str]]:
    """Yield seat and card for each card of a trick, in recorded order."""
    return zip(trick.seats, trick.cards, strict=True)


def won_text(trick: TrickView, players: Sequence[str], lang: str) -> str:
    """Return who won a trick and why, as far as known: `Ada (highest trump)`."""
    if trick.winner is None:
        return ""
    if trick.won_by is None:
        return players[trick.winner]
    return label(lang, "won_by", name=players[trick.winner], why=label(lang, f"by_{trick.won_by}"))


def correction_values(
    seen: CorrectionSeen, players: Sequence[str], wording: Wording, viewer: int | None = None
) -> dict[str, Any]:
    """Return the values for a sentence on a correction; with a `viewer`, without the cards which that seat did
    not see.
    """
    return {
        "version": seen.version,
        "corrects": seen.corrects,
        "reason": seen.reason,
        "written": whole_event_text(seen.written, players, wording, viewer),
        "read": events_text(seen.read, players, wording, viewer) or wording.say("nothing"),
    }


_WIDEST: Final = 60
"""The most columns of the left side; a longer line pushes the right side out."""


def side_by_side(readings: TwoReadings, fold: TableFold, lang: str) -> Iterator[str]:
    """Yield a line for each entry; `≠` marks differences, with the correction and its reason below."""
    wording = wording_for(fold.game, lang, fold.pack)
    players = next((record.players for record in fold.deals if record.number == readings.deal), fold.players)
    rows = [row for entry in readings.entries for row in _rows(entry, players, wording)]
    scores = (readings.score_recorded, readings.score_corrected)
    left, right = (_score(score, players, wording) for score in scores)
    heads = [label(lang, "readings.recorded"), label(lang, "readings.corrected")]
    numbers = [label(lang, f"readings.{name}") for name in ("entry", "score", "total")]
    width = min(_WIDEST, width_of([left, heads[0], *(row[1] for row in rows)]))

    def line(number: str, left: str, sign: str, right: str) -> str:
        return f"{flush_right(number, width_of(numbers))}  {padded(left, width)} {sign} {right}".rstrip()

    yield f"{readings.table} · {title_of(fold.game, lang)} · {label(lang, 'replay.deal', deal=readings.deal)}"
    yield ""
    yield line(numbers[0], heads[0], " ", heads[1])
    for number, was, now, differs, reason in rows:
        yield line(number, was, "≠" if differs else " ", now)
        if reason:
            yield line("", "", " ", reason)
    yield line(numbers[1], left, " " if left == right else "≠", right)
    seats = seat_titles(fold)
    before, after = (
        amounts_text(amounts, seats, lang) for amounts in (readings.totals_recorded, readings.totals_corrected)
    )
    yield line(numbers[2], before, " " if before == after else "≠", after)


def _rows(entry: EntryRead, players: Sequence[str], wording: Wording) -> Iterator[tuple[str, str, str, bool, str]]:
    """Yield number, both sides, whether they differ, and the reason below the last one."""
    pairs = list(zip_longest(entry.recorded, entry.corrected))
    for place, (was, now) in enumerate(pairs):
        left, right = (_read_text(one, players, entry, wording) for one in (was, now))
        is_last = place == len(pairs) - 1 and entry.recorded != entry.corrected
        by = "  " + wording.say("by_correction", version=entry.correction, reason=entry.reason)
        reason = by if is_last and entry.correction is not None else ""
        yield "" if place else str(entry.version), left, right, was != now, reason


def _read_text(read: EventRead | None, players: Sequence[str], entry: EntryRead, wording: Wording) -> str:
    if read is None:
        return "–"
    describe = event_text if entry.correction is None else whole_event_text
    return describe(read.event, players, wording) + "".join(f"  ! {code}" for code in read.broke)


def _score(score: DealScore | None, players: Sequence[str], wording: Wording) -> str:
    if score is None:
        return wording.say("no_such_deal")
    amounts = amounts_text(score.deltas, players, wording.lang)
    return wording.say("replay.result", result=result_text(score, wording), amounts=amounts)
