"""The search for the one typo that makes a deal impossible, among the changes after which the rest fits.

A card that was not held or was played before, a trick too many or too few cannot have been at the table: something else
was typed than happened. Nothing is corrected here; the message suggests the correction. Pure, and limited by
`MOST_TRIALS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from msgspec import Struct

from ledger.errors import MalformedError, line_of
from ledger.games.kernel.findings import Violation
from ledger.i18n import Phrase, Text
from ledger.recording.catalogue import finished, phrase
from ledger.recording.hand.deal import TypedDeal
from ledger.recording.hand.trial import (
    DealContext,
    DealCourse,
    DealFault,
    course_of,
    is_halted,
    is_out_of_order,
    is_uneven,
)
from ledger.recording.hand.typo_candidates import TypoCandidate, TypoCandidates

MOST_TRIALS: Final = 600
"""Changes that are tried for one deal: at 0.3 to 0.6 ms each, a third of a second."""

MOST_CHARACTERS: Final = 4_000
"""The length of a deal beyond which trying changes would take long, and one typo is no explanation."""

MOST_SEARCHES: Final = 20
"""Deals of a file that are searched for a typo: a file with more of them has another problem."""

_MANY: Final = 2
"""The number of faults, each possible at a table, from which one typo that explains them all is likely."""

_MOST_LEFT: Final = 2
"""Faults that a change may leave: a record with a typo may have a true irregularity as well."""


class Slip(Struct, frozen=True):
    """A probable typo, and what may have been meant.

    `place`: the deal in the file, from 0. `number`: the deal at the table. `line`: of the file. `instead`: the deal as
    it was meant; None if that is not clear. `fault`: the first rule broken as typed; None if a line cannot be read.
    `is_impossible`: the deal cannot have happened as typed; otherwise a typo is only likely.
    """

    place: int
    number: int
    line: int
    said: Phrase
    where: Phrase
    instead: TypedDeal | None
    fault: Violation | None
    is_impossible: bool


@dataclass
class SlipError(MalformedError):
    """The error for a deal that cannot be read because of a typo."""

    slip: Slip | None = None


def error_of(slip: Slip) -> SlipError:
    """Return the error for a slip."""
    return SlipError(slip.said, where=slip.where, slip=slip)


class _Fit(Struct, frozen=True):
    """A change and the course of the deal after it."""

    candidate: TypoCandidate
    course: DealCourse


def find_slip(setting: DealContext, typed: TypedDeal) -> Slip | None:
    """Return the typo of a deal; None if everything typed can have happened."""
    if sum(len(text) for lines in typed.lines.values() for _, text in lines) > MOST_CHARACTERS:
        return None
    course = course_of(setting, typed)
    assert course is not None
    if course.unread is not None and not is_out_of_order(course.unread):
        return None
    fault = _impossible(setting, course.faults)
    if fault is None and course.unread is not None and is_halted(course.unread):
        lines = {number for lines in typed.lines.values() for number, _ in lines}
        if course.faults[-1].line in lines:
            return None  # it can have happened, and the finding that halted the deal is shown
    is_impossible = course.unread is not None or fault is not None
    kinds = _likely_kinds(setting, TypoCandidates(setting, typed, course), course, is_impossible)
    if kinds is None:
        return None
    fits = _best_fits(setting, kinds, _most_left(course) if is_impossible else 0)
    if fault is None and course.unread is not None and is_uneven(course.unread):
        fits = [fit for fit in fits if fit.candidate.kind == "repeated"]  # otherwise the number of cards is wrong
    if fits:
        return _slip_with_remedy(setting, course, fits, is_impossible)
    if fault is None or fault.line is None:
        return None
    said = phrase("slip.found", fault=_words_of(setting, fault.violation))
    return _slip(setting, fault.line, said, None, fault.violation, True)


def _likely_kinds(
    setting: DealContext, candidates: TypoCandidates, course: DealCourse, is_impossible: bool
) -> Iterator[Iterator[TypoCandidate]] | None:
    """Return the changes to try, the likely kinds first; None if nothing suggests a typo."""
    codes = [fault.violation.code for fault in course.faults]
    if is_impossible:
        return candidates.by_effort()
    if setting.game.unfinished in codes:
        return candidates.of_lines_alone()  # after any other change a trick would still be missing
    if codes and candidates.names_leader():
        return candidates.of_names_alone()
    return candidates.by_effort() if len(codes) >= _MANY else None


def _impossible(setting: DealContext, faults: Sequence[DealFault]) -> DealFault | None:
    return next((fault for fault in faults if fault.violation.code in setting.game.impossible), None)


def _most_left(course: DealCourse) -> int:
    """Return the number of faults that a change may leave: fewer than there are, or the one true fault."""
    return _MOST_LEFT if course.unread is not None else min(_MOST_LEFT, max(len(course.faults) - 1, 1))


def _best_fits(setting: DealContext, kinds: Iterator[Iterator[TypoCandidate]], most: int) -> list[_Fit]:
    """Return the changes that leave the fewest faults, the likeliest first; the search ends with a kind that leaves
    none.
    """
    left = MOST_TRIALS
    best: list[_Fit] = []
    for candidates in kinds:
        for candidate in islice(candidates, left):
            left -= 1
            tried = course_of(setting, candidate.typed, most)
            if tried is None or not _fits(setting, tried):
                continue
            if best and _rank(tried) < _rank(best[0].course):
                best = []
            if not best or _rank(tried) == _rank(best[0].course):
                best.append(_Fit(candidate, tried))
                most = len(tried.faults)
        if best and not best[0].course.faults and best[0].course.is_complete:
            break
    return best


def _fits(setting: DealContext, course: DealCourse) -> bool:
    """Return whether the whole deal can have happened, to its end."""
    broken = {fault.violation.code for fault in course.faults}
    return course.unread is None and not broken & (setting.game.impossible | {setting.game.unfinished})


def _rank(course: DealCourse) -> tuple[int, bool]:
    return len(course.faults), not course.is_complete


def _slip(
    setting: DealContext,
    line: int,
    said: Phrase,
    instead: TypedDeal | None,
    fault: Violation | None,
    is_impossible: bool,
) -> Slip:
    where = line_of(setting.page.source, line)
    return Slip(setting.place, setting.number, line, said, where, instead, fault, is_impossible)


def _slip_with_remedy(setting: DealContext, course: DealCourse, fits: Sequence[_Fit], is_impossible: bool) -> Slip:
    candidate, left = fits[0].candidate, len(fits[0].course.faults)
    fact = _fact(setting, course, candidate)
    others = (fit.candidate for fit in fits)
    meant = {
        one.meant for one in others if (one.kind, one.line, one.was) == (candidate.kind, candidate.line, candidate.was)
    }
    fault = course.faults[0].violation if course.faults else None
    if len(meant) > 1:
        return _slip(setting, candidate.line, fact, None, fault, is_impossible)
    remedy = phrase(f"slip.with_{candidate.kind}", **candidate.values)
    said = phrase("slip.in_order_but" if left else "slip.in_order", fact=fact, remedy=remedy, left=left)
    return _slip(setting, candidate.line, said, candidate.typed, fault, is_impossible)


def _fact(setting: DealContext, course: DealCourse, candidate: TypoCandidate) -> Phrase:
    """Return the sentence that says why the deal is impossible as typed."""
    values = candidate.values
    violations = [fault.violation for fault in course.faults if fault.line == candidate.line]
    names_rule = bool(violations) and candidate.kind in ("card", "name", "no_name") and candidate.other is None
    if names_rule:
        return phrase("slip.found", fault=_words_of(setting, violations[0]))
    if candidate.kind == "card":
        if candidate.other is None:
            return phrase("slip.card", **values)
        if candidate.other == candidate.line:
            return phrase("slip.card_twice", **values)
        return phrase("slip.card_before" if candidate.other < candidate.line else "slip.card_after", **values)
    if candidate.kind == "swapped" and candidate.other is not None:
        return phrase("slip.swapped_between", **values)
    return phrase(f"slip.{candidate.kind}", **values)


def _words_of(setting: DealContext, violation: Violation) -> Text:
    return finished(setting.game.package, violation.words, setting.names.players)
