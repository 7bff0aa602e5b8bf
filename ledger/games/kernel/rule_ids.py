"""How a rulebook numbers what every trick-taking game forbids."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import mypyc_attr

from ledger.games.kernel.irregularities import FindsViolations


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class RuleIds:
    """How a rulebook numbers what every trick-taking game forbids, and what makes a finding of an irregularity's name.

    `first_lead`, `lead`: who leads to the first trick, to the next ones. `turn`: who plays when. `hold`: only cards
    that one holds. `follow`: following suit. `end`: how many tricks there are. `gather`: who takes a trick in.
    """

    violation: FindsViolations
    first_lead: str
    lead: str
    turn: str
    hold: str
    follow: str
    end: str
    gather: str
