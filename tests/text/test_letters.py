"""The letters on cards by country: in sentences, and in the shapes of pictures."""

import re
import tomllib
from pathlib import Path

import pytest
from msgspec import structs

from ledger.cards import RANKS
from ledger.table.fold import TableFold
from ledger.text.letters import LETTERS, Letters, lettered, rank_face
from ledger.text.pictures.cards import CARD_WIDTH, RANK_SHAPES, SPANISH_SUITS, SUIT_SHAPES
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.table import table_svg
from tests.hand_records import REPLAYS, fold_of, record_in
from tests.text.pictures.drawn import Drawing

REVOKE = fold_of(record_in(REPLAYS / "ombre" / "revoke.toml"))
AT_HOME: Letters = "en"
ABROAD = pytest.mark.parametrize("letters", [one for one in LETTERS if one != "en"])

CASES = tomllib.loads(Path(__file__).with_name("letters.toml").read_text(encoding="utf-8"))
SPANISH = [(lang, sentence, shown) for lang, rows in CASES["spanish"].items() for sentence, shown in rows.items()]


@pytest.mark.parametrize(("letters", "sentence"), CASES["letters"].items())
def test_a_sentence_has_the_letters_of_the_readers_cards(letters: Letters, sentence: str) -> None:
    assert lettered("♠K ♥Q ♦J ♣A ♠10 ♥7", letters) == sentence


@pytest.mark.parametrize(("lang", "sentence", "shown"), SPANISH)
def test_a_spanish_pack_has_its_own_suits_and_figures(lang: str, sentence: str, shown: str) -> None:
    assert lettered(sentence, "es", lang) == shown


def test_a_picture_of_a_spanish_pack_is_drawn_and_described_with_its_suits() -> None:
    (version, opened), *entries = REVOKE.entries
    spanish = TableFold([(version, structs.replace(opened, options={"pack_names": "spanish"})), *entries])
    drawn = table_svg(moment_at(spanish, 1, 2, "en", letters="fr"))
    assert not any(shape in drawn for shape in SUIT_SHAPES.values())
    assert all(shape in drawn for shape in SPANISH_SUITS.values())
    assert Drawing(drawn).cards() == Drawing(table_svg(moment_at(REVOKE, 1, 2, "en"))).cards()
    said = Drawing(drawn).said("desc")
    assert "Espadas" in said and "Rey" in said and "spades" not in said


def test_words_after_a_suit_are_left_as_they_are() -> None:
    assert lettered("Jack leads ♠, and Queenie ♥Kings", "fr") == "Jack leads ♠, and Queenie ♥Kings"


@pytest.mark.parametrize("letters", LETTERS)
def test_every_rank_can_be_drawn(letters: Letters) -> None:
    for rank in RANKS:
        drawn = "T" if rank == "T" else rank_face(rank, letters)
        start = re.match(r"M([\d.]+) ?([\d.]+)", RANK_SHAPES[drawn])
        assert start is not None
        assert 5 <= float(start[1]) <= CARD_WIDTH - 5


@ABROAD
def test_only_the_shapes_of_letters_differ_between_countries(letters: Letters) -> None:
    """Parts keep their recorded names, so scripts that read or move a card know them."""
    at_home, abroad = (table_svg(moment_at(REVOKE, 1, 24, "en", letters=one)) for one in (AT_HOME, letters))
    assert Drawing(abroad).cards() == Drawing(at_home).cards()
    for rank, letter in LETTERS[letters].items():
        if f'id="r{rank}"' in at_home:
            assert f'<path id="r{rank}" class="rank" d="{RANK_SHAPES[letter]}"/>' in abroad


def test_the_description_of_a_picture_uses_the_same_letters() -> None:
    english, french = (
        Drawing(table_svg(moment_at(REVOKE, 1, 2, "en", letters=one))).said("desc") for one in ("en", "fr")
    )
    hands = re.compile(r"(?:spades|hearts|diamonds|clubs) ((?:(?:10|[AKQJRDV2-9]) ?)+)")
    assert (
        hands.findall(french) == [held.translate(str.maketrans("KQJ", "RDV")) for held in hands.findall(english)] != []
    )
