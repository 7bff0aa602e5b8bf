"""A deal for players: the story of the whole deal, or the state after one step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Final

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
from ledger.games.kernel.moves import shown, tag_of
from ledger.games.kernel.views import DealView
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import ReplayStep, events_of, replay_steps
from ledger.table.two_readings import corrected_entries, corrected_steps
from ledger.text.cards import amounts_text, card_text, cards_text, hand_text, move_text
from ledger.text.catalogue import Wording, label, title_of, wording_for
from ledger.text.deal import calls_text, contract_facts, correction_values, laid, plays_text, won_text
from ledger.text.events import event_text, exchange_text
from ledger.text.layout import padded, width_of
from ledger.text.score import unscorable_text

_CARD_COLUMNS: Final = 3
_LEGAL_SHOWN: Final = 20
"""The most legal moves of one kind that a line of `walk` lists."""


def story(slug: str, fold: TableFold, number: int, seat: int | None, lang: str) -> Iterator[str]:
    """Yield the whole deal: cards, auction, trumps, exchange, each trick with its winner and why, and the result."""
    wording = wording_for(fold.game, lang, fold.pack)
    return map(wording.cards, _story(slug, fold, number, seat, wording))


def _story(slug: str, fold: TableFold, number: int, seat: int | None, wording: Wording) -> Iterator[str]:
    record, lang = fold.deal(number), wording.lang
    steps = list(replay_steps(fold, number, seat))
    last = steps[-1].view
    players = record.players
    yield _head(slug, fold, record, lang)
    yield ""
    yield from _opening(steps, last, players, seat, wording)
    marked = corrected_steps(fold, record)
    yield from _tricks(last, players, wording, _said(steps, players, wording), _cards_of(marked))
    yield from _corrections(fold, record, seat, wording)
    faults = [violation for step in steps for violation in _known(step, seat) if violation.severity != "info"]
    if faults:
        yield label(lang, "replay.faults", count=len(faults), table=slug)
    yield _result(record, wording)
    missing = unscorable_text(fold, record, wording)
    if missing is not None:
        yield " " * _margin(lang) + missing


def state(slug: str, fold: TableFold, number: int, step: ReplayStep, seat: int | None, lang: str) -> Iterator[str]:
    """Yield the state after one step: the next player, the hands, calls, tricks, and legal moves."""
    wording = wording_for(fold.game, lang, fold.pack)
    return map(wording.cards, _state(slug, fold, number, step, seat, wording))


def _state(
    slug: str, fold: TableFold, number: int, step: ReplayStep, seat: int | None, wording: Wording
) -> Iterator[str]:
    record, lang = fold.deal(number), wording.lang
    steps = list(replay_steps(fold, number, seat))
    done_so_far = steps[: step.step + 1]
    view, players = step.view, record.players
    yield _head(slug, fold, record, lang)
    marked = corrected_steps(fold, record)
    yield _place(step, steps[-1].step, f"{_action(step, players, seat, wording)}{_mark(step, marked)}", lang)
    yield ""
    if view.dealer is not None and any(view.hands):
        yield from _dealt(view, players, lang)
        yield ""
    yield from _calls(view, players, wording)
    yield from _shown_cards(done_so_far, players, wording)
    yield from _tricks(view, players, wording, _said(done_so_far, players, wording), _cards_of(marked))
    yield _now(view, players, wording)
    for kind, moves in shown(view.legal, view.turn).items():
        values = "  ".join(move_text(move, view.turn, wording) for move in moves.values())
        yield wording.say("replay.legal", kind=_kind(kind, wording), values=values)


def _head(slug: str, fold: TableFold, record: DealRecord, lang: str) -> str:
    deal = label(lang, "replay.deal", deal=record.number)
    dealer = label(lang, "event.deals", name=record.players[record.dealer])
    return f"{slug} · {title_of(fold.game, lang)} · {deal} · {dealer}"


def _place(step: ReplayStep, last: int, done: str, lang: str) -> str:
    """Return the number of a step, and the act done in it, if any."""
    key = "replay.before" if step.event is None else "replay.after"
    return label(lang, key, step=step.step, last=last, done=done)


def _now(view: DealView, players: Sequence[str], wording: Wording) -> str:
    """Return the phase, the next player and the contract."""
    due = wording.say("replay.nobody_due") if view.turn is None else wording.say("replay.due", name=players[view.turn])
    phase = wording.say("replay.phase", phase=wording.word(view.phase))
    return wording.listed([phase, due, *_contract(view, view.partner, players, wording)])


def _kind(kind: type[Event], wording: Wording) -> str:
    """Return the kind of a legal move: the event type in the language, as in the contract in English."""
    return wording.known("legal", tag_of(kind))


def _row(key: str, shown: str, lang: str) -> str:
    """Return a line with a label in the margin."""
    return padded(label(lang, key), _margin(lang)) + shown


@cache
def _margin(lang: str) -> int:
    """Return the columns of the labels, with two blanks after the longest."""
    named = ("calls", "turned", "called", "contract", "exchange", "tricks", "points", "corrected", "status", "result")
    return 2 + width_of(label(lang, f"row.{name}") for name in named)


def _width(players: Sequence[str], lang: str) -> int:
    return width_of([*players, label(lang, "replay.stock")])


def _dealt(view: DealView, players: Sequence[str], lang: str) -> Iterator[str]:
    yield from _hands(view, players, lang)
    if view.stock:
        yield f"  {padded(label(lang, 'replay.stock'), _width(players, lang))}  {cards_text(view.stock)}"


def _hands(view: DealView, players: Sequence[str], lang: str) -> Iterator[str]:
    for seat, hand in enumerate(view.hands):
        role = "  " + label(lang, "replay.declarer") if seat == view.declarer else ""
        yield f"  {padded(players[seat], _width(players, lang))}  {hand_text(hand)}{role}"


def _calls(view: DealView, players: Sequence[str], wording: Wording) -> Iterator[str]:
    if view.auction:
        yield _row("row.calls", calls_text(view, players, wording), wording.lang)


def _shown_cards(steps: Sequence[ReplayStep], players: Sequence[str], wording: Wording) -> Iterator[str]:
    """Yield the cards turned up, and the called card whose holder becomes the partner."""
    for step in steps:
        if isinstance(step.event, CardTurned):
            yield _row("row.turned", card_text(step.event.card), wording.lang)
        if isinstance(step.event, PartnerCalled):
            yield _row("row.called", event_text(step.event, players, wording), wording.lang)


def _contract(view: DealView, partner: int | None, players: Sequence[str], wording: Wording) -> list[str]:
    facts = contract_facts(view, partner, players, wording)
    parts = [*plays_text(facts, wording)]
    if "trumps" in facts:
        parts.append(wording.say("replay.trumps", trumps=facts["trumps"]))
    if "partner" in facts:
        parts.append(wording.say("replay.partner", name=facts["partner"]))
    return parts


def _opening(
    steps: Sequence[ReplayStep], last: DealView, players: Sequence[str], seat: int | None, wording: Wording
) -> Iterator[str]:
    """Yield everything before the first card played, and the partner, who may become known later."""
    lang = wording.lang
    for step in steps:
        if isinstance(step.event, CardsDealt):
            yield label(lang, "replay.dealt")
            yield from _dealt(step.view, players, lang)
    before_play = [step.view for step in steps if not step.view.tricks][-1]
    yield from _calls(before_play, players, wording)
    yield from _shown_cards(steps, players, wording)
    contract = _contract(before_play, last.partner, players, wording)
    if contract:
        yield _row("row.contract", wording.listed(contract), lang)
    exchanges = events_of(steps, CardsExchanged)
    for exchange in exchanges:
        yield _row("row.exchange", exchange_text(exchange, players, wording, viewer=seat), lang)
    if exchanges and any(before_play.hands):
        yield label(lang, "replay.in_hand")
        yield from _hands(before_play, players, lang)
    yield ""


def _said(steps: Sequence[ReplayStep], players: Sequence[str], wording: Wording) -> dict[int, list[str]]:
    """Return what was announced during the play, by the number of tricks played before."""
    said: dict[int, list[str]] = {}
    for step in steps:
        if isinstance(step.event, Announced):
            line = " " * _margin(wording.lang) + _action(step, players, None, wording)
            said.setdefault(len(step.view.tricks), []).append(line)
    return said


def _tricks(
    view: DealView,
    players: Sequence[str],
    wording: Wording,
    said: Mapping[int, list[str]] = MappingProxyType({}),
    cards: Collection[tuple[int, str]] = (),
) -> Iterator[str]:
    """Yield the tricks. `said`: announcements by the number of tricks before; `cards`: those put there by a
    correction.
    """
    yield from said.get(0, ())
    if not view.tricks:
        return
    lang = wording.lang
    width = _width(players, lang)
    named = [padded(name, width) for name in players]
    shown = [
        [wording.cards(card_text(card)) + "*" * ((seat, card) in cards) for seat, card in laid(trick)]
        for trick in view.tricks
    ]
    card_width = max(_CARD_COLUMNS, width_of(chain.from_iterable(shown)))
    for number, trick in enumerate(view.tricks, 1):
        row = "  ".join(
            f"{padded(card, card_width)} {named[seat]}"
            for seat, card in zip(trick.seats, shown[number - 1], strict=True)
        )
        won = won_text(trick, players, lang)
        trick_name = padded(label(lang, "replay.trick", trick=number), _margin(lang))
        yield f"{trick_name}{row}  {won and f'→ {won}'}".rstrip()
        yield from said.get(number, ())
    yield _row("row.tricks", _counts(view.trick_counts, players, wording) or label(lang, "replay.none_yet"), lang)
    if any(view.card_points):
        yield _row("row.points", _counts(view.card_points, players, wording), lang)


def _counts(counts: Sequence[int], players: Sequence[str], wording: Wording) -> str:
    return wording.listed(f"{players[seat]} {count}" for seat, count in enumerate(counts) if count)


def _cards_of(corrected: Mapping[int, Event]) -> set[tuple[int, str]]:
    """Return the seats and cards of corrected plays."""
    return {(play.seat, play.card) for play in corrected.values() if isinstance(play, CardPlayed)}


def _mark(step: ReplayStep, marked: Collection[int]) -> str:
    return " *" if step.step in marked else ""


def _corrections(fold: TableFold, record: DealRecord, seat: int | None, wording: Wording) -> Iterator[str]:
    """Yield the corrections of a deal with entry and reason; with `seat`, without hands."""
    for seen in corrected_entries(fold, record):
        values = correction_values(seen, record.players, wording, viewer=seat)
        yield _row("row.corrected", wording.say("replay.corrected", **values), wording.lang)
        yield " " * _margin(wording.lang) + wording.say("by_correction", **values)


def _known(step: ReplayStep, seat: int | None) -> Iterator[Violation]:
    """Return the violations of a step that a seat knows: its own, as others are visible only with their cards."""
    return (violation for violation in step.violations if seat is None or violation.seat == seat)


def _action(step: ReplayStep, players: Sequence[str], viewer: int | None, wording: Wording) -> str:
    """Return one act in words, with the cards that the `viewer` (None: the recorder) could see."""
    return "" if step.event is None else event_text(step.event, players, wording, viewer)


def _result(record: DealRecord, wording: Wording) -> str:
    settlement, lang = record.settlement, wording.lang
    assert settlement is not None
    if record.status != "complete":
        return _row("row.status", wording.word(record.status), lang)
    result = getattr(record.outcome, "result", None)
    amounts = amounts_text(settlement.deltas, record.players, lang)
    named = wording.word(result) if result else label(lang, "replay.scored")
    return _row("row.result", label(lang, "replay.result", result=named, amounts=amounts), lang)


def walk(
    steps: Sequence[ReplayStep],
    players: Sequence[str],
    seat: int | None,
    marked: Collection[int],
    wording: Wording,
) -> Iterator[str]:
    """Yield a line for each step, with what was legal before it; with `seat`, as far as that seat could know.

    `marked`: the steps put there by a correction.
    """
    for before, step in pairwise(steps):
        choices = wording.clauses(
            f"{_kind(kind, wording)} " + " ".join(move_text(move, before.view.turn, wording) for move in moves.values())
            for kind, moves in shown(before.view.legal, before.view.turn).items()
            if len(moves) <= _LEGAL_SHOWN
        )
        broken = "".join(f"  ! {violation.code}" for violation in _known(step, seat))
        allowed = f"   [{choices}]" if choices else ""
        line = f"{step.step:>3}  {_action(step, players, seat, wording)}{_mark(step, marked)}{broken}{allowed}"
        yield wording.cards(line)
