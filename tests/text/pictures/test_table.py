"""The table from above: every state of every game is drawn as it is, nothing overlaps, nothing is outside."""

import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

import ledger
from ledger.cards import UNKNOWN
from ledger.errors import MalformedError, NotFoundError
from ledger.events import CardPlayed
from ledger.games import game_named
from ledger.log.memory import MemoryStore
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from ledger.table.redaction import Hidden, redacted_entries
from ledger.text.pictures.moment import Moment, moment_at, moments
from ledger.text.pictures.table import table_svg
from tests.builders import EIGHT_NAMES
from tests.contracts.game_tables import some_options
from tests.covering import IS_SOAK, sample
from tests.hand_records import REPLAYS, fold_of, record_in, table_events
from tests.text.pictures.drawn import VIEW, Drawing
from tests.text.site.styles import contrast, rgb

pytestmark = [pytest.mark.soak] if IS_SOAK else []
"""A soak run repeats these with more records, steps or examples."""

RECORDS = sorted(REPLAYS.glob("**/*.toml"))
GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")
DESCRIPTIONS = Path(__file__).with_name("descriptions.txt").read_text(encoding="utf-8").split("\n\n")[1:]
DATA = tomllib.loads(Path(__file__).with_name("table.toml").read_text(encoding="utf-8"))
REVOKE = fold_of(record_in(REPLAYS / "ombre" / "revoke.toml"))


def drawing_at(fold: TableFold, step: int | None, lang: str = "en", *, deal: int = 1, **how: int) -> Drawing:
    return Drawing(table_svg(moment_at(fold, deal, step, lang, **how)))


def shown_in(moment: Moment) -> list[str]:
    view = moment.view
    shown = [card for hand in view.hands for card in hand] + view.stock
    if view.tricks and (view.tricks[-1].winner is None or isinstance(moment.event, CardPlayed)):
        shown += view.tricks[-1].cards
    return shown


def assert_drawn_as_it_is(moment: Moment) -> None:
    drawing = Drawing(table_svg(moment))
    cards = drawing.cards()
    assert Counter(card.card for card in cards) == Counter(shown_in(moment))
    assert drawing.trumps() == ([moment.view.trump] if moment.view.trump else [])
    assert drawing.lit_cards() == (sorted(moment.highlight.cards) if moment.highlight else [])
    assert [plate.is_due for plate in drawing.plates()] == [seat == moment.due for seat in range(len(moment.players))]
    assert [plate.has_disc for plate in drawing.plates()] == [
        seat == moment.view.dealer for seat in range(len(moment.players))
    ]
    assert [int(plate.tricks or 0) for plate in drawing.plates()] == moment.view.trick_counts
    assert_nothing_overlaps(drawing)


def assert_nothing_overlaps(drawing: Drawing) -> None:
    boxes = [card.box for card in drawing.cards()] + [plate.box for plate in drawing.plates()]
    disc = drawing.disc()
    if disc is not None:
        boxes.append(disc)
    assert all(box.is_within(VIEW) for box in boxes)
    assert [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)] == []


@pytest.mark.parametrize("path", sample(RECORDS, 14), ids=lambda path: path.stem)
def test_every_step_of_every_recorded_deal_is_drawn_as_it_is(path: Path) -> None:
    fold = fold_of(record_in(path))
    for record in fold.deals:
        for moment in moments(fold, record.number, "ja" if record.number % 2 else "en", below=record.dealer):
            assert_drawn_as_it_is(moment)


@settings(max_examples=500 if IS_SOAK else 20)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32), lang=st.sampled_from(("en", "ja")))
def test_a_simulated_deal_is_drawn_as_it_is_for_all_and_for_each_seat(game: str, seed: int, lang: str) -> None:
    chance = Random(seed)
    options, players = some_options(game_named(game), chance)
    try:
        events = simulate_table(game_named(game), EIGHT_NAMES[:players], options, 1, seed, "t", closed=False)
    except MalformedError:  # options that this number of players may not have
        return
    fold = TableFold(list(enumerate(events, 1)))
    seat = chance.choice((None, *range(players)))
    for moment in moments(fold, 1, lang, seat=seat, below=chance.randrange(players)):
        assert_drawn_as_it_is(moment)


def laid(players: int, hand: int, cards: list[str], seats: list[int], below: int) -> Drawing:
    """Make a table of another game: hands of this many unknown cards, and a trick."""
    whole = moment_at(REVOKE, 1, 24, "en")
    trick = structs.replace(whole.view.tricks[-1], cards=cards, seats=seats, winner=None)
    view = structs.replace(
        whole.view, hands=[[UNKNOWN] * hand] * players, stock=[], tricks=[trick], trick_counts=[0] * players,
        dealer=0, turn=None,
    )  # fmt: skip
    return Drawing(
        table_svg(structs.replace(whole, players=EIGHT_NAMES[:players], view=view, below=below, highlight=None))
    )


@pytest.mark.parametrize("players", range(2, 9))
def test_a_table_of_any_size_has_room_for_full_hands(players: int) -> None:
    """A whole pack is dealt, and a trick is on the table."""
    drawing = laid(players, 52 // players, [UNKNOWN] * players, list(range(players)), players - 1)
    assert len(drawing.cards()) == players * (52 // players + 1)
    assert_nothing_overlaps(drawing)


@pytest.mark.parametrize("players", range(2, 9))
def test_a_seat_that_plays_twice_to_a_trick_has_both_cards_shown(players: int) -> None:
    """Two cards from one hand are a fault that happens: both are on the table and legible."""
    first, second = (card.box for card in laid(players, 0, ["DQ", "CA"], [1, 1], 1).cards())
    assert second.is_within(VIEW)
    assert second.left >= first.left + 14
    assert second.top >= first.top + 14


@pytest.mark.parametrize("marks", DATA["marks"], ids=str)
def test_marks_are_at_the_cards_and_names_that_they_are_about(marks: dict[str, Any]) -> None:
    """The last card has a ring, a card with a finding a badge, the winner a line below; highlighted are the legal
    alternatives, or the legal cards of the seat in turn.
    """
    drawing = drawing_at(REVOKE, **{name: marks[name] for name in ("step", "seat") if name in marks})
    cards = drawing.cards()
    assert [card.card for card in cards if card.is_last] == marks["last"]
    assert [card.card for card in cards if card.is_judged] == marks["judged"]
    assert [card.card for card in cards if card.took] == marks["took"]
    assert drawing.lit_cards() == marks["lit"]
    assert [plate.name for plate in drawing.plates() if plate.is_due] == marks["due"]


def test_of_a_hand_that_nobody_knows_no_card_is_lit() -> None:
    fold = fold_of(record_in(REPLAYS / "ombre" / "revoke-found-later.toml"))
    unknown = [
        moment
        for moment in moments(fold, 1, "en")
        if moment.played is not None and set(moment.view.hands[moment.played.seat]) == {UNKNOWN}
    ]
    assert unknown
    assert [
        moment.highlight for moment in unknown if moment.highlight is not None and not moment.highlight.is_next
    ] == []


def test_a_seat_sees_its_own_hand_and_backs_and_the_trick() -> None:
    seen = Counter(card.card for card in drawing_at(REVOKE, 24, seat=1).cards())
    assert seen == Counter(["SA", "S2", "D6", "D4", "DQ", "CA", "H2"] + [UNKNOWN] * 11)


def test_a_redacted_record_gives_a_redacted_picture() -> None:
    numbered = enumerate(table_events(record_in(REPLAYS / "ombre" / "revoke.toml")), 1)
    entries = redacted_entries(numbered, Hidden(version=1, place=1, deal=1))
    drawing = drawing_at(TableFold(corrected_reading(entries)), 24)
    assert {card.card for card in drawing.cards()} == {"DQ", "CA", "H2", UNKNOWN}
    assert "spades A" not in drawing.said("desc")


def middle(name: str, drawing: Drawing) -> tuple[float, float]:
    (box,) = (plate.box for plate in drawing.plates() if plate.name == name)
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def test_the_next_seat_sits_at_the_right_hand_in_ombre_and_at_the_left_in_kop() -> None:
    ombre = drawing_at(REVOKE, 3, below=0)
    assert middle("Belinda", ombre)[1] > middle("Baron", ombre)[1]
    assert middle("Baron", ombre)[0] > 200 > middle("Clarissa", ombre)[0]
    kop = drawing_at(fold_of(record_in(REPLAYS / "kop" / "01-exactly-53.toml")), 3, below=0)
    assert middle("Ben", kop)[0] < 200 < middle("Dan", kop)[0]


@pytest.mark.parametrize(("step", "below", "players", "message"), [
    (24, 0, 9, "a table of 9 seats cannot be drawn; the limit is 8"),
    (24, -1, 3, "seat -1 does not exist; deal 1 has seats 0 to 2"),
    (24, 3, 3, "seat 3 does not exist; deal 1 has seats 0 to 2"),
    (37, 0, 3, "step 37 does not exist; deal 1 has steps 0 to 36"),
])  # fmt: skip
def test_what_there_is_not_is_not_drawn(step: int, below: int, players: int, message: str) -> None:
    with pytest.raises(NotFoundError, match=f"^{message}$"):
        table_svg(structs.replace(moment_at(REVOKE, 1, step, "en", below=below), players=("Ada",) * players))


@pytest.mark.parametrize("below", range(3))
def test_the_chosen_seat_sits_below(below: int) -> None:
    drawing = drawing_at(REVOKE, 3, below=below)
    assert max(drawing.plates(), key=lambda plate: plate.box.top).name == REVOKE.players[below]


@pytest.mark.parametrize("words", DESCRIPTIONS, ids=lambda words: words.splitlines()[0])
def test_a_picture_has_a_description_in_words(words: str) -> None:
    """Descriptions are in `descriptions.txt`; for other viewers they have no exchanged cards."""
    how, title, *desc = words.splitlines()
    step, lang, *places = how.split()
    drawing = drawing_at(
        REVOKE, int(step), lang, **{name: int(seat) for name, seat in (one.split("=") for one in places)}
    )
    assert drawing.root.get("lang") == lang
    assert drawing.said("title") == title
    assert not desc or drawing.said("desc") == ("" if lang == "ja" else " ").join(desc)


def test_before_a_deal_starts_the_table_is_empty() -> None:
    drawing = drawing_at(REVOKE, 0)
    assert drawing.said("title") == "Deal 1, before it starts"
    assert drawing.cards() == []
    assert [plate.name for plate in drawing.plates()] == ["Belinda", "Baron", "Clarissa"]


HOSTILE = ('<script>alert("x")</script>', '&\'" onload="x', "]]></svg><use href='http://x.org'/>")
NO_XML = "\ufffe\uffff\b"


def test_names_are_never_markup() -> None:
    moment = structs.replace(moment_at(REVOKE, 1, 24, "en"), players=HOSTILE)
    drawing = Drawing(table_svg(moment))
    tags = {element.tag.partition("}")[2] for element in drawing.root.iter()}
    assert tags == {"svg", "title", "desc", "style", "defs", "symbol", "path", "rect", "g", "text", "circle", "use"}
    assert all(name in drawing.said("desc") for name in HOSTILE)
    assert not any(key.startswith("on") for element in drawing.root.iter() for key in element.attrib)


def test_what_no_xml_may_hold_is_replaced() -> None:
    moment = structs.replace(moment_at(REVOKE, 1, 24, "en"), players=(f"Ann{NO_XML}", "Ben", "Cleo"))
    assert Drawing(table_svg(moment)).plates()[0].name == "Ann\ufffd\ufffd\ufffd"


def test_a_picture_needs_nothing_from_elsewhere() -> None:
    drawing = drawing_at(REVOKE, 24)
    defined = {element.get("id") for element in drawing.root.iter()} - {None}
    used = {element.get("href") for element in drawing.root.iter() if element.get("href")}
    assert used <= {f"#{name}" for name in defined}
    assert drawing.text.replace('xmlns="http://www.w3.org/2000/svg"', "").count("://") == 0
    assert "@import" not in drawing.text
    assert "url(" not in drawing.text


def test_the_same_moment_is_the_same_text() -> None:
    again = fold_of(record_in(REPLAYS / "ombre" / "revoke.toml"))
    for step in (0, 1, 5, 24, 36):
        assert drawing_at(REVOKE, step, "ja").text == drawing_at(again, step, "ja").text


def test_a_part_of_a_page_brings_no_style() -> None:
    part = table_svg(moment_at(REVOKE, 1, 24, "en"), is_whole_file=False)
    assert "<style" not in part
    assert "xmlns" not in part
    assert part.count('class="card ') == 18


def test_a_picture_is_small() -> None:
    sizes = [len(table_svg(moment).encode()) for moment in moments(REVOKE, 1, "ja")]
    assert max(sizes) < 14_000


@pytest.mark.parametrize(("pair", "at_least"), DATA["contrast"].items())
def test_text_has_enough_contrast(pair: str, at_least: float) -> None:
    rules = drawing_at(REVOKE, 24).rules()
    ink, paper = (rgb(rules[rule][name]) for rule, name in (part.rsplit(" ", 1) for part in pair.split(" / ")))
    assert contrast(ink, paper) >= at_least


def test_the_picture_of_a_ledger_is_that_of_the_requested_reading() -> None:
    with MemoryStore() as store:
        ledger.import_file(store, REPLAYS / "ombre" / "revoke.toml", ledger.Recording(by="Ann"))
        drawing = Drawing(ledger.table_picture(store, "ombre-revoke", 1, 24, "Bo", names={"Baron": "Bo"}))
        assert max(drawing.plates(), key=lambda plate: plate.box.top).name == "Bo"
        with pytest.raises(NotFoundError, match="does not play in deal 1"):
            ledger.table_picture(store, "ombre-revoke", below="Umbriel")
