"""The tricks of Ombre and Quadrille: following suit, with the privilege of the matadors (section 6 of either)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.cards import texts_in
from ledger.games.kernel.course import Course
from ledger.games.kernel.following import FollowingTricks
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import MatadorRuleIds, MatadorTable
from ledger.games.kernel.tricks import NOTHING, Violations


@mypyc_attr(allow_interpreted_subclasses=True)
class MatadorTricks(FollowingTricks):
    """Following suit, with the privilege of the matadors. `ranking`: `table`, with the matadors told."""

    __slots__ = ("ranking",)

    rule_ids: ClassVar[MatadorRuleIds]

    def __init__(
        self, holdings: Holdings, table: MatadorTable, course: Course, leader: int, on_end: Callable[[], None]
    ) -> None:
        super().__init__(holdings, table, course, leader, on_end)
        self.ranking = table

    def is_proven_revoke(self, hand: int, led: int) -> bool:
        """Of matadors alone it cannot be told yet whether the hand had to serve with them or with another trump."""
        return bool(hand & self.table.binds[led] & ~self.ranking.matadors)

    def judge_following(self, hand: int, led: int, version: int, seat: int, values: dict[str, Any]) -> Violations:
        """A revoke, an exemption that there is not, or one that is used and only noted."""
        table, ids = self.ranking, self.rule_ids
        trumps = hand & table.trumps
        is_trump_lead = bool(table.trumps >> led & 1)
        if hand & table.binds[led]:
            legal = tuple(sorted(texts_in(hand & table.follows[led])))
            if is_trump_lead and not trumps & ~table.matadors:
                return (ids.violation("illegal_exemption", ids.no_exemption, version, seat, legal, **values),)
            rule = ids.follow_trumps if is_trump_lead else ids.follow
            return (ids.violation("revoke", rule, version, seat, legal, **values),)
        if is_trump_lead and trumps:
            rule = ids.exempt_from_matador if table.matadors >> led & 1 else ids.exempt_from_small
            return (ids.violation("exemption_used", rule, version, seat, None, **values),)
        return NOTHING
