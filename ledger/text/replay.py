"""A deal as a player likes to read it: the story of the whole deal, or the state after one step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from ledger.events import (
    Announced,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
)
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.views import DealView
from ledger.table.answers import Call
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import ReplayStep, events_of, replay_steps
from ledger.table.two_readings import corrected_entries, corrected_steps
from ledger.text.cards import amounts_text, card_text, cards_text, hand_text, value_text
from ledger.text.deal import auction_text, contract_facts, correction_values, laid, won_text
from ledger.text.events import event_text, exchange_text
from ledger.text.words import label


def story(slug: str, fold: TableFold, number: int, seat: int | None) -> Iterator[str]:
    """The whole deal: cards, auction, trumps, exchange, every trick with who won it and why, and the result."""
    record = fold.deal(number)
    steps = list(replay_steps(fold, number, seat))
    last = steps[-1].view
    players = record.players
    yield _head(slug, fold, record)
    yield ""
    yield from _opening(steps, last, players, seat)
    marked = corrected_steps(fold, record)
    yield from _tricks(last, players, _said(steps, players), _cards_of(marked))
    yield from _corrections(fold, record, seat)
    faults = [found for step in steps for found in _known(step, seat) if found.severity != "info"]
    if faults:
        yield f"{len(faults)} against the rules: trickledger audit {slug}"
    yield _result(fold, record, last)


def state(slug: str, fold: TableFold, number: int, step: ReplayStep, seat: int | None) -> Iterator[str]:
    """The state after one step: who is next, the hands, what was said, the tricks so far, what is legal."""
    record = fold.deal(number)
    steps = list(replay_steps(fold, number, seat))
    done_so_far = steps[: step.step + 1]
    view, players = step.view, record.players
    yield _head(slug, fold, record)
    marked = corrected_steps(fold, record)
    done = f": {_action(step, players, seat)}{_mark(step, marked)}" if step.event is not None else ""
    yield f"after step {step.step} of {steps[-1].step}{done}"
    yield ""
    if view.dealer is not None and any(view.hands):
        yield from _dealt(view, players)
        yield ""
    yield from _calls(view, players)
    yield from _shown_cards(done_so_far, players)
    yield from _tricks(view, players, _said(done_so_far, players), _cards_of(marked))
    turn = "nobody is due" if view.turn is None else f"{players[view.turn]} is next"
    yield f"phase {view.phase}, {turn}{_contract(view, view.partner, players)}"
    for kind, values in view.legal.items():
        yield f"legal {kind}: " + "  ".join(map(value_text, values))


def _head(slug: str, fold: TableFold, record: DealRecord) -> str:
    return f"{slug} · {fold.game.title} · deal {record.number} · {record.players[record.dealer]} deals"


def _width(players: Sequence[str]) -> int:
    return max(len(name) for name in [*players, "stock"])


def _dealt(view: DealView, players: Sequence[str]) -> Iterator[str]:
    yield from _hands(view, players)
    if view.stock:
        yield f"  {'stock':<{_width(players)}}  {cards_text(view.stock)}"


def _hands(view: DealView, players: Sequence[str]) -> Iterator[str]:
    for seat, hand in enumerate(view.hands):
        role = "  (declarer)" if seat == view.declarer else ""
        yield f"  {players[seat]:<{_width(players)}}  {hand_text(hand)}{role}"


def _calls(view: DealView, players: Sequence[str]) -> Iterator[str]:
    if view.auction:
        yield "calls      " + auction_text((Call(**call) for call in view.auction), players)


def _shown_cards(steps: Sequence[ReplayStep], players: Sequence[str]) -> Iterator[str]:
    """The cards that all have seen turned up, and that whose holder becomes the partner."""
    for step in steps:
        if isinstance(step.event, CardTurned):
            yield f"turned     {card_text(step.event.card)}"
        if isinstance(step.event, PartnerCalled):
            yield f"called     {event_text(step.event, players)}"


def _contract(view: DealView, partner: int | None, players: Sequence[str]) -> str:
    told = contract_facts(view, partner, players)
    parts = []
    if "declarer" in told and "contract" in told:
        parts.append(f"{told['declarer']} plays {told['contract']}")
    if "trumps" in told:
        parts.append(f"trumps {told['trumps']}")
    if "partner" in told:
        parts.append(f"{told['partner']} is the partner")
    return "".join(f", {part}" for part in parts)


def _opening(steps: Sequence[ReplayStep], last: DealView, players: Sequence[str], seat: int | None) -> Iterator[str]:
    """Everything up to the first card played, and who turned out to be the partner."""
    for step in steps:
        if isinstance(step.event, CardsDealt):
            yield "dealt"
            yield from _dealt(step.view, players)
    before_play = [step.view for step in steps if not step.view.tricks][-1]
    yield from _calls(before_play, players)
    yield from _shown_cards(steps, players)
    contract = _contract(before_play, last.partner, players).removeprefix(", ")
    if contract:
        yield "contract   " + contract
    exchanges = events_of(steps, CardsExchanged)
    for exchange in exchanges:
        yield "exchange   " + exchange_text(exchange, players, viewer=seat)
    if exchanges and any(before_play.hands):
        yield "in hand"
        yield from _hands(before_play, players)
    yield ""


def _said(steps: Sequence[ReplayStep], players: Sequence[str]) -> dict[int, list[str]]:
    """What was announced during the play, by the number of tricks played before."""
    said: dict[int, list[str]] = {}
    for step in steps:
        if isinstance(step.event, Announced):
            said.setdefault(len(step.view.tricks), []).append("           " + _action(step, players, None))
    return said


def _tricks(
    view: DealView,
    players: Sequence[str],
    said: Mapping[int, list[str]] = MappingProxyType({}),
    cards: Collection[tuple[int, str]] = (),
) -> Iterator[str]:
    """The tricks; `said`: what was announced after so many of them; `cards`: those that a correction put there."""
    yield from said.get(0, ())
    if not view.tricks:
        return
    width = _width(players)
    for number, trick in enumerate(view.tricks, 1):
        row = "  ".join(
            f"{card_text(card) + '*' * ((seat, card) in cards):<3} {players[seat]:<{width}}"
            for seat, card in laid(trick)
        )
        won = won_text(trick, players)
        yield f"trick {number:<4} {row}  {won and f'→ {won}'}".rstrip()
        yield from said.get(number, ())
    yield f"tricks     {_counts(view.trick_counts, players) or 'none yet'}"
    if any(view.card_points):
        yield f"points     {_counts(view.card_points, players)}"


def _counts(counts: Sequence[int], players: Sequence[str]) -> str:
    return ", ".join(f"{players[seat]} {count}" for seat, count in enumerate(counts) if count)


def _cards_of(corrected: Mapping[int, Event]) -> set[tuple[int, str]]:
    """Who played which card, where a correction says so."""
    return {(play.seat, play.card) for play in corrected.values() if isinstance(play, CardPlayed)}


def _mark(step: ReplayStep, marked: Collection[int]) -> str:
    return " *" if step.step in marked else ""


def _corrections(fold: TableFold, record: DealRecord, seat: int | None) -> Iterator[str]:
    """What in a deal is read otherwise than it was written, by which entry and why; with `seat`, without hands."""
    for seen in corrected_entries(fold, record):
        told = correction_values(seen, record.players, viewer=seat)
        yield f"corrected  entry {told['corrects']}: {told['read']}, written: {told['written']}"
        yield f"           {label('en', 'by_correction', **told)}"


def _known(step: ReplayStep, seat: int | None) -> Iterator[Violation]:
    """What was broken; a seat knows it of itself, of others only who sees their cards can tell."""
    return (found for found in step.violations if seat is None or found.seat == seat)


def _action(step: ReplayStep, players: Sequence[str], viewer: int | None) -> str:
    """One action in words, with the cards that the `viewer` (None: the recorder) could see."""
    return "" if step.event is None else event_text(step.event, players, viewer)


def _result(fold: TableFold, record: DealRecord, view: DealView) -> str:
    settlement = record.settlement
    assert settlement is not None
    if record.status != "complete":
        return f"status     {record.status}"
    result = getattr(record.outcome, "result", None)
    return f"result     {result or 'scored'}: {amounts_text(settlement.deltas, record.players)}"


def walk(
    steps: Sequence[ReplayStep], players: Sequence[str], seat: int | None, marked: Collection[int] = ()
) -> Iterator[str]:
    """Every step on a line, with what was legal when it was taken; with `seat`, as far as that seat could know.

    `marked`: the steps that a correction put there.
    """
    for before, step in pairwise(steps):
        legal = before.view.legal
        choices = "; ".join(
            f"{kind} " + " ".join(map(value_text, values)) for kind, values in legal.items() if len(values) <= 20
        )
        broken = "".join(f"  ! {found.code}" for found in _known(step, seat))
        allowed = f"   [{choices}]" if choices else ""
        yield f"{step.step:>3}  {_action(step, players, seat)}{_mark(step, marked)}{broken}{allowed}"
