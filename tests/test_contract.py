"""docs/reference/contract.md: citations lead to its sections, and it names all events."""

import re
from pathlib import Path
from typing import get_args

from ledger.events import CONTRACT_VERSION, Event

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "contract.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\d+)\. (.*)$", TEXT, re.MULTILINE))

CITATION = re.compile(r"\bcontract,? (?:sections? )?(\d+(?:(?:, | and |, section )\d+)*)(?![.\d])")


def citing() -> list[Path]:
    """Return all files that may cite the contract."""
    kinds = {".py", ".md", ".sql", ".toml", ".html"}
    folders = ("ledger", "tests", "tools", "bench", "docs")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    return [path for path in paths if path.name != "rules.md" and path != PAGE and "fixtures" not in path.parts]


def test_every_citation_leads_to_a_section_of_the_contract() -> None:
    cited = [
        (number, path.name)
        for path in citing()
        for citation in CITATION.finditer(path.read_text(encoding="utf-8"))
        for number in re.findall(r"\d+", citation[1])
    ]
    assert len(cited) > 50
    assert [(number, name) for number, name in cited if number not in SECTIONS] == []


def test_the_contract_says_which_version_is_spoken() -> None:
    assert f"speaks contract {CONTRACT_VERSION}." in TEXT


def test_every_event_type_is_in_the_contract() -> None:
    kinds = [kind.__struct_config__.tag for kind in get_args(Event)]
    assert [kind for kind in kinds if f"`{kind}`" not in TEXT] == []
