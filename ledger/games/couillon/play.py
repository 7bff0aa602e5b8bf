"""The tricks of one Couillon deal, and conceding the rest of them (COU section 6).

This is the hot path of replaying: masks and small integers; a card in order, held and allowed takes the short way
through `take_run`, everything else is judged at leisure in `_judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, cards_in, mask_of, texts_in
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.copying import twin_of
from ledger.games.couillon.irregularities import BLOCKING_CODES, violation
from ledger.games.couillon.outcome import team_of
from ledger.games.couillon.pack import TrumpTable
from ledger.games.holdings import Holdings
from ledger.games.protocol import Violation

Violations = Sequence[Violation]
NOTHING: Final[Violations] = ()
NO_CARD: Final = -1
"""Stands for a card that was played but is not known."""


class Trick(NamedTuple):
    """A trick; `cards` and `seats` in the order of the record, `winner` null while it is open or cannot be known."""

    seats: Sequence[int]
    cards: Sequence[int]
    winner: int | None


class Doubt(NamedTuple):
    """A card that did not serve the lead, from a hand with hidden cards: later ones may prove that it was a revoke."""

    mark: int
    seat: int
    led: int
    place: int


@mypyc_attr(serializable=True)
class Play:
    """The play so far. `turn` is the seat due to play; null when nobody is, or when it is not known.

    `cards`, `seats` and `marks` hold all plays, as many to a trick as there are players; `winners` one seat for each
    complete trick (null: not known); `on_table` counts the cards of the open trick. `origin`: the cards certainly dealt
    to each seat. `conceded_by`: the team that gave up the rest. `on_change` is called when the play has ended or is
    blocked.
    """

    __slots__ = (
        "best",
        "best_power",
        "cards",
        "conceded_by",
        "counts",
        "doubts",
        "foreign",
        "hand",
        "holdings",
        "is_blocked",
        "is_disordered",
        "is_over",
        "known",
        "led",
        "marks",
        "on_change",
        "on_table",
        "origin",
        "players",
        "seats",
        "table",
        "turn",
        "winners",
    )

    def __init__(
        self,
        holdings: Holdings,
        table: TrumpTable,
        players: int,
        hand: int,
        forehand: int,
        on_change: Callable[[], None],
    ) -> None:
        self.holdings = holdings
        self.known = holdings.known  # the same list, one attribute nearer
        self.table = table
        self.players = players
        self.hand = hand
        self.on_change = on_change
        self.origin = holdings.known[:]
        self.counts = [0] * players
        self.winners: list[int | None] = []
        self.seats: list[int] = []
        self.cards: list[int] = []
        self.marks: list[int] = []
        self.on_table = 0
        self.led = NO_CARD
        self.best = 0
        self.best_power = 0
        self.turn: int | None = forehand  # COU-6.1
        self.conceded_by: int | None = None
        self.doubts: list[Doubt] = []
        self.is_blocked = False
        self.is_over = False
        self.foreign = 0  # cards played by a seat that did not hold them
        self.is_disordered = not table.trumps  # from then on every card is judged at leisure

    def copy(self, holdings: Holdings, on_change: Callable[[], None]) -> Play:
        twin = twin_of(self)
        twin.holdings, twin.known, twin.on_change = holdings, holdings.known, on_change
        return twin

    # --- cards --------------------------------------------------------------------------------------------------------

    def take_card(self, event: CardPlayed, mark: int) -> Violations:
        """Plays a card and answers what it broke."""
        if self.take_run(((mark, event),), 0):
            return NOTHING
        return self._judge(event, INDEX.get(event.card, NO_CARD), mark)

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
        """Plays the cards from `start` on while each is plainly in order; answers the index of the first entry left.

        One loop over local variables: nine events in ten pass here. Hands with unknown cards are left to `_judge`.
        """
        if self.is_disordered or self.holdings.has_unknown or self.is_over:
            return start
        table, known, players, winners = self.table, self.known, self.players, self.winners
        power, follows, trumps = table.power, table.follows, table.trumps
        lay_seat, lay_card, lay_mark = self.seats.append, self.cards.append, self.marks.append
        turn, on_table, led, best, best_power = self.turn, self.on_table, self.led, self.best, self.best_power
        index = start
        for index in range(start, len(entries)):
            mark, event = entries[index]
            if type(event) is not CardPlayed:
                break
            seat = event.seat
            card = INDEX.get(event.card, NO_CARD)
            if seat != turn or card < 0:
                break
            hand = known[seat]
            bit = 1 << card
            if not hand & bit:
                break
            if not on_table:
                led, best, best_power = card, seat, power[card]
            elif bit & (follows[led] | trumps):
                if power[card] > best_power:
                    best, best_power = seat, power[card]
            elif hand & follows[led]:
                break  # a revoke
            known[seat] = hand ^ bit
            lay_seat(seat)
            lay_card(card)
            lay_mark(mark)
            on_table += 1
            if on_table < players:
                turn = seat + 1 if seat + 1 < players else 0
                continue
            on_table = 0
            winners.append(best)  # COU-6.10, 6.11
            self.counts[best] += 1
            turn = best  # COU-6.13
            if len(winners) == self.hand:
                self.on_table = 0
                self._end()  # COU-6.14
                return index + 1
        else:
            index = len(entries)
        self.turn, self.on_table, self.led, self.best, self.best_power = turn, on_table, led, best, best_power
        return index

    def _judge(self, event: CardPlayed, card: int, mark: int) -> Violations:
        """Every row of section 11 that fits a card that is not plainly in order."""
        seat = event.seat
        bit = 1 << card if card >= 0 else 0
        if self.is_over:
            return self._judge_after_end(event, bit, mark)
        if not self.on_table and self.turn is None:
            self._believe_leader(seat)  # who won the last trick shows only in who leads now
        found = [*self._order_faults(event, mark), *self._card_faults(event, bit, mark)]
        is_held = self.holdings.may_hold(seat, bit) if bit else self.holdings.size(seat) > 0
        if bit:
            found.extend(self._following_fault(event, bit, mark))
        if not is_held or bit & self._played():
            self.foreign |= bit
        else:
            self._take_from_hand(seat, bit)
        self.holdings.placed |= bit
        self._lay(seat, card, mark)
        self.is_disordered = self.is_disordered or bool(found)
        self._block_if(found)
        return found

    def _judge_after_end(self, event: CardPlayed, bit: int, mark: int) -> Violations:
        """All tricks are played, or the rest was conceded: the card counts for nothing (COU-6.14, 6.17)."""
        if self.conceded_by is not None:
            return (violation("play_after_concession", "COU-6.17", mark, event.seat, card=event.card),)
        found = self._card_faults(event, bit, mark)
        self._block_if(found)
        return found

    def _block_if(self, found: Violations) -> None:
        if not self.is_blocked and any(one.code in BLOCKING_CODES for one in found):
            self.is_blocked = True
            self.on_change()

    def _order_faults(self, event: CardPlayed, mark: int) -> list[Violation]:
        """COU-11.27 to 11.30: the wrong seat leads or plays."""
        seat = event.seat
        values: dict[str, Any] = {"card": event.card, "due": self.turn}
        if not self.on_table:
            if seat == self.turn or (not self.table.trumps and self.winners):
                return []  # without trumps nobody knows who has won
            if not self.winners:
                return [violation("wrong_first_lead", "COU-6.1", mark, seat, **values)]
            return [violation("wrong_lead", "COU-6.13", mark, seat, **values)]
        if seat in self._seats_on_table():
            return [violation("two_cards_in_trick", "COU-6.3", mark, seat, card=event.card)]
        if seat != self.turn:
            return [violation("play_out_of_turn", "COU-6.3", mark, seat, **values)]
        return []

    def _card_faults(self, event: CardPlayed, bit: int, mark: int) -> list[Violation]:
        """COU-11.31 and 11.32: a card that was never dealt to the seat, or that was played before."""
        seat = event.seat
        found = []
        is_dealt_to = self.holdings.may_hold(seat, bit) or self.origin[seat] & bit if bit else self.holdings.size(seat)
        legal = tuple(self.playable(seat))
        if not is_dealt_to:
            found.append(violation("card_not_held", "COU-6.2", mark, seat, legal, card=event.card))
        if bit & self._played():
            found.append(violation("card_played_twice", "COU-6.14", mark, seat, legal, card=event.card))
        return found

    def _following_fault(self, event: CardPlayed, bit: int, mark: int) -> Violations:
        """COU-11.33 and 11.34, as far as the hand is known."""
        table, seat = self.table, event.seat
        if not self.on_table or self.led < 0 or not table.trumps:
            return NOTHING
        if bit & (table.follows[self.led] | table.trumps):
            return NOTHING
        hand = self.known[seat] & ~bit & ~self.foreign
        if hand & table.follows[self.led]:
            return self._revoke(hand, self.led, mark, seat, event.card)
        if self.holdings.hidden[seat]:
            self.doubts.append(Doubt(mark, seat, self.led, len(self.cards)))  # see late_violations
        return NOTHING

    def _revoke(self, hand: int, led: int, mark: int, seat: int, card: str | None) -> Violations:
        legal = tuple(sorted(texts_in(hand & (self.table.follows[led] | self.table.trumps))))
        values = {"found": "unseen"} if card is None else {"card": card}
        if self.table.trumps >> led & 1:
            return (violation("revoke_trumps_led", "COU-6.5", mark, seat, legal, **values),)
        return (violation("revoke_third_suit", "COU-6.6", mark, seat, legal, **values),)

    def _take_from_hand(self, seat: int, bit: int) -> None:
        if bit:
            self.origin[seat] |= bit
            self.holdings.remove(seat, bit)
        else:
            self.holdings.remove_unknown(seat, 1)

    def _lay(self, seat: int, card: int, mark: int) -> None:
        """Puts the card on the table, whoever played it, and sees who is best and who is next (COU-11.1)."""
        table = self.table
        if not self.on_table:
            self.led = card
            self.best, self.best_power = seat, -1
        counts = self.led < 0 or card < 0 or (table.follows[self.led] | table.trumps) >> card & 1
        power = -1 if card < 0 or not counts else table.power[card]
        if power > self.best_power:
            self.best, self.best_power = seat, power
        self.seats.append(seat)
        self.cards.append(card)
        self.marks.append(mark)
        self.on_table += 1
        if self.on_table == self.players:
            self._complete_trick()
        else:
            self.turn = self._seat_due()

    def _seats_on_table(self) -> Sequence[int]:
        return self.seats[self.players * len(self.winners) :]

    def _seat_due(self) -> int:
        """The first seat in order from the leader that has no card in the trick (COU-6.3, 11.29)."""
        played = self._seats_on_table()
        seat = played[0]
        while seat in played:
            seat = (seat + 1) % self.players
        return seat

    def _complete_trick(self) -> None:
        self.on_table = 0
        trick = self.cards[-self.players :]
        if not self.table.trumps or (self.holdings.has_unknown and NO_CARD in trick):
            self.winners.append(None)
            possible = self._possible_winners(self.trick(-1))
            self.turn = None
            if len(possible) == 1:
                self._believe(possible[0])
        else:
            winner = self.best
            self.winners.append(winner)  # COU-6.10, 6.11
            self.counts[winner] += 1
            self.turn = winner  # COU-6.13
        if len(self.winners) == self.hand:
            self._end()  # COU-6.14

    def _believe(self, seat: int) -> None:
        """Credits the last trick, with cards that nobody wrote down, to the seat that must have won it."""
        self.winners[-1] = seat
        self.counts[seat] += 1
        self.turn = None if self.is_over else seat

    def _end(self) -> None:
        self.is_over = True
        self.turn = None
        self.on_change()

    def break_off(self) -> None:
        """The deal is voided: nothing more can be played."""
        self.is_over = True
        self.turn = None

    # --- tricks -------------------------------------------------------------------------------------------------------

    def trick(self, place: int) -> Trick:
        """A complete trick by its place, from 0, or from -1 backwards."""
        number = place % len(self.winners)
        start = self.players * number
        end = start + self.players
        return Trick(self.seats[start:end], self.cards[start:end], self.winners[number])

    def tricks(self) -> list[Trick]:
        """All tricks, the open one included."""
        shown = [self.trick(number) for number in range(len(self.winners))]
        if self.on_table:
            start = self.players * len(self.winners)
            shown.append(Trick(self.seats[start:], self.cards[start:], None))
        return shown

    def has_played(self, seat: int) -> bool:
        """Whether the seat has played its first card."""
        return seat in self.seats

    def has_unknown_of(self, seat: int) -> bool:
        """Whether the seat played cards that nobody wrote down."""
        return any(card < 0 and other == seat for other, card in zip(self.seats, self.cards, strict=True))

    def _played(self) -> int:
        """The known cards played so far."""
        return mask_of(card for card in self.cards if card >= 0)

    def _possible_winners(self, trick: Trick) -> list[int]:
        """Who can have won a trick in which some cards are not known."""
        if not self.table.trumps:
            return list(trick.seats)
        unseen = self.unseen()
        led = trick.cards[0]
        leads = (led,) if led >= 0 else tuple(cards_in(unseen))
        possible = {seat for lead in leads for seat in self._winners_if_led(trick, lead, unseen)}
        return [seat for seat in trick.seats if seat in possible]

    def unseen(self) -> int:
        """The cards of the pack that are nowhere in the record."""
        return self.holdings.pack & ~self.holdings.placed & ~self._played()

    def _winners_if_led(self, trick: Trick, lead: int, unseen: int) -> Iterator[int]:
        """Who can have won the trick if `lead` was led; a card not known can be any that nobody has seen."""
        power, counts = self.table.power, self.table.follows[lead] | self.table.trumps
        shown = [lead, *trick.cards[1:]]
        known = {
            power[card]: seat for seat, card in zip(trick.seats, shown, strict=True) if card >= 0 and counts >> card & 1
        }
        highest = max(known)
        yield known[highest]
        better = sum(1 << card for card in cards_in(unseen & counts & ~(1 << lead)) if power[card] > highest)
        for seat, card in zip(trick.seats, shown, strict=True):
            if card < 0 and better & self.holdings.possible[seat]:
                yield seat

    def _believe_leader(self, seat: int) -> None:
        if self.table.trumps and seat in self._possible_winners(self.trick(-1)):
            self._believe(seat)

    def gather(self, event: TrickGathered, mark: int) -> Violations:
        """COU-11.35 and 11.36; with unknown cards in the trick, who gathered it tells who won it."""
        seat = event.seat
        if self.on_table or not self.winners:
            return (violation("wrong_gather", "COU-6.12", mark, seat, winner=None),)
        if not self.table.trumps:
            return NOTHING
        winner = self.winners[-1]
        if winner is None:
            possible = self._possible_winners(self.trick(-1))
            if seat in possible:
                self._believe(seat)
                return NOTHING
            if any(team_of(other) == team_of(seat) for other in possible):
                return NOTHING  # a partner may have gathered it for the winner
        elif seat == winner:
            return NOTHING
        elif team_of(seat) == team_of(winner):
            return (violation("partner_gathered", "COU-6.12", mark, seat, winner=winner),)
        return (violation("wrong_gather", "COU-6.12", mark, seat, winner=winner),)

    # --- conceding ----------------------------------------------------------------------------------------------------

    def may_concede(self) -> bool:
        """COU-6.16, apart from the option: between two tricks, with cards left in hand."""
        return bool(self.winners) and not self.on_table and not self.is_over

    def concede(self, seat: int) -> None:
        """The rest counts for the other team (COU-6.17)."""
        self.conceded_by = team_of(seat)
        self._end()

    # --- facts --------------------------------------------------------------------------------------------------------

    def playable(self, seat: int) -> list[str]:
        """The cards that the seat may play now, sorted; of a hidden hand, those that nothing known forbids."""
        if self.is_over:
            return []
        known, could_be = self.known[seat] & ~self.foreign, self.holdings.candidates(seat)
        if not self.on_table or self.led < 0 or not self.table.trumps:
            return sorted(texts_in(known | could_be))
        allowed = self.table.playable(known, self.led)
        if known & self.table.follows[self.led]:
            could_be &= self.table.follows[self.led] | self.table.trumps
        return sorted(texts_in(allowed | could_be))

    def late_violations(self) -> list[Violation]:
        """Revokes that hands which were hidden have shown since (COU-11.33, 11.34)."""
        found: list[Violation] = []
        for doubt in self.doubts:
            shown = self.known[doubt.seat] | mask_of(
                card
                for place, (seat, card) in enumerate(zip(self.seats, self.cards, strict=True))
                if place > doubt.place and seat == doubt.seat and card >= 0
            )
            shown &= ~self.foreign
            if shown & self.table.follows[doubt.led]:
                found.extend(self._revoke(shown, doubt.led, doubt.mark, doubt.seat, None))
        return found

    def trick_teams(self) -> list[int] | None:
        """The team that won each complete trick; null where the record does not tell."""
        teams: list[int] = []
        for number, winner in enumerate(self.winners):
            seats = self._possible_winners(self.trick(number)) if winner is None else [winner]
            possible = {team_of(seat) for seat in seats}
            if len(possible) != 1:
                return None
            teams.extend(possible)
        return teams
