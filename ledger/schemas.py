"""JSON Schema of everything that other programs send or receive, generated from the types: `python -m ledger.schemas`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.events import CONTRACT_VERSION, BareLine, Envelope, Event
from ledger.games import registered_games
from ledger.recording.hand_file import HandRecordFile

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

FOLDER: Final = Path(__file__).parent.parent / "schemas"
"""Where the published schemas lie in the project."""


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
    }
    for game in registered_games().values():
        types[f"{game.name}-options"] = game.option_type
        types[f"{game.name}-outcome"] = game.outcome_type
        types[f"{game.name}-sheet"] = game.sheet_type
    return types


def schema_texts() -> dict[str, str]:
    """Every schema as indented JSON, by file name."""
    return {f"{name}.json": _text(name, kind) for name, kind in published_types().items()}


def _text(name: str, kind: Any) -> str:
    schema = {"$schema": _DIALECT, "$comment": f"contract version {CONTRACT_VERSION}", "title": name}
    text = msgspec.json.format(msgspec.json.encode(schema | msgspec.json.schema(kind), order="sorted"), indent=2)
    return text.decode("utf-8") + "\n"


def main() -> None:
    """Writes the schemas; those of types that are no longer published are removed."""
    FOLDER.mkdir(exist_ok=True)
    texts = schema_texts()
    for old in FOLDER.glob("*.json"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
