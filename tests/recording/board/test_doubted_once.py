"""A fault needs one confirmation: later cards that prove it again need none."""

from random import Random

import pytest

from ledger.events import CardPlayed, CardsDealt, DealStarted, Event, TableOpened
from ledger.games import game_named
from ledger.games.kernel.moves import shown, tag_of
from ledger.log import MemoryStore, NewEntry
from ledger.recording.board.keyboard import keyboard_of
from ledger.recording.live import LiveTable
from ledger.recording.simulate import with_discards
from ledger.recording.typed.situation import situation_in
from tests.contracts.game_tables import NAMES

GAMES = {"ombre": 3, "quadrille": 4, "couillon": 4, "kop": 4, "baska": 4}


class Watched:
    """A deal at two tables: one knows the hands, the other is the recorder's view."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance = Random(seed)
        self.game = game_named(game)
        opened = TableOpened(game=game, players=NAMES[: GAMES[game]])
        self.known, self.seen = (LiveTable.open(MemoryStore(), "t", opened, by="desk") for _ in range(2))
        self.doubted: list[str] = []

    def take(self, event: Event, as_seen: Event | None = None) -> None:
        self.known.record([NewEntry(event)], by="desk", as_played=True)
        self.seen.record([NewEntry(as_seen or event)], by="desk", as_played=True)

    def play(self) -> bool:
        """Play a deal in which one card breaks a rule; return whether there was a chance to."""
        simulation = self.game.simulation
        assert simulation is not None
        options, players = self.known.fold.options, len(self.known.fold.players)
        self.take(DealStarted(deal=1, dealer=0))
        dealt = simulation.deal_cards(options, players, 0, self.chance)
        self.take(dealt, CardsDealt(hands=(None,) * players))
        hands = [set(filter(None, hand or ())) for hand in dealt.hands]
        has_revoked = False
        while legal := (machine := self.known.fold.deals[-1].machine).legal():
            moves = shown(legal, machine.turn())
            kind = CardPlayed if CardPlayed in moves else sorted(moves, key=tag_of)[0]
            move = self.chance.choice(list(moves[kind].values()))
            event = with_discards(machine, move, simulation, self.chance)
            if isinstance(event, CardPlayed):
                forbidden = sorted(hands[event.seat] - set(moves[kind]))
                if forbidden and not has_revoked:
                    event, has_revoked = CardPlayed(seat=event.seat, card=forbidden[0]), True
                hands[event.seat].discard(event.card)
                self.look_at(event)
            self.take(event)
        return has_revoked

    def look_at(self, event: CardPlayed) -> None:
        keyboard = keyboard_of(situation_in(self.seen.fold, self.seen.fold.players), self.seen.fold.options)
        assert keyboard is not None
        key = next(key for suit in keyboard.suits for key in suit if key.card == event.card)
        if key.fit == "odd":
            self.doubted.append(event.card)


@pytest.mark.parametrize("game", GAMES)
def test_one_fault_is_confirmed_once(game: str) -> None:
    checked = 0
    for seed in range(40):
        deal = Watched(game, seed)
        if deal.play():
            checked += 1
            assert len(deal.doubted) <= 1, seed
        if checked == 5:
            return
    pytest.fail("too few revokes to tell")
