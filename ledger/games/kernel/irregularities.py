"""Makes findings out of a game's table of irregularities, the section 11 of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ledger.games.kernel.findings import Severity, Violation
from ledger.i18n import Words


class FindsViolations(Protocol):
    def __call__(
        self,
        name: str,
        rule: str,
        version: int,
        seat: int | None = None,
        legal: tuple[str, ...] | None = None,
        **values: Any,
    ) -> Violation:
        """The finding `name` at the event `version`, against `rule`; `values` go into its sentence."""


def findings_of(
    irregularities: Mapping[str, tuple[str, Severity]], at_no_time: frozenset[str] = frozenset()
) -> FindsViolations:
    """What makes a finding of a name. `irregularities`: name to code and severity.

    `at_no_time`: the names of those about a call or a card for which it was not the seat's time, so that nothing would
    have been legal unless the finding says otherwise (contract 5).
    """

    def violation(
        name: str, rule: str, version: int, seat: int | None = None, legal: tuple[str, ...] | None = None, **values: Any
    ) -> Violation:
        code, severity = irregularities[name]
        if legal is None and name in at_no_time:
            legal = ()
        return Violation(code, rule, severity, Words(name, {"seat": seat, **values}), version, seat, legal)

    return violation
