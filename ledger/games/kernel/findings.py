"""What a deal or a match finds to be against the rules."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

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
