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
from tests.schemas.checks import FOLDER, ROOT, schema_of, validator

NAMES = sorted(name.removesuffix(".json") for name in schema_texts())


def test_the_files_are_those_that_the_types_make() -> None:
    made = schema_texts()
    published = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert published == made, "run make reference"


def test_every_schema_is_valid_names_contract_and_file_and_is_what_the_api_answers() -> None:
    for name in NAMES:
        schema = schema_of(name)
        assert validator(name)
        assert (schema["$comment"], schema["$id"]) == ("contract version 1", f"urn:trickledger:contract:1:{name}")
        assert json.loads(json.dumps(ledger.schema(name))) == schema


def test_every_game_publishes_options_outcome_and_sheet() -> None:
    assert {f"{game.name}-{part}" for game in OURS for part in ("options", "outcome", "sheet")} <= set(NAMES)


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
