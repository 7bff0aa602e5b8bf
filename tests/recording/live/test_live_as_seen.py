"""Recording without the right to see hands: no answer depends on a hidden card."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json, structs

from ledger import events as ev
from ledger.errors import AgainstRulesError, ConflictError, LedgerError, MalformedError
from ledger.games.kernel.moves import shown
from ledger.log import MemoryStore, NewEntry
from ledger.recording.adding import Recording
from ledger.recording.correcting import (
    CorrectionAction,
    CorrectionTarget,
    EntryReference,
    correction,
    last_act,
    last_undone,
    with_hidden_cards,
)
from ledger.recording.live import LiveTable
from ledger.recording.live.running import RunningTable
from ledger.recording.moved_seats import with_moved_seats
from ledger.recording.simulate import with_discards
from ledger.table.fold import TableFold
from ledger.table.redaction import redacted
from tests.contracts.log_builders import an_id
from tests.covering import examples
from tests.service.two_worlds import GAMES, against_the_rules, disturbed, two_worlds

SAID = (ev.CardPlayed, ev.BidMade, ev.TrumpNamed, ev.PartnerCalled, ev.CardTurned)


def act(table: LiveTable, *events: ev.Event, as_played: bool = False, by: str = "phone") -> list[str]:
    done = table.record([NewEntry(event) for event in events], by=by, as_played=as_played, as_seen=True)
    return [violation.code for violation in done.violations if violation.severity != "info"]


def made(table: LiveTable, make: Callable[[TableFold], Sequence[ev.Event]]) -> list[ev.Event]:
    """Return the events made from the public table, with the hidden cards of the events that they keep."""
    seen, full = table.settled_as_seen, table.settled
    return [with_hidden_cards(one, seen, full) if isinstance(one, ev.Corrected) else one for one in make(seen)]


def correct(
    table: LiveTable, place: CorrectionTarget, action: CorrectionAction, events: Sequence[ev.Event] | None = None
) -> None:
    """Correct an entry from the public table."""
    (event,) = made(table, lambda fold: [correction(fold, place, action, events, "x")])
    table.record([NewEntry(event)], by="desk", as_seen=True)


def visible_answer(table: LiveTable, event: ev.Event, *, as_played: bool) -> bytes:
    """Return everything that the recorder learns by this act, or `opened` if hands were opened."""
    hidden = table.hidden
    try:
        violations = table.record([NewEntry(event)], by="phone", as_played=as_played, as_seen=True).violations
    except LedgerError as error:
        return repr((error.code, error.message("ja"), error.values)).encode()
    if table.hidden != hidden:
        return b"opened"
    return json.encode([violations, table.version, table.turn(as_seen=True), table.legal(as_seen=True), table.hidden])


def candidates(table: LiveTable, chance: Random) -> Iterator[ev.Event]:
    """Yield legal events, illegal ones, and events that end the deal."""
    fold = table.seen_by_all
    seats = range(len(fold.players))
    machine, simulation = fold.deals[-1].machine, fold.game.simulation
    assert simulation is not None
    pack = sorted(fold.game.pack if fold.game.pack_of is None else fold.game.pack_of(fold.options))
    for kind, by_value in shown(machine.legal(), machine.turn()).items():
        if kind is ev.Announced or (kind in SAID and machine.turn() is not None):
            yield with_discards(machine, chance.choice(list(by_value.values())), simulation, chance)
    for _ in range(6):
        yield ev.CardPlayed(seat=chance.choice(seats), card=chance.choice(pack))
    if fold.game.name == "ombre":
        yield ev.CardsExchanged(seat=chance.choice(seats), count=2, discarded=tuple(chance.sample(pack, 2)))
    yield ev.CardsDealt(hands=tuple((pack[0],) for _ in seats))
    yield ev.Noted(text="he holds the ace", version=table.version)
    yield ev.ScoreClaimed(deltas=tuple(0 for _ in seats))
    yield ev.DealStarted(deal=len(fold.deals) + 1, dealer=0)
    yield ev.TableClosed()


def corrections(table: LiveTable, chance: Random) -> Iterator[ev.Event]:
    """Yield corrections of an entry of the deal, made from the public table."""
    start = table.seen_by_all.deals[-1].version
    if start == table.version:
        return
    place = CorrectionTarget(chance.randint(start + 1, table.version))

    def replaced(fold: Any) -> Sequence[ev.Event]:
        read = next(event for version, event in fold.entries if version == place.version)
        if isinstance(read, ev.CardPlayed):
            read = structs.replace(read, seat=(read.seat + 1) % len(fold.players))
        return with_moved_seats(fold, correction(fold, place, "replace", (read, ev.Noted(text="x")), "a slip"))

    for make in (lambda fold: [correction(fold, place, "strike", None, "a slip")], replaced):
        try:
            yield from made(table, make)
        except (LedgerError, StopIteration):
            continue


def as_public(event: ev.Event) -> ev.Event:
    return structs.replace(event, events=None) if isinstance(event, ev.Corrected) else event


@pytest.mark.parametrize("game", GAMES)
@examples(12)
@given(seed=st.integers(0, 10**6))
def test_no_refusal_depends_on_two_hidden_cards_that_are_exchanged(game: str, seed: int) -> None:
    worlds = two_worlds(game, seed, (None, disturbed, against_the_rules)[seed % 3])
    if worlds is None or any(LiveTable.resume(store, "t").hidden is None for store in worlds[:2]):
        return
    chance = Random(seed)
    tables = [LiveTable.resume(store, "t") for store in (worlds.first, worlds.second)]
    acts = list(candidates(tables[0], chance)) if tables[0].seen_by_all.deals else []
    for event in acts:
        for as_played in (False, True) if chance.random() < 0.3 else (False,):
            one, other = (visible_answer(table, event, as_played=as_played) for table in tables)
            assert one == other
            if one == b"opened":
                return
    if tables[0].seen_by_all.deals:
        made = [list(map(as_public, corrections(table, Random(seed)))) for table in tables]
        assert made[0] == made[1]


@pytest.mark.parametrize("game", GAMES)
@examples(12)
@given(seed=st.integers(0, 10**6))
def test_it_is_the_full_check_of_what_everybody_knows(game: str, seed: int) -> None:
    """Errors and violations are the same as in a record without the hidden cards."""
    worlds = two_worlds(game, seed)
    if worlds is None:
        return
    entries = [(row.version, row.event()) for row in worlds.first.read_stream("table/t")]
    whole = RunningTable(entries, {})
    if whole.hidden is None:
        return
    public = RunningTable([(entry[0], redacted(entry, whole.hidden)) for entry in entries], {})
    table = LiveTable.resume(worlds.first, "t")
    for event in candidates(table, Random(seed)):
        try:
            public.check(event)
        except MalformedError:
            continue
        assert whole.broken_by(event, as_seen=True) == public.broken_by(event)


DEALT = ev.CardsDealt(
    hands=(("SQ", "CJ", "DT", "CA"), ("DQ", "HJ", "DJ", "ST"), ("HT", "HQ", "SJ", "DA"), ("HA", "CQ", "CT", "SA"))
)

OPENED = ev.TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))


@pytest.fixture
def table() -> LiveTable:
    made = LiveTable.open(MemoryStore(), "fri-1", OPENED, by="desk")
    act(made, ev.DealStarted(deal=1, dealer=3), DEALT, *(ev.BidMade(seat=seat, call="pass") for seat in range(4)))
    return made


def test_a_revoke_that_only_the_hands_show_is_recorded_and_reported_when_the_deal_has_ended(table: LiveTable) -> None:
    assert act(table, ev.CardPlayed(seat=0, card="DT")) == []
    revoke = ev.CardPlayed(seat=1, card="ST")
    with pytest.raises(AgainstRulesError):
        table.judge([NewEntry(revoke)])
    assert act(table, revoke) == []
    while table.hidden is not None:
        seat, card = table.turn(as_seen=True), table.legal()["card_played"][0]
        assert seat is not None
        act(table, ev.CardPlayed(seat=seat, card=card))
    assert "KOP-11.44" in {violations.code for violations in table.settled.deals[0].violations}


def test_what_everybody_knows_is_refused(table: LiveTable) -> None:
    act(table, ev.CardPlayed(seat=0, card="DT"))
    with pytest.raises(AgainstRulesError, match="in turn"):
        act(table, ev.CardPlayed(seat=2, card="SJ"))
    with pytest.raises(AgainstRulesError) as refused:
        act(table, ev.CardPlayed(seat=1, card="DT"))
    assert refused.value.finding in ("KOP-11.42", "KOP-11.43")


def test_what_is_wrong_within_the_event_itself_is_refused() -> None:
    table = LiveTable.open(MemoryStore(), "fri-1", OPENED, by="desk")
    act(table, ev.DealStarted(deal=1, dealer=3))
    twice = ev.CardsDealt(hands=(("SQ", "SQ", "DT", "CA"), *DEALT.hands[1:]))
    with pytest.raises(AgainstRulesError) as refused:
        act(table, twice)
    assert refused.value.finding == "KOP-11.10"


def test_legal_acts_are_listed_without_the_hand(table: LiveTable) -> None:
    assert len(table.legal()["card_played"]) == 4
    assert len(table.legal(as_seen=True)["card_played"]) == 16


def test_an_id_of_a_hidden_entry_is_used_for_everybody_but_its_writer(table: LiveTable) -> None:
    noted = NewEntry(ev.Noted(text="a look at the hand"), an_id(1))
    played = NewEntry(ev.CardPlayed(seat=0, card="DT"), an_id(2))
    for entry in (noted, played):
        table.record([entry], by="phone/Ann", as_seen=True)
    for entry in (noted, NewEntry(ev.Noted(text="another guess"), an_id(1))):
        for other in ("desk", "phone", "phone/Ben"):
            with pytest.raises(ConflictError) as refused:
                table.record([entry], by=other, as_seen=True)
            assert refused.value.code == "id_used"
    assert table.record([noted], by="phone/Ann", as_seen=True).acknowledged.already_recorded
    assert table.record([played], by="desk", as_seen=True).acknowledged.already_recorded
    table.record([NewEntry(ev.TableClosed())], by="desk", as_played=True)
    assert table.record([noted], by="desk", as_seen=True).acknowledged.already_recorded


def test_a_guess_at_the_hidden_cards_is_recorded_like_any_other(table: LiveTable) -> None:
    """An error for an unchanged entry would reveal that the guess is right."""
    with pytest.raises(MalformedError, match="already reads like this"):
        table.replace(CorrectionTarget(3), [DEALT], Recording(by="desk"), "x")
    correct(table, CorrectionTarget(3), "replace", [DEALT])
    assert table.version == 8


def test_what_a_correction_leaves_hidden_is_not_lost(table: LiveTable) -> None:
    """One hand is replaced; the other, hidden hands stay as they are."""
    hands = "Ann: SQ CJ DT CT / Dan: HA CQ CA SA"
    (one,) = made(table, lambda fold: [correction(fold, CorrectionTarget(3), "replace", hands, "a slip")])
    assert isinstance(one, ev.Corrected)
    (dealt,) = one.events or ()
    assert isinstance(dealt, ev.CardsDealt)
    assert dealt.hands == (("SQ", "CJ", "DT", "CT"), *DEALT.hands[1:3], ("HA", "CQ", "CA", "SA"))


def test_a_second_correction_keeps_the_hidden_cards_of_the_first(table: LiveTable) -> None:
    correct(table, CorrectionTarget(3), "replace", [DEALT, ev.Noted(text="dealt anew")])
    place = EntryReference(version=3).place(table.fold)
    (one,) = made(table, lambda fold: [correction(fold, CorrectionTarget(3, 1), "strike", None, "x")])
    assert place == CorrectionTarget(3)
    assert isinstance(one, ev.Corrected)
    assert one.events == (DEALT,)


def test_acts_are_undone_and_redone_as_they_were_recorded(table: LiveTable) -> None:
    stood = list(table.fold.entries)
    for _ in range(6):
        correct(table, last_act(table.fold), "strike")
    assert table.hidden_from == 2
    for _ in range(6):
        correct(table, CorrectionTarget(last_undone(table.entries)), "restore")
    assert table.fold.entries == stood


def test_a_correction_that_hidden_cards_forbid_names_none_of_them(table: LiveTable) -> None:
    otherwise = ev.Corrected(
        version=1, action="replace", events=(structs.replace(OPENED, game="quadrille"),), reason="x"
    )
    with pytest.raises(MalformedError) as refused:
        table.judge([NewEntry(otherwise)], as_seen=True)
    assert not any(card in str(refused.value) for hand in DEALT.hands for card in hand or ())
