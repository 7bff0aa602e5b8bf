"""The outcome of one deal: the facts that scoring needs, and the form that asks for them (KOP-7.1 to 7.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, UnsetType, field, structs

from ledger.cards import SUITS
from ledger.events import Amount, Seat
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.refusals import any_of, at_most, bad_outcome, contradicting_outcome, tricks_in_all
from ledger.games.kernel.result_form import ResultForm, ResultFormBuilder
from ledger.games.kop.options import KopOptions, phrase
from ledger.games.kop.pack import (
    ALL_POINTS,
    DU_CONTRACTS,
    RANK_POINTS,
    SEATS,
    TRICKS,
    Contract,
    WinningSide,
    winning_side,
)
from ledger.i18n import Words

PAIR_CONTRACTS: Final = frozenset(("normal", "wesele"))  # KOP-5.2: two against two
BASKA_CONTRACTS: Final = frozenset(("grand", "grand_du", "baska"))  # KOP-4.3, 4.4


class KopOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """The outcome of a deal. `winning_side` follows from the other fields and may be omitted in a recorded result.

    `declarers`: the seats of the declarer side (KOP-5.2). `doublings`: k, the effective ones (KOP-4.30). `card_points`
    and `tricks`: those of the declarer side, then of the defenders, including those given away by a concession
    (KOP-6.18). `stopped`: a du contract was stopped (KOP-6.15), so that tricks may be missing; a baśka has none.
    """

    contract: Contract
    declarers: tuple[Seat, ...]
    doublings: Annotated[int, Meta(ge=0, le=8)] = 0
    card_points: tuple[Annotated[int, Meta(ge=0, le=ALL_POINTS)], Annotated[int, Meta(ge=0, le=ALL_POINTS)]] = (0, 0)
    tricks: tuple[Annotated[int, Meta(ge=0, le=TRICKS)], Annotated[int, Meta(ge=0, le=TRICKS)]] = (0, 0)
    stopped: bool = False
    winning_side: WinningSide | None = None

    @property
    def declarer_wins(self) -> bool:
        """Whether the declarer side has won."""
        return self.winning_side == "declarer"


KopSeat: TypeAlias = Annotated[int, Meta(ge=0, lt=SEATS, description="seat, numbered in the order of play")]


class SheetPayment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One payment on a score sheet."""

    source: KopSeat = field(name="from")
    target: KopSeat = field(name="to")
    amount: Amount


class KopSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The game's own fields of a score sheet (contract 6), all optional; only those given are compared."""

    contract: str | None = None
    partner: KopSeat | None = None
    winning_side: Literal["declarer", "defenders"] | None = None
    game_points: Amount | None = None
    payments: tuple[SheetPayment, ...] | None = None


def _sums_of_tricks() -> Iterator[frozenset[int]]:
    """Yield the card points that 0, 1, 2, 3 and 4 tricks can hold: four cards each, at most four of a rank."""
    for tricks in range(TRICKS + 1):
        yield frozenset(
            sum(worth * count for worth, count in zip(RANK_POINTS.values(), counts, strict=True))
            for counts in product(range(len(SUITS) + 1), repeat=len(RANK_POINTS))
            if sum(counts) == SEATS * tricks
        )


POINTS_OF_TRICKS: Final = tuple(_sums_of_tricks())


def checked_outcome(outcome: KopOutcome, options: KopOptions) -> KopOutcome:
    """Return the outcome with its winning side. Raise `MalformedError` if its facts contradict each other."""
    contract, declarers, tricks, points = outcome.contract, outcome.declarers, outcome.tricks, outcome.card_points
    if contract in BASKA_CONTRACTS and not options.is_baska:
        expected = phrase("refusal.contract_of_kop", contracts=any_of("normal", "cicha", "wesele", "zolo", "zolo_du"))
        raise bad_outcome("contract", expected, contract)
    number = 2 if contract in PAIR_CONTRACTS else 1
    if len(set(declarers)) != number or len(declarers) != number or max(declarers) >= SEATS:
        key = "refusal.two_declarers" if number == 2 else "refusal.one_declarer"
        raise bad_outcome("declarers", phrase(key, last=SEATS - 1, contract=contract), list(declarers))
    most = 0 if contract == "baska" else options.max_doublings
    if outcome.doublings > most:
        raise bad_outcome("doublings", at_most(most), outcome.doublings)
    if outcome.stopped and (contract not in DU_CONTRACTS or not tricks[1]):  # KOP-6.15
        raise bad_outcome("stopped", phrase("refusal.stopped"), "true")
    in_all = 0 if contract == "baska" else TRICKS
    if sum(tricks) > in_all or (sum(tricks) < in_all and not outcome.stopped):
        raise bad_outcome("tricks", tricks_in_all(in_all), list(tricks))
    for side in (0, 1):
        if points[side] not in POINTS_OF_TRICKS[tricks[side]]:  # KOP-7.19
            raise bad_outcome("card_points", phrase("refusal.points_of_side", tricks=tricks[side]), points[side])
    if sum(points) not in POINTS_OF_TRICKS[sum(tricks)]:  # KOP-7.19
        raise bad_outcome("card_points", phrase("refusal.points_of_both", tricks=sum(tricks)), list(points))
    winner = winning_side(contract, points, tricks)
    if outcome.winning_side not in (None, winner):
        raise contradicting_outcome("winning_side", winner, outcome.winning_side)
    return structs.replace(outcome, declarers=tuple(sorted(declarers)), winning_side=winner)


def summarise(outcome: KopOutcome) -> DealSummary:
    """Return the facts for statistics. Two declarers are equals (KOP-5.2): the outcome does not say who bid."""
    declarers = outcome.declarers
    return DealSummary(
        result=outcome.winning_side,
        contract=outcome.contract,
        declarer=declarers[0] if len(declarers) == 1 else None,
        partner=None,
        trump=None,
        won=outcome.declarer_wins,
        declarers=declarers,
    )


def result_form(answers: Mapping[str, str], options: KopOptions, seats: int, dealer: int) -> ResultForm:
    """Ask for contract, declarers, doublings, tricks and points; the rest follows."""
    builder = ResultFormBuilder(answers)
    known = [one for one in get_args(Contract) if options.is_baska or one not in BASKA_CONTRACTS]  # KOP-4.3, 4.4
    contract = builder.word("contract", Words("result.contract"), known)
    first = builder.seat("declarers.0", Words("result.who_played"), range(SEATS))
    declarers = [first]
    if contract in PAIR_CONTRACTS:  # KOP-5.2
        others = [seat for seat in range(SEATS) if seat != first]
        declarers.append(builder.seat("declarers.1", Words("result.partner"), others))
    facts: dict[str, Any] = {"contract": contract, "declarers": declarers}
    if contract == "baska":  # KOP-7.6: it is laid open, and won
        return builder.build(facts)
    doublings = builder.number("doublings", Words("result.doublings"), range(options.max_doublings + 1), default="0")
    stopped = contract in DU_CONTRACTS and builder.truth("stopped", Words("result.stopped"), is_rare=True)
    tricks = _tricks(builder, stopped)
    points = builder.amount("card_points.0", Words("result.points"), 0, ALL_POINTS)
    if stopped:
        others_points = builder.amount("card_points.1", Words("result.points_of_others"), 0, ALL_POINTS)
    else:
        others_points = ALL_POINTS - points if isinstance(points, int) else points
        builder.follows(Words("result.rest_of_others", {"points": others_points, "tricks": tricks[1]}))
    return builder.build(
        {
            **facts,
            "doublings": doublings,
            "card_points": [points, others_points],
            "tricks": tricks,
            "stopped": stopped,
        }
    )


def _tricks(builder: ResultFormBuilder, stopped: bool) -> list[int | UnsetType | None]:
    """Ask for the tricks of both sides; if the deal was stopped, some are missing (KOP-6.15)."""
    own = builder.number("tricks.0", Words("result.tricks"), range(TRICKS + 1))
    if not stopped:
        return [own, TRICKS - own if isinstance(own, int) else own]
    left = TRICKS - own if isinstance(own, int) else TRICKS
    return [own, builder.number("tricks.1", Words("result.tricks_of_others"), range(left + 1))]
