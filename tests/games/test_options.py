"""The words of a table's options, the effect of each option, docs/reference/games.md, and the stakes of calls.

`option_effects.toml` has, for an option with an effect only beside others or in a rare deal, those options and that
deal.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect, structs

from ledger.cli import main
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, DealStarted, Event, ResultRecorded, TableOpened
from ledger.games import BUILT_IN, game_named
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.i18n import LANGUAGES, catalogue, sentence
from ledger.recording.forms import table_forms
from ledger.recording.hand.record import read_hand_record
from ledger.recording.simulate import PLAYERS, own_number, simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from ledger.text.catalogue import Wording, wording_for
from ledger.text.replay import story
from tests.contracts.game_source import options_of
from tests.japanese import assert_wholly_japanese
from tools.games import PAGE, option_names

PACKETS = {f"options.deal_packets_{packets}" for packets in ("3-3-4", "4-3-3", "3-4-3")}
"""Choices that are the same in every language."""


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_every_option_and_every_choice_has_words(game: Game) -> None:
    wanted = options_of(game.option_type) - PACKETS
    for lang in LANGUAGES:
        words = catalogue(game.package, lang)
        assert {key for key in wanted if key not in words} == set()
        if lang == "ja":
            for key in wanted:
                assert_wholly_japanese(words[key], ())


def test_labels_of_options_and_of_choices() -> None:
    wording = wording_for(game_named("quadrille"), "ja")
    assert wording.option("all_pass") == "全員パスのとき"
    assert wording.choice("all_pass", "throw_in") == "ディールの終了"
    assert [wording.choice("claims", chosen) for chosen in (True, False)] == ["はい", "いいえ"]
    assert [wording.choice(*one) for one in (("ante", 3), ("deal_packets", "3-3-4"))] == [3, "3-3-4"]


def test_without_words_an_option_is_shown_as_recorded() -> None:
    for wording in (Wording("ja"), wording_for(game_named("ombre"), "ja")):
        assert (wording.option("half_deck"), wording.choice("half_deck", "low")) == ("half_deck", "low")


CASES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("option_effects.toml").read_text("utf-8"))


def values_of(kind: inspect.Type) -> Iterator[Any]:
    """Yield all words and truths; of numbers the least and some small ones."""
    match kind:
        case inspect.UnionType(types=types):
            yield from (value for one in types for value in values_of(one))
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.IntType(ge=least, le=most, multiple_of=step):
            assert isinstance(least, int) and isinstance(most, int)
            yield from (value for value in range(least, min(most, 30) + 1, step or 1) if value - least in (0, 1, 2, 4))


def choices() -> Iterator[tuple[str, str, Any]]:
    """Yield each option of each game with each value that is not its default."""
    for game in BUILT_IN:
        kind = inspect.type_info(game.option_type)
        assert isinstance(kind, inspect.StructType)
        for field in kind.fields:
            default = None if field.default is inspect.NODEFAULT else field.default
            for value in dict.fromkeys(values_of(field.type)):
                if value != default and (value, default) != ("none", None):  # `none` spells out null
                    yield game.name, field.encode_name, value


def table_of(game: Game, options: Mapping[str, Any], case: Mapping[str, Any], seed: int) -> Sequence[Event]:
    """Return a table with the deals of the case, if it has some, else a random one."""
    seats = own_number(game, options) or 0
    if "outcomes" in case:
        opened = TableOpened(game=game.name, players=PLAYERS[:seats], options=dict(options))
        deals = enumerate(case["outcomes"], 1)
        begun = ((DealStarted(deal=deal, dealer=(seats + deal - 2) % seats), outcome) for deal, outcome in deals)
        return [opened, *(event for start, outcome in begun for event in (start, ResultRecorded(outcome=outcome)))]
    events = simulate_table(game, PLAYERS[:seats], options, case.get("deals", 2), seed, "t")
    return [with_deck(event, case["deck"]) for event in events] if "deck" in case else events


def with_deck(event: Event, packets: str) -> Event:
    """Return the cards dealt with the order of the pack that makes the hands, from seat 0 on, in these packets."""
    if not isinstance(event, CardsDealt):
        return event
    hands = [iter(hand or ()) for hand in event.hands]
    deck = [card for size in packets.split("-") for hand in hands for card in islice(hand, int(size))]
    return structs.replace(event, deck=tuple(deck))


def observed(events: Sequence[Event], options: Mapping[str, Any]) -> Iterator[object]:
    """Yield everything that can be seen of a table: score, findings, the deals as text, legal moves."""
    first, *others = events
    fold = TableFold(list(enumerate([structs.replace(first, options=dict(options)), *others], start=1)))
    yield score_answer("t", fold)
    yield audit_answer("t", fold)
    for record in fold.deals:
        yield list(story("t", fold, record.number, None, "en"))
        yield [step.view.legal for step in replay_steps(fold, record.number)]


@pytest.mark.parametrize(("game", "option", "value"), list(choices()))
def test_each_value_of_each_option_changes_something(game: str, option: str, value: Any) -> None:
    case = CASES[game].get(option, {})
    case = case.get(str(value), case)
    played = game_named(game)
    if "reason" in case:  # the rulebook itself says that nothing follows from it
        assert case["reason"] in " ".join(load(played.package).text.split())
        return
    without = case.get("with", {})
    changed = {**without, option: value}
    if own_number(played, without) != own_number(played, changed):
        return
    assert any(
        one != other
        for seed in range(case.get("seed", 0), 40)
        for options in (changed, without)
        for events in [table_of(played, options, case, seed)]
        for one, other in zip(observed(events, without), observed(events, changed), strict=True)
    )


STAKES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("stakes.toml").read_text("utf-8"))


def stake_text(game: str, event: Event, seats: int = 4, lang: str = "en", **options: object) -> str | None:
    meant = game_named(game)
    assert meant.stakes is not None
    words = meant.stakes(event, meant.make_options(options, seats))
    return None if words is None else sentence(meant.package, words, [], lang)


def bid(call: str) -> BidMade:
    return BidMade(seat=0, call=call)


def said(what: str) -> Announced:
    return Announced(seat=0, what=what)


@pytest.mark.parametrize(("game", "word"), [(game, word) for game in STAKES for word in STAKES[game]["words"]])
def test_a_call_shows_its_stake_by_the_options_of_the_table(game: str, word: str) -> None:
    table = STAKES[game]
    event = bid(word) if word in game_named(game).calls else said(word)
    assert stake_text(game, event, table["seats"], **table["options"]) == (table["words"][word] or None)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["kop", "baska", "ombre", "quadrille", "couillon"])
def test_every_call_of_every_game_has_a_stake_text_in_every_language(game: str, lang: str) -> None:
    meant = game_named(game)
    seats = 3 if game == "ombre" else 4
    for event in (*map(bid, sorted(meant.calls)), *map(said, sorted(meant.announcements))):
        assert stake_text(game, event, seats, lang) != ""
    assert stake_text(game, CardPlayed(seat=0, card="HA"), seats, lang) is None


@pytest.mark.parametrize(
    ("game", "seats", "cutter", "leader"),
    [("kop", 4, 1, 3), ("baska", 4, 1, 3), ("quadrille", 4, 1, 3), ("couillon", 6, 1, 3), ("couillon", 8, 1, 3)],
)
def test_cutter_and_first_leader_sit_next_to_the_dealer(game: str, seats: int, cutter: int, leader: int) -> None:
    meant = game_named(game)
    assert meant.cutter is not None and meant.first_leader is not None
    assert (meant.cutter(2, seats), meant.first_leader(2, seats)) == (cutter, leader)


@pytest.mark.parametrize(("seats", "leader"), [(3, 0), (4, 3)])
def test_ombre_does_not_say_who_cuts(seats: int, leader: int) -> None:
    meant = game_named("ombre")
    assert meant.cutter is None and meant.first_leader is not None
    assert meant.first_leader(2, seats) == leader


TEXT = PAGE.read_text(encoding="utf-8")


def block(language: str) -> str:
    match = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_each_option_and_form_has_a_meaning_and_nothing_else_has(game: Game) -> None:
    forms = [f"form_{form.form}" for form in table_forms(game) if form.form]
    for lang in LANGUAGES:
        meanings = {key.removeprefix("meaning.") for key in catalogue(game.package, lang) if key.startswith("meaning.")}
        assert meanings == {*option_names(game), *forms}


def test_the_examples_are_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    main.main(shlex.split(block("sh"))[1:], standalone_mode=False)
    made = capsys.readouterr().out
    assert block("toml") in made.replace("\n\n", "\n")
    assert read_hand_record(made, "friday-1.toml").stream == "table/friday-1"
