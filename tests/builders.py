"""Short records of tables, for tests of replay, score, audit and the games. Every method adds one entry.

`fold()`, `score()`, `findings()` evaluate the record. Each game adds its own methods in `tests/games/<game>/tables.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, TypeAlias

from ledger import events
from ledger.events import Event
from ledger.table.answers import DealScore, Finding, ReplayAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, as_recorded, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_state
from tests.games.test_section_11 import assert_as_in_the_table
from tests.japanese import assert_wholly_japanese

NAMES = ("Belinda", "Baron", "Sir Plume", "Clarissa")
EIGHT_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")

Hands: TypeAlias = Mapping[int, str] | Sequence[str | None] | None
"""Dealt hands, by seat or one for each seat; an unknown hand is missing or null."""


def cards(text: str) -> tuple[str, ...]:
    """Return cards as an event holds them: `cards("SA H7")`."""
    return tuple(text.split())


def hands_by_seat(hands: Hands) -> dict[int, str]:
    """Return the known hands by seat."""
    by_seat = hands if isinstance(hands, Mapping) else dict(enumerate(hands or ()))
    return {seat: hand for seat, hand in by_seat.items() if hand is not None}


def all_players(fold: TableFold) -> set[str]:
    """Return everyone who ever sat at the table."""
    return {*fold.players, *(player for record in fold.deals for player in record.players)}


def trick_won_by(winner: int, ranked: Sequence[str], seats: Iterable[int]) -> dict[int, str]:
    """Return the cards of a trick by seat. `ranked`: the winner's card, which is the highest, then the others'."""
    high, *low = ranked
    others = [seat for seat in seats if seat != winner]
    return {winner: high, **dict(zip(others, low, strict=True))}


class Record:
    """The record of one table of a game."""

    def __init__(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        self.players = len(players)
        self.entries: list[Entry] = []
        self.deals = 0
        self.dealer = 0
        self.add(events.TableOpened(game=game, players=tuple(players), options=dict(options)))

    def add(self, *added: Event) -> Self:
        for event in added:
            self.entries.append((len(self.entries) + 1, event))
        return self

    @property
    def version(self) -> int:
        """The version of the last entry."""
        return len(self.entries)

    def start(self, dealer: int | None = None) -> Self:
        """Start the next deal, dealt by `dealer` or else by the next seat."""
        self.deals += 1
        self.dealer = (self.dealer + 1) % self.players if dealer is None else dealer
        return self.add(events.DealStarted(deal=self.deals, dealer=self.dealer))

    def dealt(self, hands: Hands = None, stock: str | None = None, **fields: Any) -> Self:
        given = hands_by_seat(hands)
        by_seat = [cards(given[seat]) if seat in given else None for seat in range(self.players)]
        return self.add(
            events.CardsDealt(hands=tuple(by_seat), stock=None if stock is None else cards(stock), **fields)
        )

    def calls(self, *calls: str) -> Self:
        """Add calls: `"0 entrada"` is an Entrada by seat 0."""
        for call in calls:
            seat, word = call.split()
            self.add(events.BidMade(seat=int(seat), call=word))
        return self

    def passed_out(self) -> Self:
        """Add a pass by every seat, starting after the dealer."""
        return self.calls(*(f"{(self.dealer + step) % self.players} pass" for step in range(1, self.players + 1)))

    def trump(self, seat: int, suit: str) -> Self:
        return self.add(events.TrumpNamed(seat=seat, suit=suit))  # type: ignore[arg-type]

    def turned(self, card: str) -> Self:
        return self.add(events.CardTurned(card=card))

    def said(self, seat: int | None, what: str) -> Self:
        return self.add(events.Announced(seat=seat, what=what))

    def played(self, seat: int, card: str) -> Self:
        return self.add(events.CardPlayed(seat=seat, card=card))

    def trick(self, leader: int, text: str) -> Self:
        """Add cards played in turn, starting with the leader's."""
        seat = leader
        for card in cards(text):
            self.played(seat, card)
            seat = self.next_seat(seat)
        return self

    def tricks_by_seat(self, tricks: Iterable[Mapping[int, str]], winners: Iterable[int], leader: int) -> Self:
        """Add whole tricks, given as cards by seat; each winner leads the next trick."""
        for trick, winner in zip(tricks, winners, strict=True):
            seat = leader
            for _ in trick:
                self.played(seat, trick[seat])
                seat = self.next_seat(seat)
            leader = winner
        return self

    def next_seat(self, seat: int) -> int:
        """Return the seat that plays after this one."""
        return (seat + 1) % self.players

    def gathered(self, seat: int) -> Self:
        return self.add(events.TrickGathered(seat=seat))

    def result(self, **outcome: Any) -> Self:
        """Add a result in place of calls and cards."""
        return self.add(events.ResultRecorded(outcome=outcome))

    def claimed(
        self,
        deltas: Sequence[int] | None = None,
        *,
        pool: int | None = None,
        totals: Sequence[int] | None = None,
        **sheet: Any,
    ) -> Self:
        return self.add(
            events.ScoreClaimed(
                deltas=None if deltas is None else tuple(deltas),
                pool=pool,
                totals=None if totals is None else tuple(totals),
                sheet=sheet or None,
            )
        )

    def voided(self, reason: str = "a card lay face up") -> Self:
        return self.add(events.DealVoided(reason=reason))

    def ruled(self, kind: str, deal: int | None = None, *, deltas: Sequence[int] | None = None, **what: Any) -> Self:
        """Add a ruling on a deal, by default the last. `what`: the pool or the award."""
        return self.add(
            events.RulingGiven(
                deal=deal or self.deals,
                text="so ruled",
                kind=kind,  # type: ignore[arg-type]
                deltas=None if deltas is None else tuple(deltas),
                **what,
            )
        )

    def corrected(self, version: int, action: str, *replacing: Any) -> Self:
        correction = events.Corrected(version=version, action=action, reason="misheard", events=replacing or None)  # type: ignore[arg-type]
        return self.add(correction)

    def closed(self) -> Self:
        return self.add(events.TableClosed())

    def fold(self, *, recorded: bool = False) -> TableFold:
        if recorded:
            return TableFold(as_recorded(self.entries))
        return TableFold(corrected_reading(self.entries), self.entries)

    def machine(self) -> Any:
        """Return the state machine of the last deal."""
        return self.fold().deals[-1].machine

    def score(self) -> ScoreAnswer:
        """Return the score, after checking that each line has Japanese text."""
        fold = self.fold()
        for deal in score_answer("test", fold, "ja").deals:
            for line in deal.lines:
                assert_wholly_japanese(line.text, all_players(fold))
        return score_answer("test", fold)

    def deal(self, number: int = 0) -> DealScore:
        """Return the score of one deal, by default the last."""
        return self.score().deals[number - 1]

    def findings(self) -> list[Finding]:
        """Return all findings in order, after checking their Japanese texts and their rows in the rulebook's table."""
        fold = self.fold()
        in_english = audit_answer("test", fold).findings
        in_japanese = audit_answer("test", fold, "ja").findings
        assert [finding.code for finding in in_japanese] == [finding.code for finding in in_english]
        for finding in in_japanese:
            assert_wholly_japanese(finding.message, all_players(fold))
        for finding in in_english:
            assert_as_in_the_table(finding)
        return in_english

    def brief_findings(self) -> list[tuple[str, int, int | None, list[str] | None]]:
        """Return all findings as code without prefix, version, seat, legal."""
        return [(without_prefix(f.code), f.version, f.seat, f.legal) for f in self.findings()]

    def finding(self) -> tuple[str, int, int | None, list[str] | None]:
        """Return the only finding as code without prefix, version, seat, legal."""
        briefs = self.brief_findings()
        assert len(briefs) == 1, briefs
        return briefs[0]

    def codes(self) -> list[str]:
        """Return the codes of all findings without prefix: `["11.37"]`."""
        return [without_prefix(finding.code) for finding in self.findings()]

    def state(self, step: int | None = None, *, deal: int | None = None, seat: int | None = None) -> ReplayAnswer:
        """Return the state of a deal after a step, by default the last state of the last deal."""
        number = deal or self.deals
        return replay_answer("test", number, replay_state(self.fold(), number, step, seat))

    @property
    def legal(self) -> dict[str, list[Any]]:
        return self.state().legal


def without_prefix(rule_id: str) -> str:
    """Return a rule id without its prefix: `11.37` for `OMB-11.37`."""
    return rule_id.partition("-")[2]
