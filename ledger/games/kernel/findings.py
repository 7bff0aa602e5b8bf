"""Violations of the rules as section 11 of a rulebook lists them, and the director's decision on a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from ledger.events import RulingGiven, ScoreClaimed
from ledger.i18n import Words

Severity: TypeAlias = Literal["error", "warning", "info"]


class Violation(Struct, frozen=True, gc=False):
    """A rule broken (or, with severity `info`, a rule used) by one event of a deal.

    `code`: the irregularity in section 11 of the rulebook. `rule`: the rule broken. `version`: the event at fault, by
    its version in the log. `seat`: the seat that the violation is about. `legal`: what could have been done instead.
    """

    code: str
    rule: str
    severity: Severity
    words: Words
    version: int
    seat: int | None = None
    legal: tuple[str, ...] | None = None


class ViolationFactory(Protocol):
    """A function that makes a violation by the name of an irregularity."""

    def __call__(
        self,
        name: str,
        rule: str,
        version: int,
        seat: int | None = None,
        legal: tuple[str, ...] | None = None,
        **values: Any,
    ) -> Violation:
        """Return the violation `name` at the event `version`, against `rule`; `values` fill in its sentence."""


def codes_of(irregularities: Mapping[str, tuple[str, Severity]], *names: str) -> frozenset[str]:
    """Return the codes of these irregularities."""
    return frozenset(irregularities[name][0] for name in names)


def findings_of(
    irregularities: Mapping[str, tuple[str, Severity]], at_no_time: frozenset[str] = frozenset()
) -> ViolationFactory:
    """Return a function that makes violations. `irregularities`: code and severity by name.

    `at_no_time`: the names of those about a call or a card that was not for the seat at that time: nothing would have
    been legal unless the call of the function says otherwise (contract 5).
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
    """The ruling in force for one deal, and the score sheet that it accepts, if any."""

    ruling: RulingGiven
    sheet: ScoreClaimed | None
