"""The published files: those that the types make, each valid itself, named, and where other programs find it."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

import ledger
from ledger.errors import NotFoundError
from ledger.games import OURS
from ledger.schemas import schema_texts
from tests.schemas.checks import FOLDER, ROOT, schema_of

NAMES = sorted(name.removesuffix(".json") for name in schema_texts())


def test_the_files_are_those_that_the_types_make() -> None:
    made = schema_texts()
    published = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert published == made, "run make reference"


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_valid_itself_and_names_the_contract(name: str) -> None:
    assert schema_of(name)["$comment"] == "contract version 1"


def test_every_game_publishes_options_outcome_and_sheet() -> None:
    for game in OURS:
        names = {f"{game.name}-options.json", f"{game.name}-outcome.json", f"{game.name}-sheet.json"}
        assert names <= schema_texts().keys()


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_has_an_id_that_names_contract_and_file(name: str) -> None:
    assert schema_of(name)["$id"] == f"urn:trickledger:contract:1:{name}"


@pytest.mark.parametrize("name", NAMES)
def test_the_api_answers_with_what_the_file_says(name: str) -> None:
    assert json.loads(json.dumps(ledger.schema(name))) == schema_of(name)


def test_an_unknown_schema_is_refused_naming_those_that_there_are() -> None:
    with pytest.raises(NotFoundError, match=r"there is no schema scores; there are addition, audit, .*, verify"):
        ledger.schema("scores")


def test_the_files_go_into_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included[FOLDER.name] == "ledger/json-schemas"


def test_schemas_hold_no_python_words() -> None:
    # Descriptions go to people who write other programs.
    for name, text in schema_texts().items():
        assert not re.search(r"\b(None|True|False|dict|tuple|Struct)\b", text), name
