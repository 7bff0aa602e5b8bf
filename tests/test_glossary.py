"""The glossary defines every term of the rulebooks and of docs/terms.txt, in Japanese too."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.glossary import PAGE, ROOT, RULEBOOKS, TERMS, anchor, entries, rulebook_terms, terms

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_term_of_a_rulebook_is_defined(game: str) -> None:
    defined = {word.lower() for entry in entries() for word in entry.words if {game, "all"} & set(entry.games)}
    defined |= {word.lower() for entry in entries() for word in entry.words if entry.games == ("rooms",)}
    assert [term for term in rulebook_terms(game) if not {term, term.removesuffix("s")} & defined] == []


def test_every_term_of_a_game_has_a_meaning() -> None:
    """Check that a term has a meaning in English, and in Japanese if it has a Japanese word."""
    of_program = {"vole", "called"}  # the games define them
    lacking = [cells for cells in terms(TERMS.read_text(encoding="utf-8")) if not cells[5]]
    assert {cells[0] for cells in lacking if cells[3] != "whist"} == of_program
    assert [entry.words[0] for entry in entries() if bool(entry.japanese) != bool(entry.in_japanese)] == []


def test_every_rule_that_a_meaning_cites_exists() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in RULEBOOKS.values())
    cited = re.findall(r"[A-Z]{3}-\d+\.\d+", TEXT.partition("###")[2])
    assert len(cited) > 200
    assert [rule for rule in cited if f"**{rule}**" not in rules] == []


def test_every_link_on_the_page_leads_to_a_term() -> None:
    headings = {anchor(heading) for heading in re.findall(r"^### (.+)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings


FOR_READERS = [
    ROOT / "README.md",
    *sorted(path for kind in ("tutorials", "how-to") for path in ROOT.glob(f"docs/**/{kind}/*.md")),
]
LINKED = """
    basta, basto, bez bitki, bez wyjścia, bok, cicha, codille, entrada, estuches, forehand, grand du, hirsz, kontra,
    manille, matador, Mit', old queens, premiers, primeras, puesta, punto, rekontra, remise, revoke, sacada, słup,
    spadille, vole, vuelta, wesele, zolo, zolo du
"""
"""The terms of which readers must find the meaning: no ordinary English word among them."""

TERMS_TO_LINK = re.split(r",\s+", LINKED.strip())
KATAKANA = "[ァ-ヶー・]"
IN_ENGLISH = {rf"(?<![\w-]){term}(?:s|es)?(?![\w-])": anchor(term) for term in TERMS_TO_LINK}
IN_JAPANESE = {
    f"(?<!{KATAKANA}){entry.japanese}(?!{KATAKANA})": anchor(entry.japanese)
    for entry in entries()
    if entry.words[0] in TERMS_TO_LINK and re.fullmatch(f"{KATAKANA}+", entry.japanese)
}
"""Patterns of the words, each with its anchor in the glossary; in Japanese, those in katakana."""


def unlinked(text: str, anchors: dict[str, str]) -> Iterator[str]:
    """Yield terms whose first use in prose, except in lines about tokens, is no link to the glossary."""
    prose = re.sub(r"^```.*?^```$|<!--.*?-->|^#.*?$", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^.*\btokens?\b.*$", "", prose, flags=re.MULTILINE | re.IGNORECASE)
    prose = re.sub(r"`[^`]*`|<[^>]*>", "", prose)
    for term, place in anchors.items():
        first = re.search(term, prose, re.IGNORECASE)
        if first and not re.match(rf"[^\[\]]*\]\([^)]*glossary\.md#{place}\)", prose[first.start() :]):
            yield first[0]


@pytest.mark.parametrize("path", FOR_READERS, ids=[str(path.relative_to(ROOT)) for path in FOR_READERS])
def test_the_first_use_of_a_term_links_to_the_glossary(path: Path) -> None:
    anchors = IN_JAPANESE if "ja" in path.parts else IN_ENGLISH
    assert list(unlinked(path.read_text(encoding="utf-8"), anchors)) == []


def test_an_unlinked_term_is_reported() -> None:
    page = "# Vole\n`vole` [Voles](glossary.md#vole) vole [old](a.md#vole) puesta, revoked, [revoke](x.md#a)"
    assert list(unlinked(page, IN_ENGLISH)) == ["puesta", "revoke"]
    page = "[リヴォーク](glossary.md#リヴォーク)の罰。コントラクトと、ボルと、[ミット](glossary.md#ボル)"
    assert list(unlinked(page, IN_JAPANESE)) == ["ミット", "ボル"]
