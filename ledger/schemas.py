"""JSON Schemas of everything that other programs send or receive, generated from the types.

The files are in `schemas/`, in a wheel in `ledger/json-schemas/`; `ledger.schema("score")` returns one in Python.
`python -m ledger.schemas GAME FOLDER` writes those of one installed game, for authors of games; `tools/schemas.py`
writes ours.

Conditions that depend on other entries or on the table's game are not in them: seats of the table, cards of its pack,
its calls, the order of events, legible names, lists as long as `count` says. The import checks those.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from ledger.access.base import Issued, TokenFacts
from ledger.cases.facts import CaseSheet
from ledger.errors import ErrorAnswer, NotFoundError
from ledger.events import CONTRACT_VERSION, TABLE_TYPES, BareLine, Envelope, Event, SessionEvent
from ledger.games import BUILT_IN, game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import RuleAnswer
from ledger.history.lake.links import LakeLinks
from ledger.history.model.comparison import VerifyHistoryAnswer
from ledger.history.model.parquet_export import DataDictionary
from ledger.history.questions.history import StatisticRows, TableDescription
from ledger.history.questions.league import LeagueRules
from ledger.history.questions.statistics import Explanation, ListedQuestion
from ledger.i18n import phrases
from ledger.log.answers import (
    BackupAnswer,
    CheckpointAnswer,
    CopyAnswer,
    CopyLine,
    CosignAnswer,
    InitAnswer,
    KeysAnswer,
    ReceiptAnswer,
    RestoreAnswer,
    VerifyAnswer,
    VerifyReceiptAnswer,
)
from ledger.log.backup import Drill
from ledger.recording.adding import Addition
from ledger.recording.examples import Examples
from ledger.recording.hand.checking import HandRecordCheck
from ledger.recording.hand.comparison import TableComparison
from ledger.recording.hand.file import HandRecordFile
from ledger.recording.hands import HiddenDeals
from ledger.recording.importing import ImportReport
from ledger.recording.sessions import SessionAddition
from ledger.recording.streaming_import import LineReceipt, LineRefused
from ledger.reports.doctor import DoctorAnswer
from ledger.reports.facts import ReportAnswer
from ledger.streams import SESSION, with_prefixes
from ledger.table.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.table.disputes import Dispute, DisputeAtTable
from ledger.table.listing import PlayerRow, TableRow
from ledger.table.people import LinkRow
from ledger.table.two_readings import TwoReadings
from ledger.witness.answers import (
    CheckpointRequestAnswer,
    VerifyEvidenceAnswer,
    WitnessClub,
    WitnessCosignAnswer,
    WitnessKeysAnswer,
    WitnessListAnswer,
    WitnessRecoverAnswer,
)

_phrase: Final = phrases("ledger.i18n")

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

VEGA_LITE: Final = "https://vega.github.io/schema/vega-lite/"
"""The address at which a plot's specification names its schema, which is not ours."""

ANSWERS: Final[Mapping[str, Mapping[str, str]]] = {
    "audit": {"": "audit"},
    "backup": {"": "backup", "--drill": "backup-drill"},
    "check": {"": "check"},
    "checkpoint": {
        "": "checkpoint",
        "--make-key": "checkpoint-keys",
        "--cosign": "checkpoint-cosign",
        "--for-witness": "checkpoint-request",
        "--witness-url": "checkpoint-cosign",
        "--add-cosignature": "checkpoint-cosign",
    },
    "close": {"": "addition"},
    "compare": {"": "compare"},
    "copy": {"": "copy", "--follow": "copy-line"},
    "correct": {"": "addition", "session/SESSION": "session-addition"},
    "dispute": {"TEXT": "addition", "TABLE": "disputes", "": "open-disputes", "--case-sheet": "case-sheet"},
    "doctor": {"": "doctor"},
    "examples": {"": "examples"},
    "export": {"": "entry", "--bare": "bare-line", "--anonymous": "bare-line"},
    "import": {"": "import", "--follow": "import-line"},
    "init": {"": "init"},
    "note": {"": "addition", "session/SESSION": "session-addition"},
    "open-hands": {"": "open-hands"},
    "players": {"": "players"},
    "plot": {"": VEGA_LITE, "--list": "stats-list"},
    "query": {"": "query", "--shell": "query", "--list": "query-list"},
    "receipt": {"": "receipt"},
    "replay": {"": "replay", "--diff": "readings"},
    "report": {"": "report"},
    "restore": {"": "restore"},
    "rules": {"": "rules"},
    "ruling": {"": "addition"},
    "score": {"": "score"},
    "seat": {"": "addition"},
    "session": {"": "session-addition"},
    "simulate": {"": "bare-line"},
    "stats": {"": "stats", "--list": "stats-list", "--explain": "stats-explain"},
    "tables": {"": "tables"},
    "token": {
        "add": "token-issued",
        "code": "token-issued",
        "list": "tokens",
        "revoke": "token",
        "reset-clock": "tokens",
    },
    "verify": {
        "": "verify",
        "--receipt": "verify-receipt",
        "--history": "verify-history",
        "--evidence": "verify-evidence",
    },
    "witness": {
        "init": "witness-keys",
        "add": "witness-clubs",
        "clubs": "witness-clubs",
        "cosign": "witness-cosign",
        "list": "witness-list",
        "recover": "witness-recover",
    },
}
"""The schema of a JSON answer, by command and by the options that select it; each of several values has it."""

_IS_SESSION: Final = {"properties": {"stream": {"pattern": f"^{SESSION.prefix}"}}}
_SESSION_TYPES: Final = [str(kind.__struct_config__.tag) for kind in get_args(SessionEvent)]
_AT_NO_TABLE: Final = [str(kind.__struct_config__.tag) for kind in get_args(SessionEvent) if kind not in TABLE_TYPES]
_IN_ITS_STREAM: Final = {
    "if": _IS_SESSION,
    "then": {"properties": {"event": {"properties": {"type": {"enum": _SESSION_TYPES}}}}},
    "else": {"properties": {"event": {"properties": {"type": {"not": {"enum": _AT_NO_TABLE}}}}}},
}
_NULL: Final = {"type": "null"}

CONDITIONS: Final[dict[str, dict[str, Any]]] = {
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
    "VerifyReceiptAnswer": {
        "if": {"properties": {"proven": {"const": True}}},
        "then": {
            "required": [name for name in VerifyReceiptAnswer.__struct_fields__ if name != "cosigned"],
            "properties": {"damage": _NULL},
        },
        "else": {"maxProperties": 2, "properties": {"damage": {"type": "object"}}},
    },
}
"""Conditions on several fields together that types cannot express, by the name of the type."""


def published_types() -> dict[str, Any]:
    """Return all published types by the name of their file."""
    types: dict[str, Any] = {
        "event": Event,
        "entry": Envelope,
        "bare-line": BareLine,
        "hand-record": HandRecordFile,
        "score": ScoreAnswer,
        "audit": AuditAnswer,
        "replay": ReplayAnswer,
        "addition": Addition,
        "open-hands": list[HiddenDeals],
        "session-addition": SessionAddition,
        "disputes": list[Dispute],
        "open-disputes": list[DisputeAtTable],
        "readings": TwoReadings,
        "case-sheet": CaseSheet,
        "error": ErrorAnswer,
        "examples": Examples,
        "init": InitAnswer,
        "check": HandRecordCheck,
        "compare": TableComparison,
        "import": list[ImportReport],
        "import-line": LineReceipt | LineRefused,
        "tables": list[TableRow],
        "players": list[PlayerRow],
        "player-links": list[LinkRow],
        "token": TokenFacts,
        "tokens": list[TokenFacts],
        "token-issued": Issued,
        "rules": list[RuleAnswer],
        "verify": VerifyAnswer,
        "verify-receipt": VerifyReceiptAnswer,
        "verify-history": VerifyHistoryAnswer,
        "checkpoint": CheckpointAnswer,
        "checkpoint-keys": KeysAnswer,
        "checkpoint-cosign": CosignAnswer,
        "checkpoint-request": CheckpointRequestAnswer,
        "receipt": ReceiptAnswer,
        "witness-keys": WitnessKeysAnswer,
        "witness-clubs": list[WitnessClub],
        "witness-cosign": WitnessCosignAnswer,
        "witness-list": WitnessListAnswer,
        "witness-recover": WitnessRecoverAnswer,
        "verify-evidence": VerifyEvidenceAnswer,
        "backup": BackupAnswer,
        "backup-drill": Drill,
        "restore": RestoreAnswer,
        "copy": CopyAnswer,
        "copy-line": CopyLine,
        "report": ReportAnswer,
        "doctor": DoctorAnswer,
        "stats": StatisticRows,
        "stats-list": list[ListedQuestion],
        "stats-explain": Explanation,
        "query": list[dict[str, Any]],
        "query-list": list[TableDescription],
        "data-dictionary": DataDictionary,
        "lake-links": LakeLinks,
        "league-rules": LeagueRules,
    }
    for game in BUILT_IN:
        types |= types_of(game)
    return types


def types_of(game: Game) -> dict[str, Any]:
    """Return the published types of one game."""
    return {
        f"{game.name}-options": game.option_type,
        f"{game.name}-outcome": game.outcome_type,
        f"{game.name}-sheet": game.sheet_type,
    }


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of that name, as in `schemas/NAME.json`.

    Raise `NotFoundError` naming the schemas that exist; a third-party game that is installed has its own.
    """
    types = published_types()
    for game in registered_games().values():
        types |= types_of(game)
    if name not in types:
        raise NotFoundError("not_found", _phrase("schema.no_such", name=name, names=tuple(sorted(types))))
    return _schema(name, types[name])


def schema_texts(types: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return schemas as indented JSON by file name: of all published types, or of these."""
    return {f"{name}.json": _text(name, kind) for name, kind in (types or published_types()).items()}


def _text(name: str, kind: Any) -> str:
    text = msgspec.json.format(msgspec.json.encode(_schema(name, kind), order="sorted"), indent=2)
    return text.decode("utf-8") + "\n"


def _schema(name: str, kind: Any) -> dict[str, Any]:
    head = {
        "$schema": _DIALECT,
        "$id": f"urn:trickledger:contract:{CONTRACT_VERSION}:{name}",
        "$comment": f"contract version {CONTRACT_VERSION}",
        "title": name,
    }
    made: dict[str, Any] = head | with_prefixes(msgspec.json.schema(kind))
    for part, definition in made.get("$defs", {}).items():
        definition.update(CONDITIONS.get(part, {}))
        if "description" in definition:  # older Python versions keep the docstring's indentation
            definition["description"] = cleandoc(definition["description"])
    return made


def write(texts: Mapping[str, str], folder: Path) -> None:
    """Write schemas into a folder, which is created if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(schema_texts(types_of(game_named(sys.argv[1]))), Path(sys.argv[2]))
    else:
        sys.exit("usage: python -m ledger.schemas GAME FOLDER")
