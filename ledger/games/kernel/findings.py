"""What a deal or a match finds to be against the rules, by section 11 of its rulebook, and what a director decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from ledger.events import RulingGiven, ScoreClaimed
from ledger.i18n import Words

Severity: TypeAlias = Literal["error", "warning", "info"]


class Violation(Struct, frozen=True, gc=False):
    """A rule broken (or, as `info`, a rule used) by one event of a deal.

    `code` is the irregularity of the rulebook's section 11, `rule` the rule broken, `version` that of the
    event at fault (the log's version), `seat` the seat it is about.
    """

    code: str
    rule: str
    severity: Severity
    words: Words
    version: int
    seat: int | None = None
    legal: tuple[str, ...] | None = None


class ViolationFactory(Protocol):
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


def codes_of(irregularities: Mapping[str, tuple[str, Severity]], *names: str) -> frozenset[str]:
    """Return the codes of these irregularities."""
    return frozenset(irregularities[name][0] for name in names)


def findings_of(
    irregularities: Mapping[str, tuple[str, Severity]], at_no_time: frozenset[str] = frozenset()
) -> ViolationFactory:
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


class Decision(Struct, frozen=True):
    """The ruling in force for one deal and the score sheet it may rest on."""

    ruling: RulingGiven
    sheet: ScoreClaimed | None
