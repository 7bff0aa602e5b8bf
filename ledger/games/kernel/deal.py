"""The interface of a deal: a state machine that applies events and returns its state."""

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
"""The status of a deal in these phases; in all others it is open."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal(ABC):
    """The state machine of one deal. `apply` never rejects a forbidden act; it returns the violations.

    This is a class, not a protocol: compiled code then calls its methods without looking them up by name.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def status(self) -> DealStatus:
        """The status of the deal, which follows from its phase."""

    @abstractmethod
    def apply(self, event: Event, version: int) -> Sequence[Violation]:
        """Apply one event and return the violations. `version` identifies the event in later violations."""

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Apply the cards from index `start` on while they are in order, faster than `apply` does.

        Return the index of the first entry not applied. This default applies none.
        """
        return start

    @abstractmethod
    def check(self, event: Event) -> Sequence[Violation]:
        """Return the violations that the event would cause, with the legal alternatives. The deal does not change."""

    @abstractmethod
    def legal(self, seat: int | None = None) -> Moves:
        """Return the events that may come next without breaking a rule; with `seat`, those that this seat could know.

        Each has the seat, card or call that would be recorded, but no seat that the viewer cannot know: if several
        seats may be the one, there is an event for each; an announcement by an unknown speaker has no seat. An exchange
        has only the number of cards. From a hidden hand, any card may come that nothing known excludes.
        """

    @abstractmethod
    def turn(self) -> int | None:
        """Return the seat that has to act, or None."""

    @abstractmethod
    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what that seat could know."""

    @abstractmethod
    def leave(self, last_version: int, last_seat: int | None) -> Sequence[Violation]:
        """End the deal because the next one starts or the table is closed; an unfinished deal becomes unscorable.

        `last_version` and `last_seat`: the last event of the deal and its seat. Return the violations.
        """

    @abstractmethod
    def void(self, version: int) -> Sequence[Violation]:
        """Void the deal: it does not count."""

    @abstractmethod
    def late_violations(self) -> Sequence[Violation]:
        """Return violations of earlier events that later cards have proven, e.g. revokes from unrecorded hands."""

    def refuted_violations(self) -> Sequence[Violation]:
        """Return violations that `apply` or `leave` reported and later cards disproved.

        A game that judges only known facts has none.
        """
        return ()

    def untold(self) -> Sequence[Words]:
        """Return the facts that scoring needs and that the record of the finished deal lacks."""
        return ()

    def proven_by(self, event: Event) -> Sequence[Violation]:
        """Return the earlier acts that the event would prove to be violations. The deal does not change."""
        return ()

    def laid(self) -> Tricks | None:
        """Return the cards laid so far, with the table that ranks them; None before the play or without tricks."""
        return None

    @abstractmethod
    def outcome(self) -> Any | None:
        """Return the facts for scoring as the game's own frozen Struct; None until the deal is complete."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickDeal(Deal):
    """A deal played in tricks that can be copied; an event is tried on a copy.

    `phase` is `play` while cards are played, and a phase of `_STATUS` after the end; others are the game's own.
    """

    __slots__ = ("dealer", "phase")

    dealer: int
    phase: str

    @property
    def status(self) -> DealStatus:
        """The status of the deal, which follows from its phase."""
        return _STATUS.get(self.phase, "open")

    @abstractmethod
    def copy(self) -> Self:
        """Return a copy that shares nothing that can still change."""

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Apply the cards from index `start` on while they are in order; return the index of the first entry left."""
        play = self.laid()
        return start if play is None or self.phase != "play" else play.take_run(entries, start)

    def check(self, event: Event) -> Sequence[Violation]:
        """Return the violations that the event would cause, tried on a copy."""
        return self.copy().apply(event, 0)

    def proven_by(self, event: Event) -> Sequence[Violation]:
        """Return the earlier acts that the event would prove to be violations.

        More evidence against an act that is proven already, e.g. another card that would have followed, is left out.
        """
        twin = self.copy()
        known = {(violation.version, violation.seat) for violation in self.late_violations()}
        twin.apply(event, 0)
        late = (violation for violation in twin.late_violations() if violation.severity != "info")
        return [violation for violation in late if (violation.version, violation.seat) not in known]
