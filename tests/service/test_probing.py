"""Two tables differ in hidden cards alone: no refusal, finding, score or moment of showing distinguishes them."""

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from msgspec import json

from ledger import events
from ledger.cards import PACK_52
from ledger.errors import LedgerError
from ledger.games import game_named
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import shown, tag_of
from ledger.log import LogStore, MemoryStore, NewEntry
from ledger.recording.live.running import RunningTable
from ledger.recording.live.table import LiveTable
from ledger.recording.simulate import with_discards
from ledger.table import redaction
from ledger.table.audit import audit_answer
from ledger.table.hiding import is_over
from ledger.table.score import score_answer
from tests.contracts.game_tables import NAMES, some_options
from tests.contracts.log_builders import an_id
from tests.covering import IS_SOAK
from tests.service.two_worlds import GAMES, hidden_cards, renamed, shown_cards

ACTS = 60
"""The most acts at one pair of tables."""


@pytest.mark.parametrize("game", GAMES)
def test_no_act_distinguishes_two_tables(game: str) -> None:
    acts, seed = 0, 0
    while acts < (1_500 if IS_SOAK else 250):
        pair = Probed(game, seed)
        pair.play(ACTS)
        acts, seed = acts + pair.acts, seed + 1


def _shown_by_the_full_record(self: RunningTable) -> None:
    if self.hidden is not None and self.fold.deals and is_over(self.fold.deals[-1].machine):
        self._hiding.hidden = None
        self._public = None


_BROKEN_BY = RunningTable.broken_by


def _broken_by_the_full_record(
    self: RunningTable, event: events.Event, *, as_seen: bool = False
) -> Sequence[Violation]:
    return _BROKEN_BY(self, event)


SHOWN: Final = {kind: show for kind, show in redaction._SHOWN.items() if kind is not redaction.CardsExchanged}
LEAKS: Final = {
    "the full record decides when hands are shown": (RunningTable, "_show_what_ended", _shown_by_the_full_record),
    "the full record decides what is refused": (RunningTable, "broken_by", _broken_by_the_full_record),
    "the full record decides what is legal": (LiveTable, "_machine", lambda table, as_seen: table.machine),
    "score and findings are those of the full record": (LiveTable, "settled_as_seen", LiveTable.settled),
    "the cards of an exchange are not hidden": (redaction, "_SHOWN", SHOWN),
}


@pytest.mark.parametrize(("owner", "name", "planted"), LEAKS.values(), ids=LEAKS)
def test_a_planted_leak_is_detected(owner: Any, name: str, planted: Any) -> None:
    """Without the leak the same acts reveal nothing."""
    for seed, game in product(range(200), GAMES):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, name, planted)
            try:
                Probed(game, seed).play(ACTS)
            except AssertionError:
                break
    else:
        pytest.fail("no act revealed it")
    Probed(game, seed).play(ACTS)


DECIDING: Final[Mapping[str, Mapping[str, Any]]] = {
    "ombre": {"all_pass": "spadille_forced"},
    "quadrille": {"claims": True},
    "couillon": {"concession": "rest"},
    "kop": {"concessions": True},
    "baska": {"concessions": True},
}
"""Options with which hidden cards decide whether a deal is over."""


class _ShownError(Exception):
    """The signal that hands are shown: from here on the two differ for everybody."""


class Probed:
    """Two tables with the same acts. `acts`: the number of attempts; `seed`: of them; `stores`: their ledgers."""

    def __init__(self, game: str, seed: int, stores: Sequence[LogStore] = ()) -> None:
        self.chance = Random(f"{game} {seed}")
        self.game = game_named(game)
        options, players = some_options(self.game, self.chance)
        try:
            self.options = self.game.make_options({**options, **DECIDING[game]}, players)
            options = {**options, **DECIDING[game]}
        except LedgerError:
            self.options = self.game.make_options(options, players)
        opened = events.TableOpened(game=game, players=NAMES[:players], options=options)
        self.tables = [
            LiveTable.open(store, "t", opened, by="desk", id=an_id(1))
            for store in stores or (MemoryStore(), MemoryStore())
        ]
        self.players = players
        self.acts = 0

    def play(self, most: int) -> None:
        """Try acts until hands are shown. Raise `AssertionError` if one of them distinguishes the two."""
        try:
            self.deal_out()
            while self.acts < most:
                self._act()
        except _ShownError:
            return

    def attempt(self, one: events.Event, other: events.Event, *, by_director: bool = False) -> None:
        """Try the act at both tables, and sometimes again as played if a rule forbids it."""
        self.acts += 1
        before = self.tables[0].hidden
        refused = self._record((one, other), by_director=by_director)
        if refused and self.chance.random() < 0.3:
            self._record((one, other), as_played=True)
        now, also = (table.hidden for table in self.tables)
        assert now == also, one
        if before is not None and (now is None or now.version > before.version):
            raise _ShownError
        if now is not None:
            assert self.seen(0) == self.seen(1), one

    def _record(
        self, acts: tuple[events.Event, events.Event], *, as_played: bool = False, by_director: bool = False
    ) -> bool:
        """Record the acts at both tables; return whether a rule forbids them."""
        before = self.tables[0].hidden
        outcomes = [self.record_act(which, act, as_played, by_director) for which, act in enumerate(acts)]
        is_shown = self.tables[0].hidden != before is not None
        assert is_shown or outcomes[0] == outcomes[1], acts[0]
        return "against_rules" in outcomes[0]

    def deal_out(self) -> None:
        """Start a deal; both tables deal the same cards, to other hands."""
        table, simulation = self.tables[0], self.game.simulation
        assert simulation is not None
        dealer = table.settled_as_seen.match.expected_dealer()
        number = 1 + max((event.deal for _, event in table.entries if isinstance(event, events.DealStarted)), default=0)
        dealer = self.chance.randrange(self.players) if dealer is None else dealer
        started = events.DealStarted(deal=number, dealer=dealer)
        self.attempt(started, started)
        dealt = simulation.deal_cards(self.options, self.players, dealer, self.chance)
        cards = hidden_cards([dealt])
        self.swap = dict(zip(cards, self.chance.sample(cards, len(cards)), strict=True))
        self.attempt(dealt, renamed(dealt, self.swap))

    def _act(self) -> None:
        table, simulation, draw = self.tables[0], self.game.simulation, self.chance.random()
        assert simulation is not None
        machine = None if table.fold.is_closed or not table.fold.deals else table.fold.deals[-1].machine
        legal = {} if machine is None else shown(machine.legal(), machine.turn())
        if machine is not None and legal and draw < 0.75:
            kind = self.chance.choice(sorted(legal, key=tag_of))
            move = self.chance.choice(list(legal[kind].values()))
            event = with_discards(machine, move, simulation, self.chance)
            other = renamed(event, self.swap)
            if shown_cards(one for _, one in table.entries).isdisjoint(hidden_cards([event, other])):
                self.attempt(event, other)
        elif draw < 0.93:
            tried = self._tried()
            self.attempt(tried, tried)
        elif draw < 0.97 or not table.to_open():
            self.deal_out()
        else:
            opened = events.HandsOpened(deal=table.to_open()[-1].deal)
            self.attempt(opened, opened, by_director=True)

    def _tried(self) -> events.Event:
        """Return an act that may be refused, or ends a deal, or undoes something."""
        chance, last = self.chance, self.tables[0].version
        seat = chance.randrange(self.players)
        said = chance.choice(sorted(self.game.announcements) or ["x"])
        together = tuple(sorted(chance.sample(range(self.players), 2)))
        acts: list[events.Event] = [
            events.CardPlayed(seat=seat, card=chance.choice(sorted(self.game.pack & set(PACK_52)))),
            events.Announced(seat=seat, what=said),
            events.Announced(seat=together[0], what=said, seats=together),
            events.BidMade(seat=seat, call=chance.choice(sorted(self.game.calls) or ["x"])),
            events.Corrected(version=last, action="strike", reason="x"),
            events.Corrected(version=chance.randint(2, last), action="strike", reason="x"),
            events.DealVoided(reason="misdealt"),
            events.Noted(text="x"),
            events.TableClosed(),
        ]
        return chance.choice(acts)

    def record_act(self, which: int, event: events.Event, as_played: bool, by_director: bool) -> str:
        """Try an act at one of the tables; return the answer to a client without hands."""
        try:
            entry = NewEntry(event)
            violations = (
                self.tables[which].record([entry], by="desk", as_played=as_played, as_seen=not by_director).violations
            )
        except LedgerError as error:
            return f"{error.code} {error}"
        return f"recorded {[(one.version, one.code, one.seat) for one in violations]}"

    def seen(self, which: int) -> bytes:
        """Return everything that one of the tables shows to a client without hands."""
        table = self.tables[which]
        fold = table.settled_as_seen
        answers = (score_answer("t", fold), audit_answer("t", fold))
        return json.encode((table.turn(as_seen=True), table.legal(as_seen=True), answers))
