"""Hand records with a slip in them: it is asked what is to be done, or it is said, or refused.

Nothing is mended unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct, structs

from ledger.errors import AgainstRulesError
from ledger.i18n import Text
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.recording.hand.slips import Slip, SlipError, error_of
from ledger.recording.hand.trial import TypedDeal
from ledger.recording.words import phrase

SlipAnswer: TypeAlias = Literal["take", "as_typed", "stop"]
"""To read the deal as suggested, to record what was typed, or to record nothing of the file."""

ToBeAsked: TypeAlias = Callable[[Slip, Sequence[SlipAnswer]], SlipAnswer]
"""Told of a slip and of what can be answered."""

STOP: Final[SlipAnswer] = "stop"


class ToldSlip(Struct, frozen=True):
    """A slip as programs are told of it: deal and line of the file, and the sentence."""

    deal: int
    line: int
    message: str


def read_with_answers(text: str, source: str, ask: ToBeAsked | None, refuses_slips: bool) -> HandRecord:
    """The hand record, as typed or as was answered, with the slips about which nobody was asked.

    Raises `SlipError` where a line cannot be read for a slip, or the answer is to stop; else as `read_hand_record`.
    """
    retyped: dict[int, TypedDeal] = {}
    answered: set[int] = set()
    while True:
        try:
            record = read_hand_record(text, source, retyped=retyped, refuses_slips=refuses_slips)
        except SlipError as error:
            slip = error.slip
            is_all = all(isinstance(other, SlipError) for other in error.others)
            if ask is None or slip is None or slip.place in answered or slip.instead is None or not is_all:
                raise
            can_be_read = False
        else:
            open_slips = [slip for slip in record.slips if slip.place not in answered]
            if not open_slips:
                return structs.replace(record, slips=())
            if ask is None:
                return record
            slip, can_be_read = open_slips[0], True
        answer = ask(slip, _answers(slip, can_be_read))
        answered.add(slip.place)
        if answer == "take" and slip.instead is not None:
            retyped[slip.place] = slip.instead
        elif answer == STOP or not can_be_read:
            raise error_of(slip)


def _answers(slip: Slip, can_be_read: bool) -> Sequence[SlipAnswer]:
    take: tuple[SlipAnswer, ...] = ("take",) if slip.instead is not None else ()
    as_typed: tuple[SlipAnswer, ...] = ("as_typed",) if can_be_read else ()
    return (*take, *as_typed, STOP)


class RefusedSlips(SlipError):
    """What cannot have been so, in all deals of a file, and how it is recorded all the same."""

    @property
    def said(self) -> Text:
        return phrase("slip.refused", slips=super().said)


def refuse_impossible(slips: Sequence[Slip]) -> None:
    """Raise `RefusedSlips` where something typed cannot have been so."""
    errors = [error_of(slip) for slip in slips if slip.is_impossible]
    if errors:
        first, *others = errors
        raise RefusedSlips(first.what, where=first.where, slip=first.slip, others=others)


def refuse_slips(slips: Sequence[Slip]) -> None:
    """Raises `AgainstRulesError` for the first slip: what a strict import says first."""
    for slip in slips:
        fault = slip.fault
        assert fault is not None  # a deal that can be read has a slip only where it breaks a rule
        raise AgainstRulesError(slip.said, fault.code, fault.rule, (), slip.where, fault.seat)


def told_slips(slips: Sequence[Slip], lang: str) -> tuple[ToldSlip, ...]:
    return tuple(ToldSlip(slip.number, slip.line, error_of(slip).message(lang)) for slip in slips)
