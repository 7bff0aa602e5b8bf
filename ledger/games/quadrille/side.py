"""The Ombre's side in one Quadrille deal: who holds the called card and the matadors, as far as a record tells."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.matadors import MatadorTable
from ledger.games.quadrille.pack import HAND


@mypyc_attr(allow_interpreted_subclasses=True)
class Dealt:
    """Which cards each seat was dealt, as far as known; all forty cards are in the four hands (QUA-3.10)."""

    __slots__ = ("masks",)

    def __init__(self, masks: list[int]) -> None:
        self.masks = masks

    def copy(self) -> Dealt:
        return Dealt(self.masks[:])

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
class Side:
    """The Ombre and his partner. `called`: the called card as a mask, 0 where none was called.

    `is_settled`: the record tells who the partner is, or that the Ombre is alone. `is_revealed`: the partner has made
    himself known by what he said (QUA-5.15).
    """

    __slots__ = ("called", "dealt", "is_revealed", "is_settled", "ombre", "partner")

    def __init__(self, ombre: int, called: int, dealt: Dealt) -> None:
        self.ombre = ombre
        self.called = called
        self.dealt = dealt
        self.partner: int | None = None
        self.is_revealed = False
        self.is_settled = not called  # QUA-5.13
        self.settle()

    def copy(self) -> Side:
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
