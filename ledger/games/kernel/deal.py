"""What the deal of a game is: a state machine that everything else moves by events and asks for its state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from ledger.events import Event
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import Tricks
from ledger.games.kernel.views import DealStatus, DealView, Moves
from ledger.i18n import Words

_STATUS: Final[dict[str, DealStatus]] = {"settled": "complete", "unscorable": "unscorable", "voided": "voided"}
"""What has become of a deal in these phases; in all others it is open."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal(ABC):
    """The state machine of one deal. `apply` never refuses what is merely forbidden; it says what was broken.

    A class, not a protocol: compiled code calls its methods without looking for them by name.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def status(self) -> DealStatus:
        """What has become of the deal; it follows from its phase."""

    @abstractmethod
    def apply(self, event: Event, version: int) -> Sequence[Violation]:
        """Moves the state by one event and answers what it broke; `version` names the event in later violations."""

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order, as `apply` would, which takes longer.

        Answers the index of the first entry left; this one leaves all to `apply`.
        """
        return start

    @abstractmethod
    def check(self, event: Event) -> Sequence[Violation]:
        """What the event would break, with what would be legal; moves nothing."""

    @abstractmethod
    def legal(self, seat: int | None = None) -> Moves:
        """Return the events that may come next without breaking a rule; with `seat`, those that this seat could know.

        Each names the seat, card or call that would be recorded, and no seat that the viewer cannot know: where several
        seats may be the one, there is an event for each of them; what somebody unknown may say has no seat. An exchange
        names only the number of cards. From a hidden hand any card may come that nothing known forbids.
        """

    @abstractmethod
    def turn(self) -> int | None:
        """The seat that is due; None when nobody is."""

    @abstractmethod
    def view(self, seat: int | None = None) -> DealView:
        """The state for showing; with `seat`, only what that seat could know."""

    @abstractmethod
    def leave(self, last_version: int, last_seat: int | None) -> Sequence[Violation]:
        """Ends the deal because the next one starts or the table closes; an unfinished one becomes unscorable."""

    @abstractmethod
    def void(self, version: int) -> Sequence[Violation]:
        """The deal does not count."""

    @abstractmethod
    def late_violations(self) -> Sequence[Violation]:
        """What later cards have proven of earlier events (revokes from hands that were not recorded)."""

    def refuted_violations(self) -> Sequence[Violation]:
        """Those of `apply` and `leave` that later cards have proven wrong; none where only what is known is judged."""
        return ()

    def untold(self) -> Sequence[Words]:
        """The facts without which a deal that has ended cannot be scored and that its record does not tell."""
        return ()

    def proven_by(self, event: Event) -> Sequence[Violation]:
        """What the event would show to have been broken before it; moves nothing. None where only hands tell."""
        return ()

    def laid(self) -> Tricks | None:
        """The cards laid so far, with the table that ranks them; None before the play, and where it has no tricks."""
        return None

    @abstractmethod
    def outcome(self) -> Any | None:
        """The facts that scoring needs, as the game's own frozen Struct; None until the deal is complete."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickDeal(Deal):
    """A deal played in tricks that can be copied: what an event would do is tried on a copy.

    `phase`: `play` while cards are played, and those of `_STATUS` after the end; the others are the game's own.
    """

    __slots__ = ("dealer", "phase")

    dealer: int
    phase: str

    @property
    def status(self) -> DealStatus:
        return _STATUS.get(self.phase, "open")

    @abstractmethod
    def copy(self) -> Self:
        """Return a copy that shares nothing that may still change."""

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        play = self.laid()
        return start if play is None or self.phase != "play" else play.take_run(entries, start)

    def check(self, event: Event) -> Sequence[Violation]:
        return self.copy().apply(event, 0)

    def proven_by(self, event: Event) -> Sequence[Violation]:
        """Return the acts that the event shows to have been violations.

        Further evidence against the same act, for example another card that would have followed, shows nothing new.
        """
        twin = self.copy()
        known = {(violation.version, violation.seat) for violation in self.late_violations()}
        twin.apply(event, 0)
        late = (violation for violation in twin.late_violations() if violation.severity != "info")
        return [violation for violation in late if (violation.version, violation.seat) not in known]
