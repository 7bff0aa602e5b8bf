"""What the record can say has its words; nouns go by their number."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct

from ledger import events
from ledger.games.kernel.findings import Severity
from ledger.games.kernel.settlement import Place
from ledger.i18n import catalogue
from ledger.text.words import Wording, counted


def words_of(table: str) -> set[str]:
    return {key.partition(".")[2] for key in catalogue("ledger.text", "en") if key.startswith(f"{table}.")}


def test_what_the_record_can_say_has_its_words() -> None:
    types = [*get_args(events.Event), *get_args(events.Recordable)]
    structs = {one for one in types if isinstance(one, type) and issubclass(one, Struct)}
    assert words_of("kind") == {one.__struct_config__.tag for one in structs}
    assert words_of("field") >= {name for one in structs for name in one.__struct_fields__}
    assert words_of("legal") == {one.__struct_config__.tag for one in events.GAME_ACTION_TYPES}
    assert words_of("severity") == set(get_args(Severity))
    assert words_of("place") == {place for part in get_args(Place) for place in get_args(part)}


def test_numbers_choose_the_form_of_the_noun() -> None:
    assert [counted("en", number, "deal") for number in (0, 1, 2, 2000)] == [
        "0 deals",
        "1 deal",
        "2 deals",
        "2,000 deals",
    ]
    assert [counted("ja", number, "deal") for number in (1, 2)] == ["1ディール", "2ディール"]


def test_a_word_that_no_catalogue_has_is_shown_as_it_is() -> None:
    assert Wording("ja", "ledger.games.ombre").word("no_such_word") == "no_such_word"
    assert Wording("ja").known("field", "no_such_field") == "no_such_field"
