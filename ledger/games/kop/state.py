"""The state of one deal: its phase, its parts, and the steps between phases.

No rule is here: the modules named after the phases judge, and call the step that is due. Only this class writes its
fields.
"""

from __future__ import annotations

from typing import Final, Literal, Self, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.events import Event
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import TrickDeal
from ledger.games.kernel.views import DealStatus
from ledger.games.kop.auction import KopAuction
from ledger.games.kop.hands import KopHands
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.pack import Scheme, first_leader
from ledger.games.kop.play import KopPlay

Phase: TypeAlias = Literal[
    "deal",  # no cards yet
    "auction",
    "play",
    "unscorable_play",  # a card makes scoring impossible (KOP-11.6); the play goes on
    "settled",
    "unscorable_end",  # settled, with such a card
    "left",  # unfinished at the end of its record (KOP-11.48)
    "left_complete",  # the same, but ended by the hands that its cards have shown
    "voided",
]

PLAYING: Final = ("play", "unscorable_play")
ENDED: Final = ("settled", "unscorable_end", "voided")

_PHASES: Final[dict[Phase, tuple[DealStatus, str]]] = {
    "deal": ("open", "deal"),
    "auction": ("open", "auction"),
    "play": ("open", "play"),
    "unscorable_play": ("unscorable", "play"),
    "settled": ("complete", "settled"),
    "unscorable_end": ("unscorable", "settled"),
    "left": ("unscorable", "unscorable"),
    "left_complete": ("complete", "unscorable"),
    "voided": ("voided", "voided"),
}
"""For each phase, the status of the deal and contract 5's name of the phase."""


@mypyc_attr(allow_interpreted_subclasses=True)
class KopState(TrickDeal):
    """The state of one deal. `log`: every event with its version. `left`: where the record of the deal ended.

    `conceded`: the seats that gave up. `is_hindsight`: this is the second reading of a deal with unrecorded hands.
    """

    __slots__ = (
        "auction",
        "conceded",
        "hands",
        "is_hindsight",
        "left",
        "log",
        "options",
        "play",
        "recorded",
        "stopped",
    )

    def __init__(self, options: KopOptions, dealer: int) -> None:
        self.options = options
        self.dealer = dealer
        self.phase: Phase = "deal"
        self.hands = KopHands()
        self.auction = KopAuction(options, self.leader, self.hands)
        self.play: KopPlay | None = None
        self.conceded: frozenset[int] | None = None
        self.stopped = False
        self.recorded: KopOutcome | None = None
        self.log: list[tuple[int, Event]] = []
        self.left: tuple[int, int | None] | None = None
        self.is_hindsight = False

    def copy(self) -> Self:
        """Return a copy that shares nothing that can still change."""
        twin = twin_of(self)
        twin.hands = self.hands.copy()
        twin.auction = self.auction.copy(twin.hands)
        twin.play = None if self.play is None else self.play.copy(twin.hands, twin.log, twin.follow_play)
        return twin

    @property
    def status(self) -> DealStatus:
        """The status of the deal, which follows from its phase."""
        return _PHASES[self.phase][0]

    @property
    def phase_shown(self) -> str:
        """Contract 5's name of the phase."""
        return _PHASES[self.phase][1]

    @property
    def leader(self) -> int:
        """L, the leader to the first trick (KOP-3.8)."""
        return first_leader(self.dealer)

    def begin_auction(self) -> None:
        """Begin the auction."""
        self.phase = "auction"

    def begin_play(self, scheme: Scheme) -> None:
        """Begin the play under this scheme."""
        self.play = KopPlay(self.hands, scheme, self.leader, self.options, self.log, self.follow_play)
        self.phase = "play"

    def follow_play(self) -> None:
        """Take over the end of the play, or that it cannot be scored; cards may follow a result."""
        assert self.play is not None
        is_over = self.play.is_over or self.phase not in PLAYING
        if self.play.is_unscorable:
            self.phase = "unscorable_end" if is_over else "unscorable_play"
        else:
            self.phase = "settled"

    def stop_play(self, play: KopPlay) -> None:
        """End the play: the du contract is lost."""
        self.stopped = True
        play.end("stopped")

    def concede_play(self, play: KopPlay, seats: frozenset[int]) -> None:
        """End the play: these seats give up the rest."""
        self.conceded = seats
        play.end("conceded")

    def win_unplayed(self) -> None:
        """Settle the deal: the bid alone wins the contract."""
        self.phase = "settled"

    def record(self, outcome: KopOutcome) -> None:
        """Settle a deal of which only the result is known."""
        self.recorded = outcome
        self.auction.end()
        self.phase = "settled"

    def annul(self) -> None:
        """Void the deal: it does not count."""
        self.phase = "voided"
        if self.play is not None:
            self.play.break_off()

    def note(self, event: Event, version: int) -> None:
        """Append the event to the log."""
        self.log.append((version, event))

    def begin_second_reading(self) -> None:
        """Mark this state as a second reading."""
        self.is_hindsight = True

    def end_second_reading(self) -> None:
        """Let this reading, too, be judged again by what its cards show."""
        self.is_hindsight = False
