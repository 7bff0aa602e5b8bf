"""The state of the play of a Quadrille deal: the Ombre's side, the tricks, the pending declarations.

The rules are in `play` and `declarations`.
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
    """The cards that each seat was dealt, as far as known; the four hands hold all forty cards (QUA-3.10)."""

    __slots__ = ("masks",)

    def __init__(self, masks: list[int]) -> None:
        self.masks = masks

    def copy(self) -> DealtCards:
        """Return an independent copy."""
        return DealtCards(self.masks[:])

    def take_over(self, masks: list[int]) -> None:
        """Set the cards dealt to each seat."""
        self.masks[:] = masks

    def add(self, seat: int, bit: int) -> None:
        """Note that the seat was dealt this card, as it has shown."""
        self.masks[seat] |= bit

    def holders(self, bit: int) -> list[int]:
        """Return the seats that can have been dealt this card: one if known, otherwise all with unknown cards."""
        for seat, mask in enumerate(self.masks):
            if mask & bit:
                return [seat]
        return [seat for seat, mask in enumerate(self.masks) if mask.bit_count() < HAND]


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreSide:
    """The Ombre and the partner. `called`: the called card as a mask, 0 if none was called.

    `is_settled`: the record shows who the partner is, or that the Ombre is alone. `is_revealed`: an announcement has
    revealed the partner (QUA-5.15).
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
        """Return an independent copy."""
        twin = twin_of(self)
        twin.dealt = self.dealt.copy()
        return twin

    @property
    def is_alone(self) -> bool:
        """Whether the Ombre is known to be alone (QUA-5.13)."""
        return self.is_settled and self.partner is None

    def settle(self) -> bool:
        """Settle the partner if only one seat can have been dealt the called card (QUA-5.12), and return whether this
        is new.
        """
        if self.is_settled:
            return False
        holders = self.dealt.holders(self.called)
        if len(holders) != 1:
            return False
        self.partner = holders[0] if holders[0] != self.ombre else None
        self.is_settled = True
        return True

    def settle_on(self, seat: int) -> None:
        """Settle the partner on this seat, which was dealt the called card."""
        self.dealt.add(seat, self.called)
        self.settle()

    def reveal(self) -> None:
        """Make the partner known to all by an announcement."""
        self.is_revealed = True

    def may_be_partner(self, seat: int) -> bool:
        """Return whether this seat may be the partner, as far as the record shows."""
        if self.is_settled:
            return seat == self.partner
        return seat != self.ombre and seat in self.dealt.holders(self.called)

    def members(self) -> set[int]:
        """Return the seats that are known to belong to the side."""
        return {self.ombre} if self.partner is None else {self.ombre, self.partner}

    def matadors(self, table: MatadorTable) -> int | None:
        """Return m, the level of matadors in the cards dealt (QUA-7.5); None if the record does not show it."""
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
        """Return whether the side was dealt this card; None if unknown."""
        holders = self.dealt.holders(1 << card)
        of_side = [seat for seat in holders if seat in (self.ombre, self.partner)]
        return True if len(of_side) == len(holders) else None if of_side else False


Stage: TypeAlias = Literal["due", "reply_due", "doubtful"]


class Lead(NamedTuple):
    """A lead to the seventh trick while premiers were in doubt."""

    version: int
    seat: int
    is_in_turn: bool


class Claim(NamedTuple):
    """A claim not yet decided (QUA-6.27). `accepted`: the seats that have accepted it."""

    version: int
    seat: int
    side: SideName
    accepted: tuple[int, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayState(MatadorTricks):
    """The tricks, and the pending declarations between them.

    `stage`: the choice after premiers is `due`, a reply from `responder` (None: unknown) is due, or it is `doubtful`
    whether premiers were made. `is_declared`: the vole was declared (QUA-6.19). `doubtful_lead`, `after_sixth`: the
    lead and the cards played while that was in doubt. `is_halted`: play cannot continue.
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
        """Return an independent copy over these holdings."""
        twin = super().copy(holdings, on_end)
        twin.side = self.side.copy()
        return twin

    def break_off(self) -> None:
        """Break off the play with its pending declarations."""
        super().break_off()
        self.stage = self.claim = None

    def halt(self) -> None:
        """Halt the play, which cannot continue."""
        self.is_halted = True
        self.break_off()
        self.notify_end()

    def is_public(self) -> bool:
        """Return whether all know who the partner is, or that there is none (QUA-5.15)."""
        side = self.side
        return not side.called or side.is_revealed or bool(side.called & self.played())

    def may_be_public(self) -> bool:
        """Return whether all may know the partner: an unrecorded card may have been the called one."""
        partner = self.side.partner
        return self.is_public() or (partner is not None and self.has_unknown_of(partner))
