"""What is hidden of a table while its last deal is open, what a seat knows of cards, and the facts of a revoke."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from ledger import events as ev
from ledger.cards import UNKNOWN
from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.recording.live.running import RunningTable
from ledger.table.corrections import Signature
from ledger.table.fold import DealRecord, TableFold
from ledger.table.hiding import hidden_deals_in, hidden_in
from ledger.table.redaction import Hidden, redacted, redacted_entries
from ledger.table.revokes import Revoke, revokes_of
from ledger.table.seat_knowledge import SeatKnowledge, SuitSeen, seen_by
from ledger.table.steps import ReplayStep, replay_steps
from tests.covering import sample
from tests.games.kop.tables import ORDINARY_PLAY, ordinary
from tests.games.ombre.tables import Record, in_play
from tests.games.scripted import cases_of
from tests.hand_records import REPLAYS, fold_of, record_in

OPENED = ev.TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
WHOLE = tuple(event for _, event in ordinary().tricks(ORDINARY_PLAY).entries[1:])
"""A deal from version 2 to 23: its start, the cards dealt, four passes, sixteen cards played."""
RESULT = ev.ResultRecorded(
    outcome={"contract": "normal", "declarers": [0, 1], "card_points": [61, 43], "tricks": [2, 2]}
)


def start(deal: int) -> ev.DealStarted:
    return ev.DealStarted(deal=deal, dealer=(deal + 2) % 4)


def of_deal(number: int, version: int) -> Hidden:
    return Hidden(version, version, number)


ROWS = Path(__file__).with_name("hiding.txt").read_text(encoding="utf-8").partition("\n[ended]\n")
LINES, ENDED = ([line for line in part.splitlines() if line and line[0] != "#"] for part in (ROWS[0], ROWS[2]))

EVENTS: dict[str, Callable[[int], ev.Event]] = {
    "start": start,
    "strike": lambda version: ev.Corrected(version=version, action="strike", reason="x"),
    "open": lambda deal: ev.HandsOpened(deal=deal),
    "dealt": lambda _: WHOLE[1],
    "last_card": lambda _: WHOLE[-1],
    "result": lambda _: RESULT,
    "voided": lambda _: ev.DealVoided(reason="misdealt"),
    "closed": lambda _: ev.TableClosed(),
    "note": lambda _: ev.Noted(text="a quiet evening"),
    "ruled_void": lambda _: ev.RulingGiven(deal=1, text="x", kind="void"),
}


def events_of(steps: str) -> Iterator[ev.Event]:
    """Yield the events of steps as `hiding.txt` writes them."""
    for step in steps.split(", ") if steps else ():
        word, *given = step.split(" ", 2)
        if word == "whole":
            yield from WHOLE[: int(given[0].removeprefix(":")) if given else None]
        elif word == "put_in":
            events = tuple(events_of(given[1].replace(" & ", ", ")))
            yield ev.Corrected(version=int(given[0]), action="insert_after", events=events, reason="x")
        else:
            first, _, last = (given[0] if given else "0").partition("-")
            for number in range(int(first), int(last or first) - 1, -1):
                yield EVENTS[word](number)


def running(events: Iterable[ev.Event]) -> RunningTable:
    """Return a table of these entries, after checking after each that the answers at once are the same."""
    table = RunningTable([(1, OPENED)], {})
    for event in events:
        table.take(event, Signature("Ann"))
        assert hidden_in(table.entries) == table.hidden
        assert hidden_deals_in(table.entries) == [one.deal for one in table.to_open()]
    return table


@pytest.mark.parametrize("line", LINES)
def test_hidden(line: str) -> None:
    steps, hidden, *waiting = re.split(r"\s*\| ?", line)
    table = running(events_of(steps))
    assert table.hidden == (None if hidden == "nothing" else Hidden(*map(int, hidden.split())))
    for deals in waiting:
        assert [one.deal for one in table.to_open()] == [int(deal) for deal in deals.split()]


@pytest.mark.parametrize("steps", ENDED)
def test_a_deal_that_ends_before_its_last_card_is_shown_when_a_later_one_is_played_out_or_by_intent(steps: str) -> None:
    events = list(events_of(steps))
    assert running(events).hidden == of_deal(1, 2)
    started = [at for at, event in enumerate(events, 2) if isinstance(event, ev.DealStarted) and event.deal == 2]
    by_intent = of_deal(2, started[0]) if started and events[-1] != RESULT else None
    assert running([*events, ev.HandsOpened(deal=1)]).hidden == by_intent
    if isinstance(events[-1], ev.TableClosed):
        events.append(EVENTS["strike"](len(events) + 1))
    number = 1 + max(event.deal for event in events if isinstance(event, ev.DealStarted))
    assert running([*events, start(number), *WHOLE[1:-1]]).hidden == of_deal(1, 2)
    assert running([*events, start(number), *WHOLE[1:]]).hidden is None


def test_a_deal_that_cannot_be_scored_any_more_goes_on_being_hidden() -> None:
    """Whether it was halted may depend on the cards."""
    opened = ev.TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
    halted = [opened, ev.DealStarted(deal=1, dealer=2), ev.CardsDealt(hands=(("SA", "SA"), None, None))]
    entries = list(enumerate(halted, 1))
    assert TableFold(entries, goes_on=True).deals[0].machine.status == "unscorable"
    assert hidden_in(entries) == RunningTable(entries, {}).hidden == of_deal(1, 2)
    assert hidden_in([*entries, (4, ev.DealStarted(deal=2, dealer=0))]) == of_deal(1, 2)


DATA = tomllib.loads(Path(__file__).with_name("hiding.toml").read_text(encoding="utf-8"))


def shown(event: str) -> str:
    """Return what is shown of an event of a hidden deal."""
    return ev.encode_event(redacted((4, ev.decode_event(event.encode())), Hidden(3, 3, 1))).decode()


@pytest.mark.parametrize(("event", "seen"), DATA["redacted"].items())
def test_hidden_cards_are_counted_but_not_named(event: str, seen: str) -> None:
    assert shown(event) == seen


@pytest.mark.parametrize("event", DATA["shown"]["events"])
def test_what_everybody_saw_stays(event: str) -> None:
    assert shown(event) == event


def test_only_the_open_deal_is_redacted_and_what_corrects_it() -> None:
    dealt = ev.CardsDealt(hands=(("SA", "S7"), None, None))
    of_first = ev.Corrected(version=3, action="replace", events=(dealt,), reason="x")
    of_open = ev.Corrected(version=5, action="replace", events=(dealt,), reason="x")
    entries = [
        (2, ev.DealStarted(deal=1, dealer=0)),
        (3, dealt),
        (4, ev.DealStarted(deal=2, dealer=1)),
        (5, dealt),
        (6, of_first),
        (7, of_open),
    ]
    seen = dict(redacted_entries(entries, Hidden(4, 4, 2)))
    assert (seen[3], seen[6]) == (dealt, of_first)
    assert seen[5] == ev.CardsDealt(hands=(("??", "??"), None, None))
    assert seen[7] == ev.Corrected(version=5, action="replace", events=(seen[5],), reason="??")


RECORDS = sorted(path for game in ("ombre", "quadrille", "couillon", "kop") for path in (REPLAYS / game).glob("*.toml"))


def seen_at(fold: TableFold, step: int, seat: int, deal: int = 1) -> SeatKnowledge:
    return seen_by(fold, fold.deal(deal), list(replay_steps(fold, deal, seat))[: step + 1], seat)


def trumps_of(seen: SeatKnowledge) -> SuitSeen:
    return next(one for one in seen.suits if one.suit is None)


@pytest.fixture(scope="module")
def revoke() -> TableFold:
    return fold_of(record_in(REPLAYS / "ombre/revoke.toml"))


def test_trumps_are_one_suit_with_the_black_aces(revoke: TableFold) -> None:
    trumps = trumps_of(seen_at(revoke, 23, seat=1))
    assert trumps.fallen == ["CA", "S7", "S5"]
    assert trumps.unseen == ["SK", "SQ", "SJ", "S6", "S4", "S3"]


def test_the_own_discards_are_seen_and_those_of_others_are_not(revoke: TableFold) -> None:
    seen = seen_at(revoke, 23, seat=1)
    assert seen.put_aside == ["HA", "H3", "DA"]
    out = {card for one in seen.suits for card in one.unseen}
    assert not out & set(seen.put_aside)
    assert seen.is_aside_hidden and seen.is_stock_hidden and seen.others == [0, 2]


def test_there_are_no_trumps_before_the_play(revoke: TableFold) -> None:
    assert [one.suit for one in seen_at(revoke, 2, seat=1).suits] == ["S", "H", "D", "C"]
    assert seen_at(revoke, 0, seat=1).suits == []


def test_all_trumps_may_have_been_seen() -> None:
    """The declarer holds or has seen all of them before the last card of this deal is played."""
    fold = fold_of(record_in(REPLAYS / "kop/04-kontra-re-losers-have-25.toml"))
    last = len(list(replay_steps(fold, 1))) - 1
    assert trumps_of(seen_at(fold, last, seat=0)).unseen == []
    assert len(trumps_of(seen_at(fold, last, seat=0)).fallen) == 12  # KOP-2.7


@pytest.mark.parametrize("path", sample(RECORDS, 12), ids=lambda path: path.stem)
def test_every_card_of_the_pack_has_been_seen_or_not(path: Path) -> None:
    fold = fold_of(record_in(path))
    pack = fold.game.pack if fold.game.pack_of is None else fold.game.pack_of(fold.options)
    for record in fold.deals[:2]:
        for seat in range(len(record.players)):
            steps = list(replay_steps(fold, record.number, seat))
            for last in range(len(steps))[:: max(1, len(steps) // 5)]:
                _assert_accounted(fold, record, steps[: last + 1], seat, pack)


def _assert_accounted(
    fold: TableFold, record: DealRecord, steps: Sequence[ReplayStep], seat: int, pack: frozenset[str]
) -> None:
    seen = seen_by(fold, record, steps, seat)
    known = [*seen.held, *seen.put_aside, *seen.shown, *(card for one in seen.suits for card in one.fallen)]
    assert UNKNOWN not in known
    out = [card for one in seen.suits for card in one.unseen]
    assert not set(out) & set(known)
    assert set(out) | set(known) == pack if seen.is_whole else not out


def test_a_seat_with_unrecorded_cards_gets_no_unseen_cards() -> None:
    fold = fold_of(record_in(REPLAYS / "ombre/revoke-found-later.toml"))
    seen = seen_at(fold, len(list(replay_steps(fold, 1))) // 2, seat=1)
    assert not seen.is_whole and not any(one.unseen for one in seen.suits)
    assert any(one.fallen for one in seen.suits)


def played(path: str) -> tuple[TableFold, list[Revoke]]:
    fold = fold_of(record_in(REPLAYS / path))
    return fold, revokes_of(fold, fold.deals[0])


def revoked() -> Record:
    """Return a deal in which the Baron holds HQ and plays DK on HK."""
    made = in_play("S", {0: "HK SA C7", 1: "HQ DK D6", 2: "H2 D2 C5"}, avoid={1: "HC", 2: "H"})
    return made.played(0, "HK").played(1, "DK").played(2, "H2")


test_revokes = cases_of("../table/revokes.txt", in_play, revoked)


def test_a_revoke_from_an_unknown_hand_names_the_card_that_shows_it() -> None:
    _, (revoke,) = played("ombre/revoke-found-later.toml")
    assert (revoke.version, revoke.trick, revoke.shown) == (25, 5, 27)
    assert [(one.card, one.trick) for one in revoke.withheld] == [("C2", 6), ("C7", 7), ("CK", 9), ("CQ", 8)]
    assert revoke.touched == [6, 7, 8, 9]


def test_the_tricks_won_from_there_on_are_counted() -> None:
    _, (revoke,) = played("ombre/revoke.toml")
    assert (revoke.trick, revoke.won_after) == (5, [2, 2, 1])


@pytest.mark.parametrize("path", ["quadrille/27-audited-record.toml", "kop/22-two-irregularities.toml"])
def test_other_games_name_their_own_irregularities(path: str) -> None:
    fold, (revoke,) = played(path)
    assert revoke.code in fold.game.revokes
    assert revoke.established_by == "next_lead"
    assert revoke.withheld


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_every_game_names_its_revokes_and_the_rules_of_following(game: Game) -> None:
    assert game.revokes
    assert game.following
