"""What is asked at a terminal about a hand record that cannot be as it was typed, and said elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ledger.cli.output import say
from ledger.recording.hand.record import STOP, SlipAnswer, ToBeAsked
from ledger.recording.hand.slips import Slip, error_of
from ledger.recording.importing import ImportReport
from ledger.text.words import label


def asking(file: str, form: str, lang: str) -> ToBeAsked | None:
    """Who asks; None where nobody sits there, or the answer is for a program."""
    if form == "json" or file == "-" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(slip: Slip, answers: Sequence[SlipAnswer]) -> SlipAnswer:
        say(error_of(slip).message(lang), err=True)
        by_letter = {label(lang, f"slip.letter_{answer}"): answer for answer in answers}
        question = " ".join(label(lang, f"slip.{answer}") for answer in answers)
        try:
            letter = click.prompt(question, type=click.Choice(list(by_letter)), show_choices=False, err=True)
        except click.Abort:
            return STOP
        return by_letter[letter]

    return ask


def say_slips(report: ImportReport) -> None:
    """On standard error, as it is no answer: what was recorded though it cannot have been so."""
    for slip in report.slips:
        say(slip.message, err=True)
