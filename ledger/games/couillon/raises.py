"""Mit', Kontra and Re in one Couillon deal: which of them stand, and which calls of `mit` were void (COU section 5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.findings import Violation

RAISES: Final = ("mit", "kontra", "re")  # COU-5.16


class VoidMit(NamedTuple):
    """A void call of `mit`. `rule`: what it breaks by its moment, whoever holds SQ. `played`: the seats that had played
    a card by then. `found`: what was found of it at once.
    """

    seat: int
    version: int
    legal: tuple[str, ...]
    rule: str | None
    played: frozenset[int]
    found: tuple[Violation, ...]


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Raises:
    """The calls that stand, each as seat and version; None where not called.

    `void_mits`: void calls of `mit` made before it was known who holds SQ.
    """

    __slots__ = ("kontra", "mit", "re", "void_mits")

    def __init__(self) -> None:
        self.mit: tuple[int, int] | None = None
        self.kontra: tuple[int, int] | None = None
        self.re: tuple[int, int] | None = None
        self.void_mits: tuple[VoidMit, ...] = ()

    def copy(self) -> Raises:
        return twin_of(self)

    def call(self, what: str, seat: int, version: int) -> None:
        """A lawful call."""
        call = (seat, version)
        if what == "mit":
            self.mit = call
        elif what == "kontra":
            self.kontra = call
        else:
            self.re = call

    def remember_void(self, call: VoidMit) -> None:
        """It may show later what the call broke."""
        self.void_mits += (call,)

    def forget_void(self) -> None:
        """Nothing more is to be said of void calls."""
        self.void_mits = ()

    def forget(self) -> None:
        """No call stands: they were made before the cards were dealt."""
        self.mit = self.kontra = self.re = None
        self.void_mits = ()
