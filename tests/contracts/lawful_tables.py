"""Properties of every lawful table of every game: subclass `LawfulTables` and name the strategies that make the tables.

No rule is known here. A game that adds something, or differs in something, overrides a method.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json, to_builtins
from msgspec.structs import replace

from ledger import events as ev
from ledger.cards import UNKNOWN
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import as_json, shown, value_of
from ledger.games.kernel.protocol import DealSummary
from ledger.recording.simulate import with_discards
from ledger.recording.validator import TableValidator
from ledger.table.answers import ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.contracts.strategies import Tables, pack_of
from tests.covering import examples

LEGAL_TYPES: Final = {
    *("bid_made", "card_turned", "trump_named", "partner_called", "announced", "card_played", "cards_exchanged")
}
NEVER_LISTED: Final = object()


def fold_of(events: Iterable[ev.Event]) -> TableFold:
    return TableFold(list(enumerate(events, 1)))


def without_wording(score: ScoreAnswer) -> ScoreAnswer:
    """Return the score with the amounts and rules of its lines, without their texts."""
    deals = [replace(deal, lines=[replace(line, text="") for line in deal.lines]) for deal in score.deals]
    return replace(score, deals=deals)


def new_machine(fold: TableFold, record: DealRecord) -> Deal:
    return fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)


def check_totals(fold: TableFold, score: ScoreAnswer, brought: int, adjusted: Iterable[Sequence[int]] = ()) -> None:
    """Check that the totals are all that was moved, and that nothing is lost between the seats and the pool.

    `brought`: what the seats and the pool held together before the first deal. `adjusted`: the deltas of adjustments.
    """
    start = fold.game.make_match(fold.options, len(score.players)).totals
    closing = [score.closing.deltas] if score.closing else []
    parts = [start, *(deal.deltas for deal in score.deals), *adjusted, *closing]
    assert score.totals == [sum(column) for column in zip(*parts, strict=True)]
    if fold.game.is_zero_sum:
        assert all(sum(deal.deltas) + deal.pool_after - deal.pool_before == 0 for deal in score.deals)
        assert sum(score.totals) + score.state.get("pool", 0) == brought


def machine_before(fold: TableFold, record: DealRecord, end: int) -> Deal:
    """Return the state machine before the entry at index `end`."""
    machine = new_machine(fold, record)
    for version, event in fold.entries[record.start + 1 : end]:
        machine.apply(event, version)
    return machine


class LawfulTables:
    """Tables that were played by the rules."""

    tables: Tables
    may_be_unlisted: frozenset[str] = frozenset()
    """Announcements of known facts: they break no rule even if `legal` does not list them."""
    said_by_the_recorder: frozenset[str] = frozenset()
    """Announcements that no seat makes."""
    may_be_untold: frozenset[str] = frozenset()
    """Facts of an outcome that are null if they were not recorded and nothing is paid for them."""

    def is_fault(self, violation: Any) -> bool:
        """Return whether lawful play must not have this violation."""
        return bool(violation.severity != "info")

    def brought(self, fold: TableFold) -> int:
        """Return what the seats and the pool hold together, before the first deal and ever after."""
        return 0

    def names_more_than_the_outcome(self, fold: TableFold) -> bool:
        """Return whether a line of the score names something that an outcome does not have."""
        return False

    def player(self, deal: Deal) -> int | None:
        """Return the seat that may play a card."""
        return deal.turn()

    def completed(self, fold: TableFold, deal: Deal, event: ev.Event) -> ev.Event:
        """Return the legal event with the parts that the word alone leaves open, e.g. the card of a call."""
        alike = (move for move in deal.legal() if type(move) is type(event) and _word_by(move) == _word_by(event))
        return next(alike, event)

    @examples(16)
    @given(data=st.data())
    def test_the_log_takes_them_and_the_audit_reports_nothing(self, data: st.DataObject) -> None:
        entries = data.draw(self.tables.lawful_tables(deals=4))
        so_far, fold = TableValidator(), TableFold(entries)
        for _, event in entries:
            so_far.take(event)
            assert ev.decode_event(ev.encode_event(event)) == event
        assert [finding for finding in audit_answer("t", fold).findings if self.is_fault(finding)] == []
        assert [one for record in fold.deals for one in record.violations if self.is_fault(one)] == []
        assert {record.status for record in fold.deals} <= {"complete"}

    @examples(10)
    @given(data=st.data())
    def test_statistics_can_ask_them(self, data: st.DataObject) -> None:
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=2)))
        for record in fold.deals:
            summary = fold.game.summarise(record.outcome)
            assert isinstance(summary, DealSummary)
            assert {summary.declarer, summary.partner} <= {None, *range(len(fold.players))}

    @examples(16)
    @given(data=st.data())
    def test_the_score_adds_up(self, data: st.DataObject) -> None:
        """Lines add up to deltas, deltas to totals, and nothing is lost between the seats and the pool."""
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=4)))
        score = score_answer("t", fold)
        for deal in score.deals:
            moved: dict[int | str, int] = dict.fromkeys([*range(len(deal.deltas)), "pool"], 0)
            for line in deal.lines:
                assert line.amount > 0
                moved[line.source] = moved.get(line.source, 0) - line.amount
                moved[line.target] = moved.get(line.target, 0) + line.amount
            assert [moved[seat] for seat in range(len(deal.deltas))] == deal.deltas
            assert moved["pool"] == deal.pool_after - deal.pool_before
            assert fold.game.is_zero_sum or deal.pool_before == deal.pool_after
        check_totals(fold, score, self.brought(fold))

    @examples(16)
    @given(data=st.data())
    def test_the_outcome_recorded_alone_scores_the_same(self, data: st.DataObject) -> None:
        """A deal known only by the outcome in `score` has the same lines (contract 5)."""
        entries = data.draw(self.tables.lawful_tables(deals=4))
        fold = TableFold(entries)
        score = score_answer("t", fold)
        events: list[ev.Event] = [entries[0][1]]
        for deal in score.deals:
            outcome = json.decode(json.encode(deal.outcome))
            events += [ev.DealStarted(deal=deal.deal, dealer=deal.dealer), ev.ResultRecorded(outcome=outcome)]
        events += [event for _, event in entries if type(event) is ev.TableClosed]
        so_far = TableValidator()
        for event in events:
            so_far.take(event)
        by_outcome = score_answer("t", fold_of(events))
        if self.names_more_than_the_outcome(fold):
            score, by_outcome = without_wording(score), without_wording(by_outcome)
        assert by_outcome == score

    @examples(10)
    @given(data=st.data())
    def test_every_state_holds_each_card_of_the_pack_once(self, data: st.DataObject) -> None:
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=2)))
        pack = pack_of(fold.game, fold.options)
        for record in fold.deals:
            put_aside: list[str] = []
            for step in replay_steps(fold, record.number):
                if type(step.event) is ev.CardsExchanged:
                    put_aside.extend(step.event.discarded or ())
                if step.view.phase != "deal":
                    played = [card for trick in step.view.tricks for card in trick.cards]
                    held = [card for hand in step.view.hands for card in hand]
                    assert sorted([*held, *step.view.stock, *played, *put_aside]) == pack

    @examples(10)
    @given(data=st.data())
    def test_the_state_after_k_steps_is_the_fold_of_the_first_k_events(self, data: st.DataObject) -> None:
        entries = data.draw(self.tables.lawful_tables(deals=1))
        for step in list(replay_steps(TableFold(entries), 1))[1:]:
            assert step.version is not None
            shorter = TableFold([entry for entry in entries if entry[0] <= step.version])
            assert list(replay_steps(shorter, 1))[-1].view == step.view

    @examples(10)
    @given(data=st.data())
    def test_the_beginning_of_a_record_says_the_same_of_the_deals_in_it(self, data: st.DataObject) -> None:
        entries = data.draw(self.tables.lawful_tables(deals=3))
        fold, length = TableFold(entries), data.draw(st.integers(1, len(entries) - 1))
        part = TableFold(entries[:length])
        assert len(part.deals) == sum(record.start < length for record in fold.deals)
        for record, whole in zip(part.deals, fold.deals, strict=False):
            if whole.end < length:
                assert (record.outcome, record.settlement) == (whole.outcome, whole.settlement)
            else:
                assert record.machine.view() == machine_before(fold, whole, length).view()

    @examples(10)
    @given(data=st.data())
    def test_queries_change_nothing(self, data: st.DataObject) -> None:
        """Check the next event at every moment, and all others at one of them."""
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=1)))
        (record,) = fold.deals
        moment = data.draw(st.integers(record.start + 1, record.end))
        machine = new_machine(fold, record)
        for place in range(record.start + 1, record.end + 1):
            before = machine.view()
            checked = fold.entries[place : place + 1] if place != moment else fold.entries[record.start + 1 :]
            for _, event in checked:
                machine.check(event)
            assert machine.legal() == before.legal
            machine.view(0)
            assert machine.view() == before
            for version, event in fold.entries[place : place + 1] if place < record.end else ():
                machine.apply(event, version)

    @examples(16)
    @given(data=st.data())
    def test_something_is_legal_as_long_as_a_deal_is_open(self, data: st.DataObject) -> None:
        """Lists are sorted, without duplicates, and not empty."""
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=2)))
        for record in fold.deals:
            steps = list(replay_steps(fold, record.number))
            for step, following in zip(steps, [*steps[1:], None], strict=True):
                legal, phase = as_json(step.view.legal, step.view.turn), step.view.phase
                assert bool(legal) == (phase not in ("deal", "settled"))
                if phase == "deal" and step.event is not None:
                    assert following is not None
                    assert type(following.event) is ev.CardsDealt
                assert set(legal) <= LEGAL_TYPES
                for kind, values in legal.items():
                    assert values
                    assert values == sorted(set(values), key=None if kind == "cards_exchanged" else _null_last)
            assert steps[-1].view.legal == ()

    @pytest.mark.compiled
    @examples(20)
    @given(data=st.data())
    def test_exactly_the_legal_moves_break_no_rule(self, data: st.DataObject) -> None:
        """Every call, word, suit, card and number of every seat is accepted if and only if it is listed."""
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=1)))
        (record,) = fold.deals
        deal = machine_before(fold, record, data.draw(st.integers(record.start + 2, record.end)))
        legal = as_json(deal.legal(), deal.turn())
        assert not [move for move in deal.legal() if any(map(self.is_fault, deal.check(move)))]
        if deal.status != "open":
            assert legal == {}
            return
        never_tried = {(kind, value) for kind, values in legal.items() for value in values}
        for event, kind, value in self.acts(fold, deal):
            is_listed = value in legal.get(kind, [])
            never_tried -= {(kind, value)}
            if not is_listed and type(event) is ev.Announced and event.what in self.may_be_unlisted:
                continue
            faults = [violation for violation in deal.check(event) if self.is_fault(violation)]
            assert (faults == []) == is_listed, (event, faults)
        assert never_tried == set()

    def acts(self, fold: TableFold, deal: Deal) -> Iterator[tuple[ev.Event, str, Any]]:
        """Yield everything that any seat could do, with the type and value under which `legal` would list it."""
        pack, turn, player = pack_of(fold.game, fold.options), deal.turn(), self.player(deal)
        for seat in range(len(fold.players)):
            whose = "" if seat == turn else f"{seat}:"
            for call in sorted(fold.game.calls):
                yield self.completed(fold, deal, ev.BidMade(seat=seat, call=call)), "bid_made", f"{whose}{call}"
            for word in sorted(fold.game.announcements - self.said_by_the_recorder):
                yield self.completed(fold, deal, ev.Announced(seat=seat, what=word)), "announced", f"{whose}{word}"
            held = [card for card in deal.view().hands[seat] if card != UNKNOWN]
            own: list[tuple[ev.Event, str, Any]] = [
                *((ev.TrumpNamed(seat=seat, suit=suit), "trump_named", suit) for suit in "SHDC"),
                *((ev.PartnerCalled(seat=seat, card=card), "partner_called", card) for card in (*pack, None)),
                *(
                    (ev.CardsExchanged(seat=seat, count=count, discarded=tuple(held[:count])), "cards_exchanged", count)
                    for count in range(len(held) + 1)
                ),
            ]
            for event, kind, value in own:
                if type(event) in fold.game.event_types:
                    yield event, kind, value if seat == turn else NEVER_LISTED
            for card in pack:
                yield ev.CardPlayed(seat=seat, card=card), "card_played", card if seat == player else NEVER_LISTED
        for word in sorted(self.said_by_the_recorder):
            yield ev.Announced(seat=None, what=word), "announced", word
        if ev.CardTurned in fold.game.event_types:
            for card in pack:
                yield ev.CardTurned(card=card), "card_turned", card

    @examples(10)
    @given(data=st.data())
    def test_moves_of_a_simulation_break_no_rule(self, data: st.DataObject) -> None:
        fold = TableFold(data.draw(self.tables.lawful_tables(deals=1)))
        (record,) = fold.deals
        simulation, chance = fold.game.simulation, Random(data.draw(st.integers(0, 2**32)))
        assert simulation is not None
        machine = new_machine(fold, record)
        for version, event in fold.entries[record.start + 1 : record.end]:
            for by_value in shown(machine.legal(), machine.turn()).values():
                for move in chance.sample(list(by_value.values()), min(4, len(by_value))):
                    for meant in (move, with_discards(machine, move, simulation, chance)):
                        assert [one for one in machine.check(meant) if self.is_fault(one)] == [], meant
            machine.apply(event, version)

    @examples(16)
    @given(data=st.data())
    def test_they_can_be_recorded_without_the_hands(self, data: st.DataObject) -> None:
        """A lawful record with few details shows no fault, and what it scores is the same."""
        entries = data.draw(self.tables.lawful_tables(deals=2))
        chance = data.draw(st.randoms(use_true_random=False))
        hands_known, cards_unseen = data.draw(st.sampled_from([0.0, 0.3])), data.draw(st.sampled_from([0.0, 0.05, 0.3]))
        fold = TableFold(entries)
        partial = TableFold([(at, less_of(event, chance, hands_known, cards_unseen)) for at, event in entries])
        assert [finding for finding in audit_answer("t", partial).findings if finding.severity != "info"] == []
        for record, whole in zip(partial.deals, fold.deals, strict=True):
            if record.outcome is not None:
                assert self._known_facts(record).items() <= to_builtins(whole.outcome).items()
                assert _payments(fold, record) == _payments(fold, whole)

    def _known_facts(self, record: DealRecord) -> dict[str, Any]:
        outcome = to_builtins(record.outcome).items()
        return {name: value for name, value in outcome if value is not None or name not in self.may_be_untold}


def less_of(event: ev.Event, chance: Random, hands_known: float, cards_unseen: float) -> ev.Event:
    """Return the event as a club records it that writes down only calls and play.

    A seat that sits out has no hand to leave out.
    """
    if type(event) is ev.CardsDealt:
        return ev.CardsDealt(
            hands=tuple(None if hand and chance.random() >= hands_known else hand for hand in event.hands)
        )
    if type(event) is ev.CardPlayed and chance.random() < cards_unseen:
        return ev.CardPlayed(seat=event.seat, card=UNKNOWN)
    return event


def _payments(fold: TableFold, record: DealRecord) -> list[tuple[object, ...]]:
    """Return the payments of a deal's outcome as if it were the first of its match."""
    match = fold.game.make_match(fold.options, len(fold.players))
    match.start_deal(record.dealer)
    lines = match.computed(record.outcome).lines
    return [(line.rule, line.source, line.target, line.amount) for line in lines]


def _word_by(move: ev.Event) -> tuple[object, object]:
    return getattr(move, "seat", None), value_of(move)


def _null_last(value: object) -> tuple[bool, str]:
    return value is None, str(value)
