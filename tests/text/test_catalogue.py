"""Every recorded word has a text; nouns follow their number; facts of a deal, acts and revokes are in words."""

import json
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct, convert

from ledger import events
from ledger.cases.facts import ExplainedFinding
from ledger.games import game_named
from ledger.games.kernel.findings import Severity
from ledger.games.kernel.settlement import Account
from ledger.i18n import LANGUAGES, catalogue
from ledger.table.answers import AuditAnswer, Finding
from ledger.text.audit import audit_text, gathered_within, revoke_sentences
from ledger.text.cards import legal_value
from ledger.text.catalogue import Wording, counted, wording_for, written_wording_for
from ledger.text.deal import contract_facts, plays_text
from ledger.text.events import event_text
from tests.games.kop.tables import Table
from tests.games.ombre.tables import Record
from tests.table.test_hiding import played


def words_of(table: str) -> set[str]:
    return {key.partition(".")[2] for key in catalogue("ledger.text", "en") if key.startswith(f"{table}.")}


def test_what_the_record_can_say_has_its_words() -> None:
    types = [*get_args(events.Event), *get_args(events.Recordable)]
    structs = {one for one in types if isinstance(one, type) and issubclass(one, Struct)}
    assert words_of("kind") == {one.__struct_config__.tag for one in structs}
    assert words_of("field") >= {name for one in structs for name in one.__struct_fields__}
    assert words_of("legal") == {one.__struct_config__.tag for one in events.GAME_ACTION_TYPES}
    assert words_of("severity") == set(get_args(Severity))
    assert words_of("place") == {place for part in get_args(Account) for place in get_args(part)}


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


@pytest.mark.parametrize(("value", "text"), [("HK", "♥K"), (3, "3"), ("pass", "pass"), (None, "none")])
def test_what_may_be_done_is_a_card_a_number_or_a_word(value: object, text: str) -> None:
    assert legal_value(value, wording_for(game_named("ombre"), "en")) == text


def test_of_a_result_both_declarers_are_named_and_none_as_the_bidder() -> None:
    table = Table().start(0)
    table.result(contract="wesele", declarers=[2, 0], card_points=[60, 44], tricks=[2, 2])
    view, wording = table.machine().view(), wording_for(game_named("kop"), "en")
    facts = contract_facts(view, view.partner, ["Ada", "Ben", "Cleo", "Dan"], wording)
    assert facts == {"contract": "wesele", "declarers": "Ada and Cleo"}
    assert list(plays_text(facts, wording)) == ["Ada and Cleo play wesele"]


def test_a_revoke_is_described_in_both_languages() -> None:
    fold, (revoke,) = played("ombre/revoke.toml")
    english, japanese = (list(revoke_sentences(revoke, fold.players, lang)) for lang in ("en", "ja"))
    assert english == [
        "established: trick 5 was turned before the next lead, entry 26",
        "kept back: ♦4 (fell in trick 6, entry 27), ♦6 (fell in trick 7, entry 31)",
        "trick 5 went to Belinda; with ♦4 ♦6 it would have gone to Belinda all the same",
        "later tricks affected: 6, 7",
        "tricks won from trick 5 on: Belinda 2, Baron 2, Clarissa 1",
    ]
    assert len(japanese) == len(english)
    assert not set(japanese) & set(english)


def odd(message: str) -> Finding:
    fields = {"deal": None, "version": 1, "code": "odd", "rule": "OMB-99.1", "severity": "error", "seat": None}
    return convert({**fields, "message": message, "legal": None}, Finding)


def test_what_nothing_explains_is_shown_all_the_same() -> None:
    answer = AuditAnswer(table="t", findings=[odd("how odd")])
    assert "against OMB-99.1" in "".join(audit_text(answer, Record().fold(), "en"))
    explained = [ExplainedFinding(finding=odd(f"differs: {by}"), rule_text=None) for by in "AB"]
    assert [one.finding for one in gathered_within(explained, "en")] == [odd("differs: A, B")]


RESULTS = tomllib.loads(Path(__file__).with_name("results.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", RESULTS)
def test_a_result_names_the_players(game: str) -> None:
    outcome, expected = json.loads(RESULTS[game]["outcome"]), RESULTS[game]["text"]
    wording = written_wording_for(game_named(game), "en")
    assert event_text(events.ResultRecorded(outcome=outcome), ["Ada", "Ben", "Cleo", "Dan"], wording) == expected


def test_a_sheet_that_holds_anything_is_shown_all_the_same() -> None:
    sheet = {"partner": 9, "winner": [1], "declarers": [[1]], "payments": [{"from": 0, "to": None, "amount": 3}, {}]}
    claim = events.ScoreClaimed(deltas=(1, -1), totals=(1, 2, 3), sheet=sheet)
    for lang in LANGUAGES:
        facts = event_text(claim, ["Ada", "Ben", "Cleo", "Dan"], written_wording_for(game_named("kop"), lang))
        assert "9" in facts and "Ada → None 3" in facts


def test_a_card_stays_a_card_among_words_in_capitals() -> None:
    wording = written_wording_for(game_named("ombre"), "en")
    assert [wording.word(one) for one in ("D7", "S", "??", "CODILLE", "entrada_favour")] == [
        "D7", "S", "??", "codille", "entrada favour",
    ]  # fmt: skip
