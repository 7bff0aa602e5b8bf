"""The thirteen tricks of one Whist deal (WHI section 6): the game's part of the trick-taking kernel."""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.cards import INDEX, RANKS, SUITS, mask_of
from ledger.games.kernel.card_order import TrumpTable, course_of, ranked
from ledger.games.kernel.following import FollowingTricks
from ledger.games.kernel.tricks import RuleIds
from trickledger_whist.irregularities import violation
from trickledger_whist.outcome import TRICKS

SEATS: Final = 4  # WHI-2.1
COURSE: Final = course_of(tuple(range(SEATS)), TRICKS)


def _table(trump: str) -> TrumpTable:
    suits = {suit: [INDEX[suit + rank] for rank in RANKS] for suit in SUITS}  # WHI-2.3, 2.4
    trumps = suits.pop(trump)
    follows, beaten_by = ranked(trumps, [*suits.values()])  # WHI-6.5
    return TrumpTable(trumps=mask_of(trumps), follows=follows, serves=follows, binds=follows, beaten_by=beaten_by)


TABLES: Final = {suit: _table(suit) for suit in SUITS}


class Play(FollowingTricks):
    """The tricks. Whist adds only its rule numbers to the kernel's rules of play."""

    __slots__ = ()

    rule_ids: ClassVar[RuleIds] = RuleIds(
        violation=violation,
        first_lead="WHI-6.1",
        lead="WHI-6.6",
        turn="WHI-6.2",
        hold="WHI-6.2",
        follow="WHI-6.3",
        end="WHI-6.7",
        gather="WHI-6.5",
    )
