"""What every game must keep, whoever wrote it: subclass `GameContract` and say which game.

Nothing here knows any rule. Tables are drawn by the game's own simulation, over all its options and numbers of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest
from msgspec import json, structs

from ledger.cards import PACK_52, UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    GAME_ACTION_TYPES,
    MACHINE_TYPES,
    CardsDealt,
    DealStarted,
    DealVoided,
    Event,
    ResultRecorded,
    TableClosed,
    decode_event,
    encode_event,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.match import Match
from ledger.games.kernel.protocol import DealSummary, Game
from ledger.games.kernel.rulebook import load
from ledger.games.kernel.views import DealStatus
from ledger.i18n import LANGUAGES, catalogue
from ledger.recording.admissible import TableSoFar
from ledger.recording.simulate import event_of
from ledger.schemas import schema_texts, types_of
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_steps
from tests.contracts import game_source, game_tables

TABLES = range(10)
SOUPS = range(40)

LEGAL_TYPES = {
    "bid_made",
    "card_turned",
    "trump_named",
    "partner_called",
    "announced",
    "card_played",
    "cards_exchanged",
}


def fold_of(events: list[Event]) -> TableFold:
    return TableFold(list(enumerate(events, 1)))


def deals_of(fold: TableFold) -> Iterator[tuple[DealRecord, list[Entry]]]:
    """Every deal with its own entries, `deal_started` left out."""
    for record in fold.deals:
        yield record, list(fold.entries[record.start + 1 : record.end])


def new_machine(fold: TableFold, record: DealRecord) -> Deal:
    return fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)


class GameContract:
    """Which game, and random tables of it, lawfully played to the end."""

    @pytest.fixture
    def game(self) -> Game:
        raise NotImplementedError

    @pytest.fixture(params=TABLES)
    def events(self, game: Game, request: pytest.FixtureRequest) -> list[Event]:
        return list(game_tables.lawful_table(game, request.param))

    @pytest.fixture
    def fold(self, events: list[Event]) -> TableFold:
        return fold_of(events)


class DeclarationContract(GameContract):
    """What the game says of itself."""

    def test_its_words_can_stand_in_an_event(self, game: Game) -> None:
        for word in (game.name, *game.calls, *game.announcements):
            assert game_source.WORD.fullmatch(word)
        assert game.pack <= set(PACK_52)
        assert CardsDealt in game.event_types <= GAME_ACTION_TYPES

    def test_its_types_are_frozen_refuse_unknown_fields_and_have_schemas(self, game: Game) -> None:
        for kind in (game.option_type, game.outcome_type, game.sheet_type):
            assert kind.__struct_config__.frozen
            assert kind.__struct_config__.forbid_unknown_fields
        assert len(schema_texts(types_of(game))) == 3

    def test_it_refuses_options_and_numbers_of_players_that_it_does_not_have(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        for raw, seats in (({**options, "no_such_option": 1}, players), (options, 0), (options, 99)):
            with pytest.raises(MalformedError):
                game.make_options(raw, seats)

    def test_its_deals_and_matches_are_what_the_fold_plays(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        match = game.make_match(game.make_options(options, players), players)
        assert isinstance(match, Match)
        assert isinstance(match.start_deal(0), Deal)

    def test_it_refuses_an_outcome_that_it_does_not_have(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        with pytest.raises(MalformedError):
            game.check_outcome({"no_such_field": 1}, game.make_options(options, players), players, 0)

    def test_it_is_pure(self, game: Game) -> None:
        assert not game_source.imports(game.package) & game_source.IMPURE

    def test_its_rulebook_is_its_own(self, game: Game) -> None:
        assert load(game.package).prefix == game.rule_prefix
        assert game_source.PREFIX.fullmatch(game.rule_prefix)

    def test_every_rule_that_its_code_names_stands_in_the_rulebook(self, game: Game) -> None:
        known = {rule.id for rule in load(game.package).rules}
        named = game_source.rule_ids(game.package, game.rule_prefix)
        assert named
        assert named - known == set()

    def test_every_word_that_it_declares_is_there_in_every_language(self, game: Game) -> None:
        declared = {game.name, *game.calls, *game.announcements, *game.ruling_kinds, *get_args(DealStatus)}
        for kind in (game.outcome_type, game.sheet_type):
            declared |= game_source.choices_of(kind)
        for lang in LANGUAGES:
            assert {one for one in declared if f"words.{one}" not in catalogue(game.package, lang)} == set()

    def test_every_sentence_is_there_in_both_languages_with_the_same_values(self, game: Game) -> None:
        english, *others = (catalogue(game.package, lang) for lang in LANGUAGES)
        for other in others:
            assert other.keys() == english.keys()
            assert {key: game_source.values_of(text) for key, text in other.items()} == {
                key: game_source.values_of(text) for key, text in english.items()
            }

    def test_every_sentence_is_used(self, game: Game) -> None:
        words, sentences = game_source.words(game.package), catalogue(game.package, "en")
        joins = {f"between_{value}" for text in sentences.values() for value in game_source.values_of(text)}
        unused = [key for key in sentences if key not in joins and not game_source.is_spelt_by(key, words)]
        assert unused == []


class LawfulTableContract(GameContract):
    """A table that was played by the rules."""

    def test_it_is_a_record_without_fault(self, fold: TableFold) -> None:
        findings = audit_answer("t", fold).findings
        assert [finding for finding in findings if finding.severity != "info"] == []
        assert {record.status for record in fold.deals} <= {"complete"}

    def test_what_is_shown_of_it_has_a_word_in_every_language(self, game: Game, fold: TableFold) -> None:
        shown = {step.view.phase for record in fold.deals for step in replay_steps(fold, record.number)}
        for record in fold.deals:
            summary = game.summarise(record.outcome) if record.outcome is not None else None
            shown |= {word for word in (summary.result, summary.contract) if word} if summary is not None else set()
        for lang in LANGUAGES:
            assert {one for one in shown if f"words.{one}" not in catalogue(game.package, lang)} == set()

    def test_the_log_takes_it_and_gives_it_back(self, events: list[Event]) -> None:
        so_far = TableSoFar()
        for event in events:
            so_far.take(event)
            assert decode_event(encode_event(event)) == event

    def test_what_is_legal_is_never_empty_while_the_deal_is_open(self, fold: TableFold) -> None:
        for record, entries in deals_of(fold):
            machine = new_machine(fold, record)
            assert machine.legal() == {}
            for version, event in entries:
                if machine.legal() == {}:
                    assert machine.status == "complete" or type(event) is CardsDealt
                machine.apply(event, version)
            assert machine.legal() == {}

    def test_what_is_legal_is_sorted_and_without_doubles(self, fold: TableFold) -> None:
        for record in fold.deals:
            for step in replay_steps(fold, record.number):
                assert set(step.view.legal) <= LEGAL_TYPES
                for kind, values in step.view.legal.items():
                    assert values == sorted(set(values), key=None if kind == "cards_exchanged" else _null_last)

    def test_what_is_legal_breaks_no_rule(self, game: Game, fold: TableFold) -> None:
        assert game.simulation is not None
        chance = Random(0)
        for record, entries in deals_of(fold):
            machine = new_machine(fold, record)
            for version, event in entries:
                for kind, values in machine.legal().items():
                    for value in chance.sample(values, min(4, len(values))):
                        meant = event_of(machine, kind, value, game.simulation, chance)
                        meant = game.simulation.completed(machine, meant)
                        assert [found for found in machine.check(meant) if found.severity != "info"] == [], meant
                machine.apply(event, version)

    def test_asking_moves_nothing(self, fold: TableFold) -> None:
        for record, entries in deals_of(fold):
            machine = new_machine(fold, record)
            for version, event in entries:
                before = machine.view()
                machine.check(event)
                machine.legal()
                machine.view(0)
                assert machine.view() == before
                machine.apply(event, version)

    def test_the_beginning_of_a_record_says_the_same_of_what_is_in_it(
        self, events: list[Event], fold: TableFold
    ) -> None:
        for length in Random(0).sample(range(1, len(events)), 6):
            part = fold_of(events[:length])
            for record, whole in zip(part.deals, fold.deals, strict=False):
                if whole.end < length:
                    assert (record.outcome, record.settlement) == (whole.outcome, whole.settlement)
                elif type(events[length - 1]) is not DealStarted:
                    machine = new_machine(fold, whole)
                    for version, event in fold.entries[whole.start + 1 : length]:
                        machine.apply(event, version)
                    assert record.machine.view() == machine.view()

    def test_the_score_adds_up(self, game: Game, fold: TableFold) -> None:
        score = score_answer("t", fold)
        closing = score.closing.deltas if score.closing else [0] * len(score.players)
        moved = [sum(column) for column in zip(closing, *(deal.deltas for deal in score.deals), strict=True)]
        start = game.make_match(fold.options, len(score.players)).totals
        assert score.totals == [before + change for before, change in zip(start, moved, strict=True)]
        for deal in score.deals:
            if game.is_zero_sum:
                assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0
            else:
                assert deal.pool_after == deal.pool_before

    def test_its_results_alone_bring_the_same_score(self, events: list[Event], fold: TableFold) -> None:
        score = score_answer("t", fold)
        results: list[Event] = [events[0]]
        for deal in score.deals:
            outcome = json.decode(json.encode(deal.outcome))
            results += [DealStarted(deal=deal.deal, dealer=deal.dealer), ResultRecorded(outcome=outcome)]
        results += [event for event in events if type(event) is TableClosed]
        again = score_answer("t", fold_of(results))
        assert again == score

    def test_it_can_be_told_without_the_hands(self, events: list[Event], fold: TableFold) -> None:
        """A lawful record of which nobody wrote down the hands shows no fault, and what it scores is the same."""
        hidden = [
            CardsDealt(hands=tuple(None if hand else hand for hand in event.hands))
            if type(event) is CardsDealt
            else event
            for event in events
        ]
        told = fold_of(hidden)
        errors = [found for found in audit_answer("t", told).findings if found.severity != "info"]
        assert errors == []
        for record, whole in zip(told.deals, fold.deals, strict=True):
            if record.outcome is not None and record.dealer == whole.dealer:
                assert record.outcome == whole.outcome

    def test_statistics_can_ask_it(self, game: Game, fold: TableFold) -> None:
        for record in fold.deals:
            summary = game.summarise(record.outcome)
            assert isinstance(summary, DealSummary)
            seats = {None, *range(len(fold.players))}
            assert {summary.declarer, summary.partner} <= seats


class SecrecyContract(GameContract):
    """`replay --seat`: what a seat could know, and nothing else."""

    def test_a_seat_is_shown_the_same_whatever_the_cards_are_that_it_cannot_see(
        self, game: Game, events: list[Event], fold: TableFold
    ) -> None:
        """Two cards that nobody has named or shown change places: if the record stays lawful, nothing may change."""
        chance = Random(len(events))
        seen_alike = 0
        for record, entries in deals_of(fold):
            for _ in range(12):
                seat = chance.randrange(len(fold.players))
                length = chance.randrange(1, len(entries) + 1)
                tellings = game_tables.with_two_cards_swapped(entries[:length], seat, fold, record, chance)
                if tellings is None:
                    continue
                views, others = (_views(new_machine(fold, record), telling, seat) for telling in tellings)
                if views is not None and others is not None:
                    seen_alike += 1
                    assert others == views
        assert seen_alike

    def test_a_seat_sees_its_own_hand_when_it_plays(self, fold: TableFold) -> None:
        """Before that a rulebook may let a seat look at a part of its cards alone."""
        for record in fold.deals:
            own = [list(replay_steps(fold, record.number, seat)) for seat in range(len(fold.players))]
            for place, step in enumerate(replay_steps(fold, record.number)):
                whole = step.view
                for seat in range(len(fold.players)):
                    seen = own[seat][place].view.hands
                    assert [len(hand) for hand in seen] == [len(hand) for hand in whole.hands]
                    assert set(seen[seat]) <= {*whole.hands[seat], UNKNOWN}
                if whole.turn is not None and "card_played" in whole.legal:
                    view = own[whole.turn][place].view
                    assert view.hands[whole.turn] == whole.hands[whole.turn]
                    assert view.legal["card_played"] == whole.legal["card_played"]


class AnyRecordContract(GameContract):
    """What has been written down, however wrong: reading it never fails."""

    @pytest.fixture(params=SOUPS)
    def events(self, game: Game, request: pytest.FixtureRequest) -> list[Event]:
        return list(game_tables.soup(game, request.param))

    def test_it_can_be_read_scored_audited_and_replayed(self, game: Game, fold: TableFold) -> None:
        score = score_answer("t", fold)
        codes = {rule.id for rule in load(game.package).rules}
        for lang in LANGUAGES:
            score_answer("t", fold, lang)
            for finding in audit_answer("t", fold, lang).findings:
                assert {finding.code, finding.rule} <= codes
                assert finding.code.startswith(f"{game.rule_prefix}-11.")
        for record in fold.deals:
            for seat in (None, 0):
                for step in replay_steps(fold, record.number, seat):
                    assert all(replay_answer("t", record.number, step).legal.values())
        for deal in score.deals:
            if game.is_zero_sum:
                assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0

    def test_taking_cards_in_runs_comes_to_the_same(self, fold: TableFold) -> None:
        for record, entries in deals_of(fold):
            machine = new_machine(fold, record)
            for version, event in entries:
                if type(event) is DealVoided:
                    machine.void(version)
                elif type(event) in MACHINE_TYPES:
                    machine.apply(event, version)
            if record.end < len(fold.entries):
                machine.leave(0, None)
            assert (machine.view(), machine.status) == (record.machine.view(), record.machine.status)
            assert machine.outcome() == record.machine.outcome()


def _without_hands(event: Event) -> Event:
    """As a club writes it down that notes only calls and play; a seat that sits out has no hand to note."""
    if type(event) is not CardsDealt:
        return event
    return CardsDealt(hands=tuple(None if hand else hand for hand in event.hands))


def _null_last(value: object) -> tuple[bool, str]:
    return value is None, str(value)


def _views(machine: Deal, entries: list[Entry], seat: int) -> list[object] | None:
    """What the seat is shown after each entry; null where the entries break a rule, so that others would see it."""
    views: list[object] = []
    for version, event in entries:
        if any(found.severity != "info" for found in machine.apply(event, version)) or machine.late_violations():
            return None
        views.append(structs.asdict(machine.view(seat)))
    return views
