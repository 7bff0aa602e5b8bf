"""The nine tricks of one Ombre deal: leading, following, winning (OMB-6.1 to 6.16). Surrender and such are in `play`.

This is the hot path of replaying: masks and small integers; cards in order, held and allowed take the short way through
`take_run`, everything else is judged at leisure in `judge_card`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, cards_in, mask_of, texts_in
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.holdings import Holdings
from ledger.games.matadors import TrumpTable
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.outcome import TRICKS
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
    """A card not of the suit led, from a hand with hidden cards: later cards may prove that it was a revoke."""

    mark: int
    seat: int
    led: int
    trick: int


@mypyc_attr(serializable=True)
class Tricks:
    """The cards played so far. `turn` is the seat due to play; null when nobody is.

    `cards` and `seats` hold all plays, three to a trick; `winners` one seat per complete trick (null: not known);
    `on_table` counts the cards of the open trick. `foreign`: cards played by a seat that did not hold them. `revealed`:
    by seat, cards that were hidden when the play began.
    """

    __slots__ = (
        "active",
        "best",
        "best_power",
        "cards",
        "counts",
        "doubts",
        "foreign",
        "holdings",
        "is_over",
        "known",
        "led",
        "next_of",
        "on_table",
        "revealed",
        "seats",
        "table",
        "turn",
        "winners",
    )

    def __init__(self, holdings: Holdings, table: TrumpTable, active: Sequence[int], seats: int) -> None:
        self.holdings = holdings
        self.known = holdings.known  # the same list, one attribute nearer
        self.table = table
        self.active = active
        self.next_of = [0] * seats
        for place, seat in enumerate(active):
            self.next_of[seat] = active[(place + 1) % 3]
        self.counts = [0] * seats
        self.winners: list[int | None] = []
        self.seats: list[int] = []
        self.cards: list[int] = []
        self.on_table = 0
        self.led = NO_CARD
        self.best = 0
        self.best_power = 0
        self.turn: int | None = active[0]  # OMB-6.1
        self.doubts: list[Doubt] = []
        self.is_over = False
        self.foreign = 0
        self.revealed = [0] * seats

    def end_played(self) -> None:
        """Ends the play after its last trick (OMB-6.16)."""
        self.is_over = True
        self.turn = None

    # --- cards --------------------------------------------------------------------------------------------------------

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
        """Plays the cards from `start` on while each is plainly in order; answers the index of the first entry left.

        One loop over local variables: nine events in ten pass here, at half the time of a call each. Hands that are not
        fully known are left to `judge_card`.
        """
        if self.foreign or self.holdings.has_unknown or self.is_over:
            return start
        table, known, next_of, winners = self.table, self.known, self.next_of, self.winners
        power, follows, trumps = table.power, table.follows, table.trumps
        lay_seat, lay_card = self.seats.append, self.cards.append
        turn, on_table, led, best, best_power = self.turn, self.on_table, self.led, self.best, self.best_power
        index = start
        for index in range(start, len(entries)):
            event = entries[index][1]
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
            elif bit & follows[led]:
                if power[card] > best_power:
                    best, best_power = seat, power[card]
            elif hand & follows[led]:
                break  # a revoke, or a lawful exemption to be noted
            elif bit & trumps and power[card] > best_power:
                best, best_power = seat, power[card]
            known[seat] = hand ^ bit
            lay_seat(seat)
            lay_card(card)
            if on_table < 2:
                on_table += 1
                turn = next_of[seat]
                continue
            on_table = 0
            winners.append(best)
            self.counts[best] += 1
            turn = best  # OMB-6.15
            if len(winners) == TRICKS:
                self.on_table = 0
                self.end_played()
                return index + 1
        else:
            index = len(entries)
        self.turn, self.on_table, self.led, self.best, self.best_power = turn, on_table, led, best, best_power
        return index

    def judge_card(self, event: CardPlayed, mark: int) -> Violations:
        """The rows of section 11 for a card that is not plainly in order; only the first that fits is reported."""
        seat, card = event.seat, INDEX.get(event.card, NO_CARD)
        if not self.on_table and self.turn is None:
            self._believe_leader(seat)  # who won the last trick shows only in who leads now
        found = self._order_fault(event, mark)
        if found and (seat not in self.active or seat in self._seats_on_table()):
            return found
        bit = 1 << card if card >= 0 else 0
        holdings = self.holdings
        if bit and bit & self._played():
            found = found or self._card_fault("card_played_twice", event, mark)
            self.foreign |= bit
        elif bit and not holdings.may_hold(seat, bit):
            found = found or self._card_fault("card_not_held", event, mark)
            self.foreign |= bit
        else:
            found = found or self._following_fault(event, bit, mark)
            self._take_from_hand(seat, bit)
        holdings.placed |= bit
        self._lay(seat, card)
        return found

    def _order_fault(self, event: CardPlayed, mark: int) -> Violations:
        """OMB-11.32 and 11.33: the wrong seat leads or plays."""
        seat = event.seat
        if seat == self.turn:
            return NOTHING
        rule = "OMB-6.15" if self.winners else "OMB-6.1"
        if not self.on_table:
            return (violation("wrong_lead", rule, mark, seat, card=event.card, due=self.turn),)
        return (violation("play_out_of_turn", "OMB-6.2", mark, seat, card=event.card, due=self.turn),)

    def _card_fault(self, name: str, event: CardPlayed, mark: int) -> Violations:
        legal = tuple(self.playable(event.seat))
        return (violation(name, "OMB-6.2", mark, event.seat, legal, card=event.card),)

    def _following_fault(self, event: CardPlayed, bit: int, mark: int) -> Violations:
        """OMB-11.36, 11.37 and 11.51 for a card that the seat may hold."""
        table, seat = self.table, event.seat
        if not self.on_table or self.led < 0 or bit & table.follows[self.led]:
            return NOTHING
        hand = self.known[seat]
        if not bit:
            return NOTHING  # a card nobody knows breaks nothing that could be shown
        if self.holdings.hidden[seat] and not self._is_proven_revoke(hand):
            self.doubts.append(Doubt(mark, seat, self.led, len(self.winners)))
            return NOTHING  # judged when the hand has shown itself, see late_violations
        return self._judge_following(hand, self.led, mark, seat, event.card)

    def _is_proven_revoke(self, hand: int) -> bool:
        """Whether the known part of a hand proves a revoke, whatever is hidden in it."""
        binding = hand & self.table.binds[self.led]
        return bool(binding & ~self.table.matadors) or bool(binding and not self.table.matadors >> self.led & 1)

    def _judge_following(self, hand: int, led: int, mark: int, seat: int, card: str | None) -> Violations:
        """What it breaks that `hand` did not serve `led`."""
        table = self.table
        trumps = hand & table.trumps
        is_trump_lead = bool(table.trumps >> led & 1)
        legal = tuple(sorted(texts_in(hand & table.follows[led])))
        values = {"found": "unseen"} if card is None else {"card": card}
        if hand & table.binds[led]:
            if is_trump_lead and table.matadors >> led & 1 and not trumps & ~table.matadors:
                return (violation("illegal_exemption", "OMB-6.9", mark, seat, legal, **values),)
            rule = "OMB-6.7" if is_trump_lead else "OMB-6.5"
            return (violation("revoke", rule, mark, seat, legal, **values),)
        if is_trump_lead and trumps:
            rule = "OMB-6.9" if table.matadors >> led & 1 else "OMB-6.8"
            return (violation("exemption_used", rule, mark, seat, None, **values),)
        return NOTHING

    def _take_from_hand(self, seat: int, bit: int) -> None:
        if not bit:
            self.holdings.remove_unknown(seat, 1)
            return
        if not self.known[seat] & bit:
            self.revealed[seat] |= bit
        self.holdings.remove(seat, bit)

    def _lay(self, seat: int, card: int) -> None:
        """Puts the card on the table, whoever played it, and sees who is best and who is next."""
        table = self.table
        if not self.on_table:
            self.led = card
            self.best, self.best_power = seat, -1
        counts = self.led < 0 or card < 0 or table.counts[self.led] >> card & 1
        power = -1 if card < 0 or not counts else table.power[card]
        if power > self.best_power:
            self.best, self.best_power = seat, power
        self.seats.append(seat)
        self.cards.append(card)
        self.on_table += 1
        if self.on_table == 3:
            self._complete_trick()
        else:
            self.turn = self._seat_due()

    def _seats_on_table(self) -> Sequence[int]:
        return self.seats[3 * len(self.winners) :]

    def _seat_due(self) -> int:
        """The first seat in order from the leader that has no card in the trick (OMB-6.2, 11.33)."""
        played = self._seats_on_table()
        seat = played[0]
        while seat in played:
            seat = self.next_of[seat]
        return seat

    def _complete_trick(self) -> None:
        winner = self.best
        self.on_table = 0
        if self.holdings.has_unknown and NO_CARD in self.cards[-3:]:
            self.winners.append(None)
            possible = self._possible_winners(self.trick(-1))
            if len(possible) == 1:
                self._believe(possible[0])
            else:
                self.turn = None
            return
        self.winners.append(winner)
        self.counts[winner] += 1
        self.turn = winner  # OMB-6.15
        if len(self.winners) == TRICKS:
            self.end_played()

    def _believe(self, seat: int) -> None:
        """Credits the last trick, with cards that nobody wrote down, to the seat that must have won it."""
        self.winners[-1] = seat
        self.counts[seat] += 1
        self.turn = seat
        if len(self.winners) == TRICKS:
            self.end_played()

    def trick(self, place: int) -> Trick:
        """A complete trick by its place, from 0, or from -1 backwards."""
        number = place % len(self.winners)
        start = 3 * number
        return Trick(self.seats[start : start + 3], self.cards[start : start + 3], self.winners[number])

    def tricks(self) -> list[Trick]:
        """All tricks, the open one included."""
        shown = [self.trick(number) for number in range(len(self.winners))]
        if self.on_table:
            start = 3 * len(self.winners)
            shown.append(Trick(self.seats[start:], self.cards[start:], None))
        return shown

    # --- tricks with cards that are not known -------------------------------------------------------------------------

    def _played(self) -> int:
        """The known cards played so far."""
        return mask_of(card for card in self.cards if card >= 0)

    def _possible_winners(self, trick: Trick) -> list[int]:
        """Who can have won a trick in which some cards are not known."""
        unseen = self.holdings.pack & ~self.holdings.placed & ~self._played()
        led = trick.cards[0]
        leads = (led,) if led >= 0 else tuple(cards_in(unseen))
        possible = {seat for lead in leads for seat in self._winners_if_led(trick, lead, unseen)}
        return [seat for seat in trick.seats if seat in possible]

    def _winners_if_led(self, trick: Trick, lead: int, unseen: int) -> Iterator[int]:
        """Who can have won the trick if `lead` was led; a card not known can be any that nobody has seen."""
        power, counts = self.table.power, self.table.counts[lead]
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
        if seat in self._possible_winners(self.trick(-1)):
            self._believe(seat)

    def gather(self, event: TrickGathered, mark: int) -> Violations:
        """OMB-11.38; with unknown cards in the trick, who gathered it tells who won it."""
        seat = event.seat
        if self.on_table or not self.winners:
            return (violation("wrong_gather", "OMB-6.14", mark, seat, winner=None),)
        winner = self.winners[-1]
        if winner is None and seat in self._possible_winners(self.trick(-1)):
            self._believe(seat)
            return NOTHING
        if seat != winner:
            return (violation("wrong_gather", "OMB-6.14", mark, seat, winner=winner),)
        return NOTHING

    # --- what hidden hands have shown ---------------------------------------------------------------------------------

    def playable(self, seat: int) -> list[str]:
        """The cards that the seat may play now, sorted; of a hidden hand, those that nothing known forbids."""
        return self._playable(seat, self.holdings.candidates(seat))

    def playable_as_seen(self, seat: int, elsewhere: int) -> list[str]:
        """As `playable`, for the seat itself: of a hidden hand only what was played or lies `elsewhere` is excluded."""
        hidden = self.holdings.possible[seat] if self.holdings.hidden[seat] else 0
        return self._playable(seat, hidden & ~self._played() & ~elsewhere)

    def _playable(self, seat: int, could_be: int) -> list[str]:
        known = self.known[seat] & ~self.foreign
        led = self.led if self.on_table else None
        if led is None or led < 0:
            return sorted(texts_in(known | could_be))
        follows = self.table.follows[led]
        if known & self.table.binds[led]:
            return sorted(texts_in((known | could_be) & follows))
        allowed = self.table.playable(known, led)
        return sorted(texts_in(allowed | could_be))

    def _played_by(self, seat: int, after_trick: int) -> int:
        """The cards that the seat played in later tricks than `after_trick`."""
        mask = 0
        start = 3 * (after_trick + 1)
        for other, card in zip(self.seats[start:], self.cards[start:], strict=True):
            if other == seat and card >= 0:
                mask |= 1 << card
        return mask & ~self.foreign

    def _has_unknown_of(self, seat: int, after_trick: int) -> bool:
        """Whether the seat played cards in later tricks that nobody wrote down."""
        start = 3 * (after_trick + 1)
        return any(
            other == seat and card < 0 for other, card in zip(self.seats[start:], self.cards[start:], strict=True)
        )

    def late_violations(self) -> Violations:
        """What hands that were hidden have shown since (OMB-11.36, 11.37, 11.51)."""
        found: list[Violation] = []
        for doubt in self.doubts:
            shown = self._played_by(doubt.seat, doubt.trick) | self.known[doubt.seat]
            is_complete = not self.holdings.hidden[doubt.seat] and not self._has_unknown_of(doubt.seat, doubt.trick)
            if shown & self.table.binds[doubt.led] or is_complete:
                found.extend(self._judge_following(shown, doubt.led, doubt.mark, doubt.seat, None))
        return found
