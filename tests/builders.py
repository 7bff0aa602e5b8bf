"""Records of tables in few words, for tests of replay, score, audit and the games. Every method adds one entry.

`Record(3, ante=0).start(dealer=2).calls("0 solo", "1 pass", "2 pass")`. What a record comes to is asked of it:
`fold()`, `score()`, `findings()`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.cards import INDEX, PACK_52, SUITS
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Corrected,
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
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES, plain_order
from ledger.games.ombre.results import active_seats, neighbours
from ledger.table.answers import DealScore, Finding, ReplayAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, as_recorded, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_state
from tests.games.section_11 import assert_as_in_the_table

NAMES = ("Belinda", "Baron", "Sir Plume", "Clarissa")


def cards(text: str) -> tuple[str, ...]:
    """`cards("SA H7")`: the cards as an event holds them."""
    return tuple(text.split())


class Record:
    """The record of one Ombre table. `players` is their number; options as keywords."""

    def __init__(self, players: int = 3, **options: Any) -> None:
        self.players = players
        self.entries: list[Entry] = []
        self.deals = 0
        self.dealer = 0
        self.add(TableOpened(game="ombre", players=NAMES[:players], options=options))

    def add(self, *events: Event) -> Record:
        for event in events:
            self.entries.append((len(self.entries) + 1, event))
        return self

    @property
    def version(self) -> int:
        """The version of the last entry."""
        return len(self.entries)

    # --- a deal -------------------------------------------------------------------------------------------------------

    def start(self, dealer: int | None = None) -> Record:
        """Starts the next deal; without `dealer` it is the next seat's."""
        self.deals += 1
        self.dealer = (self.dealer + 1) % self.players if dealer is None else dealer
        return self.add(DealStarted(deal=self.deals, dealer=self.dealer))

    def dealt(self, hands: Mapping[int, str] | None = None, stock: str | None = None, **fields: Any) -> Record:
        """Hands by seat; the others are not known, but for a dealer who sits out."""
        told: list[tuple[str, ...] | None] = [None] * self.players
        if self.players == 4:
            told[self.dealer] = ()
        for seat, hand in (hands or {}).items():
            told[seat] = cards(hand)
        return self.add(CardsDealt(hands=tuple(told), stock=None if stock is None else cards(stock), **fields))

    def calls(self, *calls: str) -> Record:
        """`"0 entrada"`: seat 0 calls an Entrada."""
        for call in calls:
            seat, word = call.split()
            self.add(BidMade(seat=int(seat), call=word))
        return self

    def won_by(self, ombre: int, call: str = "entrada") -> Record:
        """An auction that `ombre` wins with this call, the other two passing."""
        for seat in active_seats(self.players, self.dealer):
            self.calls(f"{seat} {call if seat == ombre else 'pass'}")
        return self

    def trump(self, seat: int, suit: str) -> Record:
        return self.add(TrumpNamed(seat=seat, suit=suit))  # type: ignore[arg-type]

    def turned(self, card: str) -> Record:
        return self.add(CardTurned(card=card))

    def exchanged(self, seat: int, what: str | int = "", drawn: str | None = None) -> Record:
        """The cards put aside, or only their number."""
        count = what if isinstance(what, int) else len(cards(what))
        discarded = None if isinstance(what, int) else cards(what)
        return self.add(
            CardsExchanged(seat=seat, count=count, discarded=discarded, drawn=None if drawn is None else cards(drawn))
        )

    def said(self, seat: int | None, what: str) -> Record:
        return self.add(Announced(seat=seat, what=what))

    def played(self, seat: int, card: str) -> Record:
        return self.add(CardPlayed(seat=seat, card=card))

    def trick(self, leader: int, text: str) -> Record:
        """Cards played in turn, from the leader on."""
        seat = leader
        active = active_seats(self.players, self.dealer)
        for card in cards(text):
            self.played(seat, card)
            seat = neighbours(active, seat)[0]
        return self

    def gathered(self, seat: int) -> Record:
        return self.add(TrickGathered(seat=seat))

    def result(self, **outcome: Any) -> Record:
        return self.add(ResultRecorded(outcome=outcome))

    def claimed(
        self,
        deltas: Sequence[int] | None = None,
        pool: int | None = None,
        totals: Sequence[int] | None = None,
        **sheet: Any,
    ) -> Record:
        return self.add(
            ScoreClaimed(
                deltas=None if deltas is None else tuple(deltas),
                pool=pool,
                totals=None if totals is None else tuple(totals),
                sheet=sheet or None,
            )
        )

    def voided(self, reason: str = "a card lay face up") -> Record:
        return self.add(DealVoided(reason=reason))

    # --- the sitting --------------------------------------------------------------------------------------------------

    def ruled(
        self, kind: str, deal: int | None = None, deltas: Sequence[int] | None = None, pool: int | None = None
    ) -> Record:
        return self.add(
            RulingGiven(
                deal=deal or self.deals,
                text="so ruled",
                kind=kind,  # type: ignore[arg-type]
                deltas=None if deltas is None else tuple(deltas),
                pool=pool,
            )
        )

    def corrected(self, version: int, action: str, *events: Any) -> Record:
        return self.add(
            Corrected(version=version, action=action, reason="misheard", events=events or None)  # type: ignore[arg-type]
        )

    def closed(self) -> Record:
        return self.add(TableClosed())

    # --- what it comes to ---------------------------------------------------------------------------------------------

    def fold(self, *, recorded: bool = False) -> TableFold:
        if recorded:
            return TableFold(as_recorded(self.entries))
        return TableFold(corrected_reading(self.entries), self.entries)

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

    def finding(self) -> tuple[str, int, int | None, list[str] | None]:
        """The only finding: code, version, seat, legal."""
        found = self.findings()
        assert len(found) == 1, found
        return found[0].code.removeprefix("OMB-"), found[0].version, found[0].seat, found[0].legal

    def codes(self) -> list[str]:
        """The codes of all findings, without the prefix: `["11.37"]`."""
        return [finding.code.removeprefix("OMB-") for finding in self.findings()]

    def state(self, step: int | None = None, *, deal: int | None = None, seat: int | None = None) -> ReplayAnswer:
        """The state of a deal after a step, by default the last state of the last deal."""
        number = deal or self.deals
        return replay_answer("test", number, replay_state(self.fold(), number, step, seat))

    @property
    def legal(self) -> dict[str, list[Any]]:
        return self.state().legal


# --- whole deals ------------------------------------------------------------------------------------------------------


def in_play(
    trump: str,
    hands: Mapping[int, str],
    *,
    ombre: int = 0,
    call: str = "entrada",
    dealer: int = 2,
    players: int = 3,
    avoid: Mapping[int, str] | None = None,
    **options: Any,
) -> Record:
    """A deal at the first lead in which the seats hold these cards, filled up to nine; nobody has exchanged.

    `avoid`: the suits that must not fill up a hand, by seat (`{1: "SH"}`); trumps fill up no hand.
    """
    record = Record(players, **options).start(dealer)
    active = active_seats(players, dealer)
    full = filled(trump, {seat: hands.get(seat, "") for seat in active}, avoid or {})
    held = {card for hand in full.values() for card in hand.split()}
    rest = sorted(PACK - held, key=lambda card: (card[0] != trump, card))  # so that a Vuelta turns up the trump suit
    record.dealt(full, " ".join(rest)).won_by(ombre, call)
    if call == "vuelta":
        record.turned(rest[0])
    else:
        record.trump(ombre, trump)
    right, left = neighbours(active, ombre)
    for seat in (right, left) if call.startswith("solo") else (ombre, right, left):
        record.exchanged(seat)
    return record


def filled(trump: str, hands: Mapping[int, str], avoid: Mapping[int, str]) -> dict[int, str]:
    """The hands with nine cards each: low plain cards are added, of suits that the seat does not avoid."""
    trumps = {card for card in PACK if TRUMP_TABLES[trump].trumps >> INDEX[card] & 1}
    taken = {card for hand in hands.values() for card in cards(hand)}
    free = [card for suit in SUITS if suit != trump for card in (PACK_52[card] for card in reversed(plain_order(suit)))]
    full = {}
    for seat in sorted(hands, key=lambda seat: -len(avoid.get(seat, ""))):  # the choosy first
        hand = list(cards(hands[seat]))
        for card in free:
            if len(hand) < 9 and card not in taken | trumps and card[0] not in avoid.get(seat, ""):
                hand.append(card)
                taken.add(card)
        assert len(hand) == 9, f"no nine cards for seat {seat}"
        full[seat] = " ".join(hand)
    return full


def with_winners(
    winners: str,
    *,
    ombre: int = 0,
    call: str = "entrada",
    trump: str = "S",
    dealer: int = 2,
    players: int = 3,
    **options: Any,
) -> Record:
    """A lawful deal whose tricks are won by these seats (`"00010"`), e = 0, with as many tricks played as are named.

    Nobody holds a trump: each trick is of one plain suit, which all follow.
    """
    active = active_seats(players, dealer)
    tricks = _tricks_for(winners.ljust(9, str(ombre)), trump, active)
    hands = {seat: " ".join(trick[seat] for trick in tricks) for seat in active}
    record = in_play(trump, hands, ombre=ombre, call=call, dealer=dealer, players=players, **options)
    return go_on(record, tricks[: len(winners)], active[0], winners)


def go_on(record: Record, tricks: Sequence[Mapping[int, str]], leader: int, winners: str) -> Record:
    """Plays these tricks, each a card by seat, the winner of one leading to the next."""
    active = active_seats(record.players, record.dealer)
    for trick, winner in zip(tricks, winners, strict=True):
        seats = (leader, *neighbours(active, leader))
        record.trick(leader, " ".join(trick[seat] for seat in seats))
        leader = int(winner)
    return record


def _tricks_for(winners: str, trump: str, active: Sequence[int]) -> list[dict[int, str]]:
    """Nine tricks, three of each plain suit, the highest card of three for the seat that shall win."""
    plain = [[PACK_52[card] for card in plain_order(suit)][:9] for suit in SUITS if suit != trump]
    tricks = []
    for number, winner in enumerate(map(int, winners)):
        of_suit = plain[number % 3]
        high, *low = of_suit[number // 3 * 3 : number // 3 * 3 + 3]
        others = [seat for seat in active if seat != winner]
        tricks.append({winner: high, **dict(zip(others, low, strict=True))})
    return tricks
