"""Write `schemas/` from the types: `python -m tools.schemas`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ledger.schemas import schema_texts, write

FOLDER: Final = Path(__file__).parents[1] / "schemas"


def main() -> None:
    """Write the schemas, and remove those of types that are no longer published."""
    texts = schema_texts()
    for old in FOLDER.glob("*.json"):
        if old.name not in texts:
            old.unlink()
    write(texts, FOLDER)


if __name__ == "__main__":
    main()
