"""What each service would do at its start, done once before it is forked: an empty read model, which each copies."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.history.model.empty import new_read_model

with TemporaryDirectory() as _folder:
    for _name in ("first", "kept"):
        with new_read_model(Path(_folder, _name), is_cut=True):
            pass
