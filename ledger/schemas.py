"""JSON Schema of everything that other programs send or receive, generated from the types.

`python -m ledger.schemas GAME FOLDER` writes those of one installed game: for who adds one. Ours: `tools/schemas.py`.

What depends on other entries or on the table's game is not in them: seats that the table has, cards of its pack, its
calls, the order of events, names that can be read, lists as long as `count` says. The import refuses those.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from ledger.cases.facts import CaseSheet
from ledger.errors import ErrorAnswer
from ledger.events import CONTRACT_VERSION, TABLE_TYPES, BareLine, Envelope, Event, SessionEvent
from ledger.games import OURS, game_named
from ledger.games.kernel.protocol import Game
from ledger.recording.adding import Addition
from ledger.recording.hand.file import HandRecordFile
from ledger.table.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.table.disputes import Dispute
from ledger.table.two_readings import TwoReadings

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_IS_SESSION: Final = {"properties": {"stream": {"pattern": "^session/"}}}
_SESSION_TYPES: Final = [str(kind.__struct_config__.tag) for kind in get_args(SessionEvent)]
_AT_NO_TABLE: Final = [str(kind.__struct_config__.tag) for kind in get_args(SessionEvent) if kind not in TABLE_TYPES]
_IN_ITS_STREAM: Final = {
    "if": _IS_SESSION,
    "then": {"properties": {"event": {"properties": {"type": {"enum": _SESSION_TYPES}}}}},
    "else": {"properties": {"event": {"properties": {"type": {"not": {"enum": _AT_NO_TABLE}}}}}},
}
_NULL: Final = {"type": "null"}

_CONDITIONS: Final[dict[str, dict[str, Any]]] = {
    "BareLine": _IN_ITS_STREAM,
    "Envelope": _IN_ITS_STREAM,
    "Corrected": {
        "if": {"properties": {"action": {"const": "strike"}}},
        "then": {"properties": {"events": _NULL}},
        "else": {"required": ["events"], "properties": {"events": {"type": "array", "minItems": 1}}},
    },
    "RulingGiven": {
        "allOf": [
            {
                "if": {"properties": {"kind": {"enum": ["adjust", "replace"]}}},
                "then": {"required": ["deltas"], "properties": {"deltas": {"type": "array"}}},
                "else": {"properties": {"deltas": _NULL, "pool": _NULL}},
            },
            {
                "if": {"properties": {"kind": {"const": "award"}}},
                "then": {"required": ["award"], "properties": {"award": {"type": "object"}}},
                "else": {"properties": {"award": _NULL}},
            },
        ]
    },
}
"""What the import asks of several fields together and the types cannot say, by the name of the type."""


def published_types() -> dict[str, Any]:
    """What is published, by the name of its file."""
    types: dict[str, Any] = {
        "event": Event,
        "entry": Envelope,
        "bare-line": BareLine,
        "hand-record": HandRecordFile,
        "score": ScoreAnswer,
        "audit": AuditAnswer,
        "replay": ReplayAnswer,
        "addition": Addition,
        "disputes": list[Dispute],
        "readings": TwoReadings,
        "case-sheet": CaseSheet,
        "error": ErrorAnswer,
    }
    for game in OURS:
        types |= types_of(game)
    return types


def types_of(game: Game) -> dict[str, Any]:
    """What is published of one game."""
    return {
        f"{game.name}-options": game.option_type,
        f"{game.name}-outcome": game.outcome_type,
        f"{game.name}-sheet": game.sheet_type,
    }


def schema_texts(types: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Every schema as indented JSON, by file name; those of all published types, or of these."""
    return {f"{name}.json": _text(name, kind) for name, kind in (types or published_types()).items()}


def _text(name: str, kind: Any) -> str:
    head = {"$schema": _DIALECT, "$comment": f"contract version {CONTRACT_VERSION}", "title": name}
    schema = head | msgspec.json.schema(kind)
    for part, definition in schema["$defs"].items():
        definition.update(_CONDITIONS.get(part, {}))
        if "description" in definition:  # older versions of Python leave the docstring's indentation in
            definition["description"] = cleandoc(definition["description"])
    text = msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2)
    return text.decode("utf-8") + "\n"


def write(texts: Mapping[str, str], folder: Path) -> None:
    """Writes schemas into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(schema_texts(types_of(game_named(sys.argv[1]))), Path(sys.argv[2]))
    else:
        sys.exit("usage: python -m ledger.schemas GAME FOLDER")
