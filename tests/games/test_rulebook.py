"""The rulebook parser: every form in which a rule is written, and the whole of Ombre's book."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from ledger.errors import MalformedError, NotFoundError
from ledger.games.kernel.rulebook import Rulebook, load
from tests.japanese import assert_speaks_japanese

SAMPLE = Path(__file__).with_name("sample_rulebook.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sample() -> Rulebook:
    return Rulebook.parse(SAMPLE)


@pytest.fixture(scope="module")
def ombre() -> Rulebook:
    return load("ombre")


def test_all_rules_are_read_in_the_order_of_the_book(sample):
    ids = [rule.id for rule in sample.rules]
    assert ids == ["SMP-1.1", "SMP-1.2", "SMP-2.1", "SMP-2.2", "SMP-3.1", "SMP-3.2", "SMP-3.3", "SMP-4.1", "SMP-4.2"]
    assert sample.prefix == "SMP"


FORMS = tomllib.loads(Path(__file__).with_name("sample_rules.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_rule_is_read_in_each_form(sample, form):
    rule, cells = sample.rule(form["rule"]), form.get("cells", {})
    fields = {field: value for field, value in form.items() if field not in ("rule", "cells")}
    assert {field: getattr(rule, field) for field in fields} == fields
    assert {columns: rule.cell(*columns.split("/")) or "" for columns in cells} == cells


def test_a_section_holds_its_subsections(sample):
    cards = next(section for section in sample.sections if section.title == "2. Cards")
    assert cards.level == 2
    assert cards.text.startswith("### 2.1 Order")
    assert cards.text.endswith("| S | S |")


@pytest.mark.parametrize("written", ["SMP-1.1", "smp-1.1", " SMP-1.1 ", "1.1"])
def test_a_rule_id_may_be_typed_in_several_ways(sample, written):
    assert sample.rule(written).id == "SMP-1.1"


def test_an_unknown_rule_names_close_matches(sample):
    with pytest.raises(NotFoundError, match=r"^there is no rule 'SMP-3\.33' in rulebook SMP; did you mean SMP-3\.3, "):
        sample.rule("SMP-3.33")
    with pytest.raises(NotFoundError, match=r"^there is no rule 'revoke' in rulebook SMP$"):
        sample.rule("revoke")


def test_the_same_id_twice_is_refused():
    with pytest.raises(MalformedError, match=r"two rules have the same id: 'SMP-1\.1'") as refused:
        Rulebook.parse("- **SMP-1.1** One.\n- **SMP-1.1** Two.\n")
    assert_speaks_japanese(refused.value)


def test_a_search_wants_all_words_and_no_particular_case(sample):
    assert [rule.id for rule in sample.search("TWO beginning")] == ["SMP-1.2"]
    assert sample.search("  ") == []
    assert sample.search("nowhere") == []


def test_a_text_without_rules_is_an_empty_book():
    book = Rulebook.parse("Only words.\n")
    assert (book.rules, book.sections, book.prefix) == ((), (), "")


def test_ombre_is_read_whole(ombre):
    # Whatever looks like the beginning of a rule is one, and every rule that the book cites exists.
    begun = re.findall(r"^(?:- |\| )\*\*(OMB-\d+\.\d+)\*\*", ombre.text, re.MULTILINE)
    assert [rule.id for rule in ombre.rules] == begun
    assert len(begun) == 271
    assert set(re.findall(r"OMB-\d+\.\d+", ombre.text)) == set(begun)
    assert all(rule.text for rule in ombre.rules)


def test_ombre_keeps_the_words_of_its_book(ombre):
    assert ombre.text == files("ledger.games.ombre").joinpath("rules.md").read_text(encoding="utf-8")
    assert ombre.rule("OMB-6.8").text == (
        "Exemption A: if the card led is a trump that is not a Matador, "
        "a seat whose trumps are all Matadors may play any card."
    )
    assert ombre.rule("OMB-6.8").section_title == "6. Play / Following"


def test_a_book_is_parsed_once():
    assert load("ombre") is load("ledger.games.ombre")


@pytest.mark.parametrize("name", ["bridge", "no.such.package", "ledger.games"])
def test_a_missing_book_is_named(name):
    with pytest.raises(NotFoundError, match=f"there is no rulebook '{name}'"):
        load(name)
