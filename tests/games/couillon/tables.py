"""Records of Couillon tables in few words. Every method adds one entry; what a record comes to is asked of it.

`Table("mit4").start(3).dealt({0: "SK HQ HT SJ HK"}).trump(0, "H").trick(0, "SK ST SA H9")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.cards import texts_in
from ledger.events import (
    Announced,
    Award,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.couillon import GAME
from ledger.games.couillon.options import make_options
from ledger.recording.admissible import TableSoFar
from ledger.table.answers import DealScore, Finding, ReplayAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_state
from tests.games.section_11 import assert_as_in_the_table

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
PLAYERS = {"basic4": 4, "mit4": 4, "six24": 6, "six32": 6, "eight32": 8}


def cards(text: str) -> tuple[str, ...]:
    """`cards("SA H7")`: the cards as an event holds them."""
    return tuple(text.split())


class Table:
    """The record of one table of that form; options as keywords."""

    def __init__(self, form: str = "basic4", **options: Any) -> None:
        self.players = PLAYERS[form]
        self.entries: list[Entry] = []
        self.deals = 0
        self.dealer = 0
        self.raw = {"form": form, **options} if form != "basic4" else options
        self.options = make_options(self.raw, self.players)
        self.add(TableOpened(game=GAME.name, players=NAMES[: self.players], options=self.raw))

    def add(self, *events: Event) -> Table:
        for event in events:
            self.entries.append((len(self.entries) + 1, event))
        return self

    @property
    def version(self) -> int:
        """The version of the last entry."""
        return len(self.entries)

    # --- a deal -------------------------------------------------------------------------------------------------------

    def start(self, dealer: int | None = None) -> Table:
        """Starts the next deal; without `dealer` it is the next seat's."""
        self.deals += 1
        self.dealer = (self.dealer + 1) % self.players if dealer is None else dealer
        return self.add(DealStarted(deal=self.deals, dealer=self.dealer))

    def dealt(self, hands: Mapping[int, str] | None = None, stock: str | None = None, **fields: Any) -> Table:
        """Hands by seat, the others not known; the pack is cut by the right seat unless `cut_by` says otherwise."""
        told = [cards(hands[seat]) if seat in (hands or {}) else None for seat in range(self.players)]
        fields.setdefault("cut_by", (self.dealer - 1) % self.players)
        return self.add(CardsDealt(hands=tuple(told), stock=None if stock is None else cards(stock), **fields))

    def full(self, hands: Mapping[int, str], stock: str = "") -> Table:
        """A deal known to the last card: hands are filled up from the lowest cards left, in front of their own cards.

        `stock`: cards that lie in it, on top.
        """
        shape = self.options.shape
        own = {seat: list(cards(hands.get(seat, ""))) for seat in range(self.players)}
        taken = {card for hand in own.values() for card in hand} | set(cards(stock))
        rest = sorted(set(texts_in(shape.pack)) - taken, key=lambda card: ("AKQJT987".index(card[1]), card[0]))
        for seat in range(self.players):
            while len(own[seat]) < shape.hand:
                own[seat].insert(0, rest.pop())
        return self.dealt({seat: " ".join(hand) for seat, hand in own.items()}, " ".join([*cards(stock), *rest]))

    def turned(self, card: str) -> Table:
        return self.add(CardTurned(card=card))

    def calls(self, *calls: str) -> Table:
        """`"0 take"`: seat 0 takes."""
        for call in calls:
            seat, word = call.split()
            self.add(BidMade(seat=int(seat), call=word))
        return self

    def trump(self, seat: int, suit: str) -> Table:
        return self.add(TrumpNamed(seat=seat, suit=suit))  # type: ignore[arg-type]

    def said(self, seat: int, what: str) -> Table:
        return self.add(Announced(seat=seat, what=what))

    def played(self, seat: int, card: str) -> Table:
        return self.add(CardPlayed(seat=seat, card=card))

    def trick(self, leader: int, text: str) -> Table:
        """Cards played in turn, from the leader on."""
        for place, card in enumerate(cards(text)):
            self.played((leader + place) % self.players, card)
        return self

    def gathered(self, seat: int) -> Table:
        return self.add(TrickGathered(seat=seat))

    def played_out(self) -> Table:
        """The rest of the deal, each seat playing the first card that it may."""
        deal = self.machine()
        while (legal := deal.legal()).get("card_played"):
            event = CardPlayed(seat=deal.turn(), card=legal["card_played"][0])
            deal.apply(event, 0)
            self.add(event)
        return self

    def result(self, first: int, second: int, tricks: Sequence[int] = (2, 2), **outcome: Any) -> Table:
        """A deal known by its result alone."""
        return self.add(ResultRecorded(outcome={"card_points": [first, second], "tricks": list(tricks), **outcome}))

    def claimed(
        self,
        deltas: Sequence[int] | None = None,
        totals: Sequence[int] | None = None,
        pool: int | None = None,
        **sheet: Any,
    ) -> Table:
        return self.add(
            ScoreClaimed(
                deltas=None if deltas is None else tuple(deltas),
                totals=None if totals is None else tuple(totals),
                pool=pool,
                sheet=sheet or None,
            )
        )

    def voided(self, reason: str = "a card lay face up") -> Table:
        return self.add(DealVoided(reason=reason))

    def ruled(self, kind: str, deal: int | None = None, **award: Any) -> Table:
        return self.add(
            RulingGiven(
                deal=deal or self.deals,
                text="so ruled",
                kind=kind,  # type: ignore[arg-type]
                award=Award(**award) if award else None,
            )
        )

    def closed(self) -> Table:
        return self.add(TableClosed())

    # --- what it comes to ---------------------------------------------------------------------------------------------

    def shaped(self) -> Table:
        """The same record, after a look whether the log would take it."""
        so_far = TableSoFar()
        for _, event in self.entries:
            so_far.take(event)
        return self

    def fold(self) -> TableFold:
        return TableFold(corrected_reading(self.entries))

    def machine(self) -> Any:
        """The state machine of the last deal."""
        return self.fold().deals[-1].machine

    def score(self) -> ScoreAnswer:
        return score_answer("test", self.fold())

    def deal(self, number: int = 0) -> DealScore:
        """The score of one deal, by default of the last."""
        return self.score().deals[number - 1]

    def findings(self) -> list[Finding]:
        """All findings in order; each can be said in both languages and agrees with the rulebook's table."""
        fold = self.fold()
        found = audit_answer("test", fold).findings
        assert [finding.code for finding in audit_answer("test", fold, "ja").findings] == [f.code for f in found]
        for finding in found:
            assert_as_in_the_table(finding)
        return found

    def finding(self) -> tuple[str, str, int, int | None]:
        """The only finding: code, rule, version, seat."""
        found = self.findings()
        assert len(found) == 1, found
        return found[0].code.removeprefix("COU-"), found[0].rule.removeprefix("COU-"), found[0].version, found[0].seat

    def codes(self) -> list[str]:
        """The codes of all findings, without the prefix: `["11.33"]`."""
        return [finding.code.removeprefix("COU-") for finding in self.findings()]

    def state(self, step: int | None = None, *, deal: int | None = None, seat: int | None = None) -> ReplayAnswer:
        """The state of a deal after a step, by default the last state of the last deal."""
        number = deal or self.deals
        return replay_answer("test", number, replay_state(self.fold(), number, step, seat))

    @property
    def legal(self) -> dict[str, list[Any]]:
        return self.state().legal

    @property
    def carried(self) -> dict[str, Any]:
        """What carries on after the last deal."""
        return self.fold().match.state()
