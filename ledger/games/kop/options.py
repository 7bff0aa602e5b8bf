"""The options of a Kop or Baśka table with the rulebook's defaults (KOP section 9); the game itself is no option."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from ledger.i18n import phrases
from ledger.limits import OPTION_NUMBER

phrase: Final = phrases("ledger.games.kop")
"""Sentences of this game's errors, by key in `messages/`."""


class KopOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The options of a Kop table. `is_baska`: the rulebook's option `game`, which follows from the game's name."""

    is_baska: ClassVar[bool] = False

    new_trumps: bool = False  # KOP-2.6, 2.8
    kontra_own_wesele: bool = False  # KOP-4.16
    announce_wesele_jack: bool = False  # KOP-5.7
    auction_order: Literal["official", "free"] = "official"  # KOP-4.20 to 4.38
    max_doublings: Annotated[int, Meta(ge=0, le=8)] = 4  # KOP-4.13
    same_side_doubling: Literal["void", "illegal"] = "void"  # KOP-4.31, 4.32
    auction_first: Literal["leader", "after_leader"] = "leader"  # KOP-4.20, 4.22
    passes_to_end: Literal[3, 4] = 3  # KOP-4.27
    wesele_timing: Literal["any", "first_call"] = "any"  # KOP-4.19
    ask_bars_leader_solo: bool = False  # KOP-4.38
    must_trump: bool = True  # KOP-6.7, 6.10
    must_beat: bool = True  # KOP-6.8
    bez_in_solo: bool = True  # KOP-7.10
    declarer_bez_limit: Literal[25, 26] = 25  # KOP-7.7
    concessions: bool = False  # KOP-6.17 to 6.19
    match_deals: Annotated[int, Meta(ge=1, le=OPTION_NUMBER)] | Literal["none"] | None = None  # KOP-8.5, 8.6

    @property
    def is_free(self) -> bool:
        """Whether calls come in any order (KOP-4.33), never in Baśka (KOP-4.23)."""
        return self.auction_order == "free"

    @property
    def match_length(self) -> int:
        """The number of settled deals after which the match ends; 0: it ends when it is closed."""
        return self.match_deals if isinstance(self.match_deals, int) else 0


class BaskaOptions(KopOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The options of a Baśka table: those of Kop, but the auction is always official (KOP-4.23)."""

    is_baska: ClassVar[bool] = True
