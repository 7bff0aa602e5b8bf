"""What the play of one Quadrille deal has come to: the Ombre's side, the tricks, and what is due between them.

Nothing is judged here: see `play`, and for what is said, `declarations`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Self, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import MatadorTable, MatadorTricks
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import COURSE, HAND, SideName


@mypyc_attr(allow_interpreted_subclasses=True)
class DealtCards:
    """Which cards each seat was dealt, as far as known; all forty cards are in the four hands (QUA-3.10)."""

    __slots__ = ("masks",)

    def __init__(self, masks: list[int]) -> None:
        self.masks = masks

    def copy(self) -> DealtCards:
        return DealtCards(self.masks[:])

    def take_over(self, masks: list[int]) -> None:
        """Each seat was dealt these cards."""
        self.masks[:] = masks

    def add(self, seat: int, bit: int) -> None:
        """The seat has shown that it was dealt this card."""
        self.masks[seat] |= bit

    def holders(self, bit: int) -> list[int]:
        """The seats that can have been dealt this card: one where it is known, else those with cards not known."""
        for seat, mask in enumerate(self.masks):
            if mask & bit:
                return [seat]
        return [seat for seat, mask in enumerate(self.masks) if mask.bit_count() < HAND]


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreSide:
    """The Ombre and his partner. `called`: the called card as a mask, 0 where none was called.

    `is_settled`: the record tells who the partner is, or that the Ombre is alone. `is_revealed`: the partner has made
    himself known by what he said (QUA-5.15).
    """

    __slots__ = ("called", "dealt", "is_revealed", "is_settled", "ombre", "partner")

    def __init__(self, ombre: int, called: int, dealt: DealtCards) -> None:
        self.ombre = ombre
        self.called = called
        self.dealt = dealt
        self.partner: int | None = None
        self.is_revealed = False
        self.is_settled = not called  # QUA-5.13
        self.settle()

    def copy(self) -> OmbreSide:
        twin = twin_of(self)
        twin.dealt = self.dealt.copy()
        return twin

    @property
    def is_alone(self) -> bool:
        """Whether the Ombre is known to be alone (QUA-5.13)."""
        return self.is_settled and self.partner is None

    def settle(self) -> bool:
        """Takes over who must have been dealt the called card (QUA-5.12); answers whether that is news."""
        if self.is_settled:
            return False
        holders = self.dealt.holders(self.called)
        if len(holders) != 1:
            return False
        self.partner = holders[0] if holders[0] != self.ombre else None
        self.is_settled = True
        return True

    def settle_on(self, seat: int) -> None:
        """This seat was dealt the called card."""
        self.dealt.add(seat, self.called)
        self.settle()

    def reveal(self) -> None:
        """All know the partner now, by what he said."""
        self.is_revealed = True

    def may_be_partner(self, seat: int) -> bool:
        """Whether nothing in the record excludes that this seat is the partner."""
        if self.is_settled:
            return seat == self.partner
        return seat != self.ombre and seat in self.dealt.holders(self.called)

    def members(self) -> set[int]:
        return {self.ombre} if self.partner is None else {self.ombre, self.partner}

    def matadors(self, table: MatadorTable) -> int | None:
        """m, judged on the cards dealt (QUA-7.5); None where the record does not tell."""
        held = [self._is_held(card) for card in table.order[:3]]
        if False in held:
            return 0
        if None in held:
            return None
        if table.suit in ("S", "C"):
            return 1
        punto = self._is_held(INDEX[table.suit + "A"])
        return None if punto is None else 1 + punto

    def _is_held(self, card: int) -> bool | None:
        """Whether the side was dealt this card; None where that is not known."""
        holders = self.dealt.holders(1 << card)
        of_side = [seat for seat in holders if seat in (self.ombre, self.partner)]
        return True if len(of_side) == len(holders) else None if of_side else False


Stage: TypeAlias = Literal["due", "reply_due", "doubtful"]


class Lead(NamedTuple):
    """The lead to the seventh trick while it was not known whether the first six were the side's."""

    version: int
    seat: int
    is_in_turn: bool


class Claim(NamedTuple):
    """A claim that is not decided yet (QUA-6.27); `accepted`: the seats that have accepted it."""

    version: int
    seat: int
    side: SideName
    accepted: tuple[int, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayState(MatadorTricks):
    """The tricks, and what may be done between them.

    `stage`: a choice after premiers is `due`, a reply is due from `responder` (None: not known who), or it is
    `doubtful` whether there were premiers. `is_declared`: the vole was declared (QUA-6.19). `doubtful_lead`,
    `after_sixth`: what was led and played while that was in doubt. `is_halted`: the play cannot be carried on.
    """

    __slots__ = (
        "after_sixth",
        "claim",
        "claimed_for",
        "contract",
        "doubtful_lead",
        "is_declared",
        "is_halted",
        "is_reveal_missed",
        "options",
        "responder",
        "side",
        "stage",
    )

    def __init__(
        self,
        holdings: Holdings,
        table: MatadorTable,
        leader: int,
        side: OmbreSide,
        contract: str,
        options: QuadrilleOptions,
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(holdings, table, COURSE, leader, on_end)
        self.side = side
        self.contract = contract
        self.options = options
        self.stage: Stage | None = None
        self.responder: int | None = None
        self.is_declared = False
        self.is_reveal_missed = False
        self.doubtful_lead: Lead | None = None
        self.after_sixth: list[tuple[int, int, str]] = []
        self.claim: Claim | None = None
        self.claimed_for: SideName | None = None
        self.is_halted = False

    def copy(self, holdings: Holdings, on_end: Callable[[], None]) -> Self:
        twin = super().copy(holdings, on_end)
        twin.side = self.side.copy()
        return twin

    # --- the end ------------------------------------------------------------------------------------------------------

    def break_off(self) -> None:
        super().break_off()
        self.stage = self.claim = None

    def halt(self) -> None:
        """The play cannot be carried on."""
        self.is_halted = True
        self.break_off()
        self.notify_end()

    # --- facts --------------------------------------------------------------------------------------------------------

    def is_public(self) -> bool:
        """Whether all know who the partner is, or that there is none (QUA-5.15)."""
        side = self.side
        return not side.called or side.is_revealed or bool(side.called & self.played())

    def may_be_public(self) -> bool:
        """Whether all may know the partner: the called card may be one that nobody wrote down."""
        partner = self.side.partner
        return self.is_public() or (partner is not None and self.has_unknown_of(partner))
