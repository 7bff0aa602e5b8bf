"""The recorder at the terminal: each typed act is judged, stored and shown before the next one is read.

The terminal is a pair of callbacks: `ask` answers questions, `notify` shows what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

from ledger.errors import LedgerError, MalformedError, NotFoundError
from ledger.events import (
    CardPlayed,
    CardsDealt,
    Corrected,
    DealStarted,
    DealVoided,
    DisputeRaised,
    Event,
    Noted,
    PlayerSeated,
)
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.views import DealView, TrickView
from ledger.log.base import NewEntry
from ledger.names import folded
from ledger.recording.adding import Recording
from ledger.recording.catalogue import phrase
from ledger.recording.correcting import CorrectionTarget
from ledger.recording.grammar import NOBODY, Names
from ledger.recording.live import LiveTable
from ledger.recording.typed.choices import Acts, Nothing, RecorderCommand
from ledger.recording.typed.forms import Ask, HandsForm, Prompt, PromptForm, ask_result, read_sheet
from ledger.recording.typed.reading import read_next
from ledger.recording.typed.situation import (
    ActRecorded,
    ActRefused,
    ActUndone,
    DealEnded,
    FormLeft,
    HelpRequested,
    Notice,
    OthersRecorded,
    SheetAgrees,
    Situation,
    early_act,
    situation_of,
)

_AGAIN: Final = frozenset(("locked", "busy", "no_space", "disk"))
"""Codes of errors that may pass: the same act, with the same ids, is retried."""


class Recorder:
    """A person who records at a table. `seen`: the version of the last entry shown. `is_over`: the recorder has left.

    `new_id`: makes the ids of entries, before they are recorded for the first time. `lang`: the language of the reasons
    given for corrections.
    """

    def __init__(
        self,
        live: LiveTable,
        *,
        by: str,
        players: Callable[[Sequence[str]], Sequence[str]],
        new_id: Callable[[], str],
        ask: Ask,
        notify: Callable[[Notice], None],
        lang: str,
        is_hidden: bool = False,
    ) -> None:
        self.live = live
        self.by = by
        self.is_hidden = is_hidden
        self.is_over = False
        self.worst_status = 0
        self.seen = live.version
        self._shown = players
        self._new_id = new_id
        self._ask = ask
        self._notify = notify
        self._lang = lang
        self._waiting: tuple[list[NewEntry], bool, str] | None = None

    @property
    def players(self) -> Sequence[str]:
        """The players at the table, by the names that are shown."""
        return self._shown(self.live.fold.players)

    def now(self) -> Situation:
        """Return the current situation of the table."""
        return situation_of(self.live, self.players, is_hidden=self.is_hidden)

    def look(self) -> None:
        """Show what others have recorded meanwhile."""
        self.live.catch_up()
        if self.live.version > self.seen:
            self._notify(OthersRecorded(tuple(self.live.recorded_since(self.seen))))
        self.seen = self.live.version

    def type(self, line: str) -> None:
        """Record the acts of a line, up to the first that is refused."""
        text, waiting = line, self._waiting
        self._waiting = None
        if not line.strip() and waiting is not None and not waiting[1]:
            entries, _, text = waiting
            if not self._record(entries, False, text) or not text.strip():
                return
        is_first, is_joined = True, False
        while not self.is_over and (is_first or text.strip()):
            text_before = text
            try:
                meaning, text = read_next(text, self.now(), is_joined=is_joined)
                is_first, is_joined = False, not text[:1].isspace()
                if isinstance(meaning, RecorderCommand) and meaning.name == "as_played":
                    text = self._insist(waiting)
                elif not self._does(meaning, text, text_before[: len(text_before) - len(text)].strip(" !！")):
                    return
            except LedgerError as error:
                left = text if text != text_before else ""
                if isinstance(error, MalformedError) and error.text is None:
                    error = replace(error, text=text_before.removesuffix(left).strip())
                self._refuse(error, left)
                return

    def _does(self, meaning: Acts | RecorderCommand | Nothing, left: str, typed: str) -> bool:
        """Execute the acts or the command, and return whether the line may go on. `typed`: the words that mean it."""
        if isinstance(meaning, Nothing):
            self._notify(HelpRequested(self.now()))
            return True
        if isinstance(meaning, Acts):
            entries = self._entries(meaning.events)
            if not meaning.as_played and (error := early_act(self.live, self.now(), meaning.events[-1], typed)):
                self._waiting = (entries, True, left)
                self._refuse(error, left, can_insist=True)
                return False
            return self._record(entries, meaning.as_played, left)
        try:
            return self._command(meaning)
        except KeyboardInterrupt:
            self._notify(FormLeft())
            return False

    def _insist(self, waiting: tuple[list[NewEntry], bool, str] | None) -> str:
        """Record a refused act as it was played; return the text that was behind it."""
        if waiting is None:
            raise MalformedError(phrase("recorder.nothing_refused"), phrase("recorder.act_after"))
        entries, _, left = waiting
        return left if self._record(entries, True, left) else ""

    # Recording

    def _entries(self, events: Sequence[Event]) -> list[NewEntry]:
        return [NewEntry(event, self._new_id()) for event in events]

    def _record(self, entries: list[NewEntry], as_played: bool, left: str = "") -> bool:
        """Record the entries and return whether that succeeded; show a refusal if not."""
        was_open = self._open_deal()
        tricks_before = self._complete_tricks()
        exposed = self._exposed_by(entries[-1].event)
        try:
            done = self.live.record(entries, by=self.by, as_played=as_played, expected_version=self.seen)
        except LedgerError as error:
            is_refused = error.code == "against_rules"
            self._waiting = (entries, is_refused, left) if is_refused or error.code in _AGAIN else None
            self._refuse(error, left, can_insist=is_refused)
            return False
        self.seen = self.live.version
        trick = self._ended_trick(tricks_before)
        first = done.acknowledged.first_version
        for place, entry in enumerate(entries):
            details = (done.violations, trick, exposed) if place == len(entries) - 1 else ()
            self._notify(ActRecorded(first + place, entry.event, *details))
        if was_open is not None and self._open_deal() is None:
            self._notify(DealEnded(was_open))
        return True

    def _open_deal(self) -> int | None:
        deals = self.live.fold.deals
        return deals[-1].number if deals and deals[-1].machine.status == "open" else None

    def _view(self) -> DealView | None:
        deals = self.live.fold.deals
        return deals[-1].machine.view() if deals else None

    def _complete_tricks(self) -> int:
        view = self._view()
        return 0 if view is None else sum(trick.winner is not None for trick in view.tricks)

    def _ended_trick(self, before: int) -> tuple[int, TrickView] | None:
        view = self._view()
        if view is None:
            return None
        won = [(number, trick) for number, trick in enumerate(view.tricks, 1) if trick.winner is not None]
        return won[-1] if len(won) > before else None

    def _refuse(self, error: LedgerError, left: str = "", can_insist: bool = False) -> None:
        self.worst_status = max(self.worst_status, error.exit_status)
        if error.code == "wrong_version":
            self.look()
        self._notify(ActRefused(error, left.strip(), can_insist))

    def _exposed_by(self, event: Event) -> Sequence[Violation]:
        """Return the earlier violations that a card proves, e.g. a revoke."""
        machine = self.now().machine if isinstance(event, CardPlayed) else None
        return () if machine is None else machine.proven_by(event)

    # Commands

    def _command(self, command: RecorderCommand) -> bool:
        words = command.words
        match command.name:
            case "help":
                self._notify(HelpRequested(self.now()))
            case "leave":
                self.is_over = True
            case "undo" | "redo":
                self._correct_last(command.name)
            case "note":
                text = words or self._answer(Prompt(phrase("recorder.note")))
                return not text.strip() or self._record(self._entries([Noted(text=text)]), False)
            case "dispute":
                return self._dispute(words)
            case "void":
                reason = words or self._answer(Prompt(phrase("recorder.why_void")))
                return not reason.strip() or self._record(self._entries([DealVoided(reason=reason)]), False)
            case "dealer":
                return self._other_dealer(words)
            case "seat":
                return self._seat(words)
            case "hands":
                return self._hands(words)
            case "result":
                return self._result()
            case "sheet":
                return self._sheet(words)
        return True

    def _answer(self, question: Prompt) -> str:
        """Ask one question, which can be left as a form can."""
        answers: list[str] = []
        if not self._form().answer(question, answers.append):
            raise KeyboardInterrupt
        return answers[-1]

    def _correct_last(self, name: Literal["undo", "redo"]) -> None:
        """Undo the last act, or restore the act undone last."""
        is_again = name == "redo"
        reason = phrase("recorder.redone" if is_again else "recorder.undone").in_words(self._lang)
        correct = self.live.redo if is_again else self.live.undo
        correct(self._recording(), reason)
        self.seen = self.live.version
        correction = self.live.entries[-1][1]
        assert isinstance(correction, Corrected)
        original = self.live.entries[correction.version - 1][1]
        self._notify(ActUndone(correction.version, (original,), is_again))

    def _recording(self) -> Recording:
        return Recording(by=self.by, id=self._new_id(), expected_version=self.seen)

    def _dispute(self, words: str) -> bool:
        fold = self.live.fold
        if not fold.deals:
            raise NotFoundError("not_found", phrase("recorder.no_deal_yet"))
        text = words or self._answer(Prompt(phrase("recorder.in_dispute")))
        if not text.strip():
            return True
        name, colon, rest = text.replace("：", ":").partition(":")
        named = Names(self.players).speaker(name.split()) if colon else None
        is_named = named is not None and named[1] == len(name.split())
        seat = named[0].seat if named is not None and is_named else None
        said = rest.strip() if is_named else text
        version, last = fold.entries[-1]
        is_act = version > fold.deals[-1].version and not isinstance(last, Noted | DisputeRaised)
        raised = DisputeRaised(deal=fold.deals[-1].number, text=said, seat=seat, version=version if is_act else None)
        return self._record(self._entries([raised]), False)

    def _other_dealer(self, words: str) -> bool:
        now = self.now()
        if now.stage != "between":
            raise MalformedError(phrase("recorder.deal_goes_on"), phrase("recorder.dealer_before"))
        choices = tuple(now.players)
        named = words or self._answer(Prompt(phrase("recorder.who_deals"), now.players[now.dealer], choices))
        dealer = Names(now.players).seat(named or now.players[now.dealer])
        return self._record(self._entries([DealStarted(deal=now.next_deal, dealer=dealer)]), True)

    def _seat(self, words: str) -> bool:
        """Record a substitution: `ben: Eve`."""
        now = self.now()
        if now.stage != "between":
            raise MalformedError(phrase("recorder.deal_goes_on"), phrase("recorder.seat_before"))
        typed = words or self._answer(Prompt(phrase("recorder.who_sits"), choices=tuple(now.players)))
        name, colon, player = typed.replace("：", ":").partition(":")
        if not typed.strip():
            return True
        if not colon or not player.strip():
            raise MalformedError(phrase("recorder.nobody_sits"), phrase("recorder.who_for_whom"), typed)
        if folded(player) in map(folded, (*now.players, NOBODY)):
            what = phrase("name.is_recorder" if folded(player) == NOBODY else "name.sits_already")
            raise MalformedError(what, phrase("name.another"), player.strip())
        event = PlayerSeated(seat=Names(now.players).seat(name), player=player.strip())
        return self._record(self._entries([event]), False)

    def _hands(self, words: str) -> bool:
        """Record hands: before the first act as dealt, later as a correction of the unknown cards dealt."""
        now = self.now()
        if now.stage not in ("cards", "acts"):
            raise MalformedError(phrase("recorder.no_deal"), phrase("recorder.enter_or_dealer"))
        place, known = self._cards_dealt()
        form = self._form(can_insist=True)

        def check(dealt: CardsDealt) -> None:
            if place is None:
                self.live.judge([NewEntry(dealt)])

        hands = HandsForm(now, form, known, check)
        hands.read(words) if words else hands.ask()
        if place is None:
            return self._record(self._entries([hands.dealt]), form.as_played)
        reason = phrase("recorder.hands_later").in_words(self._lang)
        before = self.live.version
        dealt = hands.dealt
        self.live.replace(place, [dealt], self._recording(), reason)
        self.seen = self.live.version
        self._notify(ActRecorded(before + 1, dealt))
        return True

    def _form(self, *, can_insist: bool = False) -> PromptForm:
        return PromptForm(
            self._ask,
            lambda error: self._refuse(error, can_insist=can_insist and error.code == "against_rules"),
            can_insist=can_insist,
        )

    def _cards_dealt(self) -> tuple[CorrectionTarget | None, CardsDealt | None]:
        """Return the place and the event of the cards dealt in this deal, or None for both."""
        fold = self.live.fold
        for version, event in fold.entries[fold.deals[-1].start :]:
            if isinstance(event, CardsDealt):
                return CorrectionTarget(version), event
        return None, None

    def _result(self) -> bool:
        """Record a deal of which only the result is known; it is begun if necessary."""
        now, fold = self.now(), self.live.fold
        if now.stage not in ("between", "cards"):
            raise MalformedError(phrase("recorder.deal_goes_on"), phrase("recorder.result_before"))
        dealer = now.dealer if now.stage == "between" else fold.deals[-1].dealer
        begun = [DealStarted(deal=now.next_deal, dealer=dealer)] if now.stage == "between" else []
        return self._record(self._entries([*begun, ask_result(now, fold, dealer, self._form())]), False)

    def _sheet(self, words: str) -> bool:
        if not self.live.fold.deals:
            raise NotFoundError("not_found", phrase("recorder.no_deal_yet"))
        if self.now().stage in ("cards", "acts"):
            raise MalformedError(phrase("recorder.deal_goes_on"), phrase("recorder.sheet_after"))
        claim = read_sheet(words, self.now(), "pool" in self.live.fold.match.state(), self._form())
        entries = self._entries([claim])
        is_wrong = bool(self.live.judge(entries, as_played=True).violations)
        if not self._record(entries, True):
            return False
        if not is_wrong:
            self._notify(SheetAgrees())
        return True
