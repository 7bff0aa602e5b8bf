"""Questions that a recorder is asked one after the other: a wrong answer is asked again, and a form can be left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from ledger.errors import LedgerError
from ledger.i18n import Text
from ledger.i18n.keyboard import narrow
from ledger.recording.hand.grammar import means


class Question(Struct, frozen=True):
    """What is asked; Enter alone means the `default`. `choices`: what a terminal offers."""

    said: Text
    default: str = ""
    choices: tuple[str, ...] = ()


Ask: TypeAlias = Callable[[Question], str]
"""Answers a question; raises `EOFError` where nobody answers any more, `KeyboardInterrupt` where it is broken off."""

Step: TypeAlias = Callable[[], bool | None]
"""Asks one question: whether it was answered, or the one before is meant; None: there was nothing to ask."""


class Form:
    """Questions one after the other. A wrong answer is refused and asked again; `<` goes back to the question before.

    `q` leaves the form: it raises `KeyboardInterrupt`, as Ctrl-C does, and nothing is recorded. `can_insist`: `!` takes
    an answer that is against the rules; `insists` says so of the last answer, `as_played` of any.
    """

    def __init__(self, ask: Ask, refuse: Callable[[LedgerError], None], *, can_insist: bool = False) -> None:
        self._ask = ask
        self.refuse = refuse
        self.insists = self.as_played = False
        self._can_insist = can_insist

    def answer(self, question: Question, read: Callable[[str], None], typed: str | None = None) -> bool:
        """Ask until `read` takes the answer. Return False where the question before is meant.

        `typed`: the first answer, where it was typed without having been asked.
        """
        refused = ""
        while True:
            text, typed = self._ask(question) if typed is None else typed, None
            if means("leave", text):
                raise KeyboardInterrupt
            if means("back", text):
                return False
            self.insists = self._can_insist and narrow(text.strip())[:1] == "!"
            if self.insists:
                text = text.strip()[1:].strip() or refused
            try:
                read(text)
            except LedgerError as error:
                refused = text
                self.refuse(error)
            else:
                self.as_played |= self.insists
                return True

    def fill(self, steps: Sequence[Step]) -> None:
        """Go through the questions, back and forth."""
        place, direction = 0, 1
        while place < len(steps):
            answered = steps[place]()
            if answered is not None:
                direction = 1 if answered else -1
            place += direction
            if place < 0:
                place, direction = 0, 1
