"""The states of one deal, step by step: the answer of `replay`, and the state before an entry. Pure like the fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

from msgspec import structs

from ledger.errors import NotFoundError, listed
from ledger.events import (
    MACHINE_TYPES,
    STEP_TYPES,
    CardsDealt,
    DealStarted,
    DealVoided,
    PlayerSeated,
    Step,
    TableClosed,
    TableOpened,
    TrickGathered,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import as_json
from ledger.games.kernel.views import DealView
from ledger.names import fitting, folded
from ledger.table.answers import Call, ReplayAnswer, StepAnswer
from ledger.table.audit import deal_findings
from ledger.table.catalogue import phrase
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold

_MACHINE_TYPES: Final = MACHINE_TYPES  # module-level names, as in `kernel.tricks`
_STEP_TYPES: Final = STEP_TYPES

_DIGITS: Final = 4
"""The longest number of a seat that is parsed; a longer one is wrong in any case."""

Kind = TypeVar("Kind", bound=Step)


class ReplayStep(NamedTuple):
    """The state of one deal after `step` of its actions; step 0 is before `deal_started`."""

    step: int
    version: int | None
    event: Step | None
    view: DealView
    violations: Sequence[Violation]


def replay_steps(fold: TableFold, number: int, seat: int | None = None) -> Iterator[ReplayStep]:
    """Yield every state of a deal, from before it started; with `seat`, only the cards that seat could know.

    Raise `NotFoundError` if the table has no such deal or seat.
    """
    record = fold.deal(number)
    if seat is not None and not 0 <= seat < len(fold.players):
        raise no_such_seat(number, seat, len(fold.players))
    machine = _undealt(fold, record)
    started = fold.entries[record.start]
    yield ReplayStep(0, None, None, structs.replace(machine.view(seat), dealer=None), ())
    yield ReplayStep(1, started[0], cast(Step, started[1]), machine.view(seat), ())
    step = 1
    entries = fold.entries[record.start + 1 : record.end]
    for place, (version, event) in enumerate(entries):
        if isinstance(event, DealVoided):
            machine.void(version)
        elif type(event) in _MACHINE_TYPES:
            violations = machine.apply(event, version)
            if type(event) not in _STEP_TYPES:
                continue
            step += 1
            if place + 1 < len(entries) and isinstance(entries[place + 1][1], TrickGathered):
                machine.apply(entries[place + 1][1], entries[place + 1][0])  # shows the winner of unknown cards
            yield ReplayStep(step, version, cast(Step, event), machine.view(seat), violations)


def last_step(fold: TableFold, record: DealRecord) -> int:
    """Return the number of actions of a deal, without replaying it."""
    return sum(type(event) in _STEP_TYPES for _, event in fold.entries[record.start : record.end])


def view_when_dealt(steps: Sequence[ReplayStep]) -> DealView:
    """Return the state when the cards were dealt; the first one if that was not recorded."""
    return next((step.view for step in steps if isinstance(step.event, CardsDealt)), steps[0].view)


def events_of(steps: Sequence[ReplayStep], kind: type[Kind]) -> list[Kind]:
    """Return the events of one type among the steps."""
    return [step.event for step in steps if isinstance(step.event, kind)]


def replay_state(fold: TableFold, number: int, step: int | None = None, seat: int | None = None) -> ReplayStep:
    """Return the state after `step` actions of the deal, by default after the last one. Raise as `step_answer`."""
    return _last_two(fold, number, step, seat)[1]


def _last_two(fold: TableFold, number: int, step: int | None, seat: int | None) -> tuple[ReplayStep | None, ReplayStep]:
    """Return the state after `step` actions of the deal, and the one before it. Raise as `step_answer`."""
    before: ReplayStep | None = None
    last: ReplayStep | None = None
    for one in replay_steps(fold, number, seat):
        before, last = last, one
        if one.step == step:
            return before, one
    assert last is not None, "every deal has a state before it started"
    if step is not None:
        raise no_such_step(number, step, 0, last.step)
    return before, last


def seat_named(players: Sequence[str], deal: int, seat: str | int | None) -> int | None:
    """Return the seat at a deal by its number, or by the name of its player, of which a beginning suffices.

    Raise `NotFoundError` for an unknown name, or one that fits several players.
    """
    if seat is None or isinstance(seat, int):
        return seat
    known = [folded(player) for player in players]
    if seat.isascii() and seat.isdecimal() and folded(seat) not in known:
        number = int(seat[:_DIGITS])
        if number < len(players):
            return number
        raise no_such_seat(deal, number, len(players))
    fits = fitting(known, folded(seat))
    if len(fits) != 1:
        candidates = [players[place] for place in fits] or players
        key = "several_players" if fits else "no_player_in_deal"
        raise NotFoundError("not_found", phrase(key, deal=deal, text=seat, players=listed(candidates)))
    return fits[0]


def check_named(entries: Sequence[Entry], deal: int | None, step: int | None, seat: str | int | None) -> None:
    """Raise `NotFoundError` for the first deal, or that one, without this step or seat, without replaying it.

    `entries`: a table as it is read.
    """
    for number, (players, last) in _deals_of(entries).items():
        if deal not in (None, number):
            continue
        named = seat_named(players, number, seat)
        if named is not None and named >= len(players):
            raise no_such_seat(number, named, len(players))
        if step is not None and step > last:
            raise no_such_step(number, step, 0, last)


def _deals_of(entries: Sequence[Entry]) -> dict[int, tuple[list[str], int]]:
    """Return the players of each deal, by seat, and its number of steps; events after the closing belong to no deal."""
    opened = entries[0][1]
    assert isinstance(opened, TableOpened), "a table's first entry opens it"
    seated = list(opened.players)
    players: dict[int, list[str]] = {}
    steps: dict[int, int] = {}
    deal: int | None = None
    for _, event in entries:
        if isinstance(event, PlayerSeated):
            seated[event.seat] = event.player
        elif isinstance(event, TableClosed):
            deal = None
        elif isinstance(event, DealStarted):
            deal = event.deal
            players[deal], steps[deal] = list(seated), 1
        elif deal is not None:
            steps[deal] += type(event) in _STEP_TYPES
    return {number: (players[number], steps[number]) for number in steps}


def no_such_seat(deal: int, seat: int, seats: int) -> NotFoundError:
    """Return the error for a seat that a deal does not have, with its seats, from 0."""
    return NotFoundError("not_found", phrase("no_seat", deal=deal, last=seats - 1, text=seat))


def no_such_step(deal: int, step: int, first: int, last: int) -> NotFoundError:
    """Return the error for a step that a deal does not have, with its steps; `first` is 0 or 1."""
    key = "no_step_but_first" if first == last else "no_step"
    return NotFoundError("not_found", phrase(key, deal=deal, first=first, last=last, text=step))


def replay_answer(table: str, deal: int, step: ReplayStep) -> ReplayAnswer:
    """Return one state as in the answer of `replay`; `table` is its slug."""
    view = step.view
    return ReplayAnswer(
        table=table,
        deal=deal,
        step=step.step,
        phase=view.phase,
        turn=view.turn,
        dealer=view.dealer,
        hands=view.hands,
        stock=view.stock,
        auction=[Call(**call) for call in view.auction],
        trump=cast(Any, view.trump),
        contract=view.contract,
        declarer=view.declarer,
        partner=view.partner,
        tricks=view.tricks,
        trick_counts=view.trick_counts,
        card_points=view.card_points,
        legal=as_json(view.legal, view.turn),
    )


def machine_before(fold: TableFold, record: DealRecord, index: int) -> Deal:
    """Return the state machine of a deal before the entry at that index of the reading."""
    machine = _undealt(fold, record)
    for version, event in fold.entries[record.start + 1 : index]:
        if isinstance(event, DealVoided):
            machine.void(version)
        elif type(event) in _MACHINE_TYPES:
            machine.apply(event, version)
    return machine


def _undealt(fold: TableFold, record: DealRecord) -> Deal:
    """Return the state machine of a deal before its first event."""
    return fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)


def step_answer(
    table: str, fold: TableFold, number: int, step: int | None = None, seat: int | None = None, lang: str = "en"
) -> StepAnswer:
    """Return the state after `step` actions of a deal, by default after the last one; with `seat`, as that seat knew
    it.

    Raise `NotFoundError` if the table has no such deal, step or seat.
    """
    before, last = _last_two(fold, number, step, seat)
    findings = [] if last.version is None else deal_findings(fold, fold.deal(number), lang)
    return StepAnswer(
        **structs.asdict(replay_answer(table, number, last)),
        version=last.version,
        event=last.event,
        findings=[finding for finding in findings if finding.version == last.version],
        legal_before={} if before is None else as_json(before.view.legal, before.view.turn),
    )
