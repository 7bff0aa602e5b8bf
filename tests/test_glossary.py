"""The glossary defines every term of the rulebooks and of docs/terms.txt, in Japanese too."""

import re

import pytest

from tools.glossary import PAGE, RULEBOOKS, TERMS, anchor, entries, page, rulebook_terms, terms

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    assert page() == TEXT, "run make reference"


@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_term_of_a_rulebook_is_defined(game: str) -> None:
    defined = {word.lower() for entry in entries() for word in entry.words if {game, "all"} & set(entry.games)}
    defined |= {word.lower() for entry in entries() for word in entry.words if entry.games == ("rooms",)}
    assert [term for term in rulebook_terms(game) if not {term, term.removesuffix("s")} & defined] == []


def test_every_term_of_a_game_has_a_meaning() -> None:
    of_program = {"vole", "called"}  # the games define them
    lacking = [cells for cells in terms(TERMS.read_text(encoding="utf-8")) if not cells[5]]
    assert {cells[0] for cells in lacking if cells[3] != "whist"} == of_program


def test_every_rule_that_a_meaning_cites_exists() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in RULEBOOKS.values())
    cited = re.findall(r"[A-Z]{3}-\d+\.\d+", TEXT.partition("###")[2])
    assert len(cited) > 200
    assert [rule for rule in cited if f"**{rule}**" not in rules] == []


def test_every_link_on_the_page_leads_to_a_term() -> None:
    headings = {anchor(heading) for heading in re.findall(r"^### (.+)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings
