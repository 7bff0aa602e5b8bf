"""The contract of every game: subclass `GameContract` and name the game.

No rule is known here. Tables are drawn by the game's own simulation, over all its options and numbers of players. What
holds for every table is in `lawful_tables.py` and `any_record.py`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from msgspec import inspect, structs, to_builtins

from ledger.cards import PACK_52, UNKNOWN
from ledger.errors import MalformedError
from ledger.events import GAME_ACTION_TYPES, MAX_SEATS, Announced, Award, BidMade, CardPlayed, CardsDealt, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.match import Match
from ledger.games.kernel.moves import as_json, includes, of_type, other_speaker
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.games.kernel.views import DealStatus, Moves
from ledger.i18n import LANGUAGES, catalogue
from ledger.schemas import schema_texts, types_of
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import replay_steps
from tests.catalogues import gaps, sentences
from tests.contracts import game_source, game_tables
from tests.contracts.lawful_tables import fold_of, new_machine
from tests.covering import sample

TABLES = sample(range(20), 3)

ALIKE = ("auction", "tricks", "trick_counts", "card_points")
"""Fields that everyone sees alike."""
ALIKE_IF_SEEN = ("contract", "trump", "declarer", "partner")


def deals_of(fold: TableFold) -> Iterator[tuple[DealRecord, list[Entry]]]:
    """Yield every deal with its entries, without `deal_started`."""
    for record in fold.deals:
        yield record, list(fold.entries[record.start + 1 : record.end])


class GameContract:
    """The game, and random tables of it, lawfully played to the end."""

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
    """The declaration of the game."""

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

    def test_it_rejects_unknown_options_and_impossible_numbers_of_players(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        for raw, seats in (({**options, "no_such_option": 1}, players), (options, 0), (options, 99)):
            with pytest.raises(MalformedError):
                game.make_options(raw, seats)

    def test_its_deals_and_matches_have_the_types_of_the_fold(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        match = game.make_match(game.make_options(options, players), players)
        assert isinstance(match, Match)
        assert isinstance(match.start_deal(0), Deal)

    def test_it_rejects_an_outcome_with_an_unknown_field(self, game: Game) -> None:
        options, players = game_tables.some_options(game, Random(0))
        with pytest.raises(MalformedError):
            game.check_outcome({"no_such_field": 1}, game.make_options(options, players), players, 0)

    def test_it_is_pure(self, game: Game) -> None:
        assert not game_source.imports(game.package) & game_source.IMPURE

    def test_its_rulebook_is_its_own(self, game: Game) -> None:
        assert load(game.package).prefix == game.rule_prefix
        assert game_source.PREFIX.fullmatch(game.rule_prefix)

    def test_its_rulebook_has_the_same_rules_in_every_language(self, game: Game) -> None:
        books = [load(game.package, lang) for lang in LANGUAGES]
        assert len({tuple((rule.id, rule.kind, len(rule.cells)) for rule in book.rules) for book in books}) == 1

    def test_every_rule_that_its_code_names_is_in_the_rulebook(self, game: Game) -> None:
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

    def test_a_language_that_it_has_lacks_no_sentence(self, game: Game) -> None:
        folder = Path(str(files(game.package))) / "messages"
        for lang in (path.stem for path in folder.iterdir()):
            assert gaps(folder, lang) == []
            assert sentences(folder, lang).keys() <= sentences(folder, "en").keys()

    def test_every_sentence_has_the_same_values_in_every_language(self, game: Game) -> None:
        english, *others = (catalogue(game.package, lang) for lang in LANGUAGES)
        for other in others:
            assert {key: game_source.values_of(text) for key, text in other.items()} == {
                key: game_source.values_of(text) for key, text in english.items()
            }

    def test_every_sentence_is_used(self, game: Game) -> None:
        words, sentences = game_source.words(game.package), catalogue(game.package, "en")
        joins = {f"between_{value}" for text in sentences.values() for value in game_source.values_of(text)}
        typed = {f"typed.{word}" for word in game.calls | game.announcements}  # `Game.ways_to_write`
        options = {key for part in ("options", "meaning") for key in game_source.options_of(game.option_type, part)}
        written = {
            f"written.{key.rpartition('.')[2]}" for key in sentences if not key.startswith("written.")
        }  # instead of these
        left = sentences.keys() - joins - typed - options - written
        unused = [key for key in left if not game_source.is_spelt_by(key, words)]
        assert unused == []


class WordsContract(GameContract):
    """The words for what is shown of its tables, in every language."""

    def test_every_shown_word_is_there_in_every_language(self, game: Game, fold: TableFold) -> None:
        shown = {step.view.phase for record in fold.deals for step in replay_steps(fold, record.number)}
        for record in fold.deals:
            summary = game.summarise(record.outcome) if record.outcome is not None else None
            shown |= {word for word in (summary.result, summary.contract) if word} if summary is not None else set()
        for lang in LANGUAGES:
            assert {one for one in shown if f"words.{one}" not in catalogue(game.package, lang)} == set()

    def test_its_refusals_are_worded_in_every_language(self, game: Game, fold: TableFold) -> None:
        errors = list(refusals(game, fold, Random(len(fold.entries))))
        assert errors
        for error in errors:
            assert all(error.message(lang) for lang in LANGUAGES)
            assert english_left(error, game) == set(), error.message("ja")


class SecrecyContract(GameContract):
    """`replay --seat`: what a seat could know, and nothing else."""

    def test_a_seats_view_is_the_same_for_unseen_cards(self, game: Game, events: list[Event], fold: TableFold) -> None:
        """Swap two cards that nobody has named or shown: if the record stays lawful, the view must not change."""
        chance = Random(len(events))
        seen_alike = 0
        for record, entries in deals_of(fold):
            for _ in range(12):
                seat = chance.randrange(len(fold.players))
                length = chance.randrange(1, len(entries) + 1)
                records = game_tables.with_two_cards_swapped(entries[:length], seat, fold, record, chance)
                if records is None:
                    continue
                views, others = (_views(new_machine(fold, record), entries, seat) for entries in records)
                if views is not None and others is not None:
                    seen_alike += 1
                    assert others == views
        assert seen_alike

    def test_a_seat_sees_its_own_hand_when_it_plays_and_no_card_that_nobody_has_shown(self, fold: TableFold) -> None:
        """Before it plays, a rulebook may show a seat only a part of its cards."""
        for record in fold.deals:
            own = [list(replay_steps(fold, record.number, seat)) for seat in range(len(fold.players))]
            shown = {UNKNOWN}
            for place, step in enumerate(replay_steps(fold, record.number)):
                whole = step.view
                shown |= game_tables.cards_shown_by(step.event)
                for seat in range(len(fold.players)):
                    view = own[seat][place].view
                    assert [len(hand) for hand in view.hands] == [len(hand) for hand in whole.hands]
                    assert set(view.hands[seat]) <= {*whole.hands[seat], UNKNOWN}
                    others = {card for other, hand in enumerate(view.hands) if other != seat for card in hand}
                    assert others | set(view.stock) <= shown
                    for field in ALIKE:
                        assert getattr(view, field) == getattr(whole, field), field
                    for field in ALIKE_IF_SEEN:
                        assert getattr(view, field) in (None, getattr(whole, field)), field
                    assert {play.card for play in of_type(view.legal, CardPlayed)} <= {*view.hands[seat]}
                    if whole.turn == seat and includes(whole.legal, CardPlayed):
                        assert view.hands[seat] == whole.hands[seat]
                        assert _own(view.legal, seat) == _own(whole.legal, seat)


def _own(legal: Moves, seat: int) -> dict[str, list[Any]]:
    """Return what the seat in turn may do itself."""
    return as_json(tuple(move for move in legal if other_speaker(move, seat) is None), seat)


def _views(machine: Deal, entries: list[Entry], seat: int) -> list[object] | None:
    """Return the seat's view after each entry; None if the entries break a rule, which others would see."""
    views: list[object] = []
    for version, event in entries:
        if (
            any(violation.severity != "info" for violation in machine.apply(event, version))
            or machine.late_violations()
        ):
            return None
        views.append(structs.asdict(machine.view(seat)))
    return views


RULE = re.compile(r"[A-Z]{3}-\d+\.\d+")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
TYPED = {"options", "outcome", "award", "bid_made", "announced", "card", "seat", "seats", "players"}
"""Names of fields that messages show as they are."""


def english_left(error: MalformedError, game: Game) -> set[str]:
    """Return the words in Latin letters of the Japanese message, without those that are typed so in a record."""
    message = error.message("ja").replace(repr(error.text), "")
    return set(WORD.findall(RULE.sub("", message))) - typed(game)


def typed(game: Game) -> set[str]:
    """Return the words that a recorder of this game types."""
    words = {*TYPED, "true", "false", "null", *game.calls, *game.announcements}
    for kind in (game.option_type, game.outcome_type, Award):
        words |= game_source.choices_of(kind) | {field.encode_name for field in structs.fields(kind)}
    return words


def refusals(game: Game, fold: TableFold, chance: Random) -> Iterator[MalformedError]:
    """Yield the errors for options, events and results of deals that are nearly right."""
    for players in range(MAX_SEATS + 2):
        yield from _error(game.make_options, {}, players)
    for event in _events(game, chance):
        yield from _error(game.check_event, event)
    for record in fold.deals:
        if record.outcome is not None:
            for raw in _altered(to_builtins(record.outcome), game.outcome_type, chance):
                yield from _error(game.check_outcome, raw, fold.options, len(fold.players), record.dealer)


def _error(check: Callable[..., object] | None, *arguments: object) -> Iterator[MalformedError]:
    assert check is not None
    try:
        check(*arguments)
    except MalformedError as error:
        yield error


def _events(game: Game, chance: Random) -> Iterator[Event]:
    if game.check_event is None:
        return
    for call in sorted(game.calls):
        yield BidMade(seat=0, call=call, card=chance.choice(sorted(game.pack)))
    for word in sorted(game.announcements):
        yield Announced(seat=None, what=word)
        yield Announced(seat=0, what=word, seats=(0, 1))


def _altered(outcome: Mapping[str, Any], outcome_type: type, chance: Random) -> Iterator[dict[str, Any]]:
    """Yield the outcome with one or two fields changed, each within its type."""
    info = inspect.type_info(outcome_type)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        for other in (field, chance.choice(info.fields)):
            kinds = {field.encode_name: field.type, other.encode_name: other.type}
            yield {**outcome, **{name: _other(outcome.get(name), kind, chance) for name, kind in kinds.items()}}


def _other(value: Any, kind: inspect.Type, chance: Random) -> Any:
    if isinstance(value, list | tuple):
        return [max(0, item - chance.randint(0, 1)) for item in value]
    return game_tables.some_value(kind, chance)
